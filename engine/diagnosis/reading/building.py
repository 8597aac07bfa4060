"""One scenario of what sources say: names become models and cards, the stronger one wins, contradictions end it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as attributes

from engine.catalog import Gpu, Model
from engine.diagnosis import fields
from engine.diagnosis.fields import BY_ATTRIBUTE, ScenarioProblem
from engine.diagnosis.model import Conflict, Said, Scenario, Unread
from engine.diagnosis.reading import inputs, kept, named
from engine.diagnosis.reading.kinds import shown
from engine.diagnosis.reading.making import Making
from engine.diagnosis.reading.together import contradicted, other_card
from engine.parallel import splits
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

_LISTS = frozenset(("said", "unread", "conflicts", "signals", "tried", "flags", "logged"))
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
    weaker = base or Scenario()
    building.merge(weaker)
    building.contradictions()
    building.derive()
    return kept.restored(building.scenario(weaker), read.kept, weaker)


class _Building(Making):
    """What two sources say, made one."""

    # --- two sources ---------------------------------------------------------------------------------------------

    def merge(self, base: Scenario) -> None:
        """What a weaker source said, where this one says nothing."""
        weaker = _told(base)
        self._only_sized(base)
        self._sized_card(base)
        if base.gpu is not None and not self.values.keys() & {"gpu", "gpu_name"}:
            self.renumbered(base.gpu, base.said.get("gpu", Said("given")))
            if "gpu" in self.values and base.gpu_name:
                self.set("gpu_name", base.gpu_name, base.said.get("gpu_name", Said("given")))  # the same card
        if "model" not in self.values and base.weights is not None and "weights" in base.said:
            weaker["weights"] = base.weights  # it follows from the model that stays
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

    def _sized_card(self, base: Scenario) -> None:
        """A size of a card that a sentence names, where the weaker source knows the card: that is the one."""
        known = base.gpu is not None or base.gpu_options or base.logged.keys() & {"card", "card-memory"}
        if "gpu_memory" in self.read.weak and known:
            del self.read.parts["gpu_memory"]
            self.logged.pop("card-memory", None)
            self.unread = [one for one in self.unread if one.field != "gpu_memory"]

    def _only_sized(self, base: Scenario) -> None:
        """A size beside a model that the weaker source knows makes no other model."""
        sized = self.values.get("stand_in") and "model_name" not in self.values
        if sized and base.model is not None and not base.stand_in:
            for name in ("model", "stand_in"):
                self.values.pop(name, None)
            self.said.pop("model", None)
            self.size_told(base.model, base.said.get("model", Said("given")))
            if "model" in self.values and base.model_name:
                self.set("model_name", base.model_name, base.said.get("model_name", Said("given")))  # the same, resized

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
                self.set(name, other, base.said.get(name, Said("given")))  # the same engine, with its version told
            elif mine is not None and mine != other and not (name == "model" and self._is_sized_alike(base)):
                public = BY_ATTRIBUTE.get(text or name)
                won, lost = self.values.get(text) or mine, theirs.get(text) or other
                if isinstance(mine, Model) and isinstance(other, Model) and named.alike(mine, other):
                    continue  # two names of one model, or its name and its config
                if _title(won) == _title(lost):
                    continue  # the same card with another memory, which is told by itself
                by, lost_by = self.said.get(name, Said("given")), base.said.get(name, Said("given"))
                self.conflicts.append(
                    Conflict(public.name if public else name, _title(won), by.source, _title(lost), lost_by.source)
                )

    def _is_sized_alike(self, base: Scenario) -> bool:
        """Whether the weaker source only knew the size of this model."""
        model = self.values.get("model")
        alike = (
            isinstance(model, Model)
            and base.params is not None
            and abs(model.params - base.params) * 100 < 15 * base.params
        )
        return base.stand_in and not base.model_name and alike

    def _lost(self, name: str, value: object, by: Said) -> None:
        public = BY_ATTRIBUTE[name].name if name in BY_ATTRIBUTE else name
        mine = self.said.get(name, Said("given"))
        if mine.origin in _SOFT or by.origin in _SOFT:
            return
        self.conflicts.append(Conflict(public, shown(self.values[name]), mine.source, shown(value), by.source))

    # --- what follows --------------------------------------------------------------------------------------------

    def derive(self) -> None:
        """Values that follow from others where no source says them."""
        self._weights()
        ranks = self._ranks()
        if "gpus" not in self.values and ranks is not None and ranks <= fields.MOST_CARDS:
            self.set("gpus", ranks, Said("computed", "tp pp dp"))
        tp, dp, gpus = (self.values.get(name) for name in ("tp", "dp", "gpus"))
        if self.values.get("engine") != "sglang" or "attention_dp" in self.values:
            return
        if not (isinstance(tp, int) and isinstance(dp, int) and isinstance(gpus, int)):
            return
        if ranks is not None and ranks <= gpus < tp * dp:
            self.set("attention_dp", True, Said("computed", "tp dp gpus"))

    def _weights(self) -> None:
        """The format that comes with the model, where none is told; a quantized one too where only ``--dtype`` is."""
        if self.named is None:
            return
        form, said = self.named
        published = said.origin == "catalogue"
        if published and self.values.get("engine") in _REPACKED:
            return
        own = self.values.get("weights")
        weak = "weights" in self.read.weak and (not published or form.linear_bits < 16)
        if not isinstance(own, Format) or weak:
            self.set("weights", form, said)
        elif not published and abs(own.linear_bits - form.linear_bits) * 4 > form.linear_bits:
            by = self.said.get("weights", Said("given"))
            self.conflicts.append(Conflict("weights", own.name, by.source, form.name, said.source))

    def _ranks(self) -> int | None:
        """Cards that the ranks take; ``None`` where none are told.

        The data-parallel attention of SGLang and TensorRT-LLM takes those of the tensor-parallel group.
        """
        told = [self.values.get(name) for name in ("tp", "pp", "dp")]
        if not any(isinstance(one, int) for one in told):
            return None
        tp, pp, dp = (one if isinstance(one, int) else 1 for one in told)
        engine, gpus, group = self.values.get("engine"), self.values.get("gpus"), max(tp * pp, dp)
        if self.values.get("attention_dp") or engine == "tensorrt-llm":
            return group
        shared = engine == "sglang" and isinstance(gpus, int) and group <= gpus < tp * pp * dp
        return group if shared else tp * pp * dp  # on so few cards its replicas can only be parts of the group

    def contradictions(self) -> None:
        """End on what cannot be together; of two sources, the weaker one's part is dropped and told."""
        ranks, gpus = self._ranks(), self.values.get("gpus")
        if ranks is not None and isinstance(gpus, int) and ranks > gpus:
            problem = ScenarioProblem("more-ranks-than-cards", "gpus", {"ranks": ranks, "cards": gpus})
            self._impossible(problem, ("gpus",), ("tp", "pp", "dp"))
        nodes = self.values.get("nodes")
        if isinstance(nodes, int) and isinstance(gpus, int) and nodes > gpus:
            problem = ScenarioProblem("more-nodes-than-cards", "nodes", {"nodes": nodes, "cards": gpus})
            self._impossible(problem, ("nodes",), ("gpus",))
        self._heads()
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

    def _heads(self) -> None:
        """Cards of a tensor-parallel group take as many heads each; of a model that is only sized none are known."""
        model, tp = self.values.get("model"), self.values.get("tp")
        if not isinstance(model, Model) or not isinstance(tp, int) or self.values.get("stand_in"):
            return
        if not splits(model, tp) and self.values.get("engine") not in _REPACKED:
            params = {"heads": model.heads, "cards": tp}
            self._impossible(ScenarioProblem("heads-do-not-split", "tp", params), ("tp",), ("model",))

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
                if name == "gpus" and isinstance(card := self.values.get("gpu"), Gpu):
                    self.values["gpu_name"] = card.name  # "1x A100 PCIe" names the card, and no longer how many
                won = next(self.values[side] for side in kept_side if self.values.get(side) is not None)
                said = self.said.get(kept_side[0], Said("given"))
                self.conflicts.append(Conflict(name, _title(won), said.source, shown(value), by.source))

    def _still_unread(self, base: Scenario) -> list[Unread]:
        """What the weaker source could not say of a model or a card, unless this source names one."""
        named = self.read.parts.keys() & {"model", "gpu"}
        return [one for one in base.unread if one.field not in named and one.reason not in fields.TOGETHER]

    # --- all of it -----------------------------------------------------------------------------------------------

    def scenario(self, base: Scenario) -> Scenario:
        """The scenario of both."""
        read = self.read
        logged = {**base.logged, **self.logged}
        told = [one for one in (*base.conflicts, *self.conflicts) if one.rule != "card"]
        return Scenario(
            **self.values,  # type: ignore[arg-type]  # names and types are those of the fields
            said=self.said,
            unread=tuple(dict.fromkeys((*self._still_unread(base), *self.unread, *contradicted(self.values)))),
            conflicts=tuple(dict.fromkeys((*told, *other_card(self.values, self.said, logged)))),
            signals=tuple(dict.fromkeys((*base.signals, *read.signals))),
            tried=base.tried | frozenset(read.tried),
            flags={**base.flags, **read.flags},
            logged=logged,
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
