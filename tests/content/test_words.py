"""Words: every key that the code says exists, with every value that its sentence asks for; every id has words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from content import course, words
from content.files import ROOT, shipped
from content.lang import LANGS
from engine.answers.breaks import BREAKS
from engine.formulas.symbols import SYMBOLS

HOUSE = Path(ROOT).parent
SAYING = frozenset(("say", "tell", "refuse", "Refusal"))
"""Functions and methods whose first argument is a key; some put the name of their own file of words before it."""
PREFIXES = ("", "app.", "app.diagnose.", "app.probe.", "cli.", "figures.", "probe.")
NOUNS = "requests tokens layers blocks slots bytes bits heads cards users numbers codes steps levels sessions weights"


def leaves(table: Any, path: str) -> Iterator[str]:
    """The keys under a table of words that have a text."""
    if isinstance(table, dict):
        if isinstance(table.get("en"), str):
            yield path
        for name, value in table.items():
            yield from leaves(value, f"{path}.{name}")


KEYS = frozenset(
    key for file in Path(ROOT).glob("words/*.toml") for key in leaves(shipped(f"words/{file.name}"), file.stem)
)


class Said(NamedTuple):
    """One place in the code that says something: a pattern for the key, and the names of the values given."""

    place: str
    by: str
    key: str
    literal: bool
    values: frozenset[str] | None


def keys_of(argument: ast.expr) -> Iterator[tuple[str, bool]]:
    """The keys that an argument can be: literal, or a pattern where it is put together."""
    match argument:
        case ast.Constant(str(text)):
            yield re.escape(text), True
        case ast.JoinedStr(parts):
            yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[\w.-]+" for p in parts), False
        case ast.IfExp(_, one, other):
            yield from keys_of(one)
            yield from keys_of(other)


def said() -> Iterator[Said]:
    for file in sorted((*HOUSE.glob("tutor/**/*.py"), *HOUSE.glob("content/**/*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in SAYING:
                values = (
                    None if any(k.arg is None for k in node.keywords) else frozenset(k.arg or "" for k in node.keywords)
                )
                place = f"{file.relative_to(HOUSE)}:{node.lineno}"
                yield from (Said(place, name, key, literal, values) for key, literal in keys_of(node.args[0]))


def found(one: Said) -> list[str]:
    return _found(one.key, one.literal)


@cache
def _found(key: str, literal: bool) -> list[str]:
    if literal:
        plain = re.sub(r"\\(.)", r"\1", key)
        return [prefix + plain for prefix in PREFIXES if prefix + plain in KEYS]
    pattern = re.compile(f"(?:{'|'.join(map(re.escape, PREFIXES))}){key}")
    return [known for known in KEYS if pattern.fullmatch(known)]


@cache
def sayings() -> tuple[Said, ...]:
    """All of them whose key is one of ours; read once, and only where they are looked at."""
    return tuple(one for one in said() if re.fullmatch(r"[\w.\\+\[\]-]+", one.key) and r"\." in one.key)


def test_the_code_says_many_things() -> None:
    assert len(sayings()) > 100


def test_every_key_that_the_code_says_exists() -> None:
    assert [(one.place, one.key) for one in sayings() if not found(one)] == []


def test_every_sentence_gets_the_values_that_it_asks_for() -> None:
    lacking = []
    for one in sayings():
        keys = found(one)
        if one.by in ("say", "tell") and one.literal and one.values is not None and len(keys) == 1:
            asked = set(words.placeholders(words.text(keys[0])["en"]))
            if not asked <= one.values:
                lacking.append((one.place, keys[0], sorted(asked - one.values)))
    assert lacking == []


def test_every_text_is_there_in_both_languages() -> None:
    for key in KEYS:
        assert all(words.text(key)[lang].strip() for lang in LANGS), key


def test_every_slip_has_name_text_and_clause() -> None:
    slips = {slip for breaks in BREAKS.values() for slip, _ in breaks}
    for entry in course.index().tracks[0].exercises:
        exercise = course.exercise(entry.id)
        for part in exercise.parts:
            slips |= {*part.equal, *part.drop, *part.slips.values()}
        if exercise.carry is not None:
            slips |= {slip for _, slip in exercise.carry.symbols.values()} | {exercise.carry.all or "carry-request"}
    assert len(slips) > 60
    for slip in sorted(slips):
        for piece in ("name", "text", "maybe"):
            assert words.has(f"slips.{slip}.{piece}"), f"{slip}.{piece}"


def test_the_general_slips_have_words() -> None:
    source = (HOUSE / "engine" / "answers" / "matching.py").read_text(encoding="utf-8")
    slips = re.findall(r'yield "([a-z-]+)"', source)
    assert "gib-for-gb" in slips
    assert [slip for slip in slips if not words.has(f"slips.{slip}.text")] == []


def test_names_of_slips_are_short() -> None:
    for key in KEYS:
        if re.fullmatch(r"slips\.[\w-]+\.name", key):
            assert all(len(words.text(key)[lang]) <= 40 for lang in LANGS), key


def test_splitting_questions_are_about_slips_that_exist() -> None:
    for split in shipped("words/questions.toml")["split"]:
        assert [slip for slip in split["slips"] if not words.has(f"slips.{slip}.text")] == []
        assert all(split["ask"][lang].endswith("?") for lang in LANGS)


@pytest.mark.parametrize("lang", LANGS)
def test_every_symbol_has_a_meaning(lang: Any) -> None:
    for symbol in SYMBOLS:
        assert words.symbol_meaning(symbol, lang)


@pytest.mark.parametrize("lang", LANGS)
def test_nouns_have_one_and_many(lang: Any) -> None:
    for noun in NOUNS.split():
        assert words.noun(noun, 1, lang) == noun.removesuffix("s")
        assert words.noun(noun, 2, lang) == noun
        assert words.noun(noun, "0.5", lang) == noun.removesuffix("s")
    with pytest.raises(KeyError):
        words.noun("wagons", 2, lang)


def test_a_missing_key_or_value_is_an_error() -> None:
    for key in ("cli.no.such.key", "cli", "nofile.key"):
        assert not words.has(key)
    with pytest.raises(KeyError):
        words.say("verdicts.correct-choice", "en")


def test_what_is_put_in_is_never_looked_at_again() -> None:
    assert words.put("You typed {it}.", {"it": "{it} [red]{x}[/]"}) == "You typed {it} [red]{x}[/]."
    assert words.placeholders("{a} {b.c} {a} {} {1} { d }") == ("a", "b.c", "a")
