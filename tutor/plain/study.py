"""The reader's way through plain study: home, lessons, exercises, until `quit` or the end of the input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from content import course
from content.words import say
from tutor import language
from tutor.language import Lang
from tutor.plain.orders import WORDS, Order, order_of, word
from tutor.plain.terminal import Terminal
from tutor.progress import Place
from tutor.session import Session

if TYPE_CHECKING:
    from content.schema import FigureRef


class Leave(Exception):
    """The reader goes elsewhere from inside a part."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


class Quit(Exception):
    """The reader has had enough."""


class Reader:
    """One person at one terminal."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self.session, self.out = session, terminal

    @property
    def lang(self) -> Lang:
        """The language of this moment."""
        return self.session.language

    def say(self, key: str, **params: object) -> str:
        """Our words: `plain.hint` is `cli.plain.hint`."""
        return say(f"cli.{key}", self.lang, **params)

    def heading(self, title: str, place_id: str) -> None:
        """The name of a lesson or exercise."""
        self.out.say(f"\n{title} ({place_id})")

    def figure(self, ref: FigureRef) -> None:
        """A figure in words, with what the reader has learnt so far; one that cannot be told is left out."""
        from tutor import coursemap
        from tutor.figures.plain import plain
        from tutor.figures.registry import BROKEN

        state = coursemap.figure_state(ref, self.session)
        with suppress(*BROKEN):  # `course validate` names it; the text around it still stands
            self.out.say("\n" + plain(ref.name, state, 70, self.lang, ascii=self.session.settings.ascii))

    def source(self, text: str) -> None:
        """Where a statement comes from, if that is told."""
        if text:
            self.out.say("  " + say("app.lesson.source", self.lang, text=text))

    def listen(self, prompt: str) -> tuple[Order | None, str]:
        """The next line: the order it gives, or the text. `lang`, `help` and `quit` are followed here.

        Raises:
            Quit: the reader said so.
            EOFError: the input ended.
        """
        self.notices()
        while True:
            typed = self.out.ask(f"{prompt}:")
            order = order_of(typed)
            if order == "quit":
                raise Quit
            if order == "help":
                self.out.say(self.help())
                continue
            if order == "lang":
                self.session.set_language(language.other(self.lang))
                self.out.say(self.say("plain.lang"))
            return order, typed

    def help(self) -> str:
        """What can be typed."""
        orders = (order for order in WORDS if order != "help")
        lines = [f"  {word(order, self.lang)}: {self.say(f'plain.order.{order}')}" for order in orders]
        return "\n".join([self.say("plain.help"), *lines])

    def notices(self) -> None:
        """What went wrong with files, each once."""
        for sentence in self.session.notices():
            self.out.say(sentence)

    def choose(self, following: str | None, more: Mapping[Order, Callable[[], Place | None]] | None = None) -> Place:
        """Where to next: an id, the proposed place with an empty line, or home. Nothing opens by itself.

        ``more`` are further orders that make sense here (the questions of a lesson, a variant of an exercise): each is
        followed, and leads to a place or back to this choice.
        """
        while True:
            proposed = following or self.say("plain.home")
            order, typed = self.listen(self.say("plain.choose", proposed=proposed))
            if order in ("list", "back"):
                return Place("home")
            if order in ("next", "skip") or not typed:
                return self.place(following) if following else Place("home")
            if order is not None and more is not None and order in more:
                place = more[order]()
                if place is not None:
                    return place
            elif order is not None and order != "lang":
                self.out.say(self.say("plain.not_here", word=typed.strip().removeprefix(":")))
            if order is None:
                try:
                    return self.place(typed)
                except course.UnknownId as error:
                    self.unknown(error)
                except course.UnknownVariant as error:
                    self.out.say(say("verdicts.invalid-variant-unknown", self.lang, variant=error.variant))

    def unknown(self, error: course.UnknownId) -> None:
        """Say that an id does not exist."""
        from tutor.commands.places import unknown_id

        self.out.say(unknown_id(error.text, error.close).text(self.lang))

    def place(self, text: str) -> Place:
        """The place that an id names. Raises ``UnknownId`` or ``UnknownVariant``."""
        found = course.resolve(text)
        if found.kind in ("exercise", "part"):
            course.exercise(found.id if found.kind == "exercise" else found.id.rpartition("/")[0])
        if found.kind == "lesson":
            return Place("lesson", found.id)
        if found.kind == "part":
            return Place("exercise", found.id.rpartition("/")[0], part=found.id)
        if found.kind == "exercise":
            return Place("exercise", found.id, part=self.session.first_open(found.id) or "")
        if found.kind == "level":
            level = next(level for track in course.index().tracks for level in track.levels if level.id == found.id)
            waiting = (entry.id for entry in level.exercises if not self.session.results(entry.id).done)
            return self.place(next(waiting, level.exercises[0].id))
        return Place("home")


def home(reader: Reader) -> Place:
    """The course in lines, and where the reader may go on."""
    reader.session.set_place(Place("home"))
    for track in course.index().tracks:
        reader.out.say(f"\n{track.title[reader.lang]}: {track.about[reader.lang]}\n")
        for lesson in track.lessons:
            reader.out.say(f"  {lesson.id}: {lesson.title[reader.lang]}")
        for level in track.levels:
            seen = reader.session.results(level.id)
            count = reader.say("plain.solved", solved=seen.solved, of=len(seen.parts))
            reader.out.say(f"\n  {level.id}: {level.title[reader.lang]}, {count}")
            for exercise in level.exercises:
                here = reader.session.results(exercise.id)
                reader.out.say(f"    {exercise.id}: {exercise.title[reader.lang]}, {here.solved}/{len(here.parts)}")
    reader.out.say()
    fresh = not reader.session.progress.states("core")
    return reader.choose("core/C0" if fresh else reader.session.next_unsolved())


def run(session: Session, terminal: Terminal, place: Place | None) -> int:
    """Study until the reader stops. Everything answered is on the disk by then."""
    from tutor.plain import exercise, lesson

    visits = {"home": lambda reader, _: home(reader), "lesson": lesson.visit, "exercise": exercise.visit}
    reader = Reader(session, terminal)
    reader.notices()
    reader.out.say(reader.say("plain.welcome", help=word("help", reader.lang), quit=word("quit", reader.lang)))
    here = place or session.resume() or Place("home")
    try:
        while True:
            try:
                here = visits[here.screen](reader, here)
            except Leave as leave:
                here = leave.place
    except (Quit, EOFError):
        _farewell(reader)
        return 0
    except KeyboardInterrupt:
        terminal.say()
        _farewell(reader)
        raise


def _farewell(reader: Reader) -> None:
    """The place is said to be kept only where it is."""
    kept = reader.session.save()
    reader.out.say(reader.say("plain.bye" if kept else "plain.bye_unkept"))
    if kept:
        reader.notices()
