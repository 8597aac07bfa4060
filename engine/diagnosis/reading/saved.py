"""Scenarios in files and commands: what a text is and says, and how a scenario is written so that it reads the same."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import Literal

from engine.catalog import Gpu, Model
from engine.diagnosis import fields
from engine.diagnosis.fields import BY_ATTRIBUTE, BY_NAME, Field, ScenarioProblem
from engine.diagnosis.model import Scenario, Span
from engine.diagnosis.reading import commands, kept, named
from engine.diagnosis.reading.building import build
from engine.diagnosis.reading.kinds import shown
from engine.precision import Format

MAX_TEXT = 128 * 1024
"""Longer texts are no scenario; they are refused unread."""
_MAX_CONFIG = 2 * 2**20

_CONFIG_KEYS = ("architectures", "model_type", "num_hidden_layers", "hidden_size", "n_layer", "text_config")
_LINE = re.compile(r"^[ \t]*\"?([A-Za-z][\w-]{0,40})\"?[ \t]*=", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[[ \t]*[\w.\"-]{1,60}[ \t]*\][ \t]*$", re.MULTILINE)
_OURS = frozenset((*BY_NAME, *fields.TABLES, fields.COMMAND))


def load(text: str, name: str) -> dict[str, object]:
    """The keys of a scenario file, TOML or JSON.

    Raises:
        ScenarioProblem: too-large, too-deep, not-toml, not-json or long-number with the line, or not-a-scenario: no key
            is ours.
    """
    if len(text) > MAX_TEXT:
        raise ScenarioProblem("too-large", "file", {"name": shown(name), "most": MAX_TEXT})
    if not text.strip("\ufeff \t\r\n"):
        raise ScenarioProblem("empty", "file", {"name": shown(name)})
    found = _parsed(text, name)
    if not found:
        raise ScenarioProblem("empty", "file", {"name": shown(name)})
    if not any(_known(key) for key in found):
        raise ScenarioProblem("not-a-scenario", "file", {"name": shown(name)})
    return found


class Written(float):
    """A number that is none, or larger than any, shown as it is written: "1e999"."""

    text: str

    def __repr__(self) -> str:
        return self.text


def written(text: str) -> float:
    """A number of a file."""
    found = Written(text)
    found.text = text
    return float(found) if isfinite(found) else found


def _parsed(text: str, name: str) -> dict[str, object]:
    text = text.removeprefix("\ufeff")
    is_json = text.lstrip()[:1] == "{" or name.lower().endswith(".json")
    about: dict[str, str | int] = {"name": shown(name)}
    try:
        if is_json:
            found = json.loads(text, object_pairs_hook=_pairs, parse_float=written, parse_constant=written)
            if not isinstance(found, dict):
                raise ScenarioProblem("not-a-table", "file", about)
            return found
        import tomllib  # most scenarios come from options

        if _has_long_key(text):
            raise ScenarioProblem("too-deep", "file", about)
        return tomllib.loads(text, parse_float=written)
    except RecursionError:
        raise ScenarioProblem("too-deep", "file", about) from None
    except json.JSONDecodeError as error:
        raise ScenarioProblem("not-json", "file", {**about, "line": error.lineno}) from None
    except ValueError as error:  # TOMLDecodeError is one, and so is a number of too many digits
        if long := _LONG_NUMBER.search(text):
            line = text.count("\n", 0, long.start()) + 1
            raise ScenarioProblem("long-number", "file", {**about, "line": line}) from None
        place = re.search(r"at line (\d{1,7})", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise ScenarioProblem("not-json" if is_json else "not-toml", "file", {**about, "line": line}) from None


_LONG_NUMBER = re.compile(r"\d{1000}")
"""What no number of a server has; Python refuses to read some thousand digits."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; a key that comes again is kept with a blank behind it, which tells its reader of it."""
    out: dict[str, object] = {}
    for name, value in pairs:
        out.setdefault(f"{name} " if name in out else name, value)
    return out


_MOST_DOTS = 400


def _has_long_key(text: str) -> bool:
    """Whether a TOML key may have hundreds of dotted parts, for which the parser's time grows with their square."""
    run = 0
    for piece in text.split("."):
        run = 0 if "=" in piece or "\n" in piece else run + 1
        if run > _MOST_DOTS:
            return True
    return False


def _known(key: object) -> bool:
    return isinstance(key, str) and key.strip().lower().lstrip("-").replace("-", "_") in _OURS


def kind(text: str) -> Literal["scenario", "config", "command", "words"]:
    """What a text is, by its content: a scenario (perhaps a broken one), a config.json, a command that starts a server,
    or anything else.
    """
    found = _kind(text)
    return "command" if found == "words" and commands.read(text) is not None else found


def kind_of(name: str, text: str) -> Literal["scenario", "config", "command", "words"]:
    """What a file is, by its content and its name: one named .toml is meant as a scenario whatever is wrong with it,
    one named .json if it is broken, empty, no table, or has a key of ours; another program's results are words.
    """
    found = kind(text)
    lower = name.lower()
    if found != "words" or not lower.endswith((".toml", ".json")):
        return found
    if lower.endswith(".toml"):
        return "scenario"
    if len(text) > MAX_TEXT:
        return found
    try:
        parsed = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return "words" if error.msg.startswith("Extra data") and text.lstrip()[:1] == "{" else "scenario"
    except (RecursionError, ValueError):
        return "scenario"
    return "scenario" if not isinstance(parsed, dict) or not parsed or any(map(_known, parsed)) else "words"


def _kind(text: str) -> Literal["scenario", "config", "words"]:
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start == "{":
        return _json_kind(text) if len(text) <= _MAX_CONFIG else "words"
    lines = [key for key in _LINE.findall(text[:MAX_TEXT]) if _known(key)]
    if not lines or len(text) > MAX_TEXT:
        return "words"
    try:
        found = _parsed(text, "")
    except ScenarioProblem:
        whole = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        settings = 2 * sum(1 for _ in _LINE.finditer(text)) > len(whole)
        return "scenario" if len(set(lines)) > 1 or settings or _TABLE.search(text) else "words"
    return "scenario" if _is_scenario(found) else "words"


def _json_kind(text: str) -> Literal["scenario", "config", "words"]:
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        ours = sum(f'"{key}"' in text for key in _OURS)
        return "scenario" if ours > 1 and not error.msg.startswith("Extra data") and len(text) <= MAX_TEXT else "words"
    except (RecursionError, ValueError):
        return "words"
    if not isinstance(found, dict):
        return "words"
    if any(key in found for key in _CONFIG_KEYS) and not found.keys() & set(fields.TABLES):
        return "config"
    return "scenario" if _is_scenario(found) else "words"


def _is_scenario(found: Mapping[str, object]) -> bool:
    """A third of the keys are ours: a file of results may have one or two of them too."""
    return 3 * sum(map(_known, found)) >= len(found) > 0


# --- writing ---------------------------------------------------------------------------------------------------------

_FOLLOWS = frozenset(("catalogue", "computed", "assumed"))


def export(s: Scenario) -> dict[str, object]:
    """A scenario as a document that :func:`build` reads back to an equal one; what no value says is under "read"."""
    told = {
        name: one for name, one in BY_ATTRIBUTE.items()
        if name not in s.said or s.said[name].origin not in _FOLLOWS or name in ("model_name", "gpu_name")
    }  # fmt: skip
    out: dict[str, object] = {}
    for name, one in told.items():
        if name != "version":
            _put(out, one, getattr(s, name))
    if isinstance(s.model, Model) and s.model.source == "given":
        out |= named.numbers(s.model)
    if s.flags:
        out["flags"] = dict(s.flags)
    spoken = [one.text for one in s.signals if one.source == "symptom"]
    spoken += [one.text for one in s.unread if (one.field, one.reason) == ("symptoms", "not-understood")]
    if sentences := list(dict.fromkeys(spoken)):
        out["symptoms"] = sentences
    got = build(out)
    for name, one in BY_ATTRIBUTE.items():
        if getattr(got, name) != getattr(s, name):
            _put(out, one, getattr(s, name))
    if s.gpu is not None and got.gpu != s.gpu:
        out |= _card(s.gpu, s.gpu_name)
    if s.gpu is None and not s.gpu_options and "card-memory" in s.logged:
        out["gpu_memory"] = f"{s.logged['card-memory'].bytes} bytes"
    if s.model is not None and got.model != s.model and "params_b" not in out and s.model_name != s.model.id:
        out["model"] = s.model.id
    rest = kept.table(s, build(out))
    return out | {"read": rest} if rest else out


def _put(out: dict[str, object], one: Field, value: object) -> None:
    written = _written(one, value)
    if written is not None and written != "":
        out[one.name] = written


def _written(one: Field, value: object) -> object:
    match value:
        case Span():
            return value.text or (value.low if value.single else [value.low, value.high])
        case Format():
            return value.name
        case bool() | str():
            return value
        case int() if one.name == "params_b":
            return _decimal(Fraction(value, 10**9))
        case int():
            return value
        case Fraction() if one.kind == "gigabytes":
            return _decimal(value / 10**9)
        case Fraction() if one.kind == "seconds" and value > 10:
            number = _decimal(value)
            return None if number is None else f"{number} s"
        case Fraction():
            return _decimal(value)
    return None


def _decimal(value: Fraction) -> int | float | None:
    """A number that reads back exactly; ``None`` where no decimal of a file does."""
    if value.denominator == 1:
        return value.numerator
    near = float(value)
    return near if Fraction(repr(near)) == value else None


def _card(gpu: Gpu, name: str) -> dict[str, object]:
    """A card by its name where the catalogue has it so, else by its numbers."""
    from engine.diagnosis.reading import cards

    if cards.read(gpu.name).gpu == gpu:
        return {"gpu": gpu.name}
    numbers: dict[str, object] = {
        "gpu_memory": f"{gpu.capacity} bytes", "bandwidth": f"{gpu.bandwidth} bytes/s",
        "tflops": None if gpu.peak_flops is None else f"{gpu.peak_flops} FLOP/s",
    }  # fmt: skip
    return {key: value for key, value in numbers.items() if value is not None} | ({"gpu": name} if name else {})


def command(s: Scenario) -> list[str]:
    """The command that asks the same: the values of a scenario as options, and what a log said as far as its words are
    understood without the log. The log's lines of memory are not among them."""
    out = ["llm-tutor", "diagnose"]
    told = export(s)
    for name, value in told.items():
        if name in BY_NAME:
            out += _option(BY_NAME[name].option, _argument(value, BY_NAME[name].kind))
        elif name == "flags" and isinstance(value, dict):
            for flag, text in _taken(s, value):
                out += _option("--flag", f"{flag}={text}")
        elif name == "symptoms" and isinstance(value, list):
            for text in value:
                out += _option("--symptom", str(text))
    if s.gpu is None and not s.gpu_options and "card" in s.logged and "gpu_memory" not in told:
        out += _option(BY_NAME["gpu_memory"].option, f"{float(s.logged['card'].bytes / 10**9):.3g}GB")
    for text in _heard(s):
        out += _option("--symptom", text)
    return out


def _taken(s: Scenario, flags: Mapping[str, object]) -> list[tuple[str, object]]:
    """Flags that are read again; a log prints more settings than an engine has flags. What a person typed stays."""
    typed = {one.field for one in s.unread}
    told = build({"flags": dict(flags), **({"engine": s.engine} if s.engine else {})}).unread
    strange = {one.field for one in told if one.reason == "unknown-flag"} - typed
    return [(name, text) for name, text in flags.items() if f"flags.{name}" not in strange]


def _heard(s: Scenario) -> list[str]:
    """Words of a log that say by themselves what was heard in it."""
    texts = dict.fromkeys(one.text for one in s.signals if one.source != "symptom" and len(one.text) <= _SENTENCE)
    wanted = {one.id for one in s.signals if one.source != "symptom"}
    return [text for text in texts if _means(text) & wanted]


def _means(text: str) -> set[str]:
    try:
        return {one.id for one in build({"symptoms": [text]}).signals}
    except ScenarioProblem:
        return set()


_SENTENCE = 100
"""Characters of a log's words that go into a command line."""


def _option(name: str, value: str) -> list[str]:
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _argument(value: object, kind: str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if kind == "seconds" and isinstance(value, int | float) and value < 1:
        return f"{float(value) * 1000:.4g}ms"
    if isinstance(value, list):
        return "-".join(map(str, value))
    return str(value)
