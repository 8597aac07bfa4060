"""The time of a step worked by hand: each of its parts by its formula, then their sum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import words
from content.diagnosing.words import named, sentence
from content.diagnosing.working import Given, texts, work
from content.lang import Lang
from engine import roofline, steps
from engine.diagnosis.model import Timing
from engine.efficiency import Band
from engine.formulas.registry import FormulaError
from engine.links import Link
from engine.roofline import Times
from engine.steps import Setup


def step_lines(setup: Setup | None, timing: Timing, lang: Lang) -> tuple[tuple[str, ...], bool]:
    """The working of a step, and whether several chunks are added up in it.

    Bytes and FLOPs are taken back from the times, so that the working always gives the number that is shown.
    """
    usual, reached = timing.step.usual, timing.step.reached
    lines: list[str] = []
    chunked = False
    if setup is not None:
        layers = _layers(usual, reached.layer_time, setup)
        chunked = layers > setup.model.layers
        for title, text in _parts(setup, timing, layers, lang):
            lines += [f"{title}:", *(f"  {line}" for line in text)]
    return (*lines, *_sum(usual, lang)), chunked


def reached_notes(timing: Timing, lang: Lang) -> Iterator[str]:
    """What share of the data sheet is taken, of the parts that count, and where that comes from."""
    usual, reached = timing.step.usual, timing.step.reached
    linear = ("matrices", reached.math) if (usual.matrices or 0) > usual.weights else ("weights", reached.weights)
    cache = ("attention", reached.attention) if (usual.attention or 0) > usual.kv else ("kv", reached.kv)
    for name, band in (linear, cache):
        given = {
            "name": named("part", name, lang), "value": words.share(band.mid, lang), "low": words.share(band.low, lang),
            "high": words.share(band.high, lang), "source": words.source(band.source),
        }  # fmt: skip
        yield sentence("explain.reached", given, lang)


def _layers(usual: Times, layer_time: Band, setup: Setup) -> int:
    """Layers that run one after another, those of every chunk counted."""
    return round(usual.overhead / layer_time.mid) if layer_time.mid else setup.model.layers


def _parts(setup: Setup, timing: Timing, layers: int, lang: Lang) -> Iterator[tuple[str, tuple[str, ...]]]:
    usual, reached, gpu = timing.step.usual, timing.step.reached, setup.gpu
    fixed = work("fixed_time", {"L": layers, "layer_time": reached.layer_time.mid}, lang)
    yield named("part", "overhead", lang), fixed[-1].texts()
    for name, time, share in (("weights", usual.weights, reached.weights), ("kv", usual.kv, reached.kv)):
        yield named("part", name, lang), _read(time, gpu.bandwidth, share.mid, lang)
    rates = (("matrices", usual.matrices, roofline.peak(gpu, setup.unit), reached.math.mid),
             ("attention", usual.attention, gpu.peak_flops, reached.attention.mid))  # fmt: skip
    for name, spent, rate, of in rates:
        if spent is not None and rate is not None:
            yield named("part", name, lang), _computed(spent, rate, of, lang)
    for name, time, link, hops in _links(setup, usual, layers):
        if time and link is not None and link.bandwidth is not None:
            yield named("part", name, lang), _crossed(time, link, hops, lang)


def _read(time: Fraction, bandwidth: int, share: Fraction, lang: Lang) -> tuple[str, ...]:
    size = Fraction(round(time * bandwidth * share))
    given: Given = {"bytes_moved": size, "bandwidth": bandwidth, "memory_efficiency": share}
    return texts(work("memory_time", given, lang))


def _computed(time: Fraction, rate: int, share: Fraction, lang: Lang) -> tuple[str, ...]:
    flops = Fraction(round(time * rate * share))
    given: Given = {"flops": flops, "peak_flops": rate, "compute_efficiency": share}
    return texts(work("math_time", given, lang))


def _links(setup: Setup, usual: Times, layers: int) -> Iterator[tuple[str, Fraction, Link | None, int]]:
    try:
        card = steps.ceilings(setup)
    except (ValueError, FormulaError):
        return
    hops = (2 * layers if setup.tp > 1 else 0) + max(0, setup.pp - 1)
    yield "link", usual.link, card.link, hops
    yield "host", usual.host, card.host, 0


def _crossed(time: Fraction, link: Link, hops: int, lang: Lang) -> tuple[str, ...]:
    assert link.bandwidth is not None
    waits = hops * link.hop.mid
    size = Fraction(round(max(time - waits, Fraction(0)) * link.bandwidth * link.share.mid))
    given = {
        "link_bytes": size, "link_bandwidth": link.bandwidth, "link_efficiency": link.share.mid,
        "hops": Fraction(hops), "hop_time": link.hop.mid,
    }  # fmt: skip
    return texts(work("link_time", given, lang))


def _sum(usual: Times, lang: Lang) -> tuple[str, ...]:
    def ms(value: Fraction | None) -> str:
        return words.seconds(value or Fraction(0), lang)

    linear = f"max({ms(usual.weights)}, {ms(usual.matrices)})"
    cache = f"max({ms(usual.kv)}, {ms(usual.attention)})"
    rest = " + ".join(ms(value) for value in (usual.link, usual.host))
    return (
        sentence("explain.step", {}, lang),
        f"  = {ms(usual.overhead)} + {linear} + {cache} + {rest}",
        f"  = {ms(usual.total)}",
    )
