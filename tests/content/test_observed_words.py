"""What was read, in words: every name, kind and note has them in both languages, and values keep their units."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from content import words
from content.diagnosing import amounts, observed
from content.files import ROOT, shipped
from content.lang import LANGS, Lang
from content.validate.source import Folder
from content.validate.texts import pairs
from content.validate.wording import _file
from engine.artefacts import derived, evidence
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import Observations, Trap
from engine.artefacts.text import Line
from engine.artefacts.traps import TRAPS
from engine.artefacts.vocabulary import TERMS, Group

KINDS = """
    vllm-start vllm-config vllm-stats vllm-error vllm-preemption torch-oom sglang-start sglang-stats sglang-config
    tensorrt-llm trtllm-bench tgi-start tgi-error llamacpp-start llamacpp-timings command metrics bench-serve
    bench-latency bench-throughput bench-sglang llama-bench sweep-bench autoawq nvidia-smi nvidia-topology config
    quantization safetensors-index vllm-traceback
""".split()
QUALIFIERS = """
    mean median std p10 p99 count bucket_bounds bucket_counts full swa cpu cuda0 cuda11 cuda_host rocm1 piecewise needed
    available estimated equivalent suggested per_user per_gpu
""".split()


def line(number: int) -> Line:
    return Line(number, "a line", lambda text: None)


def artefact(name: str = "server.log") -> Artefact:
    found = Observations()
    found.lines = 40
    found.put("kv_cache_memory", "7.25", line(3), "GiB")
    found.put("kv_cache_tokens", "59,392", line(4))
    for number, share in enumerate(("61.5", "88", "73.25"), 10):
        found.put("kv_cache_usage", share, line(number), "%")
    found.put("ttft.p99", "1.5", None, "s")
    found.put("enforce_eager", True, line(1))
    found.seen("vllm-start", line(3))
    found.seen("vllm-stats", line(10))
    found.trap("per-rank", "kv_cache_memory", line(3), count=2)
    found.trap("cut", "", line(40))
    return Artefact(name, found)


# --- all ids ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_every_name_has_a_short_label(lang: Lang) -> None:
    table = shipped("words/observed.toml")["label"]
    assert set(table) == set(TERMS)
    for name in TERMS:
        assert 0 < len(observed.label(name, lang)) <= 26, name
    assert len({observed.label(name, lang) for name in TERMS}) >= len(TERMS) - 3, "labels tell names apart"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("qualifier", QUALIFIERS)
def test_every_qualifier_is_said(lang: Lang, qualifier: str) -> None:
    for base in ("ttft", "graph_memory", "weights_memory", "kv_cache_usage"):
        told = observed.label(f"{base}.{qualifier}", lang)
        assert told.startswith(observed.label(base, lang)) and len(told) > len(observed.label(base, lang))
        assert "_" not in told


def test_labels_compose() -> None:
    assert observed.label("ttft.p99", "en") == "TTFT p99"
    assert observed.label("weights_memory.cuda0", "en") == "weights, card 0 (cuda0)"
    assert observed.label("graph_count.full", "en") != observed.label("kv_cache_usage.full", "en")
    assert "attention" not in observed.label("graph_count.full", "en")
    assert observed.label("tensor_parallel_size", "hi-Latn") == "tensor_parallel_size", "a flag shows its own name"


@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_and_group_has_a_name(lang: Lang) -> None:
    assert set(shipped("words/observed.toml")["kind"]) >= set(KINDS)
    assert all(observed.kind(id, lang) for id in KINDS)
    assert all(words.has(f"observed.group.{one}") for one in get_args(Group))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id", TRAPS)
def test_every_trap_is_a_sentence_with_its_parameters(id: str, lang: Lang) -> None:
    given = tuple((name, 3 if name in ("count", "tokens", "most") else "hidden_size") for name in TRAPS[id])
    told = observed.trap(Trap(id, "ttft", 3, given), lang)
    assert told.endswith((".", "?")) and "{" not in told
    assert all(str(value) in told for _, value in given)
    assert set(words.placeholders(words.text(f"observed.trap.{id}")[lang])) == set(TRAPS[id])


def test_no_trap_has_words_that_the_engine_lacks() -> None:
    assert set(shipped("words/observed.toml")["trap"]) == set(TRAPS)


@pytest.mark.parametrize("lang", LANGS)
def test_everything_that_follows_is_a_line(lang: Lang) -> None:
    source = Path(ROOT).parent / "engine" / "artefacts" / "derived.py"
    ids = set(re.findall(r'Derived\(\s*"([a-z_]+)"', source.read_text(encoding="utf-8")))
    assert len(ids) > 10
    for id in ids:
        told = observed.derived(derived.Derived(id, 1234.5, "tokens", "kv_cache_tokens"), lang)
        assert "1234.5 tokens" in told and not told.startswith(id), id
    shared = observed.derived(derived.Derived("bandwidth_used", 402.5, "GB/s", "bench_throughput", 0.26), lang)
    assert "402.5 GB/s" in shared and "26 %" in shared


def test_the_words_are_as_this_house_writes() -> None:
    folder = Folder(ROOT)
    source = folder.source("words/observed.toml")
    assert source is not None
    _file(source)
    assert [(one.line, one.reason, one.params) for one in folder.problems] == []
    for pair in pairs(shipped("words/observed.toml")):
        if len(pair.text.en) > 40:
            assert 0.6 <= len(pair.text.hi) / len(pair.text.en) <= 1.8, pair.path


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("kv_cache_usage", 0.592, "59.2 %"),
        ("kv_cache_memory", 6.51, "6.51 GiB"),
        ("kv_cache_memory", -0.75, "-0.75 GiB"),
        ("kv_cache_tokens", 772736, "772,736 tokens"),
        ("kv_cache_tokens", 1, "1 token"),
        ("max_concurrency", 11.12, "11.12x"),
        ("ttft.p99", 1834.25, "1834 ms"),
        ("tpot.mean", 22.4375, "22.44 ms"),
        ("gpu_temperature", 63, "63 °C"),
        ("request_rate", "inf", "inf"),
        ("enforce_eager", True, "on"),
        ("parameters", 6740000000, "6.74 billion"),
        ("ttft.count", 12345, "12,345"),
        ("generation_throughput", 10234.6, "10,235 tokens/s"),
        ("vocab_size", 151936, "151,936"),
        ("kv_cache_usage", 9.75e-06, "0.000975 %"),
        ("num_gpu_blocks", 5691, "5691 blocks"),
        ("running_requests", 0, "0 requests"),
        ("modules_not_quantized", ["lm_head", "a", "b", "c", "d"], "lm_head, a, b and 2 more"),
        ("error", "out_of_memory", "CUDA out of memory"),
        ("request_prompt_tokens.mean", 1376.8, "1376.8 tokens"),
        ("dtype", "bfloat16", "bfloat16"),
    ],
)
def test_values_keep_their_unit(name: str, value: object, shown: str) -> None:
    assert observed.value(name, value, "en") == shown


def test_text_of_a_log_is_one_clean_line() -> None:
    assert observed.value("gpu_name", "H100\x1b[31m\nSXM", "en") == "H100 [31m SXM"
    assert "\x1b" not in observed.label("a\x1b[0mflag", "en")


def test_amounts_of_all_units_that_follow() -> None:
    assert amounts.amount(131072, "bytes", "en") == "131,072 bytes"
    assert amounts.amount(5 * 10**11, "bytes/s", "en") == "500 GB/s"
    assert amounts.amount(0.00038, "fraction/s", "en") == "0.038 %"
    assert amounts.amount(4.15625, "bits", "en") == "4.156 bits"
    assert amounts.bare("97.2 %", "98.7 %") == "97.2" and amounts.bare("1.2 s", "3 ms") == "1.2 s"


# --- the list --------------------------------------------------------------------------------------------------------


def test_rows_stand_in_groups_with_places_and_notes() -> None:
    rows = observed.rows(Evidence((artefact(),)), "en")
    assert [(row.label, row.value, row.line) for row in rows] == [
        ("KV pool", "7.25 GiB", 3),
        ("KV pool, in tokens", "59,392 tokens", 4),
        ("KV cache usage", "3 values, 61.5 to 88 %", 10),
        ("TTFT p99", "1500 ms", None),
        ("enforce_eager", "on", 1),
    ]
    assert [row.group for row in rows] == ["pool", "pool", "statistics", "metrics", "flags"]
    assert rows[0].notes[0].startswith("2 lines, one for each rank.")
    assert rows[2].went == "First 61.5 %, last 73.25 %."
    assert observed.place(rows[0], "en") == "server.log, line 3" and observed.place(rows[3], "en") == "server.log"
    assert [one.line for one in observed.remarks(Evidence((artefact(),)), "en")] == [40]


def test_a_corrected_value_stands_in_the_place_of_the_one_that_was_read() -> None:
    known = Evidence((artefact(),)).correcting("kv_cache_memory", 6.5).correcting("ttft.p99", None)
    rows = {row.name: row for row in observed.rows(known, "en")}
    better, unused = rows["kv_cache_memory"], rows["ttft.p99"]
    assert (better.value, better.read, better.corrected, better.used) == ("6.5 GiB", "7.25 GiB", True, True)
    assert (unused.value, unused.corrected, unused.used) == ("not used", True, False)
    assert not {row.name: row for row in observed.rows(known.restoring("ttft.p99"), "en")}["ttft.p99"].corrected


def test_the_same_name_of_two_texts_stands_together() -> None:
    rows = observed.rows(Evidence((artefact("a.log"), artefact("b.log"))), "hi-Latn")
    assert [(row.name, row.source) for row in rows[:2]] == [("kv_cache_memory", "a.log"), ("kv_cache_memory", "b.log")]


@pytest.mark.parametrize("lang", LANGS)
def test_the_list_as_plain_lines(lang: Lang) -> None:
    lines = observed.lines(Evidence((artefact(),)), lang, 80)
    assert lines[0].startswith("server.log: vLLM") and all(len(one) <= 80 and "{" not in one for one in lines)
    assert any("7.25 GiB" in one and one.endswith("3") for one in lines)


def test_how_much_is_known() -> None:
    told = {n: observed.known(_known(n, 400), "en") for n in (0, 1, 3, 400)}
    assert told[0] == "none of 400 lines known" and told[3] == "3 of 400 lines known"
    assert told[1] == "1 of 400 lines known" and told[400] == "all 400 lines known"
    assert observed.known(evidence.read("empty", ()), "en") == "it is empty"
    assert observed.source("pasted text 2", "hi-Latn") == "paste kiya text 2"


def _known(n: int, lines: int) -> Artefact:
    found = Observations()
    found.lines, found.known = lines, n
    return Artefact("a", found)
