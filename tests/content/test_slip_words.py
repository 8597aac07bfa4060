"""Words about slips: every slip of the catalogue has them, every collision its question, every choice its sentence."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from content import checking, course, words
from content.checking import check_part, expectation
from content.files import shipped
from content.lang import LANGS, Lang
from content.schema import COMPUTED
from content.slips import splitting_question
from content.verdicts import message
from content.verdicts_wrong import Choice, choices, settled
from engine.answers.check import check
from engine.answers.model import Expectation, Verdict
from engine.answers.numeric import broken_values, right_value
from engine.formulas.registry import Value

F = Fraction
CATALOGUE = Path(__file__).parents[1] / "engine" / "data" / "catalogue.json"
SLIPS = json.loads(CATALOGUE.read_text(encoding="utf-8"))["slips"]
SEVEN: dict[str, Value] = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "n_head": 32, "p": 2}


def test_the_catalogue_is_whole() -> None:
    assert len(SLIPS) == len(set(SLIPS)) == 129


@pytest.mark.parametrize("slip", SLIPS)
def test_every_slip_of_the_catalogue_has_words_in_both_languages(slip: str) -> None:
    for piece in ("name", "maybe", "text"):
        said = words.text(f"slips.{slip}.{piece}")
        assert all(said[lang].strip() for lang in LANGS)
    told = words.text(f"slips.{slip}.text")
    assert told.en != told.hi
    assert all(told[lang][-1] in ".?" for lang in LANGS)


def collisions() -> Iterator[tuple[str, ...]]:
    """Every set of slips that a wrong value of a shipped part names."""
    for track in course.index().tracks:
        for entry in track.exercises:
            for part_id in (*entry.parts, *entry.followups):
                exercise, part = course.part(part_id)
                if part.kind not in COMPUTED:
                    continue
                by_value: dict[Fraction, list[tuple[int, str]]] = {}
                for b in broken_values(expectation(exercise, part)):
                    by_value.setdefault(b.value, []).append((b.rank, b.slip))
                for rows in by_value.values():
                    lowest = min(rank for rank, _ in rows)
                    named = dict.fromkeys(
                        slip for rank, slip in sorted(rows, key=lambda r: r[0]) if rank <= max(lowest, 1)
                    )
                    if len(named) > 1:
                        yield tuple(named)


COLLISIONS = sorted(set(collisions()))


def test_the_course_has_collisions() -> None:
    assert len(COLLISIONS) > 20


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("slips", COLLISIONS, ids=" ".join)
def test_every_collision_has_a_question_of_its_own(slips: tuple[str, ...], lang: Lang) -> None:
    general = words.say("verdicts.ask-which", lang)
    assert splitting_question(slips, lang) != general
    for pair in combinations(slips[:3], 2):
        assert splitting_question(pair, lang) != general


def test_every_slip_that_is_a_value_has_a_question_of_its_own() -> None:
    table = shipped("words/slips.toml")
    values = {slip for slip, entry in table.items() if isinstance(entry, dict) and entry["kind"] == "value"}
    probes = shipped("words/questions.toml")["probe"]
    assert {slip for row in probes for slip in row["slips"]} >= values
    for row in probes:
        assert set(row["slips"]) <= set(table)
        assert all(row["ask"][lang].endswith("?") for lang in LANGS)


@pytest.mark.parametrize("slips", COLLISIONS, ids=" ".join)
def test_slips_that_share_a_value_can_be_owned_up_to(slips: tuple[str, ...]) -> None:
    for slip in slips[:3]:
        mine = (
            words.text(f"slips.{slip}.mine") if words.has(f"slips.{slip}.mine") else words.text(f"slips.{slip}.maybe")
        )
        assert all(0 < len(mine[lang]) <= 70 and not mine[lang].endswith(".") for lang in LANGS), slip


# --- choices --------------------------------------------------------------------------------------------------------


def test_the_question_can_be_answered() -> None:
    verdict = check_part("core/L4.1/per_request", "1.678")
    assert choices("core/L4.1/per_request", verdict, "en") == (
        Choice("a", "kv-drop-two", "I left out the 2 for K and V"),
        Choice("b", "kv-p-one", "I took 1 byte for each number"),
        Choice("c", "carry-s-2048", "I took S = 2048 from the earlier exercise"),
        Choice("d", "", "Something else"),
    )
    assert [c.text for c in choices("core/L2.1/kv", check_part("core/L2.1/kv", "0.537"), "hi-Latn")] == [
        "K aur V wala 2 lagana reh gaya",
        "Har number ka 1 byte liya",
        "Kuch aur",
    ]


@pytest.mark.parametrize(
    ("part", "typed"),
    [("core/L2.1/kv", "1.07"), ("core/L2.1/kv", "1"), ("core/L2.1/kv", "77"), ("core/L4.1/total", "29.36"),
     ("core/L1.1/a", "decode memory"), ("core/L4.1/fits", "no")],
)  # fmt: skip
def test_where_nothing_is_asked_there_is_nothing_to_choose(part: str, typed: str) -> None:
    assert choices(part, check_part(part, typed), "en") == ()


def test_of_two_slips_at_once_only_the_open_one_is_asked() -> None:
    verdict = check_part("core/L2.1/kv", "0.500 GB")
    assert [c.slip for c in choices("core/L2.1/kv", verdict, "en")] == ["kv-drop-two", "kv-p-one", ""]
    both = settled("core/L2.1/kv", verdict, "kv-p-one", "en")
    assert both == "It looks like 2 slips at once: 2^30 bytes were taken for a GB, and each number was taken as 1 byte."


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_only_the_likeliest_can_be_denied(lang: Lang) -> None:
    verdict = check_part("core/L4.1/per_request", "1.678", {"core/L2.1/kv": F("1.07e9")})
    assert [c.slip for c in choices("core/L4.1/per_request", verdict, lang)] == [
        "carry-s-2048",
        "kv-drop-two",
        "kv-p-one",
        "",
    ]
    said = message("core/L4.1/per_request", verdict, lang)
    assert words.say("slips.carry-s-2048.maybe", lang, **{"carry.S": "2048"}) in said
    assert words.say("verdicts.ask-which", lang) not in said


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_picked_is_explained(lang: Lang) -> None:
    part = "core/L4.1/per_request"
    verdict = check_part(part, "1.678")
    picked = settled(part, verdict, "carry-s-2048", lang)
    assert "2048" in picked and "4096" in picked
    assert settled(part, verdict, "kv-drop-two", lang) == words.text("slips.kv-drop-two.text")[lang]
    assert settled(part, verdict, "", lang) == words.text("verdicts.settled-other")[lang]


# --- sentences ------------------------------------------------------------------------------------------------------


def said(part: str, typed: str, lang: Lang = "en", **earlier: str) -> str:
    values = {f"core/{name.replace('__', '/').replace('_', '.', 1)}": F(value) for name, value in earlier.items()}
    return message(part, check_part(part, typed, values), lang)


def test_a_slip_seen_elsewhere_is_said_to_stand_there() -> None:
    assert said("core/L2.3/shrink", "2", L2_3__int4="13e9").startswith("The same slip stands in L2.3 (INT4). ")
    assert said("core/L2.3/shrink", "2", "hi-Latn", L2_3__int4="13e9").startswith("Yahi chook L2.3 (INT4) mein bhi hai")
    open_still = said("core/L4.1/per_request", "1.678", L2_1__kv="536870912")
    assert open_still.startswith("Your answer to L2.1 (KV cache) shows the same. Either ")
    assert open_still.endswith("How many bytes did you give one number?")


@pytest.mark.parametrize("part", ["core/L2.2/batch", "core/L5.1a/sessions_naive", "core/L2.1/kv"])
def test_a_zero_proves_no_slip(part: str) -> None:
    assert check_part(part, "0").slips == ()
    assert "many slips can end in zero" in said(part, "0") and "0 tak kai chookein" in said(part, "0", "hi-Latn")


def test_a_zero_that_somebody_may_have_counted_is_put_as_no_more_than_that() -> None:
    assert said("core/L4.3/extra", "0").startswith("It may be that ")
    assert said("core/L3.1/wasted", "0", "hi-Latn").startswith("Ho sakta hai ki ")
    assert said("core/L3.1/wasted", "60 - 60").startswith("It may be that ")


def test_a_calculation_that_ends_in_zero_is_not_asked_for_again() -> None:
    assert "whole calculation" not in said("core/L2.2/batch", "40 - 40")


def test_a_zero_whose_working_shows_the_slip_names_it() -> None:
    working = "floor(40e9/(2*2048^2*32*4096*2))"
    assert check_part("core/L2.2/batch", working).slips == ("kv-quadratic-s",)


def test_another_method_is_called_by_its_name() -> None:
    assert said("core/L3.2/awq", "make_up").startswith("That is GPTQ")
    assert said("core/L3.2/awq", "move", "hi-Latn").startswith("Yeh SmoothQuant hai")


def test_steps_in_place_are_counted_as_people_count_them() -> None:
    part = course.part("core/L3.3/chain")[1]
    letter = {step.id: step.letter for step in checking.shuffled_steps(part)}
    order = [letter[step.id] for step in part.steps]
    for right, told in ((1, "Pehla step sahi jagah"), (3, "Shuru ke 3 steps sahi jagah")):
        assert told in said("core/L3.3/chain", " ".join([*order[:right], *reversed(order[right:])]), "hi-Latn")


def test_two_slips_at_once_are_both_told() -> None:
    both = said("core/L4.2/headroom", "50.64")
    assert "the whole batch was counted as one request" in both and "the weights were left in FP16" in both
    assert said("core/L2.1/kv", "2048*32*4096 bytes").startswith("Your working shows 2 slips at once: ")


def test_follow_through_names_the_place_of_the_own_value() -> None:
    assert "(L4.2 (headroom))" in said("core/L4.3/extra", "13", L4_2__headroom="46.66e9")
    assert "(total)" in said("core/L4.2/headroom", "19.4", L4_2__total="60.6e9")
    assert "rounded" in said("core/L4.1/margin", "0.24", L4_1__total="79.76e9")
    more = said("core/L4.2/headroom", "17.34", L4_2__total="68.56e9")
    assert more.startswith("Counted from your own total in L4.2, there is one more thing here. ")


ASKED = {"en": "One thing to ask yourself:", "hi-Latn": "Ek baat khud se poochho:"}


@pytest.mark.parametrize(
    ("part", "typed", "asks"),
    [
        ("core/L2.2/batch", "37", "How did you get from the fraction to the whole number?"),
        ("core/L3.1/wasted", "8", "How many blocks did you count?"),
        ("core/L3.1/paged_waste", "6.25", "Which 2 numbers did you divide?"),
        ("core/L3.2/ratio", "17", "Which range and how many steps did you use for each scale?"),
        ("core/L4.3/extra", "5", "Which headroom did you divide, and where does it come from?"),
        ("core/L4.1/total", "79.76", "Did you round any value on the way?"),
    ],
)
def test_a_right_number_that_a_slip_gives_too_is_asked_about(part: str, typed: str, asks: str) -> None:
    verdict = check_part(part, typed)
    assert (verdict.verdict, verdict.slips, verdict.ambiguous) == ("correct", (), False)
    text = message(part, verdict, "en")
    assert text.startswith("Right: ") and text.endswith(f". {ASKED['en']} {asks}")
    assert f". {ASKED['hi-Latn']} " in message(part, verdict, "hi-Latn")


@pytest.mark.parametrize(
    ("part", "typed", "earlier"),
    [
        ("core/L2.2/batch", "floor(37.25)", {}),  # the working is there to see
        ("core/L3.1/wasted", "8*16 - 120", {}),
        ("core/L3.1/wasted", "8", {"L3_1__blocks": "8"}),  # and here the blocks were right
        ("core/L3.2/ratio", "17", {"L3_2__int4_step": "0.1"}),
        ("core/L4.3/extra", "5", {"L4_2__headroom": "19.81e9"}),
        ("core/L4.1/total", "79.69", {}),  # not the number that rounding gives
        ("core/L2.1/kv", "1.07", {}),
    ],
)
def test_nothing_is_asked_where_the_answer_is_plain(part: str, typed: str, earlier: dict[str, str]) -> None:
    text = said(part, typed, **earlier)
    assert text.startswith("Right: ") and ASKED["en"] not in text


@pytest.mark.parametrize(
    ("part", "typed", "shows"),
    [
        ("core/L3.2/ratio", "17.00680272", "17.00680272x"),  # as typed
        ("core/L3.2/ratio", "0.1/0.00588", "17.01x"),  # worked out
        ("core/L3.2/ratio", "17x", "17x"),
        ("core/L3.2/int8_step", "1.5/255", "0.005882"),
        ("core/L3.2/int8_step", "0.00588235294", "0.00588235294"),
        ("core/L3.2/int8_step", "5.88235294e-3", "0.00588235294"),
        ("core/L2.1/kv", "2*2048*32*4096*2/10^9 GB", "1.074 GB"),
        ("core/L2.1/kv", "2*2048*32*4096*2", "1,073,741,824 bytes"),  # a count keeps every digit
        ("core/L2.1/kv", "1.07374182468 GB", "1.073741825 GB"),
        ("core/L2.1/kv", "१.०७३७४ GB", "1.07374 GB"),
    ],
)
def test_a_value_shows_the_digits_typed_and_no_more_than_four_of_one_worked_out(
    part: str, typed: str, shows: str
) -> None:
    for lang in LANGS:
        assert f" {shows}" in said(part, typed, lang)
        assert said(part, typed, lang).count(shows.split()[0]) == 1


def test_a_near_miss_is_called_that_once() -> None:
    for lang in LANGS:
        lead = words.say("verdicts.lead-near", lang)
        text = said("core/L3.1/worst_case", "16", lang)
        assert text == f"{lead} {words.text('slips.worst-is-block.text')[lang]}"
        assert text.count(lead.split()[0]) == 1


@pytest.mark.parametrize("lang", LANGS)
def test_a_free_question_gets_sentences_without_the_course(lang: Lang) -> None:
    expect = Expectation("number", "kv_cache", SEVEN, unit="GB", carry={"S": (F(1000), "carry-s-2048")})
    named = message(None, check(expect, "34.36 GB"), lang)
    assert named == words.text("slips.kv-extra-heads.text")[lang]
    carried = message(None, check(expect, "0.524 GB"), lang)
    assert "{" not in carried
    assert carried[0].isupper() and carried.endswith(".")
    either = message(None, check(expect, "0.537 GB"), lang)
    assert either.endswith("?") and "{" not in either
    for note in ("seen-in-sibling", "follow-through-slip", "together"):
        verdict = check(expect, "0.537 GB")._replace(notes=(note,))
        assert "{" not in message(None, verdict, lang)
    assert choices(None, check(expect, "0.537 GB"), lang)[0].slip == "kv-drop-two"
    assert message(None, Verdict("correct", notes=("follow-through",)), lang)


def test_the_right_value_is_never_told() -> None:
    for part, typed in (("core/L4.1/per_request", "1.678"), ("core/L4.2/headroom", "50.64"), ("core/L4.3/extra", "6")):
        exercise, found = course.part(part)
        right = right_value(expectation(exercise, found))
        for lang in LANGS:
            for other in ({}, {"core/L2.1/kv": F("1.07e9"), "core/L2.2/batch": F(38)}):
                text = message(part, check_part(part, typed, other), lang)
                assert f" {float(right):.4g} " not in text and f" {float(right) / 1e9:.4g} " not in text
