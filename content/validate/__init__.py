"""Whether a course can be taught as it stands: every file read, every text filled, every answer computed.

Everything that is wrong is reported, with file, line and a sentence in both languages; nothing is raised for it.
"""

from __future__ import annotations

from os import PathLike

from content.course import TRACKS
from content.files import ROOT
from content.validate import shelf, wording
from content.validate.problem import Problem, message
from content.validate.source import Folder
from content.validate.track import Seen, track

__all__ = ["Problem", "message", "validate"]

_GLOSSARY = "glossary.toml"


def validate(root: str | PathLike[str] | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with the course under a content folder, the shipped one by default.

    A folder needs only its ``course``; words and glossary that it lacks are the shipped ones.
    """
    folder = Folder(ROOT if root is None else root)
    seen = Seen()
    words = wording.slips(folder)
    tracks = _tracks(folder)
    if not tracks:
        folder.problems.append(Problem("course", 0, "no-track", (), {}))
    for name in tracks:
        track(folder, name, words, seen)
    if (folder.root / _GLOSSARY).exists() or (folder.root / "words").is_dir():
        source = folder.source(_GLOSSARY)
        if source is not None:
            shelf.glossary(source, seen.lessons)
    wording.wording(folder)
    return tuple(sorted(folder.problems, key=lambda one: (one.file, one.line, one.where, one.reason)))


def _tracks(folder: Folder) -> tuple[str, ...]:
    """Every folder with files of a track, and the tracks that the program reads; a folder may hold others alone."""
    found = tuple(dict.fromkeys(name.split("/")[1] for name in folder.names("course/*/*.toml")))
    return found if not set(found) & set(TRACKS) else tuple(dict.fromkeys((*TRACKS, *found)))
