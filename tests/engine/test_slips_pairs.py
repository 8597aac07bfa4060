"""Two slips in one answer: named where the value is good evidence for them, and hardly ever by chance."""

from fractions import Fraction
from math import exp, log
from random import Random

import pytest

from content import course, verdicts, verdicts_wrong
from content.checking import check_part, expectation
from content.lang import LANGS
from content.schema import COMPUTED
from content.words import say
from engine import units
from engine.answers.breaks import BREAKS, COMMON
from engine.answers.check import check
from engine.answers.model import Expectation
from engine.answers.numeric import broken_values, right_value
from engine.answers.pairs import CHANCE, pairs

F = Fraction
INT8_CACHE = {"B": 4, "S": 3000, "L": 48, "d_model": 4096, "n_head": 32, "p": 1}


def eight_bits(**more: object) -> Expectation:
    return Expectation("number", "kv_cache", {**INT8_CACHE, **more}, unit="GB")  # type: ignore[dict-item]


def shown(value: Fraction, digits: int) -> str:
    return units.number(value, digits)


@pytest.mark.parametrize(
    ("part", "typed", "slips"),
    [
        ("core/L4.1/kv", "3.125", {"kv-no-batch", "gib-for-gb"}),
        ("core/L2.3/fp16", "193.7", {"weights-bits-as-bytes", "gib-for-gb"}),
        ("core/L4.2/headroom", "50.64", {"kv-no-batch", "weights-still-fp16"}),
        ("core/L3.1/naive_waste", "0.0586 %", {"used-not-waste", "percent-twice"}),
        ("core/L3.2/int8_step", "171", {"quant-2b", "factor-inverted"}),
    ],
)
def test_two_common_slips_are_named_together(part: str, typed: str, slips: set[str]) -> None:
    verdict = check_part(part, typed)
    assert verdict.verdict == "incorrect"
    assert (set(verdict.slips), verdict.ambiguous, verdict.notes) == (slips, False, ("together",))


def test_a_single_slip_stays_a_single_slip() -> None:
    assert check_part("core/L1.1/ridge_a100", "307")[3:6] == (("sparse-as-dense",), False, ())


def test_pairs_of_one_value_share_the_sure_slip_and_leave_the_other_open() -> None:
    verdict = check_part("core/L2.1/kv", "0.500 GB")
    assert verdict.slips == ("gib-for-gb", "kv-drop-two", "kv-p-one")
    assert (verdict.ambiguous, verdict.notes) == (True, ("together",))


def test_two_values_carried_over_are_a_pair_too() -> None:
    verdict = check_part("core/L4.1/kv", "34.36")
    assert (verdict.slips, verdict.ambiguous) == (("carry-layers-32", "carry-dmodel-4096"), False)
    assert verdict.notes == ("together",)


def test_pairs_that_share_no_slip_are_not_named() -> None:
    # half the length and 32 of 40 layers, or the 2 missing and the narrower model, or ...
    assert check_part("core/L4.1/kv", "21.475").slips == ()


def test_with_other_values_the_same_two_slips_stand_apart() -> None:
    expect = eight_bits(L=40, n_head=32)
    value = right_value(expect) / 2 / 40  # no 2, no layers: with p = 1 nothing else halves
    verdict = check(expect, f"{shown(value / 10**9, 4)} GB")
    assert (set(verdict.slips), verdict.ambiguous, verdict.notes) == (
        {"kv-drop-two", "kv-no-layers"},
        False,
        ("together",),
    )


def test_the_working_shows_two_slips_even_where_a_single_one_gives_their_value() -> None:
    alone = check_part("core/L2.1/kv", "0.268 GB")
    assert alone.slips == ("kv-int4-p", "divide-for-multiply", "kv-drop-two", "kv-p-one")
    seen = check_part("core/L2.1/kv", "2048*32*4096 bytes")
    assert set(seen.slips) == {"kv-drop-two", "kv-p-one"}
    assert seen.notes == ("together", "seen-in-working") and not seen.ambiguous


def test_factors_in_another_order_tell_as_well_where_one_slip_only_has_them() -> None:
    assert check_part("core/L2.1/kv", "4096*2*2*2048 bytes").slips == ("kv-no-layers",)
    assert check_part("core/L2.1/kv", "2*2*32*2048*(4096/32) bytes").slips == ("kv-dhead",)
    assert check_part("core/L2.1/kv", "4096*32*2048*2 bytes").ambiguous  # either 2 may be the one


@pytest.mark.parametrize("typed", ["3.1", "3.14", "3.126 GB"])
def test_too_few_digits_or_other_digits_are_no_evidence(typed: str) -> None:
    assert "together" not in check_part("core/L4.1/kv", typed).notes


def numeric_parts() -> list[str]:
    entries = [entry for track in course.index().tracks for entry in track.exercises]
    ids = [part for entry in entries for part in (*entry.parts, *entry.followups)]
    return [part for part in ids if course.part(part)[1].kind in COMPUTED]


@pytest.mark.parametrize("part_id", numeric_parts())
def test_an_arbitrary_wrong_value_hardly_ever_finds_a_pair(part_id: str) -> None:
    expect = expectation(*course.part(part_id))
    right = float(right_value(expect) / units.get(expect.unit).factor)
    dice, count, named = Random(part_id), 100, 0
    for _ in range(count):
        value = F(right * exp(dice.uniform(-log(10), log(10))))
        typed = str(round(value)) if expect.kind == "integer" else shown(value, 3)
        named += "together" in check(expect, typed).notes
    assert named <= 2 * CHANCE * count  # CHANCE is the mean that is allowed; twice it leaves room for the dice


@pytest.mark.parametrize("part_id", numeric_parts())
def test_no_pair_hides_a_single_slip_and_none_gives_the_right_value(part_id: str) -> None:
    expect = expectation(*course.part(part_id))
    single = {b.value for b in broken_values(expect)} | {right_value(expect)}
    for pair in pairs(expect):
        assert len(set(pair.slips)) == 2
        assert not set(pair.slips) & set(expect.drop)
        assert not pair.apart or pair.value not in single


def test_common_slips_are_slips_of_some_formula() -> None:
    assert {slip for rows in BREAKS.values() for slip, _ in rows} >= COMMON


@pytest.mark.parametrize("part", ["core/L2.1/kv", "core/L4.1/kv"])
def test_two_frequent_slips_stand_beside_rare_ones_of_their_value(part: str) -> None:
    expect = expectation(*course.part(part))
    verdict = check_part(part, f"{shown(right_value(expect) / 4 / 10**9, 5)} GB")
    assert verdict.slips == ("kv-int4-p", "divide-for-multiply", "kv-drop-two", "kv-p-one")
    assert (verdict.ambiguous, verdict.notes, verdict.params) == (
        True,
        ("or-together",),
        {"pair": "kv-drop-two kv-p-one"},
    )
    for lang in LANGS:
        offered = verdicts_wrong.choices(part, verdict, lang)
        assert [one.slip for one in offered] == ["kv-int4-p", "divide-for-multiply", "kv-drop-two kv-p-one", ""]
        picked = verdicts_wrong.settled(part, verdict, "kv-drop-two kv-p-one", lang)
        both = [say(f"slips.{slip}.maybe", lang) for slip in ("kv-drop-two", "kv-p-one")]
        told = verdicts.message(part, verdict, lang)
        assert all(words in picked and words in told for words in both)


def test_no_pair_stands_beside_a_frequent_slip() -> None:
    assert check_part("core/L2.1/kv", "0.537 GB").slips == ("kv-drop-two", "kv-p-one")


@pytest.mark.parametrize(
    ("part", "typed", "slips"),
    [
        ("core/L2.1@3/kv", "0.33", {"kv-drop-two", "gib-for-gb"}),  # 0.3296
        ("core/L2.2/batch", "80", {"kv-drop-two", "kv-p-one", "gib-for-gb"}),
        ("core/L2.2/batch", "75", {"kv-drop-two", "kv-p-one", "ceil-not-floor"}),
    ],
)
def test_pairs_of_the_most_frequent_slips_need_less_evidence(part: str, typed: str, slips: set[str]) -> None:
    verdict = check_part(part, typed)
    assert (set(verdict.slips), verdict.notes) == (slips, ("together",))
    assert verdict.ambiguous == (len(slips) > 2)


def test_two_digits_are_no_evidence_for_other_pairs() -> None:
    assert check_part("core/L4.1/kv", "3.125").notes == ("together",)
    assert check_part("core/L4.1/kv", "3.1").notes == ()


@pytest.mark.parametrize("part_id", numeric_parts())
def test_two_digits_hardly_ever_find_a_pair_by_chance(part_id: str) -> None:
    expect = expectation(*course.part(part_id))
    right, dice = float(right_value(expect) / units.get(expect.unit).factor), Random(part_id)
    values = (F(right * exp(dice.uniform(-log(10), log(10)))) for _ in range(100))
    typed = (str(round(value)) if expect.kind == "integer" else shown(value, 2) for value in values)
    named = sum("together" in check(expect, one).notes for one in typed)
    assert named <= 100 * 2 * CHANCE
