"""Start commands of servers: in a shell's history, a script, a compose file or the manifest of a pod.

What a command is :mod:`engine.diagnosis.reading.commands` knows. Here it is found among other lines, with its
continuation, and its flags get their long names and their values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from engine.artefacts.model import Observations
from engine.artefacts.readers.manifest import Manifest
from engine.artefacts.readers.whole import flag
from engine.artefacts.text import Line
from engine.artefacts.vocabulary import term
from engine.diagnosis.reading import commands
from engine.diagnosis.settings.flag_names import find, flat
from engine.diagnosis.settings.flag_values import present

_KIND = "command"
_PROGRAMS = (
    "vllm serve", "vllm.entrypoints", "sglang.launch_server", "sglang serve", "llama-server", "llama_cpp.server",
    "trtllm-serve", "text-generation-launcher", "lmdeploy serve", "docker run", "podman run", "nerdctl run",
)  # fmt: skip
_MODULES = ("vllm.entrypoints", "sglang.launch_server", "llama_cpp.server")
_PROMPT = re.compile(r"^(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,60}@[\w.-]{1,60}[:~ ][^#$\n]{0,120}[#$]|[$>%+]|#) (?=\S)")
_NEXT = re.compile(r"\s{0,40}(?:-{1,2}[A-Za-z]|['\"]?\{)")
"""How a line begins that carries a command on without a backslash before it."""
_LINES = 80

_LONG: Mapping[str, Mapping[str, str]] = {
    "vllm": {
        "tp": "tensor_parallel_size", "pp": "pipeline_parallel_size", "dp": "data_parallel_size", "q": "quantization",
        "ep": "enable_expert_parallel", "O": "compilation_config", "cc": "compilation_config",
        "sc": "speculative_config", "dcp": "decode_context_parallel_size", "asc": "api_server_count",
    },
    "sglang": {
        "tp": "tensor_parallel_size", "tp_size": "tensor_parallel_size", "dp": "data_parallel_size",
        "dp_size": "data_parallel_size", "pp": "pipeline_parallel_size", "pp_size": "pipeline_parallel_size",
        "ep": "expert_parallel_size", "ep_size": "expert_parallel_size",
    },
    "llama.cpp": {
        "c": "n_ctx", "ctx_size": "n_ctx", "b": "n_batch", "batch_size": "n_batch", "ub": "n_ubatch",
        "ubatch_size": "n_ubatch", "ngl": "n_gpu_layers", "gpu_layers": "n_gpu_layers", "fa": "flash_attention",
        "flash_attn": "flash_attention", "np": "parallel", "ctk": "cache_type_k", "ctv": "cache_type_v",
        "t": "threads", "tb": "threads_batch", "cb": "cont_batching", "sm": "split_mode", "ts": "tensor_split",
        "mg": "main_gpu", "ot": "override_tensor", "md": "model_draft", "ncmoe": "n_cpu_moe", "cmoe": "cpu_moe",
        "hf": "hf_repo", "hfr": "hf_repo", "hff": "hf_file", "kvu": "kv_unified",
    },
    "tensorrt-llm": {
        "tp_size": "tensor_parallel_size", "pp_size": "pipeline_parallel_size", "ep_size": "expert_parallel_size",
        "max_seq_len": "max_model_len", "max_num_tokens": "max_num_batched_tokens",
        "kv_cache_free_gpu_memory_fraction": "free_gpu_memory_fraction",
    },
    "lmdeploy": {"tp": "tensor_parallel_size", "dp": "data_parallel_size"},
}  # fmt: skip
"""Short names of each engine's flags, and those that the vocabulary calls otherwise: its option table."""
_SCALES = {"k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}
_HUMAN = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([kKmMgG])")
"""Lengths as vLLM reads them since 0.9: small letters are powers of 1000, capital ones of 1024."""


class Commands:
    """Reads commands: a line that names a server's program, with the lines that carry it on."""

    marks: tuple[str, ...] = _PROGRAMS

    def __init__(self) -> None:
        self.open = self.past = False
        self._held: list[str] = []
        self._first: Line | None = None
        self._ended = True

    def line(self, line: Line, out: Observations) -> None:
        """Gather a line, and read the command that ended before it."""
        text, self.past = line.text, False
        if self.open:
            if self._held[-1].endswith("\\") or _NEXT.match(text):
                self._hold(line)
                return
            self._close(out)
            self.past = True
        if any(program in text for program in _PROGRAMS):
            self._first = line
            self._hold(line)

    def end(self, out: Observations) -> None:
        """Read what is held."""
        self._close(out)

    def _hold(self, line: Line) -> None:
        self.open, self._ended = True, line.ended
        if len(self._held) < _LINES:
            text = line.text.strip() if self._held else _PROMPT.sub("", line.text.strip(" \t`"), count=1)
            self._held.append(text)

    def _close(self, out: Observations) -> None:
        text, first, ended = "\n".join(line.strip("`") for line in self._held), self._first, self._ended
        self.open, self._held, self._first = False, [], None
        if first is not None:
            take(text, first, ended, out)


def take(text: str, line: Line, ended: bool, out: Observations) -> None:
    """Read the command that a text is, or that begins inside its first line; of one that breaks off, what is whole."""
    if not ended:
        text = _whole(text)
    at, program = min(((text.find(one), one) for one in _PROGRAMS if one in text), default=(0, ""))
    lead = "python -m " if program in _MODULES else ""
    found = commands.read(text) or commands.read(lead + text[at:])
    if found is not None:
        _keep(found, text, line, out)
        if not ended:
            out.trap("cut", "", line)


def _whole(text: str) -> str:
    """A text without its last word, or its open quotation, and without the flag that this may be the value of."""
    for quote in "'\"":
        if text.count(quote) % 2:
            text = text[: text.rindex(quote)].rstrip() + " ?"
    kept, _, last = text.rpartition(" ")
    head, _, before = kept.rpartition(" ")
    return head if before.startswith("-") and not last.startswith("-") and "=" not in before else kept


def _keep(found: commands.Command, text: str, line: Line, out: Observations) -> None:
    engine, *said = found.engine.split()
    out.seen(_KIND, line)
    if generation := next((one for one in said if one in ("v0", "v1")), ""):
        out.flags.setdefault("VLLM_USE_V1", generation[-1])
    out.served_by(engine, next((one for one in said if one[0].isdigit()), ""))
    if found.model:
        out.put("model", _written(found.model, text), line)
    for raw, value in flat({"args": found.flags}):
        _flag(engine, raw, str(value), line, out)


def _written(model: str, text: str) -> str:
    """A model's name as the command has it, with its folders."""
    for word in text.replace("=", " ").split():
        word = word.strip("'\"\\,")
        if word == model or re.split(r"[/\\]", word.rstrip("/"))[-1] == model or word.replace(":", "-") == model:
            return word
    return model


def _flag(engine: str, raw: str, value: str, line: Line, out: Observations) -> None:
    if raw.isupper():
        out.flags.setdefault(raw, value)
        return
    name = raw.lstrip("-").replace("-", "_")
    name = _LONG.get(engine, {}).get(name, name)
    if not re.fullmatch(r"[A-Za-z][\w.]{0,99}", name) or (not value and _wants_value(name)):
        return
    if not value and engine == "vllm" and name.startswith("no_"):
        name, value = name.removeprefix("no_"), "False"
    human = _HUMAN.fullmatch(value) if term(name).unit == "tokens" else None
    if human is not None:
        value = str(int(Fraction(human[1]) * _SCALES[human[2]]))
    flag(name, value or "True", line, out)


def _wants_value(name: str) -> bool:
    """Whether a flag says nothing without a value."""
    row, _ = find(name)
    return bool(term(name).unit) or (row is not None and not row.switch and row.read is not present)


class Manifests:
    """Reads the commands of compose files and manifests, whose image names the server."""

    marks: tuple[str, ...] = ("image:", "command:", "args:", "entrypoint:")

    def __init__(self) -> None:
        self._manifest = Manifest()

    @property
    def open(self) -> bool:
        """Whether a list or a block of words goes on."""
        return self._manifest.open

    def line(self, line: Line, out: Observations) -> None:
        """Gather a line; one that begins another container ends the one before it."""
        if self._manifest.begins(line.text):
            self._close(out, ended=True)
        self._manifest.add(line)

    def end(self, out: Observations) -> None:
        """Read what is held."""
        self._close(out)

    def _close(self, out: Observations, ended: bool = False) -> None:
        done, self._manifest = self._manifest.started(), Manifest()
        if done is not None:
            take(done.text, done.line, ended or done.ended, out)


READERS = (Commands, Manifests)
