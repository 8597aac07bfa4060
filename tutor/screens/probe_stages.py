"""What each stage of a probe came to, in a few words."""

from __future__ import annotations

from engine.probe.readings import Run
from engine.units import grouped
from tutor.screens.probe_speech import ProbeSpeech

GAINED = 1.05
"""From so many times the first speed on the warm-up is worth a word."""


def result_of(stage: str, run: Run, speech: ProbeSpeech) -> str:
    """What a stage came to, in a few words; "" while there is nothing."""
    return _RESULTS[stage](run, speech) if stage in _RESULTS else ""


def _identify(run: Run, speech: ProbeSpeech) -> str:
    if run.device is None:
        return ""
    free = run.device.free
    parts = [run.device.name, speech.told("report.free", free=speech.amount(free, "bytes")) if free else ""]
    return ", ".join(part for part in parts if part)


def _ramp(run: Run, speech: ProbeSpeech) -> str:
    if run.ramp is None:
        return ""
    gained = run.ramp.first / run.ramp.last
    told = speech.tell("warm" if run.ramp.settled else "still_warming")
    return f"{told}, {speech.tell('gained', factor=speech.amount(gained, 'x', 2))}" if gained >= GAINED else told


def _bandwidth(run: Run, speech: ProbeSpeech) -> str:
    rates = [one.rate for one in run.moved if not one.again]
    return speech.amount(max(rates), "bytes/s") if rates else ""


def _matmul(run: Run, speech: ProbeSpeech) -> str:
    best: dict[str, float] = {}
    for one in run.products:
        if not one.again and one.fill != "zeros":
            best[one.dtype] = max(one.rate, best.get(one.dtype, 0.0))
    return ", ".join(f"{dtype} {speech.amount(rate, 'FLOP/s')}" for dtype, rate in list(best.items())[:2])


def _floor(run: Run, speech: ProbeSpeech) -> str:
    return speech.tell("a_step", time=speech.amount(run.floor.seconds, "s")) if run.floor is not None else ""


def _linear(run: Run, speech: ProbeSpeech) -> str:
    if not run.linear:
        return ""
    first, last = run.linear[0].batch, run.linear[-1].batch
    if first == last:
        return speech.figure("decode-curve.batch", n=first)
    return speech.tell("batches", first=first, last=last)


def _kv(run: Run, speech: ProbeSpeech) -> str:
    return speech.amount(max(one.rate for one in run.caches), "bytes/s") if run.caches else ""


def _prefill(run: Run, speech: ProbeSpeech) -> str:
    if not run.prompts:
        return ""
    longest = max(run.prompts, key=lambda one: one.tokens)
    return speech.tell("prompt", tokens=grouped(longest.tokens), time=speech.amount(longest.time.seconds, "s"))


def _case(run: Run, speech: ProbeSpeech) -> str:
    return speech.tell("a_step", time=speech.amount(run.case.time.seconds, "s")) if run.case is not None else ""


def _recheck(run: Run, speech: ProbeSpeech) -> str:
    rates = [one.rate for one in run.moved if one.again]
    return speech.amount(max(rates), "bytes/s") if rates else ""


_RESULTS = {
    "identify": _identify, "ramp": _ramp, "bandwidth": _bandwidth, "matmul": _matmul, "floor": _floor,
    "linear": _linear, "kv": _kv, "prefill": _prefill, "case": _case, "recheck": _recheck,
}  # fmt: skip
