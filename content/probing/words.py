"""Single pieces of a probe in words: stages, notes, failures, labels, reasons, quantities.

What another process reported is cleaned and put in as it is; a value that is no number is left out of its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from content import words
from content.diagnosing import words as diagnosing
from content.lang import Lang
from engine.probe.model import Change, Reason
from engine.probe.readings import Ended, Note

LEVERS: Mapping[str, str] = {"kv-fp8": "kv-quantization", "larger-batch": "raise-concurrency"}
"""Levers of the probe that the diagnoser calls otherwise; the rest have one name."""


# --- quantities ------------------------------------------------------------------------------------------------------


def size(value: float, lang: Lang) -> str:
    """Bytes: "1.75 GB"."""
    return diagnosing.quantity(Fraction(value), "bytes", lang)


def rate(value: float, lang: Lang) -> str:
    """Bytes a second: "918 GB/s"."""
    return diagnosing.quantity(Fraction(value), "bytes/s", lang)


def speed(value: float, lang: Lang, dtype: str = "") -> str:
    """FLOP/s; operations of whole numbers are no FLOPs."""
    shown = diagnosing.quantity(Fraction(value), "FLOP/s", lang)
    return shown.replace("FLOP/s", "OP/s") if dtype == "int8" else shown


def seconds(value: float, lang: Lang) -> str:
    """A time: "1.9 ms"."""
    return diagnosing.seconds(Fraction(value), lang)


def share(value: float, lang: Lang) -> str:
    """A share in percent."""
    return diagnosing.share(Fraction(value), lang)


def factor(value: float) -> str:
    """How many times: "1.6x"."""
    return diagnosing.factor(Fraction(value))


def number(value: float) -> str:
    """A plain number with three digits."""
    return diagnosing.count(Fraction(value))


def layers(count: int, lang: Lang) -> str:
    """Layers that ran: "1 layer"."""
    return diagnosing.quantity(Fraction(count), "layers", lang)


def clock(mhz: float) -> str:
    """A clock: "1.98 GHz"."""
    return f"{mhz / 1000:.2f} GHz" if mhz >= 1000 else f"{mhz:.0f} MHz"


def dtype(name: str) -> str:
    """A format as people write it: "BF16"."""
    return diagnosing.clean(name, 12).upper()


def moment(at: str) -> str:
    """When a run was: "2026-11-29 23:54 UTC"."""
    return f"{at[:10]} {at[11:16]} UTC" if len(at) >= 16 and at.endswith("Z") else clean(at, 40)


clean = diagnosing.clean


# --- ids -------------------------------------------------------------------------------------------------------------


def stage(name: str, lang: Lang) -> str:
    """What a stage does; its id where it has no words."""
    return _named("stage", name, lang)


def label(name: str, lang: Lang) -> str:
    """The class of a step: "memory-bound"."""
    return words.say(f"probe.label.{name}.name", lang)


def label_text(name: str, lang: Lang) -> str:
    """What the class means, in a sentence or two."""
    return words.say(f"probe.label.{name}.text", lang)


def lever(name: str, lang: Lang) -> str:
    """The name of a lever: as the diagnoser calls it, but for those that the probe alone means so."""
    if words.has(f"probe.lever.{name}"):
        return words.say(f"probe.lever.{name}", lang)
    return diagnosing.named("lever", LEVERS.get(name, name), lang)


def note(one: Note, lang: Lang) -> str:
    """What was noticed, in a sentence."""
    if one.id == "other" or not words.has(f"probe.note.{one.id}.text"):
        return words.say("probe.note.other.text", lang, id=clean(one.id, 40))
    return _sentence(f"probe.note.{one.id}", one.params, lang)


_TOGETHER = {"noisy": "what", "budget-cut": "stage"}
"""Notes that come once a stage or reading, and the parameter that says of which."""


def together(notes: Sequence[Note]) -> tuple[Note, ...]:
    """The notes with those of one kind as one, where only what they are about differs."""
    found: list[Note] = []
    for one in notes:
        about = _TOGETHER.get(one.id)
        place = next((place for place, other in enumerate(found) if about and other.id == one.id), None)
        if about is None or place is None:
            found.append(one)
            continue
        before = found[place].params
        listed = before.get(about) if isinstance(before.get(about), list) else [before.get(about)]
        noise = [value for value in (before.get("noise"), one.params.get("noise")) if isinstance(value, int | float)]
        most = {"noise": max(noise)} if noise else {}
        found[place] = Note(
            one.id, {**before, **most, about: list(dict.fromkeys([*(listed or ()), one.params.get(about)]))}
        )
    return tuple(found)


def failed(id: str, detail: str, lang: Lang) -> str:
    """Why a run ended early; of a run that hung, ``detail`` is its stage."""
    given = {"stage" if id in ("timeout", "hung") else "detail": detail}
    return _sentence(f"probe.failed.{id if words.has(f'probe.failed.{id}.text') else 'other'}", given, lang)


def ended(one: Ended, lang: Lang) -> str:
    """How it ended, in a sentence."""
    key = one.reason if words.has(f"probe.ended.{one.reason}") else "other"
    return words.say(f"probe.ended.{key}", lang, elapsed=seconds(max(one.elapsed, 0.0), lang))


def reason(one: Reason, lang: Lang) -> str:
    """What lowered the confidence, as a clause."""
    key = f"probe.reason.{one.id}"
    if one.id == "other" or not words.has(key):
        return words.say("probe.reason.other", lang, id=clean(one.id, 40))
    return words.put(words.text(key)[lang], {"share": "", "format": "", "times": "", **_shown(one.params, lang)})


def no_knee(id: str, lang: Lang) -> str:
    """Why there is no knee, in a sentence."""
    return _or_other("no_knee", id, lang)


def blocked(id: str, lang: Lang) -> str:
    """What forbids a verdict, in a sentence."""
    return _or_other("blocked", id, lang)


def change(one: Change, lang: Lang) -> tuple[str, str, str]:
    """A number beside an earlier one: its name, before and now, the change with its sign."""
    before, now = (_changed(one.name, value, lang) for value in (one.before, one.now))
    return _named("change", one.name, lang), f"{before} → {now}", f"{one.change * 100:+.1f} %"


def _changed(name: str, value: float, lang: Lang) -> str:
    if name == "knee":
        return number(round(value))
    if name == "floor":
        return seconds(value, lang)
    return rate(value, lang) if name in ("bandwidth", "kv") else speed(value, lang, name)


def may(id: str, params: Mapping[str, Any], lang: Lang) -> str:
    """Why a measurement is only offered, or not even that, in a sentence."""
    given = {name: clean(value, 120) for name, value in params.items() if isinstance(value, str)}
    free = params.get("free")
    pids = given.pop("pids", "")
    given["who"] = words.say("probe.who.pids", lang, pids=pids) if pids else ""
    if isinstance(free, int):
        given["free"] = size(free, lang)
    return words.put(words.text(f"probe.may.{id}")[lang], given)


def without(why: str, lang: Lang) -> str:
    """Why the workload's own layers did not run, or not quite, in a sentence; "" where they did."""
    return words.say(f"probe.without.{why}", lang) if words.has(f"probe.without.{why}") else ""


def python(why: str, lang: Lang) -> str:
    """Why a Python cannot be used, as a clause."""
    return words.say(f"probe.python.{why}", lang)


# --- sentences -------------------------------------------------------------------------------------------------------


def _or_other(group: str, id: str, lang: Lang) -> str:
    key = f"probe.{group}.{id}"
    return words.say(key if words.has(key) else f"probe.{group}.other", lang)


def _named(group: str, name: str, lang: Lang) -> str:
    key = f"probe.{group}.{name}"
    return words.say(key, lang) if words.has(key) else clean(name, 40)


def _sentence(base: str, params: Mapping[str, Any], lang: Lang) -> str:
    """The sentence with its values; the bare one where a value is missing or is none."""
    given = _shown(params, lang)
    text = words.text(f"{base}.text")
    if set(words.placeholders(text["en"])) <= given.keys():
        return words.put(text[lang], given)
    return words.say(f"{base}.bare", lang)


def _shown(params: Mapping[str, Any], lang: Lang) -> dict[str, str]:
    """The values that can be shown, by name; what another process wrote may be anything."""
    found = {name: _value(name, value, lang) for name, value in params.items()}
    return {name: text for name, text in found.items() if text}


def _value(name: str, value: Any, lang: Lang) -> str:
    if name in ("pids", "reasons"):
        return _listed(name, value, lang)
    if name in ("stage", "where", "what"):
        group, items = "what" if name == "what" else "stage", value if isinstance(value, list) else [value]
        between = ", " if name == "what" else "; "
        return between.join(_named(group, one, lang) for one in items[:10] if isinstance(one, str))
    if isinstance(value, str):
        return dtype(value) if name == "dtype" else clean(value, 120).rstrip(".")
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        return ""
    if name in ("share", "noise"):
        return share(value, lang)
    if name == "times":
        return factor(value)
    if name in ("free", "bytes"):
        return size(value, lang)
    return number(value)


def _listed(name: str, value: Any, lang: Lang) -> str:
    """Numbers of processes, or what holds clocks down."""
    items = value if isinstance(value, list | tuple) else []
    if name == "pids":
        return ", ".join(str(one) for one in items[:4] if isinstance(one, int))
    return ", ".join(_named("cap", one, lang) for one in items[:4] if isinstance(one, str))
