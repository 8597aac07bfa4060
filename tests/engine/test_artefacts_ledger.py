"""The memory that a log tells: GGUF files and their layers, a card without a name, refusals, SGLang's rule."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.catalog import gpu
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import acts
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import LOGGED, Amount, Reconciled, Report, Scenario
from engine.vllm import GIB

MIB = 2**20


def of(text: str) -> Scenario:
    return feed.scenario(Evidence((read("server.log", [text.encode()]),)))


def diagnosed(text: str) -> Report:
    return judge.diagnose(of(text))


# --- a GGUF file -----------------------------------------------------------------------------------------------------

LAYERS = """\
build: 4402 (0da5d860) with cc (Debian 12.2.0) for x86_64-linux-gnu
ggml_cuda_init: found 1 CUDA devices:
  Device 0: NVIDIA GeForce RTX 3060, compute capability 8.6, VMM: yes
llama_model_loader: - kv   2:                               general.name str              = Qwen2.5 14B Instruct
print_info: file type   = Q5_K - Medium
print_info: file size   = 9.78 GiB (5.69 BPW)
print_info: n_layer          = 48
print_info: model params     = 14.77 B
load_tensors: offloaded 30/49 layers to GPU
load_tensors:        CUDA0 model buffer size =  5580.00 MiB
load_tensors:   CPU_Mapped model buffer size =  4440.00 MiB
llama_init_from_model: n_seq_max     = 2
llama_init_from_model: n_ctx         = 8192
llama_init_from_model: n_ctx_per_seq = 4096
slot         init: id  0 | task -1 | new slot n_ctx_slot = 4096
llama_kv_cache_init:      CUDA0 KV buffer size =   960.00 MiB
llama_kv_cache_init:        CPU KV buffer size =   576.00 MiB
llama_init_from_model: KV self size  = 1536.00 MiB, K (f16):  768.00 MiB, V (f16):  768.00 MiB
llama_init_from_model:      CUDA0 compute buffer size =   420.00 MiB
prompt eval time =    2000.00 ms /   500 tokens (    4.00 ms per token,   250.00 tokens per second)
       eval time =   32000.00 ms /   200 tokens (  160.00 ms per token,     6.25 tokens per second)
"""


def test_a_file_of_layers_on_the_card_and_in_host_memory() -> None:
    found = of(LAYERS)
    assert found.weights is not None and found.weights.name == "q5_k_m"
    assert (found.gpu_layers, found.slots, found.context_total) == (30, 2, 8192)
    assert found.version == "2024-11" and found.model is not None and found.model.layers == 48
    assert found.kv_pool is None and found.logged["kv"].bytes == 960 * MIB  # the processor's part is not on the card
    report = judge.diagnose(found)
    assert report.phase == "decode" and report.wall == "interconnect"  # it answers
    none = {"few-layers-left", "link-time", "slots-split", "slots-reserved"}  # each slot holds what was sent
    assert none.isdisjoint(one.cause for one in report.findings)
    assert {one.name: one.why for one in report.reconciled}["kv"] == "agrees"  # 30 of 48 layers' cache
    assert "n_seq_max" not in [one.field for one in found.unread]


def test_a_flag_is_spelt_as_the_build_of_the_log_has_it() -> None:
    report = diagnosed(LAYERS)
    flags = " ".join(one.flag for one in report.levers) + (report.experiment.flag if report.experiment else "")
    assert "--fit" not in flags and "-fa on" not in flags


def test_a_shorter_window_leaves_each_slot_the_request_that_was_seen() -> None:
    report = diagnosed(LAYERS)
    window = next(one for one in report.levers if one.id == "lower-max-model-len").after
    assert window is None or (window.context_total or 0) >= 2 * 700


SHAPE = """\
build: 5201 (abcdef12) with cc (Debian 12.2.0) for x86_64-linux-gnu
  Device 0: NVIDIA GeForce RTX 3060, compute capability 8.6, VMM: yes
print_info: file type   = Q4_K - Medium
print_info: n_ctx_train      = 32768
print_info: n_embd           = 4096
print_info: n_layer          = {layers}
print_info: n_head           = {heads}
print_info: n_head_kv        = 8
print_info: n_embd_head_k    = 128
print_info: n_ff             = 12288
print_info: general.name     = {name}
print_info: n_vocab          = 151936
load_tensors:        CUDA0 model buffer size =  4455.00 MiB
llama_context: n_ctx         = 8192
       eval time =   14400.00 ms /   800 tokens (   18.00 ms per token,   55.56 tokens per second)
"""


def test_a_model_that_no_catalogue_has_is_made_of_the_dimensions_of_the_log() -> None:
    found = of(SHAPE.format(layers=36, heads=32, name="Private Tune"))
    assert found.model is not None and (found.model.layers, found.model.d_model, found.model.kv_heads) == (36, 4096, 8)
    assert judge.diagnose(found).wall == "memory-bandwidth"
    weights = next(one for one in judge.diagnose(found).reconciled if one.name == "weights")
    assert weights.why == "embedding-aside"  # 4455 MiB on the card, the rest of the file is looked up
    named = of(SHAPE.format(layers=36, heads=32, name="Llama 3.1 8B Instruct"))
    assert named.model is not None and named.model.layers == 32  # what the catalogue has of a name counts


@pytest.mark.parametrize(("layers", "heads"), [(0, 32), (36, 7), (36, 0), (10**9, 32)])
def test_dimensions_that_no_model_has_are_no_model_and_no_error(layers: int, heads: int) -> None:
    assert of(SHAPE.format(layers=layers, heads=heads, name="Private Tune")).model is None


TABLE = """\
| model                          |       size |     params | backend    | ngl |          test |                  t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ------------: | -------------------: |
| {name} | {size} GiB |     7.25 B | CUDA       |  {ngl} |         tg128 |         60.00 ± 0.10 |
"""


@pytest.mark.parametrize(
    ("name", "size", "weights"),
    [
        ("llama 7B Q4_K - Medium", "4.07", "q4_k_m"), ("llama 7B Q8_0", "7.17", "q8_0"),
        ("llama 7B F16", "13.50", "fp16"), ("llama 7B mostly Q6_K", "5.53", "q6_k"),
        ("llama 7B IQ4_XS - 4.25 bpw", "3.64", "4.25bpw"), ("llama 7B unheard of", "3.40", "4.03bpw"),
    ],
)  # fmt: skip
def test_a_table_names_its_format_or_its_bits_a_weight(name: str, size: str, weights: str) -> None:
    found = of(TABLE.format(name=name, size=size, ngl=99))
    assert found.weights is not None and found.weights.name == weights


@pytest.mark.parametrize(("layers", "on_card"), [(99, True), (12, False)])
def test_the_layers_that_were_asked_for_are_on_the_card(layers: int, on_card: bool) -> None:
    case = Case(of(TABLE.format(name="llama 7B Q4_0", size="3.83", ngl=layers)).having(gpu=None))
    assert (case.scenario.gpu_layers, case.host_weights == 0) == (layers, on_card)


# --- a card without a name -------------------------------------------------------------------------------------------

START = (
    "INFO 03-02 10:00:00 [core.py:58] Initializing a V1 LLM engine (v0.8.5) with config: model='{model}', "
    "speculative_config=None, dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, quantization=None\n"
)
OUT = (
    "ERROR 03-02 10:01:00 [core.py:396] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 200.00 MiB. "
    "GPU 0 has a total capacity of {card} GiB of which 90.00 MiB is free.\n"
)


def test_weights_are_set_against_a_card_of_which_only_the_memory_was_printed() -> None:
    report = diagnosed(START.format(model="Qwen/Qwen2.5-14B-Instruct") + OUT.format(card="23.53"))
    assert report.wall == "weights-memory" and report.findings[0].by == "numbers"
    assert report.ledger is not None and report.ledger.card.bytes == Fraction("23.53") * GIB
    assert report.timings.decode is None  # of its speed nothing is known


def test_a_pool_in_tokens_has_its_bytes_in_the_table_of_such_a_card() -> None:
    pool = "INFO 03-02 10:00:40 [kv_cache_utils.py:634] GPU KV cache size: 60,000 tokens\n"
    report = diagnosed(START.format(model="Qwen/Qwen2.5-14B-Instruct") + pool + OUT.format(card="47.40"))
    line = None if report.ledger is None else report.ledger.entry("kv-pool")
    assert line is not None and (line.bytes, line.origin) == (60_000 * 196_608, "log")


# --- a refusal -------------------------------------------------------------------------------------------------------

REFUSED = (
    "INFO 05-02 10:00:00 [gpu_worker.py:298] Available KV cache memory: 2.10 GiB\n"
    "ERROR 05-02 10:00:01 [core.py:718] EngineCore failed to start.\n"
    "ValueError: To serve at least one request with the models's max seq len (65536), (8.00 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (2.10 GiB). Based on the available memory, the estimated "
    "maximum model length is 17200. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when "
    "initializing the engine.\n"
)


def test_the_length_that_a_refusal_names_is_the_window_that_is_advised() -> None:
    report = diagnosed(REFUSED)
    window = next(one for one in report.levers if one.id == "lower-max-model-len")
    assert window.flag == "--max-model-len 17152"  # whole blocks of what it names
    assert "no-room-for-cache" not in [one.cause for one in report.findings]  # 2.1 GiB are there


# --- SGLang's rule ---------------------------------------------------------------------------------------------------

SGLANG = """\
[2025-05-01 10:00:00] server_args=ServerArgs(model_path='Qwen/Qwen2.5-7B-Instruct', dtype='auto', \
mem_fraction_static={share}, tp_size=1)
[2025-05-01 10:00:10 TP0] Load weight begin. avail mem={before} GB
[2025-05-01 10:00:20 TP0] Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, avail mem={after} GB, \
mem usage=14.30 GB.
[2025-05-01 10:00:20 TP0] KV Cache is allocated. #tokens: {tokens}, K size: {half} GB, V size: {half} GB
[2025-05-01 10:00:21 TP0] Memory pool end. avail mem=3.10 GB
"""


def pool_of(**changed: object) -> Reconciled:
    usual = {"share": 0.85, "before": "23.10", "after": "8.70", "tokens": 97_929, "half": "2.62"}
    found = of(SGLANG.format(**usual | changed)).having(gpu=gpu("RTX 4090"), gpu_name="RTX 4090")
    return next(one for one in judge.diagnose(found).reconciled if one.name == "kv-pool")


def test_the_pool_is_what_sglangs_own_rule_gives() -> None:
    """8.70 GiB free after loading, less 15 % of the 23.10 GiB before: 5.235 GiB."""
    found = pool_of()
    assert (found.why, found.basis) == ("free-rule", "free")
    assert found.expected.value == (Fraction("8.70") - Fraction("23.10") * Fraction(15, 100)) * GIB
    assert abs(found.residual.value) < GIB / 50


def test_a_pool_that_the_rule_does_not_give_speaks_for_another_share_by_the_engines_name() -> None:
    found = pool_of(half="1.00", tokens=37_449)
    assert found.why == "implied-share" and found.params["setting"] == "mem_fraction_static"
    implied = found.params["implied"]
    assert isinstance(implied, Amount)  # 2.00 = 8.70 - 23.10 * (1 - share)
    assert implied.value == 1 - (Fraction("8.70") - 2) / Fraction("23.10")


def test_what_was_free_is_read_of_the_first_load_only() -> None:
    again = SGLANG.replace("[2025-05-01 10:00:21 TP0] Memory pool end", (
        "[2025-05-01 10:00:20 TP0] Load weight begin. avail mem=3.20 GB\n"
        "[2025-05-01 10:00:20 TP0] Load weight end. type=LlamaForCausalLMEagle, dtype=torch.float16, "
        "avail mem=3.15 GB, mem usage=0.05 GB.\n[2025-05-01 10:00:21 TP0] Memory pool end"
    ))  # fmt: skip
    logged = of(again.format(share=0.85, before="23.10", after="8.70", tokens=97_929, half="2.62")).logged
    assert logged["free-before"].bytes == Fraction("23.10") * GIB
    assert logged["free-after"].bytes == Fraction("8.70") * GIB


# --- pools of which only some figures were printed -------------------------------------------------------------------

BLOCKS = (
    "INFO 06-01 10:00:00 llm_engine.py:237] Initializing an LLM engine (v0.6.3) with config: "
    "model='Qwen/Qwen2.5-7B-Instruct', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1\n"
    "INFO 06-01 10:00:20 model_runner.py:1060] Loading model weights took 14.2487 GB\n"
    "INFO 06-01 10:00:40 gpu_executor.py:122] # GPU blocks: {blocks}, # CPU blocks: 4681\n"
)


@pytest.mark.parametrize(
    ("blocks", "why"), [(5100, {"agrees", "in-band"}), (4700, {"rests-on-others"}), (1200, {"implied-share"})]
)
def test_blocks_are_a_pool_too(blocks: int, why: set[str]) -> None:
    found = of(BLOCKS.format(blocks=blocks)).having(gpu=gpu("L4"), gpu_name="L4")
    report = judge.diagnose(found)
    rows = {one.name: one for one in report.reconciled}
    assert rows["kv-pool"].printed.value == blocks * 16 * 57_344 and rows["kv-pool"].why in why
    line = None if report.ledger is None else report.ledger.entry("kv-pool")
    assert line is not None and line.origin == "log"


def test_each_figure_says_what_it_is_made_of() -> None:
    rows = {one.name: one for one in pool_rows()}
    assert (rows["weights"].basis, rows["kv-tokens"].basis) == ("computed", "bytes")


def pool_rows() -> tuple[Reconciled, ...]:
    text = SGLANG.format(share=0.85, before="23.10", after="8.70", tokens=97_929, half="2.62")
    return judge.diagnose(of(text).having(gpu=gpu("RTX 4090"), gpu_name="RTX 4090")).reconciled


SPARSE = """\
[2025-10-07 23:16:01] server_args=ServerArgs(model_path='deepseek-ai/DeepSeek-V3.2-Exp', tp_size=8, dp_size=8, \
enable_dp_attention=True, kv_cache_dtype='{dtype}', context_length=None)
[2025-10-07 23:17:19 DP0 TP0] KV Cache is allocated. #tokens: {tokens}, KV size: {size} GB
"""


@pytest.mark.parametrize(
    ("dtype", "tokens", "size", "why"),
    [
        ("fp8_e4m3", 975_424, "43.67", "agrees"),
        ("bfloat16", 975_424, "43.67", "other-token"),
        ("fp8_e4m3", 1_462_784, "54.52", "other-token"),  # printed before the index keys were counted
    ],
)
def test_the_pool_of_sparse_attention_has_its_index_keys_in_it(dtype: str, tokens: int, size: str, why: str) -> None:
    """Lines of sgl-project/sglang#11309, with and without the keys."""
    text = SPARSE.format(dtype=dtype, tokens=tokens, size=size)
    report = judge.diagnose(of(text).having(gpu=gpu("B200"), gpu_name="B200"))
    assert {one.name: one.why for one in report.reconciled}["kv-tokens"] == why


def test_requests_that_sglang_sends_back_are_read() -> None:
    text = (
        "[2025-05-01 10:05:12 TP0] Decode out of memory happened. #retracted_reqs: 4, #new_token_ratio: 0.41 -> 0.88\n"
        "[2025-05-01 10:05:15 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_tokens: 90\n"
    )
    assert read("s.log", [text.encode()]).found.all("retracted_requests") == [4, 2]


@pytest.mark.parametrize(
    "text", [LAYERS, SGLANG.format(share=0.85, before="23.10", after="8.70", tokens=97_929, half=2.62)]
)
def test_a_saved_scenario_keeps_every_line_of_the_log(text: str) -> None:
    found = of(text)
    again = scenarios.build(scenarios.export(found), "file")
    assert again.logged == found.logged and set(found.logged) <= set(LOGGED)
    assert acts.changed(again, max_num_seqs=7).logged == {
        name: line for name, line in found.logged.items() if name not in ("activation", "graphs")
    }  # fmt: skip
    assert judge.diagnose(again).reconciled == judge.diagnose(found).reconciled
