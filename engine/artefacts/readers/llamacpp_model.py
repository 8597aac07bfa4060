"""The model's dimensions in llama.cpp's log."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.artefacts.model import Observations
from engine.artefacts.readers.whole import text_of, value_of
from engine.artefacts.text import Line

_METADATA: Mapping[str, str] = {
    "n_layer": "n_layers", "n_head": "n_heads", "n_head_kv": "n_kv_heads", "n_embd": "hidden_size",
    "n_embd_head_k": "head_dim",
    "n_ff": "intermediate_size", "n_ff_exp": "moe_intermediate_size",
    "n_vocab": "vocab_size", "n_expert": "n_experts", "n_expert_used": "n_experts_per_token",
    "n_ctx_train": "max_position_embeddings", "general.name": "model",
    "file type": "quantization_method", "model ftype": "quantization_method", "ftype": "quantization_method",
}  # fmt: skip
_META = re.compile(r"\b(?:llm_load_print_meta|print_info): ([a-z_. ]{4,20}?) {1,20}= {1,4}([^\n\x00]{1,120})$")
_KEY = re.compile(r"\bllama_model_loader: - kv +\d{1,4}: {1,60}(general\.name) str {1,20}= ([^\n\x00]{1,120})$")
"""The same name among the file's keys, where the dimensions are printed without it."""
_FILE = re.compile(
    r"(?:\bloaded meta data with [^\n]{1,80} from (?P<meta>[^\n\x00]{1,300}?) \(version "
    r"|\b(?:failed to load model,|failed to create context with model) '(?P<failed>[^'\n\x00]{1,300})')"
)
"""The file that is loaded."""
_PART = re.compile(r"(?:-\d{5}-of-\d{5})?\.gguf$", re.IGNORECASE)
_WORDS = ("model", "quantization_method")
"""Names with a text, not a number."""


class Metadata:
    """The model's dimensions as they are printed when it is loaded; a draft model's, loaded after it, are left out."""

    marks = ("print_meta: ", "print_info: ", "general.name", "loaded meta data with", "failed to load model, '",
             "failed to create context with model '")  # fmt: skip
    open = False

    def __init__(self) -> None:
        self._read: dict[str, object] = {}
        self._file: tuple[str, Line] | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a dimension."""
        file = _FILE.search(text_of(line))
        if file is not None:
            self._file = self._file or (file["meta"] or file["failed"], line)
            return
        found = _META.search(text_of(line)) or _KEY.search(text_of(line))
        name = _METADATA.get(found[1]) if found else None
        if found is None or name is None:
            return
        value = value_of(found[2].strip()) if name not in _WORDS else found[2].strip()
        if self._read.get(name, value) != value:
            out.trap("draft-model", "model", line)
        elif name in _WORDS or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            self._read[name] = value
            out.put(name, value, line)
            out.served_by("llama.cpp")

    def end(self, out: Observations) -> None:
        """Take the file's name for the model's where nothing printed that."""
        if self._file is None or out.one("model") is not None:
            return
        path, line = self._file
        name = _PART.sub("", re.split(r"[/\\]", path)[-1])
        if name and name != path:
            out.put("model", name, line)
            out.served_by("llama.cpp")
