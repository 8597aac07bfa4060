"""From screen to screen: the part of the app that knows how one place leads to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual import work
from textual.app import App
from textual.screen import Screen

from content import address, course
from content.words import say
from tutor import nextup
from tutor.progress import Place
from tutor.screens import route
from tutor.screens.base import Panel, TutorScreen

if TYPE_CHECKING:
    from engine.probe.model import Result
    from tutor.diagnoser.form import FormState
    from tutor.diagnoser.probed import Seen
    from tutor.figures.state import State
    from tutor.live.watching import Watcher
    from tutor.playing.own import OwnValues
    from tutor.playing.played import Played
    from tutor.revision.model import Wanted
    from tutor.screens.quiz_turn import Quiz
    from tutor.session import Session

DIAGNOSE = "diagnose"
"""The diagnoser as a target, where a lesson's id may stand too."""
PROBE = "probe"
"""The probe's screen, a panel; its name among `tutor.keys.PANELS`."""
QUIZ = "quiz"
"""A quiz as a target: the one that was begun, else the one that is wanted, else the choice of one."""
WATCH = "watch"
"""The screen that watches a server, as a target; the app knows which server."""
PLAYGROUND = "playground"
"""The playground as a target, over the place that it was left from; its name among `tutor.keys.PANELS`."""
PLACEMENT = "placement"
"""The placement as a target, over home."""
SLOW = 1.0
"""Seconds after which a drawing that still goes on says so."""


class Travel(App[None]):
    """Ways between the screens. Each journey happens in the app's own task, one after the other."""

    session: Session
    planning: Mapping[str, str] = MappingProxyType({})
    """What stood in the lines of the plan when it was left."""
    diagnosing: FormState | None = None
    """What stands in the diagnoser's form, kept while the reader is elsewhere."""
    seen: Seen | None = None
    """What this machine's card measured in this run of the app, or today: the diagnoser computes with it."""
    watching: Watcher | None = None
    """Of the server that is watched, or was."""
    quizzing: Wanted | None = None
    """What the next quiz is to ask; without it the reader chooses."""
    quiz: Quiz | None = None
    """The quiz that was begun last; one that has ended has its sheet."""
    playing_at: tuple[str, State] | None = None
    """The figure that stands in the playground, with its state: set before the start, the playground opens there."""
    played: Mapping[str, Played] = MappingProxyType({})
    """Every figure that was played with in this run of the app, as it was left."""
    brought: Mapping[str, Played] = MappingProxyType({})
    """Those that came from a page, apart from the reader's own."""
    own: OwnValues | None = None
    """What the reader has set in them, which goes along from figure to figure."""
    playing_over: tuple[str | Place, str] = (Place("home"), "")
    """Where an exercise that the playground led to was opened from, and where escape leads from there."""
    playing_left: Played | None = None
    """The figure of a page that stood in the playground then; without it the reader's own."""
    placed_at: tuple[Place | None] | None = None
    """Where the reader was last when a placement ended in this run of the app; ``None`` where none did."""
    placements = 0
    """How many were begun in this run of the app: each begins with other questions."""
    drawing = False
    """Whether a variant is being drawn; keys typed meanwhile wait for its page, see `tutor.typeahead`."""

    def go(self, target: str | Place, back_to: str = "") -> None:
        """Go to a place, or to what an id names; `back_to` is a lesson that escape then returns to.

        It happens in the app's own task: a screen that waited for its own removal would wait for ever. A variant is
        drawn first.
        """
        wanted = target.id if isinstance(target, Place) else target
        if target == DIAGNOSE:
            self.call_later(self._to_the_diagnoser)
        elif target == PROBE:
            self.call_later(self._to_the_probe)
        elif target == WATCH:
            self.call_later(self._to_the_watch)
        elif target == PLAYGROUND:
            self.call_later(self._to_the_playground)
        elif target == QUIZ:
            self.call_later(self._to_the_quiz)
        elif target == PLACEMENT:
            self.call_later(self._to_the_placement)
        elif address.split(wanted)[1]:
            self._draw(lambda: self._drawn(wanted), lambda _: target, back_to)
        else:
            self.call_later(self._travel, target, back_to)

    def go_fresh(self, exercise_id: str, part: str, back_to: str = "") -> None:
        """Go to the next fresh variant of an exercise, at the part of this short name."""

        def place(drawn: str) -> Place:
            return Place("exercise", drawn, part=f"{drawn}/{part}")

        self._draw(lambda: self.session.fresh(exercise_id), place, back_to)

    @staticmethod
    def _drawn(wanted: str) -> str:
        """Draw the variant that an address names, or do without one for a place that has none."""
        found = course.resolve(wanted)
        return course.exercise(found.id if found.kind == "exercise" else found.id.rpartition("/")[0]).id

    def _draw(self, draw: Callable[[], str], target: Callable[[str], str | Place], back_to: str) -> None:
        """Draw away from the screen, the old page still there, and go on from it if the reader is still there."""
        if self.drawing:
            return
        self.drawing = True
        here = self.screen
        self.set_timer(SLOW, lambda: self._say_drawing(here))
        self._draw_variant(draw, target, back_to, here)

    @work(thread=True, group="draw")
    def _draw_variant(
        self, draw: Callable[[], str], target: Callable[[str], str | Place], back_to: str, here: Screen[object]
    ) -> None:
        try:
            found: str | None = draw()
        except course.UnknownVariant:
            found = None
        self.call_from_thread(self._arrive, None if found is None else target(found), back_to, here)

    def _arrive(self, target: str | Place | None, back_to: str, here: Screen[object]) -> None:
        if target is not None and self.screen is here:
            self.call_later(self._travel_drawn, target, back_to)
            return
        self.drawing = False
        if target is None:
            self.notify(say("app.exercise.no_variant", self.session.language), markup=False)
        if isinstance(self.screen, TutorScreen):
            self.screen.retell_keys()

    async def _travel_drawn(self, target: str | Place, back_to: str) -> None:
        try:
            await self._travel(target, back_to)
        finally:
            self.drawing = False

    def _say_drawing(self, here: Screen[object]) -> None:
        if self.drawing and self.screen is here and isinstance(here, TutorScreen):
            here.say_waiting(say("app.exercise.drawing", self.session.language))

    async def _travel(self, target: str | Place, back_to: str) -> None:
        """The first screen stays at the bottom of the stack (Textual cannot switch it away); one more lies over it."""
        await self._leave_panels()
        self._keep_here()  # a word typed a moment ago may not have been written yet
        place = target if isinstance(target, Place) else route.place_of(self.session, target)
        if place.screen == "home" and route.is_home(self.screen_stack[0]):
            while len(self.screen_stack) > 1:
                await self.pop_screen()
            return
        screen = route.screen_of(place)
        screen.back_to = back_to
        await self._arrive_at(screen)

    def _keep_here(self) -> None:
        if isinstance(self.screen, TutorScreen) and self.screen.made:
            self.screen.keep()

    async def _to_the_diagnoser(self) -> None:
        """The diagnoser, with the form as it was left."""
        from tutor.screens.diagnose import DiagnoseScreen

        await self._leave_panels()
        self._keep_here()
        await self._arrive_at(DiagnoseScreen())

    async def _to_the_probe(self) -> None:
        """Home, with the probe over it."""
        await self._travel(Place("home"), "")
        await self._lay(self.probe_screen())

    async def _to_the_watch(self) -> None:
        """Home, with the watched server over it."""
        await self._travel(Place("home"), "")
        if self.watching is not None:
            from tutor.screens.watch import WatchScreen

            await self._lay(WatchScreen(self.watching))

    async def _to_the_placement(self) -> None:
        """Home, with a placement over it."""
        from tutor.screens.placement import PlacementScreen

        await self._travel(Place("home"), "")
        day = self.session.clock().timetuple().tm_yday if nextup.placed(self.session) else 0
        await self._lay(PlacementScreen(day + self.placements))
        self.placements += 1

    async def _to_the_quiz(self) -> None:
        """The quiz that was begun, or another one; after its end what came of it, over home."""
        from tutor.screens import quiz_start
        from tutor.screens.quiz_turn import Quiz

        if self.quizzing is not None:
            self.quiz, self.quizzing = Quiz(self.quizzing), None
        if self.quiz is None or self.quiz.ended:
            await self._travel(Place("home"), "")
            await self._lay(quiz_start.panel(self.quiz))
            return
        from tutor.screens.quiz import QuizScreen

        await self._leave_panels()
        self._keep_here()
        await self._arrive_at(QuizScreen(self.quiz))

    # --- the playground ----------------------------------------------------------------------------------------------

    def playground_screen(self, *, as_left: bool = False) -> Panel:
        """The playground, with the figure of the reader's page where that has one; ``as_left``: in any case as it was.

        A page's figure that was brought before, and is the same on the page still, is as it was left too.
        """
        from tutor.screens.playground import PlaygroundScreen

        screens = [screen for screen in reversed(self.screen_stack) if isinstance(screen, TutorScreen)]
        brought = next((found for screen in screens if (found := screen.playing()) is not None), None)
        if brought is None or as_left:
            return PlaygroundScreen(self.played_of())
        known = self.brought.get(brought.name)
        return PlaygroundScreen(known if known is not None and known.came == brought.came else brought)

    def uncover_the_playground(self) -> bool:
        """Close what lies over the playground, where it is open below; whether it is."""
        below = next(
            (one for one in self.screen_stack[:-1] if isinstance(one, Panel) and one.SCOPE == PLAYGROUND), None
        )
        if below is not None:
            self.call_later(self._uncover, below)
        return below is not None

    async def _uncover(self, panel: Panel) -> None:
        while panel in self.screen_stack[:-1]:
            await self.pop_screen()

    def played_of(self, name: str = "") -> Played:
        """The reader's own figure, as it was left or as it starts, with what was set elsewhere since.

        Without a name the one that was looked at last.
        """
        from tutor.playing import own

        left = self._played_of(name)
        return left if self.own is None else own.carried(self.own, left)

    def _played_of(self, name: str) -> Played:
        from content.schema import FigureRef
        from tutor import coursemap
        from tutor.figures import registry
        from tutor.playing import played

        wanted = name or (self.playing_at[0] if self.playing_at is not None else registry.names()[0])
        given = coursemap.figure_state(FigureRef(wanted, {}), self.session)
        if wanted in self.played:
            return played.renewed(self.played[wanted], given)
        if self.playing_at is not None and self.playing_at[0] == wanted:
            return played.renewed(played.Played(wanted, self.playing_at[1], self.playing_at[1]), given)
        return played.fresh(wanted, given)

    def now_playing(self, played: Played, before: Played | None = None, *, again: bool = False) -> None:
        """Keep what stands in the playground; the figure of a page apart from the reader's own.

        ``before``: how it stood, where the reader has changed it; ``again``: it went back to its beginning.
        """
        if played.came is not None:
            self.brought = MappingProxyType({**self.brought, played.name: played})
            return
        from tutor.playing import own

        known = self.own or own.OwnValues()
        if again:
            known = own.reset(known, played)
        elif before is not None:
            known = own.noted(known, before, played)
        elif played.given:
            known = own.opened(known, played)
        self.own = known
        self.playing_at = (played.name, played.state)
        self.played = MappingProxyType({**self.played, played.name: played._replace(seen=known.last)})

    def leave_the_playground(self, target: str) -> None:
        """Go to an exercise or a lesson that the playground led to; escape leads back there."""
        from tutor.screens.playground import PlaygroundScreen

        below = [screen for screen in self.screen_stack if not isinstance(screen, Panel)][-1]
        if isinstance(below, TutorScreen):
            below.keep()
            self.playing_over = (below.whereabouts(), below.back_to)
        left = next((one.opened for one in self.screen_stack if isinstance(one, PlaygroundScreen)), None)
        self.playing_left = left if left is not None and left.came is not None else None
        self.go(target, back_to=PLAYGROUND)

    async def _to_the_playground(self) -> None:
        """Where it was left from, with the playground over it."""
        from tutor.screens.playground import PlaygroundScreen

        (target, back_to), self.playing_over = self.playing_over, (Place("home"), "")
        left, self.playing_left = self.playing_left, None
        if target == DIAGNOSE:
            await self._to_the_diagnoser()
        elif target == QUIZ:
            await self._to_the_quiz()
        else:
            await self._travel(target, back_to)
        await self._lay(self.playground_screen(as_left=True) if left is None else PlaygroundScreen(left))

    def probe_screen(self) -> Panel:
        """The probe's screen, for the workload of the diagnoser's form where that is open."""
        from tutor.screens.probe import ProbeScreen

        known = (screen.scenario_of() for screen in reversed(self.screen_stack) if isinstance(screen, TutorScreen))
        scenario = next((one for one in known if one is not None), None)
        python = self.session.settings.probe_python or None
        return ProbeScreen(scenario, lambda result: self._take(result, own=scenario is not None), python)

    def _take(self, result: Result, own: bool) -> None:
        """A measurement of this machine's card: the diagnoser computes with it from now on."""
        from tutor.diagnoser.probed import Seen

        if result.reached is not None:
            self.seen = Seen(result, own=own)

    async def _arrive_at(self, screen: TutorScreen) -> None:
        await (self.switch_screen(screen) if len(self.screen_stack) > 1 else self.push_screen(screen))

    async def _leave_panels(self, *, passing: bool = False) -> None:
        """Close panels; ``passing``: only those that another one takes the place of."""
        while len(self.screen_stack) > 1 and isinstance(self.screen, Panel) and (self.screen.PASSING or not passing):
            await self.pop_screen()

    def show_panel(self, panel: Panel) -> None:
        """Lay a panel over the reader's screen, or over a panel with something in it; a passing one gives way."""
        self.call_later(self._lay, panel)

    def close(self, panel: Panel) -> None:
        """Close a panel, unless something else has closed it by the time it is its turn."""
        self.call_later(self._close, panel)

    async def _close(self, panel: Panel) -> None:
        if self.screen is panel and len(self.screen_stack) > 1:
            await self.pop_screen()

    async def _lay(self, panel: Panel) -> None:
        if not route.is_help(panel):  # which is about the panel that it lies over
            await self._leave_panels(passing=True)
        if type(self.screen) is not type(panel):
            await self.push_screen(panel)

    def on_the_screen_below(self, action: str) -> None:
        """Close the panel, then do something on the screen that it lay over."""
        self.call_later(self._close_and_run, action)

    async def _close_and_run(self, action: str) -> None:
        await self._leave_panels(passing=True)
        await self.screen.run_action(action)
