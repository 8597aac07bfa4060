"""What explains a value that no single slip of the formula gives, and slips of counts that share a small number."""

from fractions import Fraction

import pytest

from content.checking import check_part
from content.lang import LANGS
from content.verdicts import message
from content.verdicts_wrong import choices
from engine.answers.check import check
from engine.answers.model import Expectation

F = Fraction


@pytest.mark.parametrize(
    ("part", "typed", "slip"),
    [
        ("core/L4.3/rate21", "711", "batch-free-lunch"),  # 21 tokens, but the caches of 16
        ("core/L4.3/rate21", "424", "old-value-kept"),  # 16 tokens, but the caches of 21
        ("core/L4.2/speedup", "32%", "gain-for-factor"),
        ("core/L4.2/speedup", "0.324", "gain-for-factor"),
        ("core/L2.3/shrink", "3", "gain-for-factor"),
        ("core/L2.3/shrink", "75%", "saving-for-factor"),
        ("core/L4.2/headroom", "23.95", "gib-for-gb"),
        ("core/L4.1/margin", "5.7856", "gib-for-gb"),
        ("core/L2.3/int4", "3.25", "weights-fp32-base"),
        ("core/L3.2@2/int8_step", "0.0226", "quant-range-diff"),
        ("core/L3.2@2/int8_step", "0.7/31", "quant-range-diff"),
        ("core/L4.1/margin", "80-79.7", "early-rounding"),
    ],
)
def test_a_wrong_value_is_explained(part: str, typed: str, slip: str) -> None:
    verdict = check_part(part, typed)
    assert (verdict.verdict, verdict.slips, verdict.ambiguous) == ("incorrect", (slip,), False)
    assert all(message(part, verdict, lang) for lang in LANGS)


def test_what_was_replaced_everywhere_is_the_other_parts_answer() -> None:
    verdict = check_part("core/L4.3/rate21", "542")
    assert (verdict.slips, verdict.params["other"]) == ((), "core/L4.3/rate16")


def test_an_old_value_needs_two_places_and_a_value_from_before() -> None:
    given = {"capacity": 80 * 10**9, "N": 13 * 10**9, "p_w": 2, "B": 21, "S": 4096, "L": 40, "d_model": 5120, "p": 2}
    plain = Expectation("number", "decode_rate", {**given, "bandwidth": 2 * 10**12}, unit="tokens/s")
    mixed = "527"  # 21 tokens over the time of 16 caches
    assert check(plain, mixed).slips == ()
    assert check(plain._replace(kept={"B": F(16)}), mixed).slips == ("batch-free-lunch",)
    assert check(plain._replace(kept={"S": F(2048)}), "623").slips == ()  # S has one place
    assert check(plain._replace(kept={"T": F(16)}), mixed).slips == ()


@pytest.mark.parametrize("typed", ["2*2048*2048*32*4096*2 bytes", "2*2048^2*32*4096*2 bytes"])
def test_a_square_is_seen_however_it_is_typed(typed: str) -> None:
    verdict = check_part("core/L2.1/kv", typed)
    assert (verdict.slips, verdict.notes) == (("kv-quadratic-s",), ("seen-in-working",))


@pytest.mark.parametrize(
    ("typed", "slips", "asked"),
    [
        (
            "11",
            {"kv-drop-two", "kv-p-one", "carry-s-2048", "carry-layers-32", "carry-dmodel-4096"},
            "How large is one request",
        ),
        ("23", {"gross-budget", "weight-quant-shrinks-kv", "kv-int4-p", "divide-for-multiply"}, "What did you divide"),
        ("0", {"batch-kv-as-one", "weights-still-fp16", "weights-other-precision"}, "By which cache did you divide"),
        ("7", {"gpu-is-80-gib", "weights-omitted", "mixed-gb-gib"}, "How large are the card and the weights"),
    ],
)
def test_a_small_count_that_many_slips_share_names_them_all(typed: str, slips: set[str], asked: str) -> None:
    verdict = check_part("core/L4.3/extra", typed)
    assert (set(verdict.slips), verdict.ambiguous) == (slips, True)
    assert asked in message("core/L4.3/extra", verdict, "en")
    assert {choice.slip for choice in choices("core/L4.3/extra", verdict, "en")} == slips | {""}


@pytest.mark.parametrize("number", [4, 6, 7, 12])
@pytest.mark.parametrize(("part", "typed"), [("weights", 1), ("total", 1), ("headroom", -1)])
def test_weights_left_in_fp16_are_named_for_eight_bits_too(number: int, part: str, typed: int) -> None:
    from content import course
    from engine.answers.numeric import right_value

    _, asked = course.part(f"core/L4.2@{number}/{part}")
    assert asked.given["p_w"] == 1
    right = right_value(Expectation("number", asked.formula, asked.given, unit="GB"))
    verdict = check_part(asked.id, f"{right + typed * asked.given['N']} bytes")
    assert verdict.slips[:3] == ("weights-still-fp16", "weights-fp32-base", "weights-twice")


def test_among_several_precisions_fp16_is_only_another_one() -> None:
    assert check_part("core/L2.3/int8", "26").slips == ("weights-fp32-base", "weights-twice", "weights-other-precision")


def test_the_request_of_the_earlier_exercise_is_said_of_a_count_too() -> None:
    verdict = check_part("core/L4.3@1/extra", "20")
    assert verdict.slips == ("carry-request",)
    assert message("core/L4.3@1/extra", verdict, "en").startswith("Exactly double. This comes from the request")


def test_a_turned_sign_is_said_of_any_part() -> None:
    for part, typed in (("core/L3.2/int8_step", "-0.00588"), ("core/L4.2/headroom", "-19.813 GB")):
        verdict = check_part(part, typed)
        assert verdict.slips == ("sign-flipped",)
        assert "headroom" not in message(part, verdict, "en")
