"""One diagnosis, warm and cold, and a keystroke in the form: `python -m tests.benchmarks.diagnosing`.

Warm is processor time in this process, of the whole way from what was given to the report, and of its parts; cold is
the wall time of a whole `llm-tutor diagnose` beside `python -c pass`. A keystroke is the wall time in the app, without
a terminal, from the key to the verdict that knows it. Nothing here is a test.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.alone import environment

ROUNDS = int(os.environ.get("ROUNDS", "15"))

SERVER = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "engine": "vllm", "output": 256, "concurrency": 64}
CASES: dict[str, dict[str, Any]] = {
    "dense, measured": SERVER | {"tpot": "22ms"},
    "weights do not fit": {"model": "llama-3-70b", "gpu": "A100 SXM 80GB", "weights": "bf16", "engine": "vllm"},
    "experts, latent": {"model": "deepseek-v3", "gpu": "H200 SXM", "gpus": 8, "engine": "sglang", "concurrency": 64},
    "windows": {"model": "gemma-3-27b", "gpu": "H100 SXM 80GB", "engine": "vllm", "concurrency": 32},
    "reserved slots": {"reserve": 4096, "output": 20},
    "words alone": {"symptoms": ["two cards are slower than one", "GPU utilization is at 20 %"]},
}


def main() -> int:
    """Measure everything and print the table."""
    print("warm, ms of processor time       read   judge   text   median of", ROUNDS)
    for name, given in CASES.items():
        read, judged, said = warm(given)
        print(f"  {name:<28} {read:>6.2f} {judged:>7.2f} {said:>6.2f}")
    base = cold(["-c", "pass"])
    whole = cold(["-m", "tutor", "diagnose", "--model", "llama-3.1-8b", "--gpu", "T4", "--concurrency", "1"])
    print(f"cold, ms of wall time: python -c pass {base:.0f}, a whole diagnosis {whole:.0f}")
    first, usual = asyncio.run(keystrokes())
    print(f"keystroke to verdict in the form, ms of wall time: first {first:.0f}, then median {usual:.0f}")
    return 0


def warm(given: dict[str, Any]) -> tuple[float, float, float]:
    """Milliseconds to read, to judge and to say, each with a load that was not seen before."""
    from content import diagnosis
    from engine.diagnosis import judge, scenario

    taken: list[list[float]] = [[], [], []]
    for turn in range(ROUNDS + 2):
        asked = given | ({"prompt": 1000 + turn} if "model" in given or "reserve" in given else {})
        read = _timed(lambda asked=asked: scenario.build(asked), taken[0])
        report = _timed(lambda read=read: judge.diagnose(read), taken[1])
        _timed(lambda report=report: diagnosis.text(report, "en"), taken[2])
    read_ms, judged, said = (statistics.median(one[2:]) for one in taken)
    return read_ms, judged, said


def _timed(what: Callable[[], Any], into: list[float]) -> Any:
    began = time.process_time()
    made = what()
    into.append((time.process_time() - began) * 1000)
    return made


def cold(argv: Sequence[str]) -> float:
    """Milliseconds of a whole process, median."""
    times = []
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, **environment(home)}
        for _ in range(ROUNDS + 1):
            began = time.perf_counter()
            subprocess.run([sys.executable, *argv], env=env, check=False, capture_output=True)
            times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times[1:])


async def keystrokes() -> tuple[float, float]:
    """Milliseconds from a typed digit to the verdict that knows it: of the first, and the median of the others."""
    from tests.tutor.frames import make_app
    from tutor.screens.diagnose import DiagnoseScreen
    from tutor.travel import DIAGNOSE

    times = []
    with tempfile.TemporaryDirectory() as home:
        app = make_app(Path(home), "en")
        app._start = DIAGNOSE
        async with app.run_test(size=(120, 40)) as pilot:
            screen = app.screen
            assert isinstance(screen, DiagnoseScreen)
            while screen.busy:
                await pilot.pause(0.01)
            for name, text in SERVER.items():
                screen.state.set(name, str(text))
            screen.to_field("prompt")
            await pilot.pause(0.5)
            for turn in range(ROUNDS + 1):
                known, began = screen.outcome, time.perf_counter()
                await pilot.press("1" if turn % 2 == 0 else "backspace")
                while screen.outcome is known:
                    await asyncio.sleep(0.001)
                times.append((time.perf_counter() - began) * 1000)
    return times[0], statistics.median(times[1:])


if __name__ == "__main__":
    sys.exit(main())
