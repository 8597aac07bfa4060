"""From an id or a remembered place to a screen. Only the module that is needed is imported, and only when it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from content import course
from tutor.progress import Place
from tutor.screens.base import Panel, TutorScreen
from tutor.session import Session


def screen_of(place: Place | None) -> TutorScreen:
    """The screen of a place; without one, home."""
    if place is not None and place.screen == "lesson":
        from tutor.screens.lesson import LessonScreen

        return LessonScreen(place.id, place.section)
    if place is not None and place.screen == "exercise":
        from tutor.screens.exercise import ExerciseScreen

        with suppress(course.UnknownVariant):  # home stands in for numbers that cannot be drawn
            return ExerciseScreen(place.id, place.part, place.draft)
    from tutor.screens.home import HomeScreen

    return HomeScreen()


def is_home(screen: object) -> bool:
    """Whether this is the home screen; asked without importing it."""
    return type(screen).__name__ == "HomeScreen"


def is_help(screen: object) -> bool:
    """Whether this is the help screen; asked without importing it."""
    return type(screen).__name__ == "HelpPanel"


def place_of(session: Session, id: str) -> Place:
    """The place that an id names, with the page or the draft that was left there. Raises ``UnknownId``."""
    found = course.resolve(id)
    known = session.resume()
    if found.kind in ("lesson", "exercise"):
        if known is not None and known.id == found.id:
            return known
        if found.kind == "lesson":
            return Place("lesson", found.id)
        return Place("exercise", found.id, part=session.first_open(found.id) or "")
    if found.kind == "part":
        exercise = found.id.rpartition("/")[0]
        return known if known is not None and known.part == found.id else Place("exercise", exercise, part=found.id)
    return Place("home")


def panel(name: str, load: Mapping[str, str]) -> Panel:
    """One of `tutor.keys.PANELS`, but not probe and playground: the app opens those with what it knows. ``load``: what
    the plan starts from."""
    if name == "jump":
        from tutor.dialogs.jump import JumpPanel

        return JumpPanel()
    if name == "glossary":
        from tutor.dialogs.glossary import GlossaryPanel

        return GlossaryPanel()
    if name == "plan":
        from tutor.screens.plan import PlanPanel

        return PlanPanel(load)
    if name == "watch":
        from tutor.dialogs.watch import WatchPanel

        return WatchPanel()
    if name == "progress":
        from tutor.screens.progress import ProgressPanel

        return ProgressPanel()
    if name == "settings":
        from tutor.dialogs.settings import SettingsPanel

        return SettingsPanel()
    if name == "palette":
        from tutor.dialogs.palette import PalettePanel

        return PalettePanel()
    from tutor.dialogs.help import HelpPanel

    return HelpPanel()


def results(place_id: str) -> Panel:
    """How an exercise or a level went."""
    from tutor.screens.results import ResultsScreen

    return ResultsScreen(place_id)
