"""A report without hosts, paths, people and secrets: what goes, what stays, and that doing it twice changes nothing."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.diagnoser.redact import document, text


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("see http://gpu-a7.corp.example:8000/v1/completions", "see http://<host-1>:8000/v1/completions"),
        ("http://maya:hunter2@10.20.30.40/metrics", "http://<user-1>@<ip-1>/metrics"),
        ("at http://[2001:db8::7]:8000/metrics", "at http://<ip-1>:8000/metrics"),
        ("peer 10.20.30.40, then 10.20.30.41, then 10.20.30.40", "peer <ip-1>, then <ip-2>, then <ip-1>"),
        ("from 2001:db8::7 and fe80::1%eth0", "from <ip-1> and <ip-2>"),
        ("node-17.cluster.internal is down", "<host-1> is down"),
        ("--model /data/models/llama --port 8000", "--model <path-1> --port 8000"),
        ("model: /weights", "model: <path-1>"),
        ("~/runs/a.log and ~/runs/b.log", "<path-1> and <path-2>"),
        (r"C:\Users\Maya\logs\v.log", "<path-1>"),
        (r"\\share\team\v.log", "<path-1>"),
        ("file:///srv/logs/v.log", "file://<path-1>"),
        ("/home/maya/run.log: maya started it", "<path-1>: <user-1> started it"),
        ("maya@gpu-7:~$ vllm serve", "<user-1>@<host-1>:~$ vllm serve"),
        ("ask maya.k@example.org", "ask <mail-1>"),
        ("HF_TOKEN hf_abcdefghijkl1234", "HF_TOKEN <secret-1>"),
        ("key sk-proj-abcdefgh12345678", "key <secret-1>"),
        ("Authorization: Bearer abcdef.1234567890", "Authorization: Bearer <secret-1>"),
        ("AKIAABCDEFGH12345678", "<secret-1>"),
        ("--api-key letmein", "--api-key <secret-1>"),
        ("password=correcthorsebattery", "password=<secret-1>"),
        ("docker://0123456789abcdef0123", "docker://<container-1>"),
        ("sha256:" + "0123456789abcdef" * 4, "<container-1>"),
        ('File "/opt/env/lib/python3.11/site-packages/vllm/worker.py"', 'File "<path-1>/vllm/worker.py"'),
        ("host=node-7:29500 ... node-7 is slow", "host=<host-1>:29500 ... <host-1> is slow"),
    ],
)
def test_what_goes(said: str, left: str) -> None:
    assert text(said) == left
    assert text(left) == left


@pytest.mark.parametrize(
    "kept",
    [
        "meta-llama/Llama-3.1-8B-Instruct",
        "4.2 req/s, 310 tokens/s, 10 GiB/s, 1/2 and 16/32/64",
        "core/L2.1 and prefill/decode, and/or",
        "vLLM 0.21.1, 0.8.5.post1, torch==2.3.0, cuDNN version 9.1.0.70, nvidia-cudnn-cu12==9.1.0.70",
        "NVIDIA H100 80GB HBM3, 00000000:17:00.0, 535.104.05",
        "INFO 06-11 10:00:21 [gpu_model_runner.py:1595] took 14.99 GiB",
        "GPU KV cache usage: 98.7%, 152,848 tokens, 3.5e-06, 4.66x",
        "--max-model-len 8192 --kv-cache-dtype fp8 --tensor-parallel-size=2",
        "GET /metrics and /v1/chat/completions on 127.0.0.1:8000 and 0.0.0.0",
        "https://huggingface.co/meta-llama/Llama-3.1-8B",
        "token usage: 0.93, #token: 12345, eos_token: </s>, token: generation",
        "model.layers.0.self_attn, model.safetensors.index.json, engine.diagnosis.model",
        "host memory, node failed; std::vector, 12:03:01.123",
        "tokens /sec and TTFT / TPOT",
        "<host-3> and <path-1>",
        "2024/06/11, 17/09/2024",
    ],
)
def test_what_stays(kept: str) -> None:
    assert text(kept) == kept


def test_a_document_keeps_its_shape_and_its_names() -> None:
    before: dict[str, Any] = {
        "text": {"en": "gpu-9 of /home/ravi/x is slow"},
        "scenario": {
            "model": "/home/ravi/models/m",
            "host": "ravi@gpu-9:",
            "n": 3,
            "share": 0.5,
            "on": True,
            "no": None,
        },
        "list": ["/home/ravi/x", "ravi", 7],
    }
    after = document(before)
    assert shape(after) == shape(before)
    assert "ravi" not in json.dumps(after) and "gpu-9" not in json.dumps(after)
    assert after["list"][0] in after["text"]["en"], "the same path is the same placeholder"
    assert after["scenario"]["n"] == 3 and after["list"][2] == 7
    assert document(after) == after


def shape(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: shape(value) for name, value in found.items()}
    if isinstance(found, list):
        return [shape(value) for value in found]
    return type(found).__name__ if isinstance(found, str) else found


PIECES = st.sampled_from(
    """
    http://a-1.example.com:80/x/y 10.1.2.3 ::1 fe80::2 /home/lee/a/b ~/x/y C:\\Users\\lee\\z lee lee@box-1: a@b.co 1/2
    4.5 req/s core/L2.1 hf_aaaaaaaa1111 Bearer token: = secret=abcdefgh1 host=n-1 <host-1> <path-2> org/model 0.8.5 "
    \\\\srv\\a\\b , ( ) \n : // @ . - 12:03:01 /metrics /models version 9.1.0.70 sha256:0123456789ab
    """.split(" ")
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=14).map(" ".join) | st.lists(PIECES, max_size=8).map("".join))
def test_twice_is_once(said: str) -> None:
    once = text(said)
    assert text(once) == once


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.lists(PIECES, max_size=4).map(" ".join),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_documents_of_any_shape(found: Any) -> None:
    once = document(found)
    assert shape(once) == shape(found)
    assert document(once) == once


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_are_never_touched(value: float) -> None:
    assert text(f"{value} tokens/s, {value}%") == f"{value} tokens/s, {value}%"


@pytest.mark.parametrize(
    "piece", ["a.", "/a", "a-", "1.", ":a", "\\\\a", "~/", "a@", "hf_", "A" * 9, "/home/a ", "<host-"]
)
def test_long_texts_of_one_piece_end(piece: str) -> None:
    started = time.process_time()
    text(piece * (50_000 // len(piece)))
    assert time.process_time() - started < 20, "linear: a text that backtracks would take hours"


@pytest.mark.parametrize(
    ("written", "gone"),
    [
        ("Authorization: Bearer s3cr", "s3cr"), ("my password is Hunter2x", "Hunter2x"), ("token: SECRET2", "SECRET2"),
        ("  host               gpu17.corp.example    line 3", "gpu17.corp.example"),
        ("  served_model_name  alice-private         line 4", "alice-private"),
    ],
)  # fmt: skip
def test_short_secrets_hosts_in_columns_and_given_names_are_taken_out(written: str, gone: str) -> None:
    assert gone not in text(written)


def test_a_key_says_what_its_value_is() -> None:
    found = document({"flags": {"--host": "gpu17", "served-model-name": "alice"}, "text": "gpu17 is slow", "n": 2})
    assert found == {
        "flags": {"--host": "<host-1>", "served-model-name": "<name-1>"}, "text": "<host-1> is slow", "n": 2,
    }  # fmt: skip
    assert document({"host": "0.0.0.0"}) == {"host": "0.0.0.0"}
