"""``python -m tests.soak --hours 2 --seed 1``: hours of random use, then a table; exit status 1 for anything found.

``--steps 1200`` takes only so many steps of the walk, and ``--steps 900:1200`` only those, for finding the few that
matter. ``--form`` chooses one of the two forms; by default they run side by side, each for the whole time. Without
``--home`` everything lies in a folder that goes away afterwards. Linux.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FORMS = ("headless", "terminal")


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", default=":")
    parser.add_argument("--window", type=int, default=1000, help="keys between two measurements")
    parser.add_argument("--form", choices=FORMS)
    parser.add_argument("--home", type=Path, help="a folder that stays")
    asked = parser.parse_args()
    if asked.form is None:
        words = [word for word in sys.argv[1:] if not word.startswith("--home")]
        running = [subprocess.Popen([sys.executable, "-m", "tests.soak", *words, "--form", form]) for form in FORMS]
        return max(one.wait() for one in running)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        return _one(asked, asked.home or Path(folder))


def _one(asked: argparse.Namespace, folder: Path) -> int:
    home = folder.absolute() / "home"
    home.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith(("LLM_TUTOR", "TEXTUAL", "NO_COLOR"))]:
        del os.environ[name]
    os.environ |= {"LLM_TUTOR_HOME": str(home), "HOME": str(folder), "PYTHONPATH": os.pathsep.join(_paths())}
    os.chdir(folder)  # where a report or a table is saved under a random name

    from tests.soak import report, run
    from tests.soak.ran import Wanted

    first, _, last = asked.steps.rpartition(":")
    wanted = Wanted(
        asked.seed, asked.hours * 3600, int(first or 0), int(last) if last else None, asked.window, tell=report.progress
    )
    ran = run.run(asked.form, wanted, home)
    sys.stdout.write(report.table(ran))
    return 1 if ran.problems else 0


def _paths() -> list[str]:
    root = str(Path(__file__).parents[2])
    sys.path.insert(0, root)
    return [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]


if __name__ == "__main__":
    sys.exit(main())
