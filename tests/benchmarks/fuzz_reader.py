"""Throws many odd answers at the checker and reports verdicts, errors and time: ``python fuzz_reader.py [count]``.

Not part of the test suite. The inputs are the same on every run: random text of many scripts, answers with random
changes, expressions grown from a grammar, and towers made to be costly. Each goes to one of several parts in turn.
Exits with 1 when any check raised.
"""

from __future__ import annotations

import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from content.checking import check_part

DEFAULT_COUNT = 200_000
SEED = 20_261_129
PARTS = (
    "core/L2.1/kv", "core/L2.2/batch", "core/L3.1/naive_waste", "core/L3.2/ratio", "core/L1.2/formula",
    "core/L2.3/shrink", "core/L3.2/int8_step", "core/L4.3/extra",
)  # fmt: skip
SEEDS = (
    "1.07 GB", "37 requests", "94.14 %", "17x", "2*B*S*L*d_model*p", "lagbhag 1.07 GB hoga", "KV = 2*1*2048*32*4096*2",
    "1,07,37,41,824 bytes", "1 073 741 824 B", "1.07 x 10^9 bytes", "⌊40/1.0737⌋", "floor(40 GB / 1.0737 GB)",
    r"\frac{2^{30}}{10^{9}} \text{ GB}", "१,०७,३७,४१,८२४ bytes", "saadhe chhe GB", "6 1/2 GB", "teen chauthai",
    "1.07 GB nahi hai", "1 se 2 GB", "kam se kam 37", "10 ki power 9 into 1.07 bytes", "1928 out of 2048", "17:1",
    "1073741824 bytes (1.07 GB)", "2 lakh 50 hazaar", "min(37, 38)", "√16", "log₂(16)", "1.07 ± 0.1", "50% of 13 GB",
    "लगभग 1.07 GB है", "1·07", "5.88×10⁻³", "~1.07GB?", "approx. 1.07 GB.", "B*S*L*d*p + B*S*L*d*p", "1.07 Gb", "26k MB",
)  # fmt: skip
SIGNS = "0123456789.,_'+-*/^()%=~<>:;?!&|{}[]\\$\"# eExXkKMGTBbGi×·÷−–⁹²⁻₂½¼√⌊⌋⌈⌉≈≤≥≠±→१०७٣五\u200b\u202e\u00a0"
WORDS = (
    "lagbhag GB GiB bytes hai hoga nahi not or ya aur and se tak kam zyada to between crore lakh hazaar half aadha "
    "dedh saadhe paune sava quarter ek do teen sau thirty seven point into times guna by bata out of power ki floor "
    "sqrt min max log2 round int KV = B S L d_model p answer is kya what per second tokens requests % x fold"
).split()
TOWERS = (
    lambda r: "^".join(str(r.randint(2, 99)) for _ in range(r.randint(2, 90))),
    lambda r: "(" * (n := r.randint(1, 150)) + "1" + ")" * r.choice((n, n - 1)),
    lambda r: f"{r.randint(1, 9)}e{r.choice('+-')}{r.randint(0, 10 ** r.randint(1, 12))}",
    lambda r: r.choice(("floor(", "sqrt(", r"\frac{", "2^(", "-", "1/", "1=", "(B+S)^")) * r.randint(1, 60) + "1",
    lambda r: r.choice(WORDS + list(SIGNS)) * r.randint(1, 300),
    lambda r: "*".join(["1e300", "9^999", "B^99"][r.randint(0, 2)] for _ in range(r.randint(1, 40))),
    lambda r: f"sqrt({'9' * r.randint(1, 290)})",
    lambda r: "1 " + " ".join(r.choice(("crore", "lakh", "arab", "hazaar", "sau")) for _ in range(r.randint(1, 50))),
)


def noise(rng: random.Random) -> str:
    """Characters of any script, surrogates and controls included."""
    return "".join(chr(rng.randrange(*rng.choice(((32, 127), (0, 0x3000), (0x900, 0x980), (0, 0x110000)))))
                   for _ in range(rng.randint(0, 60)))  # fmt: skip


def mutated(rng: random.Random) -> str:
    """An answer with a few characters changed, dropped, doubled, or a word put in."""
    text = rng.choice(SEEDS)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
        at = rng.randint(0, len(text))
        piece = rng.choice((rng.choice(SIGNS), f" {rng.choice(WORDS)} ", "", text[at : at + 6], rng.choice(SEEDS)))
        text = text[:at] + piece + text[at + rng.randint(0, 3) :]
    return text[:320]


def grown(rng: random.Random, depth: int = 0) -> str:
    """An expression from a grammar of numbers, units, words, signs and brackets."""
    if depth > 5 or rng.random() < 0.3:
        leaf = rng.choice(
            (str(rng.randint(0, 10 ** rng.randint(1, 12))), f"{rng.random() * 100:.4g}", rng.choice(WORDS))
        )
        return leaf + rng.choice(("", "", " GB", " %", "x", " crore", "e9", "²"))
    one, two = grown(rng, depth + 1), grown(rng, depth + 1)
    sign = rng.choice(("+", "-", "*", "/", "^", " ", " x ", " into ", " by ", "=", "×", "//", ","))
    return rng.choice((f"{one}{sign}{two}", f"({one}{sign}{two})", f"floor({one})", f"{one} {rng.choice(WORDS)} {two}"))


def tower(rng: random.Random) -> str:
    """A text that looks cheap and is not."""
    return rng.choice(TOWERS)(rng)


def chatter(rng: random.Random) -> str:
    """Words that the reader knows, in any order, with numbers among them."""
    return " ".join(rng.choice((rng.choice(WORDS), str(rng.randint(0, 2000)))) for _ in range(rng.randint(1, 12)))


GENERATORS: tuple[Callable[[random.Random], str], ...] = (noise, mutated, grown, tower, chatter, mutated)


def main(count: int) -> int:
    """Check ``count`` inputs, print the figures, and return the exit status."""
    rng = random.Random(SEED)
    for part in PARTS:
        check_part(part, "3")
    check_part("core/L1.2/formula", "B*S*L*d*p + B*S*L*d*p")  # loads sympy
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    times: list[float] = []
    slowest, raised = (0.0, "", ""), 0
    for n in range(count):
        typed, part = GENERATORS[n % len(GENERATORS)](rng), PARTS[n // len(GENERATORS) % len(PARTS)]
        started = time.perf_counter()
        try:
            found = check_part(part, typed)
            verdicts[found.verdict] += 1
            reasons[found.reason or ""] += 1
            if found.verdict == "invalid" and found.span and not 0 <= found.span[0] <= found.span[1] <= len(typed):
                raise AssertionError(f"the place {found.span} is outside the text")
        except Exception:
            raised += 1
            if raised <= 10:
                print(f"RAISED {part} {typed!r}\n{traceback.format_exc(limit=-2)}")
        took = time.perf_counter() - started
        times.append(took)
        slowest = max(slowest, (took, part, typed))
    times.sort()
    p50, p95, p999 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.95, 0.999))
    print(f"{count} inputs: {dict(verdicts)}, raised {raised}")
    print("reasons:", ", ".join(f"{reason or 'none'} {times_}" for reason, times_ in reasons.most_common()))
    print(f"time ms: p50 {p50:.2f}, p95 {p95:.2f}, p99.9 {p999:.2f}, max {times[-1] * 1000:.1f}")
    print(f"slowest: {slowest[1]} {slowest[2]!r}")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_COUNT))
