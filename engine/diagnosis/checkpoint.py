"""A model on disk: its config.json, and the exact bytes of its safetensors files where they are there.

Only headers are read, a few bytes a file; nothing of a file is trusted before its size is checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from engine import config, precision
from engine.catalog import Model, NoValues
from engine.diagnosis.fields import ScenarioProblem
from engine.precision import Format, UnknownFormat

MOST_CONFIG = 2 * 2**20
MOST_INDEX = 32 * 2**20
MOST_FILES = 2000
_HEADER = 100 * 10**6  # safetensors, format: a header is at most 100 MB


class Checkpoint(NamedTuple):
    """What a model's files say.

    Attributes:
        model: sized from config.json.
        weights: their format, with the classes of tensors that were left alone; ``None`` for one that we do not know.
        bytes: of all tensors, ``None`` without safetensors files or their index.
        path: as it was written.
    """

    model: Model
    weights: Format | None
    bytes: int | None
    path: str


def is_path(text: str) -> bool:
    """Whether a text names a config.json or a folder that is there."""
    if not text or len(text) > 1000 or "\0" in text:
        return False
    try:
        path = Path(text).expanduser()
        if path.suffix == ".json":
            return path.is_file()
        return (path / "config.json").is_file() or (text[0] in "./~" and path.is_dir())
    except (OSError, RuntimeError, ValueError):  # a home that is not known is a RuntimeError
        return False


def read(path: str) -> Checkpoint:
    """A config.json, or a folder with one.

    Raises:
        NoValues: an architecture that cannot be sized, with the key.
        ScenarioProblem: no such file, too large, not JSON, or no config at all.
    """
    try:
        place = Path(path).expanduser()
        folder = place if place.is_dir() else place.parent
        file = place / "config.json" if place.is_dir() else place
        found = _json(file, MOST_CONFIG)
        sized = _model(found, _name(found) or folder.resolve().name)
        return Checkpoint(sized, _format(sized, found), _tensor_bytes(folder), path)
    except NoValues:  # a ValueError too
        raise
    except (OSError, ValueError):
        raise ScenarioProblem("no-file", "model", {"path": path[:200]}) from None


def parsed(text: str) -> Model:
    """The model of a config.json's text. Raises as :func:`read`."""
    found = _loaded(text)
    return _model(found, _name(found))


def _name(found: Mapping[str, Any]) -> str:
    name = found.get("_name_or_path")
    return "".join(c for c in name[:200] if c.isprintable()) if isinstance(name, str) else ""


def _model(found: Mapping[str, Any], name: str) -> Model:
    try:
        return config.read(found, name or "config.json")
    except NoValues:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise ScenarioProblem("no-config", "model", {"path": name}) from None


def _format(sized: Model, found: Mapping[str, Any]) -> Format | None:
    try:
        form = precision.find(sized.dtype)
    except UnknownFormat:
        return None
    kept = config.kept_16bit(found)
    return form.keeping(kept) if kept else form


def _json(file: Path, most: int) -> dict[str, Any]:
    if not file.is_file():  # a device or a pipe never ends
        raise ScenarioProblem("no-file", "model", {"path": str(file)[:200]})
    if file.stat().st_size > most:
        raise ScenarioProblem("too-large", "model", {"most": most})
    return _loaded(file.read_bytes()[: most + 1].decode("utf-8", "replace"))


def _loaded(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except RecursionError:
        raise ScenarioProblem("too-deep", "model") from None
    except ValueError as error:
        raise ScenarioProblem("not-json", "model", {"line": getattr(error, "lineno", 1)}) from None
    if not isinstance(found, dict):
        raise ScenarioProblem("no-config", "model")
    return found


# --- safetensors -----------------------------------------------------------------------------------------------------


def _tensor_bytes(folder: Path) -> int | None:
    """Bytes of the tensors that engines load: those of the index, else of ``model*.safetensors``, else of all files.

    A file is eight bytes of length, a header of that length, and the tensors without gaps (safetensors, format).
    """
    index = folder / "model.safetensors.index.json"
    listed, total = _index(index) if index.is_file() else ((), None)
    names = listed or tuple(sorted(one.name for one in folder.glob("model*.safetensors")))
    names = names or tuple(
        sorted(one.name for one in folder.glob("*.safetensors") if not one.name.startswith(("consolidated", "adapter")))
    )
    sizes = [_data(folder / name) for name in names[:MOST_FILES]]
    known = [size for size in sizes if size is not None]
    if known and len(known) == len(names):
        return sum(known)
    return total


def _index(file: Path) -> tuple[tuple[str, ...], int | None]:
    """The files that an index names, and its own total."""
    try:
        found = _json(file, MOST_INDEX)
    except ScenarioProblem:
        return (), None
    mapping, about = found.get("weight_map"), found.get("metadata")
    names = set(mapping.values()) if isinstance(mapping, dict) and len(mapping) < 10**6 else set()
    plain = tuple(sorted(name for name in names if isinstance(name, str) and Path(name).name == name))
    total = about.get("total_size") if isinstance(about, dict) else None
    return plain, total if type(total) is int and 0 < total < 10**15 else None


def _data(file: Path) -> int | None:
    """Bytes of one file's tensors; ``None`` for a file that is not there or not whole."""
    if not file.is_file():
        return None
    size = file.stat().st_size
    with file.open("rb") as opened:
        header = int.from_bytes(opened.read(8), "little")
    return size - 8 - header if 0 < header <= min(_HEADER, size - 8) else None
