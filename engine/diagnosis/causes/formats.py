"""Number formats that a card has no arithmetic for: the engine refuses to start, whatever memory there is."""

from __future__ import annotations

from collections.abc import Callable

from engine import catalog, support
from engine.catalog import Gpu
from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, words


def without_bf16(case: Case) -> Witness | None:
    """bf16 on a NVIDIA card from before Ampere."""
    s = case.scenario
    said = words(case, {"no-bf16": "0.6"}, "fails-to-start")
    narrow = s.weights is not None and s.weights.name != "bf16"
    if not _each(case, lambda gpu: not support.has_bf16(gpu)):
        return said
    if said is None:
        told = s.said.get("weights")
        given = (
            not narrow and s.weights is not None and told is not None and told.origin not in ("catalogue", "assumed")
        )
        return flags("0.75", "weights", "gpu") if given and _only_starts_not(case) else None
    return together(_of_card(case, support.BF16), said)


def without_kernel(case: Case) -> Witness | None:
    """Weights in a format that no kernel unpacks or multiplies on this card."""
    form = case.scenario.weights
    said = words(case, {"no-kernel-for-format": "0.6"}, "fails-to-start")
    if form is None or form.name == "bf16" or not _each(case, lambda gpu: not support.runs(form, gpu)):
        return said
    if said is None and not _only_starts_not(case):
        return None
    return together(_of_card(case, support.MARLIN), said or flags("0.75", "weights", "gpu"))


def _of_card(case: Case, needed: tuple[int, int]) -> Witness | None:
    """The card's capability against the one that is needed; ``None`` where only some card of a name is known."""
    gpu = case.scenario.gpu
    if gpu is None or gpu.vendor != "NVIDIA" or not gpu.capability or support.capability(gpu) >= needed:
        return None
    return numbers("0.98", None, card=gpu.name, capability=gpu.capability, needed=".".join(map(str, needed)))


def _each(case: Case, holds: Callable[[Gpu], bool]) -> bool:
    """Whether the card is known, and something holds for it, or for every card that the name may mean."""
    s = case.scenario
    cards = [s.gpu] if s.gpu is not None else [catalog.gpu(name) for name in s.gpu_options]
    return bool(cards) and all(map(holds, cards))


def _only_starts_not(case: Case) -> bool:
    """Whether it does not start, and nothing says what is short."""
    return {one.id for one in case.scenario.signals} <= {"fails-to-start"} and case.scenario.has("fails-to-start")


_VAIN = ("raise-memory-utilization", "lower-max-model-len", "more-memory")

CAUSES = (
    Cause(
        "no-bf16", "load", "other", "format-refused", "load", without_bf16, ("float16",), (*_VAIN, "kv-quantization"),
        ("half-precision", "float16"), "vLLM, CudaPlatform.check_if_supports_dtype: compute capability 8.0",
    ),
    Cause(
        "no-kernel-for-format", "load", "other", "format-refused", "load", without_kernel,
        ("w4a16", "w8a8", "keep-16bit", "upgrade-engine"), _VAIN, ("sixteen-bit-start", "keep-16bit"),
        "vLLM, get_min_capability of each quantization method",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
