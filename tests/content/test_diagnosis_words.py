"""Every id of the diagnoser's engine has words, in both languages and as this house writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import get_args

from content import words
from content.diagnosing import blocks
from content.files import ROOT, shipped
from content.lang import LANGS
from content.validate.source import Folder
from content.validate.texts import pairs
from content.validate.wording import _file
from engine.diagnosis import questions
from engine.diagnosis.acting import levers, measures, preconditions
from engine.diagnosis.causes import CAUSES
from engine.diagnosis.fields import BY_NAME, FIELDS, PROBLEMS, TABLES
from engine.diagnosis.model import (
    DETAILS,
    PHASES,
    WALLS,
    Assumed,
    Origin,
    Question,
)
from engine.diagnosis.written import NOT_READ
from engine.roofline import PARTS

ENGINE = Path(ROOT).parent / "engine"
DIAGNOSIS = ENGINE / "diagnosis"


CASE = ("case.py", "placement.py", "space.py", "told.py")
"""Files that take things for granted."""


def has(key: str) -> bool:
    return words.has(f"diagnosis.{key}")


def spoken(base: str) -> bool:
    """Whether an id has a sentence that needs no value, so that something can always be said."""
    keys = [f"diagnosis.{base}{tail}" for tail in ("", ".bare", ".less", ".text")]
    always = {"field"}
    return any(words.has(key) and set(words.placeholders(words.text(key)["en"])) <= always for key in keys)


@lru_cache(maxsize=1)
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of the diagnoser's engine with its file."""
    files = sorted(DIAGNOSIS.rglob("*.py"))
    return tuple(
        (str(file.relative_to(DIAGNOSIS)), node)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call | ast.Dict | ast.Assign)
    )


def calls(*names: str) -> Iterator[ast.Call]:
    """Every call of these names."""
    for _, node in nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
            yield node


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def argument(names: tuple[str, ...], place: int) -> set[str]:
    found = (call.args[place] for call in calls(*names) if len(call.args) > place)
    return {text for node in found for text in constants(node)}


def test_the_verdict_has_words() -> None:
    assert [phase for phase in PHASES if not (has(f"phase.{phase}.name") and has(f"phase.{phase}.text"))] == []
    for wall in WALLS:
        assert all(has(f"wall.{wall}.{piece}") for piece in ("name", "short", "text")), wall
    assert [one for one in DETAILS if not (has(f"detail.{one}.name") and has(f"detail.{one}.text"))] == []
    assert [one for one in get_args(Origin) if not has(f"origin.{one}")] == []


def test_every_cause_can_be_said_without_any_value() -> None:
    assert len(CAUSES) > 30
    assert [cause.id for cause in CAUSES if not spoken(f"cause.{cause.id}")] == []


def test_causes_ask_only_for_values_that_the_engine_gives() -> None:
    given_names = {keyword.arg for call in calls("numbers", "dict") for keyword in call.keywords}
    tables = (node for file, node in nodes() if file.startswith("causes") and isinstance(node, ast.Dict))
    given_names |= {key.value for table in tables for key in table.keys if isinstance(key, ast.Constant)}
    for cause in CAUSES:
        for variant in ("text", "less"):
            key = f"diagnosis.cause.{cause.id}.{variant}"
            asked = set(words.placeholders(words.text(key)["en"])) if words.has(key) else set()
            assert asked <= given_names, (key, asked - given_names)


def test_no_cause_has_words_that_the_engine_lacks() -> None:
    spare = {"at-the-knee"}  # batch-math says it until the two are told apart
    assert set(shipped("words/diagnosis.toml")["cause"]) - {cause.id for cause in CAUSES} <= spare


def test_every_experiment_has_words() -> None:
    wanted = {cause.experiment[0] for cause in CAUSES if cause.experiment[0]}
    assert [name for name in sorted(wanted) if not spoken(f"experiment.{name}")] == []


def test_every_lever_has_words() -> None:
    assert len(levers.LEVERS) > 35
    for name in levers.LEVERS:
        assert all(has(f"lever.{name}.{piece}") for piece in ("name", "text", "need")), name
        clause = words.text(f"diagnosis.lever.{name}.need")
        assert not any(clause[lang].endswith(".") for lang in LANGS), name


def test_short_names_are_short() -> None:
    for group in ("wall", "ledger", "part", "measure"):
        for name in shipped("words/diagnosis.toml")[group]:
            assert all(len(words.say(f"diagnosis.{group}.{name}.short", lang)) <= 13 for lang in LANGS), (group, name)


def test_names_of_levers_fit_a_narrow_screen() -> None:
    for name in levers.LEVERS:
        assert all(len(words.say(f"diagnosis.lever.{name}.name", lang)) <= 42 for lang in LANGS), name


def test_every_lever_that_causes_name_is_one() -> None:
    named = {lever for cause in CAUSES for lever in (*cause.levers, *cause.useless)}
    assert named <= levers.LEVERS.keys()


def test_every_warning_and_reason_has_words() -> None:
    lacking = [one for one in levers.WARNINGS if not (has(f"lever.{one}.warning") or spoken(f"warning.{one}"))]
    assert lacking == []
    assert [why for why in preconditions.REASONS if not spoken(f"why.{why}")] == []


def test_every_measure_and_part_has_a_name() -> None:
    assert [name for name in measures.MEASURES if not has(f"measure.{name}.name")] == []
    assert [part for part in PARTS if not has(f"part.{part}.name")] == []


def test_every_question_says_what_and_why() -> None:
    for rule in questions.RULES:
        for lang in LANGS:
            ask, why = blocks.question_words(Question(rule.input, rule.why), lang)
            assert ask.rstrip(" .)").endswith("?") or "?" in ask
            assert why.endswith(".") and why != words.say("diagnosis.question.other.why", lang), rule.input


def test_every_input_has_a_label_and_its_group_too() -> None:
    names = [one.name for one in FIELDS]
    for name in (*names, *TABLES):
        assert has(f"field.{name}.name") and has(f"field.{name}.short") and has(f"field.{name}.about"), name
        assert all(len(words.say(f"diagnosis.field.{name}.short", lang)) <= 12 for lang in LANGS), name
        assert all(len(words.say(f"diagnosis.field.{name}.name", lang)) <= 30 for lang in LANGS), name
    assert [group for group in {one.group for one in FIELDS} if not has(f"group.{group}")] == []
    assert [name for name in names if BY_NAME[name].group != "settings" and not has(f"field.{name}.example")] == []


def test_every_problem_and_everything_unread_has_words() -> None:
    assert [reason for reason in PROBLEMS if not spoken(f"problem.{reason}")] == []
    reasons = set(NOT_READ) | argument(("Unread",), 2) | argument(("NotRead",), 0)
    reasons |= {text for call in calls("Cards", "Named") for k in call.keywords if k.arg == "unread"
                for text in constants(k.value)}  # fmt: skip
    lacking = [one for one in sorted(reasons) if one and not (has(f"unread.{one}") or has(f"unread.{one}.text"))]
    assert lacking == []


def test_every_assumption_has_a_reason_in_words() -> None:
    reasons = argument(("_assume", "Assumed"), 2)
    for file, node in nodes():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "why" and file in CASE:
            reasons |= set(constants(node.value))
    assert len(reasons) > 10
    assert [one for one in sorted(reasons) if not has(f"assumed.{one}")] == []


def test_names_of_what_is_assumed_are_known() -> None:
    for name in argument(("_assume", "Assumed"), 0):
        for lang in LANGS:
            title = blocks.assumed_words(Assumed(name, 1, "other"), lang)[0]
            assert title != name or name in ("prompt", "output", "link"), name


def test_the_words_are_as_this_house_writes() -> None:
    folder = Folder(ROOT)
    source = folder.source("words/diagnosis.toml")
    assert source is not None
    _file(source)
    assert [(one.line, one.reason, one.params) for one in folder.problems] == []


def test_sentences_are_of_like_length_in_both_languages() -> None:
    for pair in pairs(shipped("words/diagnosis.toml")):
        if len(pair.text.en) > 40:
            assert 0.6 <= len(pair.text.hi) / len(pair.text.en) <= 1.8, pair.path


def test_lead_ins_end_and_clauses_do_not() -> None:
    table = shipped("words/diagnosis.toml")
    for group in ("cause", "experiment", "problem"):
        for name, entry in table[group].items():
            for variant, text in entry.items():
                assert all(text[lang].endswith((".", "?")) for lang in LANGS), (group, name, variant)
    for group in ("unread", "assumed"):
        assert all(not text[lang].endswith(".") for text in table[group].values() if "en" in text for lang in LANGS)
