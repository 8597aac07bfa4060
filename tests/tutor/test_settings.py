"""Settings, languages and the places of files."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import platformdirs
import pytest

from content.lang import LANGS
from content.words import say
from tutor import cli, keychoice, keys, language, paths, settings, settingsfile
from tutor.problems import problem_text
from tutor.progress import memory_progress
from tutor.session import Session
from tutor.settings import SETTINGS, Settings


@pytest.mark.parametrize("data", [None, "/data", "relative", ""])
def test_home_is_where_platformdirs_would_put_it(monkeypatch: pytest.MonkeyPatch, data: str | None) -> None:
    monkeypatch.delenv("LLM_TUTOR_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    if data is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", data)
    assert paths.home() == platformdirs.user_data_path("llm-tutor", appauthor=False)


def test_the_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "here"))
    assert {paths.home(), paths.database().parent, paths.settings_file().parent} == {tmp_path / "here"}


def test_settings_round_trip(tmp_path: Path) -> None:
    chosen = Settings(
        "hi-Latn", "nord", "off", 'A "name" \\ हाँ', True, {"hint": "f12", "odd key": "a"}, {"later": [1, "x"]}, False
    )
    settingsfile.save(tmp_path / "new" / "settings.toml", chosen)
    loaded, problem = settingsfile.load(tmp_path / "new" / "settings.toml")
    assert loaded == chosen
    assert problem is not None and problem.unknown == ("later", "keys.odd key")
    left = {path.name for path in (tmp_path / "new").iterdir()} - {"settings.toml.lock"}
    assert left == {"settings.toml"}, "no temporary file is left"


def test_what_a_later_version_wrote_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "nord"\nfuture = false\nsince = 2026-01-02\n[review]\nper_day = 20\n')
    chosen, problem = settingsfile.load(file)
    assert problem is not None and (problem.detail, problem.unknown) == ("", ("future", "since", "review"))
    settingsfile.save(file, chosen._replace(theme="dracula"))
    assert settingsfile.load(file)[0] == chosen._replace(theme="dracula")


def test_a_file_that_is_no_toml_is_set_aside_and_told_once(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"theme = \xff\n")
    chosen, problem = settingsfile.load(file)
    assert chosen == Settings()
    assert problem is not None
    assert problem.aside is not None
    assert problem.aside.read_bytes() == b"theme = \xff\n"
    assert settingsfile.load(file) == (Settings(), None)


BAD = (
    "theme = 'nope'",
    "theme = 3",
    "ascii = 1",
    'name = "\\u001b[2J"',
    'keys = "x"',
    "language = false",
    'theme = "no such!"',
)


@pytest.mark.parametrize("line", BAD)
def test_a_bad_value_falls_back_alone(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'{line}\nmotion = "off"\n')
    chosen, problem = settingsfile.load(file)
    assert problem is not None
    assert (problem.kind, problem.detail) == ("value", line.split()[0])
    assert chosen._replace(extra={}) == Settings(motion="off")
    settingsfile.save(file, chosen)
    assert settingsfile.load(file) == (chosen, problem), "the bad value stays in the file until another one is chosen"


def test_one_bad_key_leaves_the_others(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[keys]\nhint = "f12"\nskip = 3\nsolution = "enter"\nlater-command = "f5"\nhome = "ctrl+q"\n')
    chosen, problem = settingsfile.load(file)
    assert chosen.keys == {"hint": "f12", "later-command": "f5"}
    assert problem is not None
    assert problem.detail == "keys.skip, keys.solution, keys.home"
    assert problem.unknown == ("keys.later-command",)


@pytest.mark.parametrize(
    ("written", "held", "lost"),
    [
        ('help = "f2"', {}, [("help", "f2", "language")]),
        ('help = "f2"\nlanguage = "f1"', {"help": "f2", "language": "f1"}, []),
        ('language = "f12"\nhelp = "f12"', {"language": "f12"}, [("help", "f12", "language")]),
        ('hint = "f12"\nskip = "f12"', {"hint": "f12"}, [("skip", "f12", "hint")]),
        ('jump = "f1"\nhelp = "f2"', {}, [("help", "f2", "language"), ("jump", "f1", "help")]),
        ('open = "r"\nrevise = "x"', {"open": "r", "revise": "x"}, []),
    ],
)
def test_of_two_commands_that_want_one_key_neither_is_without(
    tmp_path: Path, written: str, held: Mapping[str, str], lost: list[tuple[str, str, str]]
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"[keys]\n{written}\n")
    chosen, problem = settingsfile.load(file)
    assert chosen.keys == held
    assert list(keys.clashes(chosen.keys)) == []
    found = [] if problem is None else [(one.action, one.key, one.other) for one in problem.taken]
    assert found == lost
    settingsfile.save(file, chosen)
    assert settingsfile.load(file) == (chosen, problem), "what lost stays in the file until another one is chosen"


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_told_of_a_lost_key_names_the_file_and_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: language.Lang
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    file = tmp_path / "settings.toml"
    file.write_text('theme = "nope"\nfuture = 1\n[keys]\nhelp = "f2"\n')
    assert cli.run(["keys", "--lang", lang]) == 0
    told = capsys.readouterr().err
    assert told.count("\n") == told.count(str(file)) == 1
    assert "F2" in told and "`llm-tutor config keys.help KEY`" in told
    assert "theme" in told and "future" in told
    for step in (["keys.help", "f12"], ["theme", "nord"]):
        assert cli.run(["config", *step, "--lang", lang]) == 0
    capsys.readouterr()
    assert cli.run(["keys", "--lang", lang]) == 0
    told = capsys.readouterr().err
    assert "future" in told and "F2" not in told and "theme" not in told
    session = Session.start(lang)
    with closing(session.progress):
        assert [f"llm-tutor: {one}\n" for one in session.notices()] == [told]


def test_the_themes_known_without_textual_are_its_own() -> None:
    assert set(settings.THEMES) <= set(settings._themes())


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "x = " + "[" * 9999, "a." * 99_999 + "a = 1", "x = 1\nx = 2"])
def test_a_file_that_cannot_be_parsed_is_set_aside(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    chosen, problem = settingsfile.load(file)
    assert chosen == Settings()
    assert problem is not None and problem.kind == "damaged"


def test_a_pipe_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.toml")
    problem = settingsfile.load(tmp_path / "settings.toml")[1]
    assert problem is not None and problem.kind == "unreadable"


@pytest.mark.parametrize(
    ("action", "wanted", "reason"),
    [
        ("hint", "f3,ctrl+t", None),
        ("hint", "alt+question_mark", None),
        ("hint", "ctrl+alt+k", None),
        ("hint", "f25", "unknown"),
        ("hint", "ctrl", "unknown"),
        ("hint", "control+t", "unknown"),
        ("hint", "escape", "reserved"),
        ("hint", "ctrl+m", "reserved"),
        ("check", "enter", None),
        ("hint", "f3,x", "typed"),
        ("hint", "backspace", "typed"),
        ("jump", "j,f6", None),
        ("jump", "J", "typed"),
        ("next", "space", None),
        ("figure-command", "right", "figure"),
        ("copy-figure", "f12,y", None),
    ],
)
def test_which_keys_a_command_can_have(action: str, wanted: str, reason: str | None) -> None:
    found = keychoice.trouble(action, keychoice.spelled(wanted))
    assert (found and found.reason) == reason


def test_every_key_of_our_own_is_one_that_could_be_chosen() -> None:
    from textual.keys import _character_to_key

    for command in keys.TABLE:
        assert all(keychoice._exists(key) for key in command.keys)
    for sign in map(chr, range(33, 127)):
        assert keychoice.spelled(sign) == _character_to_key(sign) or sign == ","
    assert keychoice.leaves_quit({})


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    chosen, problem = settingsfile.load(tmp_path)
    assert chosen == Settings()
    assert problem is not None
    assert problem.kind == "unreadable"


@pytest.mark.parametrize("lang", LANGS)
def test_every_setting_has_words(lang: language.Lang) -> None:
    for name in (*(setting.name for setting in SETTINGS), "keys"):
        assert say(f"settings.{name}.help", lang)
        assert say(f"settings.{name}.label", lang)


def test_every_default_is_a_value_of_its_setting() -> None:
    for setting in SETTINGS:
        assert setting.parse(settings.shown(setting.default)) == setting.default
        assert not setting.options() or settings.shown(setting.default) in setting.options()


# --- language ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flag", "variable", "saved", "chosen"),
    [
        (None, None, None, "en"),
        (None, None, "hi-Latn", "hi-Latn"),
        (None, "en", "hi-Latn", "en"),
        ("hinglish", "en", None, "hi-Latn"),
        ("HI_latn", None, None, "hi-Latn"),
        (None, "", "hi-Latn", "hi-Latn"),
    ],
)
def test_the_flag_outranks_the_variable_outranks_the_choice(
    flag: str | None, variable: str | None, saved: language.Lang | None, chosen: str
) -> None:
    assert language.choose(flag, variable, saved) == chosen


@pytest.mark.parametrize(
    ("flag", "variable", "where"), [("xx", None, "--lang"), (None, "xx", "LLM_TUTOR_LANG"), ("", None, "--lang")]
)
def test_an_unknown_language_says_where_it_stood(flag: str | None, variable: str | None, where: str) -> None:
    with pytest.raises(language.UnknownLanguage) as caught:
        language.choose(flag, variable, "en")
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("locale", "proposed"), [("hi_IN.UTF-8", "hi-Latn"), ("en_US", "en"), ("", "en"), ("hil_PH", "en")]
)
def test_the_locale_only_proposes(monkeypatch: pytest.MonkeyPatch, locale: str, proposed: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    assert language.propose() == proposed
    assert language.choose(None, None, None) == "en"


def test_a_date_without_quotes_is_a_date(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("exam_date = 2026-12-04\n")
    chosen, problem = settingsfile.load(file)
    assert (chosen.exam_date, problem) == ("2026-12-04", None)
    settingsfile.save(file, chosen)
    assert settingsfile.load(file) == (chosen, None)


@pytest.mark.parametrize("line", ["exam_date = 2026-12-04T10:00:00", "exam_date = 10:00:00", "name = 2026-12-04"])
def test_a_moment_is_no_day_and_a_day_no_name(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line + "\n")
    chosen, problem = settingsfile.load(file)
    assert chosen == Settings(extra=chosen.extra)
    assert problem is not None and problem.detail == line.split()[0]


def test_no_exam_is_said_to_be_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    for typed in ("", "off", "OFF"):
        assert cli.run(["config", "exam_date", typed]) == 0
        said = capsys.readouterr().out
        assert "off" in said.lower() and "= -" not in said
    assert cli.run(["config", "exam_date", "2027-01-31"]) == 0
    assert "2027-01-31" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "kept"), [("language", "ask"), ("placement", "off"), ("name", "-")])
def test_a_setting_set_to_nothing_is_told_as_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, kept: str
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    assert cli.run(["config", name, ""]) == 0
    assert capsys.readouterr().out == say("cli.config.saved", "en", name=name, value=kept) + "\n"


def test_a_glance_tells_and_moves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert settingsfile.glance(path) == Settings() == settingsfile.glance(tmp_path)
    path.write_text("[[[")
    assert settingsfile.glance(path) == Settings() and path.read_text() == "[[["
    path.write_text('ascii = "on"\nmotion = 7\n')
    assert settingsfile.glance(path).ascii
    os.mkfifo(tmp_path / "pipe")
    assert settingsfile.glance(tmp_path / "pipe") == Settings()


def large(file: Path) -> None:
    file.write_text('name = "Bob"\n#' + "x" * settingsfile.MAX_SIZE)


def denied(file: Path) -> None:
    file.write_text('name = "Bob"\n')
    file.chmod(0)


def refused(path: Path) -> bytes:
    raise PermissionError(13, "", path)


UNREADABLE: Mapping[str, Callable[[Path], None]] = {
    "denied": denied,
    "large": large,
    "no_file": os.mkfifo,
    "no_home": lambda file: file.parent.touch(),
}


@pytest.mark.parametrize("why", UNREADABLE)
@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], why: str, lang: language.Lang
) -> None:
    home = tmp_path / "home"
    if why != "no_home":
        home.mkdir()
    UNREADABLE[why](home / "settings.toml")
    if why == "denied":  # of its owner alone: root reads it all the same
        monkeypatch.setattr(Path, "read_bytes", refused)
    before = [(one.name, one.stat().st_size) for one in home.iterdir()] if home.is_dir() else home.read_bytes()
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    assert cli.run(["config", "motion", "off", "--lang", lang]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.partition(": ")[2] for line in err.splitlines()] == [
        say(f"settings.problem.unreadable_{why}", lang, path=home / "settings.toml"),
        say("cli.config.spared", lang, name="motion", path=home / "settings.toml"),
    ]
    assert before == (
        [(one.name, one.stat().st_size) for one in home.iterdir()] if home.is_dir() else home.read_bytes()
    )


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("number", "why"), [(errno.ENOSPC, "full"), (errno.EACCES, "denied"), (errno.EROFS, "readonly")]
)
def test_why_settings_are_not_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: language.Lang, number: int, why: str
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))

    def refuse(path: Path, chosen: Settings, before: Settings) -> None:
        raise OSError(number, "", str(path))

    monkeypatch.setattr(settingsfile, "save", refuse)
    with closing(memory_progress(tmp_path / "none")) as progress:
        session = Session(lang, Settings(), progress)
        session.set_language(lang)
    (told,) = session.notices()
    assert say(f"cli.os.{why}", lang) in told and str(tmp_path / "settings.toml") in told


def test_the_app_spares_what_it_cannot_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    large(tmp_path / "settings.toml")
    with closing(memory_progress(tmp_path / "none")) as progress:
        session = Session("en", Settings(), progress)
        session.change(motion="off")
    assert session.settings.motion == "off"
    assert session.notices() == [say("settings.problem.spared", "en", path=tmp_path / "settings.toml")]
    assert (tmp_path / "settings.toml").stat().st_size > settingsfile.MAX_SIZE


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "not_text"),
        (b"x = " + b"[" * 99 + b"]" * 99, "deep"),
        (b"x = " + b"9" * 99, "number"),
        (b"\n[", "end"),
        (b"\n[\n", "2"),
    ],
)
def test_why_a_file_is_set_aside_is_said(tmp_path: Path, data: bytes, why: str) -> None:
    for _ in range(2):
        (tmp_path / "settings.toml").write_bytes(data)
        problem = settingsfile.load(tmp_path / "settings.toml")[1]
        assert problem is not None and problem.detail == why
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [data, data], "of one second both copies are kept"
    assert problem is not None
    for lang in LANGS:
        told = say("settings.why.line" if why == "2" else f"settings.why.{why}", lang, line=2)
        assert told in problem_text(problem, lang)


def test_what_another_program_chose_meanwhile_stays(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "nord"\nunknown = 5\n\n[keys]\nhint = "alt+8"\nhelp = "alt+9"\n', encoding="utf-8")
    mine, _ = settingsfile.load(file)
    other, _ = settingsfile.load(file)
    settingsfile.save(file, settings.with_key(other, "hint", "alt+7")._replace(exam_date="2027-01-31"), other)
    wanted = settings.with_key(settings.changed(mine, {"theme": "dracula", "language": "en"}), "help", "")
    settingsfile.save(file, wanted, mine)
    now, trouble = settingsfile.load(file)
    assert (now.theme, now.language, now.exam_date) == ("dracula", "en", "2027-01-31")
    assert dict(now.keys) == {"hint": "alt+7"}
    assert now.extra == {"unknown": 5} and trouble is not None and trouble.unknown == ("unknown",)


def test_a_file_that_was_taken_away_is_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    before = Settings(theme="nord", exam_date="2027-01-31")
    settingsfile.save(file, before._replace(motion="off"), before)
    assert settingsfile.load(file)[0] == before._replace(motion="off")


def test_two_sessions_keep_what_each_has_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    first, second = Session.start("en"), Session.start("en")
    try:
        first.change(motion="off")
        second.change(theme="nord")
        first.set_language("hi-Latn")
        second.change(motion="on")
    finally:
        first.close()
        second.close()
    now = settingsfile.load(tmp_path / "settings.toml")[0]
    assert (now.motion, now.theme, now.language) == ("on", "nord", "hi-Latn")


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    values = {"name": "n", "exam_date": "2027-01-31", "quiz_count": "7", "quiz_new": "3"}
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path), "LLM_TUTOR_LANG": "en"}
    running = [
        subprocess.Popen([sys.executable, "-m", "tutor", "config", name, value], env=env, stdout=subprocess.DEVNULL)
        for name, value in values.items()
    ]
    assert [one.wait(60) for one in running] == [0] * len(values)
    now = settingsfile.load(tmp_path / "settings.toml")[0]
    assert {name: str(getattr(now, name)) for name in values} == values
