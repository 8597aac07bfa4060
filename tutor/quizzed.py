"""What a quiz says in words, for the app and for plain lines: to an answer, and when it comes back.

The sheet at its end is told by :mod:`tutor.quizsheet`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from content import address, course
from content.cards import scope
from content.fill import fill
from content.lang import LANGS, Lang
from content.markup import plain
from content.words import has, say

if TYPE_CHECKING:
    from content.quiz.model import Item, Question
    from tutor.progress import Grade, Memory
    from tutor.revision.model import Answered, Due, Graded, Line, Wanted
    from tutor.revision.run import Run
    from tutor.revision.schedule import Plan
    from tutor.session import Session

MONTH_DAYS: Final = 30
"""From twice as many days on, an interval is told in months."""


# --- to an answer ---------------------------------------------------------------------------------------------------


def message(answered: Answered, lang: Lang) -> str:
    """What to say to a typed answer, in the small markup; nothing where there was none to judge."""
    if answered.checked is not None:
        return answered.checked.message(lang)
    if answered.verdict is None:
        return ""
    from content.quiz import questions

    return questions.message(answered.question, answered.verdict, lang)


def grade_name(grade: Grade, lang: Lang) -> str:
    """A grade by its name."""
    return say(f"quiz.grade.{grade}.name", lang)


def reasons(graded: Graded, lang: Lang) -> str:
    """Why a grade: "right, no hint, your usual pace"."""
    return say("quiz.and_so", lang).join(say(f"quiz.reason.{reason}", lang) for reason in graded.reasons)


def outcome(answered: Answered, session: Session, lang: Lang) -> str:
    """The grade of an answer, why, and when the question comes back; nothing where none was given."""
    graded, memory = answered.graded, answered.memory
    if graded is None:
        return ""
    grade, led = grade_name(graded.grade, lang), comes_back(memory, session, lang) if memory is not None else ""
    if "overruled" in graded.reasons and led:
        return say("quiz.overruled", lang, grade=grade, led=led)
    if not led:
        return say("quiz.graded_short", lang, grade=grade, reasons=reasons(graded, lang))
    return say("quiz.graded", lang, grade=grade, reasons=reasons(graded, lang), led=led)


def leech(answered: Answered, lang: Lang) -> str:
    """That a question keeps slipping away, with the lesson that is worth more than another try; else nothing."""
    id, memory = lesson_of(answered.question), answered.memory
    if not answered.leech or memory is None or not id:
        return ""
    return say("quiz.leech", lang, n=memory.lapses, lesson=lesson_name(id, lang))


def lesson_of(question: Question) -> str:
    """Id of the lesson that explains a question, "" for none."""
    return question.item.lesson or (question.exercise.lesson if question.exercise is not None else "")


def section_of(question: Question) -> str:
    """The section of that lesson which teaches what the question is about; "" for its first page.

    The first of its concepts that this very lesson teaches: another one is taught elsewhere, and only used here.
    """
    from content.quiz import concepts

    own = (concepts.taught_at(concept) for concept in question.item.concepts)
    return next((section for lesson, section in own if lesson == lesson_of(question)), "")


def lesson_name(id: str, lang: Lang) -> str:
    """A lesson by its title, with its id."""
    return f"{course.shipped().lesson_entry(id).title[lang]} ({id})"


def slip_gone(answered: Answered, lang: Lang) -> str:
    """That the slip which a question is about did not happen this time; nothing where it took a second try."""
    item, graded = answered.question.item, answered.graded
    if item.kind != "slip" or graded is None or "right" not in graded.reasons:
        return ""
    name = slip_name(item.source, lang)
    return say("quiz.slip.gone", lang, slip=name) if name else ""


def slip_name(slip: str, lang: Lang) -> str:
    """A slip in words; "" for one that this version does not know."""
    key = f"slips.{slip}.name"
    return say(key, lang) if slip.isprintable() and "." not in slip and has(key) else ""


def solution(question: Question, asked: Run, lang: Lang) -> tuple[str, ...]:
    """The worked solution line by line, or a card's answer; a part then counts as shown. Nothing in a test."""
    if question.card is not None:
        return (plain(fill(question.card.back[lang], lang, scope(question.card))),)
    found = asked.solution()
    return (*found.working, plain(found.text)) if found is not None else ()


# --- when it comes back ---------------------------------------------------------------------------------------------


def comes_back(memory: Memory, session: Session, lang: Lang) -> str:
    """When a question comes back, as a clause: "comes back in 11 days"."""
    if memory.again_at is not None:
        left = max(round((memory.again_at - session.clock()).total_seconds() / 60), 1)
        return say("quiz.led.minute" if left == 1 else "quiz.led.minutes", lang, n=left)
    return back_on(session.revision.due_day(memory), session.revision.today, lang)


def back_on(due: date, today: date, lang: Lang) -> str:
    """When something comes back whose day is known: "comes back tomorrow"."""
    days = (due - today).days
    if days <= 1:
        return say("quiz.led.today" if days <= 0 else "quiz.led.tomorrow", lang)
    if days >= 2 * MONTH_DAYS:
        return say("quiz.led.months", lang, n=round(days / MONTH_DAYS))
    return say("quiz.led.days", lang, n=days)


def when(day: date, today: date, lang: Lang) -> str:
    """When something is due, in a word or two: "now", "today" where its minutes are not over, "in 9 days"."""
    days = (day - today).days
    if days < 2:
        return say("quiz.when.now" if days <= 0 else "quiz.when.tomorrow", lang)
    if days >= 2 * MONTH_DAYS:
        return say("quiz.when.months", lang, n=round(days / MONTH_DAYS))
    return say("quiz.when.days", lang, n=days)


def right_answer(line: Line, lang: Lang) -> str:
    """The right answer to a question that was asked; nothing where it was given, or cannot be said in a line."""
    from content.quiz import questions

    if not line.reached or line.right:
        return ""
    part = address.plain(line.place) if line.item.kind == "slip" else ""
    return questions.answer_shown(questions.question(line.item, line.variant, part), lang)


def day(when: date | datetime) -> str:
    """A day as the tables show it."""
    return f"{when:%Y-%m-%d}"


def duration(seconds: float) -> str:
    """A time as a clock on the wall gives it: "4 min 20 s", "45 s"; the same in both languages."""
    minutes, rest = divmod(int(max(seconds, 0.0)), 60)
    return " ".join(filter(None, (f"{minutes} min" if minutes else "", f"{rest} s" if rest or not minutes else "")))


# --- before a question, and before a quiz ---------------------------------------------------------------------------


def intro(question: Question, session: Session, lang: Lang) -> str:
    """Why a slip is asked about: where it was once made. Nothing for other questions."""
    if question.item.kind != "slip":
        return ""
    from content.quiz import questions

    places = session.progress.slip_places(question.item.source)
    return questions.intro(question, address.plain(places[-1]) if places else "", lang)


def place(wanted: Wanted, lang: Lang) -> str:
    """What a quiz is about: the level or track by its title, else the mode by its name."""
    for track in course.index().tracks:
        for level in track.levels:
            if level.id == wanted.level:
                return f"{level.id.rpartition('/')[2]} {level.title[lang]}"
        if track.id == wanted.track:
            return track.title[lang]
    return say(f"quiz.mode.{wanted.mode}.name", lang)


def backlog(due: Due, offered: int, session: Session, lang: Lang) -> Iterator[str]:
    """Of more than one session can hold: how much waits, how much comes now, and why in this order; else nothing."""
    if due.items <= offered:
        return
    memories = session.revision.memories
    away = (session.revision.today - max(memory.day for memory in memories.values())).days if memories else 0
    yield say("quiz.backlog" if away > 1 else "quiz.backlog_one", lang, n=due.items, days=away, offered=offered)
    yield say("quiz.backlog_why", lang)


def waiting(due: Due, lang: Lang) -> str:
    """What waits, in a few words: "14 due, 3 new, about 9 min"; of a backlog "36 due, 8 of them now, about 6 min"."""
    items, new = due.items, due.new
    pieces = [say("quiz.due.one" if items == 1 else "quiz.due.many", lang, n=items)] if items or not new else []
    pieces += [say("quiz.due.offered", lang, n=due.offered)] if due.offered < items else []
    pieces += [say("quiz.due.with_new", lang, new=new)] if new else []
    pieces += [say("quiz.due.minutes", lang, minutes=due.minutes)] if due.minutes else []
    return ", ".join(pieces)


def nothing(asked: Run, session: Session, lang: Lang) -> str:
    """Why a quiz asks nothing."""
    wanted = asked.wanted
    if wanted.level or wanted.track:
        return say("quiz.due.none_level", lang)
    if wanted.mode == "weak" and session.revision.memories:
        return say("quiz.due.none_weak", lang)
    return none_due(asked.offered, session, lang)


def none_due(due: Due, session: Session, lang: Lang) -> str:
    """That nothing is due now, and when something will be."""
    if not session.revision.memories:
        return say("quiz.empty", lang)
    if due.next is None:
        return say("quiz.due.none_ever", lang)
    days = (due.next - session.revision.today).days
    return say("quiz.due.none_tomorrow" if days <= 1 else "quiz.due.none_days", lang, n=days)


def about_mastery(plan: Plan, answered: int, lang: Lang) -> str:
    """What mastery is, for the day that it speaks of; and stability, once there is an answer that has one."""
    from tutor.revision import mastery

    about = say("quiz.mastery.about_exam" if mastery.horizon(plan) == plan.exam else "quiz.mastery.about", lang)
    return f"{about} {say('quiz.mastery.stability', lang)}" if answered else about


def concept_names(id: str) -> tuple[str, ...]:
    """The names of a concept, one for each language."""
    return tuple(concept(id, lang) for lang in LANGS)


def concept(id: str, lang: Lang) -> str:
    """A concept by its name."""
    return say(f"quiz.concept.{id}", lang)


def heading(item: Item, lang: Lang) -> str:
    """What stands over a question: where it is from, or what kind it is where its name would say it twice."""
    return say(f"quiz.kind.{item.kind}.name", lang) if item.kind in ("card", "slip") else name(item, lang)


def name(item: Item, lang: Lang) -> str:
    """An item as lists show it."""
    from content.quiz import questions

    return questions.name(item, lang)
