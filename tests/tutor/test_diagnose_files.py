"""`llm-tutor diagnose` and its files and options: what it refuses to read, to replace and to take; what it tells."""

from __future__ import annotations

import io
import json
import os
import threading
import time
from pathlib import Path

import pytest

from content.diagnosing import words
from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.command import Tutor
from tutor.commands import files
from tutor.commands.context import Context, Refusal, dumps
from tutor.plain import diagnose as plain
from tutor.plain.terminal import Terminal

SERVER = ("--model", "llama-3.1-8b", "--gpu", "H100 SXM 80GB")
LOAD = ("--prompt", "2k", "--output", "256")
CONFIG = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512,
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--prompt", "abc"), ("--prompt", "nan"), ("--prompt", "2 GB"), ("--prompt", "5 furlongs"),
        ("--prompt", "1.000"),
        ("--tpot", "0"), ("--tpot", "22"), ("--tpot", "-1"), ("--weights", "zzz"), ("--kv", "zzz"), ("--link", "x"),
        ("--eager", "x"), ("--speculation", "ngram"), ("--kv-usage", "1e"),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_read_is_refused_in_one_sentence(
    tutor: Tutor, option: str, value: str, lang: str
) -> None:
    ran = tutor("diagnose", *SERVER, option, value, "--lang", lang)
    assert (ran.status, ran.out) == (2, "")
    assert value in ran.err or value == "0"
    assert len(ran.err.splitlines()) == 1 and ran.err.endswith(".\n")


def test_in_a_file_it_is_told_beside_the_verdict(tutor: Tutor, here: Path) -> None:
    (here / "a.toml").write_text('model = "llama-3.1-8b"\ngpu = "H100 SXM 80GB"\nprompt = "abc"\neager = "x"\n')
    found = tutor.json("diagnose", "a.toml")
    assert {(one["field"], one["reason"]) for one in found["unread"]} >= {
        ("prompt", "not-a-number"), ("eager", "not-on-or-off")
    }  # fmt: skip


def test_an_option_given_twice_is_refused(tutor: Tutor) -> None:
    for words_ in (("--gpu", "T4", "--gpu", "L4"), ("--what-if", "fp8", "--what-if", "w4a16")):
        ran = tutor("diagnose", *words_, "--lang", "en")
        assert (ran.status, words_[0] in ran.err) == (2, True)
    assert tutor("diagnose", *SERVER, *LOAD, "--flag", "a=1", "--flag", "b=2").status == 0


@pytest.mark.parametrize("written", [("--flag", "--max-num-seqs=64"), ("--flag", "max-num-seqs 64"), ("--flag=-tp=2",)])
def test_flags_are_read_as_they_stand_in_a_start_command(tutor: Tutor, here: Path, written: tuple[str, ...]) -> None:
    ran = tutor("diagnose", *SERVER, *LOAD, *written, "--save", "s.json")
    assert ran.status == 0
    saved = json.loads((here / "s.json").read_text())
    assert saved.get("max_num_seqs") == 64 or saved.get("tp") == 2


def test_a_plan_reads_a_value_with_a_dash_as_a_value(tutor: Tutor) -> None:
    for option, value in (("--tpot", "-1"), ("--prompt", "-1"), ("--gpus", "-1"), ("--top", "-1")):
        ran = tutor("plan", "--model", "llama-3.1-8b", option, value, "--lang", "en")
        assert ran.status == 2 and f"{option} cannot be {value}" in ran.err
    ran = tutor("plan", "--model", "llama-3.1-8b", "--gpu", "H100", "--price", "h100=2,5", "--lang", "en")
    assert ran.status == 2 and "h100=2,5" in ran.err


# --- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", "model = \"llama\nx = 1", "line 1"), ("a.toml", "", "empty"), ("a.json", "", "empty"),
        ("a.json", "{}", "empty"), ("a.json", "[1, 2]", "table"), ("a.json", '{"prompt": 5,', "line 1"),
    ],
)  # fmt: skip
def test_a_scenario_file_says_what_is_wrong_with_it(tutor: Tutor, here: Path, name: str, text: str, said: str) -> None:
    (here / name).write_text(text)
    ran = tutor("diagnose", name, "--lang", "en")
    assert ran.status == 2 and name in ran.err and said in ran.err


@pytest.mark.parametrize("lang", LANGS)
def test_an_impossible_value_is_said_with_its_file(tutor: Tutor, here: Path, lang: str) -> None:
    (here / "good.toml").write_text('model = "llama-3.1-8b"\n')
    (here / "bad.toml").write_text("prompt = -3\n")
    ran = tutor("diagnose", "good.toml", "bad.toml", "--lang", lang)
    assert ran.status == 2 and "bad.toml" in ran.err and "-3" in ran.err and "good.toml" not in ran.err
    typed = tutor("diagnose", "good.toml", "--prompt", "-3", "--lang", lang)
    assert typed.status == 2 and ".toml" not in typed.err


@pytest.mark.parametrize("lang", LANGS)
def test_a_file_that_says_nothing_is_named(tutor: Tutor, here: Path, lang: str) -> None:
    (here / "noise.bin").write_bytes(bytes(range(128, 256)) * 8)
    assert "noise.bin" in tutor("diagnose", "noise.bin", "--lang", lang).out


def test_unknown_keys_are_named_and_the_known_ones_used(tutor: Tutor, here: Path) -> None:
    (here / "a.toml").write_text('model = "llama-3.1-8b"\ngpu_name = "T4"\npromt = 5\nconcurency = 6\n')
    ran = tutor("diagnose", "a.toml", "--lang", "en")
    assert all(key in ran.out for key in ("gpu_name:", "promt:", "concurency:")) and "was understood" not in ran.out


def test_a_file_that_windows_wrote_is_read(tutor: Tutor, here: Path) -> None:
    (here / "a.toml").write_bytes('model = "llama-3.1-8b"\ngpu = "T4"\nprompt = 900\n'.encode("utf-16"))
    assert tutor.json("diagnose", "a.toml")["unread"] == []


def test_the_same_file_twice_is_refused(tutor: Tutor, here: Path) -> None:
    (here / "a.toml").write_text('model = "llama-3.1-8b"\n')
    ran = tutor("diagnose", "a.toml", "./a.toml", "--lang", "en")
    assert ran.status == 2 and "twice" in ran.err


def test_a_pipe_without_a_writer_ends_and_a_late_writer_is_heard(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = here / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(files, "_PATIENCE", 0.1)
    with pytest.raises(Refusal) as caught:
        files.read_bytes(str(pipe), 100)
    assert "pipe" in caught.value.text("en")
    monkeypatch.setattr(files, "_PATIENCE", 5.0)

    def late() -> None:
        time.sleep(0.1)
        pipe.write_bytes(b"hello")

    writer = threading.Thread(target=late)
    writer.start()
    assert files.read_bytes(str(pipe), 100) == b"hello"
    writer.join()


def test_a_broken_model_file_is_named(tutor: Tutor, here: Path) -> None:
    (here / "odd.json").write_text(json.dumps(CONFIG | {"hidden_size": "wide"}))
    (here / "cut.json").write_text(json.dumps(CONFIG)[:-3])
    for command in ("diagnose", "plan"):
        ran = tutor(command, "--model", "odd.json", "--lang", "en")
        assert ran.status == 2 and "odd.json" in ran.err and "hidden_size" in ran.err
        ran = tutor(command, "--model", "cut.json", "--lang", "en")
        assert ran.status == 2 and "cut.json" in ran.err and "line 1" in ran.err


# --- what is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_written_is_said_beside_the_answer(tutor: Tutor, here: Path, lang: str) -> None:
    ran = tutor("diagnose", *SERVER, *LOAD, "--save", "s.json", "--report", "r.md", "--lang", lang)
    assert ran.status == 0
    assert [line for line in ran.err.splitlines() if "s.json" in line] and "r.md" in ran.err
    assert (here / "s.json").exists() and (here / "r.md").exists()


@pytest.mark.parametrize("lang", LANGS)
def test_files_of_ours_are_updated(tutor: Tutor, here: Path, lang: str) -> None:
    for target in (("--save", "s.json"), ("--report", "r.md"), ("--report", "r.json")):
        for gpus in ("1", "2"):
            ran = tutor("diagnose", *SERVER, *LOAD, "--gpus", gpus, *target, "--lang", lang)
            assert ran.status == 0, ran.err
    assert json.loads((here / "s.json").read_text())["gpus"] == 2
    ran = tutor("diagnose", "s.json", "--output", "9", "--save", "s.json")
    assert ran.status == 0 and json.loads((here / "s.json").read_text())["output"] in (9, "9")


@pytest.mark.parametrize(
    ("words_", "option", "target"),
    [
        (("a.toml",), "--save", "a.toml"), (("a.toml",), "--report", "./a.toml"),
        (("config.json",), "--save", "config.json"),
        (("--model", "folder"), "--save", "folder/config.json"), (("--prompt", "5"), "--save", "config.json"),
        (("--prompt", "5"), "--report", "notes.md"), (("--prompt", "5"), "--save", "notes.md"),
        (("--prompt", "5"), "--report", "ours.json"), (("--prompt", "5"), "--save", "ours.json"),
        (("--prompt", "5"), "--save", "folder"),
        (("--prompt", "5"), "--save", "new/"), (("--prompt", "5"), "--save", "no/such/x.json"),
        (("--prompt", "5"), "--save", "-"), (("--prompt", "5"), "--report", " "),
    ],
)  # fmt: skip
def test_nothing_of_anybody_else_is_replaced(
    tutor: Tutor, here: Path, words_: tuple[str, ...], option: str, target: str
) -> None:
    (here / "a.toml").write_text('# mine\nmodel = "llama-3.1-8b"\n')
    (here / "config.json").write_text(json.dumps(CONFIG))
    (here / "folder").mkdir()
    (here / "folder" / "config.json").write_text(json.dumps(CONFIG))
    (here / "notes.md").write_text("# Shopping\n")
    (here / "ours.json").write_text('{"prompt": 5}\n')
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    for lang in LANGS:
        ran = tutor("diagnose", *words_, f"{option}={target}", "--lang", lang)
        assert (ran.status, ran.out) == (2, "") and len(ran.err.splitlines()) == 1
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("option", "target"), [("--save", "mine.json"), ("--report", "notes.md")])
def test_a_foreign_file_is_named_in_the_sentence_of_every_export_and_force_replaces_it(
    tutor: Tutor, here: Path, option: str, target: str, lang: Lang
) -> None:
    file = here / target
    file.write_text('{"prompt": 5}\n')
    said = f"llm-tutor: {say('cli.error.not_ours', lang, path=target)}\n"
    assert tutor("diagnose", *SERVER, *LOAD, option, target, "--lang", lang).err == said
    assert file.read_text() == '{"prompt": 5}\n'
    assert tutor("diagnose", *SERVER, *LOAD, option, target, "--force").status == 0
    assert tutor("diagnose", *SERVER, *LOAD, option, target).status == 0, "an earlier one is brought up to date"


def test_one_file_for_both_is_refused_and_an_empty_one_is_taken(tutor: Tutor, here: Path) -> None:
    assert tutor("diagnose", *SERVER, "--save", "x", "--report", "./x").status == 2
    (here / "empty").touch()
    assert tutor("diagnose", *SERVER, *LOAD, "--save", "empty").status == 0
    assert json.loads((here / "empty").read_text())["prompt"] == "2k"


# --- lines and words -------------------------------------------------------------------------------------------------


def test_no_control_character_is_left_in_json() -> None:
    said = dumps({"a": "x\x7f\x1b\u2028y"})
    assert all(letter.isprintable() for letter in said) and json.loads(said)["a"] == "x\x7f\x1b\u2028y"


@pytest.mark.parametrize("word", ["q", "quit", ":quit", "exit"])
def test_the_form_can_be_left_and_explains_itself(word: str) -> None:
    out = io.StringIO()
    assert plain.asked(Terminal(io.StringIO(f"slow\n?\n{word}\n"), out), "en") == 0
    text = " ".join(out.getvalue().split())
    assert say("cli.diagnose.ask_help", "en") in text and say("diagnosis.label.wall", "en") + ":" not in text


def test_sizes_and_times_of_any_magnitude_have_a_unit_of_their_own() -> None:
    from fractions import Fraction

    assert words.quantity(Fraction(436 * 10**15), "bytes", "en") == "436 PB"
    assert words.gb(Fraction(436_224 * 10**12)) == "436 PB"
    assert words.quantity(Fraction(1, 4 * 10**9), "s", "en") == "0.25 ns"
    assert words.quantity(Fraction(3600 * 50), "s", "en") == "50 h"
    assert words.gb(Fraction(16 * 10**9)) == "16.0 GB"


def test_a_home_that_may_not_be_looked_into_is_no_hindrance(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path, **_: object) -> bool:
        raise PermissionError(13, "no", str(self))

    monkeypatch.setattr(Path, "exists", denied)
    assert Context(None, False).lang == "en"


def test_a_length_that_could_not_be_read_is_not_called_missing(tutor: Tutor, here: Path) -> None:
    (here / "a.toml").write_text('model = "llama-3.1-8b"\ngpu = "T4"\nprompt = "abc"\noutput = 200\n')
    ran = tutor("diagnose", "a.toml", "--lang", "en")
    assert "abc is no number" in ran.out and "length was not given" not in " ".join(ran.out.split())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("told", ['engine = "[bold]x[/]"\n', '[flags]\nengine = "[bold]x[/]"\n'])
def test_a_name_that_no_engine_has_is_told(tutor: Tutor, here: Path, told: str, lang: Lang) -> None:
    (here / "a.toml").write_text(f'model = "llama-3.1-8b"\ngpu = "L4"\n{told}')
    (unread,) = tutor.json("diagnose", "a.toml")["unread"]
    assert unread["reason"] == "unknown-engine" and "[bold]x[/]" in unread["why"][lang]
    (here / "a.toml").write_text(f'model = "llama-3.1-8b"\ngpu = "L4"\n{told.replace("[bold]x[/]", "vllm 0.10")}')
    assert tutor.json("diagnose", "a.toml")["unread"] == []


NOTED = (
    "8x A100 PCIe 80GB, koi NVLink nahi hai. 16 requests ek saath, prompt 1500 tokens, jawab 400 tokens. TPOT 68 ms."
)
STARTED = "vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 8"


@pytest.mark.parametrize("lines", [(NOTED, STARTED), (STARTED, NOTED)])
def test_what_is_said_around_a_command_counts_as_in_a_file_of_its_own(
    tutor: Tutor, here: Path, lines: tuple[str, str]
) -> None:
    (here / "both.txt").write_text("\n".join(lines) + "\n")
    (here / "said.txt").write_text(f"{NOTED}\n")
    (here / "start.sh").write_text(f"{STARTED}\n")
    together, apart = (tutor.json("diagnose", *files) for files in (("both.txt",), ("said.txt", "start.sh")))
    assert together["wall"] == apart["wall"] == "interconnect"
    assert together["steps"] == apart["steps"]


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
@pytest.mark.parametrize("option", ["--prompt", "--kv", "--weights", "--link"])
def test_a_value_of_hidden_characters_is_told_as_such(tutor: Tutor, option: str, lang: str) -> None:
    ran = tutor("diagnose", *SERVER, option, "\u202e", "--lang", lang)
    assert (ran.status, ran.out) == (2, "")
    assert "(hidden characters)" in ran.err and "\u202e" not in ran.err
