"""Pieces of the server, each by itself: names, hosts and origins, messages, limits, what the command refuses."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import has, say
from tutor import cli, keys, served
from tutor.serving import folders, limits, names, pages, student, talk
from tutor.serving.doorkeeper import Doorkeeper
from tutor.serving.site import CODES


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return tmp_path / "home"


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown", "slug"),
    [
        ("Asha", "Asha", "asha"),
        ("  Ravi   K. ", "Ravi K.", "ravi-k"),
        ("José O'Neill", "José O'Neill", "jose-o-neill"),
        ("आशा", "आशा", "learner"),
        ("CON", "CON", "con"),
        ("x" * 40, "x" * 40, "x" * 24),
    ],
)
def test_a_name_is_shown_as_typed_and_its_folder_is_plain(typed: str, shown: str, slug: str) -> None:
    found = names.learner(typed)
    assert found.name == shown
    assert found.folder.rpartition("-")[0] == slug and len(found.folder.rpartition("-")[2]) == 12


def test_names_that_differ_have_folders_that_differ_and_case_does_not_count() -> None:
    same = {names.learner(name).folder for name in ("Asha", "ASHA", " asha ", "\uff21sha", "As\u200dha")}
    other = {names.learner(name).folder for name in ("Asha", "Asha-", "Asha K", "आशा", "आशी", "Аsha", "José", "Jose")}
    assert len(same) == 1 and len(other) == 8


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "empty"), (" \u200d ", "empty"), ("x" * 41, "long"), ("x" * 10**6, "long"), ("../etc", "signs"),
        ("..", "signs"), ("a/b", "signs"), ("a\\b", "signs"), ("c:", "signs"), ("a\0b", "signs"), ("a\u202eb", "signs"),
        ("<b>", "signs"), ("a\x1b[2J", "signs"), ("- . '", "signs"), ("🙂", "signs"),
    ],
)  # fmt: skip
def test_what_is_no_name(typed: str, why: str) -> None:
    with pytest.raises(names.BadName) as refused:
        names.learner(typed)
    assert refused.value.why == why and has(f"serve.name.{why}")


def test_a_new_folder_has_the_name_and_an_old_one_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asha = names.learner("Asha")
    place = folders.folder(folders.root(), asha, "hi-Latn")
    assert place == home / "learners" / asha.folder
    kept = (place / "settings.toml").read_text()
    assert 'name = "Asha"' in kept and 'language = "hi-Latn"' in kept
    (place / "settings.toml").write_text('name = "Queen"\n')
    monkeypatch.setattr(folders, "MOST_FOLDERS", 1)
    assert folders.folder(folders.root(), names.learner("ASHA"), None) == place
    assert (place / "settings.toml").read_text() == 'name = "Queen"\n'
    with pytest.raises(folders.TooMany):
        folders.folder(folders.root(), names.learner("Ravi"), None)


# --- who may talk to it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8808", True), ("localhost", True), ("LOCALHOST:1", True), ("[::1]:8808", True),
        ("192.168.1.5:8808", True), ("class.example:443", True), ("evil.example", False), ("", False),
        ("localhost.evil.example", False), ("127.0.0.1.evil.example", False), ("evil.example@localhost", False),
        ("[::1", False), ("localhost/x", False),
    ],
)  # fmt: skip
def test_hosts(host: str, known: bool) -> None:
    assert Doorkeeper(["class.example"]).knows(host) is known


@pytest.mark.parametrize(
    ("origin", "host", "admitted"),
    [
        ("http://127.0.0.1:8808", "127.0.0.1:8808", True), ("https://class.example", "class.example", True),
        ("http://localhost:8808", "127.0.0.1:8808", False), ("http://127.0.0.1:3000", "127.0.0.1:8808", False),
        ("http://evil.example", "evil.example", False), ("null", "localhost", False), ("", "localhost", False),
        ("file://localhost", "localhost", False), ("http://[", "localhost", False),
    ],
)  # fmt: skip
def test_origins(origin: str, host: str, admitted: bool) -> None:
    assert Doorkeeper(["class.example"]).admits({"Origin": origin, "Host": host}) is admitted


# --- what a browser says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('["stdin", "1.07 GB\\r"]', talk.Typed(b"1.07 GB\r")),
        ('["stdin", "\\ud800"]', talk.Typed(b"?")),
        ('["resize", {"width": 100, "height": 30}]', talk.Resized(100, 30)),
        ('["resize", {"width": 1e9, "height": 30}]', None),
        ('["resize", {"width": 1000000000, "height": -3}]', talk.Resized(500, 5)),
        ('["ping", "17"]', talk.Ping("17")),
        ('["focus"]', talk.Focus(True)),
        ('["blur"]', talk.Focus(False)),
        ('["stdin", 7]', None), ('["stdin"]', None), ("[]", None), ("7", None), ("{", None), ("[" * 10**5, None),
    ],
)  # fmt: skip
def test_messages(text: str, said: talk.Said | None) -> None:
    assert talk.read(text) == said


def test_a_flood_is_read_slowly_and_typing_is_not() -> None:
    meter = talk.Meter(0.0)
    assert [meter.wait(10, second / 10) for second in range(100)] == [0.0] * 100
    assert meter.wait(limits.BURST, 10.0) == pytest.approx(0.0)
    assert meter.wait(limits.RATE * 3, 10.0) == pytest.approx(3.0)
    assert meter.wait(0, 13.0) == 0.0


def test_a_learners_process_gets_none_of_our_secrets(tmp_path: Path) -> None:
    ours = {"PATH": "/bin", "HF_TOKEN": "x", "HOME": "/root", "LC_ALL": "C", "LLM_TUTOR_LANG": "en", "PYTHONPATH": "p"}
    made = student.environment(ours, tmp_path, 80, 24)
    assert not {"HF_TOKEN", "LLM_TUTOR_LANG"} & made.keys()
    assert (made["PATH"], made["LC_ALL"], made["HOME"]) == ("/bin", "C", str(tmp_path))
    assert made["LLM_TUTOR_HOME"] == str(tmp_path) and served.VARIABLE in made


# --- the pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", LANGS)
def test_pages_are_in_both_languages_and_escape_what_is_typed(first: str) -> None:
    made = pages.Pages("hi-Latn" if first == "hi-Latn" else "en", 90.0)
    asked = made.enter(400, "signs", '"><script>').text or ""
    assert f'<html lang="{first}">' in asked and 'value="&quot;&gt;&lt;script&gt;"' in asked
    for lang in LANGS:
        assert say("serve.page.name", lang) in asked
    shown = made.learn(names.learner("O'Neill")).text or ""
    assert "<title>llm-tutor: O&#x27;Neill</title>" in shown and 'data-socket="/ws/O%27Neill"' in shown
    assert "1.5 minutes" in shown and "$" not in shown


def test_every_end_has_words_and_a_code_that_the_page_knows() -> None:
    program = pages.FILES["page.js"][0].read_text()
    assert set(CODES) | {"too_much", "lost"} == set(pages.ENDS)
    assert all(f'{code}: "{why}"' in program for why, code in CODES.items())
    assert all(path.is_file() for path, _ in pages.FILES.values())


# --- in the app ------------------------------------------------------------------------------------------------------


def test_a_browser_shows_keys_that_it_leaves_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {command.id: keys.keys_of(command, {}) for command in keys.TABLE}
    monkeypatch.setenv(served.VARIABLE, "1")
    for command in keys.TABLE:
        found = keys.keys_of(command, {})
        assert sorted(found) == sorted(before[command.id])
        assert not keys.of_browsers(found[0]), command.id
    shown = {command.id for scope in ("app", "exercise", "diagnose", "probe") for command in keys.offered(scope)}  # type: ignore[arg-type]
    assert not shown & served.CLOSED and {"hint", "language", "diagnose", "command"} & shown


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--host", "0.0.0.0"), "there is no password and no encryption"),
        (("--host", "no such host"), "is no address of this machine"),
        (("--host", ""), "is no address of this machine"),
        (("--host", "192.0.2.1", "--expose"), "is not an address of this machine"),
        (("--port", "65536"), "--port takes a number from 0 to 65535, not 65536."),
        (("--port", "-1"), "--port takes a number from 0 to 65535, not -1."),
        (("--learners", "0"), "--learners takes a number from 1 to 200, not 0."),
        (("--idle", "nan"), "--idle takes a number from 1 to 1440, not nan."),
        (("--idle", "soon"), "--idle takes a number from 1 to 1440, not soon."),
    ],
)
def test_what_the_command_refuses(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["serve", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and sentence in told.err
    assert cli.run(["serve", *words, "--lang", "hi-Latn"]) == 2
    assert sentence not in capsys.readouterr().err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert cli.run(["serve", "--port", str(port)]) == 2
    assert capsys.readouterr().err.startswith(f"llm-tutor: Port {port} of 127.0.0.1 is taken")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    assert cli.run(["serve"]) == 2
    assert "python -m pip install" in capsys.readouterr().err
