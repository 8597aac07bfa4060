"""The reader's way through plain study: home, lessons, exercises, until `quit` or the end of the input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from content import course
from content.words import counted, say
from tutor import coursemap, nextup
from tutor.nextup import Now, Step
from tutor.plain.orders import Order, word
from tutor.plain.reader import Quit, Reader
from tutor.plain.terminal import Terminal
from tutor.progress import Place, ProgressProblem
from tutor.session import Session


class Leave(Exception):
    """The reader goes elsewhere from inside a part."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


class Student(Reader):
    """A reader who finds the way through the course."""

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
            if order == "quiz":
                self._quiz()
            elif order is not None and more is not None and order in more:
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

    def _quiz(self) -> None:
        """What is due, asked between two exercises."""
        from tutor.plain import quiz
        from tutor.revision.model import Wanted

        quiz.within(self.session, self.out, self.session.revision.start(Wanted()))

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


def home(reader: Student) -> Place:
    """The course in lines, and where the reader may go on."""
    reader.session.set_place(Place("home"))
    for track in course.index().tracks:
        reader.out.say(f"\n{track.title[reader.lang]}: {track.about[reader.lang]}\n")
        for lesson in track.lessons:
            reader.out.say(f"  {lesson.id}: {lesson.title[reader.lang]}")
        for level in track.levels:
            seen = reader.session.results(level.id)
            count = reader.say("plain.solved", solved=seen.solved, parts=counted("parts", len(seen.parts), reader.lang))
            reader.out.say(f"\n  {level.id}: {level.title[reader.lang]}, {count}")
            for exercise in level.exercises:
                here = reader.session.results(exercise.id)
                reader.out.say(f"    {exercise.id}: {exercise.title[reader.lang]}, {here.solved}/{len(here.parts)}")
    _revise(reader)
    following = _following(reader.session)
    if following.kind == "begin":
        reader.out.say(f"\n{reader.say('plain.new_here')}")
    elif following.kind == "placed":
        reader.out.say(f"\n{reader.say('plain.placed', id=following.id)}")
    reader.out.say()
    return reader.choose(following.id or None)


def _following(session: Session) -> Step:
    """The one thing to do next, as home in the app says it; the list itself is no place to go on from."""
    known = coursemap.states(session)
    return nextup.step(Now(known, placed=nextup.placed(session)))


def _revise(reader: Student) -> None:
    """What waits to be revised, where anything does."""
    from tutor import quizzed

    with suppress(ProgressProblem):  # whoever answers is told
        due = reader.session.revision.due()
        if due.offered:
            told = quizzed.waiting(due, reader.lang)
            reader.out.say(f"\n{reader.say('plain.revise', waiting=told, word=word('quiz', reader.lang))}")


def run(session: Session, terminal: Terminal, place: Place | None) -> int:
    """Study until the reader stops. Everything answered is on the disk by then."""
    from tutor.plain import exercise, lesson

    visits = {"home": lambda reader, _: home(reader), "lesson": lesson.visit, "exercise": exercise.visit}
    reader = Student(session, terminal)
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
        farewell(reader)
        return 0
    except KeyboardInterrupt:
        terminal.say()
        farewell(reader)
        raise


def farewell(reader: Reader) -> None:
    """The place is said to be kept only where it is."""
    kept = reader.session.save()
    reader.out.say(reader.say("plain.bye" if kept else "plain.bye_unkept"))
    if kept:
        reader.notices()
