"""The command line from outside: what is printed where, and the exit status. Never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from content.lang import LANGS, Lang
from content.words import has, say
from tutor import __version__, cli
from tutor.commands import files
from tutor.commands.context import Refusal
from tutor.commands.help import USAGE

ROOT = Path(__file__).parents[2]


class Ran(NamedTuple):
    status: int
    out: str
    err: str


class Tutor:
    """Runs command lines in this process, as `llm-tutor` would; :meth:`process` runs a real one."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *argv: str) -> Ran:
        status = cli.run(argv)
        captured = self._capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    def json(self, *argv: str, status: int = 0) -> Any:
        ran = self(*argv, "--json")
        assert ran.status == status, ran
        return json.loads(ran.out)

    def refused(self, *argv: str) -> str:
        """The one sentence of a refusal."""
        ran = self(*argv)
        assert (ran.status, ran.out) == (2, ""), ran
        assert ran.err.startswith("llm-tutor: ")
        assert ran.err.count("\n") == 1
        return ran.err.removeprefix("llm-tutor: ").strip()


@pytest.fixture
def tutor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tutor:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return Tutor(capsys)


def process(
    argv: Sequence[str], home: Path, stdin: bytes = b"", env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """A whole process, with bytes in and out."""
    environment = {**os.environ, "LLM_TUTOR_HOME": str(home), **(env or {})}
    command = [sys.executable, "-m", "tutor", *argv]
    given = {} if "stdin" in options else {"input": stdin}
    return subprocess.run(
        command, cwd=ROOT, env=environment, timeout=60, check=False, **{"capture_output": True, **given, **options}
    )


# --- help, version, mistakes on the line ------------------------------------------------------------------------------


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


# --- check ------------------------------------------------------------------------------------------------------------

KV = "core/L2.1/kv"


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        ((KV, "1.07 GB"), 0),
        ((KV.upper(), "1.07 GB"), 0),
        ((KV, "0.537 GB"), 1),
        ((KV, "-1.07 GB"), 1),
        ((KV, "-1.07GB"), 1),
        ((KV, "-1e9"), 1),
        ((KV, "--", "--1.07"), 0),
        ((KV, "1"), 1),
        ((KV, ""), 1),
        ((KV, "[/b]"), 1),
        ((KV, "9" * 100_000), 1),
    ],
)
def test_check_answers_with_its_status(tutor: Tutor, argv: tuple[str, ...], status: int) -> None:
    for place in range(3 if "--" not in argv else 1):  # options may stand anywhere
        words = ("check", *argv)
        ran = tutor(*words[:place], "--lang", "en", *words[place:])
        assert (ran.status, ran.err) == (status, "")
        assert ran.out.strip()


def test_check_json_has_exactly_the_promised_shape(tutor: Tutor) -> None:
    right = tutor.json("check", KV, "1.07 GB")
    assert (right["id"], right["verdict"], right["slips"], right["ambiguous"]) == (KV, "correct", [], False)
    assert right["read"] == {"text": "1.07 GB", "value": 1.07, "unit": "GB", "base_value": 1_070_000_000}
    assert right["expected"] == {"value": 1.073741824, "unit": "GB", "display": "1.07 GB"}
    assert set(right["message"]) == set(LANGS)
    half = tutor.json("check", KV, "0.537", status=1)
    assert (half["verdict"], half["ambiguous"], set(half["slips"])) == ("incorrect", True, {"kv-drop-two", "kv-p-one"})
    short = tutor.json("check", KV, "1", status=1)
    assert (short["verdict"], short["reason"]) == ("invalid", "more-digits")
    text = tutor.json("check", "core/L3.3/explain", "because", status=1)
    assert (text["verdict"], text["reason"]) == ("invalid", "self-marked")


def test_check_leaves_no_trace(tutor: Tutor, tmp_path: Path) -> None:
    tutor("check", KV, "1.07 GB")
    assert not (tmp_path / "home").exists()


def batch(tutor: Tutor, tmp_path: Path, *lines: object, command: str = "check") -> list[Any]:
    data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    file = tmp_path / "lines.jsonl"
    file.write_bytes(data)
    ran = tutor(command, "--batch", str(file))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    unused = sum("error" in answer for answer in answers)
    told = f"llm-tutor: {say('cli.batch.unused', 'en', n=unused, of=len(answers))}\n" if unused else ""
    assert (ran.status, ran.err) == (0, told)
    return answers


def test_one_bad_line_stops_nothing_and_the_order_is_kept(tutor: Tutor, tmp_path: Path) -> None:
    answers = batch(
        tutor,
        tmp_path,
        b"\xef\xbb\xbf" + json.dumps({"id": KV, "answer": "1.07"}).encode(),
        b"nonsense",
        b"",
        b"\xff\xfe",
        b"[1]",
        b'{"id": "core/L2.1/kx", "answer": "1"}',
        b'{"id": "core/L2.1/kv"}',
        b'{"id": "core/L2.1/kv", "answer": [1]}',
        b"[" * 100_000,
        b'{"answer": "' + b"1" * (2**20 + 9) + b'"}',
        b'{"id": "core/L2.1/kv", "answer": 1' + b"0" * 5000 + b"}",
        {"id": KV, "answer": 0.537},
    )
    kinds = [answer.get("verdict", "error") for answer in answers]
    assert kinds == ["correct", *["error"] * 9, "incorrect"]
    assert [answer["id"] for answer in answers if "error" in answer and "id" in answer] == ["core/L2.1/kx", KV, KV]
    for answer in answers:
        if "error" in answer:
            assert set(answer["error"]) == set(LANGS)


@pytest.mark.parametrize(
    ("expect", "answer", "verdict", "slips"),
    [
        ({"kind": "number", "value": 1.0737, "unit": "GB", "rel_tol": 0.01}, "1.07 GB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "rel_tol": 0.01}, "1 GiB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "abs_tol": 0.1}, "1 GB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "abs_tol": 0.05}, "1 GB", "incorrect", ["gib-for-gb"]),
        ({"kind": "number", "value": 1.0737, "unit": "GB"}, "1.07", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "digits": True}, "1.1", "invalid", []),
        ({"kind": "integer", "value": 37, "unit": "requests"}, "37", "correct", []),
        ({"kind": "integer", "value": 37, "unit": "none"}, "38", "incorrect", []),
        ({"kind": "percent", "value": 94.1}, "0.941", "correct", []),
        ({"kind": "factor", "value": 4, "unit": "x"}, "4x", "correct", []),
        (
            {
                "kind": "formula",
                "formula": "2*B*S*L*d_model*p",
                "identities": ["d_model = n_head*d_head"],
                "aliases": {"d": "d_model"},
            },
            "KV = 2 B S L n_head d_head p",
            "correct",
            [],
        ),
        ({"kind": "formula", "formula": "a*b"}, "b a", "correct", []),
        ({"kind": "choice", "options": ["kv", "weights"], "value": "A"}, "kv", "correct", []),
        ({"kind": "choice", "options": ["kv", "weights"], "value": "weights"}, "A", "incorrect", []),
        (
            {
                "kind": "number",
                "unit": "GB",
                "formula": "kv_cache",
                "given": {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2},
            },
            "0.537",
            "incorrect",
            ["kv-drop-two", "kv-p-one"],
        ),
    ],
)
def test_free_questions(
    tutor: Tutor, tmp_path: Path, expect: object, answer: str, verdict: str, slips: list[str]
) -> None:
    (judged,) = batch(tutor, tmp_path, {"id": "mine", "expect": expect, "answer": answer})
    assert (judged["id"], judged["verdict"]) == ("mine", verdict)
    assert sorted(judged["slips"]) == slips


@pytest.mark.parametrize(
    "expect",
    [
        None,
        {},
        {"kind": "essay"},
        {"kind": "number"},
        {"kind": "number", "value": "1e99999999"},
        {"kind": "number", "value": True},
        {"kind": "number", "value": 1, "unit": "furlong"},
        {"kind": "number", "value": 1, "rel_tol": -1},
        {"kind": "number", "formula": "no_such", "given": {}},
        {"kind": "number", "formula": "kv_cache", "given": {"B": 1}},
        {"kind": "number", "formula": "kv_cache", "given": [1]},
        {"kind": "formula", "formula": "__import__('os')"},
        {"kind": "formula", "formula": "a*b", "identities": ["a"]},
        {"kind": "formula", "formula": "a*b", "aliases": {"x": 3}},
        {"kind": "choice", "options": [], "value": "A"},
        {"kind": "choice", "options": ["a"], "value": "C"},
        {"kind": "choice", "options": [1], "value": "A"},
    ],
)
def test_a_question_that_cannot_be_asked_is_an_error_of_its_line(tutor: Tutor, tmp_path: Path, expect: object) -> None:
    bad, good = batch(tutor, tmp_path, {"id": 7, "expect": expect, "answer": "1"}, {"id": KV, "answer": "1.07"})
    assert bad["id"] == 7
    assert set(bad["error"]) == set(LANGS)
    assert "Error" not in bad["error"]["en"], "refused in words, not by accident"
    assert good["verdict"] == "correct"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"id": 1, "answr": 3}', "nothing reads answr. The keys are: id, answer, expect, variant."),
        (b'{"answer": 3}', "has no id. The keys are: id, answer, expect, variant."),
        (b'{"answer": 3, "answer": 4}', "answer is there twice"),
        (b'{"answer": 3, "expect": {"kind": "numbr"}}', "there is no kind numbr. The kinds are: number,"),
        (b'{"answer": 3, "expect": {"kind": "number", "value": 3, "reltol": 1}}', "nothing reads reltol."),
        (b'{"answer": }', "is no JSON: column 12 does not belong there."),
        (b'{"answer": ' + b"9" * 5000 + b"}", "is no JSON: a number in it is too long."),
        (b"[" * 100_000, "is no JSON: it is nested too deeply."),
    ],
)
def test_a_line_that_cannot_be_used_says_what_a_line_holds(
    tutor: Tutor, tmp_path: Path, line: bytes, told: str
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(line)
    ran = tutor("check", "--batch", str(file))
    assert ran.status == 2, "not a single line could be used"
    assert say("cli.batch.unused", "en", n=1, of=1) in ran.err
    said = json.loads(ran.out)["error"]
    assert told in said["en"]
    assert not any(word in said["hi-Latn"] for word in ("does not", "Expecting", "Error", "Extra"))


def test_a_key_that_nothing_reads_is_named_beside_the_verdict(tutor: Tutor, tmp_path: Path) -> None:
    (judged,) = batch(tutor, tmp_path, {"id": KV, "answer": "1.07", "note": "mine"})
    assert (judged["verdict"], judged["unknown_keys"]) == ("correct", ["note"])
    file = tmp_path / "lines.jsonl"
    file.write_text('{"formula": "codes", "gven": {"b": 4}}\n')
    ran = tutor("calc", "--batch", str(file))
    assert ran.status == 2
    assert "nothing reads gven" in json.loads(ran.out)["error"]["en"]


@pytest.mark.parametrize("command", ["check", "calc"])
@pytest.mark.parametrize("text", ["", "\n", "\n \n\t\n"])
def test_a_batch_without_a_line_cannot_be_used(tutor: Tutor, tmp_path: Path, command: str, text: str) -> None:
    (tmp_path / "empty").write_text(text)
    told = tutor.refused(command, "--batch", str(tmp_path / "empty"))
    assert told.startswith(f"There is no line to use in {str(tmp_path)[:20]}")


def test_nothing_on_standard_input_is_told_as_that(tmp_path: Path) -> None:
    ran = process(("check", "--batch", "-"), tmp_path, b"\n")
    assert (ran.returncode, ran.stdout) == (2, b"")
    said = "There is no line to use in standard input. `--help` shows what a line looks like."
    assert ran.stderr.decode() == f"llm-tutor: {said}\n"


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_a_line_is_one_line_for_every_reader(tutor: Tutor, tmp_path: Path, sign: str) -> None:
    (tmp_path / "lines").write_text(json.dumps({"id": f"a{sign}b हाँ", "expect": {"kind": "number", "value": 1},
                                                "answer": f"1{sign}"}), "utf-8")  # fmt: skip
    out = tutor("check", "--batch", str(tmp_path / "lines")).out
    assert len(out.splitlines()) == 1
    assert json.loads(out)["id"] == f"a{sign}b हाँ"
    assert "हाँ" in out


@pytest.mark.parametrize("lang", LANGS)
def test_help_tells_the_form_of_a_batch_line(tutor: Tutor, lang: str) -> None:
    said = " ".join(tutor("check", "--help", "--lang", lang).out.split())
    assert all(f'"{key}"' in said for key in ("id", "answer", "variant", "expect", "kind", "rel_tol", "options"))
    said = " ".join(tutor("calc", "--help", "--lang", lang).out.split())
    assert all(f'"{key}"' in said for key in ("id", "formula", "given", "unit"))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_line_without_an_end_is_told_and_given_up(tutor: Tutor) -> None:
    ran = tutor("check", "--batch", "/dev/zero")
    assert ran.status == 2
    assert "longer than 1 MiB" in json.loads(ran.out)["error"]["en"]
    assert "no end within 64 MiB" in ran.err


# --- calc -------------------------------------------------------------------------------------------------------------


def test_calc_works_a_formula(tutor: Tutor) -> None:
    worked = tutor.json("calc", "kv_cache", "B=16", "S=4096", "L=40", "n_kv_heads=40", "d_head=128", "p=2")
    assert worked["value"] == 53_687_091_200
    assert worked["unit"] == "bytes"
    assert worked["given"]["B"] == 16
    assert worked["steps"][-1]["numbers"] == "2 · 16 · 4096 · 40 · 40 · 128 · 2"
    assert {"formula", "expression", "display"} <= set(worked)


def test_calc_reads_values_as_people_write_them(tutor: Tutor) -> None:
    argv = "headroom capacity=80GB N=13e9 p_w=int4 B=16 S=4096 L=40 d_model=5120 p=fp16 unit=gb".split()
    assert tutor.json("calc", *argv)["value"] == pytest.approx(19.8129088)
    assert "19.81 GB" in tutor("calc", *argv).out


def test_calc_rounds_no_count_in_silence(tutor: Tutor) -> None:
    assert "1365.333 numbers" in tutor("calc", "head_dim", "d_model=4096", "n_head=3").out
    assert "128 numbers" in tutor("calc", "head_dim", "d_model=4096", "n_head=32").out


def test_the_ends_of_a_range_may_be_negative(tutor: Tutor) -> None:
    assert tutor.json("calc", "quant_step", "r_min=-1", "r_max=2", "b=2")["value"] == 1


def test_calc_lists_every_formula(tutor: Tutor) -> None:
    from engine.formulas.registry import names

    assert [row["formula"] for row in tutor.json("calc")["formulas"]] == list(names())
    assert tutor("calc").out.count("\n") == len(names())


def test_calc_batch(tutor: Tutor, tmp_path: Path) -> None:
    given = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2}
    whole = {"id": 1, "formula": "kv_cache", "given": given, "unit": "GiB"}
    codes = {"formula": "codes", "given": {"b": 4}}
    good, bad, last = batch(tutor, tmp_path, whole, {"formula": "kv"}, codes, command="calc")
    assert (good["id"], good["value"], good["unit"]) == (1, 1, "GiB")
    assert set(bad["error"]) == set(LANGS)
    assert last["value"] == 16


def test_calc_asks_the_catalogue(tutor: Tutor) -> None:
    worked = tutor.json("calc", "kv_cache", "model=llama-2-7b", "B=1", "S=2048", "unit=GiB")
    assert worked["value"] == 1
    assert worked["catalogue"]["entries"] == ["meta-llama/Llama-2-7b-hf"]
    typed = tutor.json("calc", "kv_cache", "model=llama-2-7b", "B=1", "S=2048", "L=16", "unit=GiB")
    assert typed["value"] == 0.5, "what is typed outranks the catalogue"
    assert "A100 SXM 80GB" in tutor.refused("calc", "ridge", "gpu=A100")
    assert "The closest are: meta-llama/Llama-2-7b-hf" in tutor.refused("calc", "weights", "model=lama-2-7b")
    assert "formula does not hold" in tutor.refused("calc", "kv_cache", "model=gemma-3-27b-it", "B=1", "S=1")


def test_calc_fills_the_cache_of_a_model_with_latent_attention(tutor: Tutor) -> None:
    one = tutor.json("calc", "mla_cache", "model=deepseek-v3", "B=1", "S=1")
    assert one["value"] == 61 * 576 * 2 and "more" not in one["catalogue"]
    sparse = tutor.json("calc", "sparse_mla_cache", "model=glm-5.3", "B=2", "S=100")
    assert sparse["value"] == 200 * (78 * 1152 + 21 * 132)
    assert tutor.json("calc", "index_cache", "model=glm-5.3-flash", "B=1", "S=4")["value"] == 11 * 132
    part = ("calc", "mla_cache", "model=deepseek-v3.2", "B=1", "S=1")
    assert tutor.json(*part)["catalogue"]["more"] == {"deepseek-ai/DeepSeek-V3.2": "sparse_mla_cache"}
    for lang in LANGS:
        assert "sparse_mla_cache" in tutor(*part, "--lang", lang).out.splitlines()[-1]
    assert "more" not in tutor.json("calc", "sparse_mla_cache", *part[2:])["catalogue"]


def test_calc_names_the_formula_of_a_cache_that_it_is_not(tutor: Tutor) -> None:
    for name, own in (("deepseek-v3", "mla_cache"), ("deepseek-v3.2", "sparse_mla_cache")):
        told = tutor.refused("calc", "kv_cache", f"model={name}", "B=1", "S=1")
        _, _, after = told.partition("llm-tutor calc ")
        assert tutor.json("calc", *after.rstrip("`.").split())["formula"] == own


# --- course, glossary, config, keys, completion, progress -------------------------------------------------------------


def test_course_lists_and_shows_without_answers(tutor: Tutor) -> None:
    tracks = tutor.json("course", "list")["tracks"]
    assert [lesson["id"] for lesson in tracks[0]["lessons"]] == [f"core/C{n}" for n in range(7)]
    assert "core/L2.1" in tutor("course").out
    shown = tutor.json("course", "show", "l2.1")
    assert shown["parts"][0]["id"] == KV
    assert "1.07" not in json.dumps(shown)
    options = tutor.json("course", "show", "core/L1.1/a")["attributes"]
    assert [[option["letter"] for option in one] for one in options] == [["A", "B"], ["A", "B"]]


def test_everything_in_the_course_can_be_shown_in_both_languages(tutor: Tutor) -> None:
    (track,) = tutor.json("course", "list")["tracks"]
    ids = [lesson["id"] for lesson in track["lessons"]]
    for level in track["levels"]:
        ids += [level["id"], *(exercise["id"] for exercise in level["exercises"])]
    for place in ids:
        for lang in LANGS:
            assert tutor("course", "show", place, "--lang", lang).out.strip()
        assert tutor.json("course", "show", place)["id"] == place


@pytest.mark.parametrize("lang", LANGS)
def test_keys_lists_every_command_of_the_app(tutor: Tutor, lang: str) -> None:
    from tutor.keys import TABLE

    said = tutor("keys", "--lang", lang).out
    assert all(command.id in said for command in TABLE)


def test_validate_tells_file_and_line(tutor: Tutor, tmp_path: Path) -> None:
    ran = tutor("course", "validate", str(tmp_path))
    assert ran.status == 1
    assert "track.toml: " in ran.out
    assert tutor.json("course", "validate", str(tmp_path), status=1)["valid"] is False
    assert "is no folder" in tutor.refused("course", "validate", str(tmp_path / "nowhere"))


def test_glossary_finds_a_term_by_any_of_its_names(tutor: Tutor) -> None:
    term = tutor.json("glossary", "kv", "CACHE")
    assert (term["id"], set(term["meaning"])) == ("kv-cache", set(LANGS))
    assert tutor("glossary", "kv cache").out.startswith("KV cache: ")
    assert len(tutor.json("glossary")["terms"]) >= 60
    assert "The closest are: KV cache" in tutor.refused("glossary", "kv cach")


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


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_commands(tutor: Tutor, shell: str) -> None:
    script = tutor("completion", shell).out
    assert all(name in script for name in cli.COMMANDS)


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


@pytest.mark.parametrize(
    "place",
    [
        {"screen": "lesson", "id": "core/L2.1", "section": "", "part": ""},
        {"screen": "lesson", "id": "core/C2", "section": "nope", "part": ""},
        {"screen": "exercise", "id": "core/L2.1", "section": "", "part": "core/L2.2/batch"},
        {"screen": "exercise", "id": "core/L2.1", "section": "", "part": "core/L2.1/nope"},
        {"screen": "exercise", "id": "nope", "section": "", "part": ""},
    ],
)
def test_an_imported_place_that_the_course_lacks_is_left_out_and_told(
    tutor: Tutor, tmp_path: Path, place: dict[str, str]
) -> None:
    file = tmp_path / "x.json"
    row = {"at": "2026-01-02T03:04:05.000000+00:00", "draft": "", **place}
    file.write_text(json.dumps({"format": "llm-tutor-progress", "version": 1, "attempts": [], "marks": [],
                                "place": row}))  # fmt: skip
    ran = tutor("progress", "import", str(file))
    assert (ran.status, ran.err.count("\n")) == (0, 1)
    assert "the course has no place" in ran.err
    assert tutor.json("progress", "export", "-")["place"] is None


def test_a_slip_that_has_no_words_any_more_goes_by_its_id(tutor: Tutor) -> None:
    from datetime import UTC, datetime

    from tutor import paths
    from tutor.progress import Attempt, open_progress

    store = open_progress(paths.database())
    for slip in ("nope", "a.b", "\x1b[31m"):
        store.record(Attempt(KV, "1", "incorrect", (slip,), 0, 1.0, 0, datetime.now(UTC)))
    store.close()
    said = tutor("progress", "show")
    assert said.status == 0
    assert "nope, 1 x" in said.out and "a.b, 1 x" in said.out and "\x1b" not in said.out


def test_an_export_follows_links_and_keeps_the_mode(tutor: Tutor, tmp_path: Path) -> None:
    file, link = tmp_path / "real.json", tmp_path / "link.json"
    file.write_text('{"format": "llm-tutor-progress"}')
    file.chmod(0o640)
    link.symlink_to(file)
    assert tutor("progress", "export", str(link)).status == 0
    assert link.is_symlink() and json.loads(file.read_text())["attempts"] == []
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "link.json", "real.json"]


def test_an_export_goes_straight_into_a_pipe(tutor: Tutor, tmp_path: Path) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    assert tutor("progress", "export", str(pipe)) == (0, "", "")
    reader.join(10)
    assert json.loads(got[0])["attempts"] == []
    assert pipe.is_fifo()
    assert tutor("progress", "export", "/dev/null") == (0, "", "")


@pytest.mark.parametrize("kind", ["readonly", "full", "locked"])
def test_a_home_that_cannot_be_written_can_be_looked_at(
    tutor: Tutor, monkeypatch: pytest.MonkeyPatch, kind: Any
) -> None:
    from tutor.commands import progress
    from tutor.progress import ProgressProblem
    from tutor.session import Session

    session = Session.start()
    session.check(KV, "0.537 GB")
    session.close()

    def refuse(path: Path) -> None:
        raise ProgressProblem(kind, path)

    monkeypatch.setattr(progress, "open_progress", refuse)
    assert tutor.json("progress", "show")["parts"] == {KV: "tried"}
    assert len(tutor.json("progress", "export", "-")["attempts"]) == 1
    assert tutor("progress", "reset", "--yes").status == 2


@pytest.mark.parametrize("folder", ["course", "course/core"])
def test_a_folder_inside_the_content_is_told(tutor: Tutor, folder: str) -> None:
    from content.files import ROOT as CONTENT

    assert tutor.refused("course", "validate", f"{CONTENT}/{folder}").endswith(f"give that one: {CONTENT}.")


def test_progress_travels(tutor: Tutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.session import Session

    session = Session.start()
    session.check(KV, "0.537 GB")
    session.close()
    file = str(tmp_path / "export.json")
    assert tutor.json("progress", "export", file) == {"file": file, "attempts": 1}
    assert tutor.json("progress", "show")["parts"] == {KV: "tried"}
    assert "L2" in tutor("progress").out
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "other"))
    assert tutor.json("progress", "import", file)["new"] == 1
    assert tutor.json("progress", "import", file)["new"] == 0
    assert tutor.json("progress", "export", "-") == json.loads(Path(file).read_text())
    assert tutor.json("progress", "reset", "core/l2.1", "--yes")["removed"] == 1
    assert tutor.json("progress", "show")["parts"] == {}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "llm-tutor-progress", "version": 2}', "[" * 99_999, "\udcff"]
)
def test_an_import_that_is_none_is_refused(tutor: Tutor, tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert str(file)[:30] in tutor.refused("progress", "import", str(file))


def test_a_newer_database_is_refused_in_one_sentence(tutor: Tutor, tmp_path: Path) -> None:
    import sqlite3

    tutor("progress")
    with sqlite3.connect(tmp_path / "home" / "progress.sqlite3") as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    assert "newer llm-tutor" in tutor.refused("progress", "export", "-")


# --- whole processes --------------------------------------------------------------------------------------------------


def test_a_reader_who_leaves_early_is_no_error(tmp_path: Path) -> None:
    command = ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m tutor calc | head -1"]
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_output_is_told(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = process(["--help"], tmp_path, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_an_ascii_terminal_gets_ascii(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process(["course", "show", "core/L2.1"], tmp_path, env=env)
    assert done.returncode == 0
    assert b"10^9 bytes" in done.stdout
    done = process(["course", "show", "core/L2.1", "--json"], tmp_path, env=env)
    assert "10⁹" in json.loads(done.stdout.decode("ascii"))["prompt"]["en"]


def test_bytes_that_are_no_text_are_an_answer_like_any_other(tmp_path: Path) -> None:
    command = [os.fsencode(sys.executable), b"-m", b"tutor", b"check", b"core/L2.1/kv", b"1.07\xff GB"]
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["study --plain", "check --batch -", "progress import -"])
def test_a_closed_input_is_one_sentence(tmp_path: Path, command: str) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    line = f"{sys.executable} -m tutor {command} <&-"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    said = b"llm-tutor: There is nothing to read from: standard input is closed."
    said += b" Start it in a terminal, or feed it a file with <.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", said)


@pytest.mark.parametrize("command", ["study --plain", "check --batch /dev/null"])
def test_a_closed_output_is_one_sentence(tmp_path: Path, command: str) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    line = f"{sys.executable} -m tutor {command} </dev/null >&-"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"standard output is closed" in done.stderr


def test_closed_streams_do_no_harm(tmp_path: Path) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    command = f"{sys.executable} -m tutor check core/L2.1/kv 1.07 <&- >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, timeout=60, check=False).returncode == 0


def test_a_mistake_of_ours_is_a_sentence_and_a_file(tmp_path: Path) -> None:
    code = """
import sys
from tutor import __main__, cli
def broken(argv):
    raise KeyError("a secret of the code")
cli.run = broken
sys.exit(__main__.main())
"""
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr
    assert "KeyError" in (told := (tmp_path / "crash.txt").read_text()) and "a secret" not in told + done.stderr


def test_ctrl_c_is_no_mistake(tmp_path: Path) -> None:
    code = """
import os, signal, sys, time
from tutor import __main__, cli
def run(argv):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
cli.run = run
sys.exit(__main__.main())
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def test_start_loads_nothing_heavy() -> None:
    heavy = ("textual", "rich", "sympy", "numpy", "sqlite3", "platformdirs", "importlib.metadata", "shtab")
    for argv in (["--help"], ["check", KV, "1.07 GB"], ["check", KV, "0.537", "--json"]):
        loaded = f"[name for name in {heavy!r} if name in sys.modules]"
        code = f"import sys; from tutor import cli; cli.run({argv!r}); print({loaded}, file=sys.stderr)"
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
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
