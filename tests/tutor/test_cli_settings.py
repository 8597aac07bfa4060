"""`llm-tutor config`: settings read and changed, damaged ones told once."""

from __future__ import annotations

from pathlib import Path

from tests.tutor.command import Tutor


def test_config_reads_and_changes(tutor: Tutor, tmp_path: Path) -> None:
    assert str(tmp_path / "home") in tutor("config").out
    assert tutor("config", "theme", "nord").out == "theme is now nord.\n"
    tutor("config", "language", "hinglish")
    assert tutor.json("config")["values"]["theme"]["value"] == "nord"
    assert tutor("config", "theme").out.startswith("theme = nord")
    assert "Kaise likhein" in tutor("--help").out, "the saved language speaks"
    assert tutor("config", "keep_unexplained", "nahi").out == "keep_unexplained ab off hai.\n"
    assert tutor.json("config", "keep_unexplained", "haan")["value"] == "on"
    tutor("config", "keys.hint", "f12")
    keys = {row["id"]: row["keys"] for row in tutor.json("keys")["keys"]}
    assert keys["hint"] == ["f12"]
    tutor("config", "keys.hint", "default")
    assert tutor.json("config")["keys"] == {}


def test_a_damaged_settings_file_is_told_once_and_stops_nothing(tutor: Tutor, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.toml").write_text("[[[")
    first, second = tutor("--help"), tutor("--help")
    assert (first.status, second.status) == (0, 0)
    assert first.err.count("\n") == 1
    assert second.err == ""


def test_bad_settings_are_told_once_in_the_language_of_the_run(tutor: Tutor, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    file = tmp_path / "home" / "settings.toml"
    file.write_text('theme = 3\nmotion = "sometimes"\n[keys]\nhint = "f12"\nskip = 3\nsolution = "enter"\n')
    ran = tutor("--lang", "hi-Latn", "config")
    assert ran.err.count("\n") == 1
    assert "default chal raha hai: theme, motion, keys.skip, keys.solution. `llm-tutor config" in ran.err
    assert "keys.hint = f12" in ran.out
    tutor("config", "theme", "nord")
    text = file.read_text()
    assert 'theme = "nord"' in text and "theme = 3" not in text
    assert 'motion = "sometimes"' in text and "skip = 3" in text and 'solution = "enter"' in text, "kept as they were"
    tutor("config", "keys.skip", "f8")
    assert tutor("config").err.endswith("motion, keys.solution. `llm-tutor config NAME VALUE` sets it anew.\n")


def test_a_key_that_another_command_has_is_refused_with_what_to_do_next(tutor: Tutor, tmp_path: Path) -> None:
    said = tutor.refused("config", "keys.hint", "F2")
    assert "keys.hint cannot be F2: language has this key" in said and "llm-tutor config keys.language KEY" in said
    assert tutor.json("config")["keys"] == {}, "and nothing was changed"
    tutor("config", "keys.language", "f12")
    assert tutor("config", "keys.hint", "f2").out == "keys.hint is now f2.\n"
    assert tutor("config", "keys.language", "default").status == 0, "the way back is never closed"
    assert "hint cannot have F2, for language has this key" in tutor("keys").err
    assert tutor("config", "keys.jump", "J, alt+d").out == "keys.jump is now J,alt+d.\n"
