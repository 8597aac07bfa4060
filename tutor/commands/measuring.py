"""The probe beside a diagnosis on the command line: whether it runs, its lines, and what comes of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tutor.commands.context import Context
from tutor.diagnoser.probed import Seen, look, names_another
from tutor.probing.conditions import OFFER

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from tutor.probing.running import Ready

SLOW = 1.0
"""Seconds after which a look at drivers and Pythons says what takes so long."""


def measured(context: Context, scenario: Scenario, *, wanted: bool, forbidden: bool, plain: bool) -> Seen | None:
    """What this machine's card measures, or measured within a day; ``None`` where nothing may or can run.

    Args:
        context: of the command.
        scenario: what is diagnosed.
        wanted: ``--probe``: also in a pipe, on a busy card, and anew.
        forbidden: ``--no-probe``.
        plain: whether plain lines were asked for.
    """
    from tutor.commands import study

    quiet = plain or context.json or not study.drawable()
    if forbidden or (not wanted and (quiet or not context.settings.probe)):
        return None
    return _asked_for(context, scenario) if wanted else _by_itself(context, scenario)


def _asked_for(context: Context, scenario: Scenario) -> Seen | None:
    """A run that somebody wants; one sentence where there is none to be had."""
    from content.probing import words
    from tutor.probing import cards, conditions, running

    present = cards.present()
    if not present.cards:
        context.warn(words.may("no-gpu", {}, context.lang))
        return None
    if names_another(scenario, present):
        named = scenario.gpu.name if scenario.gpu is not None else scenario.gpu_name
        params = {"named": named, "here": conditions.names(present.cards)}
        context.warn(words.may("other-gpu", params, context.lang))
        return None
    ready = running.prepare(scenario, python=context.settings.probe_python or None)
    if isinstance(ready, running.NotReady):
        context.warn(words.may("no-torch", {}, context.lang))
        return None
    return _run(context, ready)


def _by_itself(context: Context, scenario: Scenario) -> Seen | None:
    """A run on an idle card, or one of the last day; on a card that works it is only offered."""
    from content.probing import words

    waiting = threading.Timer(SLOW, context.line, [context.say("cli.probe.looking")])
    waiting.daemon = True
    waiting.start()
    try:
        chance = look(scenario, context.settings.probe_python or None)
    finally:
        waiting.cancel()
    if chance.reason:
        offer = context.say("cli.diagnose.probe_offer") if chance.reason in OFFER else ""
        context.warn(f"{words.may(chance.reason, chance.params, context.lang)} {offer}".rstrip())
    return chance.seen if chance.ready is None else _run(context, chance.ready)


def _run(context: Context, ready: Ready) -> Seen:
    from tutor.commands import probe
    from tutor.probing import running

    events = probe.measured(context, ready)
    outcome = running.finish(events, ready.workload, {"request": dict(ready.request)})
    if not context.json:
        context.line()
    return Seen(outcome.result)
