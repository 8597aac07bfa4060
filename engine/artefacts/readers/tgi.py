"""Text Generation Inference: its limits, of the launcher and the router, and the errors of its warm-up."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.whole import Whole, arguments, flag, text_of
from engine.artefacts.text import Line

_ENDS = r"(?=[\s,\"'}`)\\]|$)"
_INT = r"(?:Some\()?(?P<{}>\d{{1,15}})"
_NO_ROOM = "Not enough memory to handle "
_START, _ERROR = "tgi-start", "tgi-error"


def _limit(mark: str, before: str, name: str) -> Rule:
    return Rule(mark, before + _INT.format(name) + r"\)?" + _ENDS, kind=_START)


_RULES = (
    _limit("etting max batch total tokens to", r"etting max batch total tokens to ", "max_batch_total_tokens"),
    _limit("Default `max_", r"Default `max_input_(?:tokens|length)` to ", "max_input_length"),
    _limit("Default `max_", r"Default `max_batch_prefill_tokens` to ", "max_batch_prefill_tokens"),
    _limit("Maximum input tokens defaulted", r"Maximum input tokens defaulted to ", "max_input_length"),
    _limit("warmup{", r"\bwarmup\{[^{}\n]{0,200}?\bmax_input_(?:tokens|length)=", "max_input_length"),
    _limit("warmup{", r"\bwarmup\{[^{}\n]{0,200}?\bmax_prefill_tokens=", "max_batch_prefill_tokens"),
    Rule(
        "KV-cache blocks:",
        r"KV-cache blocks: (?P<num_gpu_blocks>\d{1,12}), size: (?P<block_size>\d{1,6})" + _ENDS,
        kind=_START,
    ),
    Rule(
        "Not enough memory to handle",
        _NO_ROOM + r"(?P<failed_prefill_tokens>\d{1,15}) prefill tokens",
        kind=_ERROR,
        fixed={"error": "warmup_prefill_memory"},
    ),
    Rule(
        "Not enough memory to handle",
        _NO_ROOM + r"(?P<failed_total_tokens>\d{1,15}) total tokens"
        r"(?: with (?P<failed_prefill_tokens>\d{1,15}) prefill tokens)?",
        kind=_ERROR,
        fixed={"error": "warmup_total_memory"},
    ),
)
_TOTAL = re.compile(
    r"(?:Default `max_total_tokens` to |Maximum total tokens defaulted to "
    r"|\bwarmup\{[^{}\n]{0,200}?\bmax_total_tokens=)"
    r"(?:Some\()?(\d{1,15})\)?" + _ENDS
)
_FAILED = re.compile(r"Not enough memory to handle (?:\d{1,15} total tokens with )?(\d{1,15}) prefill tokens")
_FEW = 512
"""Tokens that need next to no memory beside the weights: a warm-up that fails at so few has no room for any."""


class Limits(Whole):
    """What the router says of its limits and of a warm-up that failed."""

    def __init__(self) -> None:
        super().__init__(_RULES, "tgi")
        self.marks = (*self.marks, "Maximum total tokens defaulted")

    def line(self, line: Line, out: Observations) -> None:
        """Read a line."""
        super().line(line, out)
        for value in _TOTAL.findall(text_of(line)):
            flag("max_total_tokens", value, line, out)
        for tokens in _FAILED.findall(line.text):
            if int(tokens) <= _FEW:
                out.trap("fails-at-few", "failed_prefill_tokens", line, tokens=int(tokens))


_ARGS = re.compile(r"\bArgs \{")
_SOME = re.compile(r"Some\(\s{0,40}(.{0,2000}?),?\s{0,40}\)", re.DOTALL)
_LONGEST = 200
"""Lines of a launcher's arguments that are printed one a line."""
_NAMES: Mapping[str, str] = {
    "max_input_length": "max_input_length", "max_input_tokens": "max_input_length",
    "max_batch_prefill_tokens": "max_batch_prefill_tokens", "max_batch_total_tokens": "max_batch_total_tokens",
    "model_id": "model",
}  # fmt: skip


class Arguments:
    """``Args { ... }`` of the launcher, on one line or, since 2024, one argument a line."""

    marks = ("Args {",)

    def __init__(self) -> None:
        self.open = False
        self._held: list[tuple[Line, str]] = []

    def line(self, line: Line, out: Observations) -> None:
        """Read the arguments, or hold a line until they are complete."""
        text = text_of(line).replace('\\"', '"')
        begin = _ARGS.search(text)
        if begin is not None and ("model_id" in text or text.endswith("{")):
            self._read(out)
            self._held, self.open = [(line, text[begin.end() :])], True
        elif self.open:
            self._held.append((line, text))
        closed = text.rstrip() == "}" or (begin is not None and "}" in text[begin.end() :])
        if self.open and (closed or len(self._held) >= _LONGEST):
            self._read(out)

    def _read(self, out: Observations) -> None:
        held, self._held, self.open = self._held, [], False
        text = "\n".join(one for _, one in held)
        if "model_id:" not in text:
            return
        for name, value in arguments(text, 0, ":"):
            some = _SOME.fullmatch(value)
            value = some[1].strip() if some else value
            line = self._line_of(name, held)
            if name not in _NAMES:
                flag(name, value, line, out)
            elif value not in ("None", ""):
                out.flags[name] = value.strip('"')
                out.put(_NAMES[name], out.flags[name], line)
        out.seen("tgi-start", held[0][0])
        out.served_by("tgi")

    @staticmethod
    def _line_of(name: str, held: list[tuple[Line, str]]) -> Line:
        return next((line for line, text in held if text.lstrip().startswith(f"{name}:")), held[0][0])

    def end(self, out: Observations) -> None:
        """Read arguments that were never closed, as far as they are whole."""
        if self._held:
            self._read(out)


READERS = (Limits, Arguments)
