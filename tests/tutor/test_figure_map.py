"""The prerequisite map: what it says of each idea, what a wide window adds, what gives way in a short one."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import course, glossary
from content.lang import LANGS, Lang
from engine.formulas import registry
from tutor.figures import course_map
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.prerequisites import NODES, children, leads_to, needs, way
from tutor.figures.registry import get
from tutor.figures.state import State, put

FIGURE = get("map")
IDS = [node.id for node in NODES]
TREE = """\
▌· token                             C0
 · └ vector, d_model                 C0
 ·   └ query, key, value             C0
 ·     ├ heads                       C0
 ·     └ KV cache                    C0
 ·       ├ KV formula                C2
 ·       ├ PagedAttention            C3
                               ↓ 10 more
"token" needs nothing before it; it
leads to "vector, d_model". You have not
opened its lesson C0 yet."""


def drawn(state: State, width: int, height: int, lang: Lang = "en") -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(state, width, height, lang).plain.split("\n")]


def at(id: str, **more: object) -> State:
    return FIGURE.defaults({"at": id, **more})


def test_a_small_map_as_a_frame() -> None:
    assert drawn(at("token"), 40, 11) == TREE.split("\n")


def test_the_sentence_says_what_an_idea_needs_and_what_needs_it() -> None:
    pen = Pen(80, 24, "en")
    assert course_map.notice(at("kv-cache"), pen).startswith(
        '"KV cache" needs "query, key, value"; it leads to "KV formula", "PagedAttention" and "fit a card".'
    )
    assert '"pick a lever" needs "fit a card", "prefill, decode" and "continuous batching"' in (
        course_map.notice(at("choice"), pen)
    )
    assert "here the map ends" in course_map.notice(at("serving"), pen)
    assert "needs nothing" in course_map.notice(at("batching"), pen)


@pytest.mark.parametrize("lang", LANGS)
def test_every_idea_has_a_sentence_of_its_own(lang: Lang) -> None:
    pen = Pen(80, 24, lang)
    assert len({course_map.notice(at(id), pen) for id in IDS}) == len(IDS)


@pytest.mark.parametrize(
    ("value", "level", "words"),
    [
        (0, "new", "not opened"),
        ("new", "new", "not opened"),
        ("nonsense", "new", "not opened"),
        (0.4, "started", "begun"),
        ("started", "started", "begun"),
        (1, "mastered", "have read"),
        ("mastered", "mastered", "have read"),
    ],
)
def test_how_far_the_reader_is(value: object, level: str, words: str) -> None:
    state = at("paging", mastery={"core/C3": value})
    assert course_map.mastery(state, "core/C3") == level
    assert words in course_map.notice(state, Pen(80, 24, "en"))


@pytest.mark.parametrize("lang", LANGS)
def test_a_wide_window_says_what_the_chosen_idea_is(lang: Lang) -> None:
    known = {term.id: term for term in glossary.terms()}
    titles = {entry.id: entry.title[lang] for track in course.index().tracks for entry in track.lessons}
    for node in NODES:
        text = " ".join(" ".join(line[course_map.TREE :].split()) for line in drawn(at(node.id), 140, 40, lang))
        text = " ".join(text.split())
        assert all(known[term].text[lang] in text for term in node.terms), (node.id, text)
        assert titles[node.lesson] in text


def test_what_is_beside_the_tree_exists() -> None:
    for node in NODES:
        assert node.terms
        assert not node.formula or registry.is_formula(node.formula)


def test_the_share_that_was_read_as_a_bar_and_as_a_number() -> None:
    text = "\n".join(drawn(at("fit", mastery={"core/C5": Fraction(1, 3)}), 110, 40))
    assert "███████·············  begun, 33 %" in text
    assert "█" * 20 + "  read" in "\n".join(drawn(at("fit", mastery={"core/C5": 1}), 110, 40))
    assert "·" * 20 + "  new" in "\n".join(drawn(at("fit"), 110, 40))


def test_the_formula_and_the_way_to_an_idea() -> None:
    text = "\n".join(drawn(at("paging"), 120, 40))
    assert "⌈used / bs⌉" in text
    assert "token → vector, d_model → query, key, value → KV cache → PagedAttention" in text
    assert "ceil(used/bs)" in FIGURE.draw(at("paging"), 120, 40, "en", ascii=True).plain


@given(st.sampled_from(IDS), st.sets(st.sampled_from(IDS)), st.integers(34, 140), st.integers(8, 44), st.booleans())
def test_the_chosen_idea_is_always_in_sight(id: str, folded: set[str], width: int, height: int, ascii: bool) -> None:
    state = at(id, folded=tuple(sorted(folded)))
    lines = FIGURE.draw(state, width, height, "hi-Latn", ascii=ascii).plain.split("\n")
    assert len(lines) <= height and max(map(len, lines)) <= width
    assert sum(line.startswith(">" if ascii else "▌") for line in lines) == 1


def test_the_sentence_stays_when_the_tree_has_to_scroll() -> None:
    for height in range(10, 24):
        lines = drawn(at("heads"), 80, height)
        assert any('"heads" needs' in line for line in lines), height
        assert sum(line[-2:] in {f"C{n}" for n in range(7)} for line in lines) >= course_map.LEAST


@pytest.mark.parametrize(("width", "lang"), product((60, 120), LANGS))
def test_what_it_is_can_be_read_aloud(width: int, lang: Lang) -> None:
    lines = plain("map", {"at": "paging"}, width, lang).split("\n")
    places = [n for n, line in enumerate(lines) if line.startswith((" ", *(pen_name(node.id, lang) for node in NODES)))]
    assert len(places) >= len(NODES)
    assert lines[-1] == course_map.notice(at("paging"), Pen(width, 1000, lang))


def pen_name(id: str, lang: Lang) -> str:
    return Pen(80, 24, lang).say(f"map.{id}")


def test_ways_and_branches_agree() -> None:
    for place in range(len(NODES)):
        assert all(place in needs(below) for below in leads_to(place))
        assert all(place in leads_to(above) for above in needs(place))
        assert way(place)[:-1][-1:] == needs(place)[: len(way(place)) - 1][:1]
        assert all(place in way(below) for below in children(place))


def before(place: int) -> set[int]:
    """Everything that an idea needs, directly or by what it needs."""
    return {one for above in needs(place) for one in (above, *before(above))}


def test_the_map_agrees_with_what_the_lessons_need() -> None:
    """No idea needs one of a later lesson, and what a lesson needs is on the way to the last of its ideas."""
    entries = {entry.id: entry for track in course.index().tracks for entry in track.lessons}

    def needed(lesson: str) -> set[str]:
        direct = {one if "/" in one else f"core/{one}" for one in entries[lesson].needs}
        return direct.union(*(needed(one) for one in direct)) if direct else set()

    for place, node in enumerate(NODES):
        reached = {NODES[one].lesson for one in before(place)}
        assert place not in before(place)
        assert reached <= {node.lesson, *needed(node.lesson)}, (node.id, reached)
    end = IDS.index("serving")
    assert before(end) == set(range(len(NODES))) - {end}, "everything leads to it"


def test_what_is_not_drawn_is_counted() -> None:
    for width, height, id in product((34, 60, 80), range(8, 24), ("token", "fit", "continuous-batching")):
        lines = drawn(at(id), width, height)
        rows = sum(line[1:2] in ("·", "▄", "█") and line[-2] == "C" for line in lines)
        counted = sum(map(int, re.findall(r"[↑↓] (\d+) more", "\n".join(lines))))
        assert rows + counted == len(NODES), (width, height, id, lines)


def test_folding_and_unfolding_come_back() -> None:
    for id in IDS:
        state = at(id)
        if children(IDS.index(id)):
            assert FIGURE.press(FIGURE.press(state, "left"), "right") == state


def test_an_exercise_can_hide_the_sentence() -> None:
    assert '"token" needs' not in "\n".join(drawn(put(at("token"), hide=("note",)), 80, 24))
