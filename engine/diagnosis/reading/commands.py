"""A server's start command: which engine it starts, which model, and its flags.

Read are ``vllm serve``, ``python -m vllm.entrypoints...``, ``sglang.launch_server``, ``llama-server``,
``trtllm-serve``, ``text-generation-launcher``, ``lmdeploy serve`` and ``docker run`` of their images, with what people
write around them: lines joined by backslashes, variables, sudo, a script's other lines. Nothing is run or looked up.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from engine.diagnosis.model import Engine
from engine.diagnosis.settings.flag_names import canonical, rows

MAX_TEXT = 8192
"""Longer texts are no command."""
_LINES = 60


class Command(NamedTuple):
    """What a start command says.

    Attributes:
        engine: its name, with the version that an image's tag says.
        model: as written; "" where none is, or where only a variable stands for it.
        flags: the rest of it, as one line, with the variables that are flags.
    """

    engine: str
    model: str
    flags: str


@lru_cache(maxsize=64)
def read(text: str) -> Command | None:
    """The first command of a text that starts a server; ``None`` where there is none."""
    if len(text) > MAX_TEXT or not _MARK.search(text):
        return None
    carried: list[str] = []
    for line in _lines(text):
        for words in _simple(line):
            found = _command([*carried, *words])
            if found is not None:
                return found
            if all(_VARIABLE.match(word) or word == "export" for word in words):
                carried += [word for word in words if word != "export"][:_LINES]
    return None


_CARRIED = re.compile(r"(?:(?<!\S)\\(?=\s|$)|\\(?=\s{2}|\s*$))\s*")
"""A backslash that carried a line on: with blanks behind it, as a terminal pads what is selected in it, or in the
middle of a line that was broken before. One inside a word, with one blank behind it, is that blank's own."""


def unbroken(text: str) -> str:
    """A line without the backslashes that broke it."""
    return _CARRIED.sub(" ", text) if "\\" in text else text


def is_open(text: str) -> bool:
    """Whether a text that speaks of a server has a quote that never ends."""
    if len(text) > MAX_TEXT or not _MARK.search(text):
        return False
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False


_MARK = re.compile(
    r"vllm|sglang|llama-server|llama_cpp|llama\.cpp|trtllm-serve|tensorrt|text-generation|lmdeploy", re.IGNORECASE
)


def _lines(text: str) -> Iterator[str]:
    """Whole lines: a backslash or an option at the next one's beginning carries on."""
    whole = ""
    for line in text.removeprefix("\ufeff").splitlines()[: 4 * _LINES]:
        line = line.strip().removeprefix("$ ").strip()
        if whole and not whole.endswith("\\") and not line.startswith("-"):
            yield whole
            whole = ""
        whole = f"{whole.rstrip(chr(92)).rstrip()} {line}".strip()
    if whole:
        yield whole.rstrip("\\")


_ENDS = frozenset(("&&", "||", ";", "|", "&", ">", ">>", "2>&1", "2>"))


def _simple(line: str) -> Iterator[list[str]]:
    """The commands of a line, each as its words."""
    if not _MARK.search(line) and "=" not in line:
        return
    line = unbroken(line)
    try:
        words = shlex.split(line, comments=True)
    except ValueError:  # a quote that never ends
        words = line.split()
    command: list[str] = []
    for word in [*words, ";"]:
        if word not in _ENDS and not (ended := word.endswith(";") and len(word) > 1):
            command.append(word)
            continue
        if word not in _ENDS and ended:
            command.append(word[:-1])
        if command:
            yield command
        command = []


_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,60}=")
_BEFORE = frozenset(("sudo", "nohup", "exec", "env", "time", "export", "command", "uv", "uvx", "run", "poetry", "srun"))
_CONTAINERS = frozenset(("docker", "podman", "nerdctl"))
_PYTHON = re.compile(r"python[\d.]*(?:\.exe)?")
_MODULES: tuple[tuple[str, Engine], ...] = (
    ("vllm.", "vllm"), ("sglang.", "sglang"), ("llama_cpp.", "llama.cpp"), ("tensorrt_llm.", "tensorrt-llm"),
)  # fmt: skip
_PROGRAMS: dict[str, tuple[Engine, tuple[str, ...]]] = {
    "vllm": ("vllm", ("serve",)), "sglang": ("sglang", ("serve",)), "llama-server": ("llama.cpp", ()),
    "llama-server.exe": ("llama.cpp", ()), "trtllm-serve": ("tensorrt-llm", ()),
    "text-generation-launcher": ("tgi", ()), "lmdeploy": ("lmdeploy", ("serve", "api_server")),
}  # fmt: skip
"""Programs: the engine, and the words that must follow."""
_IMAGE = re.compile(
    r"(?:[\w.-]{1,80}/){1,4}(?P<name>vllm[\w-]{0,40}|sglang|text-generation-inference|llama\.cpp|tensorrt-llm)"
    r"(?:/[\w-]{1,40})?(?::(?P<tag>[\w.-]{1,80}))?(?:@sha256:[0-9a-f]{1,64})?"
)
_TAG = re.compile(r"v?(\d{1,4}(?:\.\d{1,5}){1,3})")
_IMAGES: tuple[tuple[str, Engine], ...] = (
    ("vllm", "vllm"), ("sglang", "sglang"), ("text-gen", "tgi"), ("llama", "llama.cpp"), ("tensorrt", "tensorrt-llm"),
)  # fmt: skip


def _command(words: Sequence[str]) -> Command | None:
    """The server that a simple command starts."""
    variables: list[str] = []
    at = 0
    while at < len(words) and (_VARIABLE.match(words[at]) or words[at] in _BEFORE):
        variables += [words[at]] if "=" in words[at] else []
        at += 1
    if at == len(words):
        return None
    program, rest = PurePosixPath(words[at]).name.lower(), list(words[at + 1 :])
    if program in _CONTAINERS:
        return _container(rest, variables)
    if _PYTHON.fullmatch(program) and "-m" in rest[:4]:
        rest = rest[rest.index("-m") + 1 :]
        engine = next((one for start, one in _MODULES if rest and rest[0].startswith(start)), None)
        return _server(engine, rest[1:], variables) if engine else None
    if program == "trtllm-serve" and rest[:1] == ["serve"]:
        rest = rest[1:]
    known = _PROGRAMS.get(program)
    if known is None or tuple(rest[: len(known[1])]) != known[1]:
        return None
    return _server(known[0], rest[len(known[1]) :], variables)


def _container(rest: list[str], variables: list[str]) -> Command | None:
    """The server of an image: what stands behind its name are the server's own words."""
    place, image = next(((at, one) for at, word in enumerate(rest) if (one := _IMAGE.fullmatch(word))), (0, None))
    if image is None:
        return None
    for name, value in pairwise(rest[: place + 1]):
        given = value if name in ("-e", "--env") else name.partition("=")[2] if name.startswith("--env=") else ""
        variables += [given] if _VARIABLE.match(given) else []
    engine = next(one for start, one in _IMAGES if image["name"].startswith(start))
    inner = rest[place + 1 :]
    found = _command([*variables, *inner]) or _server(engine, inner, variables)
    version = _TAG.match(image["tag"] or "")
    if found is None or version is None or engine != found.engine.partition(" ")[0]:
        return found
    return found._replace(engine=f"{found.engine} {version[1]}")


_MODEL_LIKE = re.compile(r"[\d/$\\]")
_MODEL = frozenset(("--model", "--model-path", "--model_path", "--model-id", "-m", "-hf", "-hfr", "--hf-repo"))


def _server(engine: Engine, words: list[str], variables: Sequence[str]) -> Command | None:
    """The model and the flags among a server's own words; ``None`` where they are a sentence's."""
    model = "" if not words or words[0].startswith("-") else words.pop(0)
    if model and not _MODEL_LIKE.search(model):
        return None
    kept: list[str] = []
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        if name in _MODEL:
            at += 0 if equals else 1
            model = value if equals else words[at] if at < len(words) else ""
        else:
            kept.append("".join(words[at].split()) if words[at][:1] in ("{", "[") else words[at])
        at += 1
    generation = next((one[-1] for one in variables if one in ("VLLM_USE_V1=0", "VLLM_USE_V1=1")), "")
    ours = [one for one in variables if canonical(one.partition("=")[0]) in rows()]  # the others may hold secrets
    return Command(f"{engine} v{generation}" if generation else engine, _named(model), " ".join((*ours, *kept)))


def _named(model: str) -> str:
    """A model's name: of a path the last part, for the file lies on another machine."""
    if "$" in model or model.startswith("-"):
        return ""
    if model.startswith(("/", "~", ".")) or model.count("/") > 1 or "\\" in model:
        model = PurePosixPath(model.replace("\\", "/")).name
    return model.replace(":", "-")
