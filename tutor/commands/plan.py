"""`llm-tutor plan --model M`: which card, how many of it, which format; how many requests, how fast, what price."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from engine.units import grouped
from tutor.commands.context import DONE, NEGATIVE, Context, quoted, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from engine.planning.grid import Grid
    from engine.planning.options import Option
    from engine.planning.plan import Left, Line, Plan, Spread
    from engine.planning.wishes import Relaxed
    from tutor.planning.reading import Asked, Prices

TOP, OUT = 15, 8
"""Lines of the table, and of what does not fit, unless more are asked for."""
_MOST = 10**6
_WIDEST = 140


def arguments(parser: Parser) -> None:
    """The model, the cards, the formats, the load, the goals, the prices, the order."""
    parser.value("--model", "NAME|FILE")
    parser.value("--gpu", "NAME,...", many=True)
    parser.value("--vendor", "NAME")
    parser.value("--gpus", "N,...", dash=True, many=True)
    parser.value("--weights", "FORMAT,...", many=True)
    parser.value("--kv", "FORMAT,...", many=True)
    parser.value("--prompt", "N", dash=True)
    parser.value("--output", "N", dash=True)
    parser.value("--concurrency", "N", dash=True)
    parser.value("--max-model-len", "N", dash=True)
    parser.value("--tpot", "TIME", dash=True)
    parser.value("--ttft", "TIME", dash=True)
    parser.value("--price", "NAME=PRICE", dash=True, many=True)
    parser.value("--sort", "ORDER")
    parser.value("--top", "N", dash=True)
    parser.flag("--all")


def run(context: Context, args: argparse.Namespace) -> int:
    """Make the plan and print it; 1 where nothing serves the load."""
    if not args.model:
        context.refuse("cli.error.missing", command="plan", what="--model", known="llama-3.1-8b, config.json")
    from engine import catalog
    from engine.planning.grid import Grid, every
    from engine.planning.plan import MAX_OPTIONS, ORDERS, plan
    from tutor.planning import reading

    served = reading.model(args.model)
    given = {
        name: reading.named(f"--{name}", getattr(args, name)) for name in ("gpu", "gpus", "weights", "kv", "price")
    }
    gpus = reading.gpus(given["gpu"], args.vendor or "")
    asked = reading.load(vars(args))
    prices = reading.prices(reading.priced(given["price"]), gpus, len(given["gpu"]))
    grid = Grid(
        served.model, gpus, reading.numbers_of_cards(given["gpus"]),
        reading.formats(given["weights"], served), reading.caches(given["kv"], served), 0,
    )  # fmt: skip
    if (options := sum(1 for _ in every(grid))) > MAX_OPTIONS:
        context.refuse("cli.plan.too_many", n=grouped(options), most=grouped(MAX_OPTIONS))
    load = asked.load
    goal = load.requests is not None or load.tpot is not None or load.ttft is not None
    order = (args.sort or ("cost" if prices.by and not goal else "cards")).lower()
    if order not in ORDERS:
        raise unknown("value", args.sort, ORDERS, name="--sort")
    if order == "cost" and not prices.by:
        context.refuse("cli.plan.no_price")
    top = _MOST if args.all else reading.count("--top", args.top, _MOST) if args.top else TOP
    try:
        made = plan(grid, load, prices.by, order)
    except catalog.NoValues as error:
        raise reading.no_values(error) from error
    assumed = (*asked.assumed, *(() if args.gpu or args.vendor else ("gpu",)))
    for text in prices.unused:
        context.warn(context.say("cli.plan.price_unused", text=quoted(text)))
    if context.json:
        context.document(document(grid, asked, assumed, made, order, prices.money))
    else:
        _show(context, made, _told(context, asked, assumed, made, prices), top, prices.money, args.all, order)
    return DONE if made.lines else NEGATIVE


def _told(context: Context, asked: Asked, assumed: tuple[str, ...], made: Plan, prices: Prices) -> list[str]:
    """What stands above the table: the load, what was assumed, and what the numbers do not hold for."""
    from engine.planning.plan import USABLE
    from tutor.planning import table

    load, model = asked.load, made.model
    told = [context.say("cli.plan.title", model=model.id, prompt=grouped(load.prompt), output=grouped(load.output))]
    if assumed:
        values = {
            "prompt": load.prompt, "output": load.output, "max_model_len": load.longest, "concurrency": int(1 / USABLE),
        }  # fmt: skip
        keys = {"concurrency": "concurrency_tpot"} if load.tpot is not None else {}
        said = (
            context.say(f"cli.plan.assumed.{keys.get(name, name)}", n=grouped(values.get(name, 0))) for name in assumed
        )
        told.append(context.say("cli.plan.assumed.head", values="; ".join(said)))
    if load.requests is not None and load.requests > 1:
        told.append(context.say("cli.plan.at_once", n=grouped(load.requests)))
    for text, names in prices.alike:
        told.append(context.say("cli.plan.alike", text=text, cards=", ".join(names)))
    if made.beyond:
        told.append(context.say("cli.plan.beyond", context=grouped(model.context)))
    return told + table.notes(made, context.lang)


def _show(context: Context, made: Plan, told: list[str], top: int, money: str, every: bool, order: str) -> None:
    from tutor.commands.help import columns_of_output
    from tutor.planning import table

    width = columns_of_output(_WIDEST)
    most = _MOST if every else OUT
    for sentence in told:
        _wrap(context, sentence, width)
    if made.lines:
        drawn = table.table(made, context.lang, width, top, money)
        context.line(f"\n{drawn.heading}")
        for row in drawn.rows:
            for line in row:
                context.line(line)
        if len(made.lines) > top:
            context.line(context.say("cli.plan.more", n=len(made.lines) - top))
        context.line()
        for line in table.legend(drawn, context.lang):
            _wrap(context, line, width, "  ")
        _wrap(context, context.say(f"cli.plan.order.{order}"), width, "  ")
    else:
        context.line("\n" + context.say("cli.plan.nothing"))
        for sentence in table.relaxed(made, context.lang):
            _wrap(context, sentence, width, "  ")
    out = table.left_out(made, context.lang, _MOST, short=not every)
    if out:
        context.line("\n" + context.say("cli.plan.out.head"))
        for sentence in out[:most]:
            _wrap(context, sentence, width, "  ")
        if len(out) > most:
            context.line("  " + context.say("cli.plan.more", n=len(out) - most))


def _wrap(context: Context, text: str, width: int, indent: str = "") -> None:
    import textwrap

    for line in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=2 * indent, break_on_hyphens=False):
        context.line(line)


# --- as JSON ---------------------------------------------------------------------------------------------------------


def document(grid: Grid, asked: Asked, assumed: tuple[str, ...], made: Plan, order: str, money: str) -> dict[str, Any]:
    """A plan as `plan --json` shows it: bytes, seconds and tokens a second."""
    load = asked.load
    return {
        "model": grid.model.id,
        "load": {
            "prompt": load.prompt, "output": load.output, "concurrency": load.requests, "max_model_len": load.longest,
            "tpot": None if load.tpot is None else float(load.tpot),
            "ttft": None if load.ttft is None else float(load.ttft),
        },
        "assumed": list(assumed),
        "beyond_window": made.beyond,
        "sort": order,
        "currency": money or None,
        "options": [_line(line) for line in made.lines],
        "left_out": [_left(left) for left in made.left],
        "relaxed": [_option(one.option) | {"wishes": _wishes(one)} for one in made.relaxed],
    }  # fmt: skip


def _wishes(one: Relaxed) -> dict[str, float]:
    named = {"requests": "concurrency"}
    return {named.get(name, name): int(value) if name == "requests" else value for name, value in one.wishes.items()}


def _option(option: Option) -> dict[str, Any]:
    return {"gpu": option.gpu.name, "gpus": option.cards, "weights": option.form.name, "kv": option.kv}


def _line(line: Line) -> dict[str, Any]:
    from engine.planning.plan import WALLS

    return _option(line.option) | {
        "bytes": {"weights": line.weights, "kv_pool": line.pool, "card": line.memory},
        "fits": line.fits,
        "running": line.running,
        "tpot": _spread(line.step),
        "ttft": _spread(line.first),
        "ttft_all_at_once": _spread(line.last) if line.last else None,
        "tokens_per_second_each": _spread(line.each),
        "tokens_per_second": _spread(line.together),
        "bound": line.bound,
        "wall": WALLS[line.bound],
        "cost_per_million": line.cost,
        "cost_per_hour": line.hour,
        "native": line.native,
    }


def _spread(of: Spread) -> dict[str, float]:
    """The three efficiencies of a number: `best` is the fastest, whether the number is a time or a rate."""
    return {"usual": of.usual, "best": of.best, "worst": of.worst}


def _left(left: Left) -> dict[str, Any]:
    numbers = {"need": left.need, "have": left.have} if left.need else {}
    return _option(left.option) | {"reason": left.reason, **numbers}
