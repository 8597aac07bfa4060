"""The package file: a zip with Anki's database in it, written by genanki (extra ``anki``)."""

from __future__ import annotations

import io
import itertools
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from content.lang import Lang
from tutor.anki.notes import Note
from tutor.anki.template import ANSWER, CSS, QUESTION

if TYPE_CHECKING:
    import genanki

MODEL_ID, DECK_ID = 1_607_392_319, 2_059_400_110
"""Never change them, nor the fields: Anki knows a note type and a deck by these numbers, and a note of another type is
another note."""
NAME = "llm-tutor"
_COLLECTION, _MEDIA = "collection.anki2", "media"
_MOST = 64 * 2**20
"""Bytes of the largest collection that is looked into; one of ours has a few."""
FIELDS = ("Id", "Front en", "Back en", "Front hi-Latn", "Back hi-Latn", "Figure en", "Figure hi-Latn", "Lesson",
          "Level", "Hinglish first")  # fmt: skip


def data(notes: Iterable[Note], first: Lang, when: float) -> bytes:
    """A package of notes.

    Args:
        notes: in the order in which new ones are to come.
        first: the language that a note shows; the other one is folded below it.
        when: seconds since 1970, UTC. Anki takes over a note that it has where this is later than its own.

    Raises ``ImportError`` without genanki.
    """
    import genanki

    model = genanki.Model(
        MODEL_ID,
        NAME,
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Question", "qfmt": QUESTION, "afmt": ANSWER}],
        css=CSS,
    )
    deck = genanki.Deck(DECK_ID, NAME)
    for place, note in enumerate(notes):
        deck.add_note(_note(model, note, first, place))
    return _zipped(_database(genanki.Package(deck), when))


def _note(model: genanki.Model, note: Note, first: Lang, place: int) -> Any:
    import genanki

    sides = [note.front["en"], note.back["en"], note.front["hi-Latn"], note.back["hi-Latn"]]
    figures = [note.figure["en"], note.figure["hi-Latn"]]
    hinglish = "1" if first == "hi-Latn" else ""
    fields = [note.id, *sides, *figures, note.lesson, note.level, hinglish]
    return genanki.Note(model, fields, tags=note.tags, guid=genanki.guid_for(NAME, note.id), due=place)


def is_export(file: Path) -> bool:
    """Whether a file is a package that :func:`data` made, and holds nothing that Anki added. Raises ``OSError``."""
    try:
        with zipfile.ZipFile(file) as package:
            if package.namelist() != [_COLLECTION, _MEDIA] or package.getinfo(_COLLECTION).file_size > _MOST:
                return False
            database = package.read(_COLLECTION)
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(database)
            reviews, foreign = connection.execute(
                "SELECT (SELECT count(*) FROM revlog), (SELECT count(*) FROM notes WHERE mid != ?)", (MODEL_ID,)
            ).fetchone()
    except (zipfile.BadZipFile, zlib.error, sqlite3.Error, NotImplementedError, RuntimeError, EOFError):
        return False
    return not reviews and not foreign


def _database(package: genanki.Package, when: float) -> bytes:
    """Anki's database. genanki's own way to a file leaves a temporary one behind."""
    with closing(sqlite3.connect(":memory:")) as connection:
        package.write_to_db(connection.cursor(), when, itertools.count(int(when * 1000)))
        connection.commit()
        return connection.serialize()


def _zipped(database: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(_COLLECTION, database)
        package.writestr(_MEDIA, "{}")
    return file.getvalue()
