"""What vLLM says it was started with: the engine's config line, Namespace and args lines, single settings."""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Rule
from engine.artefacts.readers.whole import Whole, arguments, flag, text_of
from engine.artefacts.text import Line

_KIND = "vllm-config"
_VERSION = r"v?(\d{1,4}(?:\.\d{1,5}){1,3})(?![\d\x00])"
_ENGINE = re.compile(r"Initializing an? (V[01] )?LLM engine(?: \(" + _VERSION + r"[^)]{0,80}\))? with config: ")
_ARGS = re.compile(r"(?:^|[\] ])args: Namespace\(")
_DICT = re.compile(r"non-default args: \{")
_SERVER = re.compile(r"vLLM(?: API server)? version:? " + _VERSION)
_BANNER = re.compile(r"▄▄ ▄█ [^\n]{0,60}version " + _VERSION)
_SERVED = re.compile(r"█▄█▀ [^\n]{0,60}\bmodel {1,4}(?P<model>[^\s\x00]{1,300})(?=\s|$)")
_RENAMED = {"max_seq_len": "max_model_len"}
_EMPTY = ("''", '""', "[]", "{}", "()")
_DRAFTS = re.compile(r"num_spec(?:ulative)?_tokens'?[=:] ?(\d{1,4})[,)}]")

_RULES = (
    Rule("Using max model len", r"Using max model len (?P<max_model_len>\d{1,12})(?![\d\x00])", {}, _KIND),
    Rule(
        "Chunked prefill is enabled",
        r"Chunked prefill is enabled with max_num_batched_tokens=(?P<max_num_batched_tokens>\d{1,12})(?:\.|$)",
        {},
        _KIND,
        {"enable_chunked_prefill": True},
    ),
    Rule("Starting to load model", r"Starting to load model (?P<model>\S{1,300}?)\.\.\.", {}, _KIND),
    Rule(
        "data type to store kv cache", r"Using (?P<kv_cache_dtype>fp8\w{0,12}) data type to store kv cache", {}, _KIND
    ),
    Rule(
        "ackend",
        r"\b[Uu]sing (?:AttentionBackendEnum\.)?(?P<attention_backend>[A-Z][A-Z0-9_]{3,30}) (?:attention )?backend"
        r"(?= out of|\.| on|$)",
        {},
        _KIND,
    ),
    Rule(
        "ackend",
        r"\bUsing (?P<attention_backend>Flash ?Attention|Flash Attention|FlashInfer|FlashMLA|XFormers|xFormers"
        r"|Triton(?: MLA| Attention)?|Cutlass MLA|Torch SDPA|ROCmFlashAttention|Pallas)"
        r" backend(?=\.| on V1|$)",
        {},
        _KIND,
    ),
)


class Config(Whole):
    """Reads what the server prints of its settings.

    A line of the engine's own settings is what runs, and so holds against what was asked for before it.
    """

    def __init__(self) -> None:
        super().__init__(_RULES, "vllm")
        self.marks = (*self.marks, "LLM engine", "args: ", "vLLM ", "version ", "█▄█▀")

    def line(self, line: Line, out: Observations) -> None:
        """Read a line of settings."""
        text = text_of(line)
        if "version " in text and (found := _SERVER.search(text) or _BANNER.search(text)):
            out.served_by("vllm", found[1])
            out.seen(_KIND, line)
        if (served := _SERVED.search(text)) is not None:
            out.put("model", served["model"], line)
        if (engine := _ENGINE.search(text)) is not None:
            out.served_by("vllm", engine[2] or "")
            if engine[1]:
                out.flags["VLLM_USE_V1"] = engine[1][1]
            self._settings(text, engine.end(), "=", line, out)
        elif (given := _ARGS.search(text)) is not None:
            self._settings(text, given.end(), "=", line, out)
        elif (given := _DICT.search(text)) is not None:
            out.served_by("vllm")
            self._settings(text, given.end(), ": ", line, out)
        super().line(line, out)

    def _settings(self, text: str, start: int, joint: str, line: Line, out: Observations) -> None:
        closed = text + "," if text.endswith((")", "}", "]", "'")) else text
        found = {_RENAMED.get(name, name): value for name, value in arguments(closed, start, joint)}
        if "num_prompts" in found:  # a benchmark's, not a server's
            return
        out.seen(_KIND, line)
        if "model" not in found and found.get("model_tag", "None") != "None":
            found["model"] = found["model_tag"]
        for name, value in found.items():
            if value not in _EMPTY:
                flag(name, value, line, out)
        drafts = _DRAFTS.search(found.get("speculative_config", ""))
        if drafts is not None:
            out.put("num_speculative_tokens", drafts[1], line)


READERS = (Config,)
