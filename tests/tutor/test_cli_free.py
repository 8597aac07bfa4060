"""Free questions of `check --batch`: what can be asked, and one sentence about what cannot."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from engine.formulas import registry
from engine.tree import text
from tests.tutor.command import Tutor, batch, process

SQUARES = [f"{one} = {two}*{two}" for one, two in pairwise("abcdefghij")]
SEVEN = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2}


def asked(tutor: Tutor, tmp_path: Path, expect: object, answer: object) -> Any:
    (said,) = batch(tutor, tmp_path, {"id": "mine", "expect": expect, "answer": answer})
    assert said["id"] == "mine"
    return said


@pytest.mark.parametrize(
    ("expect", "answer", "verdict", "slips"),
    [
        # units: of the question, of the value, of the formula itself
        ({"kind": "number", "value": "1 GiB", "unit": "GB"}, "1.07", "correct", []),
        ({"kind": "number", "value": "94.1 %", "unit": "%"}, "94.1", "correct", []),
        ({"kind": "percent", "value": "94.1%"}, "0.941", "correct", []),
        ({"kind": "number", "formula": "kv_cache", "given": SEVEN}, "1 GiB", "correct", []),
        ({"kind": "number", "formula": "kv_cache", "given": SEVEN}, "1073741824", "correct", []),
        ({"kind": "integer", "formula": "max_requests", "unit": "sessions",
          "given": {**SEVEN, "budget": "40 GB"}}, "37", "correct", []),
        ({"kind": "number", "formula": "kv_cache", "given": SEVEN, "unit": "GB"}, "1", "invalid", []),
        ({"kind": "number", "formula": "kv_cache", "given": SEVEN, "unit": "GB", "rel_tol": 0.01}, "1", "incorrect",
         ["gib-for-gb"]),
        # tolerances: relative, absolute, either, written with a unit; the rule of digits
        ({"kind": "number", "value": 100, "rel_tol": "1%"}, "101", "correct", []),
        ({"kind": "number", "value": 100, "rel_tol": 0.01}, "101.1", "incorrect", []),
        ({"kind": "number", "value": 80, "unit": "GB", "abs_tol": "100 MB"}, "80.1", "correct", []),
        ({"kind": "number", "value": 80, "unit": "GB", "abs_tol": 0.1}, "80.2", "incorrect", []),
        ({"kind": "number", "value": 100, "rel_tol": 0.01, "abs_tol": 3}, "103", "correct", []),
        ({"kind": "number", "value": 100, "rel_tol": 0.05, "abs_tol": 3}, "105", "correct", []),
        ({"kind": "number", "value": 3.14159, "digits": 5}, "3.14", "invalid", []),
        ({"kind": "number", "value": 3.14159, "digits": 5}, "3.1416", "correct", []),
        ({"kind": "number", "value": 3.14159, "digits": False}, "3.14", "incorrect", []),
        # the catalogue fills what it knows; what is given outranks it
        ({"kind": "number", "unit": "GB", "formula": "kv_cache",
          "given": {"model": "llama-2-7b", "B": 1, "S": 2048, "p": "fp16"}}, "1.07", "correct", []),
        ({"kind": "number", "unit": "GB", "formula": "kv_cache",
          "given": {"model": "llama-2-7b", "B": 1, "S": 2048, "p": 2, "L": 16}}, "0.537", "correct", []),
        ({"kind": "number", "formula": "ridge", "given": {"gpu": "A100 SXM 80GB"}, "rel_tol": 0.01}, "153", "correct",
         []),
        ({"kind": "number", "formula": "RIDGE", "given": {"gpu": "A100 SXM 80GB"}, "rel_tol": 0.01}, "306", "incorrect",
         ["sparse-as-dense"]),
        # choices: letter or text, any case
        ({"kind": "choice", "options": ["the cache", "the weights"], "value": "the weights"}, "b", "correct", []),
        ({"kind": "choice", "options": ["the cache", "the weights"], "value": "B"}, "The Weights", "correct", []),
        ({"kind": "choice", "options": ["the cache", "the weights"], "value": "A"}, "b", "incorrect", []),
        ({"kind": "choice", "options": ["the cache", "the weights"], "value": "A"}, "c", "invalid", []),
        # formulas: by name or as text, identities chained and turned round, aliases
        ({"kind": "formula", "formula": "headroom"}, "capacity - total", "correct", []),
        ({"kind": "formula", "formula": "Headroom"}, "total - capacity", "incorrect", ["sign-flipped"]),
        ({"kind": "formula", "formula": "kv_cache"}, "2BSL n_head d_head p", "incorrect", ["gqa-ignored"]),
        ({"kind": "formula", "formula": "2*B*S*L*d_model*p"}, "B*S*L*d_model*p", "incorrect", ["kv-drop-two"]),
        ({"kind": "formula", "formula": "p*2*L*B*S*d_model"}, "3*B*S*L*d_model*p", "incorrect", ["kv-includes-q"]),
        ({"kind": "formula", "formula": "d*w", "identities": ["n*h = d", "h = k*g"]}, "n k g w", "correct", []),
        ({"kind": "formula", "formula": "d*w", "identities": "d = n*h"}, "n*h*w", "correct", []),
        ({"kind": "formula", "formula": "d*w", "aliases": {"hidden": "d"}}, "hidden*w", "correct", []),
        ({"kind": "formula", "formula": "ceil(used/bs)"}, "(used + bs - 1)//bs", "correct", []),
        ({"kind": "formula", "formula": "ceil(used/bs)"}, "floor(used/bs)", "incorrect", ["paged-floor"]),
        # answers that are no text of a person
        ({"kind": "number", "value": 1}, 1, "correct", []),
        ({"kind": "number", "value": 1.5}, 1.5, "correct", []),
        ({"kind": "number", "value": 1}, float("nan"), "invalid", []),
        ({"kind": "number", "value": 1}, float("inf"), "invalid", []),
        ({"kind": "number", "value": 1}, 2.5e300, "incorrect", []),
        ({"kind": "number", "value": 1}, "9" * 10**5, "invalid", []),
        ({"kind": "number", "value": 10**40}, "1e40", "correct", []),
    ],
)  # fmt: skip
def test_a_question_of_ones_own(
    tutor: Tutor, tmp_path: Path, expect: object, answer: object, verdict: str, slips: list[str]
) -> None:
    said = asked(tutor, tmp_path, expect, answer)
    assert (said["verdict"], said["slips"]) == (verdict, slips), said
    for lang in LANGS:
        assert said["message"][lang].strip()
    assert said["message"]["en"] != said["message"]["hi-Latn"]


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("number", "expect cannot be number"),
        ([], "expect cannot be []"),
        ({"kind": ["number"]}, 'kind cannot be ["number"]'),
        ({"kind": "number", "value": None}, "has no value. The keys are: kind, value, unit,"),
        ({"kind": "number", "value": True}, "value cannot be true"),
        ({"kind": "number", "value": float("nan")}, "value cannot be NaN"),
        ({"kind": "number", "value": float("-inf")}, "value cannot be -Infinity"),
        ({"kind": "number", "value": "9^9^9^9"}, "value cannot be 9^9^9^9"),
        ({"kind": "number", "value": {"x": 1}}, 'value cannot be {"x": 1}'),
        ({"kind": "number", "value": "1 token", "unit": "GB"}, "value cannot be 1 token"),
        ({"kind": "number", "value": 1, "unit": 7}, "There is no unit 7."),
        ({"kind": "number", "value": 1, "unit": True}, "unit cannot be true"),
        ({"kind": "number", "value": 1, "unit": ""}, 'There is no unit "".'),
        ({"kind": "percent", "value": 1, "unit": "GB"}, "unit cannot be GB"),
        ({"kind": "number", "value": 1, "rel_tol": "a little"}, "rel_tol cannot be a little"),
        ({"kind": "number", "value": 1, "rel_tol": "1 GB"}, "rel_tol cannot be 1 GB"),
        ({"kind": "number", "value": 1, "abs_tol": -0.5}, "abs_tol cannot be -0.5"),
        ({"kind": "number", "value": 1, "abs_tol": True}, "abs_tol cannot be true"),
        ({"kind": "number", "value": 1, "digits": "yes"}, "digits cannot be yes"),
        ({"kind": "number", "value": 1, "digits": 0}, "digits cannot be 0"),
        ({"kind": "number", "value": 1, "digits": 10**9}, "digits cannot be 1000000000"),
        ({"kind": "number", "value": 1, "formula": "codes", "given": {"b": 4}},
         "value does not go together with formula"),
        ({"kind": "number", "value": 1, "given": {"b": 4}}, "given does not go together with value"),
        ({"kind": "number", "value": 1, "tolerance": 1}, "nothing reads tolerance"),
        ({"kind": "integer", "value": 37.5}, "an integer cannot be 37.5"),
        ({"kind": "number", "formula": "kv_cahe", "given": {}}, "There is no formula kv_cahe. Did you mean kv_cache?"),
        ({"kind": "number", "formula": 3, "given": {}}, "There is no formula 3."),
        ({"kind": "number", "formula": "codes", "given": {"b": "fp99"}}, "b cannot be fp99"),
        ({"kind": "number", "formula": "codes", "given": {"b": True}}, "b cannot be true"),
        ({"kind": "number", "formula": "codes", "given": {"b": float("nan")}}, "b cannot be NaN"),
        ({"kind": "number", "formula": "codes", "given": {"b": 99999}}, "the numbers grow too large"),
        ({"kind": "number", "formula": "codes", "given": {"bb": 4}}, "codes has no symbol bb. Did you mean b?"),
        ({"kind": "number", "formula": "codes", "given": "b=4"}, "given cannot be b=4"),
        ({"kind": "number", "formula": "ridge", "given": {}}, "ridge still needs peak_flops, bandwidth"),
        ({"kind": "number", "formula": "ridge", "given": {"gpu": "A100"}}, "A100 can mean: "),
        ({"kind": "number", "formula": "ridge", "given": {"gpu": "A1000"}}, "The catalogue does not know gpu A1000"),
        ({"kind": "number", "formula": "kv_cache", "given": SEVEN, "unit": "tokens"},
         "kv_cache cannot be shown in tokens"),
        ({"kind": "formula", "formula": "2"}, "2 holds no symbol"),
        ({"kind": "formula", "formula": ""}, "formula cannot be"),
        ({"kind": "formula", "formula": "a*"}, "formula cannot be a*"),
        ({"kind": "formula", "formula": "a" * 301}, "formula cannot be aaa"),
        ({"kind": "formula", "formula": "a/(1-1)"}, "has no value here: it divides by zero"),
        ({"kind": "formula", "formula": "a/(b-b)"}, "has no value here: it divides by zero"),
        ({"kind": "formula", "formula": "a*9^9^9^9"}, "has no value here: the numbers grow too large"),
        ({"kind": "formula", "formula": "a*b", "identities": ["a + b = c + d"]},
         "a + b = c + d cannot be used as an identity"),
        ({"kind": "formula", "formula": "a*b", "identities": ["a = b = c"]}, "identities cannot be a = b = c"),
        ({"kind": "formula", "formula": "a*b", "identities": ["a = 3"]}, "identities cannot be a = 3"),
        ({"kind": "formula", "formula": "a*b", "identities": [["a", "b"]]}, 'identities cannot be ["a", "b"]'),
        ({"kind": "formula", "formula": "a*b", "identities": ["a = b"] * 21}, "identities cannot be"),
        ({"kind": "formula", "formula": "a", "identities": SQUARES}, "cannot be used as an identity"),
        ({"kind": "formula", "formula": "a*b", "aliases": {"x": "c"}}, "an alias stands for c"),
        ({"kind": "formula", "formula": "a*b", "aliases": {"a": "b"}}, 'aliases cannot be {"a": "b"}'),
        ({"kind": "formula", "formula": "a*b", "aliases": {"two words": "b"}}, 'aliases cannot be {"two words": "b"}'),
        ({"kind": "formula", "formula": "a*b", "aliases": ["x"]}, 'aliases cannot be ["x"]'),
        ({"kind": "formula", "formula": "a*b", "given": {"a": 1}}, "nothing reads given"),
        ({"kind": "choice", "options": "ab", "value": "A"}, "options cannot be ab"),
        ({"kind": "choice", "options": ["a", " A "], "value": "A"}, "two of the options are the same"),
        ({"kind": "choice", "options": ["a", ""], "value": "A"}, "options cannot be"),
        ({"kind": "choice", "options": ["kv"] * 30, "value": "A"}, "options cannot be"),
        ({"kind": "choice", "options": ["kv", "weights"], "value": "E"}, "value cannot be E"),
        ({"kind": "choice", "options": ["kv", "weights"]}, "has no value. The keys are: kind, options, value."),
        ({"kind": "choice", "options": ["kv", "weights"], "value": False}, "value cannot be false"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_sentence(tutor: Tutor, tmp_path: Path, expect: object, told: str) -> None:
    bad, good = batch(
        tutor, tmp_path, {"id": 7, "expect": expect, "answer": "1"}, {"id": "core/L2.1/kv", "answer": "1.07"}
    )
    assert good["verdict"] == "correct", "one bad line stops nothing"
    assert told in bad["error"]["en"]
    assert (bad["id"], bad["line"]) == (7, 1)
    assert bad["error"]["en"] != bad["error"]["hi-Latn"]
    assert all("\n" not in bad["error"][lang] for lang in LANGS)


@pytest.mark.parametrize("name", registry.names())
def test_every_registered_formula_is_a_free_question(tutor: Tutor, tmp_path: Path, name: str) -> None:
    right = text(registry.get(name).tree, plain=True)
    said = asked(tutor, tmp_path, {"kind": "formula", "formula": name}, right)
    assert said["verdict"] == "correct", said


def test_a_slip_of_a_free_question_has_sentences_in_both_languages(tutor: Tutor, tmp_path: Path) -> None:
    from content.words import text as words

    said = asked(tutor, tmp_path, {"kind": "formula", "formula": "kv_cache"}, "BSL n_kv_heads d_head p")
    assert said["slips"] == ["kv-drop-two"]
    for lang in LANGS:
        assert words("slips.kv-drop-two.text")[lang] in said["message"][lang]


def test_a_line_of_ten_megabytes_stops_nothing(tmp_path: Path) -> None:
    long = b'{"expect": {"kind": "number", "value": 1}, "answer": "' + b"1" * (10 * 2**20) + b'"}'
    good = b'{"expect": {"kind": "number", "value": 1}, "answer": "1"}'
    done = process(["check", "--batch", "-"], tmp_path, b"\n".join([good, long, good]))
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [one.get("verdict", "error") for one in said] == ["correct", "error", "correct"]
    assert "longer than 1 MiB" in said[1]["error"]["en"]


def test_questions_stay_made_but_not_without_bound(tutor: Tutor, tmp_path: Path) -> None:
    from tutor.commands import expect

    expect._kept.cache_clear()
    lines = [{"expect": {"kind": "number", "value": n}, "answer": str(n)} for n in range(600)]
    long = {"expect": {"kind": "choice", "options": ["x" * 9000, "b"], "value": "b"}, "answer": "b"}
    assert all(said["verdict"] == "correct" for said in batch(tutor, tmp_path, *lines, *lines[-5:], long, long))
    kept = expect._kept.cache_info()
    assert kept.hits == 5
    assert kept.currsize <= kept.maxsize <= 256
