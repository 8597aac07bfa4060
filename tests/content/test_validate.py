"""The shipped content is valid; each kind of defect is found: right file, right line, right reason, nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from defects import CORE, DEFECTS, Defect

from content import files
from content.course import Course
from content.files import ROOT
from content.lang import LANGS
from content.schema import Exercise
from content.validate import message, prose, source, validate, variants


def as_shipped(file: Path, name: str) -> bool:
    ours = Path(ROOT) / name
    return file.is_file() and ours.is_file() and file.read_bytes() == ours.read_bytes()


@pytest.fixture
def only_changed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a copy that are as shipped are not parsed again, their texts not read and their variants not drawn
    again: the first test did that.

    A text's checks look at nothing outside its file, a draw at no file but those of its track, which are whole where
    values are drawn at all. Everything that links files is still done in full.
    """

    def load(path: Path, root: Path) -> dict[str, Any]:
        name = path.relative_to(root).as_posix()
        return files.shipped(name) if as_shipped(path, name) else files.load(path, root)

    def texts(file: source.Source, scope_of: prose.ScopeOf) -> None:
        if file.text != (Path(ROOT) / file.name).read_text(encoding="utf-8"):
            every_text(file, scope_of)

    def drawn(file: source.Source, course: Course, exercises: tuple[Exercise, ...]) -> None:
        if file.text != (Path(ROOT) / file.name).read_text(encoding="utf-8"):
            every_draw(file, course, exercises)

    every_text, every_draw = prose.texts, variants.drawn
    monkeypatch.setattr(source, "load", load)
    monkeypatch.setattr(prose, "texts", texts)
    monkeypatch.setattr(variants, "drawn", drawn)


def copied(folder: Path, *, words: bool = False) -> Path:
    """A copy of the course, with or without the glossary and the words."""
    for name in ("course", "words") if words else ("course",):
        shutil.copytree(Path(ROOT) / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if words:
        shutil.copy(Path(ROOT) / "glossary.toml", folder)
    return folder


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, f"the course no longer holds {old!r}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def found(folder: Path) -> list[tuple[str, int, str]]:
    return [(problem.file, problem.line, problem.reason) for problem in validate(folder)]


def test_the_shipped_content_has_no_problem() -> None:
    assert [problem.text("en") for problem in validate()] == []


@pytest.mark.usefixtures("only_changed_files")
def test_a_folder_may_hold_the_course_alone(tmp_path: Path) -> None:
    copied(tmp_path)
    assert validate(str(tmp_path)) == ()


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_defect(tmp_path: Path, defect: Defect) -> None:
    root = copied(tmp_path)
    for old, new in defect.changes:
        change(root / defect.file, old, new)
    expected = (defect.where, defect.line((root / defect.where).read_text(encoding="utf-8")), defect.reason)
    assert found(root) == [expected]


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize(
    ("source", "reasons"),
    [
        ('"PagedAttention, arXiv 2309.06180"', []),  # a work is called the same in every language
        ('{ en = "counted by hand", hi-Latn = "haath se gina" }', []),
        ('{ en = "counted by hand" }', ["missing-language"]),
        ("7", ["bad-type"]),
    ],
)
def test_a_source_is_a_work_or_told_in_both_languages(tmp_path: Path, source: str, reasons: list[str]) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L3.toml", 'source = "PagedAttention, arXiv 2309.06180"', f"source = {source}")
    assert [problem.reason for problem in validate(root)] == reasons


@pytest.mark.usefixtures("only_changed_files")
def test_a_placeholder_without_a_value_is_named_in_each_language(tmp_path: Path) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L2.toml", "Isse bytes milte hain.", "Isse {v.x} bytes milte hain.")
    change(root / CORE / "L2.toml", "That gives bytes.", "That gives {v.x} bytes.")
    problems = validate(root)
    lines = (root / CORE / "L2.toml").read_text(encoding="utf-8").splitlines()
    assert [problem.reason for problem in problems] == ["cannot-fill", "cannot-fill"]
    assert all("{v.x}" in lines[problem.line - 1] for problem in problems)


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize(
    ("file", "part", "kind", "symbol", "known"),
    [
        ("L3.toml", "int4_step", 'reverse = ["r_min"]\n', "b", "r_max, r_min"),  # under a power
        ("L3.toml", "int4_step", 'reverse = ["r_min"]\n', "S", "r_max, r_min"),  # not in the formula
        ("L2.toml", "batch", 'kind = "integer"\n', "budget", "-"),  # through floor
        ("L3.toml", "twice_as_bad", 'kind = "judge"\n', "b", "-"),  # nothing is computed
    ],
)
def test_what_cannot_be_asked_backwards(
    tmp_path: Path, file: str, part: str, kind: str, symbol: str, known: str
) -> None:
    root = copied(tmp_path)
    before, mark, after = (root / CORE / file).read_text(encoding="utf-8").partition(f'id = "{part}"\n')
    after = after.replace(kind, f'{kind if "reverse" not in kind else ""}reverse = ["{symbol}"]\n', 1)
    (root / CORE / file).write_text(before + mark + after, encoding="utf-8")
    if part == "batch":
        change(root / CORE / "track.toml", 'parts = ["batch"]', f'parts = ["batch"]\nreverse = ["batch/find-{symbol}"]')
    elif part == "int4_step":
        change(root / CORE / "track.toml", '"int4_step/find-r_min"', f'"int4_step/find-{symbol}"')
    else:
        change(root / CORE / "track.toml", '"int4_step/find-r_min"', f'"int4_step/find-r_min", "{part}/find-{symbol}"')
    (problem,) = validate(root)
    assert (problem.file, problem.reason, problem.where[1]) == (CORE + file, "cannot-reverse", part)
    assert dict(problem.params) == {"symbol": symbol, "known": known}
    line = (root / CORE / file).read_text(encoding="utf-8").splitlines()[problem.line - 1]
    assert line == f'reverse = ["{symbol}"]'


def test_a_variant_whose_numbers_do_not_decide_the_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "can_reverse", lambda expect, symbol: symbol != "b_to")
    (problem,) = validate()
    assert (problem.file, problem.reason) == (CORE + "L2.toml", "variant-not-reversed")
    assert dict(problem.params) == {"symbol": "b_to", "number": "1"}


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize("name", ["C3.toml", "L2.toml", "track.toml"])
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    root = copied(tmp_path)
    (root / CORE / name).unlink()
    assert found(root) == [(CORE + name, 0, "missing-file")]


@pytest.mark.usefixtures("only_changed_files")
def test_an_unreadable_file(tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / CORE / "C3.toml").write_bytes(b"\n\xff\xfe\x00")
    assert found(root) == [(CORE + "C3.toml", 2, "not-text")]


def fifo(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def endless(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def large(file: Path) -> None:
    with file.open("ab") as end:
        end.truncate(4 * 2**20 + 1)


def marked(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())


def dotted(file: Path) -> None:
    file.write_text(".".join("a" * 20_000) + " = 1\n")


def quoted(file: Path) -> None:
    file.write_text("[" + ".".join(['"a b"', "'c'"] * 10_000) + "]\n")


def listed(file: Path) -> None:
    file.write_text("a = " + "[" * 5000 + "]" * 5000 + "\n")


def tables(file: Path) -> None:
    file.write_text("a = " + "{a = " * 60 + "1" + "}" * 60 + "\n")


def digits(file: Path) -> None:
    file.write_text("# a number\na = " + "9" * 5000 + "\n")


def hexadecimal(file: Path) -> None:
    file.write_text("# a number\na = 0x" + "f" * 300 + "\n")


@pytest.mark.parametrize(
    ("spoil", "line", "reason"),
    [
        (fifo, 0, "not-a-file"),
        (folder, 0, "not-a-file"),
        (endless, 0, "not-a-file"),
        (large, 0, "too-large"),
        (marked, 1, "byte-order-mark"),
        (dotted, 0, "nested-too-deeply"),
        (quoted, 0, "nested-too-deeply"),
        (listed, 0, "nested-too-deeply"),
        (tables, 0, "nested-too-deeply"),
        (digits, 2, "number-too-large"),
        (hexadecimal, 2, "number-too-large"),
    ],
)
@pytest.mark.usefixtures("only_changed_files")
def test_a_hostile_file_is_one_problem(tmp_path: Path, spoil: Callable[[Path], None], line: int, reason: str) -> None:
    root = copied(tmp_path)
    spoil(root / CORE / "C3.toml")
    assert found(root) == [(CORE + "C3.toml", line, reason)]


@pytest.mark.usefixtures("only_changed_files")
def test_a_file_of_a_million_faults_is_told_in_part(tmp_path: Path) -> None:
    root = copied(tmp_path)
    keys = "".join(f"k{number} = 1\n" for number in range(20_000))
    (root / CORE / "C3.toml").write_text(keys + (root / CORE / "C3.toml").read_text(encoding="utf-8"))
    assert [problem.reason for problem in validate(root)] == ["unknown-key"] * source.MOST


@pytest.mark.parametrize("name", ["glossary.toml", "words/slips.toml"])
def test_a_hostile_file_of_words_is_a_problem(tmp_path: Path, name: str) -> None:
    (tmp_path / "words").mkdir()
    os.mkfifo(tmp_path / name)
    assert (name, 0, "not-a-file") in found(tmp_path)


@pytest.mark.parametrize(
    ("value", "reason"),
    [("0", "given-not-positive"), ("-5", "given-not-positive"), ('"1e400"', "given-absurd")],
)
@pytest.mark.usefixtures("only_changed_files")
def test_a_given_count_must_make_sense(tmp_path: Path, value: str, reason: str) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L2.toml", "S = 2048", f"S = {value}")
    assert [problem.reason for problem in validate(root)] == [reason]


@pytest.mark.usefixtures("only_changed_files")
def test_control_characters_are_told_and_never_printed(tmp_path: Path) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L2.toml", 'id = "kv"', 'id = "k\\u001b[31mv"')
    change(root / CORE / "L2.toml", "That gives bytes.", "That gives\\u0007 bytes.")
    problems = validate(root)
    assert [problem.params["code"] for problem in problems if problem.reason == "control-character"] == [
        "U+001B",
        "U+0007",
    ]
    assert all(problem.text(lang).isprintable() for problem in problems for lang in LANGS)


@pytest.mark.usefixtures("only_changed_files")
def test_an_id_leads_to_no_file_outside(tmp_path: Path) -> None:
    root = copied(tmp_path)
    change(root / CORE / "track.toml", 'id = "C3"', 'id = "../../C3"')
    assert [problem.reason for problem in validate(root)] == ["id-path"], "and nothing is looked up"
    change(root / CORE / "track.toml", 'id = "core"', 'id = "../../etc"')
    assert "id-path" in [problem.reason for problem in validate(root)]


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize(("name", "close"), [("zzzzzz", False), ("precision_shrnk", True)])
def test_names_that_are_close_are_told_only_when_there_are_any(tmp_path: Path, name: str, close: bool) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L2.toml", 'formula = "precision_shrink"', f'formula = "{name}"')
    (problem,) = validate(root)
    assert ("Close: precision_shrink." in problem.text("en")) == close
    assert problem.text("en").endswith("." if close else "There is no formula zzzzzz.")


@pytest.mark.usefixtures("only_changed_files")
def test_a_file_that_nothing_reads(tmp_path: Path) -> None:
    root = copied(tmp_path)
    shutil.copy(root / CORE / "C3.toml", root / CORE / "C7.toml")
    assert found(root) == [(CORE + "C7.toml", 1, "unlisted-file")]


def test_an_empty_folder(tmp_path: Path) -> None:
    assert found(tmp_path) == [("course", 0, "no-track")]


@pytest.mark.usefixtures("only_changed_files")
def test_everything_is_reported_and_not_only_the_first(tmp_path: Path) -> None:
    root = copied(tmp_path)
    level = root / CORE / "L2.toml"
    change(level, 'label.hi-Latn = "kitni requests"\n', "")
    change(level, 'solution.hi-Latn = "{a.int8}, yaani', 'solutions.hi-Latn = "{a.int8}, yaani')
    change(level, 'formula = "precision_shrink"', 'formula = "shrink"')
    change(root / CORE / "C1.toml", 'id = "two-clocks"', 'id = "decode"')
    reasons = [problem.reason for problem in validate(root)]
    assert sorted(reasons) == ["duplicate-id", "missing-language", "missing-language", "unknown-formula", "unknown-key"]


@pytest.mark.usefixtures("only_changed_files")
def test_words_and_glossary_of_a_folder_are_checked(tmp_path: Path) -> None:
    root = copied(tmp_path, words=True)
    change(root / "words" / "slips.toml", 'name.hi-Latn = "K aur V wala factor chhodna"\n', "")
    change(root / "words" / "verdicts.toml", "Right on every count: {shown}.", "Right on every count.")
    change(root / "glossary.toml", 'see = ["tokenizer", "prompt"]', 'see = ["tokenizer", "prompts"]')
    problems = [(problem.file, problem.reason) for problem in validate(root)]
    assert problems == [
        ("glossary.toml", "broken-link"),
        ("words/slips.toml", "missing-language"),
        ("words/verdicts.toml", "placeholders-differ"),
    ]


@pytest.mark.usefixtures("only_changed_files")
def test_a_slip_needs_words(tmp_path: Path) -> None:
    root = copied(tmp_path, words=True)
    change(root / "words" / "slips.toml", "[half-a-block]", "[half-of-a-block]")
    problems = [(problem.file, problem.reason, problem.params["slip"]) for problem in validate(root)]
    assert problems == [(CORE + "L3.toml", "slip-without-words", "half-a-block")]


@pytest.mark.usefixtures("only_changed_files")
def test_a_problem_prints_as_file_line_sentence_in_both_languages(tmp_path: Path) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L3.toml", 'equal = ["paged-floor"]\n', "")
    (problem,) = validate(root)
    assert problem.id == problem.reason == "slip-equals-answer"
    assert problem.where == ("L3.1", "wasted")
    for lang in LANGS:
        assert problem.text(lang) == f"{CORE}L3.toml:{problem.line}: {message(problem, lang)}"
        assert "paged-floor" in message(problem, lang)
        assert message(problem, lang).startswith("L3.1 / wasted: ")
    assert message(problem, "en") != message(problem, "hi-Latn")


@pytest.mark.usefixtures("only_changed_files")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('figure = { name = "kv-factors", given = {', "figure = [3]\nfig = { name = 1, given = {"),
        ('given = { L = "L", d_model', "given = { L = [3], d_model"),
        ('asks = { products = ["kv"]', "asks = { products = 3"),
        (
            'state = { bits = 16, lanes = "weights" }, asks = {',
            "state = { bits = 16, hide = 3 }, asks = 3, ask = {",
        ),
        ('equal = ["kv-no-batch"]', "equal = 3"),
        ("[exercise.values]\nper_layer", "values = 3\n[exercise.valuez]\nper_layer"),
        ('per_layer = { formula = "kv_per_layer", unit = "KB", digits = 3 }', "per_layer = [1]"),
        ("digits = 3", 'digits = "many"'),
        ("digits = 3", "digits = 99"),
        ("digits = 3", "digits = 0"),
        ("hints.en = [", "hints.en = [[1], "),
        ("given = { L = 32, d_model", "given = { L = [32], d_model"),
        ('kind = "number"', "kind = [1]"),
        ('lesson = "C2"', "lesson = { a = 1 }"),
    ],
)
def test_odd_shapes_are_problems_and_never_crashes(tmp_path: Path, old: str, new: str) -> None:
    root = copied(tmp_path)
    change(root / CORE / "L2.toml", old, new)
    problems = validate(root)
    assert problems
    assert {problem.file for problem in problems} <= {CORE + "L2.toml", CORE + "track.toml", CORE + "L4.toml"}
    assert all(problem.text(lang) for problem in problems for lang in LANGS)
