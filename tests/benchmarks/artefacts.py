"""How fast logs, metrics and results are read, and in how much memory: ``python -m tests.benchmarks.artefacts [MB]``.

Each text is read in a process of its own, side by side with the least that anybody could do with it (splitting and
decoding its lines). Printed are, in processor time, MB (10^6 bytes) a second, the ratio of the two, and the peak of
memory above an interpreter that has imported the readers.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice

PIECE = 2**20


def _stamped(second: int) -> str:
    return f"{1 + second // 86400 % 28:02d} {second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def statistics() -> Iterator[str]:
    """A vLLM server's log that has nothing but its statistics."""
    for n in range(10**9):
        yield (
            f"INFO 07-{_stamped(10 * n)} [loggers.py:118] Engine 000: Avg prompt throughput: {n % 900}.0 tokens/s, "
            f"Avg generation throughput: {n % 7000}.5 tokens/s, Running: {n % 256} reqs, Waiting: {n % 31} reqs, "
            f"GPU KV cache usage: {n % 100}.3%, Prefix cache hit rate: {n % 50}.0%\n"
        )


def requests() -> Iterator[str]:
    """A server's log as it usually is: a line for every request, statistics now and then."""
    ten = statistics()
    for n in range(10**9):
        yield f'INFO:     10.0.0.{n % 250}:5{n % 9000:04d} - "POST /v1/chat/completions HTTP/1.1" 200 OK\n'
        yield f"INFO 07-{_stamped(n)} [logger.py:39] Received request chatcmpl-{n:032x}: prompt: 'x', params: ...\n"
        if n % 40 == 0:
            yield next(ten)


def coloured() -> Iterator[str]:
    """The same, coloured, with what containers put before it."""
    for n, line in enumerate(requests()):
        yield f"vllm-1  | 2026-07-01T10:00:{n % 60:02d}.123456789Z \x1b[32m{line.rstrip()}\x1b[0m\n"


def sglang() -> Iterator[str]:
    """SGLang's decode batches."""
    for n in range(10**9):
        yield (
            f"[2026-07-01 10:{n // 60 % 60:02d}:{n % 60:02d} TP0] Decode batch. #running-req: {n % 200}, "
            f"#token: {n * 37}, token usage: 0.{n % 100:02d}, cuda graph: True, "
            f"gen throughput (token/s): {n % 5000}.25, #queue-req: 0, \n"
        )


def metrics() -> Iterator[str]:
    """Pages of /metrics, one after the other."""
    for n in range(10**9):
        yield "# HELP vllm:num_requests_running Number of requests in model execution batches.\n"
        yield f'vllm:num_requests_running{{engine="0",model_name="org/model"}} {n % 64}.0\n'
        for bound in (0.001, 0.01, 0.1, 1.0, 10.0):
            yield f'vllm:time_to_first_token_seconds_bucket{{engine="0",le="{bound}",model_name="org/model"}} {n}.0\n'
        yield f'python_gc_objects_collected_total{{generation="{n % 3}"}} {n}.0\n'


def noise() -> Iterator[str]:
    """Text that no reader knows."""
    words = "the quick brown fox jumps over 13 lazy dogs and 7 cats, then {sleeps} (again) | until 10:15".split()
    for n, word in enumerate(cycle(words)):
        yield word + ("\n" if n % 17 == 0 else " ")


def endless() -> Iterator[str]:
    """One line without end."""
    while True:
        yield "GPU KV cache usage: 12.0%, " * 40


KINDS: dict[str, Callable[[], Iterator[str]]] = {
    one.__name__: one for one in (statistics, requests, coloured, sglang, metrics, noise, endless)
}


def chunks(kind: str, size: int) -> Iterator[bytes]:
    """So many bytes of a kind, in pieces; 2000 lines are made once and repeated, so that making them costs little."""
    text = "".join(islice(KINDS[kind](), 4000)).encode()
    while size > 0:
        piece = text[: min(size, PIECE)]
        yield piece
        size -= len(piece)


def least(kind: str, size: int) -> int:
    """Split into lines and decode."""
    held, count = b"", 0
    for piece in chunks(kind, size):
        *whole, held = (held[-65536:] + piece).split(b"\n")
        count += sum(1 for line in whole if line.decode("utf-8", "replace"))
    return count


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def child(kind: str, size: int) -> dict[str, float]:
    """Read one kind; seconds of both ways, and bytes of memory."""
    from engine.artefacts import registry

    registry.read_text("INFO: nothing\n")
    before, start = _peak(), time.process_time()
    found = registry.read(chunks(kind, size))
    taken, peak = time.process_time() - start, _peak() - before
    start = time.process_time()
    least(kind, size)
    return {
        "seconds": taken, "least": time.process_time() - start, "peak": peak, "lines": found.lines, "known": found.known
    }  # fmt: skip


def main() -> int:
    """The table."""
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(child(sys.argv[2], int(sys.argv[3]))))
        return 0
    size = int(float(sys.argv[1]) * 10**6) if len(sys.argv) > 1 else 50 * 10**6
    print(f"{size / 1e6:.0f} MB of each kind, and half of it (time must halve)\n")
    print(f"{'kind':12} {'MB/s':>7} {'x least':>8} {'half':>6} {'peak MiB':>9} {'lines':>9} {'known':>9}")
    for kind in KINDS:
        whole, half = (_run(kind, part) for part in (size, size // 2))
        print(
            f"{kind:12} {size / 1e6 / whole['seconds']:7.1f} {whole['seconds'] / whole['least']:8.1f} "
            f"{half['seconds'] / whole['seconds']:6.2f} {whole['peak'] / 2**20:9.1f} {whole['lines']:9.0f} "
            f"{whole['known']:9.0f}"
        )
    return 0


def _run(kind: str, size: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.artefacts", "--child", kind, str(size)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
