"""Figures: that they exist, know what they are given, and hide what an exercise asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from content.beside import CATALOGUE, SENTENCE, hides
from content.files import shipped
from content.schema import Exercise, FigureRef
from content.validate.positions import Path
from content.validate.source import Source


def known(source: Source, where: tuple[str, ...], ref: FigureRef | None) -> None:
    """A figure exists, knows the values it is given, and has the parts that it is to leave out."""
    if ref is None or not ref.name:
        return
    path, figures = (*source.find(where), "figure"), named()
    if ref.name not in figures:
        source.report((*path, "name"), "unknown-figure", figure=ref.name, known=", ".join(figures))
        return
    for place, keys in (("state", ref.state), ("given", ref.given)):
        for key in keys:
            if key not in figures[ref.name]["state"]:
                source.report((*path, place, key), "unknown-state", figure=ref.name, key=key)
    _parts(source, (*path, "state", "hide"), ref.name, hides(ref.state))


def beside(source: Source, where: tuple[str, ...], exercise: Exercise) -> None:
    """The figure of an exercise takes values that are given, and hides parts of itself until parts are settled."""
    ref = exercise.figure
    known(source, where, ref)
    if ref is None or ref.name not in named():
        return
    path = (*source.find(where), "figure")
    for key, symbol in ref.given.items():
        if symbol not in (*exercise.given, *_owners(exercise)):
            source.report((*path, "given", key), "not-given", symbol=symbol)
    names = {part.name for part in exercise.parts}
    for name, parts in ref.asks.items():
        _parts(source, (*path, "asks"), ref.name, (name,))
        for part in parts:
            if part not in names:
                source.report_in((*path, "asks"), part, "broken-link", link=f"{exercise.id}/{part}")


def _parts(source: Source, path: Path, figure: str, hidden: tuple[str, ...]) -> None:
    """Names of parts of a drawing that can be left out."""
    can = (*named()[figure].get("hide", ()), SENTENCE)
    for name in hidden:
        if name not in can:
            source.report_in(path, name, "unknown-hide", figure=figure, name=name, known=", ".join(can))


def _owners(exercise: Exercise) -> set[str]:
    """Which of "model" and "gpu" an exercise names, or draws."""
    return {name for name in CATALOGUE if name in exercise.names or name in (exercise.vary or {})}


def named() -> Mapping[str, Any]:
    """The figures that there are, with what each may be given and can leave out."""
    return shipped("figures.toml")
