"""One scenario of what sources say: names become models and cards, the stronger one wins, contradictions end it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as attributes
from fractions import Fraction

from engine.catalog import Model, NoValues
from engine.diagnosis import cards, fields, inputs, kept, named
from engine.diagnosis.fields import BY_ATTRIBUTE, ScenarioProblem
from engine.diagnosis.inputs import Inputs
from engine.diagnosis.kinds import shown
from engine.diagnosis.model import Conflict, Said, Scenario, Unread
from engine.diagnosis.named import Named
from engine.precision import Format

_TOGETHER = (
    frozenset(("model", "model_name", "stand_in", "exact_weights", "params")),
    frozenset(("gpu", "gpu_name", "gpu_options")),
    frozenset(("engine", "engine_name", "version")),
)
"""Attributes that one source gives together: half of one and half of another would name nothing."""

_SOFT = frozenset(("catalogue", "computed"))
"""Origins of what follows from other values: it gives way to what any source says."""

_REPACKED = frozenset(("llama.cpp", "ollama", "exllama"))
"""Engines that run repacked files: the dtype that a model was published in says nothing of theirs."""

_LISTS = frozenset(("said", "unread", "conflicts", "signals", "tried", "flags"))
_PLAIN = {one.name: one.default for one in attributes(Scenario) if one.name not in _LISTS}


def build(given: Mapping[str, object], source: str = "given", base: Scenario | None = None) -> Scenario:
    """A scenario from public names and values as people write them.

    Args:
        given: options or a parsed file.
        source: "given" for options, an origin ("log", "config") for what was read from an artefact, else a file's name.
        base: what a weaker source said; where both set a value this one wins, and the other is a conflict.

    Raises:
        ScenarioProblem: values that are impossible, by themselves or together; an architecture that cannot be sized.
    """
    read = inputs.read(given, source)
    building = _Building(read)
    building.model()
    building.card()
    building.merge(base or Scenario())
    building.contradictions()
    building.derive()
    return kept.restored(building.scenario(base or Scenario()), read.kept)


class _Building:
    """The values so far, each with where it comes from."""

    def __init__(self, read: Inputs) -> None:
        self.read = read
        self.values: dict[str, object] = dict(read.values)
        self.said: dict[str, Said] = {name: said for name, said in read.said.items() if name in read.values}
        self.named: tuple[Format, Said] | None = None  # format that comes with the model's name, file or entry
        self.unread = list(read.unread)
        self.conflicts = [
            Conflict(name, shown(won), by, shown(lost), lost_by) for name, won, by, lost, lost_by in read.conflicts
        ]

    def _set(self, name: str, value: object, said: Said) -> None:
        self.values[name], self.said[name] = value, said

    # --- the model -----------------------------------------------------------------------------------------------

    def model(self) -> None:
        """The model of its name, its numbers or its size."""
        text = self.read.parts.get("model")
        name = text if isinstance(text, str) else ""
        said = self.read.said.get("model", Said("given"))
        try:
            found = named.read(name) if name else Named()
            found = self._architecture(name, found)
        except NoValues as problem:
            raise ScenarioProblem(
                problem.reason, "model", {"key": problem.detail, "name": shown(problem.name)}
            ) from None
        params = self.values.get("params")
        if isinstance(params, int) and (found.model is None or found.stand_in):
            found = named.sized(params, name or shown(Fraction(params, 10**9)) + "B", named.active_of(name))._replace(
                form=found.form, form_by=found.form_by, drafting=found.drafting
            )
        if name:
            self._set("model_name", name, said)
        if found.model is None:
            if found.unread:
                self.unread.append(Unread("model", shown(name), found.unread))
            return
        self._named(found, said)

    def _named(self, found: Named, said: Said) -> None:
        assert found.model is not None
        near = "stand-in" if found.stand_in else found.near
        self._set("model", found.model, Said("assumed", near) if near else said)
        if found.form_by == "config":
            self.said["model"] = Said("config", said.source)
        if found.stand_in:
            self.values["stand_in"] = True
            if "params" not in self.values:
                self._set("params", found.params, Said("assumed", "model"))
        else:
            self._size_told(found.model, said)
        if found.bytes is not None:
            self._set("exact_weights", found.bytes, Said("config", said.source))
        if found.drafting and "speculation" not in self.values:
            self._set("speculation", True, said)
        if found.form is not None:
            by = {"name": said, "config": Said("config", said.source)}.get(found.form_by)
            self.named = (found.form, by or Said("catalogue", found.model.id))

    def _size_told(self, model: Model, said: Said) -> None:
        """A size beside a known model says nothing new; a quite different one is told."""
        params = self.values.pop("params", None)
        by = self.said.pop("params", Said("given"))
        if isinstance(params, int) and abs(params - model.params) * 100 > 15 * model.params:
            size = shown(Fraction(model.params, 10**9))
            self.conflicts.append(Conflict("params_b", size, said.source, shown(Fraction(params, 10**9)), by.source))

    def _architecture(self, name: str, found: Named) -> Named:
        """The dense model that numbers describe, where they are all there."""
        told = {key: value for key, value in self.read.parts.items() if key in named.KEYS and isinstance(value, int)}
        if not told:
            return found
        missing = [key for key in named.NEEDED if key not in told]
        if missing:
            self.unread.append(Unread(next(iter(told)), ", ".join(missing), "shape-incomplete"))
            return found
        made = named.dense(name or "custom", told)
        return Named(made, found.form if found.form_by == "name" else None, found.form_by, drafting=found.drafting)

    # --- the card ------------------------------------------------------------------------------------------------

    def card(self) -> None:
        """The card of its name or its numbers, and how many and how joined where the name says so."""
        parts = self.read.parts
        numbers = [parts.get(name) for name in ("gpu_memory", "bandwidth", "tflops")]
        memory, bandwidth, peak = (one if isinstance(one, int) else None for one in numbers)
        text = parts.get("gpu")
        said = self.read.said.get("gpu", Said("given"))
        name = text if isinstance(text, str) else ""
        found = cards.read(name, memory) if name else cards.Cards()
        if name:
            self._set("gpu_name", name, said)
        if found.number is not None and self.values.get("gpus", found.number) != found.number:
            self.conflicts.append(
                Conflict("gpus", shown(self.values["gpus"]), self.said["gpus"].source, str(found.number), said.source)
            )
        elif found.number is not None and "gpus" not in self.values:
            if not 1 <= found.number <= fields.MOST_CARDS:
                raise ScenarioProblem("zero" if not found.number else "too-large", "gpus", {"value": found.number})
            self._set("gpus", found.number, said)
        if found.link is not None and "link" not in self.values:
            self._set("link", found.link, said)
        if found.gpu is not None:
            gpu = cards.changed(found.gpu, memory, bandwidth, peak)
            self._set("gpu", gpu, Said("assumed", ", ".join(found.options)) if found.options else said)
            self._card_told(found.gpu.capacity, memory, found.gpu.name)
        elif memory is not None and bandwidth is not None:
            by = next(self.read.said[one] for one in ("bandwidth", "gpu_memory") if one in self.read.said)
            self._set("gpu", cards.made(name, memory, bandwidth, peak), by)
        else:
            self._no_card(name, found)

    def _card_told(self, capacity: int, memory: int | None, name: str) -> None:
        if memory is not None and abs(memory - capacity) * 10 > capacity:
            gigabytes = [shown(Fraction(one, 10**9)) for one in (memory, capacity)]
            by = self.read.said["gpu_memory"].source
            self.conflicts.append(Conflict("gpu_memory", gigabytes[0], by, gigabytes[1], name))

    def _no_card(self, name: str, found: cards.Cards) -> None:
        if found.options:
            self.values["gpu_options"] = found.options
        elif name:
            self.unread.append(Unread("gpu", shown(name), found.unread))
        for part, needed in (("gpu_memory", "bandwidth"), ("bandwidth", "gpu_memory"), ("tflops", "gpu_memory")):
            if part in self.read.parts and needed not in self.read.parts:
                self.unread.append(Unread(part, needed, "card-incomplete"))
                break

    # --- two sources ---------------------------------------------------------------------------------------------

    def merge(self, base: Scenario) -> None:
        """What a weaker source said, where this one says nothing."""
        weaker = _told(base)
        for together in _TOGETHER:
            if self.values.keys() & together & {"model", "model_name", "gpu", "gpu_name", "engine"}:
                self._against(together, weaker, base)
        for name, value in weaker.items():
            if name not in self.values or (name in self.read.weak and name in base.said):
                self.values[name] = value
                if name in base.said:
                    self.said[name] = base.said[name]
            elif value != self.values[name]:
                self._lost(name, value, base.said.get(name, Said("given")))

    def _against(self, together: frozenset[str], weaker: dict[str, object], base: Scenario) -> None:
        """A group that this source names: the other's name for it is a conflict where it means another thing."""
        theirs = {name: weaker.pop(name) for name in together if name in weaker}
        for name, text in (("model", "model_name"), ("gpu", "gpu_name"), ("engine", "engine_name"), ("version", "")):
            mine, other = self.values.get(name), theirs.get(name)
            if name not in together or other is None:
                continue
            if mine is None and name != "version":
                continue
            if mine is None and theirs.get("engine") == self.values.get("engine"):
                self._set(name, other, base.said.get(name, Said("given")))  # the same engine, with its version told
            elif mine is not None and mine != other:
                public = BY_ATTRIBUTE.get(text or name)
                won, lost = self.values.get(text) or mine, theirs.get(text) or other
                by, lost_by = self.said.get(name, Said("given")), base.said.get(name, Said("given"))
                self.conflicts.append(
                    Conflict(public.name if public else name, _title(won), by.source, _title(lost), lost_by.source)
                )

    def _lost(self, name: str, value: object, by: Said) -> None:
        public = BY_ATTRIBUTE[name].name if name in BY_ATTRIBUTE else name
        mine = self.said.get(name, Said("given"))
        if mine.origin in _SOFT or by.origin in _SOFT:
            return
        self.conflicts.append(Conflict(public, shown(self.values[name]), mine.source, shown(value), by.source))

    # --- what follows --------------------------------------------------------------------------------------------

    def derive(self) -> None:
        """Values that follow from others where no source says them."""
        own = self.said.get("weights")
        if self.named is not None and self.named[1].origin == "catalogue" and self.values.get("engine") in _REPACKED:
            self.named = None
        if self.named is not None and (own is None or "weights" in self.read.weak or own.origin in _SOFT):
            form, said = self.named
            if own is None or said.origin != "catalogue" or own.origin in _SOFT:
                self._set("weights", form, said)
        elif self.named is not None and own is not None and self.named[1].origin != "catalogue":
            form, said = self.named
            weights = self.values["weights"]
            if isinstance(weights, Format) and abs(weights.linear_bits - form.linear_bits) * 4 > form.linear_bits:
                self.conflicts.append(Conflict("weights", weights.name, own.source, form.name, said.source))
        ranks = self._ranks()
        if "gpus" not in self.values and ranks is not None and ranks <= fields.MOST_CARDS:
            self._set("gpus", ranks, Said("computed", "tp pp dp"))

    def _ranks(self) -> int | None:
        """Cards that the ranks take; ``None`` where none are told. SGLang's and TensorRT-LLM's data parallel attention
        takes those of the tensor-parallel group."""
        told = {name: self.values[name] for name in ("tp", "pp", "dp") if isinstance(self.values.get(name), int)}
        if not told:
            return None
        tp, pp, dp = (int(str(told.get(name, 1))) for name in ("tp", "pp", "dp"))
        return max(tp * pp, dp) if self.values.get("engine") in ("sglang", "tensorrt-llm") else tp * pp * dp

    def contradictions(self) -> None:
        """End on what cannot be together; of two sources, the weaker one's part is dropped and told."""
        ranks, gpus = self._ranks(), self.values.get("gpus")
        if ranks is not None and isinstance(gpus, int) and ranks > gpus:
            problem = ScenarioProblem("more-ranks-than-cards", "gpus", {"ranks": ranks, "cards": gpus})
            self._impossible(problem, ("gpus",), ("tp", "pp", "dp"))
        model, pp = self.values.get("model"), self.values.get("pp")
        if isinstance(model, Model) and isinstance(pp, int) and pp > model.layers:
            params = {"stages": pp, "layers": model.layers}
            self._impossible(ScenarioProblem("more-stages-than-layers", "pp", params), ("pp",), ("model",))
        window = self.values.get("max_model_len")
        for name in ("prompt", "output"):
            length = getattr(self.values.get(name), "low", 0)
            if isinstance(window, int) and length > window:
                params = {"tokens": length, "window": window}
                self._impossible(ScenarioProblem("longer-than-window", name, params), (name,), ("max_model_len",))
                window = self.values.get("max_model_len")

    def _impossible(self, problem: ScenarioProblem, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        """Raise where this source says both sides, else drop what the weaker one says."""
        mine = (
            self.read.values.keys()
            | ({"gpus"} if "gpu" in self.read.parts else set())
            | ({"model"} if "model" in self.read.parts else set())
        )
        ours = [bool(mine & set(side)) for side in (one, other)]
        if all(ours):
            raise problem
        if not any(ours):
            return
        kept_side, dropped = (one, other) if ours[0] else (other, one)
        for name in dropped:
            if name in self.values and name != "model":
                value, by = self.values.pop(name), self.said.pop(name, Said("given"))
                won = next(value for side in kept_side if (value := self.values.get(side)) is not None)
                said = self.said.get(kept_side[0], Said("given"))
                self.conflicts.append(Conflict(name, _title(won), said.source, shown(value), by.source))

    # --- all of it -----------------------------------------------------------------------------------------------

    def scenario(self, base: Scenario) -> Scenario:
        """The scenario of both."""
        read = self.read
        return Scenario(
            **self.values,  # type: ignore[arg-type]  # names and types are those of the fields
            said=self.said,
            unread=tuple(dict.fromkeys((*base.unread, *self.unread))),
            conflicts=tuple(dict.fromkeys((*base.conflicts, *self.conflicts))),
            signals=tuple(dict.fromkeys((*base.signals, *read.signals))),
            tried=base.tried | frozenset(read.tried),
            flags={**base.flags, **read.flags},
        )


def _told(base: Scenario) -> dict[str, object]:
    """What a scenario says itself: set, and no consequence of something else."""
    soft = {name for name, said in base.said.items() if said.origin in _SOFT}
    values = {name: getattr(base, name) for name in _PLAIN if name not in soft}
    return {name: value for name, value in values.items() if value != _PLAIN[name]}


def _title(value: object) -> str:
    """A value for a conflict: models and cards by their names."""
    name = getattr(value, "id", None) or getattr(value, "name", None)
    return shown(name if isinstance(name, str) else value)
