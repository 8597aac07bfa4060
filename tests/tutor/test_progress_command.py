"""`llm-tutor progress` with variants and unexplained answers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.quiz.concepts import concepts
from content.words import counted, say
from tutor import cli, quizzed, settingsfile
from tutor.session import Session

KV = "core/L2.1/kv"
Said = Callable[..., str]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Session]:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    made = Session.start()
    yield made
    made.close()


@pytest.fixture
def said(session: Session, capsys: pytest.CaptureFixture[str]) -> Said:
    def run(*words: str) -> str:
        assert cli.run(words) == 0
        return capsys.readouterr().out

    return run


def test_unexplained_answers_are_listed(session: Session, said: Said) -> None:
    session.check(KV, "5 GB")
    session.check("core/L2.1@1/kv", "0.0123 GB")
    session.check(KV, "1.07 GB")
    session.check(KV, "5 GB")
    session.check("core/L1.2/formula", "B + S")
    session.check("core/L1.2/formula", "[/b] + \x1b[31m")
    rows = json.loads(said("progress", "unexplained", "--json"))["unexplained"]
    assert [(row["part"], row["variant"], row["answer"], row["value"], row["times"]) for row in rows] == [
        ("core/L1.2/formula", 0, "B + S", None, 1),
        (KV, 0, "5 GB", 5 * 10**9, 2),
        (KV, 1, "0.0123 GB", 12_300_000, 1),
    ]
    assert all(row["last"].endswith("+00:00") for row in rows)
    lines = said("progress", "unexplained").splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "core/L1.2/formula: B + S",
        f"{KV}: 5 GB",
        "core/L2.1@1/kv: 0.0123 GB",
    ]
    assert "2 x" in lines[1]
    assert said("progress", "unexplained", "--lang", "hi-Latn") != "\n".join(lines) + "\n"
    assert len(said("progress", "unexplained", "L2.1").splitlines()) == 2
    assert len(said("progress", "unexplained", "L2.1@1").splitlines()) == 1


def test_without_any_the_reason_is_said(session: Session, said: Said) -> None:
    assert json.loads(said("progress", "unexplained", "--json")) == {"unexplained": []}
    none = said("progress", "unexplained")
    assert none.count("\n") == 1
    session.change(keep_unexplained=False)
    assert "keep_unexplained" in said("progress", "unexplained")
    assert "keep_unexplained = off" in said("config", "keep_unexplained")
    assert said("progress", "unexplained", "--lang", "hi-Latn") not in ("", none)


def test_a_variant_counts_in_what_is_shown(session: Session, said: Said) -> None:
    session.check(KV, "8.59 GB")
    session.solution(KV)
    session.self_mark("core/L2.1@1/kv", "as if it were right", [])
    shown = json.loads(said("progress", "show", "--json"))
    assert shown["parts"] == {KV: "solved"}
    assert next(row for row in shown["levels"] if row["id"] == "core/L2")["solved"] == 1
    [slip] = shown["slips"]
    assert slip.items() >= {"slip": "kv-bits-as-bytes", "count": 1, "part": KV, "variant": 0}.items()
    assert "1 of 6 parts solved" in said("progress", "show")


def test_reset_takes_an_address(session: Session, said: Said) -> None:
    for part in (KV, "core/L2.1@1/kv", "core/L2.1@2/kv"):
        session.skip(part)
    assert json.loads(said("progress", "reset", "l2.1@1", "--yes", "--json"))["removed"] == 1
    assert json.loads(said("progress", "reset", "L2.1", "--yes", "--json"))["removed"] == 2


def test_the_setting_has_words_and_is_saved(said: Said, tmp_path: Path) -> None:
    listed = json.loads(said("config", "--json"))["values"]["keep_unexplained"]
    assert (listed["value"], listed["default"], set(listed["meaning"])) == (True, True, {"en", "hi-Latn"})
    said("config", "keep_unexplained", "off")
    assert settingsfile.load(tmp_path / "settings.toml")[0].keep_unexplained is False
    assert "unexplained" in said("progress", "--help") and "unexplained" in said("completion", "bash")


# --- revision in words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_on_the_first_day_no_heading_stands_over_nothing(said: Said, lang: Lang) -> None:
    shown = said("progress", "show", "--lang", lang)
    assert f"{say('quiz.mastery.title', lang)}:\n" not in shown
    assert say("cli.progress.untouched", lang, n=len(concepts())) in shown


def test_what_comes_up_is_told_in_days_and_kept_as_a_date_in_json(session: Session, said: Said) -> None:
    session.check(KV, "8.59 GB")
    shown = said("progress", "show", "--lang", "en")
    slip = next(one for one in json.loads(said("progress", "show", "--json"))["slips"] if one["due"])
    when = quizzed.when(date.fromisoformat(slip["due"]), session.revision.today, "en")
    assert f"comes up {when}" in shown and slip["due"] not in shown


def test_stability_is_counted_and_explained(session: Session, said: Said) -> None:
    session.check(KV, "0.537 GB")
    memory = session.revision.memories[KV]
    days = f"{memory.stability:.1f}".removesuffix(".0")
    shown = said("progress", "show", KV, "--lang", "en")
    assert f"Stability {counted('days', days, 'en')}: after so long the chance is down to 90 %." in shown
    about = said("progress", "show", "kv-cache", "--lang", "en")
    assert "how long that chance takes to fall to 90 %" in about and "1 days" not in shown + about


@pytest.mark.parametrize("ahead", [-40, 0, 40])
def test_an_exam_that_is_past_is_kept_and_plays_no_role(
    session: Session, said: Said, capsys: pytest.CaptureFixture[str], ahead: int
) -> None:
    day = (session.revision.today + timedelta(days=ahead)).isoformat()
    for words in (("exam_date", day), ("exam_date",)):
        assert cli.run(["config", *words, "--lang", "en"]) == 0
        out, err = capsys.readouterr()
        assert day in out and (f"{day} is no day to come" in err) is (ahead <= 0)
    assert cli.run(["config", "exam_date", "off"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("columns", [60, 80])
def test_on_a_terminal_lines_go_on_below_where_words_begin(
    session: Session, said: Said, monkeypatch: pytest.MonkeyPatch, lang: Lang, columns: int
) -> None:
    session.check(KV, "0.537 GB")
    whole = said("--lang", lang, "progress")
    assert max(map(len, whole.splitlines())) > columns  # in a pipe a line is a line
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("os.get_terminal_size", lambda _=1: os.terminal_size((columns, 24)))
    wrapped = said("--lang", lang, "progress")
    assert max(map(len, wrapped.splitlines())) <= columns
    assert wrapped.split() == whole.split()
