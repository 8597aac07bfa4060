"""Words around answers: yes and no, symbols, fractions, and what a short or round number says of slips."""

from fractions import Fraction

import pytest

from content import course
from content.checking import check_part, expectation
from content.lang import Lang
from content.verdicts import message
from engine.answers.check import check
from engine.answers.model import Expectation, Option
from engine.answers.numeric import broken_values
from engine.answers.slips import broken
from engine.answers.yesno import yes_or_no
from engine.reader.lost import is_lost
from engine.reader.words import SMALL, key

LANGUAGES: tuple[Lang, ...] = ("en", "hi-Latn")

UNCLEAR = """
pata nahi|mujhe nahi pata|I don't know|kyun nahi|koi dikkat nahi|no problem|haan ya nahi|koi shak nahi|nahi nahi haan
yes and no|maybe
shayad|ho sakta hai|idk|hello|haan, fit nahi hota|no, it fits|haan nahi|kya fit hota hai|not sure|can't say
nahi, fit hota hai
yes but not safe|haan lekin nahi|haan, jagah nahi hai|no no yes|nahi fit nahi hota shayad|42||?|yes, no
"""
YES = """
haan, koi dikkat nahi|kyun nahi, haan|haan|haa|haaan|haanji|jee haan|yes|YES!|y|yep|fits|fit hota hai|aa jaata hai
safe hai|chalega
हाँ|जी हाँ|yes it fits in 80 GB|sahi|true|bilkul|OOM nahi hoga|yes, because 79 < 80|galat nahi hai|of course
won't OOM|yes, 0.31 GB left
"""
NO = """
nahi|nhi|nahin|nope|nah|no|N|No.|nahi aata|OOM|overflow|fit nahi hota|doesn't fit|it does not fit|not safe|unsafe
won't fit|नहीं
nahi nahi|bilkul nahi|no, because the margin is too small|nahi, kyunki headroom kam hai|false|not true|sahi nahi
nahi, safe nahi hai
absolutely not|never|nahi, jagah nahi bachti|नहीं, फिट नहीं होता
"""


def pieces(text: str) -> list[str]:
    return [piece for line in text.strip("\n").split("\n") for piece in line.split("|")]


@pytest.mark.parametrize(("texts", "answer"), [(UNCLEAR, None), (YES, "yes"), (NO, "no")])
def test_yes_and_no_are_whole_phrases(texts: str, answer: str | None) -> None:
    assert [text for text in pieces(texts) if yes_or_no(text) != answer] == []


def test_a_negation_alone_is_an_answer_and_no_cry_for_help() -> None:
    assert not any(is_lost(text) for text in ("nahi", "no", "haan", "nahi hai", "37 pata nahi", "weights", ""))


@pytest.mark.parametrize(
    "part", ["core/L2.1/kv", "core/L1.2/formula", "core/L1.3/int4", "core/L4.1/fits", "core/L1.1/a"]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_is_lost_is_offered_a_hint(part: str, lang: Lang) -> None:
    verdict = check_part(part, "mujhe nahi pata")
    assert (verdict.verdict, verdict.reason) == ("invalid", "lost")
    assert "hint" in message(part, verdict, lang).lower()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_word_shows_the_word_and_what_may_be_meant(lang: Lang) -> None:
    for part, typed, shown in (
        ("core/L3.1/worst_case", "block size - 1", "block size"),
        ("core/L2.2/batch", "37 reqests", "requests"),
        ("core/L1.1/a", "prefil compute", "prefill compute"),
        ("core/L2.1/kv", "chauthai", "chauthai"),
        ("core/L2.1/kv", "107.4 crore", "bytes"),
        ("core/L5.1a/lever", "C ya D", "C / D."),
    ):
        verdict = check_part(part, typed)
        assert verdict.verdict == "invalid"
        assert shown in message(part, verdict, lang), typed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_ends_in_an_empty_list_of_options(lang: Lang) -> None:
    for part in ("core/L4.1/fits", "core/L1.3/int4", "core/L1.1/a", "core/L3.3/chain", "core/L3.3/explain"):
        for typed in ("!!!", "???", "हम्म", "xyz"):
            assert ": ." not in message(part, check_part(part, typed), lang)


def test_a_direction_is_taken_only_where_the_formula_has_it() -> None:
    free = Expectation("factor", value=Fraction(17), unit="x")
    assert check(free, "17x wider").verdict == "invalid"
    assert check(free, "17x").verdict == "correct"


def test_a_count_is_a_slip_only_to_the_very_number() -> None:
    part = "core/L5.1a/sessions_paged"
    expect = expectation(*course.part(part))
    wrong = {b.slip: b.value for b in broken_values(expect) if b.value.denominator == 1 and b.value > 1000}
    assert wrong
    for slip, value in wrong.items():
        assert slip in check_part(part, str(value)).slips
        near = check_part(part, f"{round(value / 100)} sau")
        assert slip not in near.slips or near.read is None or near.read.value == value


def test_one_digit_names_no_slip_from_afar() -> None:
    assert check_part("core/L2.1/kv", "das crore bytes").slips == ()  # 0.1 GB is not 0.134 GB
    assert check_part("core/L2.1/kv", "0.134 GB").slips[:1] == ("kv-bits-as-bytes",)


@pytest.mark.parametrize(("part", "one", "other"), [
    ("core/L4.1/margin", "310 MB", "0.31 GB"), ("core/L4.2/total", "60200 MB", "60.2 GB"),
    ("core/L4.1/total", "80000 MB", "80 GB"), ("core/L2.1/kv", "1070 MB", "1.07 GB"),
])  # fmt: skip
def test_zeros_at_the_end_of_a_whole_number_are_no_digits(part: str, one: str, other: str) -> None:
    first, second = check_part(part, one), check_part(part, other)
    assert (first.verdict, first.reason) == (second.verdict, second.reason)


@pytest.mark.parametrize(("part", "typed"), [("core/L4.1/total", "80 GB"), ("core/L4.2/total", "60 GB")])
def test_round_numbers_are_asked_for_more_digits(part: str, typed: str) -> None:
    assert check_part(part, typed).reason == "more-digits"


def test_all_carried_values_are_no_idea_of_their_own_where_one_differs() -> None:
    given = {"B": 1, "S": 4096, "L": 32, "n_kv_heads": 32, "d_head": 128, "p": 2}
    carry = {"S": (Fraction(2048), "carry-s"), "L": (Fraction(32), "carry-l")}
    assert "carry-all" not in {b.slip for b in broken("kv_cache", given, carry, "carry-all")}
    carry["L"] = (Fraction(40), "carry-l")
    assert "carry-all" in {b.slip for b in broken("kv_cache", given, carry, "carry-all")}


def test_every_number_below_a_hundred_reads_in_devanagari() -> None:
    from engine.reader import devanagari

    numbers = devanagari._NUMBERS.split()
    assert len(numbers) == 100
    assert [SMALL[key(word)] for word in numbers] == list(range(100))


def test_an_option_keeps_its_name_with_a_negation_in_it() -> None:
    options = (Option("none", "A", ("koi nahi", "not any")), Option("kv", "B", ("KV cache",)))
    expect = Expectation("choice", options=(options,), answers=(("none",),))
    assert check(expect, "koi nahi").verdict == "correct"
    assert check(expect, "KV cache nahi").reason == "negated"


@pytest.mark.parametrize("part", ["core/L4.3/extra", "core/L2.2/batch", "core/L3.1/worst_case", "core/L3.1/mean_slack"])
@pytest.mark.parametrize("typed", ["max", "maximum", "max?", "average", "most"])
def test_words_of_the_question_alone_are_no_answer(part: str, typed: str) -> None:
    assert check_part(part, typed).verdict == "invalid"
