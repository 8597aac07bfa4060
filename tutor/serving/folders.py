"""The folder of each learner: progress and settings of their own, under the data folder of who serves."""

from __future__ import annotations

from pathlib import Path

from content.lang import Lang
from tutor import paths, settingsfile
from tutor.serving.limits import MOST_FOLDERS
from tutor.serving.names import Learner
from tutor.settings import Settings


class TooMany(Exception):
    """No further learner is taken."""


def root() -> Path:
    """The folder of all learners."""
    return paths.home() / "learners"


def folder(root: Path, who: Learner, lang: Lang | None) -> Path:
    """The learner's folder, made where it is new: with the name as its owner typed it, and the server's language.

    Raises:
        TooMany: as many learners are kept as we keep.
        OSError: it cannot be made.
    """
    place = root / who.folder
    if not place.is_dir():
        root.mkdir(parents=True, exist_ok=True)
        if sum(1 for one in root.iterdir() if one.is_dir()) >= MOST_FOLDERS:
            raise TooMany
        place.mkdir(mode=0o700, exist_ok=True)
    kept = place / "settings.toml"
    if not kept.exists():
        settingsfile.save(kept, Settings(language=lang, name=who.name))
    return place
