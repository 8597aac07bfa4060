"""Start commands among other lines: programs, continuations, containers, manifests; long names and values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts.registry import read_text
from tests.engine.readings import values

SHELL = """#!/bin/bash
export HF_TOKEN=hf_abc
vllm serve acme/Seven-7B-Instruct \\
    --tensor-parallel-size 2 \\
    --max-model-len 32768 --gpu-memory-utilization=0.92 \\
    --kv-cache-dtype fp8 --enable-prefix-caching --no-enable-chunked-prefill \\
    --api-key sk-123
echo done --now
"""
COMPOSE = """services:
  llm:
    image: vllm/vllm-openai:v0.10.1
    restart: always
    command: >
      --model acme/Eight-8B
      --max-model-len 16384
      --gpu-memory-utilization 0.85   # less if it does not fit
    ports:
      - "8000:8000"
"""
POD = """      containers:
      - name: server
        image: "vllm/vllm-openai:v0.9.1"
        command:
          - vllm
          - serve
        args:
          - acme/Big-32B
          - --max-model-len=4096
          - "--tensor-parallel-size"
          - "4"
          - --compilation-config
          - '{"cudagraph_mode": "PIECEWISE", "custom_ops": ["all"]}'
        resources:
          limits: {}
"""
SCRIPTED = """        image: vllm/vllm-openai:latest
        command: ["/bin/sh", "-c"]
        args:
        - "vllm serve acme/Seven-7B --enable-chunked-prefill --max_num_batched_tokens 1024"
        env:
        - name: HF_TOKEN
"""
WHOLE = (SHELL, COMPOSE, POD, SCRIPTED)


def test_a_script_with_backslashes() -> None:
    found = read_text(SHELL)
    assert values(found) == {
        "model": "acme/Seven-7B-Instruct", "tensor_parallel_size": 2, "max_model_len": 32768,
        "gpu_memory_utilization": 0.92, "kv_cache_dtype": "fp8", "enable_prefix_caching": True,
        "enable_chunked_prefill": False,
    }  # fmt: skip
    assert (found.engine, found.line_of("model"), list(found.kinds)) == ("vllm", 3, ["command"])
    assert found.flags["max_model_len"] == "32768"
    assert "sk-123" not in str(found.flags)


def test_lines_that_begin_with_a_flag_carry_on_without_a_backslash() -> None:
    text = (
        "(base) me@host:~/llm$ python -m vllm.entrypoints.openai.api_server --model /data/m/Llama-x\n-tp 2\n"
        "  --enforce-eager\nls\n"
    )
    assert values(read_text(text)) == {"model": "/data/m/Llama-x", "tensor_parallel_size": 2, "enforce_eager": True}


@pytest.mark.parametrize(
    ("command", "engine", "version", "expected"),
    [
        ("docker run -e VLLM_USE_V1=0 vllm/vllm-openai:v0.8.5 --model acme/m --block-size 32", "vllm", "0.8.5",
         {"model": "acme/m", "block_size": 32}),
        ("python3 -m sglang.launch_server --model-path acme/m --tp 8 --mem-fraction-static 0.88 --context-length 65536",
         "sglang", "", {"model": "acme/m", "tensor_parallel_size": 8, "mem_fraction_static": 0.88,
                        "context_length": 65536}),
        ("./build/bin/llama-server -m models/x.gguf -c 16384 -np 4 -ngl 99 -fa -ctk q8_0 -ub 512", "llama.cpp", "",
         {"model": "models/x.gguf", "n_ctx": 16384, "parallel": 4, "n_gpu_layers": 99, "flash_attention": True,
          "cache_type_k": "q8_0", "n_ubatch": 512}),
        ("trtllm-serve serve acme/m --tp_size 2 --max_num_tokens 8192 --kv_cache_free_gpu_memory_fraction 0.9",
         "tensorrt-llm", "", {"model": "acme/m", "tensor_parallel_size": 2, "max_num_batched_tokens": 8192,
                              "free_gpu_memory_fraction": 0.9}),
        ("text-generation-launcher --model-id acme/m --num-shard 8 --max-input-length 3000", "tgi", "",
         {"model": "acme/m", "num_shard": 8, "max_input_length": 3000}),
        ("ExecStart=/usr/bin/vllm serve acme/m --max-num-seqs 64", "vllm", "", {"model": "acme/m", "max_num_seqs": 64}),
        ("bash -c 'source /x/on; vllm serve acme/m --max-model-len 25k --max_num_seqs 4'", "vllm", "",
         {"model": "acme/m", "max_model_len": 25_000, "max_num_seqs": 4}),
        ("vllm serve acme/m --max-model-len 2K --speculative-config '{\"num_speculative_tokens\": 4}'", "vllm", "",
         {"model": "acme/m", "max_model_len": 2048}),
        ("`vllm serve acme/m --max-model-len 2000`", "vllm", "", {"model": "acme/m", "max_model_len": 2000}),
    ],
)  # fmt: skip
def test_programs(command: str, engine: str, version: str, expected: dict[str, Any]) -> None:
    found = read_text(f"INFO starting\n{command}\nINFO ready\n")
    assert values(found) == expected
    assert (found.engine, found.version) == (engine, version)


def test_a_compose_file() -> None:
    found = read_text(COMPOSE)
    assert values(found) == {"model": "acme/Eight-8B", "max_model_len": 16384, "gpu_memory_utilization": 0.85}
    assert (found.version, found.line_of("model")) == ("0.10.1", 5)


def test_a_pods_manifest() -> None:
    found = read_text(POD)
    assert values(found) == {"model": "acme/Big-32B", "max_model_len": 4096, "tensor_parallel_size": 4}
    assert found.flags["compilation_config"] == '{"cudagraph_mode":"PIECEWISE","custom_ops":["all"]}'
    assert found.version == "0.9.1"


def test_a_script_inside_a_manifest() -> None:
    expected = {"model": "acme/Seven-7B", "enable_chunked_prefill": True, "max_num_batched_tokens": 1024}
    assert values(read_text(SCRIPTED)) == expected


def test_a_list_in_brackets_over_several_lines() -> None:
    words = '["--model", "acme/m",\n  "--max-num-seqs", "12",\n  "--enforce-eager"]'
    text = f"image: vllm/vllm-openai\nargs: {words}\nother: 1\n"
    assert values(read_text(text)) == {"model": "acme/m", "max_num_seqs": 12, "enforce_eager": True}


def test_every_container_of_a_file() -> None:
    image = "ghcr.io/huggingface/text-generation-inference:3.0"
    other = f"  two:\n    image: {image}\n    command: --model-id acme/n --num-shard 2\n"
    found = values(read_text(COMPOSE + other))
    assert found["model"] == ["acme/Eight-8B", "acme/n"]
    assert found["num_shard"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "Run vllm serve with --max-model-len to fix that",
        '  File "/usr/lib/python3/vllm/entrypoints/openai/api_server.py", line 7, in run',
        "docker run nginx --port 80",
        "image: nginx:1.2\ncommand: --port 80",
        "INFO 01-01 00:00:00 [x.py:1] args: nothing",
        "command: make all",
    ],
)
def test_what_is_no_servers_command(text: str) -> None:
    assert not read_text(text + "\n").kinds


def test_a_quotation_that_breaks_off_is_no_value() -> None:
    found = read_text('vllm serve acme/m --enforce-eager --speculative-config \'{"method": "eagle", "num')
    assert (values(found), sorted(found.flags)) == ({"model": "acme/m", "enforce_eager": True}, ["enforce_eager"])


def test_a_command_that_breaks_off_keeps_what_is_whole() -> None:
    found = read_text("vllm serve acme/m --max-num-seqs 64 --max-model-len 819")
    assert values(found) == {"model": "acme/m", "max_num_seqs": 64}
    assert [one.id for one in found.traps] == ["cut"]


@pytest.mark.parametrize("text", WHOLE, ids=range(len(WHOLE)))
def test_a_text_cut_anywhere_gives_nothing_that_the_whole_one_does_not_print(text: str) -> None:
    whole = read_text(text)
    for stop in range(len(text)):
        cut = read_text(text[:stop])
        for name in cut.series:
            assert set(map(str, cut.all(name))) <= set(map(str, whole.all(name))), (name, text[:stop][-60:])


WORDS = (
    "vllm serve ", "image: vllm/vllm-openai", "command: [", "args:", "- ", "\n", "  ", "\"", "'", "]", "--x", "=",
    "\\\n", "docker run ", "{", "acme/m ", "command: >", "#", "$(", ";", "&&", "é",
)  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), max_size=60))
def test_no_mixture_raises(parts: list[str]) -> None:
    read_text("".join(parts))


@pytest.mark.parametrize("word", WORDS)
def test_a_text_of_one_fragment_is_read_through(word: str) -> None:
    read_text(word * (60_000 // len(word)))
    read_text(f"image: vllm/vllm-openai\ncommand:\n{word}" * 500)
