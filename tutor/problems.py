"""What is wrong with the learner's own files, in words: the settings and the progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tutor.settings import SettingsProblem

if TYPE_CHECKING:
    from tutor.language import Lang
    from tutor.progress import ProgressProblem


LONGEST_PATH = 200
"""Letters of a path that are said at most."""


def problem_text(problem: ProgressProblem | SettingsProblem, lang: Lang) -> str:
    """A problem in words: a sentence, of the settings sometimes more."""
    if isinstance(problem, SettingsProblem):
        text = " ".join(_of_settings(problem, lang))
    else:
        from content.words import say
        from tutor.commands.context import quoted_path
        from tutor.commands.files import trouble

        params = {"path": quoted_path(str(problem.path), LONGEST_PATH), "aside": str(problem.aside or "")}
        why = trouble(OSError(problem.code, "")).text(lang)
        text = say(f"cli.progress.problem.{problem.said}", lang, n=problem.saved, detail=why, **params)
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _of_settings(problem: SettingsProblem, lang: Lang) -> Iterator[str]:
    """What is wrong with the settings, each with its next step."""
    from content.words import say
    from tutor.commands.context import quoted_path

    kind, detail = problem.kind, problem.detail
    if kind == "damaged":
        kind = "damaged" if problem.aside is not None else "damaged_kept"
        detail = say(f"settings.why.{'line' if detail.isdigit() else detail}", lang, line=detail)
    elif kind == "unreadable" and not detail.isdigit():
        kind = f"unreadable_{detail}"
    elif kind in ("unreadable", "unwritable"):
        from tutor.commands.files import trouble

        detail = trouble(OSError(int(detail), "")).text(lang)
    path = quoted_path(str(problem.path), LONGEST_PATH)
    if kind != "value" or detail:
        yield say(f"settings.problem.{kind}", lang, path=path, detail=detail, aside=str(problem.aside or ""))
    else:
        yield f"{path}:"
    for action, key, other in problem.taken:
        from tutor.keys import shown

        yield say("settings.problem.taken", lang, name=action, pressed=shown(key), other=other)
    if problem.unknown:
        from tutor.commands.context import quoted

        yield say("settings.problem.unknown", lang, names=quoted(", ".join(problem.unknown), 200))
