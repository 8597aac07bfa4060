"""Follow-through: later answers judged from the learner's own earlier values, in whichever exercise they stand."""

from fractions import Fraction

import pytest

from content import course
from content.checking import check_part, own_parts
from content.lang import LANGS
from content.verdicts import message
from content.words import say
from engine.answers.check import check
from engine.answers.follow import impossible
from engine.answers.model import Expectation

F = Fraction
GB = 10**9


def own(part: str, **values: str) -> dict[str, Fraction]:
    exercise, found = course.part(part)
    mine = earlier(**values)
    return {formula: mine[place] for formula, place in own_parts(exercise, found, mine).items()}


def earlier(**values: str) -> dict[str, Fraction]:
    return {f"core/{name.replace('__', '/').replace('_', '.', 1)}": F(value) for name, value in values.items()}


def test_an_earlier_part_serves_by_its_formula_and_its_right_value_alone() -> None:
    assert own("core/L4.3/extra", L4_2__headroom="46e9") == {"headroom": F("46e9")}
    assert own("core/L4.3/extra", L4_1__per_request="1.5e9") == {"kv_per_request": F("1.5e9")}
    # L4.1's margin is a headroom too, but of other weights; L2.1's request is of another model
    assert own("core/L4.3/extra", L4_1__margin="0.24e9", L2_1__kv="0.5e9") == {}
    # the batch's formula with one request is one request's
    assert own("core/L2.2/batch", L2_1__kv="0.5e9") == {"kv_per_request": F("0.5e9")}
    assert own("core/L2.1/kv", L4_1__kv="1e9") == {}


def test_right_values_and_unknown_parts_are_no_own_values() -> None:
    assert own("core/L4.2/headroom", L4_2__total="60187091200") == {}
    assert own("core/L4.2/headroom", L4_2__nothing="1", L4_1__fits="1") == {}


def test_a_value_of_the_same_exercise_comes_before_one_of_another() -> None:
    found = own("core/L4.2/total", L4_1__kv="40e9", L4_2__weights="13e9")
    assert found == {"kv_cache": F("40e9"), "weights": F("13e9")}


@pytest.mark.parametrize(
    ("part", "typed", "values", "parts"),
    [
        ("core/L4.3/extra", "13", {"L4_2__headroom": "46.66e9"}, "core/L4.2/headroom"),
        ("core/L4.3/extra", "11", {"L4_1__per_request": "1.678e9"}, "core/L4.1/per_request"),
        ("core/L4.2/headroom", "60.08", {"L4_1__kv": "13.42e9"}, "core/L4.1/kv"),
        ("core/L2.2/batch", "74", {"L2_1__kv": "536870912"}, "core/L2.1/kv"),
        # of several own values the one that the answer follows from
        ("core/L4.2/headroom", "13.31", {"L4_2__total": "66.69e9", "L4_1__kv": "1e9"}, "core/L4.2/total"),
    ],
)
def test_what_follows_from_an_own_value_is_right(part: str, typed: str, values: dict[str, str], parts: str) -> None:
    assert check_part(part, typed).verdict == "incorrect"
    verdict = check_part(part, typed, earlier(**values))
    assert verdict.verdict == "correct"
    assert "follow-through" in verdict.notes
    assert verdict.params["earlier_parts"] == parts


def test_an_own_value_that_was_right_but_rounded_is_told_apart() -> None:
    verdict = check_part("core/L4.1/margin", "0.24", earlier(L4_1__total="79.76e9"))
    assert (verdict.verdict, verdict.notes) == ("correct", ("follow-through", "rounded-before"))
    wrong = check_part("core/L4.1/margin", "20", earlier(L4_1__total="60e9"))
    assert (wrong.verdict, wrong.notes) == ("correct", ("follow-through",))


@pytest.mark.parametrize(
    ("part", "typed", "values", "slip"),
    [
        ("core/L4.3/extra", "21.897", {"L4_2__headroom": "73.5e9"}, ()),  # the fraction of the own value, see below
        ("core/L4.3/extra", "37", {"L4_2__headroom": "71.4e9"}, ("total-for-extra",)),
        ("core/L4.2/headroom", "17.34", {"L4_2__total": "68.56e9"}, ("gpu-is-80-gib",)),
        ("core/L2.2/batch", "60", {"L2_1__kv": "0.67e9"}, ("ceil-not-floor",)),
    ],
)
def test_one_slip_more_is_found_from_the_own_value(
    part: str, typed: str, values: dict[str, str], slip: tuple[str, ...]
) -> None:
    verdict = check_part(part, typed, earlier(**values))
    assert verdict.verdict == "incorrect"
    if not slip:
        assert verdict.slips == ("fraction-kept",)
        return
    assert "follow-through-slip" in verdict.notes
    assert verdict.slips[:1] == slip
    assert verdict.params["earlier_parts"] == f"core/{next(iter(values)).replace('__', '/').replace('_', '.', 1)}"


def test_a_slip_from_the_right_values_comes_first() -> None:
    verdict = check_part("core/L4.2/headroom", "25.71", earlier(L4_2__total="68e9"))
    assert (verdict.slips, verdict.notes) == (("gpu-is-80-gib",), ())


def test_the_engine_needs_no_course_for_it() -> None:
    given = {"capacity": 80 * GB, "N": 13 * GB, "p_w": 2, "B": 16, "S": 4096, "L": 40, "d_model": 5120, "p": 2}
    expect = Expectation("number", "headroom", given, unit="GB")
    assert check(expect, "13.2 GB", {"total": F(66800000000)}).notes == ("follow-through",)
    verdict = check(expect, "66.8 GB", {"total": F(66800000000)})
    assert (verdict.slips, verdict.notes, verdict.params) == (
        ("used-not-left",),
        ("follow-through-slip",),
        {"earlier": "total"},
    )


# --- what follows from an own value, but cannot be --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "typed", "values", "why"),
    [
        ("core/L3.1/wasted", "-8", {"L3_1__blocks": "7"}, "below-zero"),
        ("core/L4.2/headroom", "-10", {"L4_2__total": "90e9"}, "below-zero"),
        ("core/L3.1/paged_waste", "125 %", {"L3_1__wasted": "160"}, "over-whole"),
        ("core/L3.1/wasted", "0.8", {"L3_1__blocks": "7.55"}, "not-whole"),
    ],
)
def test_a_value_that_cannot_be_is_not_right_and_points_at_the_own_one(
    part: str, typed: str, values: dict[str, str], why: str
) -> None:
    verdict = check_part(part, typed, earlier(**values))
    assert (verdict.verdict, verdict.slips) == ("incorrect", ())
    assert (verdict.notes, verdict.params["impossible"]) == (("follow-through-impossible",), why)
    place = verdict.params["earlier_parts"]
    assert place == f"core/{next(iter(values)).replace('__', '/').replace('_', '.', 1)}"
    for lang in LANGS:
        told = message(part, verdict, lang)
        assert told == say(f"verdicts.follow-through-{why}", lang, earlier=course.part(place)[1].label[lang])


def test_a_wrong_sign_of_what_cannot_be_is_no_further_slip() -> None:
    verdict = check_part("core/L4.2/headroom", "10", earlier(L4_2__total="90e9"))
    assert (verdict.slips, verdict.notes) == ((), ())
    # a slip of the formula still is one: the total in the place of what is left
    verdict = check_part("core/L4.2/headroom", "90", earlier(L4_2__total="90e9"))
    assert (verdict.slips, verdict.notes) == (("used-not-left",), ("follow-through-slip",))


def test_nothing_and_the_whole_are_possible() -> None:
    given = {"capacity": 80 * GB, "N": 13 * GB, "p_w": 2, "B": 16, "S": 4096, "L": 40, "d_model": 5120, "p": 2}
    extra = Expectation("integer", "extra_requests", given, unit="requests")
    assert impossible(extra, F(0)) == "" and impossible(extra, F(-1)) == "below-zero"
    assert impossible(extra, F(7, 2)) == "not-whole"
    share = Expectation("percent", "kv_share", given, unit="%")
    assert impossible(share, F(1)) == "" and impossible(share, F(11, 10)) == "over-whole"
    size = Expectation("number", "headroom", given, unit="GB")
    assert impossible(size, F(1, 3)) == "" and impossible(size, F(-1)) == "below-zero"
    assert impossible(Expectation("number", value=F(-2)), F(3)) == "above-zero"
