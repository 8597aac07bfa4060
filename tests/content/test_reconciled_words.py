"""The log beside the arithmetic, in words: what each figure is made of, whatever the width."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest

from content.diagnosing import layout, reconciled
from content.lang import Lang
from engine.diagnosis.model import RECONCILED, Amount, Param, Reconciled

LANGS: tuple[Lang, ...] = ("en", "hi-Latn")
SIZE = Amount(Fraction(4 * 10**9), "bytes")
PARAMS: dict[str, Param] = {
    "low": SIZE, "high": SIZE, "bits": Amount(Fraction(4), "none"), "times": Amount(Fraction(1, 4), "x"), "cards": 2,
    "share": Amount(Fraction(1, 8), "%"), "implied": Amount(Fraction(1, 3), "%"), "setting": "mem_fraction_static",
    "graphs": SIZE, "size": SIZE, "printed": SIZE, "token": SIZE, "before": SIZE, "after": SIZE,
    "kept": Amount(Fraction(1, 8), "%"),
}  # fmt: skip


def one(why: str, basis: str = "computed") -> Reconciled:
    found = Reconciled("kv-pool", SIZE, Amount(Fraction(42 * 10**8), "bytes"), why, PARAMS, "vllm.log:12")
    return found._replace(basis=basis)  # type: ignore[arg-type]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("why", RECONCILED)
def test_every_reason_has_a_sentence(why: str, lang: Lang) -> None:
    said = reconciled.why(one(why), lang)
    assert said and "{" not in said
    assert said.endswith(".") is (why not in reconciled.QUIET)


@pytest.mark.parametrize("lang", LANGS)
def test_each_basis_is_told_apart(lang: Lang) -> None:
    notes = {reconciled.row(one("agrees", basis), lang)[2] for basis in get_args(_basis())}
    assert len(notes) == 3 and all("4.00 GB" in note and "+0.20 GB" in note for note in notes)


def _basis() -> object:
    from typing import get_type_hints

    return get_type_hints(Reconciled)["basis"]


@pytest.mark.parametrize("width", [40, 60, 78, 120])
def test_no_width_drops_that_two_figures_agree_or_where_they_stand(width: int) -> None:
    label, value, note = reconciled.row(one("agrees"), "en")
    rows = [
        (label, value, f"{note}; vllm.log:12"),
        ("a label that takes much of the room", "log 1,234,567 tokens", "x; y"),
    ]
    lines = layout.table(rows, width)
    told = " ".join(" ".join(lines).split())
    assert "the two agree" in told and "vllm.log:12" in told and max(map(len, lines)) <= width
