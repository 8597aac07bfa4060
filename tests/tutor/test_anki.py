"""The package for Anki: what its notes say, that nothing in them is markup, and what Anki itself makes of it."""

from __future__ import annotations

import json
import sqlite3
import sys
import warnings
import zipfile
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from content.quiz.items import catalogue
from tutor import cli
from tutor.anki import notes as made
from tutor.anki import package
from tutor.anki.markup import escaped, rich
from tutor.anki.notes import Note

NEEDED = ("p", "b", "code", "pre", "ul", "ol", "li")


@pytest.fixture(scope="module")
def notes() -> tuple[Note, ...]:
    return tuple(made.notes())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return tmp_path


class Balanced(HTMLParser):
    """Reads a field as a browser does: tags that are closed, and the text between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(field: str) -> Balanced:
    reader = Balanced()
    reader.feed(field)
    reader.close()
    assert reader.open == []
    return reader


def test_every_item_but_slips_is_a_note(notes: tuple[Note, ...]) -> None:
    assert [note.id for note in notes] == [item.id for item in catalogue().values() if item.kind != "slip"]
    assert {note.kind for note in notes} == set(made.KINDS)
    for note in notes:
        for field in (*note.front.values(), *note.back.values(), *note.figure.values(), note.lesson):
            assert read(field).tags <= set(NEEDED)
            assert "{" not in field, note.id
        assert all(side.strip() for side in (*note.front.values(), *note.back.values())), note.id
        assert note.front["en"] != note.front["hi-Latn"], note.id
        assert f"kind::{note.kind}" in note.tags and "track::core" in note.tags
        assert not any(" " in tag for tag in note.tags)
    assert sum(bool(note.figure["en"]) for note in notes) > len(notes) / 3


def test_a_note_asks_and_answers_as_the_course_does(notes: tuple[Note, ...]) -> None:
    found = {note.id: note for note in notes}
    kv = found["core/L2.1/kv"]
    assert "A model with 32 layers" in read(kv.front["en"]).text and "1.07" not in kv.front["en"]
    assert read(kv.back["hi-Latn"]).text.startswith("1.07 GBkv_cache = 2 · B · S · L · d_model · p\n")
    assert kv.tags[:4] == ("track::core", "level::L2", "lesson::C2", "kind::part")
    assert "concept::kv-cache" in kv.tags and "k1" in kv.figure["en"] + "k9"
    back = read(found["core/L2.1/kv/find-S"].back["en"]).text
    assert "2048 tokens" in back and "2048" not in found["core/L2.1/kv/find-S"].front["en"]
    assert "<ol><li>F. " in found["core/L3.3/chain"].back["en"]
    assert read(found["core/L3.2/twice_as_bad"].back["hi-Latn"]).text.startswith("nahi")


def test_no_text_is_markup() -> None:
    hostile = "<script>x</script> & [sound:a.mp3] [latex]y[/latex] \\(z\\) {{Id}} **<b>** `</pre>`\x1f\x00"
    for field in (escaped(hostile), rich(hostile)):
        assert read(field).tags <= {"p", "b", "code"}
        assert not any(sign in field for sign in ("[", "\\(", "\x1f", "\x00", "<script"))
        assert "<script>x</script> & [sound:a.mp3]" in read(field).text


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_writes_a_whole_file_and_says_where(
    home: Path, notes: tuple[Note, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("genanki")
    target = home / "cards.APKG"
    assert cli.run(["export", "anki", str(target)]) == 0
    said = capsys.readouterr().out
    assert str(target) in said and f"{len(notes)} notes" in said and "Import" in said
    assert cli.run(["export", "anki", str(target), "--json", "--lang", "hi-Latn"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == str(target) and told["notes"] == sum(told["kinds"].values())
    with zipfile.ZipFile(target) as file, closing(sqlite3.connect(":memory:")) as raw:
        assert file.testzip() is None
        raw.deserialize(file.read("collection.anki2"))
        rows = raw.execute("SELECT guid, flds, tags FROM notes ORDER BY id").fetchall()
        assert raw.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert len({row[0] for row in rows}) == len(rows) == told["notes"]
    assert all(row[1].split("\x1f")[-1] == "1" for row in rows), "Hinglish first"
    assert sorted(one.name for one in home.iterdir()) == ["cards.APKG"], "nothing is left beside it"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "anki FILE.apkg"), (["anki"], "FILE.apkg"), (["ankl", "x.apkg"], "Did you mean anki"),
        (["anki", "x.zip"], "add .apkg"), (["anki", "-"], "add .apkg"), (["anki", "{home}/dir.apkg"], "folder"),
        (["anki", "{home}/none/x.apkg"], "cannot be written"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    (home / "dir.apkg").mkdir()
    if told in ("folder", "cannot be written"):
        pytest.importorskip("genanki")
    assert cli.run(["export", *(word.format(home=home) for word in words)]) == 2
    out = capsys.readouterr()
    assert out.out == "" and out.err.count("\n") == 1
    assert told.lower() in out.err.lower()
    assert list((home / "dir.apkg").iterdir()) == []


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_without_genanki_it_says_how_to_get_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    target = home / "x.apkg"
    target.write_text("what was there")
    assert cli.run(["export", "anki", str(target), "--lang", lang]) == 2
    assert "pip install genanki" in capsys.readouterr().err
    assert target.read_text() == "what was there"


# --- Anki itself ------------------------------------------------------------------------------------------------------


@pytest.fixture
def collection(home: Path) -> Any:
    pytest.importorskip("genanki")
    library = pytest.importorskip("anki.collection")
    opened = library.Collection(str(home / "collection.anki2"))
    yield opened
    opened.close()


def imported(collection: Any, file: Path, data: bytes) -> tuple[int, int]:
    """How many notes were new, and how many were brought up to date."""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest  # type: ignore[import-not-found]

    file.write_bytes(data)
    log = collection.import_anki_package(
        ImportAnkiPackageRequest(package_path=str(file), options=ImportAnkiPackageOptions())
    ).log
    assert not log.conflicting and not log.missing_notetype and not log.missing_deck and not log.empty_first_field
    return len(log.new), len(log.updated)


def test_anki_opens_it_and_takes_over_what_changed(collection: Any, home: Path, notes: tuple[Note, ...]) -> None:
    file, when = home / "cards.apkg", 1_790_000_000.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # genanki warns of fields that are no HTML
        data = package.data(notes, "en", when)
    assert imported(collection, file, data) == (len(notes), 0)
    assert imported(collection, file, data) == (0, 0)
    assert collection.note_count() == collection.card_count() == len(notes)
    assert collection.decks.by_name(package.NAME) and collection.models.by_name(package.NAME)["id"] == package.MODEL_ID
    for note in notes:
        (found,) = (collection.get_note(id_) for id_ in collection.find_notes(f'"Id:{note.id}"'))
        sides = [note.front["en"], note.back["en"], note.front["hi-Latn"], note.back["hi-Latn"]]
        figures = [note.figure["en"], note.figure["hi-Latn"]]
        assert found.fields == [note.id, *sides, *figures, note.lesson, note.level, ""]
        assert sorted(found.tags) == sorted(note.tags)
    counted = {kind: len(collection.find_notes(f"tag:kind::{kind}")) for kind in made.KINDS}
    assert counted == {kind: sum(note.kind == kind for note in notes) for kind in made.KINDS}
    assert len(collection.find_notes("tag:level::L2")) == sum(note.level == "L2" for note in notes)

    collection.decks.select(collection.decks.id_for_name(package.NAME))
    card = collection.sched.getCard()
    card.start_timer()
    collection.sched.answerCard(card, 3)
    id_ = card.note()["Id"]
    assert id_ == notes[0].id, "in the order of the course"
    changed = [note._replace(back=dict.fromkeys(note.back, "<p>another</p>")) if note.id == id_ else note
               for note in notes]  # fmt: skip
    assert imported(collection, file, package.data(changed, "hi-Latn", when + 60)) == (0, len(notes))
    again = collection.get_card(card.id)
    assert again.reps == 1 and again.note()["Back en"] == "<p>another</p>"
    assert collection.note_count() == collection.card_count() == len(notes)


@pytest.mark.parametrize(("first", "other", "folded"), [("en", "hi-Latn", "Hinglish"), ("hi-Latn", "en", "English")])
def test_anki_shows_the_first_language_and_folds_the_other(
    collection: Any, home: Path, notes: tuple[Note, ...], first: Any, other: Any, folded: str
) -> None:
    note = next(note for note in notes if note.id == "core/L2.1/kv")
    assert imported(collection, home / "one.apkg", package.data([note], first, 1.79e9)) == (1, 0)
    (card,) = (collection.get_card(id_) for id_ in collection.find_cards(""))
    for shown, side in ((card.question(), note.front), (card.answer(), note.back)):
        before, fold, behind = shown.rpartition(f"<details><summary>{folded}</summary>")
        assert fold and side[first] in before and side[other] in behind
        assert side[other] not in before
    assert f"<pre>{note.figure[first]}</pre>" in card.answer()
    assert "{{" not in card.answer()
