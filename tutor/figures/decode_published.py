"""The curve that the figure has without one of the reader's own: a published card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

EXAMPLE = "A100 SXM 80GB"
RATES = {
    1: 1582.5, 4: 1594.7, 16: 1537.6, 32: 1482.0, 64: 1506.3, 128: 1385.9, 256: 815.3, 512: 546.7, 1024: 312.4,
    4096: 111.6,
}  # fmt: skip
"""The example: 10^9 bytes a second of an A100 SXM 80GB on two products, 16384x8192 and 8192x16384 in bf16, by tokens.

The bytes are those of weights and of activations, in and out. Source: AIConfigurator's measured tables (commit
095f58a), TensorRT-LLM 1.0.0, graph-replayed kernels.
"""
_WEIGHTS, _TOKEN = 2 * 16384 * 8192 * 2, 2 * (16384 + 8192) * 2
"""Bytes of the two matrices, and of a token's numbers in and out of them."""


@cache
def published() -> Mapping[str, object]:
    """The example as the figure takes it: its seconds, and by the probe's own rules its knee and the classes."""
    from engine import roofline
    from engine.probe import curve
    from engine.probe.readings import Linear, Run, Time

    seconds = {tokens: (_WEIGHTS + tokens * _TOKEN) / (rate * 1e9) for tokens, rate in RATES.items()}
    flops = 2 * 2 * 16384 * 8192
    linear = tuple(
        Linear(tokens, _WEIGHTS, tokens * flops, Time(time, time, 0.0, 1, True), None)
        for tokens, time in seconds.items()
    )
    found = curve.place(Run(linear=linear))[0]
    assert found is not None
    points = tuple((tokens, time, roofline.regime(tokens / found.batch)) for tokens, time in seconds.items())
    knee = (found.batch, *curve.interval(found.batch, found.deviation))
    return {"card": EXAMPLE, "source": "AIConfigurator, TensorRT-LLM 1.0.0", "points": points, "knee": knee}
