"""Lines of keys in a TOML text."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from content.files import ROOT
from content.validate.positions import positions

TEXT = '''# a comment = not a key
top = { a = 1, "b c" = [1, 2] }   # [not.a.table]

[one.two]
text = """
[no table]
key = "no key" """
raw = \'\'\'a "quoted" ]\'\'\'

[[row]]
id = "x"
deep.er.key = 3
[[row.cell]]
id = "y"
[[row.cell]]
list = [
  { id = "p" },
  # between
  { id = "q", n = -1.5e3 },
]
[[row]]
[row.table]
date = 1979-05-27T07:32:00Z
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2), (("top", "a"), 2), (("top", "b c", 1), 2), (("one", "two"), 4), (("one", "two", "text"), 5),
        (("one", "two", "raw"), 8), (("row", 0), 10), (("row", 0, "deep"), 12), (("row", 0, "deep", "er", "key"), 12),
        (("row", 0, "cell", 0, "id"), 14), (("row", 0, "cell", 1), 15), (("row", 0, "cell", 1, "list", 0, "id"), 17),
        (("row", 0, "cell", 1, "list", 1), 19), (("row", 1), 21), (("row", 1, "table", "date"), 23),
    ],
)  # fmt: skip
def test_lines(path: tuple[str | int, ...], line: int) -> None:
    assert positions(TEXT)[path] == line


def test_every_key_of_every_file_has_a_line() -> None:
    def paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
        rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return [path, *(inner for key, item in rows for inner in paths(item, (*path, key)))]

    for file in sorted(Path(ROOT).glob("**/*.toml")):
        text = file.read_text(encoding="utf-8")
        lines = positions(text)
        assert [path for path in paths(tomllib.loads(text))[1:] if path not in lines] == []
