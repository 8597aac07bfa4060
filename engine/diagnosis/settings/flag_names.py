"""Names of flags: any spelling to the row of the table, and flags of tables and command lines one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.diagnosis.model import Engine
from engine.diagnosis.settings import engines, flag_meanings, flag_values
from engine.diagnosis.settings.flag_table import COMMAND_NAMES, FLAGS, SILENT, Flag
from engine.diagnosis.settings.flag_values import NotRead, text

MAX_FLAGS = 400
"""Flags beyond so many are not read."""
MAX_DEPTH = 4
MAX_NAME = 100
"""Characters of a name that are read and kept."""


_SWITCHED = ("no_enable_", "enable_", "use_", "disable_", "no_", "without_", "with_")
_TURNING = frozenset(("no_enable_", "disable_", "no_", "without_"))
_AMBIGUOUS = frozenset(
    "dtype precision backend max_tokens max_batch_size version engine draft c np tp pp dp ep".split()
)
"""Ends of nested names that mean something else inside another table ("kv_cache_config.dtype")."""


def find(name: str, engine: Engine | None = None) -> tuple[Flag | None, bool]:
    """The row for a flag's name under an engine, and whether the name turns its meaning round ("disable_...")."""
    found = _find(canonical(name), engine)
    if found[0] is None and "." in name:  # "engine_args.tensor_parallel_size"
        last = canonical(name[:MAX_NAME].rpartition(".")[2])
        if last not in _AMBIGUOUS and len(last) > 1:
            found = _find(last, engine)
    return found


def _find(key: str, engine: Engine | None) -> tuple[Flag | None, bool]:
    for prefix in ("", *_SWITCHED):
        if not key.startswith(prefix):
            continue
        named = rows().get(key.removeprefix(prefix), ())
        fitting = [one for one in named if engine in one.only] or [one for one in named if not one.only]
        row = fitting[0] if fitting else None
        if row is not None and (not prefix or row.switch):
            return row, prefix in _TURNING
    return None, False


@lru_cache(maxsize=1)
def rows() -> Mapping[str, tuple[Flag, ...]]:
    """Every name of the table with its rows, in the table's order."""
    out: dict[str, tuple[Flag, ...]] = {}
    for flag in FLAGS:
        for name in flag.names.split():
            out[name] = (*out.get(name, ()), flag)
    return out


def canonical(name: str) -> str:
    """A name for comparison: lower case, "_" for everything between its words, no leading dashes."""
    return _spelled(name[:MAX_NAME])


_SECRET = re.compile(
    r"(?:^|_)(?:(?:api|access|secret|private|license|encryption)_?keys?|password|passwd|pwd|secrets?|credentials?|bearer"
    r"|(?:hf|hub|access|auth|api|bearer|wandb)_tokens?|token)(?:_|$)"
)


def is_secret(name: str) -> bool:
    """Whether a flag's or a variable's value is nobody's business: it is neither kept nor shown."""
    return _SECRET.search(_spelled(name[:MAX_NAME])) is not None


@lru_cache(maxsize=1024)
def _spelled(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", name.casefold()).strip("_")


def nearest(key: str) -> str | None:
    """The name of ours that this one nearly is."""
    if len(key) < 6 or key in SILENT:
        return None
    import difflib  # only a name that no engine has needs it

    known = [name for name in (*rows(), *SILENT) if len(name) > 5]
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.9)
    return near[0] if near and near[0] not in SILENT else None


def is_unknown(name: str, engine: Engine | None) -> bool:
    """Whether a name looks like a flag's and is none that is known here; variables are of many programs."""
    if not _FLAG_LIKE.fullmatch(name) or (name.isupper() and len(name) > 1) or find(name, engine)[0] is not None:
        return False
    head, *_, last = name.split(".") if "." in name else (name, name)
    is_engines = head != name and engines.identify(head)[0] != "other"
    return not is_engines and SILENT.isdisjoint((canonical(name), canonical(last)))


_FLAG_LIKE = re.compile(r"-{0,2}[A-Za-z][\w.-]{0,59}")


def guessed(name: str, engine: Engine | None) -> str:
    """The flag that a name was taken for where it is only the beginning of it, or goes on behind it; else "" ."""
    row, _ = find(name, engine)
    key = canonical(name)
    if row is None or "_" not in key:
        return ""
    first = row.names.split()[0]
    close = key != first and (first.startswith(key) or key.startswith(first))
    return "--" + first.replace("_", "-") if close else ""


# --- nested tables -------------------------------------------------------------------------------------------------

_WITH_TABLES = frozenset((
    flag_meanings.graph_table, flag_meanings.drafting, flag_meanings.images, flag_values.present,
    flag_meanings.answer_format, flag_meanings.adapters,
))  # fmt: skip


def flat(flags: Mapping[str, object], before: str = "", depth: int = 1) -> Iterator[tuple[str, object]]:
    """Flags of nested tables under names with dots, those of one line ("--tp 4") taken apart."""
    for raw, value in flags.items():
        name = f"{before}.{raw}" if before and raw else str(raw or before)
        name = name.strip()
        if isinstance(value, Mapping) and depth < MAX_DEPTH:
            row, _ = find(name)
            if row is None or row.read not in _WITH_TABLES:
                yield from flat(value, name, depth + 1)
                continue
        if name.startswith("-") and value in (None, "", True) and re.search(r"[\s=]", name):
            yield from _command(name)
        elif isinstance(value, str | list) and canonical(name) in COMMAND_NAMES:
            yield from _command(value if isinstance(value, str) else " ".join(map(text, value[:MAX_FLAGS])))
        else:
            yield name, value


_MAX_COMMAND = 8192


def _command(line: str) -> Iterator[tuple[str, object]]:
    """The flags of a command line, with the variables before it: "X=1 server --tp 4 -fa"."""
    name, words = "", list[str]()
    for word in [*line[:_MAX_COMMAND].replace("\\\n", " ").split(), "-end"]:
        left, equals, right = word.partition("=")
        if re.match(r"--?[A-Za-z]", word):
            if name:
                yield name, _argument(name, words)
            name, words = left, [right] if equals else []
        elif name and (not words or (word + words[-1]).isdecimal()):
            words.append(word)
        elif equals and left.isupper():
            yield left, right


def _argument(name: str, words: list[str]) -> str:
    """What stands behind a flag; behind a switch only what turns it on or off, for a model's name may follow it."""
    value = " ".join(words).strip("'\"")
    row, _ = find(name)
    if row is not None and row.switch:
        try:
            flag_values.switch(value)
        except NotRead:
            return ""
    return value
