"""Where the tutor keeps what it remembers. `LLM_TUTOR_HOME` moves all of it."""

import os
import sys
from pathlib import Path

APP = "llm-tutor"


def home() -> Path:
    """The folder of all data of this learner; it need not exist yet."""
    moved = os.environ.get("LLM_TUTOR_HOME")
    if moved:
        return Path(moved).expanduser().absolute()
    if sys.platform in ("win32", "darwin"):
        from platformdirs import user_data_path

        return user_data_path(APP, appauthor=False)
    # The XDG rule, as platformdirs applies it (a test compares them): its import alone is half of our start-up budget.
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data and Path(data).is_absolute() else Path("~/.local/share").expanduser()
    return base / APP


def database() -> Path:
    """The SQLite file of attempts and places."""
    return home() / "progress.sqlite3"


def settings_file() -> Path:
    """The TOML file of settings."""
    return home() / "settings.toml"
