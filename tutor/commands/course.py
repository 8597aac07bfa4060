"""`llm-tutor course list | show ID | validate [PATH]`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.commands.context import DONE, NEGATIVE, Context, quoted, quoted_path, unknown
from tutor.commands.parser import Parser
from tutor.language import LANGS

if TYPE_CHECKING:
    from content.validate.problem import Problem


def arguments(parser: Parser) -> None:
    """What to do, and with what."""
    parser.word("action", "ACTION")
    parser.word("target", "ID|PATH")
    parser.value("--variant", "N", dash=True)


def run(context: Context, args: argparse.Namespace) -> int:
    """List, show or validate."""
    actions = {"list": _list, "show": _show, "validate": _validate}
    action = args.action or "list"
    if action not in actions:
        raise unknown("action", action, actions, command="course")
    if action == "list" and args.target is not None:
        context.refuse("cli.error.not_with", text=quoted(args.target), command="course list")
    if action == "show" and args.target is None:
        context.refuse("cli.error.missing", what="ID", known="core/C2, core/L2.1", command="course show")
    if action != "show" and args.variant is not None:
        context.refuse("cli.error.not_with", text="--variant", command=f"course {action}")
    return actions[action](context, args)


def _list(context: Context, args: argparse.Namespace) -> int:
    from content import course

    if context.json:
        context.document({"tracks": [_track(track) for track in course.index().tracks]})
        return DONE
    lang = context.lang
    for track in course.index().tracks:
        context.line(f"{track.id}  {track.title[lang]}\n\n{context.say('cli.course.lessons')}")
        for lesson in track.lessons:
            context.line(f"  {lesson.id:12} {lesson.title[lang]}")
        for level in track.levels:
            context.line(f"\n{level.id}  {level.title[lang]}")
            for exercise in level.exercises:
                context.line(f"  {exercise.id:12} {exercise.title[lang]}")
                names = (part.rpartition("/")[2] for part in exercise.parts + exercise.followups)
                context.line(f"  {'':12} {', '.join(names)}")
    return DONE


def _track(track: Any) -> dict[str, Any]:
    lessons = [{"id": lesson.id, "title": both(lesson.title), "needs": lesson.needs} for lesson in track.lessons]
    levels = [
        {
            "id": level.id,
            "title": both(level.title),
            "exercises": [
                {"id": e.id, "title": both(e.title), "lesson": e.lesson, "parts": e.parts, "followups": e.followups}
                for e in level.exercises
            ],
        }
        for level in track.levels
    ]
    return {"id": track.id, "title": both(track.title), "lessons": lessons, "levels": levels}


def both(text: Any) -> dict[str, str]:
    """A text of the course as JSON carries it."""
    return {lang: text[lang] for lang in LANGS}


def _show(context: Context, args: argparse.Namespace) -> int:
    from tutor.commands import show
    from tutor.commands.places import resolve

    place = resolve(args.target, args.variant)
    if context.json:
        context.document(show.record(place))
    else:
        context.line(show.page(place, context.lang))
    return DONE


def _validate(context: Context, args: argparse.Namespace) -> int:
    from content import validate

    target: str | None = args.target
    path = None if target is None else Path(target)
    if path is not None and not path.is_dir():
        context.refuse("cli.course.no_folder", path=quoted_path(target or ""))
    above = path and _above(path)
    if above:
        context.refuse("cli.course.too_deep", path=quoted_path(target or "", 200), above=quoted_path(str(above), 200))
    problems = validate.validate(path)
    if context.json:
        context.document({"valid": not problems, "problems": [_problem(problem) for problem in problems]})
        return NEGATIVE if problems else DONE
    for problem in problems:
        context.line(problem.text(context.lang))
    context.line(context.say("cli.course.invalid", n=len(problems)) if problems else context.say("cli.course.valid"))
    return NEGATIVE if problems else DONE


def _above(path: Path) -> Path | None:
    """The content folder, where `path` lies inside one: `content/course` or `content/course/core`."""
    if (path / "course").exists():
        return None
    if any(path.glob("*.toml")) and path.resolve().parent.name == "course":
        return path.resolve().parent.parent
    found = any(path.glob("*/*.toml"))
    return path.resolve().parent if found and path.resolve().name == "course" else None


def _problem(problem: Problem) -> dict[str, Any]:
    words = {lang: problem.sentence(lang) for lang in LANGS}
    return {"file": problem.file, "line": problem.line, "id": problem.id, "message": words}
