"""What was read becomes a scenario.

Facts fill its fields, statistics those of the hour that matters, memory lines its ledger, sentences its signals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from engine.artefacts import ledger, leftover, load, notes, sentences, signs
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.facts import Entry, Facts
from engine.catalog import NoValues
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.cases.told import STATISTICS
from engine.diagnosis.fields import BY_ATTRIBUTE, BY_NAME, ScenarioProblem
from engine.diagnosis.model import Conflict, Said, Scenario, Signal, Span, Unread
from engine.diagnosis.reading import checkpoint, kinds, named
from engine.diagnosis.reading.together import other_card
from engine.diagnosis.settings import engines
from engine.diagnosis.settings.flag_names import is_secret
from engine.diagnosis.symptoms import measured


def scenario(evidence: Evidence, base: Scenario | None = None) -> Scenario:
    """The scenario that artefacts tell; ``base`` is what a weaker source said.

    Raises:
        ScenarioProblem: as :func:`engine.diagnosis.scenario.build`.
    """
    facts = Facts(evidence)
    given = {**_server(facts), **load.fields(facts)}
    found = _built(given, _flags(evidence), notes.scenario(evidence, base or Scenario()))
    found = _lengths(_modelled(found, evidence), facts)
    own = facts.number("max_model_len.derived")
    found = replace(found, model_window=int(own) if own else found.model_window)
    found = replace(found, logged={**found.logged, **ledger.logged(facts)})
    card = other_card({"gpu": found.gpu, "gpu_name": found.gpu_name}, found.said, found.logged)
    found = replace(found, conflicts=(*found.conflicts, *_conflicts(facts), *card))
    found = _heard(found, evidence)
    seen = tuple(signs.signals(facts))
    heard = found.signals
    if any(one.id == "oom-loading" for one in seen):  # a warm-up that fails at a few tokens is not the warm-up's fault
        heard = tuple(one for one in heard if one.id not in ("warmup-prefill", "oom-warmup"))
    told = {one.id for one in seen}  # with its figures; a sentence says the same with less
    return replace(found, signals=tuple(dict.fromkeys((*(one for one in heard if one.id not in told), *seen))))


# --- facts -----------------------------------------------------------------------------------------------------------

_PLAIN: Mapping[str, tuple[str, ...]] = {
    "max_model_len": ("max_model_len",),
    "gpu_memory_utilization": ("gpu_memory_utilization", "mem_fraction_static", "free_gpu_memory_fraction"),
    "max_num_seqs": ("max_num_seqs",),
    "max_num_batched_tokens": ("max_num_batched_tokens", "max_batch_prefill_tokens", "n_ubatch"),
    "block_size": ("block_size",),
    "kv_pool_tokens": ("kv_cache_tokens", "max_batch_total_tokens"),
    "context_total": ("n_ctx",),
    "draft_tokens": ("num_speculative_tokens",),
    "link": ("gpu_link",),
}
"""Fields that a fact fills as it is, and the names that may say so, the first one that does."""
_NEGATIVE = 0


def _server(facts: Facts) -> dict[str, Entry]:
    """Inputs of the server, the model and the card, each with its place."""
    found = {field: one for field, names in _PLAIN.items() if (one := facts.last(*names)) is not None}
    by = _server_of(facts.evidence)
    if by is not None:
        generation = _generation(by.found.flags, by.found.version)
        found["engine"] = Entry(f"{by.found.engine} {by.found.version} {generation}".strip(), by.name)
    pool = ledger.pool(facts)
    if pool is not None and pool.value > _NEGATIVE:
        found["kv_pool"] = Entry(f"{pool.value!r} GiB", pool.place)
    if "kv_pool_tokens" not in found and (blocks := _blocks(facts)) is not None:
        found["kv_pool_tokens"] = blocks
    model = facts.last("model")
    if model is not None and (name := _model(str(model.value))):
        found["model"] = Entry(name, model.place)
    found |= _cards(facts)
    return {**ledger.fields(facts), **found}


def _server_of(evidence: Evidence) -> Artefact | None:
    """The text that tells the engine: the last one, or of its engine the last one that has the version too."""
    told = [one for one in evidence.artefacts if one.found.engine]
    if not told:
        return None
    same = [one for one in told if one.found.engine == told[-1].found.engine]
    return next((one for one in reversed(same) if one.found.version), told[-1])


def _blocks(facts: Facts) -> Entry | None:
    """The pool in tokens of its blocks: of 16 where nothing says their size."""
    blocks = facts.last("num_gpu_blocks")
    size = facts.number("block_size") or 16
    return None if blocks is None else Entry(blocks.value * int(size), blocks.place)


def _cards(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """The card where there is one kind of it, and how many hold something."""
    names = list(dict.fromkeys(facts.entries("gpu_name")))
    if names and len({one.value for one in names}) == 1:
        yield "gpu", names[0]
    used = [one for one in facts.entries("gpu_memory_used") if one.value > 1]
    if len(used) > 1 and "gpu_index" in facts.names:
        yield "gpus", Entry(len(used), used[0].place)


def _model(text: str) -> str:
    """A model's name as a log has it: of a path the last part, for the file lies on the server's machine."""
    if text.startswith(("/", "~", ".")) or text.count("/") > 1 or "\\" in text:
        text = PurePosixPath(text.replace("\\", "/").rstrip("/")).name
    return "" if checkpoint.is_path(text) else text[:200]


def _flags(evidence: Evidence) -> dict[str, str]:
    """Flags that no name of the vocabulary tells; of several texts the last one's. Secrets are left out."""
    flags: dict[str, str] = {}
    for artefact in evidence.artefacts:
        flags |= {name: text for name, text in artefact.found.flags.items() if not is_secret(name)}
    if any(artefact.found.engine == "vllm" and artefact.found.version for artefact in evidence.artefacts):
        flags.pop(_GENERATION, None)  # it is told with the version
    return {name: text for name, text in flags.items() if name not in evidence.corrected}


_GENERATION = "VLLM_USE_V1"


def _generation(flags: Mapping[str, str], version: str) -> str:
    """Which of vLLM's two engines runs, where its version alone does not say so."""
    told = flags.get(_GENERATION)
    if told not in ("0", "1") or not version or engines.is_v1(version) == (told == "1"):
        return ""
    return f"V{told}"


def _built(given: Mapping[str, Entry], flags: Mapping[str, str], base: Scenario) -> Scenario:
    plain: dict[str, object] = {name: one.value for name, one in given.items()}
    if flags:
        plain["flags"] = dict(flags)
    if not plain:
        return base
    found = scenarios.build(plain, "log", base)
    places = {BY_NAME[name].attribute or name: one.place for name, one in given.items() if name in BY_NAME}
    said = dict(found.said)
    for attribute, name in (("model", "model_name"), ("gpu", "gpu_name"), ("engine", "engine_name")):
        places.setdefault(attribute, places.get(name, ""))
    for name, one in found.said.items():
        if one == Said("log") and places.get(name):
            said[name] = Said("log", places[name])
    conflicts = tuple(_printed(one) for one in found.conflicts)
    unread = tuple(
        one for one in found.unread if one.reason not in ("unknown-flag", "meant-here", "not-here")
    )  # a program's own keys are no typing slip
    return replace(found, said=said, conflicts=conflicts, unread=unread)


def _printed(one: Conflict) -> Conflict:
    """A conflict between what a server printed and what it was started with."""
    inside = not one.kept_source or one.kept_source == "log"
    return one._replace(rule="printed", kept_source="log") if inside and not one.rule else one


def _conflicts(facts: Facts) -> Iterator[Conflict]:
    """Facts that two places tell otherwise: the later one holds."""
    for field, names in _PLAIN.items():
        name = next((one for one in names if one in facts.names), "")
        found = list(facts.entries(name)) if name else []
        if len(found) > 1 and found[0].value != found[-1].value:
            kept, lost = found[-1], found[0]
            yield Conflict(field, f"{kept.value}", kept.place, f"{lost.value}", lost.place, "later")
    models = list(facts.entries("model"))
    if models and not _is_one(_model(str(models[0].value)), _model(str(models[-1].value))):
        yield Conflict("model", f"{models[-1].value}", models[-1].place, f"{models[0].value}", models[0].place, "later")
    blocks, tokens = _blocks(facts), facts.last("kv_cache_tokens")
    sized = "block_size" in facts.names
    if blocks is not None and tokens is not None and sized and blocks.value != tokens.value:
        yield Conflict("kv_pool_tokens", f"{tokens.value}", tokens.place, f"{blocks.value}", blocks.place, "tokens")


def _is_one(one: str, other: str) -> bool:
    """Whether two names are one model's."""
    if one == other:
        return True
    mine, others = (named.of_name(name).model if name else None for name in (one, other))
    return mine is not None and others is not None and named.alike(mine, others)


def _modelled(found: Scenario, evidence: Evidence) -> Scenario:
    """The scenario with the model of a config among the texts, which says more than its name."""
    for artefact in reversed(evidence.artefacts):
        if artefact.found.config is None:
            continue
        try:
            read = checkpoint.of(artefact.found.config, f"{artefact.name} (config)")  # no file has that name
        except NoValues as error:
            if error.reason == "missing-key":
                continue  # a part of a config: what it lacks is noted
            about = {"name": artefact.name, "key": error.detail, "held": kinds.shown(error.held), "file": artefact.name}
            raise ScenarioProblem(
                error.reason if error.reason == "bad-key" else "cannot-size", "model", about
            ) from error
        except ScenarioProblem:
            continue  # a fragment without a model's dimensions
        by = Said("config", artefact.name)
        said = {**found.said, "model": by} | ({"weights": by} if read.weights else {})
        name = found.model_name or read.model.id
        return replace(
            found, model=read.model, model_name=name, stand_in=False, params=None, said=said,
            weights=read.weights or found.weights,
        )  # fmt: skip
    return found


def _lengths(found: Scenario, facts: Facts) -> Scenario:
    """The scenario with what a running request holds, and how long prompts and outputs are where nobody says so."""
    held = load.held(facts, found.kv_pool_tokens)
    if held is None:
        return found
    lengths = load.lengths(facts, held) if found.prompt is None and found.output is None else None
    if lengths is None:
        return replace(found, held=round(held))
    prompt, output = (Span(one, one) for one in lengths)
    by = Said("assumed", STATISTICS)
    said = {**found.said, "prompt": by, "output": by}
    return replace(found, held=round(held), prompt=prompt, output=output, said=said)


# --- sentences -------------------------------------------------------------------------------------------------------


def _heard(found: Scenario, evidence: Evidence) -> Scenario:
    """The scenario with what the sentences of the texts mean, and the figures that only they name."""
    heard, tried, unread = list(found.signals), set(found.tried), list(found.unread)
    said, figures = dict(found.said), {}
    for artefact in evidence.artefacts:
        new, vain = sentences.signals(artefact), sentences.tried(artefact)
        spoken = {} if artefact.found else _figures(artefact)
        heard += new
        tried |= vain
        for name, value in spoken.items():
            if getattr(found, name) is None:
                figures[name], said[name] = value, Said("log", artefact.name)
        if not artefact.found and (reason := _left(artefact, new, bool(vain or spoken))):
            unread.append(Unread("file", artefact.name, reason))
        if left := leftover.numbers(artefact, new):
            unread.append(Unread("file", ", ".join(left), "numbers-left"))
    return replace(
        found, signals=tuple(dict.fromkeys(heard)), tried=frozenset(tried), unread=tuple(unread), said=said,
        **figures,
    )  # fmt: skip


def _left(artefact: Artefact, heard: Sequence[Signal], also: bool) -> str:
    """Why a text of which no reader knew a line is not used, or only in part; "" where each line said something."""
    if artefact.found.sealed:
        return f"sealed-{artefact.found.sealed}"
    said = {one.line for one in notes.read(artefact).values}
    said |= {
        number for number, text in artefact.found.text
        if any(one.text.rstrip("…") in " ".join(text.split()) for one in heard)
    }  # fmt: skip
    if not said and not also and not heard:
        return "no-reader"
    return "" if artefact.found.lines <= len(said or {1}) else "words-only"


_FIGURED = 200
"""Lines at either end of a text that are read for figures of sentences."""
_DIGIT = re.compile(r"[0-9]")


def _figures(artefact: Artefact) -> dict[str, Any]:
    """The figures of a text of which no reader knew a line: those of the line with most requests, and what others say
    of the rest, the last one first."""
    texts = [text for _, text in artefact.found.text]
    if len(texts) > 2 * _FIGURED:
        texts = texts[:_FIGURED] + texts[-_FIGURED:]
    read = [one for one in (measured.read(text) for text in reversed(texts) if _DIGIT.search(text)) if one]
    read.sort(key=lambda one: sum(one[name].value for name in ("running", "waiting") if name in one), reverse=True)
    found: dict[str, Fraction | int] = {}
    for name, one in ((name, one) for line in read for name, one in line.items()):
        if name not in found and kinds.impossible(BY_ATTRIBUTE[name], one.value) is None:
            found[name] = one.value
    return found
