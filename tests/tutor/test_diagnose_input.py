"""`llm-tutor diagnose`: start commands, logs, and what could not be used, as the report tells it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from tests.tutor.command import Tutor, process
from tutor.diagnoser import doors
from tutor.diagnoser.form import flags_of

LINE = "vllm serve meta-llama/Llama-3.1-8B --enforce-eager --max-num-seqs 16"
LOG = """INFO 11-29 12:00:01 [kv_cache_utils.py:864] GPU KV cache size: 18,912 tokens
INFO 11-29 12:03:01 [loggers.py:118] Engine 000: Avg prompt throughput: 512.0 tokens/s, Avg generation throughput: \
210.3 tokens/s, Running: 9 reqs, Waiting: 41 reqs, GPU KV cache usage: 98.7%, Prefix cache hit rate: 12.0%
INFO 11-29 12:03:11 [loggers.py:118] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: \
0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%, Prefix cache hit rate: 12.0%
"""


def flat(text: str) -> str:
    return " ".join(text.split())


def unread(found: Any) -> dict[str, str]:
    return {one["field"]: one["reason"] for one in found["unread"]}


def test_the_start_command_by_option_file_and_standard_input(tutor: Tutor, tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\nset -e\n{LINE}\n".replace(" --", " \\\n  --"))
    file = tmp_path / "s.toml"
    file.write_text(f'command = "{LINE}"\n')
    wanted = ("diagnose", "--gpu", "L4")
    asked = [("--command", LINE), ("--engine", LINE), (str(script),), (str(file),)]
    found = [tutor.json(*wanted, *one)["scenario"] for one in asked]
    ran = process(["diagnose", "-", "--gpu", "L4", "--json"], tmp_path, script.read_bytes())
    found.append(json.loads(ran.stdout)["scenario"])
    for one in found:
        assert (one["engine"], one["eager"], one["max_num_seqs"]) == ("vllm", True, 16)
        assert one["model"] == "meta-llama/Llama-3.1-8B"


def test_an_option_wins_over_the_command_in_a_file(tutor: Tutor, tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(LINE)
    found = tutor.json("diagnose", str(script), "--gpu", "L4", "--max-num-seqs", "32")
    assert found["scenario"]["max_num_seqs"] == 32
    assert any(one["field"] == "max_num_seqs" for one in found["conflicts"])


def test_the_app_opens_a_start_script(tmp_path: Path) -> None:
    found = doors.opened(f"#!/bin/sh\n{LINE}\n", tmp_path / "run.sh")
    assert isinstance(found, dict)
    assert (found["engine"], found["eager"], found["max_num_seqs"]) == ("vllm", True, 16)


def test_help_has_the_command(tutor: Tutor) -> None:
    assert "--command" in tutor("diagnose", "--help", "--lang", "en").out


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_several_and_words_without_a_meaning_are_told(tutor: Tutor, lang: str) -> None:
    argv = ("diagnose", "--model", "mistral-7b", "--gpu", "A100", "--symptom", "asdf qwer zxcv", "--flag", "foo=3")
    said = flat(tutor(*argv, "--lang", lang).out)
    for name in ("A100 SXM 40GB", "A100 PCIe 80GB", "mistralai/Mistral-7B-v0.3", "asdf qwer zxcv", "foo"):
        assert name in said, name
    assert unread(tutor.json(*argv, status=1)) == {
        "model": "ambiguous-model", "gpu": "ambiguous-gpu", "symptoms": "not-understood", "flags.foo": "unknown-flag",
    }  # fmt: skip


def test_a_saved_scenario_keeps_the_sentence(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    tutor.json("diagnose", "--model", "llama-3.1-8b", "--symptom", "asdf qwer zxcv", "--save", str(file), status=1)
    assert json.loads(file.read_text())["symptoms"] == ["asdf qwer zxcv"]
    assert unread(tutor.json("diagnose", str(file), status=1)) == {"symptoms": "not-understood"}


def test_the_figures_of_a_log_are_those_of_its_busiest_line(tutor: Tutor, tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(LOG)
    found = tutor.json("diagnose", str(log), "--model", "llama-3.1-8b", "--gpu", "L4")
    one = found["scenario"]
    assert (one["running"], one["waiting"], one["kv_usage"], one["kv_pool_tokens"]) == (9, 41, 0.987, 18912)
    assert found["wall"] == "kv-memory"
    assert unread(found) == {}
    assert found["observed"]["running_requests"] == {
        "value": [9, 0],
        "unit": "requests",
        "line": 2,
        "source": "server.log",
    }
    again = tutor.json("diagnose", str(log), "--model", "llama-3.1-8b", "--gpu", "L4", "--running", "4")
    assert again["scenario"]["running"] == 4, "an option wins over a log"


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_said_of_a_file_is_true(tutor: Tutor, tmp_path: Path, lang: str) -> None:
    log, other = tmp_path / "server.log", tmp_path / "poem.txt"
    log.write_text(LOG)
    other.write_text("roses are red\n")
    server = ("--model", "llama-3.1-8b", "--gpu", "L4", "--lang", lang)
    said = flat(tutor("diagnose", str(log), *server).out)
    assert {"en": "all 3 lines known", "hi-Latn": "3 lines"}[lang] in said
    assert unread(tutor.json("diagnose", str(other), *server)) == {"file": "no-reader"}


@pytest.mark.parametrize(("name", "text"), [("bad.toml", 'model = "llama-3.1-8b\n'), ("b", "\n\ngpu = L4\n")])
def test_broken_toml_is_refused_with_its_line(tutor: Tutor, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert f"line {text.count(chr(10))}" in tutor.refused("diagnose", str(file), "--lang", "en")


@pytest.mark.parametrize(("text", "value"), [("4k", 4000), ("1.5K", 1500), ("8Ki", 8192), ("2 k", 2000)])
def test_calc_takes_thousands_as_diagnose_does(tutor: Tutor, text: str, value: int) -> None:
    found = tutor.json("calc", "kv_cache", f"S={text}", "B=2", "model=llama-3.1-8b")
    assert found["given"]["S"] == value
    assert tutor.refused("calc", "kv_cache", "S=1", "B=1", "p=4k", "--lang", "en")
    assert tutor.refused("calc", "kv_cache", "S=1.0001k", "B=1", "--lang", "en")


def test_a_command_pasted_into_the_flags_keeps_every_flag() -> None:
    for blanks in ("", " ", " " * 40):
        line = " ".join(f"{one} \\{blanks}" for one in ("--max-num-seqs 64", "--enforce-eager", "--kv-cache-dtype fp8"))
        assert flags_of(line) == {"--max-num-seqs": "64", "--enforce-eager": True, "--kv-cache-dtype": "fp8"}
