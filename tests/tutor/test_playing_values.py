"""What is typed into the playground: shown, then typed, is the same; steps keep to the bounds; hostile text is told."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from content.words import say
from engine import catalog
from tutor.figures.base import Figure
from tutor.figures.parameters import Parameter
from tutor.figures.registry import get, names
from tutor.figures.state import State, number, put, whole
from tutor.figures.state import names as listed
from tutor.playing import opening, reading
from tutor.playing.unreadable import Unreadable
from tutor.playing.values import offered, shown, stepped, suggestions, typed

HEADS: tuple[str, ...] = ("N", "L", "n_head", "n_kv_heads", "d_head")


def _clean(state: State, given: object) -> State:
    """KV heads that divide the query heads, as the figures have it; ``high`` above ``low``."""
    if number(state, "high") <= number(state, "low"):
        raise ValueError("high")
    heads = whole(state, "n_head")
    shared = max(n for n in range(1, min(heads, max(1, whole(state, "n_kv_heads"))) + 1) if heads % n == 0)
    lengths = state["lengths"]
    assert isinstance(lengths, tuple)
    return put(state, n_kv_heads=shared, lengths=lengths[:64])


PARAMETERS = {
    one.name: one
    for one in (
        Parameter("model", "model", fills=HEADS),
        Parameter("gpu", "gpu", fills=("capacity",)),
        Parameter("card", "gpu"),
        Parameter("N", "params", 10**6, 10**13),
        Parameter("L", "count", 1, 1000),
        Parameter("n_kv_heads", "count", 1, 1024),
        Parameter("B", "count", 1, 10**6, ladder=(1, 2, 4, 8, 16)),
        Parameter("p", "format", Fraction(1, 8), 8),
        Parameter("capacity", "bytes", 10**9, 10**14),
        Parameter("bandwidth", "speed", 10**9, 10**14),
        Parameter("low", "number", -10, 10),
        Parameter("high", "number", -10, 10),
        Parameter("b", "bits", 2, 16),
        Parameter("width", "bits", 4, 16, ladder=(4, 8, 16), only=True),
        Parameter("kept", "bytes", 0, 10**14, unset=True, called="budget"),
        Parameter("mode", "choice", choices=("static", "continuous")),
        Parameter("paging", "choice", choices=("off", "on")),
        Parameter("text", "text", most=40, part="sentence"),
        Parameter("lengths", "list", 1, 500),
    )
}
FIGURE = Figure(
    "made-up",
    {
        "N": 7 * 10**9, "L": 32, "n_head": 32, "n_kv_heads": 32, "d_head": 128, "B": 4, "p": Fraction(2),
        "capacity": Fraction(40 * 10**9), "bandwidth": Fraction(2 * 10**12), "low": Fraction(-3, 10),
        "high": Fraction(9, 20), "b": 4, "mode": "static", "paging": "off", "text": "a train", "lengths": (10, 20),
        "card": "T4", "width": 8, "kept": Fraction(0), "hide": (),
    },
    (),
    lambda state, pen: [],
    _clean,
    parameters=tuple(PARAMETERS.values()),
)  # fmt: skip
"""A figure with a value of every kind."""
START = FIGURE.defaults()


def take(name: str, text: str, state: State = START) -> State:
    return typed(FIGURE, PARAMETERS[name], state, text)


def told(name: str, text: str, state: State = START, lang: Lang = "en") -> str:
    with pytest.raises(Unreadable) as refused:
        take(name, text, state)
    return refused.value.told(lang)


# --- what people write -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("B", "4096", 4096), ("B", "4,096", 4096), ("B", "32k", 32000), ("B", "32Ki", 32768), ("B", "2*1024", 2048),
        ("B", "2 * 1024", 2048), ("B", "2^10", 1024), ("B", "4 lakh", 400_000), ("B", "1,00,000", 100_000),
        ("B", "१२", 12), ("B", "16 requests", 16), ("B", "lagbhag 120", 120), ("L", "sixty-four", 64),
        ("N", "13B", 13 * 10**9), ("N", "13", 13 * 10**9), ("N", "6.74 billion", 6_740_000_000),
        ("N", "13e9", 13 * 10**9),
        ("N", "70.6", 70_600_000_000), ("N", "10000", 10**13), ("N", "10001000", 10_001_000), ("N", "~7", 7 * 10**9),
        ("N", "1000000", 10**6), ("N", "7,000,000", 7 * 10**6), ("N", "lagbhag 7", 7 * 10**9), ("N", "1e6", 10**6),
        ("N", "350M", 350 * 10**6), ("N", "1.8T", 1_800 * 10**9), ("N", "700 crore", 7 * 10**9),
        ("N", "7 arab", 7 * 10**9),
        ("N", "6,738,415,616", 6_738_415_616), ("N", "70 billion parameters", 70 * 10**9),
        ("N", "1800B", 1_800 * 10**9),
        ("capacity", "80 GB", Fraction(80 * 10**9)), ("capacity", "80 GiB", Fraction(80 * 2**30)),
        ("capacity", "80", Fraction(80 * 10**9)), ("capacity", "80G", Fraction(80 * 10**9)),
        ("capacity", "24 gig", Fraction(24 * 10**9)), ("capacity", "80e9", Fraction(80 * 10**9)),
        ("capacity", "2 * 40 GB", Fraction(80 * 10**9)), ("capacity", "80000000000", Fraction(80 * 10**9)),
        ("bandwidth", "2 TB/s", Fraction(2 * 10**12)), ("bandwidth", "2039 GB/s", Fraction(2039 * 10**9)),
        ("bandwidth", "2039", Fraction(2039 * 10**9)), ("bandwidth", "3.35TB/s", Fraction(3350 * 10**9)),
        ("p", "fp16", Fraction(2)), ("p", "BF16", Fraction(2)), ("p", "fp8", Fraction(1)),
        ("p", "FP8_E4M3", Fraction(1)),
        ("p", "int4", Fraction(1, 2)), ("p", "4-bit", Fraction(1, 2)), ("p", "4 bit", Fraction(1, 2)),
        ("p", "W4A16", Fraction(1, 2)), ("p", "w8a8", Fraction(1)), ("p", "1 byte", Fraction(1)),
        ("p", "0.5", Fraction(1, 2)),
        ("p", "1/2", Fraction(1, 2)), ("p", "16", Fraction(2)), ("p", "8", Fraction(1)),
        ("p", "3.5bpw", Fraction(7, 16)),
        ("low", "-3/10", Fraction(-3, 10)), ("low", "-0.3", Fraction(-3, 10)), ("high", "0.17", Fraction(17, 100)),
        ("b", "4", 4), ("b", "8-bit", 8), ("b", "8 bits", 8), ("b", "int4", 4), ("b", "fp8", 8),
        ("mode", "Continuous", "continuous"), ("mode", "c", "continuous"),
        ("paging", "on", "on"), ("paging", "haan", "on"), ("paging", "nahi", "off"),
        ("text", "  the   [b]train[/b]\x1b ", "the [b]train[/b]"),
        ("lengths", "10, 20, 30", (10, 20, 30)), ("lengths", "[1 2;3]", (1, 2, 3)), ("lengths", "2*50,7", (100, 7)),
        ("card", "h100 sxm", "H100 SXM 80GB"), ("card", "nvidia l4", "L4"),
    ],
)  # fmt: skip
def test_values_as_people_write_them(name: str, text: str, value: object) -> None:
    assert take(name, text)[name] == value


@pytest.mark.parametrize("text", ["12", "2", "32", "12-bit"])
def test_of_a_few_values_all_are_named(text: str) -> None:
    assert told("width", text).endswith(f"cannot be {text}. It can be: 4, 8, 16.")
    assert [take("width", one)["width"] for one in ("4", "fp8", "16-bit")] == [4, 8, 16]


def test_a_value_that_may_be_missing_is_taken_away_again() -> None:
    set_to = take("kept", "24 GB")
    assert set_to["kept"] == 24 * 10**9
    assert take("kept", " ", set_to)["kept"] == 0 == take("kept", "0", set_to)["kept"]
    assert PARAMETERS["kept"].label == "parameter.budget"


def test_a_method_of_few_bits_counts_its_scales_in() -> None:
    assert take("p", "awq")["p"] == Fraction(133, 256)
    assert shown(FIGURE, PARAMETERS["p"], take("p", "awq")) == "4.15625-bit"


def test_a_model_fills_what_the_catalogue_knows() -> None:
    state = take("model", "llama-2-70b")
    entry = catalog.model("llama-2-70b")
    assert [state[key] for key in HEADS] == [entry.params, entry.layers, entry.heads, entry.kv_heads, entry.head_dim]
    assert all(isinstance(state[key], int) for key in HEADS)
    assert shown(FIGURE, PARAMETERS["model"], state) == "Llama-2-70b-hf"
    assert shown(FIGURE, PARAMETERS["model"], put(state, L=81)) == ""
    assert take("model", "Llama-2-70B-chat AWQ") == state


def test_a_card_fills_its_memory_or_is_named() -> None:
    state = take("gpu", "h200 sxm")
    assert state["capacity"] == 141 * 10**9
    assert shown(FIGURE, PARAMETERS["gpu"], state) == "H200 SXM 141GB"
    assert shown(FIGURE, PARAMETERS["card"], take("card", "h200 sxm")) == "H200 SXM 141GB"


def test_a_name_that_was_chosen_stays_among_entries_that_are_alike() -> None:
    state = take("gpu", "RTX 4090")
    kept = catalog.gpu("RTX 4090").name
    assert shown(FIGURE, PARAMETERS["gpu"], state) != kept, "another card has as much memory"
    assert shown(FIGURE, PARAMETERS["gpu"], state, kept) == kept
    assert shown(FIGURE, PARAMETERS["gpu"], take("gpu", "h200 sxm"), kept) == "H200 SXM 141GB"


# --- what cannot be taken --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("L", "", "layers: nothing is typed. Write it like 32, 2 * 16, 4."),
        ("L", "0.5", "layers: 0.5 is no whole number. Write it like 32, 2 * 16, 4."),
        ("L", "80 GB", "layers: 80 GB measures something else. Write it like 32, 2 * 16, 4."),
        ("L", "many", "layers: many cannot be read. Write it like 32, 2 * 16, 4."),
        ("L", "16-64", "layers: 16-64 cannot be read. Write it like 32, 2 * 16, 4."),
        ("L", "0", "layers: here from 1 to 1000; 0 is outside."),
        ("L", "1001", "layers: here from 1 to 1000; 1001 is outside."),
        ("n_kv_heads", "12", "KV heads cannot be 12 in this figure; the nearest is 8."),
        ("high", "-1", "high: -1 does not go with low -0.3."),
        ("mode", "x", " cannot be x. It can be: static, continuous."),
        ("model", "llama 3", "llama 3 can be several. Choose one: meta-llama/Meta-Llama-3-8B, meta-llama/Meta"),
        ("model", "lama-2-7bb", "The catalogue has no model lama-2-7bb. The closest are: meta-llama/Llama-2-7b-hf"),
        ("model", "zzz", "The catalogue has no model zzz."),
        ("model", "deepseek-v3", "deepseek-v3: its layers do not all keep K and V of every token"),
        ("model", "/etc/passwd", "The catalogue has no model /etc/passwd."),
        ("gpu", "A100", "A100 can be several. Choose one: A100 SXM 40GB, A100 SXM 80GB, A100 PCIe 40GB, A100"),
        ("gpu", "h20o", "The catalogue has no card h20o. The closest are: H20 96GB"),
        ("capacity", "80 tokens", "card: 80 tokens measures something else. Write it like 80 GB, 24 GiB."),
        ("capacity", "1 MB", "card: here from 1 GB to 100 TB; 1 MB is outside."),
        ("p", "zzz", "zzz cannot be read. Write it like fp16, fp8, int4, 4-bit."),
        ("lengths", "10, x", "x cannot be read. Write it like 10, 20, 30."),
        ("lengths", " ".join(["1"] * 70), "that is too many; at most 64."),
        ("text", "x" * 50, "that is too long; 40 letters are the most."),
        ("text", "x" * 5000, "that is too long; 200 letters are the most."),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_told_in_one_sentence(name: str, text: str, sentence: str) -> None:
    english = told(name, text)
    label = told("L", "x").partition(":")[0]
    assert sentence.replace("layers", label) in english or sentence in english, english
    for lang in LANGS:
        said = told(name, text, lang=lang)
        assert "\n" not in said and said.endswith(".") and not set(said) & set("{}"), said
        assert len(said) < 400


HOSTILE = (
    "__import__('os').system('true')", "[bold]x[/bold]", "9" * 4000, "1e999999999", "9**9**9", "((((((" * 500, "\x00",
    "\x1b[2J", "\u202eB4", "1/0", "0/0", "nan", "inf", "-inf", "1e-400", "٣", "½", "{state}", "%s%n", "../../etc",
    "a" * 199, "=" * 20, ",,,,", "[]", "-", "−5", "5 5", "1 2 3", "\ud800",
)  # fmt: skip


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_gives_a_sentence_or_a_value_that_can_be_drawn(name: str, text: str) -> None:
    try:
        state = take(name, text)
    except Unreadable as refused:
        assert refused.told("en") and refused.told("hi-Latn")
        assert all(letter.isprintable() for letter in refused.told("en"))
    else:
        _inside(PARAMETERS[name], state)


def _inside(parameter: Parameter, state: State) -> None:
    value = state.get(parameter.name)
    if parameter.kind == "choice":
        assert value in parameter.choices
    elif parameter.kind == "text":
        assert isinstance(value, str) and 0 < len(value) <= parameter.most
    elif parameter.kind == "list":
        assert isinstance(value, tuple) and all(parameter.least <= one <= parameter.most for one in value)
    elif parameter.kind not in ("model", "gpu"):
        assert isinstance(value, int | Fraction) and parameter.least <= value <= parameter.most


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(PARAMETERS)), st.text(max_size=60))
def test_any_text_gives_a_value_or_a_sentence(name: str, text: str) -> None:
    try:
        _inside(PARAMETERS[name], take(name, text))
    except Unreadable as refused:
        assert refused.key.startswith("figures.unreadable.")


# --- shown and typed again -------------------------------------------------------------------------------------------


def _again(figure: Figure, parameter: Parameter, state: State) -> None:
    text = shown(figure, parameter, state)
    if text:
        assert typed(figure, parameter, state, text) == state, (figure.name, parameter.name, text)


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    least, most = parameter.least, parameter.most
    if parameter.only:
        return st.sampled_from(parameter.ladder)
    whole_numbers = st.integers(int(least), int(most))
    return {
        "count": whole_numbers, "params": whole_numbers, "bits": whole_numbers,
        "bytes": whole_numbers.map(Fraction), "speed": whole_numbers.map(Fraction),
        "number": st.fractions(least, most, max_denominator=10**6),
        "format": st.fractions(least, most, max_denominator=64),
        "choice": st.sampled_from(parameter.choices or ("",)),
        "text": st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=int(min(most, 40))),
        "list": st.lists(whole_numbers, min_size=1, max_size=20).map(tuple),
    }[parameter.kind]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_is_shown_and_typed_again_is_the_same(data: st.DataObject) -> None:
    own = [one for one in PARAMETERS.values() if one.kind not in ("model", "gpu")]
    parameter = data.draw(st.sampled_from(own))
    value = data.draw(_values(parameter))
    try:
        state = FIGURE.defaults({**START, parameter.name: value})
    except ValueError:
        return
    if parameter.kind == "text" and not str(value).isprintable():
        return
    _again(FIGURE, parameter, state)


@pytest.mark.parametrize("name", [name for name in names() if get(name).parameters])
def test_every_value_of_every_figure_is_shown_as_it_can_be_typed(name: str) -> None:
    figure = get(name)
    for state in _walked(figure):
        for parameter in offered(figure, state):
            _again(figure, parameter, state)


@pytest.mark.parametrize("name", names())
def test_every_state_is_opened_again_by_its_words(name: str) -> None:
    figure = get(name)
    for state in _walked(figure):
        words = opening.arguments(name, state)
        assert opening.read(words)[:2] == (name, state), words


def _walked(figure: Figure) -> Iterator[State]:
    """States that keys and steps lead to."""
    state = figure.defaults()
    yield state
    for key in figure.keys:
        for _ in range(3):
            state = figure.press(state, key.action)
            yield state
    for parameter in offered(figure, state):
        for by in (1, 1, -1):
            state = stepped(figure, parameter, state, by)
            yield state


# --- plus and minus --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, one in PARAMETERS.items() if one.kind not in ("text", "list")])
def test_steps_go_up_and_come_back(name: str) -> None:
    parameter = PARAMETERS[name]
    state = take("n_kv_heads", "8") if name == "n_kv_heads" else START
    if name == "low":
        state = take("high", "9")
    if name in ("capacity", "bandwidth", "N", "gpu", "model"):  # a value between two steps does not come back to itself
        state = stepped(FIGURE, parameter, state, 1)
    up = stepped(FIGURE, parameter, state, 1)
    assert up != state
    assert stepped(FIGURE, parameter, up, -1) == state


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("by", [1, -1])
def test_steps_come_to_an_end_within_the_bounds(name: str, by: Any) -> None:
    parameter = PARAMETERS[name]
    state = put(START, B=1 if by < 0 else 16)
    if parameter.kind in ("count", "bits") and name not in ("B", "width"):
        state = FIGURE.defaults({**state, "n_head": 1024})
        state = take(name, str(parameter.least + 3 if by < 0 else parameter.most // 4 * 4), state)
    for _ in range(400):
        state, before = stepped(FIGURE, parameter, state, by), state
        _inside(parameter, state)
        if state == before:
            break
    else:
        pytest.fail(f"{name} goes on for ever")


def test_steps_skip_what_the_figure_does_not_draw() -> None:
    state = take("n_kv_heads", "8")
    assert stepped(FIGURE, PARAMETERS["n_kv_heads"], state, 1)["n_kv_heads"] == 16
    assert stepped(FIGURE, PARAMETERS["n_kv_heads"], state, -1)["n_kv_heads"] == 4


@pytest.mark.parametrize("name", [name for name in names() if get(name).parameters])
def test_steps_of_every_figure_keep_to_what_it_can_draw(name: str) -> None:
    figure = get(name)
    for parameter in figure.parameters:
        state = figure.defaults()
        for by in (1, 1, 1, -1, -1, -1, -1):
            state = stepped(figure, parameter, state, by)
            assert figure.defaults(state) == state, (name, parameter.name)
            figure.draw(state, 60, 20, "en")


# --- offered and suggested -------------------------------------------------------------------------------------------


def test_a_hidden_part_has_no_line() -> None:
    assert "text" in [one.name for one in offered(FIGURE, START)]
    assert "text" not in [one.name for one in offered(FIGURE, put(START, hide=("sentence",)))]


def test_suggestions_fit_what_is_typed_and_can_be_taken() -> None:
    model, card = PARAMETERS["model"], PARAMETERS["gpu"]
    assert suggestions(model, "llama-2")[:3] == ["Llama-2-7b-hf", "Llama-2-13b-hf", "Llama-2-70b-hf"]
    assert len(suggestions(model, "a", 5)) == 5
    for text in ("llama", "qwen", "mistral", "deepseek", "gemma"):
        for name in suggestions(model, text, 30):
            assert shown(FIGURE, model, take("model", name), name) == name
    for name in suggestions(card, "h100"):
        assert shown(FIGURE, card, take("gpu", name), name) == name
    assert suggestions(PARAMETERS["mode"], "") == ["static", "continuous"]
    assert suggestions(PARAMETERS["mode"], "con") == ["continuous"]
    for name in suggestions(PARAMETERS["p"], ""):
        take("p", name)
    assert suggestions(PARAMETERS["B"], "1") == []


@pytest.mark.parametrize("name", names())
def test_sentences_name_a_value_as_its_line_does(name: str) -> None:
    figure = get(name)
    for parameter in figure.parameters:
        if parameter.kind in ("model", "gpu") or parameter.unset:
            continue
        for lang in LANGS:
            with pytest.raises(Unreadable) as refused:
                typed(figure, parameter, figure.defaults(), " ")
            label = " ".join(say(f"figures.{parameter.label}", lang).split())
            assert label in refused.value.told(lang)


def test_the_state_that_comes_in_stays_as_it_is() -> None:
    before = dict(START)
    take("B", "77")
    stepped(FIGURE, PARAMETERS["B"], START, 1)
    assert dict(START) == before
    assert listed(START, "hide") == ()


# --- a value, and nothing beside it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_what_a_sentence_offers_as_an_example_can_be_typed(name: str) -> None:
    """Of every value of every figure: the examples lie within its own bounds."""
    for parameter in get(name).parameters:
        if parameter.kind in ("model", "gpu", "text"):
            continue
        with pytest.raises(Unreadable) as refused:
            reading.value(parameter, "zz zz")
        examples = str(refused.value.params.get("example", ""))
        for one in [examples] if parameter.kind == "list" else examples.split(", "):
            if one:
                assert reading.value(parameter, one) is not None, (parameter.name, one)


@pytest.mark.parametrize("name", ["N", "L", "B", "p", "capacity", "bandwidth", "low", "b", "lengths"])
@pytest.mark.parametrize("text", ["B=16", "16 = 16", "foo bar = 16", "B: 16", "B -> 16", "4*4 ≈ 16", "x＝16", "a ⇒ 16"])
def test_what_holds_more_than_a_value_is_none(name: str, text: str) -> None:
    assert "more than a value" in told(name, text)
    assert "Sirf value likho" in told(name, text, lang="hi-Latn")


@pytest.mark.parametrize("text", ["512\n513", "line1\nline2\nB=4", "5\r\n6"])
def test_a_value_is_one_line(text: str) -> None:
    assert "more than a value" in told("B", text)
    assert take("B", "512\n")["B"] == 512, "a copied cell may end with a line break"
    assert take("lengths", "10\n20")["lengths"] == (10, 20), "a list may have a line for each"


@given(st.integers(1, 10**14), st.sampled_from(("{}", "{:,}", "~{}")))
def test_what_a_sentence_on_bounds_says_is_outside_is_outside(count: int, form: str) -> None:
    """A plain number up to 10,000 means billions and says so where it does not fit; a larger one is the count."""
    meant = count * 10**9 if count <= 10_000 else count
    one = PARAMETERS["N"]
    text = form.format(count)
    if one.least <= meant <= one.most:
        assert take("N", text)["N"] == meant
    else:
        assert f"{text} is outside" in told("N", text) and meant == count


def test_a_plain_number_that_is_outside_is_told_in_its_unit() -> None:
    assert "200000 GB is outside" in told("capacity", "200000")
    assert "200000 GB/s is outside" in told("bandwidth", "200000")
    assert "-4 billion is outside" in told("N", "-4")
    assert "70600.5 is no whole number" in told("N", "70600.5")


@pytest.mark.parametrize("figure", ["two-buckets", "tracks", "heads", "kv-factors", "roofline"])
def test_the_cache_has_formats_that_engines_keep_it_in(figure: str) -> None:
    """Four bits to 32, of which the FP8 lever of the two buckets is one; no engine has a cache of one bit."""
    one = next(one for one in get(figure).parameters if one.name == "p")
    state = get(figure).defaults()
    for text in ("1-bit", "2-bit", "0.3", "64-bit"):
        with pytest.raises(Unreadable) as refused:
            typed(get(figure), one, state, text)
        assert "from INT4 to " in refused.value.told("en")
    for text, size in (("int4", Fraction(1, 2)), ("fp8", Fraction(1)), ("fp16", Fraction(2))):
        assert typed(get(figure), one, state, text)["p"] == size


@pytest.mark.parametrize("content", ["{}", '{"hidden_size": 64}', "no json", ""])
def test_a_file_that_has_a_models_name_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    (tmp_path / "y").write_text(content)
    monkeypatch.chdir(tmp_path)
    figure = get("roofline")
    one = next(one for one in figure.parameters if one.kind == "model")
    with pytest.raises(Unreadable):
        typed(figure, one, figure.defaults(), "y")
