"""Nothing that is read changes by what is passed over: the same observations with the sieve and without."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts import lines as splitting
from engine.artefacts import registry, sieve, text
from engine.artefacts.model import Observations
from tests.benchmarks.artefacts import KINDS

KEPT = 12
"""Lines of either end that are kept here, so that short texts have a middle."""
FILLING = (
    b"\n", b"  \n", b"\t\n", b"\r\n", b" a\n", b"the quick brown fox\n", b"vllm-1  | \n", b"> > \n", b"> quoted\n",
    b"vllm-1  | words of a container\n", b"\xff\xfe\n", b"\xc2\xa0\n", b" " * 250 + b"\n", b"w" * 300 + b"\n",
)  # fmt: skip
PLACED = (
    b"# GPU blocks: 27\n", b"# GP\x07U blo\x07cks: 28\n", b"# GP[32mU blo[0mcks: 29\n", b"x\r# GPU blocks: 30\n",
    b'{"log": "# GP\\u0055 bl\\u006fcks: 31\\n"}\n', b'{"max_concurrency": 4,\n', b'"request_rate": 3}\n', b"{\n",
    b"}\n",
    b"CUDA out of memory. Tried to allocate 1.00 GiB\n", b"  args:\n", b'    - "--max-model-len=4096"\n',
    b"============ Serving Benchmark Result ============\n", b"Successful requests:  100\n", b"| 0 | 1 |\n",
    b"Traceback (most recent call last):\n", b"index, name, memory.used [MiB]\n", b"0, NVIDIA L4, 100 MiB\n",
    b"x" * 70_000 + b"\n", b"\x00\x01\n",
)  # fmt: skip
LOGS = {name: "".join(islice(KINDS[name](), 60)).encode().splitlines(True) for name in KINDS if name != "endless"}
WRAPPED = [
    row + b"\n" for line in LOGS["statistics"][:20] for row in (line[at : at + 80].rstrip() for at in range(0, 240, 80))
]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (text, sieve):
        monkeypatch.setattr(module, "MOST_KEPT", KEPT)
    monkeypatch.setattr(sieve, "_BLOCK", 64)
    monkeypatch.setattr(splitting, "_MERGED", 1)


def told(found: Observations) -> list[object]:
    """Everything that there is."""
    series = {name: (list(one.values), list(one.lines), str(list(one.times))) for name, one in found.series.items()}
    return [
        series, found.traps, found.kinds, found.engine, found.version, found.config, found.flags, found.lines,
        found.known, found.taken, found.errors, list(found.ticks), list(found.text.used()),
    ]  # fmt: skip


def without(chunks: list[bytes], monkeypatch: pytest.MonkeyPatch) -> Observations:
    """The same text, every line of it looked at."""
    with monkeypatch.context() as patched:
        patched.setattr(registry, "lines", lambda pieces, _: splitting.lines(pieces))
        return registry.read(chunks)


def mixture(choose: random.Random) -> Iterator[bytes]:
    """A text: lines of logs, what needs care, and long stretches of nothing between them."""
    if choose.random() < 0.3:
        yield from WRAPPED
    for _ in range(choose.randint(1, 8)):
        log = choose.choice(list(LOGS.values()))
        at = choose.randrange(len(log))
        yield from log[at : at + choose.choice((0, 0, 5, 20))]
        some = choose.sample(FILLING, 3)
        for _ in range(choose.randint(1, 3)):
            yield from choose.choices(some, k=choose.choice((0, 3, 60, 200)))
            yield choose.choice(PLACED)


@pytest.mark.parametrize("seed", range(60))
def test_random_mixtures_are_read_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    data = b"".join(mixture(choose))
    size = choose.choice((97, 1024, 2**14, 2**20))
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert told(registry.read(chunks)) == told(without(chunks, monkeypatch))


@given(st.lists(st.sampled_from((b"\n", b"\r\n", b" \n", b"\r", b"a", b" ", b"\t")), max_size=60), st.integers(1, 9))
def test_runs_of_blank_lines_lose_no_number(parts: list[bytes], size: int) -> None:
    data = b"x\n" * 310 + b"".join(parts) + b"# GPU blocks: 27\n"
    pieces = [data[:600], *(data[at : at + size] for at in range(600, len(data), size))]
    found = registry.read(pieces)
    assert found.lines == data.count(b"\n")
    assert found.series["num_gpu_blocks"].lines[0] == found.lines


def test_a_long_middle_is_passed_over() -> None:
    rows = b"# GPU blocks: 27\n" + b" a\n" * 50_000 + b"\n" * 50_000 + b"# GPU blocks: 28\n"
    seen = []

    def counted(pieces: Iterator[bytes], through: sieve.Sieve) -> Iterator[text.Line]:
        for line in splitting.lines(pieces, through):
            seen.append(line.number)
            yield line

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(registry, "lines", counted)
        found = registry.read([rows])
    assert found.series["num_gpu_blocks"].lines.tolist() == [1, 100_002]
    assert len(seen) < 1000
