"""A server on loopback that plays scripted answers to whoever asks for its metrics."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Reply(NamedTuple):
    """What the server sends: a whole answer, or pieces with a pause after each.

    Attributes:
        pieces: of the answer, its headers in them.
        pause: seconds after each piece.
        times: how often the pieces are sent, for what has no end.
        reset: the line is cut at the end without a goodbye.
    """

    pieces: Sequence[bytes]
    pause: float = 0.0
    times: int = 1
    reset: bool = False


def page(body: bytes | str, kind: str = TEXT, status: str = "200 OK", **headers: str) -> Reply:
    """A whole answer with its length."""
    data = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": kind, "Content-Length": str(len(data))} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return Reply((_head(status, named) + data,))


def failing(status: str, body: str = "no") -> Reply:
    """An answer that is no page."""
    return page(body, status=status)


def moved(to: str, status: str = "307 Temporary Redirect") -> Reply:
    """A redirect."""
    return page("", status=status, Location=to)


def chunked(body: str, size: int = 700, whole: bool = True) -> Reply:
    """In chunks of the transfer; not ``whole``: it breaks off before the last one."""
    data = body.encode()
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    sent = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    headers = {"Content-Type": TEXT, "Transfer-Encoding": "chunked"}
    return Reply((_head("200 OK", headers), sent + b"0\r\n\r\n" if whole else sent[:-4]))


def dripping(body: str, pause: float = 0.02) -> Reply:
    """A byte at a time, the headers too."""
    data = page(body).pieces[0]
    return Reply(tuple(data[at : at + 1] for at in range(len(data))), pause)


def huge(megabytes: int) -> Reply:
    """More than anybody wants, without saying how much."""
    line = b"vllm:num_requests_running 1\n"
    return Reply((_head("200 OK", {"Content-Type": TEXT}), line * (2**20 // len(line))), times=megabytes)


def closing_early(body: str) -> Reply:
    """Half of what was promised."""
    data = page(body).pieces[0]
    return Reply((data[: len(data) // 2],))


def _head(status: str, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode()


Script = Sequence[Reply] | Callable[[int], Reply]


class Stub:
    """The server; the last reply of a script goes on for ever."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open = True
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        """Hear nobody any more."""
        self._open = False
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        while self._open:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(link,), daemon=True).start()

    def _answer(self, link: socket.socket) -> None:
        with link, suppress(OSError):
            asked = b""
            while b"\r\n\r\n" not in asked:
                piece = link.recv(4096)
                if not piece:
                    return
                asked += piece
            self.asked.append(asked)
            number = len(self.asked) - 1
            reply = self.script(number) if callable(self.script) else self.script[min(number, len(self.script) - 1)]
            self._send(link, reply)

    def _send(self, link: socket.socket, reply: Reply) -> None:
        for number in range(reply.times):
            for piece in reply.pieces if number == 0 else reply.pieces[1:]:
                link.sendall(piece)
                if reply.pause:
                    time.sleep(reply.pause)
        if reply.reset:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


@contextmanager
def serving(*script: Reply) -> Iterator[Stub]:
    """A server that plays these replies one after the other."""
    stub = Stub(script)
    try:
        yield stub
    finally:
        stub.close()


# --- pages of metrics ------------------------------------------------------------------------------------------------


class Load(NamedTuple):
    """What a page of vLLM's says: figures of our own."""

    running: int = 12
    waiting: int = 0
    usage: float = 0.5
    prompt: int = 40_000
    made: int = 90_000
    done: int = 300
    preempted: int = 2
    hits: int = 1_000
    queries: int = 4_000
    waited: Sequence[int] = (10, 60, 90, 100)
    """Cumulative counts of the time to the first token, up to 0.05, 0.1, 0.5 s and all."""
    between: Sequence[int] = (100, 800, 950, 1_000)
    """Those of the time between tokens, up to 0.01, 0.025, 0.05 s and all."""


def metrics(load: Load) -> str:
    """The page of a vLLM server of 2025 under a load."""
    model = '{engine="0",model_name="acme/small-7b"}'
    rows = [
        _row("num_requests_running", "gauge", model, load.running),
        _row("num_requests_waiting", "gauge", model, load.waiting),
        _row("kv_cache_usage_perc", "gauge", model, load.usage),
        _row("prompt_tokens_total", "counter", model, float(load.prompt)),
        _row("generation_tokens_total", "counter", model, float(load.made)),
        _row("num_preemptions_total", "counter", model, float(load.preempted)),
        _row("prefix_cache_queries_total", "counter", model, float(load.queries)),
        _row("prefix_cache_hits_total", "counter", model, float(load.hits)),
        _row("request_success_total", "counter", model[:-1] + ',finished_reason="stop"}', float(load.done)),
        _histogram("time_to_first_token_seconds", ("0.05", "0.1", "0.5"), load.waited, 0.09),
        _histogram("inter_token_latency_seconds", ("0.01", "0.025", "0.05"), load.between, 0.018),
    ]
    return "".join(rows)


def _row(name: str, kind: str, labels: str, value: float) -> str:
    base = name.removesuffix("_total")
    return f"# HELP vllm:{base} Said about it.\n# TYPE vllm:{base} {kind}\nvllm:{name}{labels} {value}\n"


def _histogram(name: str, bounds: Sequence[str], counts: Sequence[int], mean: float) -> str:
    model = 'engine="0",model_name="acme/small-7b"'
    rows = [f"# TYPE vllm:{name} histogram\n"]
    for bound, count in zip((*bounds, "+Inf"), counts, strict=True):
        rows.append(f'vllm:{name}_bucket{{{model},le="{bound}"}} {float(count)}\n')
    rows.append(f"vllm:{name}_count{{{model}}} {float(counts[-1])}\n")
    rows.append(f"vllm:{name}_sum{{{model}}} {counts[-1] * mean}\n")
    return "".join(rows)


FIRST = Load()
SECOND = Load(
    running=30, waiting=6, usage=0.94, prompt=44_000, made=94_500, done=312, preempted=5, hits=1_900, queries=7_000,
    waited=(12, 70, 140, 160), between=(140, 1_200, 2_100, 2_200),
)  # fmt: skip
"""A second sample: the server got busy."""
