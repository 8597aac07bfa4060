"""What the cache of a model keeps of a request on one card: its formula worked, and what that counts, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import words
from content.diagnosing.words import sentence
from content.diagnosing.working import Given, texts, work
from content.lang import Lang
from engine import memory
from engine.catalog import Model
from engine.diagnosis.cases.server import request_bytes
from engine.flops import picks
from engine.parallel import Parallel, fullest_stage
from engine.steps import Setup


def worked(setup: Setup, lang: Lang, requests: Fraction | int = 1, tokens: Fraction | int = 1) -> tuple[str, ...]:
    """The formula of the model's cache worked for one card; nothing where layers of several kinds add up."""
    symbols = memory.symbols(setup.model, setup.p, setup.tp, setup.pp)
    if not symbols:
        return ()
    given: Given = {"B": requests, "S": tokens, **{name: Fraction(value) for name, value in symbols.items()}}
    name = memory.formula(setup.model)
    single = (requests, tokens, name) == (1, 1, "kv_cache")  # the course has a name of its own for this one
    return texts(work("kv_per_token" if single else name, given, lang))


def kept(setup: Setup, value: str, lang: Lang) -> tuple[str, ...]:
    """What the layers of the model keep, and which of them are counted."""
    model = setup.model
    if not memory.formula(model):
        notes = [sentence("explain.kv-kinds", {"value": value}, lang), *_kinds(model, lang)]
    else:
        notes = [sentence("explain.kv-latent" if model.mla else "explain.kv-per-token", {}, lang)]
    share, keys = fullest_stage(model, setup.pp), memory.index_bytes(model, 1)
    if keys and setup.p == memory.number_bytes(model, "fp8"):
        sizes = {"value": memory.layer_bytes(model, setup.p), "plain": memory.layer_bytes(model, 1)}
        given = {name: words.quantity(size, "bytes", lang) for name, size in sizes.items()}
        notes.append(sentence("explain.kv-fp8-parts", given, lang))
    if keys:
        notes.append(sentence("explain.kv-index", {"value": words.quantity(share * keys, "bytes", lang)}, lang))
    notes += state(setup, lang, "explain.kv-state")
    if setup.pp > 1:
        stage = words.quantity(share * model.layers, "layers", lang)
        notes.append(sentence("explain.kv-stage", {"value": stage}, lang))
    return tuple(notes)


def picked(setup: Setup, tokens: int, lang: Lang) -> tuple[str, ...]:
    """What a decode step reads of so many tokens, where it is not all of them."""
    seen = picks(setup.model)
    if seen is None or tokens <= seen:
        return ()
    return (sentence("explain.kv-picked", {"value": words.quantity(Fraction(seen), "tokens", lang)}, lang),)


def _kinds(model: Model, lang: Lang) -> Iterator[str]:
    """What each kind of layers keeps of the tokens; fixed states have a sentence of their own."""
    kinds = memory.kept(model)
    for one in kinds:
        given = {"layers": words.quantity(Fraction(one.layers), "layers", lang)}
        if one.window is not None:
            given["window"] = words.quantity(Fraction(one.window), "tokens", lang)
        if one.kind != "state":
            yield sentence(f"explain.kv-kept.{one.kind}", given, lang)
    rest = model.layers - sum(one.layers for one in kinds)
    if rest:
        yield sentence("explain.kv-kept.none", {"layers": words.quantity(Fraction(rest), "layers", lang)}, lang)


def state(setup: Setup, lang: Lang, words_id: str = "explain.kv-state-in") -> tuple[str, ...]:
    """The fixed state that a request keeps beside its cache: nothing for a model without one."""
    size, hybrid = memory.state_bytes(setup.model, tp=setup.tp, pp=setup.pp), setup.model.hybrid
    if not size or hybrid is None:
        return ()
    given = {"value": words.quantity(size, "bytes", lang)}
    if words_id == "explain.kv-state":
        given["bits"] = words.quantity(Fraction(8 * hybrid.p_state), "bit", lang)
    return (sentence(words_id, given, lang),)


def request(setup: Setup, tokens: int) -> Fraction:
    """Bytes on one card of a request of so many tokens, its state in it."""
    return request_bytes(setup.model, tokens, Fraction(setup.p), Parallel(setup.tp, setup.pp))
