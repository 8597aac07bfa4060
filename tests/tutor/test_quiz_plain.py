"""A quiz in lines: what is said, what is understood, and what stays."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from content import checking, course, fill
from content.lang import LANGS, Lang
from content.quiz.model import Question
from content.words import say
from tutor.plain import quiz
from tutor.plain.carding import numbers
from tutor.plain.grading import GRADES, grade_of
from tutor.plain.orders import QUIZ, WORDS, order_of
from tutor.plain.terminal import Terminal
from tutor.progress import memory_progress, now
from tutor.revision.model import Wanted
from tutor.revision.run import Run
from tutor.session import Session
from tutor.settings import Settings

KV, BATCH = "core/L2.1/kv", "core/L2.2/batch"


class Quizzed:
    """A session in memory, and quizzes on it in lines."""

    def __init__(self, lang: Lang = "en") -> None:
        self.session = Session(lang, Settings(), memory_progress(Path("none")))
        self.asked: Run

    def __call__(self, wanted: Wanted, *typed: str) -> str:
        """What is said while these lines are typed."""
        return self.by(wanted, io.StringIO("".join(f"{line}\n" for line in typed)))

    def by(self, wanted: Wanted, stdin: io.StringIO) -> str:
        """What is said to somebody who types."""
        out = io.StringIO()
        self.asked = self.session.revision.start(wanted)
        quiz.run(self.session, Terminal(stdin, out), self.asked)
        return out.getvalue()


class Learner(io.StringIO):
    """Types what a function says to the question at hand."""

    def __init__(self, quizzed: Quizzed, answer: Callable[[Question], str]) -> None:
        super().__init__()
        self._quizzed, self._answer = quizzed, answer
        self._lines = 0

    def readline(self, size: int | None = -1, /) -> str:
        self._lines += 1
        if self._lines > 2000:
            raise AssertionError(f"{self._quizzed.asked.current}: {self._answer(self._quizzed.asked.current)}")
        asked = self._quizzed.asked
        question = asked.current
        if question is None or asked.answered is not None:
            return "\n"
        return self._answer(question) + "\n"


def right(question: Question) -> str:
    """A right answer; of what is ticked, all of it."""
    if question.card is not None:
        return "all"
    assert question.part is not None
    if question.part.kind == "rubric":
        return "yes"
    if question.expect is not None:
        assert question.expect.value is not None
        return exact(question.expect.value, question.expect.unit)
    if question.part.kind == "order":
        letters = {option.id: option.letter for option in checking.shuffled_steps(question.part)}
        return " ".join(letters[id] for id in question.part.answer)
    return fill.answer_text(question.part)


def unknown(question: Question) -> str:
    """Not known, whatever it is."""
    return "pata nahi"


def exact(value: Fraction, unit: str) -> str:
    """A value as somebody types it who knows it to the last digit."""
    from engine import units

    of_unit = value / units.get(unit).factor
    return f"{of_unit.numerator}/{of_unit.denominator}" + ("" if unit in ("none", "x") else f" {unit}")


@pytest.fixture
def quizzed() -> Iterator[Quizzed]:
    made = Quizzed()
    yield made
    made.session.close()


def flat(text: str) -> str:
    return " ".join(text.split())


LEVEL2 = Wanted("level", level="core/L2", most=1)


# --- every question ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("level", [level.id for track in course.index().tracks for level in track.levels])
def test_every_item_of_a_level_can_be_answered_right(level: str, lang: Lang) -> None:
    quizzed = Quizzed(lang)
    said = quizzed.by(Wanted("level", level=level, most=200), Learner(quizzed, right))
    sheet = quizzed.asked.sheet()
    assert len(sheet.lines) == len(sheet.asked) > 10
    assert [line.item.id for line in sheet.lines if not line.right] == []
    assert say("quiz.sheet.right", lang, right=sheet.right, of=sheet.right) in flat(said)
    for trace in ("{", "**", "\x1b", "None"):
        assert trace not in said
    assert {line.item.kind for line in sheet.lines} >= {"part", "card"}


@pytest.mark.parametrize(
    ("level", "lang"),
    [
        (level.id, LANGS[number % 2])
        for number, level in enumerate(level for track in course.index().tracks for level in track.levels)
    ],
)
def test_every_item_of_a_level_can_be_given_up(level: str, lang: Lang) -> None:
    quizzed = Quizzed(lang)
    typed = iter(["[/b] \x1b[31m {x} ' \"", "hint", "repeat", "lesson", "grade", "pata nahi"] * 500)

    def hostile(question: Question) -> str:
        return next(typed)

    said = quizzed.by(Wanted("level", level=level, most=200), Learner(quizzed, hostile))
    sheet = quizzed.asked.sheet()
    assert len(sheet.lines) == len(sheet.asked) > 10
    assert "\x1b" not in said
    grades = {line.graded.grade for line in sheet.lines if line.graded is not None and line.item.kind != "card"}
    assert grades <= {"again", "hard"}


# --- one question -----------------------------------------------------------------------------------------------------


def test_the_verdict_comes_first_then_the_grade_in_one_sentence(quizzed: Quizzed) -> None:
    said = quizzed(LEVEL2, "hint", "nonsense", "", "1 GB", "", "", "quit")
    order = [
        "Question 1 of 1: L2.1 KV cache",
        "How many GB does the KV cache take?",
        "Hint 1 of 3",
        "is not known here",
        "Not yet" if "Not yet" in said else "GB",
        "Again: ",
        "Another try, or Enter for the solution",
        "kv_cache = ",
        "Enter goes on; grade again, hard, good or easy overrules",
        "How it went",
        "0 of 1 right at the first answer",
    ]
    places = [said.find(piece) for piece in order]
    assert places == sorted(places) and -1 not in places, list(zip(order, places, strict=True))


def test_a_further_try_is_the_learners_own_affair(quizzed: Quizzed) -> None:
    answers = iter(["1 GB", "2 GB"])
    tries: list[str] = []

    class Trying(Learner):
        def readline(self, size: int | None = -1, /) -> str:
            asked = quizzed.asked
            if asked.current is None or (asked.answered is not None and asked.answered.stage == "settled"):
                return "quit\n"
            typed = next(answers, right(asked.current))
            tries.append(typed)
            return typed + "\n"

    said = quizzed.by(LEVEL2, Trying(quizzed, right))
    assert len(tries) == 3
    assert said.count("Again: ") == 1 and "Right: " in said
    [line] = quizzed.asked.sheet().lines
    assert (line.right, line.answer, line.graded and line.graded.grade) == (False, "1 GB", "again")
    assert [review.grade for review in quizzed.session.progress.reviews(line.item.id)] == ["again"]


@pytest.mark.parametrize("typed", ["grade easy", "easy", ":grade easy", "Grade  Easy"])
def test_a_grade_is_overruled_by_a_word(quizzed: Quizzed, typed: str) -> None:
    said = quizzed(LEVEL2, "grade good", "pata nahi", typed, "grade", "", "quit")
    assert "The grade comes with the answer" in said
    assert "Easy, as you say; comes back in" in said
    [review] = quizzed.session.progress.reviews(KV)
    assert (review.grade, review.proposed) == ("easy", "again")
    assert quizzed.asked.answered is None or quizzed.asked.answered.graded is not None


def test_what_names_no_grade_says_how(quizzed: Quizzed) -> None:
    said = flat(quizzed(LEVEL2, "pata nahi", "grade superb", "12 GB", "", "quit"))
    assert "You know better? Type one of: grade again, grade hard, grade good, grade easy." in said
    assert "This one is done. Enter goes on" in said
    assert [one.grade for one in quizzed.session.progress.reviews(KV)] == ["again"]


def test_skipping_leaves_no_grade(quizzed: Quizzed) -> None:
    for word in ("skip", "chhodo", "next"):
        assert "Passed over, without a grade." in quizzed(LEVEL2, word, "quit")
    assert quizzed.session.progress.reviews("") == quizzed.session.progress.reviews(KV)
    assert not quizzed.session.progress.reviews(KV)


@pytest.mark.parametrize("typed", ["solution", "pata nahi", "I don't know.", "idk", "mujhe nahi pata"])
def test_not_knowing_shows_the_solution_at_once(quizzed: Quizzed, typed: str) -> None:
    said = quizzed(LEVEL2, typed, "", "quit")
    assert "Again: you did not know it; comes back in 10 minutes." in said
    assert "kv_cache = 2" in said


def test_what_was_not_known_is_asked_once_more(quizzed: Quizzed) -> None:
    said = quizzed(LEVEL2, "pata nahi", "", "pata nahi", "", "pata nahi", "")
    assert said.count("Question 1 of 1") == 1 and said.count("Once more, 1 left: L2.1 KV cache") == 2


def test_the_language_changes_in_the_middle(quizzed: Quizzed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    said = quizzed(LEVEL2, "lang", "pata nahi", "lang", "", "quit")
    assert "Ab Hinglish mein." in said and "tumhe pata nahi tha; 10 minute mein wapas aayega" in said
    assert "Now in English." in said and "How it went" in said


@pytest.mark.parametrize("lang", LANGS)
def test_help_lists_every_word_with_what_it_does_here(lang: Lang) -> None:
    said = Quizzed(lang)(LEVEL2, "help", "quit")
    for order in QUIZ:
        assert f"  {WORDS[order][0 if lang == 'en' else 1]}: " in said
    assert say("cli.quiz.order.grade", lang) in flat(said)
    assert say("cli.plain.order.variant", lang) not in flat(said)


def test_a_slip_can_be_picked_and_becomes_an_item(quizzed: Quizzed) -> None:
    class Half(Learner):
        def readline(self, size: int | None = -1, /) -> str:
            asked = quizzed.asked
            if asked.current is None or asked.current.item.id != KV:
                return "quit\n"
            if asked.answered is None:
                assert asked.current.part is not None
                value = Fraction(1)
                for symbol in ("B", "S", "L", "d_model", "p"):
                    value *= asked.current.part.given[symbol]
                return f"{float(value) / 1e9:.4g} GB\n"
            return "b\n" if not picked and not picked.append("b") else "quit\n"  # type: ignore[func-returns-value]

    picked: list[str] = []
    said = quizzed.by(LEVEL2, Half(quizzed, right))
    assert "  b) " in said
    assert [slip.slip for slip in quizzed.session.progress.slips()] == ["kv-p-one"] or picked
    assert any("/slip/" in item for item in quizzed.session.revision.memories)


def test_a_slip_of_ones_own_is_introduced(quizzed: Quizzed) -> None:
    quizzed.session.check(BATCH, "1.28 GB")
    made = [item for item in quizzed.session.revision.memories if "/slip/" in item]
    if not made:
        quizzed.session.check(KV, "8.59 GB")
        made = [item for item in quizzed.session.revision.memories if "/slip/" in item]
    assert made
    later = now() + timedelta(minutes=11)
    quizzed.session.clock = lambda: later
    said = flat(quizzed(Wanted("weak"), "pata nahi", "", "pata nahi", "", "pata nahi", "", "quit"))
    assert "A slip of yours" in said and ": your slip" in said


# --- cards ------------------------------------------------------------------------------------------------------------


CARDS = Wanted("due", most=2)


def read_a_lesson(session: Session) -> None:
    from tutor import coursemap

    for section in course.lesson("core/C1").sections:
        coursemap.saw(session, "core/C1", section.id)


def test_a_card_is_turned_and_its_ideas_are_counted(quizzed: Quizzed) -> None:
    read_a_lesson(quizzed.session)
    said = quizzed(CARDS, "memory, it reads the weights", "", "grade easy", "", "", "9", "1 x", "1, 3", "", "quit")
    for piece in (
        "4 new", "Question 1 of 2: card", "Answer: Memory bandwidth.",
        "1. memory bandwidth is the limit: in your answer",
        "3. it reads the K and V of every running request too: not found",
        "2 of 3 ideas.", "Hard: most ideas were there;", "Easy, as you say;", "Type numbers from 1 to 3",
        "2 of 2 right at the first answer",
    ):  # fmt: skip
        assert piece in flat(said), piece
    assert [line.item.kind for line in quizzed.asked.sheet().lines] == ["card", "card"]


def test_a_card_can_be_given_up_skipped_and_looked_at_again(quizzed: Quizzed) -> None:
    read_a_lesson(quizzed.session)
    said = flat(quizzed(CARDS, "hint", "variant", "pata nahi", "solution", "repeat", "lesson", "", "skip", "quit"))
    assert "A question of this kind has no hints." in said and "That makes no sense in a quiz" in said
    assert said.count("Answer: Memory bandwidth.") == 3 and said.count("What limits decode at a small") == 4
    assert "`llm-tutor study core/C1` opens it." in said and "Passed over" in said


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("1 3", {1, 3}),
        ("1,3", {1, 3}),
        ("1 aur 3", {1, 3}),
        ("all", {1, 2, 3}),
        ("sab", {1, 2, 3}),
        ("none", set()),
        ("koi nahi", set()),
        ("0", set()),
        ("4", None),
        ("1 x", None),
        ("-1", None),
        ("", None),
        ("१", None),
        ("1" * 500, None),
    ],
)
def test_ideas_are_named_by_their_numbers(typed: str, wanted: set[int] | None) -> None:
    assert numbers(typed, 3) == (None if wanted is None else frozenset(wanted))


# --- a test -----------------------------------------------------------------------------------------------------------


def test_a_test_tells_nothing_before_its_end(quizzed: Quizzed) -> None:
    wanted = Wanted("test", level="core/L2", most=3, minutes=10)
    said = quizzed.by(wanted, Learner(quizzed, lambda question: "123457"))
    before, _, after = said.partition("Result of the test")
    assert "3 questions, 10 minutes." in before and before.count("Noted.") == 3
    for told in ("Right", "Not yet", "Again", "comes back"):
        assert told not in before
    assert "left)" in before and "you wrote: 123457" in after and "Enter for solution 3 of 3" in after
    assert "of 10 min" in flat(after)


def test_a_test_gives_no_help(quizzed: Quizzed) -> None:
    wanted = Wanted("test", level="core/L2", most=1, minutes=10)
    said = flat(quizzed(wanted, "hint", "pata nahi", "foo", "", "quit"))
    assert "A test has no hints." in said and "Noted." in said
    assert "The test is over: Enter shows a solution, quit ends." in said
    assert not any(letter in said.partition("Result")[0] for letter in ("= 2 ·", "Hint 1"))


def test_what_comes_after_the_bell_does_not_count(quizzed: Quizzed) -> None:
    class Late(Learner):
        def readline(self, size: int | None = -1, /) -> str:
            quizzed.asked._ticks = lambda: quizzed.asked._began + 604
            return super().readline(size)

    said = flat(quizzed.by(Wanted("test", level="core/L2", most=3, minutes=10), Late(quizzed, right)))
    assert "Time is up." in said and "No question was answered." in said
    assert not quizzed.session.revision.memories


# --- beginnings and ends ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_learnt_and_nothing_due_are_told(lang: Lang) -> None:
    quizzed = Quizzed(lang)
    assert say("quiz.empty", lang) in flat(quizzed(Wanted()))
    quizzed(LEVEL2, "pata nahi", "grade easy", "quit")
    quizzed.by(Wanted(), Learner(quizzed, right))  # what is new comes with what is due
    said = flat(quizzed(Wanted()))
    assert not quizzed.asked.sheet().lines
    assert say("quiz.due.none_tomorrow", lang).partition(".")[0] in said
    assert say("cli.quiz.nothing_else", lang) in said


def test_a_backlog_is_offered_in_pieces_and_says_so(quizzed: Quizzed) -> None:
    quizzed.by(Wanted("level", level="core/L2", most=40), Learner(quizzed, right))
    later = now() + timedelta(days=90)
    quizzed.session.clock = lambda: later
    quizzed.session.settings = quizzed.session.settings._replace(quiz_count=3)
    said = flat(quizzed(Wanted(), "quit"))
    due = quizzed.asked.offered
    assert due.items > 3 == due.offered
    assert say("quiz.backlog", "en", n=due.items, days=90, offered=3) in said
    assert "Nothing is lost." in said and "Question 1 of 3" in said


def test_what_keeps_slipping_away_names_its_lesson(quizzed: Quizzed) -> None:
    start = now()
    for n in range(5):  # known, then forgotten, again and again
        for hours in (0, 30):
            moment = start + timedelta(days=40 * n, hours=hours)
            quizzed.session.clock = lambda moment=moment: moment  # type: ignore[misc]
            quizzed.by(LEVEL2, Learner(quizzed, unknown if hours == 0 and n else right))
    moment = start + timedelta(days=400)
    quizzed.session.clock = lambda: moment
    said = flat(quizzed(LEVEL2, "pata nahi", "quit"))
    assert "keeps slipping away" in said and "(core/C2)" in said


def test_ctrl_c_says_the_sheet_and_goes_on_upward(quizzed: Quizzed) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            if quizzed.asked.answered is None:
                return "pata nahi\n"
            raise KeyboardInterrupt

    out = io.StringIO()
    quizzed.asked = quizzed.session.revision.start(LEVEL2)
    with pytest.raises(KeyboardInterrupt):
        quiz.run(quizzed.session, Terminal(Interrupted(), out), quizzed.asked)
    assert "0 of 1 right at the first answer" in out.getvalue()
    assert [one.grade for one in quizzed.session.progress.reviews(KV)] == ["again"]


def test_words_of_a_quiz_are_no_answers() -> None:
    for answer in ("easy way", "hard", "again", "good", "yes", "haan", "nahi", "pata", "grade hard"):
        assert order_of(answer) is None
    assert [order_of(text) for text in ("Pata nahi", "pata nahi.", "don’t know", "grade")] == [
        "solution", "solution", "solution", "grade",
    ]  # fmt: skip
    assert [grade_of(f"grade {grade}") for grade in GRADES] == list(GRADES)
    assert [grade_of(text) for text in ("grade", "", "grade 5", "hardly", "grade hard easy")] == [None] * 5
