"""What learners type, with the verdicts that stand: cases of the kinds that real checkers met."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from content.checking import check_part
from engine.answers.check import check
from engine.answers.model import Expectation, Option, Verdict

F = Fraction
LINES = (Path(__file__).parent / "data" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]

SEVEN = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2}
PRECISIONS = (Option("fp16", "A", ("FP16",)), Option("int8", "B", ("INT8",)), Option("int4", "C", ("INT4",)))
QUESTIONS = {
    "kv_bytes": Expectation("number", "kv_cache", SEVEN, unit="bytes", digits=None, rel_tol=F(1, 100)),
    "precision": Expectation("choice", options=(PRECISIONS,), answers=(("int4",),)),
}


def answered(row: dict[str, Any]) -> Verdict:
    typed = row["typed"] if "typed" in row else "".join(text * times for text, times in row["repeated"])
    return check_part(row["part"], typed) if "part" in row else check(QUESTIONS[row["question"]], typed)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.get('part') or row['question']}: {row['why'][:60]}")
def test_the_verdict_is_one_that_stands(row: dict[str, Any]) -> None:
    verdict = answered(row)
    assert verdict.verdict in row["verdicts"], (row["source"], verdict)
    if verdict.verdict == "incorrect" and row.get("slips"):
        assert verdict.slips[:1] and verdict.slips[0] in row["slips"], verdict.slips
    if verdict.verdict == "invalid":
        assert verdict.reason
        assert not verdict.slips
    else:
        assert verdict.read is not None


def number(value: object, unit: str = "GB", **more: Any) -> Expectation:
    kind = more.pop("kind", "number")
    return Expectation(kind, value=F(str(value)), unit=unit, **more)


@pytest.mark.parametrize(
    ("expect", "typed", "verdict", "reason"),
    [
        # the digit rule: right digits, enough of them
        (number(1073741824), "1.07", "correct", None), (number(1073741824), "1.073", "correct", None),
        (number(1073741824), "1.1", "invalid", "more-digits"),
        (number(1073741824), "1", "invalid", "more-digits"), (number(1073741824), "1.0", "incorrect", None),
        (number(1073741824), "1.08", "incorrect", None),
        (number(1073741824, digits=None, rel_tol=F(1, 100)), "1.08", "correct", None),
        (number(1073741824, digits=None, rel_tol=F(1, 100)), "1.09", "incorrect", None),
        (number(79687091200, digits=None, abs_tol=F(1, 10)), "79.78", "correct", None),
        (number(79687091200, digits=None, abs_tol=F(1, 10)), "79.8", "incorrect", None),
        (number(26 * 10**9), "26", "correct", None), (number("1/170", "none"), "0.00588", "correct", None),
        (number("1/170", "none"), "0.0059", "invalid", "more-digits"),
        # units
        (number(2**30), "1 GiB", "correct", None), (number(2**30), "1.07 tokens", "invalid", "wrong-dimension"),
        (number(2**30), "1.07 GB/s", "invalid", "wrong-dimension"),
        (number(2**30, "GiB"), "1", "correct", None),
        (number(37, "requests", kind="integer"), "37 users", "correct", None),
        (number(8, "blocks", kind="integer"), "8 tokens", "invalid", "wrong-dimension"),
        (number(37, "requests", kind="integer"), "37.0", "correct", None),
        (number(37, "requests", kind="integer"), "37.25", "incorrect", None),
        # shares and factors
        (number("241/256", "%", kind="percent"), "94.1", "correct", None),
        (number("241/256", "%", kind="percent"), "0.941", "correct", None),
        (number("241/256", "%", kind="percent"), "1928/2048", "correct", None),
        (number("241/256", "%", kind="percent"), "94", "invalid", "more-digits"),
        (number(4, "x", kind="factor"), "4x", "correct", None),
        (number(4, "x", kind="factor"), "400 %", "correct", None),
        (number(4, "x", kind="factor"), "chauguna", "correct", None),
        (number(0), "0", "correct", None), (number(0), "0.0001", "incorrect", None),
        (number(-5, "none"), "-5", "correct", None), (number(-5, "none"), "5", "incorrect", None),
    ],
)  # fmt: skip
def test_numbers(expect: Expectation, typed: str, verdict: str, reason: str | None) -> None:
    found = check(expect, typed)
    assert (found.verdict, found.reason) == (verdict, reason)


def test_follow_through_accepts_what_follows_from_the_learners_own_value() -> None:
    own = {"core/L2.1/kv": F(536870912)}
    assert check_part("core/L2.2/batch", "74").verdict == "incorrect"
    given = {"B": 1, "L": 32, "d_model": 4096, "S": 2048, "p": 2, "N": 13 * 10**9, "p_w": 2}
    expect = Expectation("number", "total", given, unit="GB")
    followed = check(expect, "26.5 GB", {"kv_cache": F(536870912)})
    assert followed.verdict == "correct" and "follow-through" in followed.notes
    assert check(expect, "27.1 GB", {"kv_cache": F(536870912)}).verdict == "correct"  # the right value stays right
    assert check(expect, "28.0 GB", {"kv_cache": F(536870912)}).verdict == "incorrect"
    assert check_part("core/L2.2/batch", "37", own).verdict == "correct"


def test_rounding_to_the_right_count_by_luck_is_noted() -> None:
    verdict = check_part("core/L2.2/batch", "round(37.25)")
    assert (verdict.verdict, verdict.notes) == ("correct", ("by-luck",))


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("haan", "correct"), ("yes, it fits", "correct"), ("nahi", "incorrect"), ("no", "incorrect"),
        ("it does not fit", "incorrect"), ("maybe", "invalid"),
        ("yes and no", "invalid"), ("", "invalid"), ("y" * 400, "invalid"),
    ],
)  # fmt: skip
def test_yes_and_no_in_both_languages(typed: str, verdict: str) -> None:
    assert check_part("core/L4.1/fits", typed).verdict == verdict


def classify() -> Expectation:
    phase = (Option("prefill", "A", ("prefill",)), Option("decode", "B", ("decode",)))
    wall = (Option("compute", "A", ("compute", "compute-bound")), Option("memory", "B", ("memory", "memory-bound")))
    answers = (("decode", "memory"), ("prefill", "compute"))
    slips = {"prefill memory": "swap-phase-bounds"}
    return Expectation("classify", options=(phase, wall), answers=answers, slips=slips)


@pytest.mark.parametrize(
    ("typed", "verdict", "reason"),
    [
        ("decode memory", "correct", None), ("decode, memory-bound hai", "correct", None),
        ("prefill compute", "correct", None), ("prefill memory", "incorrect", None),
        ("decode", "invalid", "missing-attribute"), ("decode prefill memory", "invalid", "choice-several"),
        ("not decode memory", "invalid", "negated"),
        ("hello", "invalid", "choice-unknown"),
    ],
)  # fmt: skip
def test_pairs_of_attributes(typed: str, verdict: str, reason: str | None) -> None:
    found = check(classify(), typed)
    assert (found.verdict, found.reason) == (verdict, reason)


def test_a_pair_that_stands_by_another_definition_is_noted_and_a_swap_is_named() -> None:
    assert check(classify(), "prefill compute").notes == ("other-definition",)
    assert check(classify(), "prefill memory").slips == ("swap-phase-bounds",)


def test_orders_are_letters_each_once() -> None:
    steps = tuple(Option(name, letter, ()) for name, letter in (("one", "A"), ("two", "B"), ("three", "C")))
    expect = Expectation("order", options=(steps,), answers=(("two", "one", "three"),))
    assert check(expect, "B A C").verdict == "correct"
    assert check(expect, "b, a, c").verdict == "correct"
    assert check(expect, "A B C").params == {"right_count": "0", "count": "3"}
    assert check(expect, "B C A").params == {"right_count": "1", "count": "3"}
    assert check(expect, "A B").reason == "order-unclear"
    assert check(expect, "A A B").reason == "order-unclear"


def test_free_text_is_never_marked() -> None:
    verdict = check(Expectation("rubric"), "because decode waits for memory")
    assert (verdict.verdict, verdict.reason) == ("invalid", "self-marked")
