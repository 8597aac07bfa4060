"""Recorded runs of the probe from figures that others published: ``python tests/engine/probe_records.py`` writes them.

Nobody ran the program for these; data/probe/README.md says which figure each number is from. Three kinds:

- matrices and caches as aiconfigurator timed them (data/measured.json, rows ``aic-*``): the curve is nature's;
- cards of which only shares of the data sheet are published: the curve is T(b) = (Tmem^2 + (c b)^2)^(1/2) with these;
- the two-core processor of probe.md section 6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from engine import flops
from engine.catalog import Gpu, gpu

FOLDER = Path(__file__).parent / "data" / "probe"
Event = dict[str, Any]

BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
CACHES = ((1, 1024), (1, 8192), (8, 1024), (8, 8192), (32, 4096))
STAGES = {
    "identify": 0.1, "ramp": 1.0, "bandwidth": 1.0, "matmul": 1.5, "floor": 0.2, "linear": 3.0, "kv": 2.0,
    "prefill": 2.0, "case": 0.5, "recheck": 0.5,
}  # fmt: skip
"""Seconds of each stage (probe.md section 2.2)."""


class Card(NamedTuple):
    """What is published of a card.

    Attributes:
        file: of the record.
        name: as torch says it.
        entry: of the catalogue.
        total, cache: bytes.
        kernel: seconds that one matrix kernel costs.
        copy: share of the bandwidth that a copy or a read reaches.
        weights, math, kv: shares of the data sheet, for cards without a published curve.
        products: best share of the peak by type.
        attention: share of the 16-bit peak of a prompt's attention.
        backend, capability: of torch.
    """

    file: str
    name: str
    entry: str
    total: int
    cache: int
    kernel: float
    copy: float
    products: Mapping[str, float]
    attention: float
    weights: float = 0.0
    math: float = 0.0
    kv: float = 0.0
    backend: str = "cuda"
    capability: str | None = None


_NVIDIA = 4.5e-6
CURVES = (
    (Card("h200", "NVIDIA H200", "H200 SXM 141GB", 150_110_011_392, 62_914_560, _NVIDIA, 4300 / 4800,
          {"bf16": 0.80, "fp8": 0.71, "int8": 1014 / 1979}, 0.40, capability="9.0"), "H200", "h200_sxm"),
    (Card("a100", "NVIDIA A100-SXM4-80GB", "A100 SXM 80GB", 85_095_874_560, 41_943_040, 13e-6, 0.85,
          {"bf16": 0.91, "int8": 560 / 624}, 0.46, capability="8.0"), "A100-SXM4-80GB", "a100_sxm"),
    (Card("l40s", "NVIDIA L40S", "L40S", 47_697_362_944, 100_663_296, _NVIDIA, 0.89,
          {"bf16": 0.72, "fp8": 0.50, "int8": 569 / 733}, 0.39, capability="8.9"), "L40S", "l40s"),
)  # fmt: skip
"""Cards with a published curve, the name in the rows of matrices, and in those of attention."""

LAWS = (
    Card("h100", "NVIDIA H100 80GB HBM3", "H100 SXM 80GB", 85_029_158_912, 52_428_800, _NVIDIA, 0.91,
         {"bf16": 0.83, "fp8": 0.69}, 0.40, 0.88, 0.78, 0.81, capability="9.0"),
    Card("b200", "NVIDIA B200", "B200 SXM", 191_509_823_488, 132_120_576, _NVIDIA, 0.85,
         {"bf16": 0.71, "fp8": 0.47}, 0.34, 0.83, 0.67, 0.76, capability="10.0"),
    Card("rtx4090", "NVIDIA GeForce RTX 4090", "RTX 4090", 25_386_352_640, 75_497_472, _NVIDIA, 0.91,
         {"bf16": 0.86}, 0.40, 0.86, 0.67, 0.80, capability="8.9"),
    Card("rtx-pro-6000", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 Blackwell Workstation",
         101_972_246_528, 134_217_728, _NVIDIA, 0.85, {"bf16": 0.86, "fp8": 0.80}, 0.43, 0.83, 0.85, 0.80,
         capability="12.0"),
    Card("mi300x", "AMD Instinct MI300X", "MI300X", 205_822_885_888, 4_194_304, 8e-6, 0.80,
         {"bf16": 0.51}, 0.30, 0.63, 0.37, 0.63, backend="rocm"),
)  # fmt: skip
"""Cards of which shares are published."""


def write() -> None:
    """All records, as files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, events in records().items():
        text = "".join(json.dumps(event) + "\n" for event in events)
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")


def records() -> dict[str, list[Event]]:
    """Every record by the name of its file."""
    found = {card.file: list(_curve(card, matrices, attention)) for card, matrices, attention in CURVES}
    found |= {card.file: list(_law(card)) for card in LAWS}
    return {**found, "zen4": list(_processor())}


def load(name: str) -> list[Event]:
    """A record from its file."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


# --- events ----------------------------------------------------------------------------------------------------------


def reading(stage: str, what: str, seconds: float, **sizes: Any) -> Event:
    """One reading; seconds to seven digits, since published ones have fewer."""
    graph = what not in ("copy", "read", "matmul", "eager")
    timed = float(f"{seconds:.7g}")
    return {"event": "reading", "stage": stage, "what": what, "seconds": timed, "median": timed, "noise": 0.0,
            "blocks": 8, "graph": graph, "flagged": False, **sizes}  # fmt: skip


def _stage(name: str) -> Event:
    order = list(STAGES)
    n = order.index(name)
    elapsed = round(sum(STAGES[one] for one in order[:n]), 3)
    return {"event": "stage", "stage": name, "n": n + 1, "of": len(order), "elapsed": elapsed, "budget": 25.0}


def _begin(card: Card, plan: Mapping[str, Any]) -> Iterator[Event]:
    torch = "2.9.0+rocm6.4" if card.backend == "rocm" else "2.9.0+cu128"
    yield {"event": "hello", "protocol": 1, "python": "3.12.3", "torch": torch, "backend": card.backend,
           "import_seconds": 2.0}  # fmt: skip
    yield _stage("identify")
    yield {"event": "device", "kind": "cuda", "name": card.name, "capability": card.capability, "arch": None,
           "total": card.total, "free": card.total - 10**9, "cache": card.cache, "units": None, "clock": None,
           "memory_clock": None, "memory_bus_bits": None, "integrated": False, "slice": None, "driver": None,
           "runtime": None, "threads": None, "witness": True, "others": [], "utilization": 0,
           "context_seconds": 0.5}  # fmt: skip
    yield {"event": "plan", "kv_budget": 10**9, "scratch": 256 * 10**6, "budget": 3 * 10**9, **plan}
    yield _stage("ramp")
    yield {"event": "reading", "stage": "ramp", "what": "ramp", "first": 3e-4, "last": 2.5e-4, "windows": 3,
           "settled": True}  # fmt: skip


def _ceilings(card: Card, sheet: Gpu, stage: str = "") -> Iterator[Event]:
    """Copies and products; with a ``stage`` those of the re-check."""
    if not stage:
        yield _stage("bandwidth")
    size = 2**30
    for what, share in (("copy", card.copy * 0.97), ("read", card.copy)):
        moved = 2 * size if what == "copy" else size
        yield reading(stage or "bandwidth", what, moved / (share * sheet.bandwidth), bytes=moved)
    if not stage:
        yield _stage("matmul")
    rates = {"bf16": sheet.peak_flops, "fp8": sheet.flops8, "int8": sheet.ops8}
    for dtype, share in card.products.items():
        peak = rates[dtype]
        assert peak is not None
        if not stage or dtype == "bf16":
            yield reading(stage or "matmul", "matmul", 2 * 8192**3 / (share * peak), dtype=dtype, n=8192,
                          flops=2 * 8192**3, fill="random")  # fmt: skip


def _end() -> Event:
    return {"event": "end", "reason": "done", "elapsed": round(sum(STAGES.values()), 3), "stages": STAGES,
            "memory": {"budget": 3 * 10**9, "peak": 3 * 10**9}}  # fmt: skip


# --- published curves ------------------------------------------------------------------------------------------------

KERNELS = {"d_model": 8192, "d_ff": 16384, "n_head": 32, "n_kv_heads": 8, "d_head": 128, "gated": False}
"""Two matrices, 8192 by 16384 and back; attention of 32 heads over 8."""


MATRICES = ((8192, 16384), (16384, 8192))


def _rows() -> Iterator[dict[str, Any]]:
    data = json.loads((FOLDER.parent / "measured.json").read_text(encoding="utf-8"))
    for source in data["sources"].values():
        yield from source


def rows_of(name: str, form: str) -> dict[int, float]:
    """Seconds of the two matrices by tokens, as published (bytes of weights and activations over the rate)."""
    found = {}
    for row in _rows():
        if row["id"].startswith(f"aic-{name}-{form}-m"):
            p_act = "3/2" if form in ("sq", "fp8") else 2
            bits = Fraction(row["weights_bits"], 8)
            parts = [flops.matrix(*shape, row["batch"], bits, p_act) for shape in MATRICES]
            found[row["batch"]] = float(sum(part.bytes_moved for part in parts)) / (row["achieved_gbs"] * 1e9)
    return dict(sorted(found.items()))


def caches_of(name: str) -> dict[tuple[int, int], float]:
    """Seconds of one layer's attention by batch and context, as published."""
    return {
        (row["batch"], row["context"]): row["batch"] * row["context"] * 4096 / (row["achieved_gbs"] * 1e9)
        for row in _rows()
        if row["id"].startswith(f"aic-attn-{name}-")
    }


def _curve(card: Card, matrices: str, attention: str) -> Iterator[Event]:
    sheet = gpu(card.entry)
    weights = 2 * 2 * 8192 * 16384
    each = 2 * 2 * 8192 * 16384  # FLOPs a token of the two matrices
    linear, caches = rows_of(matrices, "bfloat16"), caches_of(attention)
    plan = {"dtype": "bf16", **KERNELS, "layers": 1, "layer_bytes": weights, "weight_bytes": weights, "origin": "case"}
    yield from _begin(card, plan)
    yield from _ceilings(card, sheet)
    yield _stage("floor")
    yield reading("floor", "floor", 2 * card.kernel, layers=1)
    yield _stage("linear")
    swept = [tokens for tokens in linear if tokens <= 1024]
    for way, tokens in [(1, one) for one in swept] + [(2, one) for one in reversed(swept)]:
        yield reading("linear", "linear", linear[tokens], batch=tokens, bytes=weights, flops=each * tokens,
                      **{"pass": way})  # fmt: skip
    yield _stage("kv")
    for (batch, context), seconds in sorted(caches.items(), key=lambda one: one[0][0] * one[0][1]):
        size = batch * context * 4096
        yield reading("kv", "kv", seconds, batch=batch, context=context, layers=1, bytes=size,
                      flops=4 * 32 * 128 * batch * context)  # fmt: skip
    yield _stage("prefill")
    assert sheet.peak_flops is not None
    for tokens in (1024, 4096):
        pairs = 4 * 32 * 128 * tokens * (tokens + 1) // 2
        seconds = linear[tokens] + pairs / (card.attention * sheet.peak_flops)
        yield reading("prefill", "prefill", seconds, tokens=tokens, linear_flops=each * tokens, attention_flops=pairs,
                      bytes=weights)  # fmt: skip
    yield _stage("case")
    yield reading("case", "case", linear[64] + caches[64, 4096], batch=64, context=4096, layers=1,
                  weight_bytes=weights, kv_bytes=2**30, linear_flops=64 * each,
                  attention_flops=4 * 32 * 128 * 64 * 4096)  # fmt: skip
    yield _stage("recheck")
    yield from _ceilings(card, sheet, "recheck")
    yield _end()


# --- published shares ------------------------------------------------------------------------------------------------

STACK = {"d_model": 4096, "d_ff": 14336, "n_head": 32, "n_kv_heads": 8, "d_head": 128, "gated": True}
LAYERS = 4
WEIGHTS = 4096 * (6144 + 4096 + 3 * 14336)
"""Numbers in a layer's matrices: queries with keys and values, output, gate with up, down."""


def _law(card: Card) -> Iterator[Event]:
    sheet = gpu(card.entry)
    assert sheet.peak_flops is not None
    size, each = 2 * LAYERS * WEIGHTS, 2 * LAYERS * WEIGHTS
    reading_time, token = size / (card.weights * sheet.bandwidth), each / (card.math * sheet.peak_flops)
    fixed = 4 * LAYERS * card.kernel

    def matrices(tokens: int) -> float:
        return fixed + float((reading_time**2 + (token * tokens) ** 2) ** 0.5)

    def attention(batch: int, context: int, layers: int) -> float:
        return layers * (8e-6 + batch * context * 4096 / (card.kv * sheet.bandwidth))

    plan = {"dtype": "bf16", **STACK, "layers": LAYERS, "layer_bytes": 2 * WEIGHTS, "weight_bytes": size}
    yield from _begin(card, {**plan, "origin": "default"})
    yield from _ceilings(card, sheet)
    yield _stage("floor")
    yield reading("floor", "floor", fixed, layers=LAYERS)
    yield reading("floor", "eager", matrices(1) + 4 * LAYERS * 10e-6, batch=1)
    yield _stage("linear")
    for way, tokens in [(1, one) for one in BATCHES] + [(2, one) for one in reversed(BATCHES)]:
        yield reading("linear", "linear", matrices(tokens), batch=tokens, bytes=size, flops=each * tokens,
                      **{"pass": way})  # fmt: skip
    yield _stage("kv")
    for batch, context in CACHES:
        layers = max(1, min(16, 10**9 // (batch * context * 4096)))
        yield reading("kv", "kv", attention(batch, context, layers), batch=batch, context=context, layers=layers,
                      bytes=layers * batch * context * 4096,
                      flops=layers * 4 * 32 * 128 * batch * context)  # fmt: skip
    yield _stage("prefill")
    for tokens in (128, 512, 2048, 4096):
        pairs = LAYERS * 4 * 32 * 128 * tokens * (tokens + 1) // 2
        seconds = matrices(tokens) + pairs / (card.attention * sheet.peak_flops)
        yield reading("prefill", "prefill", seconds, tokens=tokens, linear_flops=each * tokens, attention_flops=pairs,
                      bytes=size)  # fmt: skip
    yield _stage("case")
    yield reading("case", "case", matrices(8) + attention(8, 4096, LAYERS), batch=8, context=4096, layers=LAYERS,
                  weight_bytes=size, kv_bytes=LAYERS * 8 * 4096 * 4096, linear_flops=8 * each,
                  attention_flops=LAYERS * 4 * 32 * 128 * 8 * 4096)  # fmt: skip
    pairs = LAYERS * 4 * 32 * 128 * 1024 * 1025 // 2
    yield reading("case", "prefill", matrices(1024) + pairs / (card.attention * sheet.peak_flops), tokens=1024,
                  linear_flops=each * 1024, attention_flops=pairs, bytes=size)  # fmt: skip
    yield _stage("recheck")
    yield from _ceilings(card, sheet, "recheck")
    yield _end()


# --- the processor ---------------------------------------------------------------------------------------------------

RELATIVE = {1: 1.03, 2: 1.0, 4: 1.10, 8: 1.25, 16: 1.54, 32: 2.10, 64: 3.15, 128: 5.29}
"""T(b)/T(2) of two Zen 4 cores (probe.md section 6)."""


def _processor() -> Iterator[Event]:
    size = 96 * 10**6
    unit = size / 14.0e9  # decode at 14.0 GB/s, copy at 43 (row of 96 MB)
    token = 1.175 * unit / 27.0  # flat part over the knee that was read there
    product = size / token / 0.89  # prefill reached 0.89 of the best product; FLOPs a token are the bytes
    yield {"event": "hello", "protocol": 1, "python": "3.11.7", "torch": "2.13.0+cpu", "backend": "cpu",
           "import_seconds": 1.9}  # fmt: skip
    yield _stage("identify")
    yield {"event": "note", "id": "demonstration"}
    yield {"event": "device", "kind": "cpu", "name": "AMD EPYC (Zen 4)", "total": 8 * 10**9, "free": 6 * 10**9,
           "cache": 32 * 2**20, "units": 2, "threads": 2, "witness": False, "others": []}  # fmt: skip
    yield {"event": "plan", "dtype": "bf16", "d_model": 1024, "d_ff": 2816, "n_head": 8, "n_kv_heads": 2,
           "d_head": 128, "gated": True, "layers": 4, "layer_bytes": size // 4, "weight_bytes": size,
           "kv_budget": 10**8, "scratch": 10**8, "budget": 3 * 10**8, "origin": "default"}  # fmt: skip
    yield _stage("bandwidth")
    yield reading("bandwidth", "copy", 512e6 / 43e9, bytes=512 * 10**6)
    yield _stage("matmul")
    yield reading("matmul", "matmul", 2 * 1024**3 / product, dtype="bf16", n=1024, flops=2 * 1024**3, fill="random")
    yield _stage("linear")
    for way, batches in ((1, tuple(RELATIVE)), (2, tuple(reversed(RELATIVE)))):
        for batch in batches:
            yield {**reading("linear", "linear", unit * RELATIVE[batch], batch=batch, bytes=size, flops=size * batch,
                             **{"pass": way}), "graph": False}  # fmt: skip
    yield _stage("prefill")
    for tokens in (128, 256, 512):
        seconds = token * 512 * (tokens / 512) ** 0.97
        pairs = 4 * 4 * 1024 * tokens * (tokens + 1) // 2
        yield {**reading("prefill", "prefill", seconds, tokens=tokens, linear_flops=size * tokens,
                         attention_flops=pairs, bytes=size), "graph": False}  # fmt: skip
    yield _stage("recheck")
    yield reading("recheck", "copy", 512e6 / 43e9, bytes=512 * 10**6)
    yield {**_end(), "elapsed": 6.0}


if __name__ == "__main__":
    write()
