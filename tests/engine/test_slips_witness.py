"""What separates slips of one value: the learner's other answers, as the course's register of collisions says."""

from collections.abc import Iterable
from fractions import Fraction

import pytest

from content.checking import check_part
from content.verdicts import message
from content.verdicts_wrong import choices
from engine.answers.check import check
from engine.answers.model import Expectation, Verdict

F = Fraction
GB = 10**9


def answered(part: str, typed: str, made: Iterable[str] = (), **others: str) -> Verdict:
    """The verdict on a wrong answer; other answers by part, "core/L2.1/kv" as L2_1__kv."""
    earlier = {f"core/{name.replace('__', '/').replace('_', '.', 1)}": F(value) for name, value in others.items()}
    verdict = check_part(part, typed, earlier, frozenset(made))
    assert verdict.verdict == "incorrect"
    return verdict


def judged(part: str, typed: str, **others: str) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """The slips, whether they stay open, and the notes."""
    verdict = answered(part, typed, **others)
    return verdict.slips, verdict.ambiguous, verdict.notes


def likely(verdict: Verdict) -> list[str]:
    """The slips that are said: those that other answers make the likelier, else all."""
    return verdict.params.get("likely", " ".join(verdict.slips)).split()


HALF, RIGHT = "536870912", "1070000000"


def test_who_halves_here_and_there_leaves_something_out() -> None:
    found = judged("core/L4.1/per_request", "1.678", L2_1__kv=HALF)
    assert found == (("kv-drop-two", "kv-p-one"), True, ("seen-in-sibling",))


def test_who_halves_only_here_kept_the_earlier_length() -> None:
    found = judged("core/L4.1/per_request", "1.678", L2_1__kv=RIGHT)
    assert found == (("carry-s-2048", "kv-drop-two", "kv-p-one"), True, ("possible",))
    assert likely(answered("core/L4.1/kv", "26.84", L2_1__kv=RIGHT)) == ["carry-s-2048"]


def test_a_right_answer_elsewhere_takes_no_slip_away() -> None:
    """Who was right there may slip here: what it speaks against stands last, and can still be picked."""
    verdict = answered("core/L4.1/per_request", "1.678", L2_1__kv=RIGHT)
    told = message("core/L4.1/per_request", verdict, "en")
    assert "S = 2048" in told and "2 for key and value is missing" not in told
    offered = [choice.slip for choice in choices("core/L4.1/per_request", verdict, "en")]
    assert offered == ["carry-s-2048", "kv-drop-two", "kv-p-one", ""]


def test_a_slip_made_before_outweighs_a_right_answer_since() -> None:
    verdict = answered("core/L4.1/per_request", "1.678", ["kv-drop-two"], L2_1__kv=RIGHT)
    assert (likely(verdict), verdict.ambiguous, verdict.notes) == (["kv-drop-two"], True, ("possible",))
    assert set(verdict.slips) == {"kv-drop-two", "kv-p-one", "carry-s-2048"}
    assert likely(answered("core/L4.1/per_request", "1.678", ["kv-p-one"])) == ["kv-p-one"], "with no other answer"
    assert answered("core/L4.1/per_request", "1.678", ["gross-budget"]) == answered("core/L4.1/per_request", "1.678")


def test_of_the_slips_that_another_answer_shows_the_one_made_before_is_it() -> None:
    verdict = answered("core/L4.1/per_request", "1.678", ["kv-p-one"], L2_1__kv=HALF)
    assert (verdict.slips[0], verdict.ambiguous, verdict.notes) == ("kv-p-one", False, ("seen-in-sibling",))
    # what was made before stays among the slips though another answer shows something else
    other = answered("core/L4.1/per_request", "1.678", ["carry-s-2048"], L2_1__kv=HALF)
    assert (set(likely(other)), other.slips[-1]) == ({"kv-drop-two", "kv-p-one"}, "carry-s-2048")


@pytest.mark.parametrize(
    ("part", "typed", "others", "slips", "note"),
    [
        # weights: the other fields
        ("core/L2.3/int8", "26", {"L2_3__fp16": "52e9"}, {"weights-fp32-base", "weights-twice"}, "seen-in-sibling"),
        ("core/L2.3/int4", "26", {"L2_3__fp16": "26e9"}, {"weights-still-fp16"}, "possible"),
        ("core/L2.3/int4", "13", {"L2_3__fp16": "26e9", "L2_3__int8": "13e9"}, {"int4-unpacked"}, "possible"),
        ("core/L2.3/int4", "13", {"L2_3__fp16": "52e9"}, {"weights-fp32-base", "weights-twice"}, "seen-in-sibling"),
        ("core/L2.3/shrink", "2", {"L2_3__int4": "13e9"}, {"int4-unpacked"}, "seen-in-sibling"),
        ("core/L2.3/shrink", "2", {"L2_3__int4": "6.5e9"}, {"factor-two"}, "possible"),
        ("core/L4.2/total", "66.69", {"L2_3__fp16": "26e9"}, {"int4-unpacked"}, "possible"),
        ("core/L4.2/total", "66.69", {"L2_3__fp16": "52e9"}, {"weights-fp32-base", "weights-twice"}, "seen-in-sibling"),
        # the scales of quantization
        ("core/L3.2/ratio", "16", {"L3_2__int4_step": "0.09375"}, {"quant-2b"}, "seen-in-sibling"),
        ("core/L3.2/ratio", "16", {"L3_2__int4_step": "0.1"}, {"quant-two-to-difference"}, "possible"),
        ("core/L3.2/ratio", "18.14", {"L3_2__int4_step": "0.1286"}, {"quant-true-symmetric"}, "seen-in-sibling"),
        ("core/L3.2/ratio", "18.14", {"L3_2__int4_step": "0.2143"}, {"quant-signed-steps"}, "seen-in-sibling"),
        # rounding: 38 earlier means up, 37 means to the nearest
        ("core/L4.3/extra", "6", {"L2_2__batch": "38"}, {"ceil-not-floor"}, "seen-in-sibling"),
        ("core/L4.3/extra", "6", {"L2_2__batch": "37"}, {"round-not-floor", "mixed-gb-gib"}, "possible"),
        ("core/L2.2/batch", "40", {"L2_1__kv": "1.07e9"}, {"one-gb-each"}, "possible"),
        # paging
        ("core/L3.1/paged_waste", "93.75", {"L3_1__naive_waste": "0.05859"}, {"used-not-waste"}, "seen-in-sibling"),
        ("core/L3.1/worst_case", "8", {"L3_1__wasted": "15"}, {"actual-for-worst"}, "seen-in-sibling"),
        # the cache at 4 bits
        ("core/L4.2/total", "19.92", {"L4_1__kv": "53.69e9"}, {"weight-quant-shrinks-kv"}, "possible"),
        ("core/L4.2/total", "19.92", {"L2_1__kv": "0.268e9"}, {"kv-int4-p", "divide-for-multiply"}, "seen-in-sibling"),
        # the cache of half a request, kept in one use only
        ("core/L4.3/extra", "11", {"L2_1__kv": HALF}, {"kv-drop-two", "kv-p-one"}, "seen-in-sibling"),
    ],
)  # fmt: skip
def test_another_answer_separates_what_the_value_does_not(
    part: str, typed: str, others: dict[str, str], slips: set[str], note: str
) -> None:
    verdict = answered(part, typed, **others)
    assert set(likely(verdict)) - set(verdict.params.get("pair", "").split()) == slips
    assert verdict.slips[: len(slips)] == tuple(likely(verdict)[: len(slips)])
    assert verdict.ambiguous == (len(slips) > 1 or "possible" in verdict.notes)
    assert verdict.ambiguous == (len(verdict.slips) > 1), "one alone is sure, and what is not sure is not alone"
    assert note in verdict.notes and not {"seen-in-sibling", "possible"} - {note} & set(verdict.notes)


def test_answers_that_speak_against_every_slip_leave_the_verdict_as_it_is() -> None:
    alone = judged("core/L2.3/int8", "26")
    assert judged("core/L2.3/int8", "26", L2_3__fp16="26e9", L2_3__int4="6.5e9") == alone
    assert len(alone[0]) == 3


def test_an_answer_about_something_else_says_nothing() -> None:
    alone = judged("core/L4.1/per_request", "1.678")
    assert judged("core/L4.1/per_request", "1.678", L3_1__blocks="7", L2_3__fp16="52e9") == alone
    assert judged("core/L4.1/per_request", "1.678", L2_1__kv="123456789") == alone  # wrong, but in no known way
    assert alone[1] and len(alone[0]) == 3


def test_one_slip_alone_needs_no_witness_and_is_not_doubted() -> None:
    assert judged("core/L4.1/total", "29.36", L2_1__kv=RIGHT) == (("kv-no-batch",), False, ())


def test_of_two_slips_at_once_the_open_one_is_settled_by_another_answer() -> None:
    alone = judged("core/L4.1/kv", "1.678")
    assert alone == (("kv-no-batch", "kv-drop-two", "kv-p-one", "carry-s-2048"), True, ("together",))
    right = judged("core/L4.1/kv", "1.678", L2_1__kv=RIGHT)
    assert right == (("kv-no-batch", "carry-s-2048", "kv-drop-two", "kv-p-one"), True, ("together", "possible"))
    told = message("core/L4.1/kv", answered("core/L4.1/kv", "1.678", L2_1__kv=RIGHT), "en")
    assert "one request" in told and "S = 2048" in told and "is missing" not in told
    half = judged("core/L4.1/kv", "1.678", L2_1__kv=HALF)
    assert half == (("kv-no-batch", "kv-drop-two", "kv-p-one"), True, ("together", "seen-in-sibling"))


def test_typed_factors_outrank_every_witness() -> None:
    found = judged("core/L2.1/kv", "1*2048*32*4096*2 bytes", L4_1__per_request="1677721600")
    assert found == (("kv-drop-two",), False, ("seen-in-working",))


def test_witnesses_are_not_heard_while_there_is_nothing_to_tell_apart() -> None:
    def never() -> object:
        raise AssertionError("asked")
        yield

    weights = Expectation("number", "weights", {"N": 13 * GB, "p_w": 2}, unit="GB")
    for typed in ("26", "208", "77.7"):
        check(weights, typed, None, never())  # type: ignore[arg-type]


def test_the_engine_says_which_witness_spoke() -> None:
    wide = {"B": 1, "S": 2048, "L": 40, "d_model": 4096, "n_head": 32, "p": 2}
    here = Expectation("number", "kv_cache", wide, unit="GB")
    there = Expectation("number", "kv_cache", {**wide, "p": 1}, unit="GB")
    half = f"{float(right(here) / 2 / GB):.4f} GB"
    assert check(here, half).ambiguous
    verdict = check(here, half, None, [(there, F(5)), (there, right(there) / 2)])
    assert (verdict.slips, verdict.ambiguous, verdict.params) == (("kv-drop-two",), False, {"witness": "1"})


def right(expect: Expectation) -> Fraction:
    from engine.answers.numeric import right_value

    return right_value(expect)
