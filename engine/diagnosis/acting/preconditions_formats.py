"""What must hold for levers that change the bits of weights or cache: as in ``acting.preconditions``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from engine import catalog, precision, support, vllm
from engine.catalog import Gpu
from engine.diagnosis.acting import acts, typed
from engine.diagnosis.acting.preconditions import MET, UNKNOWN, Check, Goal, failed, known
from engine.diagnosis.settings import engines

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case


GGUF = ("llama.cpp", "ollama", "exllama")
"""Engines whose formats are weights alone in few bits, unpacked in the kernel: none reads an 8-bit checkpoint."""


def gguf(case: Case) -> bool:
    """Whether weights alone are in few bits, as llama.cpp and its kin have them: by the engine, or by the format."""
    engine, form = case.scenario.engine, case.scenario.weights
    if engine is not None and engine != "other":
        return engine in GGUF
    return form is not None and form.name.startswith(("q2_", "q3_", "q4_", "q5_", "q6_", "q8_", "iq"))


def bits_to_save(case: Case, goal: Goal) -> Check:
    """Weights have more than 4 bits, and their bytes are what matters."""
    now = case.form
    if now is not None and now.linear_bits < 6:
        return failed("already-on")
    return failed("math-stays-16bit") if goal.wall == "compute" else MET


def fused_4bit(case: Case, goal: Goal) -> Check:
    """The card is one for which fused 4-bit kernels exist: Turing or newer; Volta for some formats."""
    if gguf(case):
        return MET

    def kernel(gpu: Gpu) -> bool | None:
        if gpu.vendor != "NVIDIA" or not gpu.capability:
            return None
        capability = Fraction(gpu.capability)
        return False if capability < 7 else None if capability < Fraction("7.5") else True  # Volta: GPTQ alone

    return of_cards(case, kernel, "no-kernel")


def of_cards(case: Case, holds: Callable[[Gpu], bool | None], why: str) -> Check:
    """Whether something holds for the card, or for every card that the name may mean."""
    scenario = case.scenario
    cards = [scenario.gpu] if scenario.gpu is not None else [catalog.gpu(name) for name in scenario.gpu_options]
    answers = {holds(gpu) for gpu in cards}
    return known(answers.pop(), why) if len(answers) == 1 else UNKNOWN


def int8_unit(case: Case, goal: Goal) -> Check:
    """The card computes INT8 faster than 16 bits: Turing to Hopper, not the newest with a cut unit."""
    if _eight_bits(case):
        return failed("already-on")
    if gguf(case):
        return failed("not-in-engine")
    return of_cards(case, lambda gpu: _has_unit(gpu, "w8a8"), "no-unit")


def fp8_unit(case: Case, goal: Goal) -> Check:
    """The card computes FP8; to save bytes alone Ampere does too, whose kernels unpack it."""

    def serves(gpu: Gpu) -> bool:
        stores = goal.wall != "compute" and gpu.vendor == "NVIDIA" and gpu.architecture.lower() == "ampere"
        return stores or _has_unit(gpu, "fp8")

    if _eight_bits(case):
        return failed("already-on")
    return failed("not-in-engine") if gguf(case) else of_cards(case, serves, "no-unit")


def _eight_bits(case: Case) -> bool:
    """Whether the matrices are multiplied in 8 bits today."""
    return case.form is not None and case.form.computes in ("fp8", "int8")


def _has_unit(gpu: Gpu, name: str) -> bool:
    """Whether the card has a format's own unit, and a faster one than the 16-bit one."""
    found = precision.matmul(precision.FORMATS[name], gpu)
    return found.native and (found.gains is None or found.gains > Fraction(6, 5))


def cache_to_save(case: Case, goal: Goal) -> Check:
    """The cache is 16-bit today, and the card reads 8 bits natively."""
    if acts.quantized_kv(case):
        return failed("already-on")
    if goal.wall == "weights-memory" and _weights_alone_too_large(case):
        return failed("frees-other-bytes")
    if case.scenario.engine in INTEGER_CACHES:
        return MET
    return of_cards(case, lambda gpu: _reads_cache(case, gpu), "no-fp8-cache")


INTEGER_CACHES = (*GGUF, "lmdeploy")
"""Engines whose 8-bit cache holds integers with a scale, which every card unpacks."""


def _reads_cache(case: Case, gpu: Gpu) -> bool | None:
    """Whether the engine's attention reads an FP8 cache on a card: by itself, or converted at every read."""
    if support.reads_fp8(gpu):
        return True
    if gpu.vendor != "NVIDIA" or not gpu.capability:
        return None
    match case.scenario.engine:
        case "vllm":
            return not engines.is_v1(case.scenario.version)  # V0's own kernel converts (vllm#3965)
        case "tensorrt-llm":
            return False
        case "sglang":
            return True if support.capability(gpu) >= support.BF16 else None  # FlashInfer converts on Ampere
    return None


def _weights_alone_too_large(case: Case) -> bool:
    card, weights = case.ledger.card.bytes if case.ledger else None, case.weights_on_card
    return card is not None and weights is not None and weights >= card


def bf16_today(case: Case, goal: Goal) -> Check:
    """Weights are bf16, and the card has none."""
    now = case.form
    if now is not None and now.name == "fp16":
        return failed("already-on")
    check = of_cards(case, lambda gpu: not support.has_bf16(gpu), "not-needed")
    return MET if case.scenario.has("no-bf16") else check


def something_narrow(case: Case, goal: Goal) -> Check:
    """Weights or cache are quantized, or 32-bit."""
    now = case.form
    if acts.quantized_kv(case) or (now is not None and now.linear_bits != 16):
        return MET
    return UNKNOWN if now is None and case.scenario.model is None else failed("already-on")


_WHILE_LOADING = ("nf4", "nf4-double", "int8", "fp8")
"""Formats that engines also make of 16-bit weights while they load them; the others come with the checkpoint."""


def quantized_while_loading(case: Case, goal: Goal) -> Check:
    """The checkpoint is not in the format of the weights already."""
    form = case.scenario.weights
    there = form is not None and form.linear_bits < 16 and form.name not in _WHILE_LOADING
    return failed("already-on") if there else MET


def kernel_named(case: Case, goal: Goal) -> Check:
    """Something names the kernel or the format that falls back to a slow one."""
    shown = case.scenario.act_order or case.scenario.has("kernel-warning", "unfused-format", "quantized-slower")
    if not shown and case.form is not None and case.form.linear_bits == 16:
        return failed("plain-format")
    if (check := _marlin(case)).state == "failed":
        return check
    return MET if shown else UNKNOWN


def _marlin(case: Case) -> Check:
    """Whether the kernel that is meant for AWQ and GPTQ weights runs on the card; met for other formats."""
    form, engine = case.scenario.weights, typed.engine_of(case)
    if form is None or form.name not in typed.MARLIN or engine not in ("vllm", "sglang"):
        return MET
    release = vllm.version(case.scenario.version) if engine == "vllm" else None

    def reads(gpu: Gpu) -> bool | None:
        return support.marlin(gpu, release) if gpu.vendor == "NVIDIA" and gpu.capability else None

    return of_cards(case, reads, "no-kernel")
