"""What a lesson and an exercise are, as frozen data."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from content.lang import Text

Kind = Literal[
    "number", "integer", "percent", "factor", "formula", "choice", "classify", "match", "order", "judge", "rubric"
]
COMPUTED: frozenset[str] = frozenset(("number", "integer", "percent", "factor"))
"""Kinds whose answer is a value of a registered formula."""
KINDS: frozenset[str] = COMPUTED | {"formula", "choice", "classify", "match", "order", "judge", "rubric"}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Given = Mapping[str, Fraction]


class FigureRef(NamedTuple):
    """A figure and the state it opens in.

    Attributes:
        name: of the figure.
        state: values that hold for every draw.
        given: of an exercise: key of the state -> symbol (or "model", "gpu") whose value, as drawn, it takes.
        asks: of an exercise: part of the drawing -> names of the parts that ask for it; hidden until they are settled.
    """

    name: str
    state: Mapping[str, object]
    given: Mapping[str, str] = {}
    asks: Mapping[str, tuple[str, ...]] = {}


class Value(NamedTuple):
    """A computed number that a text names as ``{v.NAME}``."""

    formula: str
    unit: str
    digits: int | Literal["all"] | None
    given: Given


class Nuance(NamedTuple):
    """Where the simple story simplifies; ``id`` is S1 to S34, ``source`` where that comes from."""

    id: str
    text: Text
    source: Text | None
    base_only: bool


class Option(NamedTuple):
    """One option of a choice.

    Attributes:
        also: further spellings that mean it.
        but: of a reason that is not the one: what it gets wrong.
    """

    id: str
    letter: str
    text: Text
    also: tuple[str, ...]
    but: Text | None = None


class Step(NamedTuple):
    """One step of an order task, or one point of a rubric."""

    id: str
    text: Text


class Carry(NamedTuple):
    """Values a learner may have carried over from an earlier exercise: symbol -> (value there, slip)."""

    source: str
    symbols: Mapping[str, tuple[Fraction, str]]
    all: str | None


class Alone(NamedTuple):
    """What a part says where it is asked by itself, in revision; ``None`` or nothing: what it says anyway.

    Attributes:
        ask: the question, with all that it takes.
        situation: stands in the place of the exercise's.
        show: symbols of the table of givens, where not the exercise's.
        hints, solution: stand in the place of those that speak of other parts.
        clear: words of the question that could point to something before it, and do not.
        label: its name in lists, where the part's own says values that variants draw anew; without placeholders.
    """

    ask: Text | None = None
    situation: Text | None = None
    show: tuple[str, ...] | None = None
    hints: tuple[Text, ...] = ()
    solution: Text | None = None
    clear: tuple[str, ...] = ()
    label: Text | None = None


class Part(NamedTuple):
    """One thing to answer.

    Attributes:
        id: canonical, "core/L2.1/kv", or the address in a variant, "core/L2.1@3/kv".
        kind: see :data:`Kind`.
        formula, unit, digits, tolerance, given: of computed parts; ``given`` holds the exercise's values with the
            part's own over them; ``tolerance`` is relative, for percent parts in percentage points.
        equal: slips whose value equals the right answer (declared, never asserted from the value).
        drop: slips that the formula implies and that make no sense here.
        answer: option ids: one for choice, match and judge, one per attribute for classify, all in order for order.
        accept: further right readings of a classify part; ``accept_note`` says why both stand.
        slips: a wrong option or reading -> the slip it shows.
        vary: what a variant draws for this part alone, as written (see :mod:`content.vary`); names: what it drew,
            by placeholder.
        concepts: ids of what it exercises, the main one first: the exercise's, where it names none itself.
        reverse: symbols that revision asks for with the answer given.
        alone: what revision says in the place of texts that need the rest of the exercise.
    """

    id: str
    kind: str
    label: Text
    ask: Text | None
    hints: tuple[Text, ...]
    solution: Text
    nuances: tuple[Nuance, ...]
    followup: bool
    given: Given
    formula: str = ""
    unit: str = "none"
    digits: int = 3
    tolerance: Fraction | None = None
    equal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    attributes: tuple[tuple[Option, ...], ...] = ()
    group: str = ""
    answer: tuple[str, ...] = ()
    accept: tuple[tuple[str, ...], ...] = ()
    accept_note: Text | None = None
    slips: Mapping[str, str] = {}
    reasons: tuple[Option, ...] = ()
    reason: str = ""
    steps: tuple[Step, ...] = ()
    model: Text | None = None
    rubric: tuple[Step, ...] = ()
    vary: Mapping[str, Any] | None = None
    names: Mapping[str, str] = {}
    concepts: tuple[str, ...] = ()
    reverse: tuple[str, ...] = ()
    alone: Alone = Alone()

    @property
    def name(self) -> str:
        """The last piece of the id: "kv"."""
        return self.id.rpartition("/")[2]

    @property
    def exercise(self) -> str:
        """The address of the exercise: "core/L2.1", "core/L2.1@3"."""
        return self.id.rpartition("/")[0]


class Exercise(NamedTuple):
    """An exercise: a situation and its parts.

    ``vary`` says how fresh values are drawn, as written, ``None`` where they are not; ``variant`` which draw this
    is, 0 the values as written; ``names`` the names of what was drawn ("gpu", "model"), or of what the text speaks of;
    ``concepts`` what it exercises, the main one first; ``situation`` the prompt without the task of all parts, for
    revision, which asks one of them.
    """

    id: str
    title: Text
    lesson: str
    prompt: Text
    given: Given
    show: tuple[str, ...]
    figure: FigureRef | None
    values: Mapping[str, Value]
    carry: Carry | None
    nuances: tuple[Nuance, ...]
    parts: tuple[Part, ...]
    vary: Mapping[str, Any] | None = None
    variant: int = 0
    names: Mapping[str, str] = {}
    concepts: tuple[str, ...] = ()
    situation: Text | None = None

    def part(self, name: str) -> Part:
        """The part of a short name ("kv"). Raises ``KeyError``."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)


class Section(NamedTuple):
    """One idea of a lesson; ``source`` says where its measured numbers come from."""

    id: str
    heading: Text
    text: Text
    notice: Text | None
    figure: FigureRef | None
    nuances: tuple[Nuance, ...]
    concepts: tuple[str, ...]
    source: Text | None = None


class Lesson(NamedTuple):
    """A lesson: short sections, one idea each."""

    id: str
    title: Text
    given: Given
    values: Mapping[str, Value]
    sections: tuple[Section, ...]


class LessonEntry(NamedTuple):
    """A lesson in the index; ``sections`` is how many it has, so that a count of progress need not open its file."""

    id: str
    title: Text
    needs: tuple[str, ...]
    sections: int


class ExerciseEntry(NamedTuple):
    """An exercise in the index; part ids are canonical. ``reverse`` are the ids of its reverse items, for revision, and
    ``figure`` names the one that it stands on."""

    id: str
    title: Text
    lesson: str
    parts: tuple[str, ...]
    followups: tuple[str, ...]
    reverse: tuple[str, ...] = ()
    figure: str = ""


class Level(NamedTuple):
    """A level in the index."""

    id: str
    title: Text
    exercises: tuple[ExerciseEntry, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of all its exercises, follow-ups left out."""
        return tuple(part for exercise in self.exercises for part in exercise.parts)


class Track(NamedTuple):
    """A track: its lessons and levels."""

    id: str
    title: Text
    about: Text
    lessons: tuple[LessonEntry, ...]
    levels: tuple[Level, ...]

    @property
    def exercises(self) -> tuple[ExerciseEntry, ...]:
        """The exercises of all levels, in order."""
        return tuple(exercise for level in self.levels for exercise in level.exercises)


class Index(NamedTuple):
    """What there is to study, without its text."""

    tracks: tuple[Track, ...]
