"""What learners type, by kind: right values in every spelling, wrong ones however dressed, and what is no one value."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from content.checking import check_part

DATA = Path(__file__).parent / "data" / "reading_kinds.txt"


class Kind(NamedTuple):
    """Texts of one kind, with the verdict on all of them."""

    name: str
    part: str
    verdict: str
    reasons: tuple[str, ...]
    texts: tuple[str, ...]


def kinds() -> list[Kind]:
    found = []
    for block in DATA.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, lines = block.partition("\n")
        name, part, verdict, *reasons = (piece.strip() for piece in heading.split("|"))
        texts = (text.strip() for line in lines.split("\n") for text in line.split("¦"))
        plain = tuple(re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text) for text in texts if text)
        found.append(Kind(name, part, verdict, tuple(" ".join(reasons).split()), plain))
    return found


KINDS = kinds()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.part}: {kind.name}")
def test_every_text_of_a_kind_gets_the_verdict_of_a_teacher(kind: Kind) -> None:
    wrong = []
    for text in kind.texts:
        found = check_part(kind.part, text)
        if found.verdict != kind.verdict or (kind.reasons and found.reason not in kind.reasons):
            wrong.append((text, found.verdict, found.reason))
    assert not wrong


def test_there_are_texts_of_many_kinds() -> None:
    assert len(KINDS) > 30
    assert sum(len(kind.texts) for kind in KINDS) > 500


@pytest.mark.parametrize("kind", [k for k in KINDS if k.verdict == "invalid"], ids=lambda k: f"{k.part}: {k.name}")
def test_a_refusal_has_a_reason_and_a_place_in_the_typed_text(kind: Kind) -> None:
    for text in kind.texts:
        found = check_part(kind.part, text)
        assert found.reason and found.span is not None, text
        start, end = found.span
        assert 0 <= start <= end <= len(text), (text, found)
