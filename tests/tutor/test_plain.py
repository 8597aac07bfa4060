"""Plain study as a pipe sees it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from content import checking, course, fill, verdicts_read, verdicts_wrong
from content.lang import LANGS, Lang
from content.schema import Part
from content.words import counted, say
from tutor import cli, letters, variants
from tutor.commands.study import drawable
from tutor.plain.announcing import announced
from tutor.plain.orders import WORDS, order_of
from tutor.plain.terminal import WIDTH, Terminal
from tutor.progress import Place, memory_progress
from tutor.session import Session
from tutor.settings import Settings


class Plain:
    """Types lines into plain study and returns what it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *typed: str, argv: tuple[str, ...] = ()) -> str:
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert cli.run(argv) == 0
        said = self._capsys.readouterr()
        assert said.err == ""
        return said.out


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Plain:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return Plain(monkeypatch, capsys)


def study(*words: str) -> tuple[str, ...]:
    return ("study", *words, "--plain")


def test_without_a_terminal_it_is_plain_and_ends_with_its_input(plain: Plain) -> None:
    said = plain()
    assert "core/C0" in said
    assert "core/L5.1b" in said
    assert said.endswith("Your place is kept. Until next time.\n")
    assert "\x1b" not in said


def test_a_first_walk(plain: Plain) -> None:
    said = plain("0.537 GB", "hint", "[/b]", "1.07 GB", argv=study("core/L2.1"))
    for piece in ("(core/L2.1/kv)", "Exactly half.", "Hint 1 of 3", "Right: 1.07 GB.", "1 of 1 part solved"):
        assert piece in said
    assert "Your answer (GB): 0.537 GB\n" in said, "a transcript shows what was typed"


def test_it_resumes_at_the_part(plain: Plain) -> None:
    plain("26 GB", "quit", argv=study("core/L2.3"))
    assert "(core/L2.3/int8)" in plain()
    assert "(core/L2.3/fp16)" not in plain()


def test_a_named_part_is_asked_again(plain: Plain) -> None:
    plain("1.07 GB", argv=study("core/L2.1"))
    assert "Right: 1.07 GB." in plain("1.07 GB", argv=study("core/L2.1/kv"))


def test_solution_and_skip_leave_the_part(plain: Plain) -> None:
    said = plain("solution", "solution", "skip", argv=study("core/L2.3"))
    assert "26 GB" in said
    assert "does not count as solved" in said
    assert "Skipped." in said
    states = Session.start().progress.states()
    assert (states["core/L2.3/fp16"].status, states["core/L2.3/int8"].status) == ("shown", "skipped")


def test_the_language_changes_in_place_and_stays(plain: Plain) -> None:
    said = plain("lang", "0.537", argv=study("core/L2.1"))
    assert "Ab Hinglish mein." in said
    assert "Bilkul aadha aaya." in said
    assert "Tumhari jagah yaad rakhi hai" in plain()


def test_a_lesson_is_read_section_by_section_to_its_exercises(plain: Plain) -> None:
    said = plain(*[""] * 40, "quit", argv=study("core/C2"))
    assert "section 1 of" in said
    assert "core/L2.1" in said
    stopped = plain("", "", "quit", argv=study("core/C3"))
    assert "section 3 of" in stopped
    assert "section 3 of" in plain("quit"), "resumes at the section"


def test_one_step_back_and_elsewhere(plain: Plain) -> None:
    said = plain("", "back", "list", "core/L2.1", "lesson", "quit", argv=study("core/C2"))
    assert said.count("section 1 of") >= 2
    assert "(core/L2.1/kv)" in said


def test_an_unknown_id_is_told_and_asked_again(plain: Plain) -> None:
    assert "The closest are: core/L2.1" in plain("core/L2.11", "quit", argv=())


@pytest.mark.parametrize("lang", LANGS)
def test_every_exercise_can_be_walked_through_by_its_solutions(plain: Plain, lang: str) -> None:
    from content.course import index

    for track in index().tracks:
        for exercise in track.exercises:
            parts = len(exercise.parts)
            said = plain("hint", *["solution"] * 2 * parts, "quit", argv=("--lang", lang, *study(exercise.id)))
            every = counted("parts", parts, lang)  # type: ignore[arg-type]
            assert say("cli.plain.results", lang, id=exercise.id, solved=0, parts=every) in said  # type: ignore[arg-type]
            assert "{" not in said


@pytest.mark.parametrize("lang", LANGS)
def test_every_lesson_can_be_read(plain: Plain, lang: str) -> None:
    for number in range(7):
        said = plain(*["next"] * 20, "quit", argv=("--lang", lang, *study(f"core/C{number}")))
        assert say("cli.plain.lesson_end", lang) in said  # type: ignore[arg-type]
        assert "**" not in said


def test_words_kinds_are_answered_with_letters(plain: Plain) -> None:
    said = plain("prefill compute", "memory decode", argv=study("core/L1.1"))
    assert "(core/L1.1/c)" in said


def test_an_explanation_is_marked_by_its_writer(plain: Plain) -> None:
    said = plain("It waits for arithmetic.", "yes", "no", "yes", "haan", argv=study("core/L3.3/explain"))
    assert "3 of 4 points" in said


def test_a_solution_asks_first(plain: Plain) -> None:
    said = plain("solution", "no", "1.07 GB", argv=study("core/L2.1"))
    assert "The solution stays hidden." in said
    assert Session.start().progress.state("core/L2.1/kv").status == "solved"
    said = plain("solution", "haan", argv=study("core/L2.2"))
    assert "does not count as solved" in said
    assert Session.start().progress.state("core/L2.2/batch").status == "shown"
    assert "stays hidden" not in plain("solution", argv=study("core/L2.1/kv")), "nothing is at stake any more"


def reasoned() -> Part:
    """A yes or no with reasons."""
    return next(
        part
        for track in course.index().tracks
        for entry in track.exercises
        for part in course.exercise(entry.id).parts
        if part.reasons
    )


def test_a_reason_is_judged_with_a_second_try(plain: Plain) -> None:
    part = reasoned()
    right = next(option.letter for option in part.reasons if option.id == part.reason)
    wrong = [option.letter for option in part.reasons if option.id != part.reason]
    yes = part.answer[0]
    told = "the reason is another one."
    other = next(option for option in part.reasons if option.letter == wrong[0])
    assert other.but is not None
    said = plain(yes, right, argv=study(part.id))
    assert "Right, and for the right reason." in said and told not in said
    said = plain(yes, "?!", wrong[0], right, argv=study(part.id))
    assert said.count(told) == 1 and "Right, and for the right reason." in said
    assert other.but.en in " ".join(said.split()), "what the picked one gets wrong"
    said = plain(yes, wrong[0], wrong[0], argv=study(part.id))
    assert said.count(told) == 1 and "The verdict is right; the reason is:" in said
    attempts = Session.start().progress.attempts(part.id)
    assert [len(one.reasons) for one in attempts] == [1, 2, 2]


def test_notes_are_headed_as_in_the_app(plain: Plain) -> None:
    part = next(
        part
        for track in course.index().tracks
        for entry in track.exercises
        for part in course.exercise(entry.id).parts
        if part.nuances
    )
    assert f"{say('app.exercise.nuance', 'en')}: " in plain("solution", "solution", argv=study(part.id))
    assert f"{say('app.lesson.simplifies', 'en')}: " in plain(*["next"] * 20, argv=study("core/C2"))


@pytest.mark.parametrize("word", ["hint", "solution", "repeat", ":lesson"])
def test_an_order_that_does_not_apply_gets_a_sentence(plain: Plain, word: str) -> None:
    said = plain(word)
    assert f"{word.removeprefix(':')} makes no sense here" in said


def test_ctrl_c_keeps_the_place_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], plain: Plain
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    with pytest.raises(KeyboardInterrupt):
        cli.run(study("core/L2.1"))
    assert capsys.readouterr().out.endswith("\nYour place is kept. Until next time.\n")


def test_a_foreign_place_leads_to_the_list(plain: Plain) -> None:
    session = Session.start()
    session.set_place(Place("lesson", "core/L2.1"))
    session.close()
    assert "Enter for core/C0" in plain()


def test_a_place_that_could_not_be_kept_is_not_said_to_be(plain: Plain, tmp_path: Path) -> None:
    (tmp_path / "progress.sqlite3").mkdir()
    said = plain()
    assert "cannot be written" in " ".join(said.split())
    assert said.endswith("Until next time.\n") and "Your place is kept" not in said


def test_lines_are_short_enough_to_read(plain: Plain) -> None:
    said = plain(argv=study("core/L2.1"))
    assert max(map(len, said.splitlines())) <= WIDTH + 30


def test_a_pasted_megabyte_is_refused_in_a_sentence(plain: Plain) -> None:
    said = plain("9" * 10**6, "1.07 GB", argv=study("core/L2.1"))
    assert "Right: 1.07 GB." in said
    assert len(said) < 20_000
    assert Session.start().progress.state("core/L2.1/kv").attempts == 1


def test_no_order_is_an_answer() -> None:
    answers = ("a", "b", "yes", "no", "haan", "nahi", "kv", "idle", "prefill compute", "1", "next token")
    assert [order_of(answer) for answer in answers] == [None] * len(answers)
    assert order_of(" :QUIT ") == "quit"
    every = [word for words in WORDS.values() for word in set(words)]  # one order, perhaps one word in both languages
    assert len(every) == len(set(every))


def test_a_dumb_terminal_is_not_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", Screen())
    monkeypatch.setenv("TERM", "xterm")
    assert drawable()
    for name in ("dumb", "unknown"):
        monkeypatch.setenv("TERM", name)
        assert not drawable()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert not drawable()


def test_the_questions_of_a_lesson_are_asked_at_its_end(plain: Plain) -> None:
    said = " ".join(plain("skip", "cards", "", "", "back", "quit", argv=study("core/C1")).split())
    assert "Check yourself: 4 questions. Type cards to be asked." in said
    assert "question 1 of 4" in said
    assert "Memory-bound: the time goes into moving bytes" in said
    assert "question 3 of 4" in said
    assert "question 4 of 4" not in said


FIXED = next(entry.id for entry in course.index().tracks[0].exercises if not course.can_vary(course.exercise(entry.id)))
"""An exercise that has only its values as written."""


@pytest.mark.parametrize(("lang", "words"), [("en", ("variant", "original")), ("hi-Latn", ("naya", "asli"))])
def test_a_variant_is_asked_for_by_a_word_and_left_by_one(plain: Plain, lang: str, words: tuple[str, str]) -> None:
    fresh, back = words
    said = plain(fresh, fresh, back, back, "quit", argv=("--lang", lang, *study("core/L2.1")))
    places = ("(core/L2.1/kv)", "(core/L2.1@1/kv)", "(core/L2.1@2/kv)", "(core/L2.1/kv)")
    found = [line.rpartition(" ")[2] for line in said.splitlines() if "/kv)" in line]
    assert tuple(found) == places
    for number in (1, 2):
        assert variants.told(course.exercise(f"core/L2.1@{number}"), lang) in said  # type: ignore[arg-type]
    assert say("cli.plain.no_original", lang) in said  # type: ignore[arg-type]
    assert WORDS["variant"][0 if lang == "en" else 1] + ": " + say("cli.plain.order.variant", lang) in plain(  # type: ignore[arg-type]
        "help", argv=("--lang", lang, *study("core/L2.1"))
    )


def test_a_variant_is_opened_by_its_address_and_resumed(plain: Plain) -> None:
    drawn = course.exercise("core/L2.1@3")
    for argv in (study("core/L2.1@3"), study("l2.1@3/kv"), study("core/L2.1", "--variant", "3")):
        said = plain("quit", argv=argv)
        assert "(core/L2.1@3/kv)" in said and variants.told(drawn, "en") in said
    assert "(core/L2.1@3/kv)" in plain("quit"), "resumes in the variant"
    said = plain("nonsense@3", "L2.2@3000000", f"{FIXED}@3", "L2.1@4", "quit", argv=study("core/C1"))
    assert "(core/L2.1@4/kv)" not in said, "a lesson reads on"
    said = plain("skip", f"{FIXED}@3", "L2.1@4", "quit", argv=study("core/C1"))
    assert say("verdicts.invalid-variant-unknown", "en", variant=3) in " ".join(said.split())
    assert "(core/L2.1@4/kv)" in said


def test_an_exercise_that_cannot_vary_says_so(plain: Plain) -> None:
    assert say("cli.plain.no_variant", "en") in " ".join(plain("variant", argv=study(FIXED)).split())


def test_what_comes_after_offers_fresh_numbers(plain: Plain) -> None:
    said = plain("1.07 GB", "variant", "skip", "original", "quit", argv=study("core/L2.1"))
    assert "The same with fresh numbers: type variant." in said
    assert "core/L2.1@1: 0 of 1 part solved." in said
    assert "The same with the values as written: type original." in said
    assert said.count("(core/L2.1/kv)") == 2, "asked again though it is solved"
    assert "variant makes no sense here" in plain("list", "variant", argv=study("core/L2.1"))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("typed", ["a", "B)", "c"])
def test_which_slip_it_was_is_asked_and_a_letter_answers(plain: Plain, lang: str, typed: str) -> None:
    part = "core/L2.1/kv"
    verdict = checking.check_part(part, "0.537 GB")
    offered = verdicts_wrong.choices(part, verdict, lang)  # type: ignore[arg-type]
    said = plain("0.537 GB", "repeat", typed, "a", "quit", argv=("--lang", lang, *study("core/L2.1")))
    flat = " ".join(said.split())
    for choice in offered:
        assert said.count(f"  {choice.letter}) {choice.text}") == 2, "and again with the question"
    assert letters.how([choice.letter for choice in offered], lang) in flat  # type: ignore[arg-type]
    picked = next(choice for choice in offered if choice.letter == typed[0].lower())
    assert verdicts_wrong.settled(part, verdict, picked.slip, lang) in flat  # type: ignore[arg-type]
    attempts = Session.start().progress.attempts(part)
    assert [one.answer for one in attempts] == ["0.537 GB"], "a letter is no attempt, nor is one after the question"
    assert attempts[0].slips == ((picked.slip,) if picked.slip else verdict.slips)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("typed", ["kuch aur", "Something else", "second", "b wala"])
def test_what_cannot_be_read_leaves_the_question_open(plain: Plain, lang: Lang, typed: str) -> None:
    part = "core/L2.1/kv"
    verdict = checking.check_part(part, "0.537 GB")
    offered = letters.choices(part, verdict)
    said = plain("0.537 GB", "asdf", typed, "quit", argv=("--lang", lang, *study("core/L2.1")))
    for choice in offered:
        assert said.count(f"  {choice.letter}) {choice.text[lang]}") == 2, "they stand there again under the refusal"
    picked = offered[1] if typed in ("second", "b wala") else offered[-1]
    assert verdicts_wrong.settled(part, verdict, picked.id, lang) in " ".join(said.split())
    assert [one.answer for one in Session.start().progress.attempts(part)] == ["0.537 GB"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_pick_names_the_other_exercise_with_the_same_slip(plain: Plain, lang: Lang) -> None:
    slip = checking.check_part("core/L2.1/kv", "0.537 GB").slips[0]
    other = "core/L4.1/per_request"
    given = course.part(other)[1].given
    session = Session.start()
    session.check(other, f"{float(given['S'] * given['L'] * given['d_model'] * given['p']) / 1e9:.4g} GB")
    session.settle(other, slip)
    session.check(other, fill.answer_text(course.part(other)[1]))  # no evidence any more, but not forgotten
    session.close()
    said = " ".join(plain("0.537 GB", "a", "quit", argv=("--lang", lang, *study("core/L2.1"))).split())
    place = verdicts_read.place_text(other, lang)
    assert say("verdicts.slip-again", lang, name=say(f"slips.{slip}.name", lang), place=place) in said


def test_a_settled_slip_of_a_part_that_is_gone_is_named_by_its_id() -> None:
    part = "core/L2.1/kv"
    session = Session("en", Settings(), memory_progress(Path("none")))
    checked = session.check(part, "0.537 GB")
    settled = letters.settle(session, checked, checked.verdict.slips[0])
    assert settled.again is None
    assert "old/L9.9/x" in settled._replace(again="old/L9.9/x").message("en")
    assert letters.settle(session, checked, "").message("en") == say("verdicts.settled-other", "en")


@pytest.mark.parametrize("lang", LANGS)
def test_an_unknown_reason_is_told_what_is_wanted(plain: Plain, lang: Lang) -> None:
    part = reasoned()
    argv = ("--lang", lang, *study(part.id))
    wanted = letters.spoken([option.letter for option in part.reasons], lang)
    skip = WORDS["skip"][0 if lang == "en" else 1]
    told = say("cli.plain.reason_letter", lang, letters=wanted, skip=skip)
    said = " ".join(plain(part.answer[0], "?!", "12 GB", skip, "quit", argv=argv).split())
    assert said.count(told) == 2
    assert said.count(f"{part.reasons[0].letter}. {part.reasons[0].text[lang]}") == 3
    right = next(number for number, option in enumerate(part.reasons) if option.id == part.reason)
    place = ("pehla", "doosra", "teesra", "chautha")[right]
    again = plain(part.answer[0], "repeat", f"{place} wala", "quit", argv=argv)
    assert told not in " ".join(again.split()) and say("cli.plain.reason_right", lang) in again
    assert say("cli.plain.reason_right", lang) in plain(part.answer[0], part.reasons[right].text[lang], argv=argv)


def test_an_order_at_a_reason_is_followed(plain: Plain) -> None:
    part = reasoned()
    said = plain(part.answer[0], "hint", "lesson", "quit", argv=study(part.id))
    assert "Hint 1 of" in said and "section 1 of" in said


@pytest.mark.parametrize(("lang", "count"), [("en", "Part 1 of"), ("hi-Latn", "mein se part 1")])
def test_what_is_matched_is_named_in_quotes(plain: Plain, lang: str, count: str) -> None:
    said = plain("quit", argv=("--lang", lang, *study("core/L1.2")))
    first = course.part("core/L1.2/two")[1]
    line = next(line for line in said.splitlines() if first.id in line)
    assert count in line.partition(":")[0] and line.endswith(f': "{first.label[lang]}" ({first.id})')  # type: ignore[index]
    assert '"' not in next(
        line for line in plain("quit", argv=study("core/L2.1")).splitlines() if "(core/L2.1/kv)" in line
    )


@pytest.mark.parametrize(
    "argv",
    [
        ("--plain", "study", "core/L2.1"),
        ("--plain", "core/L2.1"),
        ("--lang", "en", "--plain", "study", "core/L2.1"),
        ("--plain", "--lang", "en", "study", "core/L2.1"),
        ("study", "--plain", "core/L2.1"),
    ],
)
def test_plain_may_stand_before_the_command(plain: Plain, argv: tuple[str, ...]) -> None:
    assert "(core/L2.1/kv)" in plain("quit", argv=argv)


def test_plain_before_a_command_that_has_no_such_way_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_TUTOR_LANG", "en")
    assert cli.run(("--plain", "check", "core/L2.1/kv", "1.07 GB")) == 2
    assert capsys.readouterr().err.startswith("llm-tutor: There is no option --plain here.")


@pytest.mark.parametrize(
    ("lang", "typed", "words"),
    [
        ("en", "0.537 GB", "Not yet. Exactly half."), ("en", "1.07 GB", "Right: 1.07 GB."),
        ("en", "1.1 GB", "Not counted. "), ("en", "5000 GB", "Not yet: "),
        ("hi-Latn", "0.537 GB", "Abhi nahi bana. Bilkul aadha aaya."), ("hi-Latn", "1.07 GB", "Sahi: 1.07 GB."),
        ("hi-Latn", "1.1 GB", "Gina nahi gaya. "), ("hi-Latn", "5000 GB", "Abhi nahi bana: "),
    ],
)  # fmt: skip
def test_a_verdict_is_heard_before_what_is_said_to_it(plain: Plain, lang: str, typed: str, words: str) -> None:
    answered = plain(typed, argv=("--lang", lang, *study("core/L2.1"))).split(f"(GB): {typed}\n")[1]
    assert answered.startswith(words)


def test_the_word_of_a_verdict_stands_once() -> None:
    for lang in LANGS:
        for kind in ("correct", "incorrect", "invalid"):
            word = say(f"cli.plain.verdict.{kind}", lang)
            assert announced(kind, "so", lang) == f"{word} so" and announced(kind, f"{word} so", lang) == f"{word} so"


def test_ctrl_d_leaves_the_line_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr("sys.stdin", Screen())
    monkeypatch.setattr("sys.stdout", screen)

    def ended(prompt: str) -> str:
        screen.write(prompt)
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    with pytest.raises(EOFError):
        Terminal(sys.stdin, screen).ask("Your answer:")
    assert screen.getvalue() == "Your answer: \n"
