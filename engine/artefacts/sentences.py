"""Sentences of a text: what a program says in words, and what a person wrote between the lines of a log.

A line whose figures a reader took says nothing more by its words, but for the texts that stand for a signal by
themselves. Of the rest, a record of a log is a program's; a few sentences without one are a person's own.
"""

from __future__ import annotations

import re

from engine.artefacts.evidence import Artefact
from engine.artefacts.lines import begins
from engine.diagnosis.model import Signal
from engine.diagnosis.reading import noted as noting
from engine.diagnosis.symptoms import signals as symptoms

_NO_TEXT = "\ufffd"
"""In a line of what is no text: bytes that are no UTF-8."""
_WORD = re.compile(r"(?<!\S)[(\"']?[^\W\d_][\w'/.+-]{0,40}[,.;:!?)\"']{0,3}(?!\S)")
_SENTENCE = 3
"""Words that a sentence has at least; a list of names and numbers has none."""
_FEW = 3
"""Lines of a text that was typed around what it quotes."""
_NOTE = 40
"""Sentences of the longest text that a person may have written between what programs printed."""
_SERVING = re.compile(
    r"(?i)gpu|cuda|vllm|sglang|llama|torch|cache_size|\b(?:vram|rocm|hip|kv|llm|gguf|tgi|trt|tensorrt|tokens?|tok/s|t/s|ttft|"
    r"tpot|itl|lora|prompts?|prefill|decod\w*|batch\w*|max_model_len|max-model-len|quanti\w*|awq|gptq|fp8|int[48]|[ahl]\d{2,3}s?|[lt]4|"
    r"rtx|concurren\w*|throughput|inference|requests? (?:take|at once|per|wait|ek)|\d+ requests?)\b"
    r"|\b(?:qwen|mi[sx]tral|gemma|deepseek|phi-?\d)"
)
"""What a text about a model's server has a word of."""
_CALM = re.compile(r"\b(?:INFO|DEBUG|TRACE)\b|\blevel=(?:info|debug|trace)\b|\[(?:I|info|debug)\]")
"""A record that tells of nothing wrong: its words are names of figures, not complaints."""
_CODE = re.compile(
    r"\s{4}|\s{0,8}(?:File \"|[|+{}<$`-]|at \w|import |from |def |raise "
    r"|(?:Starting|Initial|Loading|Processed|Traffic|Using|Downloading|Warm\w{0,6})\b|[.%,;:)\]])"
    r"|.{0,200}?(?:\w\.(?:py|cpp|rs|cc):\d|\]\s)"
)
"""What is no sentence: code, tables, options, a prompt of a shell, the rest of a record of a log."""


def signals(artefact: Artefact) -> tuple[Signal, ...]:
    """What the sentences of a text say, each once."""
    printed, logged, own = _sorted(artefact)
    spoken = [text for _, text in own]
    said = [noting.without_names(text) for text in spoken]
    found = [
        *symptoms.printed_in(printed, artefact.name),
        *symptoms.read("\n".join(logged), artefact.name),
        *(
            one._replace(source=artefact.name, text=_whole(one.text, said, spoken))
            for one in symptoms.read("\n".join(said))
        ),
    ]
    return symptoms.settled(found)


def _whole(text: str, said: list[str], spoken: list[str]) -> str:
    """The line of a note as it was written, of what was left of it to be heard."""
    words = text.rstrip("…")
    lines = zip(said, spoken, strict=True)
    return next(
        (symptoms.quoted(line) for left, line in lines if left != line and words in " ".join(left.split())), text
    )


def tried(artefact: Artefact) -> frozenset[str]:
    """Ids of levers that a person says were tried in vain."""
    _, _, spoken = _sorted(artefact)
    return symptoms.tried("\n".join(text for _, text in spoken))


def noted(artefact: Artefact) -> list[tuple[int, str]]:
    """The lines of a person's note, with their numbers: a text about a server of which no reader knew a line, or the
    sentences that stand between what programs printed."""
    if artefact.found:
        _, _, spoken = _sorted(artefact)
        return spoken
    rows = [
        (number, text) for number, text in artefact.found.text
        if _NO_TEXT not in text and not begins(text) and not _CODE.match(text)
    ]  # fmt: skip
    return rows if _SERVING.search("\n".join(text for _, text in rows[:_NOTE])) else []


def _sorted(artefact: Artefact) -> tuple[list[str], list[str], list[tuple[int, str]]]:
    """The lines whose figures were taken, those of programs, and those of a person with their numbers."""
    taken: list[str] = []
    logged: list[str] = []
    spoken: list[tuple[int, str]] = []
    for number, text, use in artefact.found.text.used():
        if _NO_TEXT in text:
            continue
        quoted = artefact.found.lines <= _FEW and not begins(text)  # a result with a person's words around it
        if quoted and len(_WORD.findall(text)) >= _SENTENCE and not _CODE.match(text):
            spoken.append((number, text))
        elif use == "taken" or (use != "error" and _CALM.search(text, 0, 160)):
            taken.append(text)
        elif use == "error" or begins(text):
            logged.append(text)
        elif not _CODE.match(text) and len(_WORD.findall(text)) >= _SENTENCE:
            spoken.append((number, text))
    if not artefact.found and not _SERVING.search("\n".join((*logged, *(text for _, text in spoken[:_NOTE])))):
        return taken, [], []  # another program's log, a poem: whatever it says, it is not of this server
    return taken, logged, spoken if len(spoken) <= _NOTE else []
