"""Links: to lessons, exercises, parts and glossary terms."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

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
