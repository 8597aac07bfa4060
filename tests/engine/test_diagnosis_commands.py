"""Start commands as people paste them, and what of an input could not be used: told, and kept."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.diagnosis.reading import commands
from engine.diagnosis.reading.commands import Command
from engine.diagnosis.scenario import ScenarioProblem, build, command, export, kind, load
from engine.diagnosis.settings import flag_names

DOCKER = """#!/bin/bash
set -e
# start it
docker run --runtime nvidia --gpus all --name vllm \\
    -v ~/.cache/huggingface:/root/.cache/huggingface \\
    --env "HUGGING_FACE_HUB_TOKEN=secret" -e VLLM_USE_V1=0 -p 8000:8000 --ipc=host \\
    vllm/vllm-openai:v0.10.1 \\
    --model org/some-7b --max-num-seqs 16
"""
SCRIPT = """export HF_TOKEN=secret
export NCCL_P2P_DISABLE=1
cd /srv && source venv/bin/activate
python3 -m vllm.entrypoints.openai.api_server --model /models/some-7b-AWQ \\
  --tensor-parallel-size 2 --speculative-config '{"method": "ngram", "num_speculative_tokens": 4}' > log.txt 2>&1 &
"""


@pytest.mark.parametrize(
    ("text", "engine", "model", "flags"),
    [
        ("vllm serve org/some-8b --max-model-len 8192 --enforce-eager", "vllm", "org/some-8b",
         "--max-model-len 8192 --enforce-eager"),
        ("$ CUDA_VISIBLE_DEVICES=0 nohup vllm serve $MODEL --tp 2 > log 2>&1 &", "vllm", "", "--tp 2"),
        ("vllm serve org/some-8b\n  --tp 2\n  --enable-lora", "vllm", "org/some-8b", "--tp 2 --enable-lora"),
        (DOCKER, "vllm v0 0.10.1", "org/some-7b", "--max-num-seqs 16"),
        (SCRIPT, "vllm", "some-7b-AWQ", 'NCCL_P2P_DISABLE=1 --tensor-parallel-size 2 --speculative-config '
         '{"method":"ngram","num_speculative_tokens":4}'),
        ("python -m sglang.launch_server --model-path=org/some-8b --tp 2", "sglang", "org/some-8b", "--tp 2"),
        ("docker run --gpus all lmsysorg/sglang:latest python3 -m sglang.launch_server --model-path a/b --tp 2",
         "sglang", "a/b", "--tp 2"),
        ("./build/bin/llama-server -m /models/some-8B-Q4_K_M.gguf -c 8192 -np 4", "llama.cpp",
         "some-8B-Q4_K_M.gguf", "-c 8192 -np 4"),
        ("llama-server -hf org/some-8B-GGUF:Q4_K_M", "llama.cpp", "org/some-8B-GGUF-Q4_K_M", ""),
        ("trtllm-serve serve org/some-8b --tp_size 2", "tensorrt-llm", "org/some-8b", "--tp_size 2"),
        ("text-generation-launcher --model-id org/some-7b --num-shard 2", "tgi", "org/some-7b", "--num-shard 2"),
        ("docker run ghcr.io/huggingface/text-generation-inference:2.0 --model-id a/b-7b", "tgi 2.0", "a/b-7b", ""),
        ("lmdeploy serve api_server org/some-7b --tp 2", "lmdeploy", "org/some-7b", "--tp 2"),
        ("sudo uv run vllm serve 'org/some-8b", "vllm", "'org/some-8b", ""),
    ],
)  # fmt: skip
def test_a_start_command_as_it_is_pasted(text: str, engine: str, model: str, flags: str) -> None:
    assert commands.read(text) == Command(engine, model, flags)
    assert kind(text) == "command"


@pytest.mark.parametrize(
    "text",
    ["", "vllm", "vllm 0.10", "my vllm server is slow", "vllm serve crashes at night", "docker run", "docker ps",
     "python -m http.server", "INFO vllm serve org/some-8b", "# vllm serve org/some-8b", "pip install vllm",
     "vllm bench serve --model a/b-7b", "llama-server-like things", "--max-model-len 8192", "vllm serve x/1 " * 600],
)  # fmt: skip
def test_what_is_no_start_command(text: str) -> None:
    assert commands.read(text) is None
    assert kind(text) == "words"


@given(st.text(max_size=200) | st.lists(st.sampled_from(
    ["vllm", "serve", "docker", "run", "-e", "A=1", "vllm/vllm-openai:v1", "\\", "\n", "'", '"', "python", "-m",
     "export", "vllm.x", "&&", ";", "--model", "--model=", "-m", "{", "\x00", "sudo"]
), max_size=30).map(" ".join))  # fmt: skip
def test_any_text_is_a_command_or_none(text: str) -> None:
    found = commands.read(text)
    assert found is None or (found.engine and "\n" not in found.flags)


def test_hostile_commands_end_quickly() -> None:
    began = time.process_time()
    for text in ("docker run " * 700, "vllm " * 1600, "a/" * 4000 + "vllm", "A=1 " * 2000 + "vllm",
                 "\\\n" * 4000 + "vllm",
                 "docker vllm/vllm-openai " * 340, "vllm serve " + "'" * 8000):  # fmt: skip
        commands.read(text)
    assert time.process_time() - began < 5, "a blow-up, not a slow machine"


def test_a_command_is_a_scenario() -> None:
    s = build({"command": DOCKER.replace("org/some-7b", "mistralai/Mistral-7B-v0.3"), "gpu": "L4"})
    assert (s.engine, s.version, s.max_num_seqs) == ("vllm", "0.10.1 V0", 16)
    assert s.model is not None and s.model.id == "mistralai/Mistral-7B-v0.3"
    assert "secret" not in str(export(s)), "variables that are no flags may be anything"
    assert build(export(s)) == s
    again = build({"engine": "vllm serve mistralai/Mistral-7B-v0.3 --enforce-eager", "gpu": "L4"})
    assert (again.engine, again.eager, again.model) == ("vllm", True, s.model), "where the engine's name is asked for"


def test_what_is_said_beside_a_command_comes_before_it() -> None:
    line = "vllm serve meta-llama/Llama-3.1-8B --max-num-seqs 16 --enforce-eager"
    s = build({"command": line, "model": "qwen2.5-7b", "engine": "vllm 0.8.5", "max_num_seqs": 32})
    assert s.model is not None and s.model.id.startswith("Qwen/")
    assert (s.version, s.max_num_seqs, s.eager) == ("0.8.5", 32, True)
    assert [(one.field, one.kept, one.dropped) for one in s.conflicts] == [("max_num_seqs", "32", "16")]
    assert build({"command": "--tp 2 --enforce-eager"}).tp == 2, "flags alone, as ever"
    assert told({"command": "make coffee"}) == {"command": ("make coffee", "not-a-command")}


@pytest.mark.parametrize("line", ["vllm serve 'meta", 'vllm serve "llama --enforce-eager'])
def test_a_quote_that_never_ends_is_what_is_told(line: str) -> None:
    assert told({"command": line}) == {"command": (line, "open-quote")}
    closed = line + line[line.index("serve ") + len("serve ")]
    assert all(reason != "open-quote" for _, reason in told({"command": closed}).values())
    assert told({"command": "don't make coffee"}) == {"command": ("don't make coffee", "not-a-command")}


# --- what could not be used ------------------------------------------------------------------------------------------


def told(given_: dict[str, object]) -> dict[str, tuple[str, str]]:
    return {one.field: (one.text, one.reason) for one in build(given_).unread}


def test_a_name_of_several_is_told_with_the_names_to_choose_from() -> None:
    text, reason = told({"gpu": "A100"})["gpu"]
    assert reason == "ambiguous-gpu" and {"A100 SXM 80GB", "A100 PCIe 40GB"} <= set(text.split(", "))
    text, reason = told({"model": "mistral-7b"})["model"]
    assert reason == "ambiguous-model" and "mistralai/Mistral-7B-v0.3" in text
    text, reason = told({"gpu": "RTX 4060 Laptop"})["gpu"]
    assert reason == "near-gpu" and "RTX 4060" in text
    assert told({"gpu": "zzzzz"})["gpu"] == ("zzzzz", "unknown-gpu")
    assert not told({"gpu": "A100 SXM 80GB", "model": "llama-3.1-8b"})


def test_a_stronger_source_that_names_the_card_settles_it() -> None:
    base = build({"gpu": "A100", "model": "mistral-7b"}, "s.toml")
    s = build({"gpu": "A100 SXM 80GB", "model": "mistral-7b-v0.3"}, "options", base)
    assert not s.unread and s.gpu is not None


def test_a_sentence_that_is_not_understood_is_told_and_kept() -> None:
    given_: dict[str, object] = {"model": "llama-3.1-8b", "symptoms": ["asdf qwer zxcv", "it preempts", "4.6 tok/s"]}
    s = build(given_)
    assert [(one.text, one.reason) for one in s.unread] == [("asdf qwer zxcv", "not-understood")]
    saved = export(s)
    assert "asdf qwer zxcv" in saved["symptoms"]  # type: ignore[operator]  # a list
    assert build(saved) == s
    assert "asdf qwer zxcv" in command(s)
    assert not told({"symptoms": ["tried fp8, no improvement", "  "]}), "what was tried in vain is understood"


def test_flags_that_nobody_has_are_told_and_guesses_too() -> None:
    found = told({"flags": {"foo": 3, "host": "::", "max-model-length": "8k", "tensor-parallel": 1, "max_num_seqs": 8,
                            "VLLM_LOGGING_LEVEL": "debug", "a note": "of mine"}})  # fmt: skip
    assert found == {
        "flags.foo": ("", "unknown-flag"),
        "flags.max-model-length": ("--max-model-len", "read-as"),
        "flags.tensor-parallel": ("--tensor-parallel-size", "read-as"),
    }
    assert told({"command": "vllm serve a/b-7b --foo --max-num-seqs 8"})["flags.--foo"] == ("", "unknown-flag")
    assert flag_names.guessed("tp", None) == flag_names.guessed("enforce_eager", None) == ""


@pytest.mark.parametrize("text", ['model = "llama-3.1-8b\n', "gpu = L4\n", '# mine\nmodel = "a" "b"\n\n'])
def test_a_broken_scenario_of_one_line_is_told_with_its_line(text: str) -> None:
    assert kind(text) == "scenario"
    with pytest.raises(ScenarioProblem) as problem:
        load(text, "s.toml")
    assert problem.value.reason == "not-toml"
    assert problem.value.params["line"] == (2 if text[0] == "#" else 1)
    assert kind("a log of many lines\nmodel = llama\nand more\nand more\n") == "words"


WRITTEN = (
    "vllm serve \\", "    Qwen/Qwen2.5-7B-Instruct \\", "    --max-model-len 8192 \\", "    --enforce-eager \\",
    "    --kv-cache-dtype fp8",
)  # fmt: skip


@pytest.mark.parametrize("width", [0, 40, 80, 120])
@pytest.mark.parametrize("end", ["\n", "\r\n", "", "  "])
def test_blanks_behind_a_backslash_break_no_command(width: int, end: str) -> None:
    text = end.join(line.ljust(width) for line in WRITTEN)
    found = commands.read(text)
    assert found is not None and found.model == "Qwen/Qwen2.5-7B-Instruct"
    assert found.flags.split() == "--max-model-len 8192 --enforce-eager --kv-cache-dtype fp8".split()


def test_a_blank_that_a_backslash_keeps_stays_in_its_word() -> None:
    found = commands.read("vllm serve /srv/my\\ models/qwen --max-model-len 8192")
    assert found is not None and found.model == "qwen"
    told = commands.unbroken("a\\ b \\ --c \\   --d\\  --e \\'f \\")
    assert told.split() == ["a\\", "b", "--c", "--d", "--e", "\\'f"]
