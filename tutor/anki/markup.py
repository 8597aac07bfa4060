"""Course text as the HTML of a note's field. Nothing of a text is ever a tag, a sound or a formula to Anki."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from content.markup import Block, Span, blocks

_ANKI = {"[": "&#91;", "\\": "&#92;&#8288;"}
"""What begins a sound, LaTeX or MathJax: an entity is no such sign to Anki, and the joiner parts it for MathJax."""
_TAGS = {"strong": "b", "code": "code"}


def escaped(text: str) -> str:
    """A text as it is: its signs are signs, and what cannot be seen is gone."""
    seen = "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    safe = html.escape(seen)
    for sign, entity in _ANKI.items():
        safe = safe.replace(sign, entity)
    return safe


def rich(text: str) -> str:
    """A filled course text, whose small markup becomes paragraphs, lists, and lines that are not wrapped."""
    found: list[str] = []
    rows: list[Block] = []
    for block in blocks(text):
        if rows and block.kind != rows[0].kind:
            found.append(_group(rows))
            rows = []
        rows.append(block)
    return "".join([*found, *([_group(rows)] if rows else [])])


def _group(rows: Sequence[Block]) -> str:
    if rows[0].kind == "code":
        return verbatim(row.text for row in rows)
    if rows[0].kind == "bullet":
        return listed(_inline(row.spans) for row in rows)
    return "".join(f"<p>{_inline(row.spans)}</p>" for row in rows)


def line(text: str) -> str:
    """A text of one line with its small markup."""
    return " ".join(_inline(block.spans) for block in blocks(text))


def _inline(spans: Iterable[Span]) -> str:
    tagged = ((_TAGS.get(span.style), escaped(span.text)) for span in spans)
    return "".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in tagged)


def verbatim(lines: Iterable[str]) -> str:
    """Lines that keep their blanks."""
    return f"<pre>{escaped(chr(10).join(lines))}</pre>"


def listed(rows: Iterable[str], tag: str = "ul") -> str:
    """A list of what is HTML already."""
    return f"<{tag}>{''.join(f'<li>{row}</li>' for row in rows)}</{tag}>"


def paragraph(inner: str) -> str:
    """A paragraph of what is HTML already; nothing for nothing."""
    return f"<p>{inner}</p>" if inner else ""
