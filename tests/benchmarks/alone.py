"""One measure in a process of its own, so that it is the same in a table of many as alone.

In one process for all, the apps that are over are still in the heap, and a collection of it falls into whatever is
measured then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, ParamSpec, TypeVar

P, T = ParamSpec("P"), TypeVar("T")


def environment(home: str) -> dict[str, str]:
    """Of the tutor as a process: a home of its own, and what Python compiles is kept, as on a reader's machine."""
    return {"LLM_TUTOR_HOME": home, "LLM_TUTOR_LANG": "en", "PYTHONDONTWRITEBYTECODE": ""}


def alone(measure: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What a function returns in a fresh interpreter; the function and what goes through can be pickled."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one:
        return one.submit(measure, *given, **named).result()


def played(measure: Callable[P, Coroutine[Any, Any, T]], *given: P.args, **named: P.kwargs) -> T:
    """The same of a coroutine, which drives an app."""
    return alone(_run, measure, given, named)


def rows(measure: Callable[P, Iterable[T]], *given: P.args, **named: P.kwargs) -> list[T]:
    """The same of a function that measures several things one after the other."""
    return alone(_all, measure, given, named)


def _all(measure: Callable[..., Iterable[Any]], given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    return list(measure(*given, **named))


def _run(measure: Callable[..., Coroutine[Any, Any, Any]], given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return asyncio.run(measure(*given, **named))
