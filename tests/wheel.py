"""Is every file of the packages in the wheel, and nothing else? `python tests/wheel.py WHEEL`."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

PACKAGES = ("engine", "content", "tutor")


def main(wheel: str) -> int:
    """Compare the wheel's files with the repository's; print what differs."""
    root = Path(__file__).parent.parent
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split()
    packed = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    missing, foreign = sorted(set(tracked) - set(packed)), sorted(set(packed) - set(tracked))
    for name in missing:
        print(f"not in the wheel: {name}")
    for name in foreign:
        print(f"in the wheel, not in the repository: {name}")
    return 1 if missing or foreign else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
