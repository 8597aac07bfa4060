"""`llm-tutor diagnose --url`: a running server sampled twice for a diagnosis, or watched until it is enough."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tutor.commands.context import DONE, UNUSABLE, Context, Refusal, Words, quoted
from tutor.commands.progressline import ProgressLine
from tutor.live import address
from tutor.live.address import Address
from tutor.live.fetch import Fetcher, Trouble
from tutor.live.sampling import LONGEST, SHORTEST, USUAL, NoMetrics, Reading, Sampling

if TYPE_CHECKING:
    from engine.artefacts.evidence import Artefact
    from engine.artefacts.model import Observations
    from engine.diagnosis.model import Scenario
    from tutor.diagnoser.reading import Gathered
    from tutor.live.watching import Watcher

MOST_SAMPLES = 10**6
ONCE = ("what_if", "save", "report", "probe")
"""Options of a diagnosis that is made once."""


def _together(args: argparse.Namespace) -> None:
    """Raise ``Refusal`` for options that do not go together."""
    said = {"--interval": args.interval, "--watch": args.watch or None, "--samples": args.samples}
    given = [option for option, value in said.items() if value is not None]
    if args.url is None:
        raise Refusal("live.need.url", option=given[0])
    if args.samples is not None and not args.watch:
        raise Refusal("live.need.watch")


def gathered(context: Context, args: argparse.Namespace, options: Mapping[str, object]) -> Gathered:
    """What files, options and the server say, that with two samples.

    A page without metrics that we know is only told where there is something else to diagnose.

    Raises:
        Refusal: an address that is none, a page that could not be had; a file, an option.
        KeyboardInterrupt: somebody has waited enough.
    """
    from tutor.diagnoser import opening, reading

    _together(args)
    where, interval = address.read(args.url), seconds(args.interval)
    files = opening.opened(args.files)
    if files or options:
        reading.together(files, options)  # refuses now what it would refuse after the second sample
    try:
        live = _sampled(context, where, interval)
    except NoMetrics:
        trouble = Trouble("nothing", where)
        if not files and not options:
            raise trouble from None
        context.warn(trouble.text(context.lang))
        live = ()
    return reading.together(files, options, live)


def _sampled(context: Context, where: Address, interval: float) -> tuple[Artefact, ...]:
    """What two samples say together, told on the way."""
    from engine.artefacts.evidence import Artefact

    progress = ProgressLine(context)
    try:
        found = _twice(context, Sampling(Fetcher(where)), where, interval, progress).found
    except KeyboardInterrupt:
        progress.clear()
        context.warn(context.say("live.sampling.stopped"))
        raise
    finally:
        progress.clear()
    return (Artefact(where.name, found),)


def _twice(
    context: Context, sampling: Sampling, where: Address, interval: float, progress: ProgressLine
) -> Reading:  # fmt: skip
    """Two samples; where the second cannot be had, the first alone, which is told."""
    progress.show("live.sampling.first")
    first = sampling.take()
    page = sampling.page
    if page is not None and not page.claims_text:
        progress.clear()
        context.warn(context.say("live.note.type", address=quoted(where.name, 200), said=quoted(page.kind, 60)))
    _wait(interval, lambda left: progress.show("live.sampling.wait", seconds=left))
    progress.show("live.sampling.second")
    try:
        reading = sampling.take()
    except Trouble as trouble:
        progress.clear()
        why = Words(trouble.key, **trouble.params)
        context.warn(Refusal("live.note.no_rates", why=why).text(context.lang))
        return first
    if not reading.rated:
        progress.clear()
        context.warn(context.say("live.note.restarted"))
    return reading


def _wait(whole: float, tell: Callable[[int], None]) -> None:
    """Wait, telling how many seconds are left with each of them."""
    until = time.monotonic() + whole
    while (left := until - time.monotonic()) > 0:
        tell(max(1, round(left)))
        time.sleep(min(left, 1.0))


def seconds(text: str | None) -> float:
    """An interval as it was written. Raises ``Refusal``."""
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    if text is None:
        return USUAL
    try:
        value = float(values.seconds(text, int(LONGEST)))
    except (NotRead, OverflowError):
        value = 0.0
    if not SHORTEST <= value <= LONGEST:
        raise Refusal("live.need.seconds", text=quoted(text))
    return value


def _samples(text: str | None) -> int | None:
    if text is None:
        return None
    written = text.strip()
    if not (written.isascii() and written.isdigit() and len(written) < 9 and 1 <= int(written) <= MOST_SAMPLES):
        raise Refusal("live.need.count", most=MOST_SAMPLES, text=quoted(text))
    return int(written)


# --- watching --------------------------------------------------------------------------------------------------------


def watch(context: Context, args: argparse.Namespace, options: Mapping[str, object]) -> int:
    """The screen that watches, or a line for each sample; ctrl+c and escape end it."""
    from tutor.commands import study

    _together(args)
    if context.json:
        context.refuse("live.need.no_json")
    for name in ONCE:
        if getattr(args, name) not in (None, False):
            context.refuse("live.need.alone", option=f"--{name.replace('_', '-')}")
    count = _samples(args.samples)
    watcher = _watcher(args, options)
    if args.plain or count is not None or not study.drawable():
        from tutor.plain import watch

        return DONE if watch.run(watcher, context.lang, context.line, context.warn, count) else UNUSABLE
    from tutor.travel import WATCH

    return study.open_app(context, WATCH, watching=watcher)


def _watcher(args: argparse.Namespace, options: Mapping[str, object]) -> Watcher:
    """Raises ``Refusal``: everything that was named is read before the first sample."""
    from engine.artefacts.evidence import Artefact
    from tutor.diagnoser import opening, reading
    from tutor.live.watching import Watcher

    where, interval = address.read(args.url), seconds(args.interval)
    files = opening.opened(args.files)
    reading.together(files, options)

    def feed(found: Observations) -> Scenario:
        return reading.together(files, options, (Artefact(where.name, found),)).scenario

    return Watcher(Fetcher(where), feed, interval)
