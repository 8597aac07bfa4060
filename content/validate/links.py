"""Links: to lessons, exercises, parts, glossary terms, figures and the values a figure can be given."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from content.files import shipped
from content.schema import FigureRef
from content.validate.positions import Path
from content.validate.source import Source


def link(source: Source, path: Path, target: str, known: Container[str]) -> None:
    """One link leads somewhere."""
    if target and target not in known:
        source.report_in(path, target.rpartition("/")[2], "broken-link", link=target)


def links(source: Source, path: Path, targets: Iterable[str], known: Container[str]) -> None:
    """Several links lead somewhere."""
    for target in targets:
        link(source, path, target, known)


def figure(source: Source, where: tuple[str, ...], ref: FigureRef | None) -> None:
    """A figure exists and knows the values it is given."""
    if ref is None or not ref.name:
        return
    path = (*source.find(where), "figure")
    known: Mapping[str, Any] = shipped("figures.toml")
    if ref.name not in known:
        source.report((*path, "name"), "unknown-figure", figure=ref.name, known=", ".join(known))
        return
    for key in ref.state:
        if key not in known[ref.name]["state"]:
            source.report((*path, "state", key), "unknown-state", figure=ref.name, key=key)


def circle(needs: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """A chain of lessons that need each other in a circle, or nothing."""
    done: set[str] = set()

    def walk(lesson: str, above: tuple[str, ...]) -> tuple[str, ...]:
        if lesson in above:
            return (*above[above.index(lesson) :], lesson)
        if lesson in done:
            return ()
        found = next(filter(None, (walk(need, (*above, lesson)) for need in needs.get(lesson, ()))), ())
        done.add(lesson)
        return found

    return next(filter(None, (walk(lesson, ()) for lesson in needs)), ())
