"""Words of revision: clauses of a grade, counts in the right number, slips named as slips."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from content.files import shipped
from content.lang import LANGS, Lang
from content.quiz import questions
from content.quiz.items import catalogue
from content.words import counted, say, text

REASONS = tuple(shipped("words/quiz.toml")["reason"])
FILES = {"quiz": (), "app": ("quiz", "progress"), "cli": ("quiz", "progress")}


def said() -> Iterator[tuple[str, Lang, str]]:
    """Every text about a quiz or progress, by its key and language."""

    def inside(key: str, entry: object) -> Iterator[tuple[str, Lang, str]]:
        if isinstance(entry, dict):
            for lang in LANGS:
                if isinstance(entry.get(lang), str):
                    yield key, lang, entry[lang]
            for name, inner in entry.items():
                yield from inside(f"{key}.{name}", inner)

    for file, sections in FILES.items():
        table = shipped(f"words/{file}.toml")
        for name in sections or table:
            yield from inside(f"{file}.{name}", table[name])


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_stands_by_itself(reason: str) -> None:
    """Reasons are joined by commas in any company, so none of them leans on what is before it."""
    for lang in LANGS:
        clause = say(f"quiz.reason.{reason}", lang)
        assert clause.split()[0] not in ("but", "and", "lekin", "aur", "magar") and clause[-1] not in ".,;"


def test_what_was_wrong_at_first_stays_true_after_a_second_try() -> None:
    assert "first answer" in say("quiz.reason.wrong", "en") and "pehla jawab" in say("quiz.reason.wrong", "hi-Latn")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("noun", "en", "hi"), [("days", "day", "din"), ("questions", "question", "sawaal"),
                                               ("minutes", "minute", "minute")])  # fmt: skip
def test_one_is_singular(noun: str, en: str, hi: str, lang: Lang) -> None:
    word = en if lang == "en" else hi
    assert counted(noun, 1, lang) == f"1 {word}"
    assert counted(noun, 2, lang) == (f"2 {en}s" if lang == "en" else f"2 {hi}")


def test_a_number_that_may_be_one_stands_before_no_plural() -> None:
    """ "1 of 14 questions" is right, "1 days" is not: what can be one is counted by its noun, or stands behind it."""
    may_be_one = re.compile(
        r"(?<! of )\{(?:stability|answered|items|questions|minutes)\} (?:days|questions|minutes|parts)"
    )
    assert [(key, text) for key, lang, text in said() if lang == "en" and may_be_one.search(text)] == []
    verb = re.compile(r"\{\w+\} (?:sawaal|parts) (?:poochhe gaye|solve hue)")
    assert [(key, text) for key, lang, text in said() if lang == "hi-Latn" and verb.search(text)] == []


def test_slips_are_named_as_slips_in_lists() -> None:
    item = catalogue()["core/slip/gib-for-gb"]
    assert questions.name(item, "en") == "slip: GiB for GB"
    assert questions.name(item, "hi-Latn") == "chook: GB ki jagah GiB"
    slips = [one for one in catalogue().values() if one.kind == "slip"]
    for lang in LANGS:
        assert len({questions.name(one, lang) for one in slips}) == len(slips)
        assert say("quiz.sheet.perhaps", lang, slips="a; b").endswith(": a; b")


def test_the_name_of_a_slip_is_no_sentence() -> None:
    """A list names it and counts it: "GB ki jagah GiB: 3"."""
    for slip, entry in shipped("words/slips.toml").items():
        if isinstance(entry, dict):
            name = text(f"slips.{slip}.name").hi
            assert not re.search(r" (?:hai|hain|gaya|gaye|gayi|hua|hue|hui|rahe)$", name), name
