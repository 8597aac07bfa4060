"""Where the tutor keeps what it remembers. `LLM_TUTOR_HOME` moves all of it.

pathlib is imported by who needs a path: a short command, which only looks whether there are settings, would spend a
tenth of its time on it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

APP = "llm-tutor"
_SETTINGS = "settings.toml"


def _folder() -> str:
    """The folder of all data of this learner, a "~" that nobody knows still in it."""
    moved = os.environ.get("LLM_TUTOR_HOME")
    if moved:
        return os.path.expanduser(moved)
    if sys.platform in ("win32", "darwin"):
        from platformdirs import user_data_dir

        return user_data_dir(APP, appauthor=False)
    # The XDG rule, as platformdirs applies it (a test compares them): its import alone is half of our start-up budget.
    data = os.environ.get("XDG_DATA_HOME", "")
    return os.path.join(data if os.path.isabs(data) else os.path.expanduser("~/.local/share"), APP)


def home() -> Path:
    """The folder of all data of this learner; it need not exist yet."""
    from pathlib import Path

    return Path(_folder()).expanduser().absolute()


def database() -> Path:
    """The SQLite file of attempts and places."""
    return home() / "progress.sqlite3"


def settings_file() -> Path:
    """The TOML file of settings."""
    return home() / _SETTINGS


def has_settings() -> bool:
    """Whether there is such a file, as far as may be looked."""
    return os.path.exists(os.path.join(_folder(), _SETTINGS))


def probes_file() -> Path:
    """The file of measured runs, one a line."""
    return home() / "probes.jsonl"


def is_own(path: Path) -> bool:
    """Whether a file holds what we remember: under its name, over a link, or as another name of the same file.

    Copies that were set aside, and logs and locks beside the files, are ours too; names that are still free as well.
    """
    from pathlib import Path

    real, place = Path(os.path.realpath(path)), Path(os.path.realpath(home()))
    if real.parent == place and _own_name(real.name):
        return True
    with suppress(OSError):
        return any(_own_name(one.name) and one.samefile(path) for one in place.iterdir())
    return False


def _own_name(name: str) -> bool:
    own = (database(), settings_file(), probes_file())
    return any(
        name.startswith(one.name) or (name.startswith(f"{one.stem}.") and name.endswith(one.suffix)) for one in own
    )
