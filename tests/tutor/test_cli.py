"""The command line from outside: help, version, what is loaded, and a mistake as one sentence. Never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS, Lang
from content.words import has, say
from tests.tutor.command import KV, ROOT, Tutor
from tutor import __version__, cli
from tutor.commands import files
from tutor.commands.context import Refusal
from tutor.commands.help import USAGE


def test_version_and_pyproject_agree(tutor: Tutor) -> None:
    assert tutor("--version") == (0, f"llm-tutor {__version__}\n", "")
    assert tutor.json("--version") == {"version": __version__}


@pytest.mark.parametrize("lang", LANGS)
def test_help_names_every_command_and_every_argument_in_words(tutor: Tutor, lang: str) -> None:
    overview = tutor("--help", "--lang", lang)
    assert overview.status == 0
    for name in cli.COMMANDS:
        assert f"  {name} " in overview.out
        page = tutor(name, "--help", "--lang", lang)
        assert (page.status, page.err) == (0, "")
        assert all(f"llm-tutor {name} {usage}".strip() in page.out for usage in USAGE[name][:1])
        for declared in cli.parser(name).declared:
            assert (declared.written if declared.key else declared.option) in page.out
            assert has(declared.key or f"cli.{name}.further")
    assert tutor("-h", "--lang", lang) == overview


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("chekc",), "There is no command chekc. Did you mean check?"),
        (("zzz",), "There is no command zzz. The commands are: study, placement, quiz, diagnose,"),
        (("check", "a", "b", "--jsno"), "There is no option --jsno here. Did you mean --json?"),
        (("--plian",), "There is no option --plian here. Did you mean --plain?"),
        (("keys", "--lang"), "The option --lang needs a value behind it."),
        (("check", "--batch"), "The option --batch needs a value behind it."),
        (("keys", "extra"), "keys: there is one word too many, extra. `--help`"),
        (("course", "list", "x"), "x has no place in course list."),
        (("calc", "x", "--batch", "-"), "x has no place in calc --batch."),
        (("export", "pdf"), "Nothing can be exported as pdf. There is: anki."),
        (("progress", "export"), "progress export needs FILE (progress export progress.json)."),
        (
            ("check", "core/L2.1/kv", "1.07", "GB"),
            "check: there is one word too many, GB. What has blanks in it goes into quotes.",
        ),
        (("--lang", "xx", "keys"), "--lang: the language xx is not here. There is: en, hi-Latn."),
        (("--lang=enn", "keys"), "--lang: the language enn is not here. Did you mean en?"),
        (("check", "core/L2.1/kx", "1"), "The course has no id core/L2.1/kx. The closest are: core/L2.1/kv"),
        (("check", "core/C2", "1"), "core/C2 is not a single part. Parts of its exercises are: core/L1.2/two, "),
        (("check", "core/L2.1", "1"), "core/L2.1 is not a single part. Its parts are: core/L2.1/kv, core/L2.1/gqa8."),
        (("check",), "check needs ID"),
        (("check", "core/L2.1/kv"), "check needs ANSWER"),
        (("check", "--batch", "/no/such/file"), "/no/such/file cannot be read: there is no such file; check the path."),
        (("check", "--batch", "/"), "/ cannot be read: it is a folder; a file is needed."),
        (("course", "shwo"), "course cannot shwo. Did you mean show?"),
        (("course", "show", "core/L9"), "The course has no id core/L9."),
        (("config", "theem"), "There is no setting theem. Did you mean theme?"),
        (("config", "theme", "nrod"), "theme cannot be nrod. Did you mean nord?"),
        (("config", "language", "xx"), "language cannot be xx. It can be: ask, en, hi-Latn."),
        (("config", "name", "\x1b[2J"), "name cannot be �[2J: it must be one short line."),
        (("config", "keys.hnit", "f9"), "No command of the app is called hnit. Did you mean hint?"),
        (("completion", "fish"), "There is no completion for the shell fish. There is one for: bash, zsh, tcsh."),
        (("progress", "import"), "progress import needs FILE"),
        (("progress", "reset"), "reset asks first, and here is no terminal to ask on: add --yes."),
        (("calc", "kv_cahe"), "There is no formula kv_cahe. Did you mean kv_cache?"),
        (("calc", "kv_cache", "B"), "B is no NAME=VALUE."),
        (("calc", "kv_cache", "B=1", "S=1"), "kv_cache still needs L, n_kv_heads, d_head, p."),
        (("calc", "kv_cache", "Z=1"), "kv_cache has no symbol Z."),
        (("calc", "codes", "b=1e999999999"), "b cannot be 1e999999999: it must be a number"),
        (("calc", "codes", "b=99999"), "codes has no value here: the numbers grow too large."),
        (("calc", "codes", "b=8", "unit=GB"), "codes cannot be shown in GB."),
        (("calc", "codes", "b=8", "b=8"), "b is given twice."),
        (("calc", "codes", "b=8", "unit=x", "unit=x"), "unit is given twice."),
        (("calc", "codes", "b=0"), "b cannot be 0: it must be above zero."),
        (("calc", "kv_cache", "B=-1"), "B cannot be -1: it must be above zero."),
        (("calc", "ridge", "bandwidth=-2TB/s"), "bandwidth cannot be -2TB/s: it must be above zero."),
        (("calc", "headroom", "reserve=-1GB"), "reserve cannot be -1GB: it must not be below zero."),
        (("-x",), "There is no option -x here."),
        (("study", "-x"), "There is no option -x here."),
        (("check", "-x", "1"), "There is no option -x here."),
        (("progress", "show", "-y"), "There is no option -y here. The options are: --yes,"),
        (("study", "nope"), "The course has no id nope. `llm-tutor course list` shows all ids."),
        (("study", "core/x"), "The course has no id core/x. `llm-tutor course list` shows all ids."),
        (("study", ""), 'The course has no id "".'),
        (("",), 'There is no command "".'),
        (("progress", "export", ""), "progress export needs FILE"),
        (("progress", "import", ""), "progress import needs FILE"),
        (("progress", "import", "/no/such"), "/no/such cannot be read: there is no such file; check the path."),
        (("progress", "export", "/"), "/ cannot be written: it is a folder; a file is needed. Nothing was changed."),
        (("config", "keys.hint", "foo"), "keys.hint cannot be foo: no key is called that."),
        (("config", "keys.hint", "f9,,f2"), 'keys.hint cannot be "": no key is called that.'),
        (("config", "keys.hint", "enter"), "keys.hint cannot be enter: this key keeps its meaning"),
        (("config", "keys.jump", "ctrl+c"), "keys.jump cannot be ctrl+c: this key keeps its meaning"),
        (("config", "keys.hint", "?"), "keys.hint cannot be question_mark alone: answers are typed with it."),
        (("config", "keys.quit", "q"), "keys.quit cannot be q alone: answers are typed with it."),
        (("config", "keys.language", "ctrl+q"), "keys.language cannot be ctrl+q: no key would be left to quit"),
    ],
)
def test_a_mistake_is_one_sentence_that_says_what(tutor: Tutor, argv: tuple[str, ...], sentence: str) -> None:
    assert tutor.refused(*argv).startswith(sentence)


def test_a_mistake_is_told_in_the_readers_language(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "chekc naam ki koi command nahi hai. Kya tumhara matlab check tha?"
    assert tutor.refused("chekc", "--lang", "hi-Latn") == said
    monkeypatch.setenv("LLM_TUTOR_LANG", "hi-Latn")
    assert "Kya tumhara matlab" in tutor.refused("chekc")
    assert "Did you mean" in tutor.refused("--lang", "en", "chekc")
    monkeypatch.setenv("LLM_TUTOR_LANG", "xx")
    assert tutor.refused("chekc").startswith(("LLM_TUTOR_LANG: ", "There is no command"))


def test_with_json_a_refusal_is_a_document_too(tutor: Tutor) -> None:
    for argv in (("check", "nowhere", "1"), ("study",), ("check", KV, "1.07", "--lang", "xx")):
        assert set(tutor.json(*argv, status=2)["error"]) == set(LANGS)


def test_start_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = ("textual", "rich", "sympy", "numpy", "sqlite3", "platformdirs", "importlib.metadata", "shtab", "pathlib")
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    for argv in (["--help"], ["check", KV, "1.07 GB"], ["check", KV, "0.537", "--json"]):
        loaded = f"[name for name in {heavy!r} if name in sys.modules]"
        code = f"import sys; from tutor import cli; cli.run({argv!r}); print({loaded}, file=sys.stderr)"
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr.strip() == "[]", argv


def test_every_word_of_the_command_line_has_both_languages() -> None:
    from content.files import shipped
    from content.words import placeholders

    def walk(table: dict[str, Any], key: str) -> None:
        if set(table) == set(LANGS):
            assert sorted(set(placeholders(table["en"]))) == sorted(set(placeholders(table["hi-Latn"]))), key
            return
        for name, inside in table.items():
            walk(inside, f"{key}.{name}")

    for file in ("cli", "settings"):
        walk(shipped(f"words/{file}.toml"), file)
    assert say("cli.help.usage", "en") == "Usage:"


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_read_is_named(tutor: Tutor, tmp_path: Path, lang: Lang) -> None:
    """An empty path is no file, and what lies too deep is named."""
    said = tutor("diagnose", "", "--lang", lang)
    assert (said.status, said.out) == (2, "") and say("cli.error.no_file", lang) in said.err
    (tmp_path / "config.json").write_text("[" * 5000)
    for command in ("diagnose", "plan"):
        said = tutor(command, "--model", str(tmp_path), "--lang", lang)
        assert said.status == 2 and str(tmp_path)[:20] in said.err
    refused = Refusal("cli.error.too_large", path=files.shown("-"), mib=1)
    assert say("cli.error.stdin", lang) in refused.text(lang)
