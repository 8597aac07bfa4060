"""Names and numbers become models and cards: what one source says, made into what can be computed with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import catalog, pool
from engine.catalog import Gpu, Model, NoValues
from engine.diagnosis import fields
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.model import Conflict, Logged, Said, Unread
from engine.diagnosis.reading import cards, checkpoint, named, standin
from engine.diagnosis.reading.inputs import Inputs
from engine.diagnosis.reading.kinds import shown
from engine.diagnosis.reading.named import Named
from engine.precision import Format


def choices(names: Sequence[str]) -> str:
    """Names to choose from, as many as a report has room for."""
    found = ""
    for name in names:
        longer = f"{found}, {name}" if found else name
        if len(longer) > LISTED - 5 and name != names[-1]:
            return f"{found}, ..."
        found = longer
    return found


LISTED = 150
"""Characters of names to choose from."""


def _digit(params: int) -> int:
    """What the last digit of a size in billions counts for: 10^9 of 7, 10^8 of 6.7."""
    size = Fraction(params, 10**9)
    return next((10**9 // 10**places for places in range(9) if (size * 10**places).denominator == 1), 1)


_CARD = ("gpu_memory", "bandwidth", "tflops")
"""Numbers of a card."""


class Making:
    """The values of one source, each with where it comes from.

    Attributes:
        read: what it says.
        values, said: by the scenario's attribute.
        named: the format that comes with the model's name, file or entry.
        unread, conflicts, logged: as in a scenario.
    """

    def __init__(self, read: Inputs) -> None:
        self.read = read
        self.values: dict[str, object] = dict(read.values)
        self.said: dict[str, Said] = {name: said for name, said in read.said.items() if name in read.values}
        self.named: tuple[Format, Said] | None = None
        self.logged: dict[str, Logged] = {}
        self.unread = list(read.unread)
        self.conflicts = [
            Conflict(name, shown(won), by, shown(lost), lost_by) for name, won, by, lost, lost_by in read.conflicts
        ]

    def set(self, name: str, value: object, said: Said) -> None:
        """Keep a value."""
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
            file = shown(checkpoint.file_of(name)) if checkpoint.is_path(name) else ""
            about: dict[str, str | int] = {"key": problem.detail, "name": shown(problem.name), "file": file}
            about["held"] = shown(problem.held)
            raise ScenarioProblem(problem.reason, "model", about) from None
        params = self.values.get("params")
        if isinstance(params, int) and (found.model is None or found.stand_in):
            found = named.sized(params, name or shown(Fraction(params, 10**9)) + "B", named.active_of(name))._replace(
                form=found.form, form_by=found.form_by, drafting=found.drafting
            )
        if name:
            self.set("model_name", name, said)
        if name and (found.stand_in or found.unread == "unknown-model") and (near := named.near(name)):
            self.unread.append(
                Unread("model", choices(near), "near-model")
            )  # a slip: another model is none of its size
            return
        if found.model is None:
            if found.unread:
                self.unread.append(Unread("model", choices(found.options) or shown(name), found.unread))
            return
        if name and found.stand_in:
            self.unread.append(Unread("model", shown(name), "stood-in"))
        self._named(found, said)

    def _named(self, found: Named, said: Said) -> None:
        assert found.model is not None
        near = "stand-in" if found.stand_in else found.near
        self.set("model", found.model, Said("assumed", near) if near else said)
        if found.form_by == "config":
            self.said["model"] = Said("config", said.source)
        if found.stand_in:
            self.values["stand_in"] = True
            if "params" not in self.values:
                self.set("params", found.params, Said("assumed", "model"))
        else:
            self.size_told(found.model, self.said["model"], guessed=bool(near))
        if found.trouble:
            self.unread.append(Unread("model", shown(self.values.get("model_name", "")), found.trouble))
        if found.bytes is not None:
            self.set("exact_weights", found.bytes, Said("config", said.source))
        if found.drafting and "speculation" not in self.values:
            self.set("speculation", True, said)
        if found.form is not None:
            by = {"name": said, "config": Said("config", said.source)}.get(found.form_by)
            self.named = (found.form, by or Said("catalogue", found.model.id))

    def size_told(self, model: Model, said: Said, *, guessed: bool = False) -> None:
        """A size beside a known model says nothing new where it is that model's, rounded. Another one was typed by who
        knows the checkpoint: it counts, and that the two differ is told; a log's stays behind the catalogue.

        Args:
            model: the known one.
            said: who names it.
            guessed: whether it was only the nearest to an own name: then a size says which model it is.
        """
        params = self.values.pop("params", None)
        by = self.said.pop("params", Said("given"))
        if not isinstance(params, int):
            return
        apart = abs(params - model.params)
        typed = by.origin == "given" and apart * 100 > model.params and (guessed or apart * 2 > _digit(params))
        made = standin.resized(model, params) if typed else None
        sizes = [shown(Fraction(one, 10**9)) for one in (params, model.params)]
        if made is not None:
            self.set("model", made, said)
            self.set("params", params, by)
            self.conflicts.append(Conflict("params_b", sizes[0], by.source, sizes[1], model.id))
        elif apart * 100 > 15 * model.params:
            self.conflicts.append(Conflict("params_b", sizes[1], model.id, sizes[0], by.source))

    def _architecture(self, name: str, found: Named) -> Named:
        """The dense model that numbers describe, where they are all there."""
        told = {key: value for key, value in self.read.parts.items() if key in named.KEYS and isinstance(value, int)}
        if not told:
            return found
        known = named.shape(found.model) if found.model is not None and not found.stand_in else {}
        if known:
            if all(known[key] == value for key, value in told.items()):
                return found
            told = {**known, **told}
        missing = [key for key in named.NEEDED if key not in told]
        if missing:
            self.unread.append(Unread(next(iter(told)), ", ".join(missing), "shape-incomplete"))
            return found
        made = named.dense(name or "custom", told)
        return Named(made, found.form if found.form_by == "name" else None, found.form_by, drafting=found.drafting)

    # --- the card ------------------------------------------------------------------------------------------------

    def card(self) -> None:
        """The card of its name or its numbers, and how many and how joined where the name says so."""
        memory, bandwidth, peak = self._card_numbers()
        text = self.read.parts.get("gpu")
        said = self.read.said.get("gpu", Said("given"))
        name = text if isinstance(text, str) else ""
        found = cards.read(name, memory) if name else cards.Cards()
        if name:
            self.set("gpu_name", name, said)
        if found.number is not None and self.values.get("gpus", found.number) != found.number:
            self.conflicts.append(
                Conflict("gpus", shown(self.values["gpus"]), self.said["gpus"].source, str(found.number), said.source)
            )
        elif found.number is not None and "gpus" not in self.values:
            if not 1 <= found.number <= fields.MOST_CARDS:
                raise ScenarioProblem("zero" if not found.number else "too-large", "gpus", {"value": found.number})
            self.set("gpus", found.number, said)
        if found.link is not None and "link" not in self.values:
            self.set("link", found.link, said)
        if found.gpu is not None:
            gpu = cards.changed(found.gpu, memory, bandwidth, peak)
            self.set("gpu", gpu, Said("assumed", ", ".join(found.options)) if found.options else said)
            self._card_told(found.gpu.capacity, memory, found.gpu.name)
        elif memory is not None and bandwidth is not None:
            by = next(self.read.said[one] for one in ("bandwidth", "gpu_memory") if one in self.read.said)
            self.set("gpu", cards.made(name, memory, bandwidth, peak), by)
        else:
            self._no_card(name, found)

    def _card_numbers(self) -> list[int | None]:
        """Memory, bandwidth and rate as they were given."""
        numbers = (self.read.parts.get(name) for name in _CARD)
        return [one if isinstance(one, int) else None for one in numbers]

    def renumbered(self, gpu: Gpu, said: Said) -> None:
        """Numbers of a card that another source named: they count over the catalogue's."""
        memory, bandwidth, peak = self._card_numbers()
        if (memory, bandwidth, peak) == (None, None, None):
            return
        self.set("gpu", cards.changed(gpu, memory, bandwidth, peak), said)
        self._card_told(gpu.capacity, memory, gpu.name)
        self.logged.pop("card-memory", None)
        self.unread = [one for one in self.unread if one.field not in _CARD]

    def _card_told(self, capacity: int, memory: int | None, name: str) -> None:
        if memory is not None and abs(memory - capacity) * 10 > capacity:
            gigabytes = [shown(Fraction(one, 10**9)) for one in (memory, capacity)]
            by = self.read.said["gpu_memory"].source
            self.conflicts.append(Conflict("gpu_memory", f"{gigabytes[0]} GB", by, f"{gigabytes[1]} GB", name))

    def _no_card(self, name: str, found: cards.Cards) -> None:
        self._memory_alone(found)
        if found.options:
            self.values["gpu_options"] = found.options
            self.unread.append(Unread("gpu", choices(found.options), "ambiguous-gpu"))
        elif name:
            near = cards.near(name) if found.unread == "unknown-gpu" else ()
            self.unread.append(Unread("gpu", choices(near) or shown(name), "near-gpu" if near else found.unread))
        for part, needed in (("gpu_memory", "bandwidth"), ("bandwidth", "gpu_memory"), ("tflops", "gpu_memory")):
            if part in self.read.parts and needed not in self.read.parts:
                why = "memory-alone" if part == "gpu_memory" else "card-incomplete"
                self.unread.append(Unread(part, needed, why))
                break

    def _memory_alone(self, found: cards.Cards) -> None:
        """The memory of a card of which no more is known: given alone, or the same of all that its name may mean.
        Bytes can be computed with it, times cannot."""
        memory = self.read.parts.get("gpu_memory")
        options = [catalog.gpu(name) for name in found.options]
        if isinstance(memory, int):
            self.logged["card-memory"] = Logged(Fraction(memory), self.read.said["gpu_memory"].source)
        elif len({one.capacity for one in options}) == 1:
            least = min(pool.card(one).bytes for one in options)
            self.logged["card-memory"] = Logged(least, ", ".join(found.options))
