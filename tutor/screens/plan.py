"""Which GPU: a few lines to type in, and below them the table of what fits, how fast it is and why the rest is out.

What is typed is read a moment after the last key, away from the screen; the table stays until there is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from content.words import say
from engine.units import grouped
from tutor.commands.context import Refusal, quoted
from tutor.dialogs.search import ListRows
from tutor.keys import Command, Scope
from tutor.screens.base import LEAP, WALK, Panel, bindings
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal, Vertical
from tutor.widgets.choice import Choice
from tutor.widgets.ink import QUIET, STRONG, plainer
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from engine.planning.plan import Order, Plan

PAUSE = 0.12
"""Seconds without a key after which what is typed is read."""
PROMPT, OUTPUT = 2048, 256
"""What is assumed of a request, as by the command (`tutor.planning.reading`, which the first frame need not import)."""
LINES, OUT, MODELS = 200, 60, 60
"""Lines of the table, sentences about what is out, and models in the list, at most."""
TALL = 32
"""Lines of a window from which there is room for the meaning of the columns above the table."""
FIELDS = (("model",), ("gpu", "weights"), ("prompt", "output", "concurrency"), ("price", "sort"))
"""The lines of the form; their names are those of the command's options."""
_OPTION = re.compile(r"--([a-z]+)")
ORDERS: tuple[Order, ...] = ("cards", "cost", "speed", "memory")


class PlanPanel(Panel):
    """Tab goes from field to field; the arrows walk the models while one is being chosen, else scroll the table."""

    SCOPE: ClassVar[Scope] = "plan"
    BINDINGS: ClassVar[list[BindingType]] = [*WALK, *LEAP, *bindings("plan")]
    DEFAULT_CSS = """
    PlanPanel #form { height: auto; padding: 0 2; max-width: 100; }
    PlanPanel.-short #form, PlanPanel.-flat #form { padding: 0 1; }
    PlanPanel.-tall #form { margin-top: 1; }
    PlanPanel .line { height: 1; }
    PlanPanel .label { width: auto; margin-right: 1; color: $text-muted; }
    PlanPanel .field { margin-right: 2; }
    PlanPanel #prompt, PlanPanel #output, PlanPanel #concurrency { width: 7; }
    PlanPanel #sentence { height: auto; padding: 0 2; margin-top: 1; }
    PlanPanel #heading { height: 1; padding: 0 2; margin-top: 1; }
    PlanPanel.-short #sentence, PlanPanel.-short #heading { margin-top: 0; padding: 0 1; }
    PlanPanel #below { height: 1fr; }
    PlanPanel.-tall #page { padding: 0 2; }
    PlanPanel #meaning, PlanPanel #table, PlanPanel #out, PlanPanel #legend { height: auto; width: 1fr; }
    PlanPanel #out, PlanPanel #legend { margin-top: 1; }
    PlanPanel #meaning { margin-bottom: 1; }
    """

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._texts = dict(texts or {})
        self._timer: Timer | None = None
        self._plan: Plan | None = None
        self._money = ""
        self._unused: tuple[str, ...] = ()
        """The currency of its prices."""
        self._planned = ""
        """The model of that plan, as it was typed."""
        self._refusal: Refusal | None = None
        self._choosing = not self._texts.get("model")
        self._explains: bool | None = None
        """Whether the meaning of the columns was asked for, or taken away."""

    def body(self) -> Iterable[Widget]:
        """The form, what is to be said about it, the heading that stays, and the table."""
        yield Vertical(*(Horizontal(*self._line(names), classes="line") for names in FIELDS), id="form")
        yield Static("", id="sentence", markup=False)
        yield Static("", id="heading", markup=False)
        below = (Static("", id=name, markup=False) for name in ("meaning", "table", "out", "legend"))
        yield Vertical(Page(ListRows(id="rows"), *below, id="page"), id="below")

    def _line(self, names: Iterable[str]) -> Iterable[Widget]:
        for name in names:
            yield Static("", id=f"label-{name}", classes="label", markup=False)
            if name == "sort":
                yield Choice(dict.fromkeys(ORDERS, ""), ORDERS[0], id="sort")
            else:
                yield AnswerInput(self._texts.get(name, ""), id=name)

    def on_mount(self) -> None:
        """The list of models at first; or the table, where the texts came along."""
        self.query_one(Page).can_focus = False
        self.query_one(ListRows).can_focus = False
        for line in self.query(AnswerInput):
            line.add_class("field")
        self.retell()
        self.set_focus(self.query_one("#model", AnswerInput))
        self._read()

    # --- words -------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Labels, hints, and the table or the list again."""
        for names in FIELDS:
            for name in names:
                self.query_one(f"#label-{name}", Static).update(Content(self.tell(f"plan.{name}")))
        for name in ("model", "gpu", "weights", "concurrency", "price"):
            self.query_one(f"#{name}", AnswerInput).placeholder = self.tell(f"plan.hint.{name}")
        for name, assumed in (("prompt", PROMPT), ("output", OUTPUT)):
            self.query_one(f"#{name}", AnswerInput).placeholder = str(assumed)
        self.query_one("#sort", Choice).say({name: self.tell(f"plan.sorted.{name}") for name in ORDERS})
        self._show()

    def _show(self) -> None:
        models = self._models() if self._choosing else []
        self.query_one(ListRows).show(models)
        self.query_one(ListRows).display = bool(models)
        self._say(self._sentence(models))
        self._show_table(None if self._choosing else self._plan)

    def _sentence(self, models: list[Row]) -> str:
        if self._refusal is not None:
            key = self._refusal.key
            told = self.tell("plan.no_price") if key == "cli.plan.no_price" else self._refusal.text(self.lang)
            told = _OPTION.sub(lambda found: self._named(found[1]), told)
            return f"{told} {self.tell('plan.stale')}" if self._plan is not None and not self._choosing else told
        if self._choosing:
            return self.tell("plan.which" if models else "plan.none")
        if self._plan is None:
            return self.tell("plan.working")
        notes = [say("cli.plan.price_unused", self.lang, text=quoted(text)) for text in self._unused]
        if self._plan.beyond:
            notes.append(say("cli.plan.beyond", self.lang, context=grouped(self._plan.model.context)))
        elif not self._plan.lines:
            from tutor.planning import table

            notes += [say("cli.plan.nothing", self.lang), *table.relaxed(self._plan, self.lang)]
        return _OPTION.sub(lambda found: self._named(found[1]), " ".join(notes))

    def _named(self, option: str) -> str:
        """An option of the command by the name of its line here."""
        return self.tell(f"plan.{option}") if any(option in names for names in FIELDS) else f"--{option}"

    def _say(self, sentence: str) -> None:
        told = self.query_one("#sentence", Static)
        told.display = bool(sentence)
        told.update(Content.styled(sentence, "" if self._refusal is not None else QUIET))

    def _show_table(self, plan: Plan | None) -> None:
        parts = [self.query_one(f"#{name}", Static) for name in ("heading", "meaning", "table", "out", "legend")]
        for part in parts:
            part.display = plan is not None
        if plan is None:
            return
        heading, meaning, body, out, legend = parts
        from tutor.planning import table

        room = max(30, self.size.width - (6 if self.has_class("-tall") else 4))
        made = table.table(plan, self.lang, room, LINES, self._money)
        heading.update(Content.styled(made.heading, QUIET))
        heading.display = body.display = bool(plan.lines)
        meaning.display, legend.display = (bool(plan.lines) and self.explains is above for above in (True, False))
        lines = [Content(line) for row in made.rows for line in row]
        body.update(Content("\n").join(lines))
        reasons = [*table.notes(plan, self.lang), *table.left_out(plan, self.lang, OUT)]
        out.display = bool(reasons)
        head = Content.styled(say("cli.plan.out.head", self.lang), STRONG)
        out.update(Content("\n").join([head, *(Content.styled(reason, QUIET) for reason in reasons)]))
        told = Content("\n").join(Content.styled(line, QUIET) for line in table.legend(made, self.lang))
        meaning.update(told)
        legend.update(told)
        if "hour" in made.ids and not self.query_one("#sentence").display:  # a price has pushed columns out
            self._say(" ".join(table.lacking(made, self.lang)))

    @property
    def explains(self) -> bool:
        """Whether the meaning of the columns stands above the table, not below: on demand, or in a tall window."""
        return self.size.height >= TALL if self._explains is None else self._explains

    def action_columns(self) -> None:
        """Show what the columns mean above the table, or take it away."""
        self._explains = not self.explains
        self._show()
        self.query_one(Page).scroll_home(animate=False)

    def on_resize(self) -> None:
        """As many columns as there is room for."""
        if self.is_mounted:
            self._show()

    def progress(self) -> list[str]:
        """How many fit."""
        if self._plan is None or self._choosing:
            return []
        return [self.tell("plan.count", n=len(self._plan.lines), left=len(self._plan.left))]

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("plan.title")

    def _hints(self) -> Iterable[KeyHint]:
        """With a table, how to go through it, and from line to line of the form."""
        if self._plan is not None and not self._choosing:
            arrows = "arrows" if self.session.ascii else "↑↓"
            yield KeyHint(arrows, self.tell("plan.table"), "screen.walk(1)", 1)
            yield KeyHint("tab", self.tell("plan.line"), "app.focus_next", 2)
        yield from super()._hints()

    def enter(self) -> str:
        """Take the model under the cursor."""
        return self.tell("plan.enter") if self._choosing and self.query_one(ListRows).current else ""

    def own_keys(self) -> Sequence[tuple[str, str]]:
        """Its lines, its list and its table."""
        shown = [("tab, shift+tab", "fields"), ("enter", "take"), ("↑ ↓ PgUp PgDn", "walk"), ("← →", "order")]
        return [(plainer(key, self.session.ascii), self.tell(f"plan.keys.{name}")) for key, name in shown]

    def is_typing(self) -> bool:
        """While a line has the keys."""
        return isinstance(self.focused, AnswerInput)

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        if command.id == "columns":
            return self._plan is not None and bool(self._plan.lines) and not self._choosing
        return command.id not in ("peek", "home")

    # --- reading -----------------------------------------------------------------------------------------------------

    def _models(self) -> list[Row]:
        from tutor.planning import reading

        return [Row(name, Content(name)) for name in reading.matching(self._text("model"), MODELS)]

    def _text(self, name: str) -> str:
        return str(self.query_one(f"#{name}", AnswerInput).value).strip()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Read it all again in a moment; the list of models at once."""
        event.stop()
        if not self.is_mounted:
            return
        self.keep()  # not only after the pause: the panel may be closed within it
        if event.input.id == "model" and not self._choosing:
            self._choosing = True
        if event.input.id == "model":
            self._refusal = None
            self._show()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self._read)

    def on_choice_changed(self, event: Choice.Changed) -> None:
        """Another order."""
        event.stop()
        self._read()

    def _texts_now(self) -> dict[str, str]:
        return {name: self._text(name) for names in FIELDS for name in names if name != "sort"}

    def keep(self) -> None:
        """The plan comes back with what stands there."""
        self.tutor.planning = {name: text for name, text in self._texts_now().items() if text}

    def _read(self) -> None:
        texts = self._texts_now()
        self.keep()
        if texts["model"]:
            self._work_out(texts, self.query_one("#sort", Choice).value)
        else:
            self._choosing, self._refusal, self._plan = True, None, None
            self._show()
            self.retell_frame()

    @work(thread=True, exclusive=True, group="plan")
    def _work_out(self, texts: Mapping[str, str], order: str) -> None:
        """Read and compute away from the screen; what was typed since makes the result one of the past."""
        made: Worked | Refusal
        try:
            made = worked_out(texts, order)
        except Refusal as refusal:
            made = refusal
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._arrived, made, texts["model"])

    def _arrived(self, made: Worked | Refusal, model: str) -> None:
        if not self.is_attached or model != self._text("model"):
            return
        if isinstance(made, Refusal):
            named = not made.key.startswith("cli.calc.unknown_name") and made.key != "cli.calc.ambiguous"
            self._refusal = made if named or not self._choosing else None
            self._choosing = self._choosing and not named
            if model != self._planned:  # the table of another model would say nothing true of this one
                self._plan = None
        else:
            self._plan, self._money, self._unused = made
            self._planned, self._refusal, self._choosing = model, None, False
        self._show()
        self.retell_frame()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter takes the model under the cursor."""
        event.stop()
        if self._choosing and self.query_one(ListRows).current:
            self._take(self.query_one(ListRows).current)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click takes a model."""
        event.stop()
        self._take(event.id)

    def _take(self, model: str) -> None:
        self.query_one("#model", AnswerInput).value = model
        self.query_one("#model", AnswerInput).cursor_position = len(model)

    def action_walk(self, step: int) -> None:
        """Through the models, or through the table."""
        rows, page = self.query_one(ListRows), self.query_one(Page)
        if self._choosing:
            for _ in range(abs(step)):
                rows.action_move(1 if step > 0 else -1)
        else:
            page.scroll_relative(y=step, animate=False)


class Worked(NamedTuple):
    """The plan of what stands in the form, the currency of its prices, and prices of cards that are not in it."""

    plan: Plan
    money: str
    unused: tuple[str, ...]


def worked_out(texts: Mapping[str, str], order: str) -> Worked:
    """The plan of what stands in the form. Raises ``Refusal``."""
    from engine import catalog
    from engine.planning.grid import Grid
    from engine.planning.plan import plan
    from tutor.planning import reading

    served = reading.model(texts["model"])
    named = reading.listed([texts["gpu"]])
    gpus = reading.gpus(named)
    prices = reading.prices(reading.priced([texts["price"]]), gpus, len(named))
    asked = reading.load({name: texts[name] for name in ("prompt", "output", "concurrency")})
    grid = Grid(
        served.model, gpus, reading.CARDS, reading.formats(reading.listed([texts["weights"]]), served), ("auto",), 0
    )
    if order == "cost" and not prices.by:
        raise Refusal("cli.plan.no_price")
    chosen: Order = next((one for one in ORDERS if one == order), ORDERS[0])
    try:
        return Worked(plan(grid, asked.load, prices.by, chosen), prices.money, prices.unused)
    except catalog.NoValues as error:
        raise reading.no_values(error) from error
