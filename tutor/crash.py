"""What is kept of a mistake of ours: the traceback, in a file for whoever is to mend it."""

from __future__ import annotations

LONGEST = 120
"""Characters of the sentence about it."""


def keep(error: BaseException) -> str:
    """Write the traceback down; the file's name, or "-" where there is none."""
    import traceback

    from tutor import paths

    try:
        file = paths.home() / "crash.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(traceback.format_exception(error)), encoding="utf-8", errors="replace")
    except OSError:  # a home that cannot be written must not hide what happened
        return "-"
    return str(file)


def brief(error: BaseException) -> str:
    """The mistake on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST]
