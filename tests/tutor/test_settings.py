"""Settings, languages and the places of files."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from content.lang import LANGS
from content.words import say
from tutor import language, paths, settings
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
        "hi-Latn", "nord", "off", 'A "name" \\ हाँ', True, {"hint": "f12", "odd key": "a"}, {"later": [1, "x"]}
    )
    settings.save(tmp_path / "new" / "settings.toml", chosen)
    assert settings.load(tmp_path / "new" / "settings.toml") == (chosen, None)
    assert list((tmp_path / "new").iterdir()) == [tmp_path / "new" / "settings.toml"], "no temporary file is left"


def test_what_a_later_version_wrote_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "nord"\nprobe = false\nsince = 2026-01-02\n[review]\nper_day = 20\n')
    chosen, problem = settings.load(file)
    assert problem is None
    settings.save(file, chosen._replace(theme="dracula"))
    assert settings.load(file)[0] == chosen._replace(theme="dracula")


def test_a_file_that_is_no_toml_is_set_aside_and_told_once(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"theme = \xff\n")
    chosen, problem = settings.load(file)
    assert chosen == Settings()
    assert problem is not None
    assert problem.aside is not None
    assert problem.aside.read_bytes() == b"theme = \xff\n"
    assert settings.load(file) == (Settings(), None)


BAD = ("theme = 3", "ascii = 1", 'name = "\\u001b[2J"', 'keys = "x"', "language = false", 'theme = "no such!"')


@pytest.mark.parametrize("line", BAD)
def test_a_bad_value_falls_back_alone(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'{line}\nmotion = "off"\n')
    chosen, problem = settings.load(file)
    assert problem is not None
    assert (problem.kind, problem.detail) == ("value", line.split()[0])
    assert chosen == Settings(motion="off")
    assert file.exists()


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    chosen, problem = settings.load(tmp_path)
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
