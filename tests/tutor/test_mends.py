"""What of Textual is put right: that the fault is there, that it is gone here, once, and only where it was.

A test of a fault that fails says that Textual has put it right itself: its mend can go, and the test with it.
"""

from __future__ import annotations

import gc
import inspect
import time
import weakref
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual import _styles_cache, events
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.color import Color
from textual.drivers import linux_driver
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.style import Style
from textual.timer import Timer
from textual.widgets._toast import Toast, ToastHolder, ToastRack

from tests.tutor.frames import make_app, settle
from tutor import mends
from tutor.pastes import END, START

BLACK, RED = Color.parse("black"), Color.parse("red")


class _Noticing(App[None]):
    """Tells something and takes it back."""

    async def told_and_cleared(self, pilot: Pilot[None], show: Any) -> None:
        self.notify("told")
        await pilot.pause()
        assert self.screen.query(Toast)
        self._notifications.clear()
        show(self.screen.query_one(ToastRack), self._notifications)
        for _ in range(50):
            await pilot.pause(0.01)
        assert not self.screen.query(Toast)


class Endless(Exception):
    """A loop that waits for nothing went round a thousand times."""


def unneeded(mend: mends.Mend) -> str:
    return f"Textual no longer has the fault that was last seen in {mend.seen}; its mend can go: {mend.make.__doc__}"


def test_textual_still_keeps_a_widget_for_two_colours() -> None:
    made = mends.widgets_are_let_go_of.of_textual()
    cache = StylesCache()
    still = weakref.ref(cache)
    made(cache, BLACK, RED)
    del cache
    gc.collect()
    assert still() is not None, unneeded(mends.widgets_are_let_go_of)
    made.cache_clear()


async def test_textual_still_looks_for_ever_for_the_next_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    pump, timer, moments = MessagePump(), Timer.__new__(Timer), count()
    mends.timers_end.of_textual()(timer, pump, -1.0, repeat=0)

    def clock() -> float:
        if (moment := next(moments)) > 1000:
            raise Endless
        return float(moment)

    monkeypatch.setattr("textual.timer._time.get_time", clock)
    try:
        await timer._run()
    except Endless:
        return
    except LookupError:  # it came to its end, and there is no app to tell
        pass
    pytest.fail(unneeded(mends.timers_end))


async def test_textual_still_leaves_the_place_of_a_notice() -> None:
    app = _Noticing()
    async with app.run_test(notifications=True) as pilot:
        await app.told_and_cleared(pilot, mends.notices_leave_nothing.of_textual())
        assert app.screen.query(ToastHolder), unneeded(mends.notices_leave_nothing)


def test_textual_still_takes_an_escape_in_a_paste_for_a_key() -> None:
    parser = XTermParser()
    came = list(mends.pastes_stay_whole.of_textual()(parser, f"{START}a\x1b[31mb{END}"))
    assert [type(event) for event in came] != [events.Paste], unneeded(mends.pastes_stay_whole)


def test_textual_still_decodes_the_keyboard_strictly() -> None:
    with pytest.raises(UnicodeDecodeError):
        mends.odd_bytes_are_letters.of_textual()("utf-8")().decode(b"\xff")
    used = inspect.getsource(linux_driver)
    assert 'getincrementaldecoder("utf-8")()' in used, unneeded(mends.odd_bytes_are_letters)


@pytest.mark.parametrize("mend", mends.MENDS, ids=lambda mend: mend.make.__name__)
def test_each_is_done_once_and_keeps_what_was_there(mend: mends.Mend) -> None:
    was = mend.of_textual()
    mends.apply()
    made = vars(mend.place())[mend.name]
    assert made is not was
    mends.apply()  # a second app in the process
    assert vars(mend.place())[mend.name] is made
    assert mend.of_textual() is was


def test_drivers_of_another_system_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = mends.Mend("textual.drivers.of_no_system", "", "read", "8", lambda made: made)
    monkeypatch.setattr(mends, "MENDS", [elsewhere, *mends.MENDS])
    mends.apply()


def test_backgrounds_are_remembered_by_their_colours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Cache:
        @lru_cache(8)  # noqa: B019  as in Textual
        def get_inner_outer(self, base: Color, background: Color) -> object:
            asked.append((base, background))
            return object()

    monkeypatch.setattr(_styles_cache, "StylesCache", Cache)
    mends.apply()
    first, second = Cache(), Cache()
    assert first.get_inner_outer(BLACK, RED) is second.get_inner_outer(BLACK, RED)
    assert first.get_inner_outer(RED, BLACK) is not first.get_inner_outer(BLACK, RED)
    assert asked == [(BLACK, RED), (RED, BLACK)]
    gone = weakref.ref(first)
    del first
    gc.collect()
    assert gone() is None


def test_a_textual_without_that_memory_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def own(self: StylesCache, base: Color, background: Color) -> None:
        raise AssertionError

    monkeypatch.setattr(StylesCache, "get_inner_outer", own)
    mends.apply()
    assert StylesCache.__dict__["get_inner_outer"] is own


def test_textual_still_makes_the_style_of_a_place_anew() -> None:
    made = mends.places_are_remembered.of_textual()
    style = Style(bold=True)
    assert made(style, 3, 4) is not made(style, 3, 4), unneeded(mends.places_are_remembered)


def test_the_style_of_a_place_is_made_once() -> None:
    mends.apply()
    style, made = Style(foreground=RED, bold=True), mends.places_are_remembered.of_textual()
    here = style.rich_style_with_offset(3, 4)
    assert here is Style(foreground=RED, bold=True).rich_style_with_offset(3, 4)
    assert (here, here.meta) == (made(style, 3, 4), {"offset": (3, 4)})
    assert style.rich_style_with_offset(4, 3).meta == {"offset": (4, 3)}


@pytest.mark.parametrize("seconds", [-1.0, -0.009, 0.0, 1e-9])
async def test_a_timer_of_no_time_comes_once(tmp_path: Path, seconds: float) -> None:
    app = make_app(tmp_path)
    came: list[float] = []
    async with app.run_test(size=(80, 24)) as pilot:
        assert Timer(app, seconds)._interval == mends.SHORTEST  # else the next line would never come back
        app.set_timer(seconds, lambda: came.append(seconds))
        for _ in range(50):
            await pilot.pause(0.01)
            if came:
                break
        assert came == [seconds]
        assert Timer(app, 2.5)._interval == 2.5


async def test_a_notice_takes_its_place_with_it() -> None:
    mends.apply()
    app = _Noticing()
    async with app.run_test(notifications=True) as pilot:
        await app.told_and_cleared(pilot, ToastRack.show)
        assert not app.screen.query(ToastHolder)
        app.notify("again")
        app.notify("and again")
        await pilot.pause()
        assert len(app.screen.query(Toast)) == 2


async def test_a_notice_that_is_late_goes_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        assert Timer(app, -1)._interval == mends.SHORTEST
        late = Toast(Notification("late", raised_at=time.time() - 10, timeout=5))
        await app.screen.mount(late)
        for _ in range(50):
            await pilot.pause(0.01)
            if not app.screen.query(Toast):
                break
        assert not app.screen.query(Toast)
        await pilot.press("f1")
        await settle(pilot)
        assert len(app.screen_stack) > 1


def test_bytes_that_are_no_letters_are_read_as_a_sign() -> None:
    mends.apply()
    decoder = linux_driver.getincrementaldecoder("utf-8")()  # type: ignore[attr-defined]
    assert (
        decoder.decode(b"1\xff\xe9a\xe0\xa4") + decoder.decode(b"\x95")
        == "1\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}a\u0915"
    )
