"""Tables of benchmark results: llama-bench, sweep-bench, batched-bench, AutoAWQ; other forms are in ``llama_bench``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import NUMBER
from engine.artefacts.readers.llama_bench import SWITCH, Csv, batched_bench, llama_bench
from engine.artefacts.readers.whole import cells
from engine.artefacts.text import Line

_NUMBER = re.compile(NUMBER)
_AMOUNT = re.compile(rf"({NUMBER})(?: ?([A-Za-z]{{1,4}}))?(?: \(\d{{1,3}}(?:\.\d{{1,4}})?%\))?")
_TEST = re.compile(r"\b(pp|tg) {1,8}(?=\d)")
_RATE = re.compile(rf"({NUMBER})(?: {{0,4}}(?:±|\+/-|\+-) {{0,4}}({NUMBER}))?")
_RULER = re.compile(r"[\s|:+-]{3,2000}")

Cell = Callable[[str, Line, Observations], None]


def _number(name: str, unit: str = "") -> Cell:
    """A plain number; anything else ("OOM", "inf") is none."""

    def put(text: str, line: Line, out: Observations) -> None:
        if _NUMBER.fullmatch(text):
            out.put(name, text, line, unit)

    return put


def _amount(name: str, units: Sequence[str]) -> Cell:
    """A number with one of these units."""

    def put(text: str, line: Line, out: Observations) -> None:
        found = _AMOUNT.fullmatch(text)
        if found is not None and found[2] in units:
            out.put(name, found[1], line, found[2])

    return put


def _words(name: str) -> Cell:
    def put(text: str, line: Line, out: Observations) -> None:
        if text and text not in ("...", "…"):
            out.put(name, text, line)

    return put


def _test(text: str, line: Line, out: Observations) -> None:
    """ "pp 512" of older builds is "pp512"."""
    if text and text not in ("...", "…"):
        out.put("bench_test", _TEST.sub(r"\1", text), line)


def _rate(text: str, line: Line, out: Observations) -> None:
    found = _RATE.fullmatch(text)
    if found is not None:
        out.put("bench_throughput", found[1], line)
        if found[2]:
            out.put("bench_throughput.std", found[2], line)


def _attention(text: str, line: Line, out: Observations) -> None:
    if text.lower() in SWITCH:
        out.put("flash_attention", SWITCH[text.lower()], line)


_SIZES = ("GiB", "MiB", "KiB", "GB", "MB", "TiB")
_LLAMA: Mapping[str, Cell] = {
    "model": _words("bench_model"), "size": _amount("model_size", _SIZES),
    "params": _amount("parameters", ("B", "M", "K", "T")), "ngl": _number("n_gpu_layers"),
    "n_gpu_layers": _number("n_gpu_layers"), "n_batch": _number("n_batch"), "n_ubatch": _number("n_ubatch"),
    "fa": _attention, "flash_attn": _attention, "test": _test, "t/s": _rate,
}  # fmt: skip
_SWEEP: Mapping[str, Cell] = {
    "pp": _number("prefill_tokens"), "tg": _number("decode_tokens"), "n_kv": _number("context_tokens"),
    "t_pp s": _number("prefill_time", "s"), "s_pp t/s": _number("prefill_throughput"),
    "t_tg s": _number("decode_time", "s"), "s_tg t/s": _number("decode_throughput"),
}  # fmt: skip
_BATCHED: Mapping[str, Cell] = {
    **{name: cell for name, cell in _SWEEP.items() if name != "n_kv"}, "b": _number("running_requests"),
}  # fmt: skip
"""batched-bench's N_KV is what all its requests need, not what was in the cache before."""
_AWQ: Mapping[str, Cell] = {
    "batch size": _number("running_requests"), "prefill length": _number("prefill_tokens"),
    "decode length": _number("decode_tokens"), "prefill tokens/s": _number("prefill_throughput"),
    "decode tokens/s": _number("decode_throughput"), "memory (vram)": _amount("gpu_memory_used", _SIZES),
}  # fmt: skip


def _table(columns: Sequence[str]) -> tuple[str, Mapping[str, Cell]] | None:
    """What table a header begins: its kind and the meaning of its columns."""
    names = set(columns)
    if "t/s" in names and "test" in names:
        return "llama-bench", _LLAMA
    if {"s_pp t/s", "s_tg t/s"} <= names:
        return "sweep-bench", _BATCHED if "b" in names else _SWEEP
    if {"prefill tokens/s", "decode tokens/s"} <= names:
        return "autoawq", _AWQ
    return None


class Tables:
    """Tables with bars. Open from a header to a line that is no row; a row that was cut gives the cells that are
    whole."""

    marks = ("t/s", "okens/s", "GPU: ", "build: ")

    def __init__(self) -> None:
        self.open = False
        self._kind, self._columns, self._rows = "", (), 0  # type: tuple[str, tuple[str, ...], int]
        self._meanings: Mapping[str, Cell] = {}
        self._card: tuple[Line, str] | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a header or a row."""
        text = line.text.strip()
        row = cells(line) if "|" in text or "│" in text else []
        if not row:
            self._beside(text, line, out)
            return
        columns = tuple(" ".join(cell.lower().split()) for cell in row)
        begun = _table(columns)
        if begun is not None:
            (self._kind, self._meanings), self._columns, self._rows, self.open = begun, columns, 0, True
            if self._kind == "autoawq" and self._card is not None:
                out.put("gpu_name", self._card[1], self._card[0])
                self._card = None
        elif self.open and not _RULER.fullmatch(text):
            self._row(row, line, out)

    def _row(self, row: Sequence[str], line: Line, out: Observations) -> None:
        for column, cell in zip(self._columns, row, strict=False):
            meaning = self._meanings.get(column)
            if meaning is not None:
                meaning(cell, line, out)
        out.seen(self._kind, line)
        self._rows += 1
        if self._kind != "llama-bench" and self._rows == 1:
            out.trap("warmup-row", "prefill_throughput", line)
        if self._kind == "autoawq":
            out.trap("gb-is-gib", "gpu_memory_used", line)
        else:
            out.served_by("llama.cpp")

    def _beside(self, text: str, line: Line, out: Observations) -> None:
        """A line that is no row: the end of a table, or the card above AutoAWQ's."""
        if text:
            self.open = False
        if text.lstrip("-* ").startswith("GPU: ") and line.ended:
            self._card = line, text.partition("GPU: ")[2].strip()

    def end(self, out: Observations) -> None:
        """A table that stops is read as far as it goes."""


READERS = (Tables, Csv)
DOCUMENTS = (llama_bench, batched_bench)
