"""The ledger of a card under vLLM: its lines, their spreads, the pool, and the defaults of versions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import vllm
from engine.catalog import Model, gpu, gpus, model, models
from engine.parallel import Parallel
from engine.pool import Line, activation, card, exactly, graphs, left, non_torch, pool, weights
from engine.vllm import GIB, Settings, batched_tokens, max_num_seqs, resolve, utilization, version

F = Fraction
H100 = card(gpu("H100 SXM 80GB"))
STUDY = Settings(version="0.19.0", utilization=F(95, 100))
SIZED = [entry for entry in models() if not entry.cannot_size]


@pytest.mark.parametrize(
    ("name", "seen"),
    [  # llm-d-planner, vLLM 0.19 on H100, GiB
        ("llama-3.1-8b", 1.89), ("Qwen/Qwen2.5-7B", 2.21), ("Qwen/Qwen3-8B", 2.21), ("microsoft/phi-4", 1.52),
        ("Qwen/Qwen3-30B-A3B", 2.68), ("google/gemma-2-9b", 3.6), ("google/gemma-3-27b-it", 3.95),
        ("mixtral-8x7b", 1.21), ("deepseek-v2-lite", 1.93), ("ibm-granite/granite-3.3-8b-instruct", 0.8),
    ],
)  # fmt: skip
def test_the_activation_peak_is_within_its_band(name: str, seen: float) -> None:
    line = activation(model(name), 8192, 1024)
    assert float(line.bytes / GIB) == pytest.approx(seen, rel=0.12)
    assert line.low < F(str(seen)) * GIB < line.high


def test_a_stage_without_the_head_has_no_logits() -> None:
    entry = model("llama-3.1-8b")
    assert activation(entry, 8192, 1024, sampler=False).bytes < activation(entry, 8192, 1024).bytes
    assert activation(entry, 8192, 1).bytes == activation(entry, 8192, 1024, sampler=False).bytes


@pytest.mark.parametrize(("length", "seen"), [(20_000, 2.07), (29_000, 2.99), (35_000, 0.06)])
def test_v0_profiles_its_whole_window_until_it_takes_prompts_in_pieces(length: int, seen: float) -> None:
    """vllm#10517: peak_torch_memory less the weights, on an RTX 3090."""
    found = pool(model("llama-3.1-8b"), card(gpu("RTX 3090")), "bf16", Settings("0.6.3", max_len=length))
    assert float(found.line("activation").bytes / GIB) == pytest.approx(seen, rel=0.02, abs=0.01)


def test_the_start_up_block_of_an_rtx_3090() -> None:
    """vllm#10517 at 20,000 tokens: 3.81 GiB, 1,952 blocks, 1.56x; the pool within 7 %."""
    found = pool(model("llama-3.1-8b"), card(gpu("RTX 3090")), "bf16", Settings("0.6.3", max_len=20_000))
    assert found.room.blocks == pytest.approx(1952, rel=0.07)
    assert float(found.room.concurrency) == pytest.approx(1.56, rel=0.07)
    assert round(float(found.card.bytes / GIB), 2) == 23.58


def test_nothing_of_a_card_is_lost() -> None:
    for text in ("0.19", "0.21"):
        found = pool(model("llama-3.1-8b"), H100, "bf16", Settings(text))
        assert found.free.bytes + found.budget.bytes + sum(line.bytes for line in found.lines) == H100.bytes
        assert found.free.low <= found.free.bytes <= found.free.high


@pytest.mark.parametrize(
    ("name", "gib", "tokens", "tolerance"),
    [  # Available KV cache memory and tokens of the same study: predicted from name, card and utilization alone
        ("llama-3.1-8b", 58.11, 476_016, 0.005), ("Qwen/Qwen2.5-7B", 58.53, 1_096_000, 0.005),
    ],
)  # fmt: skip
def test_the_pool_from_nothing_but_names(name: str, gib: float, tokens: int, tolerance: float) -> None:
    found = pool(model(name), H100, "bf16", STUDY)
    assert float(found.budget.bytes / GIB) == pytest.approx(gib, rel=tolerance)
    assert found.room.tokens == pytest.approx(tokens, rel=tolerance)
    assert found.budget.low < F(str(gib)) * GIB < found.budget.high
    assert found.starts


def test_a_log_outranks_what_we_compute() -> None:
    known = {"activation": exactly("activation", 2 * GIB, "log"), "weights": exactly("weights", 15 * GIB, "log")}
    found = pool(model("llama-3.1-8b"), H100, "bf16", STUDY, known)
    assert found.line("activation").origin == found.line("weights").origin == "log"
    assert found.line("non-torch").origin == "assumed"
    kv = exactly("kv-pool", F("58.11") * GIB, "log")
    given = pool(model("llama-3.1-8b"), H100, "bf16", STUDY, {"kv-pool": kv})
    assert given.budget == kv
    assert given.room.tokens == pytest.approx(476_016, rel=2e-4)


def test_a_model_that_does_not_fit_does_not_start() -> None:
    found = pool(model("llama-3.1-70b"), H100, "bf16")
    assert found.budget.bytes < 0
    assert not found.starts
    assert (found.room.blocks, found.longest) == (0, 0)
    spread = pool(model("llama-3.1-70b"), H100, "bf16", Settings(parallel=Parallel(4)))
    assert spread.starts


def test_a_window_that_does_not_fit_gets_an_estimate_that_does() -> None:
    """As in vllm#25350: too long a window, and the length that would do."""
    asked = Settings(max_len=131072, seqs=256, tokens=2048)
    found = pool(model("llama-3.1-8b"), card(gpu("RTX 4090")), "bf16", asked)
    assert not found.starts
    assert 0 < found.longest < 131072
    assert pool(model("llama-3.1-8b"), card(gpu("RTX 4090")), "bf16", asked._replace(max_len=found.longest)).starts


def test_graphs_are_inside_the_share_from_0_21_on() -> None:
    old, new = (pool(model("llama-3.1-8b"), H100, "bf16", STUDY._replace(version=v)) for v in ("0.20", "0.21"))
    assert not old.line("graphs").inside and new.line("graphs").inside
    assert old.budget.bytes - new.budget.bytes == new.line("graphs").bytes
    eager = pool(model("llama-3.1-8b"), H100, "bf16", STUDY._replace(version="0.21", eager=True))
    assert eager.budget.bytes == old.budget.bytes
    assert graphs((0, 21), eager=True).bytes == 0


def test_more_cards_cost_more_outside_torch() -> None:
    one, two, four = (non_torch(Parallel(tp)).bytes for tp in (1, 2, 4))
    assert one < two < four
    assert non_torch(Parallel(1, 2)).bytes < one


def test_fp8_doubles_the_tokens_and_not_the_pool() -> None:
    plain, half = (pool(model("llama-3.1-8b"), H100, "bf16", STUDY._replace(p=F(p))) for p in (2, 1))
    assert plain.budget == half.budget
    assert half.room.blocks // 2 == plain.room.blocks


def test_weights_of_a_log_have_the_rope_table() -> None:
    assert round(float(weights(model("llama-3.1-8b"), "bf16", Parallel()).bytes / GIB), 4) == 14.9888


def test_a_card_is_what_software_sees() -> None:
    assert round(float(H100.bytes / GIB), 2) == 79.19
    assert H100.origin == "log"
    for entry in gpus():
        line = card(entry)
        assert 0 < line.low <= line.bytes <= line.high
        assert line.origin == ("log" if entry.visible else "assumed")


@given(st.sampled_from(SIZED), st.sampled_from(gpus()), st.sampled_from([1, 2, 4, 8]), st.sampled_from(["bf16", "awq"]))
def test_every_model_on_every_card_has_a_ledger(entry: Model, on: object, tp: int, form: str) -> None:
    of = card(on)  # type: ignore[arg-type]
    found = pool(entry, of, form, Settings(parallel=Parallel(tp)))
    for line in (found.card, *found.lines, found.budget):
        assert line.low <= line.bytes <= line.high
        assert line.origin in ("given", "config", "log", "computed", "assumed")
    taken = sum(line.bytes for line in found.lines if line.inside)
    assert found.budget.bytes == found.settings.utilization * of.bytes - taken
    assert found.starts == (found.need <= found.room.blocks)


@given(st.fractions(F(1, 10), 1), st.fractions(F(1, 10), 1))
def test_a_larger_share_leaves_more(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    lines: tuple[Line, ...] = (exactly("weights", 15 * GIB, "given"),)
    assert left(H100, lines, low).bytes <= left(H100, lines, high).bytes


# --- defaults by version -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [("0.19.0", (0, 19)), ("v0.11.0rc2.dev", (0, 11)), ("0.6.3.post1", (0, 6)), (None, vllm.NEWEST), ("", vllm.NEWEST),
     ("newest", vllm.NEWEST)],
)  # fmt: skip
def test_versions(text: str | None, read: tuple[int, int]) -> None:
    assert version(text) == read


def test_defaults_follow_version_and_card() -> None:
    big, small, huge = F(80 * GIB), F(24 * GIB), F(190 * GIB)
    assert (utilization((0, 20)), utilization((0, 21))) == (F(9, 10), F(92, 100))
    assert (max_num_seqs((0, 19), big), max_num_seqs((0, 19), small), max_num_seqs((0, 6), big)) == (1024, 256, 256)
    assert max_num_seqs((0, 19), big, "A100 SXM 80GB") == 256
    assert batched_tokens((0, 19), big, 131072) == 8192
    assert batched_tokens((0, 19), big, 131072, "NVIDIA A100-SXM4-80GB") == 2048
    assert batched_tokens((0, 19), small, 131072) == 2048
    assert batched_tokens((0, 30), huge, 131072) == 16384
    assert (batched_tokens((0, 6), small, 1024), batched_tokens((0, 6), small, 29000)) == (2048, 29000)
    assert (batched_tokens((0, 6), small, 131072), batched_tokens((0, 7), small, 131072)) == (512, 2048)


def test_what_was_said_is_not_assumed() -> None:
    entry = model("llama-3.1-8b")
    assert resolve(Settings(), entry, F(80 * GIB)).assumed == ("version", "utilization", "max_len", "tokens", "seqs")
    said = Settings("0.19", F(9, 10), 4096, 2048, 64)
    assert resolve(said, entry, F(80 * GIB)).assumed == ()
    assert resolve(Settings(tokens=128), entry, F(80 * GIB)).seqs == 128  # never above the token budget


@pytest.mark.parametrize(("name", "gib"), [("A10G", "22.06"), ("L4", "22.03"), ("T4", "14.57"), ("L40S", "44.39")])
def test_cards_with_error_correction_in_gddr(name: str, gib: str) -> None:
    """A sixteenth of GDDR6 holds error correction: software sees less than the box says, and the band of cards without
    a log of their own reaches as far."""
    line = card(gpu(name))
    assert abs(line.bytes - F(gib) * 2**30) < 1
    assert line.origin == "log"
    unknown = card(gpu(name)._replace(visible=None))
    assert unknown.low < line.bytes < unknown.high
