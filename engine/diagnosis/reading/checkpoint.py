"""A model on disk: its config.json, and the exact bytes of its safetensors files where they are there.

Only headers are read, a few bytes a file; nothing of a file is trusted before its size is checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from engine import config, config_format, precision, weights
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
        trouble: why the files' bytes are not used: "weights-unread", or "weights-short" where they hold far less than
            the config asks for; "" where they are, and where there are no files.
    """

    model: Model
    weights: Format | None
    bytes: int | None
    path: str
    trouble: str = ""


_closed = False


def close() -> None:
    """From now on no text names a file, in this process: who types is not at this machine."""
    global _closed
    _closed = True


def is_path(text: str) -> bool:
    """Whether a text names a config.json or a folder that is there."""
    if _closed or not text or len(text) > 1000 or "\0" in text:
        return False
    try:
        path = Path(text).expanduser()
        if path.suffix == ".json":
            return path.is_file()
        return (path / "config.json").is_file() or (text[0] in "./~" and path.is_dir())
    except PermissionError:  # it is there, and reading says so
        return True
    except (OSError, RuntimeError, ValueError):  # a home that is not known is a RuntimeError
        return False


def is_there(text: str) -> bool:
    """Whether a text that names no model names something of the file system."""
    if _closed or not text or len(text) > 1000 or "\0" in text:
        return False
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def file_of(path: str) -> str:
    """The config.json that a path is read as: that of a folder lies in it."""
    try:
        place = Path(path)
        return str(place / "config.json") if place.expanduser().is_dir() else path
    except (OSError, RuntimeError, ValueError):
        return path


def read(path: str) -> Checkpoint:
    """A config.json, or a folder with one.

    Raises:
        NoValues: an architecture that cannot be sized, with the key.
        ScenarioProblem: no such file, not readable, too large, not JSON, or no config at all.
    """
    if _closed:
        raise ScenarioProblem("no-file", "model", {"path": path[:200]})
    try:
        place = Path(path).expanduser()
        folder = place if place.is_dir() else place.parent
        file = place / "config.json" if place.is_dir() else place
        found = _json(file, MOST_CONFIG)
        sized = _model(found, _name(found) or _called(place), str(file)[:200])
        form = _format(sized, found)
        size, broken = _tensor_bytes(folder)
        if size is not None and _is_short(size, sized, form):
            return Checkpoint(sized, form, None, path, "weights-short")
        return Checkpoint(sized, form, size, path, "weights-unread" if broken and size is None else "")
    except NoValues:  # a ValueError too
        raise
    except PermissionError as error:
        raise ScenarioProblem("not-readable", "model", {"path": str(error.filename or path)[:200]}) from None
    except (OSError, ValueError):
        raise ScenarioProblem("no-file", "model", {"path": path[:200]}) from None


def parsed(text: str, called: str = "") -> Model:
    """The model of a config.json's text; ``called`` names one without a name of its own. Raises as :func:`read`."""
    found = _loaded(text)
    return _model(found, _name(found) or called)


def of(found: Mapping[str, Any], called: str = "") -> Checkpoint:
    """What a config.json says that was read already; ``called`` names a model without a name of its own. Raises as
    :func:`read`."""
    sized = _model(found, _name(found) or called)
    return Checkpoint(sized, _format(sized, found), None, called)


def _name(found: Mapping[str, Any]) -> str:
    name = found.get("_name_or_path")
    return "".join(c for c in name[:200] if c.isprintable()) if isinstance(name, str) else ""


def _called(place: Path) -> str:
    """A model without a name of its own: that of its folder, or of the file that was named."""
    if place.is_dir():
        return place.resolve().name
    return f"{place.resolve().parent.name}/{place.name}" if place.name == "config.json" else place.name


def _is_short(size: int, sized: Model, form: Format | None) -> bool:
    """Whether files hold under half of what such a model takes in its format, or in 4 bits where none is known."""
    try:
        least = weights.by_class(sized, form).bytes if form else Fraction(sized.params, 2)
    except (ArithmeticError, LookupError, ValueError):
        return False
    return 20 * size < 9 * least


def _model(found: Mapping[str, Any], name: str, path: str = "") -> Model:
    try:
        return config.read(found, name or "config.json")
    except NoValues:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise ScenarioProblem("no-config", "model", {"path": path or name}) from None


def _format(sized: Model, found: Mapping[str, Any]) -> Format | None:
    try:
        form = precision.find(sized.dtype)
    except UnknownFormat:
        return None
    kept = config_format.kept_16bit(found)
    return form.keeping(kept) if kept else form


def _json(file: Path, most: int) -> dict[str, Any]:
    if not file.is_file():  # a device or a pipe never ends
        raise ScenarioProblem("no-config" if file.exists() else "no-file", "model", {"path": str(file)[:200]})
    if file.stat().st_size > most:
        raise ScenarioProblem("too-large", "model", {"name": str(file)[:200], "most": most})
    return _loaded(file.read_bytes()[: most + 1].decode("utf-8", "replace"), str(file)[:200])


def _loaded(text: str, path: str = "") -> dict[str, Any]:
    try:
        found = json.loads(text)
    except RecursionError:
        raise ScenarioProblem("too-deep", "model", {"name": path}) from None
    except ValueError as error:
        raise ScenarioProblem("not-json", "model", {"name": path, "line": getattr(error, "lineno", 1)}) from None
    if not isinstance(found, dict):
        raise ScenarioProblem("no-config", "model", {"path": path})
    return found


# --- safetensors -----------------------------------------------------------------------------------------------------


def _tensor_bytes(folder: Path) -> tuple[int | None, bool]:
    """Bytes of the tensors that engines load: those of the index, else of ``model*.safetensors``, else of all files;
    and whether there are files that cannot be read.

    A file is eight bytes of length, a header of that length, and the tensors without gaps (safetensors, format).
    """
    index = folder / "model.safetensors.index.json"
    listed, total = _index(index) if index.is_file() else ((), None)
    names = listed or tuple(sorted(one.name for one in folder.glob("model*.safetensors")))
    names = names or tuple(
        sorted(one.name for one in folder.glob("*.safetensors") if not one.name.startswith(("consolidated", "adapter")))
    )
    sizes = [_data(folder / name) for name in names[:MOST_FILES]]
    known = [size for size in sizes if size is not None and size >= 0]
    if known and len(known) == len(names):
        return sum(known), False
    return total, _UNREAD in sizes


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


_UNREAD = -1
_PARSED = 2**22
"""Bytes of the longest header that is parsed; of a longer one only its first sign is looked at."""


def _data(file: Path) -> int | None:
    """Bytes of one file's tensors; ``None`` for a file that is not there, ``_UNREAD`` for one that is not whole."""
    try:
        if not file.is_file():
            return None
        size = file.stat().st_size
        with file.open("rb") as opened:
            header = int.from_bytes(opened.read(8), "little")
            if not 0 < header <= min(_HEADER, size - 8):
                return _UNREAD
            text = opened.read(header if header <= _PARSED else 1)
        if text[:1] != b"{" or (len(text) > 1 and not isinstance(json.loads(text), dict)):
            return _UNREAD
    except (OSError, ValueError, RecursionError):
        return _UNREAD
    return size - 8 - header
