"""Garbage is collected between keys, and only after keys."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from textual.app import App

from tests.tutor.frames import make_app, settle
from tutor import garbage

Waiting = list[tuple[float, Callable[[], None]]]


@pytest.fixture
def rounds() -> Iterator[list[str]]:
    """The full rounds while a test goes on."""
    made: list[str] = []

    def heard(phase: str, told: dict[str, int]) -> None:
        if phase == "stop" and told["generation"] == 2:
            made.append(phase)

    gc.callbacks.append(heard)
    yield made
    gc.callbacks.remove(heard)


def test_a_round_that_is_due_waits_for_a_pause(rounds: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now, waiting = [100.0], cast(Waiting, [])
    monkeypatch.setattr(garbage, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(garbage, "DUE", 0)
    app = SimpleNamespace(set_timer=lambda seconds, call, name: waiting.append((seconds, call)) or object())
    pauses = garbage.Pauses(cast(App[None], app))
    pauses.typed()
    now[0] += 0.75
    pauses.typed()
    (seconds, call), *more = waiting
    assert seconds == garbage.PAUSE
    assert not more
    now[0] += 0.25
    call()  # the second key is a quarter of a second old
    assert not rounds
    assert waiting[1][0] == garbage.PAUSE - 0.25
    now[0] += 0.75
    waiting[1][1]()
    assert len(rounds) == 1
    assert len(waiting) == 2  # nobody typed since


def test_keys_that_make_little_garbage_start_no_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "DUE", 1_000_000)
    garbage.Pauses(cast(App[None], SimpleNamespace())).typed()  # there is no timer to ask for


@pytest.mark.painted
def test_the_young_are_looked_through_right_behind_a_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    fake = SimpleNamespace(get_threshold=lambda: (20_000, 10, 200), collect=made.append)
    monkeypatch.setattr(garbage, "gc", fake)
    for count in ((garbage.YOUNG, 10, 0), (garbage.YOUNG + 1, 9, 0), (garbage.YOUNG + 1, 10, 0)):
        fake.get_count = lambda count=count: count
        garbage.painted()
    assert made == [0, 1]


async def test_the_app_rests_after_its_keys(rounds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "DUE", 0)
    monkeypatch.setattr(garbage, "PAUSE", 0.1)
    garbage.spare()
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rounds.clear()
        await pilot.press("down")
        for _ in range(100):
            await asyncio.sleep(0.05)
            if rounds:
                break
        assert rounds


def test_python_starts_full_rounds_rarely_by_itself() -> None:
    gc.unfreeze()
    garbage.spare()
    assert (gc.get_threshold()[0], gc.get_threshold()[2]) == (garbage.LATE, garbage.RARE)
    assert gc.get_freeze_count() > 0
