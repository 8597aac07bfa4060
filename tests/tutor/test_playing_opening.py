"""The words of a command line and the state of a figure: what is inside of a figure is not listed, and is bounded."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.files import shipped
from content.lang import LANGS
from tutor import cli
from tutor.figures.parameters import Parameter
from tutor.figures.registry import get, names
from tutor.playing import opening, reading
from tutor.playing.unreadable import Unreadable


def told(words: str) -> str:
    with pytest.raises(Unreadable) as refused:
        opening.read(words.split())
    for lang in LANGS:
        assert not set(refused.value.told(lang)) & set("{}\n")
    return refused.value.told("en")


@pytest.mark.parametrize("name", names())
def test_only_what_the_panel_has_is_listed(name: str) -> None:
    figure = get(name)
    sentence = told(f"{name} zz=3")
    inside = set(figure.base) - {one.name for one in figure.parameters}
    listed = {word.strip(" .") for word in sentence.partition("It has:")[2].split(",")}
    assert inside and not listed & inside
    assert not listed - {one.name for one in figure.parameters} - {""}


@pytest.mark.parametrize(
    "words",
    ["decode-curve card=bar", "decode-curve source=x", "decode-curve points=", "decode-curve knee=1", "map mastery=1"],
)
def test_what_the_app_puts_in_nobody_types(words: str) -> None:
    assert " has no value" in told(words) or "no values to set" in told(words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("map at=foo", "at cannot be foo. It can be: token, "),
        ("map folded=1", "folded cannot be 1. It can be: token, "),
        ("two-buckets dial=x", "dial cannot be x. It can be: B, "),
        ("two-buckets hide=zz", "hide cannot be zz. It can be: weights, "),
        ("batching-timeline now=99999", "now: here from 0 to "),
        ("kv-factors n_head=5000", "query heads: here from 1 to 1024; 5000 is outside."),
        ("roofline N=9e99", "parameters: here from 1 weight to 100T; 9e99 is outside."),
    ],
)
def test_the_rest_is_bounded(words: str, sentence: str) -> None:
    assert told(words).startswith(sentence)


def test_a_size_stands_instead_of_a_model() -> None:
    state = opening.read(["roofline", "N=13B"]).state
    assert (state["N"], state["model"]) == (13 * 10**9, "")
    words = opening.arguments("roofline", state)
    assert words == ("roofline", "N=13B") and opening.read(words).state == state


@pytest.mark.parametrize("name", names())
def test_what_a_page_hides_opens_again(name: str) -> None:
    parts = shipped("figures.toml")[name].get("hide", ())
    state = get(name).defaults({"hide": [*parts[:2], "note"]})
    assert opening.read(opening.arguments(name, state)).state == state


def test_options_stand_anywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    said = []
    for words in (
        ["--plain", "ruler", "b=3", "value=0.1"], ["ruler", "--plain", "b=3", "value=0.1"],
        ["ruler", "b=3", "--plain", "value=0.1"], ["ruler", "b=3", "value=0.1", "--plain"],
    ):  # fmt: skip
        assert cli.run(("playground", "--lang", "en", *words)) == 0
        said.append(capsys.readouterr().out)
    assert said[0].startswith("A ruler") and len(set(said)) == 1


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("INT4", "w4a16"), ("4-bit", "w4a16"), ("w4", "w4a16"), ("fp16", "bf16"), ("half", "bf16"), ("BF16", "bf16"),
        ("int8", "int8"), ("gptq", "awq"), ("Q4 K M", "q4_k_m"), ("e4m3", "fp8"), ("smoothquant", "w8a8"),
    ],
)  # fmt: skip
def test_a_format_may_be_called_as_people_call_it(typed: str, meant: str) -> None:
    assert opening.read(["roofline", f"weights={typed}"]).state["weights"] == meant


def test_a_general_name_means_the_choice_of_its_width() -> None:
    some = Parameter("weights", "choice", choices=("fp16", "w8a8", "fp8", "w4a16"))
    assert [reading.value(some, text) for text in ("bf16", "int8", "INT4", "8-bit")] == [
        "fp16",
        "w8a8",
        "w4a16",
        "w8a8",
    ]


@pytest.mark.parametrize("typed", ["mxfp4", "int3", "7", "fp32"])
def test_a_format_that_is_no_choice_stays_refused(typed: str) -> None:
    assert "weight format cannot be" in told(f"roofline weights={typed}")
    assert "unit cannot be" in told("two-buckets unit=int4")
