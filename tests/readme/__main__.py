"""``python -m tests.readme``: what of the README is no longer what the program shows; ``--write`` brings it up to date.

With ``--write`` the frames, outputs and tables are put in anew, and the picture is drawn anew. Exit status 1 when
something differs.
"""

from __future__ import annotations

import argparse
import difflib
import sys

from tests.readme import blocks, screens, truth
from tests.readme.blocks import README, ROOT, Block


def main() -> int:
    """Compare, or write."""
    parser = argparse.ArgumentParser(prog="python -m tests.readme")
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    text = README.read_text(encoding="utf-8")
    different = list(truth.wrong(text))
    for block, wanted in different:
        sys.stdout.write(_difference(block, wanted))
        text = blocks.replaced(text, block, wanted)
    pictures = {ROOT / path: screens.picture(asked) for path, asked in truth.pictures(text).items()}
    old = [path for path, drawn in pictures.items() if not path.is_file() or path.read_text("utf-8") != drawn]
    sys.stdout.writelines(f"{path.relative_to(ROOT)}: drawn anew\n" for path in old)
    if not write:
        return 1 if different or old else 0
    README.write_text(text, encoding="utf-8")
    for path in old:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pictures[path], encoding="utf-8")
    return 0


def _difference(block: Block, wanted: str) -> str:
    name = f"{README.name}:{block.first + 1} {block.kind} {block.argument}"
    return "\n".join([*difflib.unified_diff(block.lines, wanted.split("\n"), name, name, lineterm=""), ""])


if __name__ == "__main__":
    sys.exit(main())
