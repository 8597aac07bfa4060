"""Scenarios in files: told apart, saved and opened again, said as a command; nothing hostile breaks them."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import catalog
from engine.diagnosis import fields, scenario
from engine.diagnosis.model import Scenario, Signal, Span
from engine.diagnosis.scenario import ScenarioProblem, build, command, export, kind, load
from engine.precision import FORMATS
from tests.engine.scenarios import CONFIG, problem

TOML = """# a comment
model = "Qwen3-8B"
gpu = "L40S"
concurrency = "8-16"
symptoms = ["it is slow"]
[flags]
enforce_eager = true
"""


def test_a_file_is_toml_or_json_by_its_content() -> None:
    parsed = load(TOML, "a.toml")
    assert kind(TOML) == kind(json.dumps(parsed)) == "scenario"
    assert build(parsed) == build(load("\ufeff" + json.dumps(parsed), "a"))
    assert build(parsed).eager is True


def test_other_files_are_told_apart() -> None:
    assert kind(json.dumps(CONFIG)) == "config"
    for text in (
        "", "it is slow", '{"date": 1, "backend": 2, "request_rate": 3, "duration": 4, "mean_ttft_ms": 5}', "[1, 2]",
        "{}",
        "INFO 01-01 engine.py:1] max_model_len=8192, tp=4",
        '{"level": "info", "model": "a"}\n{"level": "info", "gpu": "b"}',
        "x = 1\ny = 2\nz = 3\ngpu = 4", "null", "{" * 10**5,
    ):  # fmt: skip
        assert kind(text) == "words", text
    assert kind('{"model": "Qwen3-8B",\n "gpu": }') == kind('model = "Qwen3-8B\ngpu = "L4"\n') == "scenario"


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ('{"model": 1,\n"gpu": }', "not-json", 2), ('model = "a"\n\ngpu = ?', "not-toml", 3),
        ('{"foo": 1}', "not-a-scenario", None),
        ("foo = 1", "not-a-scenario", None), ('{"a":' * 10**4, "too-deep", None),
        ("a = " + "[" * 10**5, "too-deep", None),
        ('{"gpus": ' + "9" * 5000 + "}", "long-number", 1), ("gpus = " + "9" * 5000, "long-number", 1),
        ('gpu = "x"\ngpu = "y"', "not-toml", 2),
    ],
    ids=range(9),
)  # fmt: skip
def test_a_broken_file_says_where(text: str, reason: str, line: int | None) -> None:
    with pytest.raises(ScenarioProblem) as caught:
        load(text, "file")
    assert caught.value.reason == reason and caught.value.field == "file"
    assert line is None or caught.value.params["line"] == line


def test_large_and_many_end_fast() -> None:
    start = time.process_time()
    for text in ('{"model": "' + "x" * 10**7 + '"}', "gpu = 'a'\n" * 10**6):
        with pytest.raises(ScenarioProblem) as caught:
            load(text, "big")
        assert caught.value.reason == "too-large"
        assert kind(text) == "words"
    for text in (f"{'.'.join('a' * 60000)} = 1\ngpu = 1", f"gpu = {{ {' . '.join('a' * 30000)} = 1 }}"):
        with pytest.raises(ScenarioProblem) as caught:
            load(text, "odd")
        assert caught.value.reason == "too-deep"
    build(load("[[gpu]]\n" * 12000 + "[a.b]\nc = {}\n", "odd"))
    assert problem(**{f"k{n}": n for n in range(600)}) == ("too-many-keys", "file")
    build(
        {"symptoms": ["slow " * 10**5] * 50, "model": "x" * 10**6, "flags": {f"f{n}": "y" * 10**4 for n in range(400)}}
    )
    assert time.process_time() - start < 6, "a blow-up, not a slow machine"


ROUNDS: list[dict[str, object]] = [
    {},
    {"model": "Qwen3-8B-AWQ", "gpu": "A100 80GB", "gpus": 2, "prompt": "500-900", "output": 200,
    "concurrency": "16/32"},
    {"model": "Foo-70B", "gpu": "H100", "weights": "exl2 4.65bpw", "kv": "fp8_e5m2", "ttft": "15 s", "tpot": "22 ms"},
    {"params_b": 6.7, "gpu_memory": "79.1 GiB", "bandwidth": "1.9 TB/s", "tflops": 300, "throughput": "100 tok/s"},
    {"gpu": "RTX 4090", "gpu_memory": 48, "request_rate": "100 req/min", "concurrency": "40 prompts offline"},
    {"gpu": "2x L40S", "engine": "vllm 0.10", "flags": {"tp": 2, "enforce_eager": True, "foo": "bar",
    "kv_cache_dtype": "fp8"}},
    {"concurrency": "512-token batch", "prompt": "many", "modl": "x", "symptoms": ["OOM while loading the model",
    "fine"]},
    {"gpu": "RTX 4070 12GB + RTX 4080 16GB", "model": "Foo-7B/9B", "kv_pool": "16 GiB",
    "gpu_memory_utilization": "90%"},
    {"model": "Foo-235B-A22B", "engine": "sglang", "tp": 8, "dp": 8, "price_per_hour": "2,50 USD", "kv_usage": "95.8%"},
]  # fmt: skip


@pytest.mark.parametrize("given_", ROUNDS)
def test_a_saved_scenario_is_the_same_when_it_is_opened(given_: dict[str, object]) -> None:
    s = build(given_, "some.toml" if "gpu" in given_ else "given")
    document = json.loads(json.dumps(export(s)))
    assert build(document) == s
    assert not document or kind(json.dumps(document)) == "scenario"
    assert export(build(document)) == document


def test_a_changed_scenario_is_saved_as_it_is() -> None:
    s = build({"model": "Qwen3-8B", "gpu": "A100 40GB", "gpus": 2, "concurrency": 8})
    for changed in (
        replace(s, weights=FORMATS["awq"]), replace(s, gpu=catalog.gpu("L40S"), gpu_name="L40S"), replace(s, tp=2,
        kv="fp8"),
        replace(s, concurrency=Span(3, 9)), replace(s, utilization=Fraction(1, 3)), replace(s, eager=True,
        max_num_seqs=7),
        replace(s, signals=(Signal("preempts", "WARNING preempted", "a.log:7"),), tried=frozenset(("eager-mode",))),
    ):  # fmt: skip
        assert build(json.loads(json.dumps(export(changed)))) == changed


def test_a_saved_scenario_keeps_what_a_log_says_beside_it() -> None:
    log = build({"waiting": 3, "symptoms": ["OOM while loading the model"]}, "log")
    saved = export(replace(build({"gpus": 2}), signals=(Signal("preempts", "WARNING preempted", "a.log:7"),)))
    s = build(saved, "saved.json", log)
    assert s.has("oom-loading") and s.has("preempts")
    assert s.said["waiting"].origin == "log" and (s.waiting, s.gpus) == (3, 2)


def parsed(argv: list[str]) -> dict[str, object]:
    """The options of a command, as a parser of the public options reads them."""
    parser = argparse.ArgumentParser()
    for one in fields.FIELDS:
        parser.add_argument(one.option, dest=one.name)
    parser.add_argument("--flag", dest="flags", action="append")
    parser.add_argument("--symptom", dest="symptoms", action="append")
    return {name: value for name, value in vars(parser.parse_args(argv)).items() if value is not None}


@pytest.mark.parametrize("given_", [one for one in ROUNDS if "many" not in one.values()])
def test_the_command_asks_the_same(given_: dict[str, object]) -> None:
    s = build(given_)
    argv = command(s)
    assert argv[:2] == ["llm-tutor", "diagnose"]
    again = build(parsed(argv[2:]))
    told = {"said", "unread", "conflicts", "flags", "request_rate"}
    for name in Scenario.__dataclass_fields__:
        if name not in told:
            assert getattr(again, name) == getattr(s, name), name


SCRAPS = st.sampled_from(
    ["16-64", "A100", "Qwen3-8B", "2x", "fp8", "-1", "1e999", "9" * 99, "%", "1/0", "ms", "[bold]x", "\x1b[31m",
    "\ud800", "١٢", "½",
     "8x H100 + T4", "70B", "(((", "a" * 5000, "1,2,3", "vllm", "0x10", "lakh", "--", "= =", "req/s", "/", "{}",
     "\0", "config.json"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=30), st.lists(SCRAPS, max_size=4).map(" ".join))
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**400), 10**400), st.floats(), st.fractions(), TEXTS,
    st.binary(max_size=5)
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=6
)  # fmt: skip
NAMES = st.one_of(st.sampled_from([one.name for one in fields.FIELDS] + [*fields.TABLES, "flag", "symptom"]), TEXTS)


def _built(given_: Mapping[str, object], source: str = "given", base: Scenario | None = None) -> Scenario | None:
    try:
        return build(given_, source, base)
    except ScenarioProblem as raised:
        assert raised.reason in fields.PROBLEMS
        return None


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(NAMES, VALUES, max_size=5), st.dictionaries(NAMES, VALUES, max_size=3))
def test_nothing_raises_but_what_it_says(one: dict[str, object], other: dict[str, object]) -> None:
    base = _built(one, "log")
    s = _built(other, "given", base)
    if s is not None:
        assert build(json.loads(json.dumps(export(s)))) == s
        command(s)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(TEXTS)
def test_no_text_breaks_a_field_or_a_file(text: str) -> None:
    for one in fields.FIELDS:
        _built({one.name: text})
    assert kind(text) in ("scenario", "config", "words")
    with pytest.raises(ScenarioProblem):
        load(f"{text}\n= broken", "x")


def test_every_reason_and_field_is_declared() -> None:
    assert len({one.name for one in fields.FIELDS}) == len(fields.FIELDS)
    assert {one.attribute for one in fields.FIELDS} - {""} <= set(Scenario.__dataclass_fields__)
    assert scenario.__all__ and all(one.option.startswith("--") and "_" not in one.option for one in fields.FIELDS)


def test_a_count_that_gave_way_is_not_kept_in_the_name_of_the_card() -> None:
    """A stronger source's ranks win over "1x A100": the document that is saved says no longer that there is one."""
    said = build({"gpu": "1x A100 PCIe 80GB"})
    both = build({"flags": {"tensor_parallel_size": 8}, "engine": "vllm"}, "log", said)
    assert both.gpu_name == "A100 PCIe 80GB" and both.gpus != 1
    assert build(export(both)).gpus == both.gpus
