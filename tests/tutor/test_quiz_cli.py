"""`llm-tutor quiz` and `progress show` as a script and a pipe see them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS, Lang
from content.quiz.concepts import concepts
from content.words import say
from tests.tutor import inside
from tutor import cli
from tutor.commands import quiz
from tutor.revision.model import Wanted
from tutor.session import Session

ROOT = Path(__file__).parents[2]
KV = "core/L2.1/kv"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return tmp_path


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    made = Session.start()
    yield made
    made.close()


def process(home: Path, *argv: str, typed: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The command that is typed to; with variables of its own it is a whole process."""
    if not options:
        env = {name: value for name, value in os.environ.items() if name != "LLM_TUTOR_LANG"}
        return inside.run(argv, {**env, "LLM_TUTOR_HOME": str(home)}, typed, ROOT)
    env = {**os.environ, "LLM_TUTOR_HOME": str(home)} | options.pop("env", {})
    env.pop("LLM_TUTOR_LANG", None)
    command = [sys.executable, "-m", "tutor", *argv]
    return subprocess.run(
        command, cwd=ROOT, env=env, input=typed, capture_output=True, timeout=60, check=False, **options
    )


LEVEL2 = ("quiz", "--level", "2", "--count", "1", "--plain")


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("--due", "--test"), "--due and --test do not go together"),
        (("--weak", "--test"), "--weak and --test do not go together"),
        (("--due", "--weak"), "--due and --weak do not go together"),
        (("--minutes", "5"), "--minutes sets the clock of a test: give --test too."),
        (("--due", "--minutes", "5"), "--minutes sets the clock of a test"),
        (("--test", "--minutes", "0"), "--minutes cannot be 0: it must be a number from 1 to 600."),
        (("--test", "--minutes", "-3"), "--minutes cannot be -3"),
        (("--test", "--minutes", "nan"), "--minutes cannot be nan"),
        (("--test", "--minutes", "1e9"), "--minutes cannot be 1e9"),
        (("--test", "--minutes", "."), "--minutes cannot be ."),
        (("--test", "--minutes", ""), '--minutes cannot be ""'),
        (("--count", "0"), "--count cannot be 0: it must be a whole number from 1 to 500."),
        (("--count", "-1"), "--count cannot be -1"),
        (("--count", "2.5"), "--count cannot be 2.5"),
        (("--count", "9" * 5000), "--count cannot be 999"),
        (("--count", "١"), "--count cannot be ١"),
        (("--count", "5", "--count", "6"), "The option --count is given twice."),
        (("--level", "9"), "There is no level 9. The levels are: L1, L2, L3, L4, L5."),
        (("--level", "L22"), "There is no level L22. Did you mean L2?"),
        (("--level", "core/L2.1"), "There is no level core/L2.1."),
        (("--level", ""), 'There is no level "".'),
        (("--level", "-2"), "There is no level -2."),
        (("--level", "\x1b[2J"), "There is no level �[2J"),
        (("--track", "cor"), "There is no track cor. Did you mean core?"),
        (("--track", "serving"), "There is no track serving. The tracks are: core."),
        (("--levle", "2"), "There is no option --levle here. Did you mean --level?"),
        (("--level",), "The option --level needs a value behind it."),
        (("core/L2",), "quiz: there is one word too many, core/L2."),
    ],
)
def test_options_that_cannot_be_get_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], argv: Sequence[str], sentence: str
) -> None:
    for lang in LANGS:
        assert cli.run(("quiz", "--plain", *argv, "--lang", lang)) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1
        if lang == "en":
            assert said.err.startswith(f"llm-tutor: {sentence}")
        else:
            assert sentence not in said.err
    assert not list(home.iterdir())


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        ((), Wanted()),
        (("--due",), Wanted("due")),
        (("--weak", "--level", "3"), Wanted("weak", level="core/L3")),
        (("--level", "2"), Wanted("level", level="core/L2")),
        (("--level", "l2"), Wanted("level", level="core/L2")),
        (("--level", "Core/L2"), Wanted("level", level="core/L2")),
        (("--level", "level 2"), Wanted("level", level="core/L2")),
        (("--level", "2", "--track", "CORE"), Wanted("level", "core", "core/L2")),
        (("--track", "core", "--count", "7"), Wanted("track", "core", most=7)),
        (("--test", "--minutes", "7.5"), Wanted("test", minutes=7.5)),
        (("--test", "--minutes", "10 min", "--count", "500"), Wanted("test", minutes=10.0, most=500)),
        (("--due", "--level", "2"), Wanted("due", level="core/L2")),
    ],
)
def test_what_is_asked_for(argv: Sequence[str], wanted: Wanted) -> None:
    assert quiz._wanted(cli.parser("quiz").split(argv)) == wanted


def test_a_terminal_gets_the_app_with_what_is_asked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.commands import study
    from tutor.travel import QUIZ

    opened: list[object] = []
    monkeypatch.setattr(study, "drawable", lambda: True)
    monkeypatch.setattr(study, "open_app", lambda _, target, wanted=None: opened.append((target, wanted)) or 0)
    assert cli.run(("quiz",)) == cli.run(("quiz", "--level", "2")) == 0
    assert opened == [(QUIZ, None), (QUIZ, Wanted("level", level="core/L2"))]


# --- a process --------------------------------------------------------------------------------------------------------


def test_nothing_learnt_is_an_honest_negative(home: Path) -> None:
    done = process(home, "quiz", "--plain")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"There is nothing to revise yet." in done.stdout and b"--level 2" in done.stdout
    done = process(home, "quiz", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["items"] == []
    assert b"There is nothing to revise yet." in done.stderr


@pytest.mark.parametrize("lang", LANGS)
def test_the_end_of_the_input_keeps_what_was_answered_and_says_the_sheet(home: Path, lang: Lang) -> None:
    done = process(home, *LEVEL2, "--lang", lang, typed=b"pata nahi\n")
    said = " ".join(done.stdout.decode().split())
    assert (done.returncode, done.stderr) == (0, b"")
    assert say("quiz.sheet.right", lang, right=0, of=1) in said
    assert said.endswith(say("cli.quiz.bye", lang))
    session = Session.start()
    assert [review.grade for review in session.progress.reviews(KV)] == ["again"]
    session.close()


def test_json_is_one_document_and_the_questions_go_beside_it(home: Path) -> None:
    done = process(home, "quiz", "--level", "2", "--count", "1", "--json", typed=b"1 GB\ngrade hard\n")
    found = json.loads(done.stdout)
    assert (done.returncode, found["mode"], found["level"]) == (0, "level", "core/L2")
    assert (found["asked"], found["right"], found["items"][0]["item"]) == (1, 0, KV)
    assert (found["items"][0]["grade"], found["items"][0]["proposed"]) == ("hard", "again")
    assert b"How many GB" in done.stderr and b"1 of 1" in done.stderr and b"Hard" in done.stderr
    assert b"{" not in done.stderr


HOSTILE = {
    "controls": b"\x00\x1b[2J\n" * 3, "no text": b"\xff\xfe\n", "long": b"9" * 200_000 + b"\n",
    "markup": b"[/b]{x}\n%s\n", "ends": b"\r\r\n\n",
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_whatever_is_typed_there_is_no_traceback(home: Path, kind: str) -> None:
    for way in ("--plain", "--json"):
        typed = HOSTILE[kind] + b"pata nahi\n" + HOSTILE[kind]
        done = process(home, "quiz", "--level", "1", "--count", "3", way, typed=typed)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stdout + done.stderr and b"went wrong" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
        if way == "--json":
            json.loads(done.stdout)


def test_ctrl_c_keeps_what_was_answered(home: Path) -> None:
    for way in ("--plain", "--json"):
        env = {**os.environ, "LLM_TUTOR_HOME": str(home)}
        command = [sys.executable, "-u", "-m", "tutor", "quiz", "--level", "2", "--count", "2", way]
        with subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdin and child.stdout and child.stderr
            child.stdin.write(b"pata nahi\n")
            child.stdin.flush()
            heard, seen = child.stdout if way == "--plain" else child.stderr, b""
            while b"overrules:" not in seen:
                said = os.read(heard.fileno(), 65536)
                assert said, seen
                seen += said
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=30)
        assert child.returncode == 130
        assert b"Traceback" not in out + err
        assert b"How it went" in (out if way == "--plain" else err)
        if way == "--json":
            assert json.loads(out)["asked"] == 1


@pytest.mark.parametrize(
    "line", ["quiz --level 2 --plain | head -3", "quiz --level 2 --json 2>&1 >/dev/null | head -3"]
)
def test_a_reader_who_leaves_early_is_no_error(home: Path, line: str) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(home)}
    command = f"set -o pipefail; (yes 'pata nahi' | head -500) | {sys.executable} -m tutor {line}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode in (0, 141)
    assert b"Traceback" not in done.stdout + done.stderr and done.stderr == b""


def test_the_document_arrives_though_nobody_hears_the_questions(home: Path) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(home)}
    command = (
        f"yes 'pata nahi' | head -500 | {sys.executable} -m tutor quiz --level 2 --json 2> >(head -c 9 >/dev/null)"
    )
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert json.loads(done.stdout)["mode"] == "level"


@pytest.mark.parametrize("way", ["--plain", "--json"])
@pytest.mark.parametrize(
    ("closed", "sentence"), [("<&-", b"standard input is closed"), ("</dev/null >&-", b"output is")]
)
def test_closed_streams_are_one_sentence(home: Path, way: str, closed: str, sentence: bytes) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(home)}
    line = f"{sys.executable} -m tutor quiz {way} {closed}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert sentence in done.stderr


def test_a_terminal_that_knows_only_ascii_is_spoken_to_in_it(home: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = process(home, *LEVEL2, typed=b"pata nahi\n", env=env)
    assert done.returncode == 0 and done.stdout.isascii()


def test_a_file_that_cannot_be_used_is_told_and_the_quiz_goes_on(home: Path) -> None:
    (home / "progress.sqlite3").mkdir()
    done = process(home, *LEVEL2, typed=b"pata nahi\n")
    said = " ".join(done.stdout.decode().split())
    assert done.returncode == 0 and "cannot be written" in said
    assert "0 of 1 right" in said and "All answers are kept" not in said


@pytest.mark.parametrize(("lang", "typed"), [("en", "quiz"), ("hi-Latn", "dohrao")])
def test_plain_study_says_what_is_due_and_asks_it(learnt: Session, lang: Lang, typed: str, home: Path) -> None:
    lines = f"grade\nlist\n{typed}\npata nahi\nquit\nquit\n".encode()
    done = process(home, "study", "core/L2.1", "--plain", "--lang", lang, typed=lines)
    said = " ".join(done.stdout.decode().split())
    assert (done.returncode, done.stderr) == (0, b"")
    assert say("cli.plain.elsewhere", lang, word="grade", skip="skip" if lang == "en" else "chhodo") in said
    assert say("cli.plain.revise", lang, waiting="|", word="quiz").partition("|")[0] in said
    assert say("quiz.reason.gave-up", lang) in said and say("quiz.sheet.title", lang) in said
    assert said.endswith(say("cli.plain.bye", lang)), "the list came back, and study went on"


# --- progress ---------------------------------------------------------------------------------------------------------

Said = Callable[..., str]


@pytest.fixture
def said(session: Session, capsys: pytest.CaptureFixture[str]) -> Said:
    def run(*words: str) -> str:
        assert cli.run(words) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def learnt(session: Session) -> Session:
    """Somebody who has answered a little, with one slip."""
    session.check(KV, "8.59 GB")
    session.check(KV, "8.6 GB")
    session.check("core/L2.2/batch", "1.28 GB")
    asked = session.revision.start(Wanted("level", level="core/L1", most=4))
    for _ in range(4):
        asked.next()
        asked.give_up(3.0)
    asked.overrule("easy")
    return session


@pytest.mark.parametrize("lang", LANGS)
def test_progress_says_what_revision_knows(learnt: Session, said: Said, lang: Lang) -> None:
    shown = said("progress", "show", "--lang", lang)
    due = learnt.revision.due()
    from tutor import quizzed

    assert quizzed.waiting(due, lang) in shown
    for one in learnt.revision.mastery():
        line = f"  {say(f'quiz.concept.{one.id}', lang)} ({one.id}): {round(100 * one.value)} %"
        assert (line in shown) == bool(one.answered)
    assert say("quiz.retention.none", lang, target=90) in shown
    assert say("slips.kv-bits-as-bytes.name", lang) in shown and say("quiz.trend.more", lang) in shown


def test_progress_as_json_grows_and_keeps_what_it_had(learnt: Session, said: Said) -> None:
    shown = json.loads(said("progress", "show", "--json"))
    assert set(shown) >= {"levels", "parts", "slips", "due", "forecast", "mastery", "retention", "leeches"}
    assert shown["due"]["items"] == learnt.revision.due().items
    assert len(shown["forecast"]) == 14 and sum(shown["forecast"]) >= 1
    assert [one["concept"] for one in shown["mastery"]] == list(concepts())
    assert all(0 <= one["value"] <= 1 and one["answered"] <= one["items"] for one in shown["mastery"])
    slip = next(one for one in shown["slips"] if one["slip"] == "kv-bits-as-bytes")
    assert (slip["count"], slip["recent"], slip["before"], slip["trend"], slip["part"]) == (2, 2, 0, "more", KV)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("concept", concepts())
def test_every_mastery_is_explained(learnt: Session, said: Said, concept: str, lang: Lang) -> None:
    shown = said("progress", "show", concept, "--lang", lang)
    rows = learnt.revision.mastery_of(concept)
    assert say("quiz.mastery.about", lang) in shown
    stable = any(row.memory is not None for row in rows)
    assert (say("quiz.mastery.stability", lang) in shown) == stable, "told where a stability is shown"
    assert shown.count(say("quiz.mastery.never", lang)) == sum(row.memory is None for row in rows)
    assert all(f"  {row.item.id}: " in shown for row in rows)
    assert shown == said("progress", "show", say(f"quiz.concept.{concept}", lang).upper(), "--lang", lang)
    told = json.loads(said("progress", "show", concept, "--json"))
    assert told["concept"] == concept and len(told["items"]) == len(rows)
    assert told["value"] == pytest.approx(sum(row.recall for row in rows) / len(rows), abs=1e-4)


def test_one_question_is_explained_with_its_reviews(learnt: Session, said: Said) -> None:
    [over] = [item for item, one in learnt.revision.memories.items() if one.state == "review"]
    for text in (over, over.upper(), over.partition("/")[2]):
        shown = said("progress", "show", text)
        assert f"({over})" in shown and "Reviews: 1;" in shown and "Chance of a right answer on 20" in shown
        assert "Easy, you said so, in a quiz" in shown
    told = json.loads(said("progress", "show", over, "--json"))
    assert [(one["grade"], one["proposed"], one["source"]) for one in told["reviews"]] == [("easy", "again", "quiz")]
    assert "not answered yet" in said("progress", "show", "core/L5.1b/why")
    slip = said("progress", "show", "core/slip/kv-bits-as-bytes", "--lang", "hi-Latn")
    assert "exercise mein yeh chook hui" in slip


@pytest.mark.parametrize("place", ["core", "L2", "core/C2", "L2.1", "core/L2.1@3", "L2.1/kv@3", "core/L2.1/kv/find-S"])
def test_a_place_is_explained_by_what_it_holds(learnt: Session, said: Said, place: str) -> None:
    shown = said("progress", "show", place)
    assert " %" in shown or "not answered yet" in shown
    told = json.loads(said("progress", "show", place, "--json"))
    assert told["items"] and all(one["item"].startswith("core/") for one in told["items"])
    assert not any("/slip/" in one["item"] for one in told["items"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kv-cahce", "There is no concept and no id kv-cahce. Did you mean kv-cache?"),
        ("zzz", "There is no concept and no id zzz. `llm-tutor progress show` lists the concepts"),
        ("", 'There is no concept and no id "".'),
        ("\x1b[2J", "There is no concept and no id �[2J."),
        ("x" * 5000, "There is no concept and no id xxxx"),
    ],
)
def test_what_is_no_concept_is_told(home: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str) -> None:
    assert cli.run(("progress", "show", text)) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    assert shown.err.startswith(f"llm-tutor: {sentence}")


def test_an_exam_changes_the_day_that_mastery_speaks_of(learnt: Session, said: Said) -> None:
    said("config", "exam_date", "2099-01-01")
    assert say("quiz.mastery.about_exam", "en") in said("progress", "show", "kv-cache")
    assert json.loads(said("progress", "show", "kv-cache", "--json"))["on"] == "2099-01-01"
