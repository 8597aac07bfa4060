"""Which Python on this machine has torch. Each is asked in a process of its own, without importing torch there.

The tutor needs no torch: the probe's program runs with the first Python that has one, a build for the card at hand
before one for the processor.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from tutor.probing import asking

Origin = Literal["asked", "current", "virtual-env", "conda", "path"]
Build = Literal["cuda", "rocm", "xpu", "mps", "cpu", "unknown"]
Why = Literal["missing", "no-environment", "denied", "silent", "no-python", "too-old", "no-torch"]

PATIENCE = 10.0
"""Seconds that a Python may take to say what it has: a cold disk is slow."""
MOST_ON_PATH = 8
"""Pythons of PATH that are asked at most."""


class Found(NamedTuple):
    """A Python with torch: its file, its version and torch's, what torch was built for, how we came to it."""

    python: str
    version: str
    torch: str
    build: Build
    origin: Origin


class Tried(NamedTuple):
    """A Python, or the name of one, that cannot be used, and why."""

    python: str
    origin: Origin
    why: Why


class Search(NamedTuple):
    """The Python to measure with, ``None`` where there is none, and those that were tried in vain."""

    found: Found | None
    tried: tuple[Tried, ...]


def find(asked: str | None = None, device: bool = True) -> Search:
    """The Python to measure with.

    Args:
        asked: a Python, the folder of an environment or a command's name; then no other is tried.
        device: whether a build for a device is preferred: there is a card, and the processor was not asked for.
    """
    tried: list[Tried] = []
    spare: Found | None = None
    seen: set[str] = set()
    for file, origin in _asked(asked, tried) if asked is not None else _candidates(tried):
        answer = _ask(file, origin)
        if isinstance(answer, Tried):
            tried.append(answer)
            continue
        found, home = answer
        if home in seen:
            continue
        seen.add(home)
        if not device or found.build != "cpu":
            return Search(found, tuple(tried))
        spare = spare or found
    return Search(spare, tuple(tried))


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What another Python may inherit: nothing that would send it to our own library or make it talk."""
    inherited = {name: value for name, value in os.environ.items() if name not in _OURS}
    return {**inherited, **(extra or {})}


_OURS = frozenset(("PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONVERBOSE", "__PYVENV_LAUNCHER__"))


# --- candidates ------------------------------------------------------------------------------------------------------


def _asked(text: str, tried: list[Tried]) -> Iterator[tuple[str, Origin]]:
    """The Python that a person named."""
    path = Path(os.path.expanduser(text))  # noqa: PTH111  a user that does not exist is no error here
    if not text.strip():
        tried.append(Tried(text, "asked", "missing"))
    elif _is(path, Path.is_dir):
        inside = _inside(path)
        if inside is None:
            tried.append(Tried(text, "asked", "no-environment"))
        else:
            yield str(inside), "asked"
    elif _is(path, Path.exists):
        yield str(path.absolute()), "asked"
    elif path.name == text and (command := shutil.which(text)) is not None:
        yield command, "asked"
    else:
        tried.append(Tried(text, "asked", "missing"))


def _candidates(tried: list[Tried]) -> Iterator[tuple[str, Origin]]:
    """All Pythons worth asking, the likeliest first; one that stands in several places comes once."""
    seen: set[tuple[str, str]] = set()
    for file, origin in _everywhere(tried):
        key = (os.path.realpath(Path(file).parent), os.path.realpath(file))
        if key not in seen:  # not by the file alone: that of an environment leads to the one it was made with
            seen.add(key)
            yield file, origin


def _everywhere(tried: list[Tried]) -> Iterator[tuple[str, Origin]]:
    if sys.executable:
        yield sys.executable, "current"
    places: tuple[tuple[str, Origin], ...] = (("VIRTUAL_ENV", "virtual-env"), ("CONDA_PREFIX", "conda"))
    for variable, origin in places:
        if folder := os.environ.get(variable):
            inside = _inside(Path(folder))
            if inside is not None:
                yield str(inside), origin
            else:
                tried.append(Tried(folder, origin, "no-environment"))
    yield from ((file, "path") for file in _on_path())


def _inside(folder: Path) -> Path | None:
    """The Python of an environment's folder."""
    names = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
    return next((folder / name for name in names if _is(folder / name, Path.is_file)), None)


def _is(path: Path, what: Callable[[Path], bool]) -> bool:
    """A question about a path, "no" where nobody may look."""
    try:
        return what(path)
    except (OSError, ValueError):
        return False


def _on_path() -> Iterator[str]:
    found = 0
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in ("python3", "python"):
            file = shutil.which(name, path=folder) if folder else None
            if file is not None and found < MOST_ON_PATH:
                found += 1
                yield str(Path(file).absolute())


# --- asking ----------------------------------------------------------------------------------------------------------

_QUESTION = """
import sys
sys.path[:] = [p for p in sys.path if p]
answer = {"version": list(sys.version_info[:3]), "prefix": sys.prefix}
if sys.version_info >= (3, 9):
    import importlib.util
    spec = importlib.util.find_spec("torch")
    if spec is not None and spec.origin:
        import os
        answer["torch"] = "?"
        try:
            from importlib.metadata import version
            answer["torch"] = version("torch")
        except Exception:
            pass
        try:
            with open(os.path.join(os.path.dirname(spec.origin), "version.py")) as file:
                answer["text"] = file.read(4000)
        except Exception:
            pass
import json
print(json.dumps(answer))
"""
"""What a Python is asked. Old ones read it too, and say how old they are."""


def _ask(file: str, origin: Origin) -> tuple[Found, str] | Tried:
    """What a Python has, and where it lives."""
    try:
        told = asking.ask([file, "-c", _QUESTION], PATIENCE, environment())
    except PermissionError:
        return Tried(file, origin, "denied")
    except (OSError, ValueError):
        return Tried(file, origin, "no-python")
    answer = _read(told.text) if told.status == 0 else None
    if answer is None:
        return Tried(file, origin, "silent" if told.late else "no-python")
    if answer.version < (3, 9):
        return Tried(file, origin, "too-old")
    if answer.torch is None:
        return Tried(file, origin, "no-torch")
    assigned = _assigned(answer.text)
    torch = "".join(letter for letter in assigned.get("__version__", answer.torch) if letter.isprintable())[:60]
    version = ".".join(map(str, answer.version))
    return Found(file, version, torch, _build(torch, assigned), origin), f"{answer.prefix} {version}"


class _Answer(NamedTuple):
    """What a Python said of itself; ``text`` is torch's own file of versions."""

    version: tuple[int, ...]
    prefix: str
    torch: str | None
    text: str


def _read(output: str) -> _Answer | None:
    """The last line of an answer; ``None`` for one that is none."""
    lines = output.strip().splitlines()
    try:
        told = json.loads(lines[-1])
        version = tuple(int(part) for part in told["version"])
        torch = told.get("torch")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    return _Answer(version, str(told.get("prefix")), None if torch is None else str(torch), str(told.get("text", "")))


def _assigned(text: str) -> dict[str, str]:
    """The texts that torch/version.py assigns: read, never run."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
            found[target.id] = value.value
    return found


def _build(torch: str, assigned: Mapping[str, str]) -> Build:
    """What torch was built for: its own word, else the tail of its version (2.6.0+cpu, 2.6.0+cu124, 2.6.0+rocm6.2)."""
    tail = torch.partition("+")[2]
    if assigned.get("hip") or tail.startswith("rocm"):
        return "rocm"
    if assigned.get("cuda") or tail.startswith("cu"):
        return "cuda"
    if assigned.get("xpu") or tail.startswith("xpu"):
        return "xpu"
    if sys.platform == "darwin":
        return "mps"
    return "cpu" if assigned or tail.startswith("cpu") else "unknown"
