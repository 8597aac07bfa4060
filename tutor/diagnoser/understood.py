"""The list of what was understood, as lines: texts first, then their values by group; the detail of one line."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.content import Content

from content.lang import Lang
from tutor.diagnoser.speech import Speech
from tutor.widgets.ink import QUIET, STRONG, plainer
from tutor.widgets.lines import Draw, Line, sentence, written

if TYPE_CHECKING:
    from content.diagnosing.observed import Row
    from engine.artefacts.evidence import Evidence

TEXT = "text"
"""Before the number of a text in the id of its line; before that of a value stands :data:`VALUE`."""
VALUE = "value"
NOTE = "note"
NOTED = " *"
"""Behind a value that has a note."""
GAP = 2
LONGEST = 44
"""Columns of a value that the others stand in line with; a longer one takes the room it needs."""


@dataclass(frozen=True)
class Made:
    """The lines, the values by the id of their line, and where the cursor starts."""

    lines: list[Line]
    rows: Mapping[str, Row]
    first: str


def lines(evidence: Evidence, speech: Speech) -> Made:
    """The whole list."""
    from content.diagnosing import observed

    listed = (_odd(row, evidence, speech) for row in observed.rows(evidence, speech.lang))
    found = {f"{VALUE}:{row.place}:{row.name}": row for row in listed}
    noted = {f"{NOTE}:{row.place}:{row.name}": row for row in observed.noted(evidence, speech.lang)}
    made = _texts(evidence, speech)
    several, every = len(evidence.artefacts) > 1, {**noted, **found}
    label = max((len(row.label) for row in every.values()), default=0)
    value = max((len(_value(row, speech)) for row in every.values()), default=0)
    where = max((len(_where(row, several, speech)) for row in every.values()), default=0)
    columns = label, min(value, LONGEST), where
    before: str | None = None
    for id, row in every.items():
        if row.group != before:
            before = row.group
            made += [Line(), Line(draw=sentence(observed.group(row.group, speech.lang), QUIET))]
        # what a note says is corrected in the form, where it stands as any other value
        made.append(Line(id if id in found else "", draw=_row(row, columns, several, speech)))
    made += _follows(evidence, speech)
    return Made(made, found, next(iter(found), f"{TEXT}:0"))


def _texts(evidence: Evidence, speech: Speech) -> list[Line]:
    """Each text: its name, what it is, how much of it is known, and what holds for the whole."""
    from content.diagnosing import observed

    made: list[Line] = []
    remarks = observed.remarks(evidence, speech.lang)
    for place, one in enumerate(evidence.artefacts):
        name = observed.source(one.name, speech.lang)
        made.append(
            Line(
                f"{TEXT}:{place}", draw=_text(name, observed.about(one, speech.lang), observed.known(one, speech.lang))
            )
        )
        told = dict.fromkeys(speech.plain(note.text) for note in remarks if note.source == one.name)
        made += [Line(draw=sentence(text, QUIET, "  ")) for text in told]
    return made


def _text(name: str, about: str, known: str) -> Draw:
    """A text's name, what it is, and how much of it is known: side by side, or below one another."""

    def draw(width: int) -> list[Content]:
        parts = [part for part in (about, known) if part]
        whole = Content.assemble((name, STRONG), *((f"  {part}", QUIET) for part in parts))
        if whole.cell_length <= width:
            return [whole]
        made = list(written(Content.styled(name, STRONG))(width))
        return made + [line for part in parts for line in sentence(part, QUIET, "  ")(width)]

    return draw


_BORNE = ("", "zero", "over-one")
"""What a text may say though nobody would type it: nothing yet, a pool that is a little over full."""


def _odd(row: Row, evidence: Evidence, speech: Speech) -> Row:
    """A value with a note that no server can have it, where that is so."""
    from content.diagnosing import observed
    from engine.artefacts.model import shown
    from tutor.diagnoser import bounds

    values = evidence.artefacts[row.place].found.series[row.name].values
    if row.corrected or not isinstance(values, array):
        return row
    odd = [one for one in {min(values), max(values)} if bounds.impossible(row.name, one) not in _BORNE]
    if not odd:
        return row
    said = " … ".join(observed.value(row.name, shown(row.name, one), speech.lang) for one in sorted(odd))
    return row._replace(notes=(*row.notes, speech.tell("files.odd", value=said)))


def _value(row: Row, speech: Speech) -> str:
    return speech.plain(row.value) + (NOTED if row.notes else "")


def _where(row: Row, several: bool, speech: Speech) -> str:
    """Where a value comes from, as its line says it."""
    from content.diagnosing import observed

    if row.corrected:
        return speech.tell("files.corrected") if row.used else ""
    return observed.place(row, speech.lang, named=several)


def _row(row: Row, columns: tuple[int, int, int], several: bool, speech: Speech) -> Draw:
    """Label, value, place: the places in one column, at the right edge where it is narrow, left out where there is no
    room for one; then a long value has the line to itself."""
    value, where = _value(row, speech), _where(row, several, speech)
    label = Content(f"{row.label.ljust(columns[0])}{' ' * GAP}")
    style = "" if row.used else QUIET

    def draw(width: int) -> list[Content]:
        column = min(label.cell_length + columns[1] + GAP, width - columns[2])
        space = column - label.cell_length - len(value)
        if where and space >= GAP:
            return [Content.assemble(label, (value, style), (" " * space + where, QUIET))]
        return list(written(Content.styled(value, style) if style else Content(value), label)(width))

    return draw


def _follows(evidence: Evidence, speech: Speech) -> list[Line]:
    """What can be worked out from the values."""
    from content.diagnosing import observed
    from engine.artefacts.derived import derive

    told = [speech.plain(observed.derived(one, speech.lang)) for one in derive(evidence)]
    if not told:
        return []
    lead = plainer("· ", speech.ascii)
    made = [Line(), Line(draw=sentence(speech.tell("files.follows"), QUIET))]
    return made + [Line(draw=sentence(text, "", lead)) for text in told]


# --- one line --------------------------------------------------------------------------------------------------------


def detail(evidence: Evidence | None, id: str, row: Row | None, speech: Speech) -> list[Content]:
    """What the value under the cursor means, and the line that it was read from."""
    from content.diagnosing import observed
    from content.diagnosing.words import clean

    if evidence is None or row is None:
        return []
    read = speech.tell("files.read_as", value=row.read) if row.corrected else ""
    told = (*row.notes, " ".join(text for text in (read, row.went) if text))
    made = [Content(speech.plain(text)) for text in told if text]
    found = evidence.artefacts[row.place].found
    text = clean(found.text.line(row.line), 240) if row.line else ""
    where = observed.place(row, speech.lang)
    if text:
        made.append(Content.styled(speech.plain(f"{where}: {text}"), QUIET))
    elif where:
        made.append(Content.styled(where, QUIET))
    return made


def place(id: str, row: Row | None) -> int | None:
    """The number of the text that a line is of."""
    if row is not None:
        return row.place
    kind, _, number = id.partition(":")
    return int(number) if kind == TEXT and number.isdigit() else None


def without(evidence: Evidence, place: int) -> Evidence | None:
    """The evidence without one of its texts; ``None`` without the last one."""
    left = tuple(one for number, one in enumerate(evidence.artefacts) if number != place)
    names = {name for one in left for name in one.found.series}
    corrected = {name: value for name, value in evidence.corrected.items() if name in names}
    return replace(evidence, artefacts=left, corrected=corrected) if left else None


def before(evidence: Evidence, row: Row) -> object:
    """What was read: the last entry, as it counts."""
    return evidence.artefacts[row.place].found.one(row.name)


def typed(evidence: Evidence | None, row: Row) -> str:
    """What stands in the line at first: the value as it counts now, without its unit."""
    from engine.artefacts.vocabulary import term

    if evidence is None:
        return ""
    value = evidence.corrected.get(row.name, before(evidence, row))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, int | float) and term(row.name).unit == "fraction":
        return f"{value * 100:.6g}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def unit(row: Row) -> str:
    """The unit that a plain number is taken in."""
    from engine.artefacts.vocabulary import term

    found = term(row.name).unit
    return {"fraction": "%", "count": ""}.get(found, found)


def refused(reason: str, text: str, lang: Lang) -> str:
    """Why a typed value is none."""
    from content.diagnosing import words

    return words.one_of("unread", reason, lang, {"text": words.clean(text, 60)})
