"""What FI-11 says of one step: who waits, who came, and why a slot stands idle."""

from __future__ import annotations

from engine.batching import Timeline
from tutor.figures.pen import Pen
from tutor.figures.slot_rows import letter


def waiting(line: Timeline, passed: int) -> str:
    """The letters of the requests that no slot has served yet."""
    return "".join(letter(request) for request in range(len(line.lengths)) if line.start(request) > passed)


def told(line: Timeline, now: int, pace: int, pen: Pen) -> str:
    """The sentence on the step ``now`` (1 and more) of a schedule; ``pace``: how many steps ago one was told before."""
    if now > line.steps:
        return pen.say(f"batching-timeline.notice.done.{line.mode}", steps=pen.count("steps", line.steps))
    came = [request for request in range(len(line.lengths)) if now - pace < line.start(request) <= now]
    idle = sum(row[now - 1] is None for row in line.rows)
    queue = waiting(line, now)
    if came:
        return _came(line, came, now, pen)
    if not idle:
        return pen.say("batching-timeline.notice.busy", n=now)
    slots = pen.count("slots", idle)
    if not queue:
        return pen.say("batching-timeline.notice.empty", n=now, slots=slots)
    running = [who for row in line.rows if (who := row[now - 1]) is not None]
    last = max(running, key=line.finish)
    requests = pen.count("requests", len(queue))
    return pen.say("batching-timeline.notice.held", n=now, slots=slots, requests=requests, who=letter(last))


def _came(line: Timeline, came: list[int], now: int, pen: Pen) -> str:
    """Requests that start at this step: the first ones, the next batch, or some in the place of others."""
    names = ", ".join(map(letter, came))
    if now == 1:
        return pen.say("batching-timeline.notice.first", n=now, who=names)
    if line.mode == "static":
        return pen.say("batching-timeline.notice.batch", n=now, who=names)
    gone = [_before(line, request) for request in came]
    name = "takes" if len(came) == 1 else "take"
    return pen.say(f"batching-timeline.notice.{name}", n=now, who=names, left=", ".join(map(letter, gone)))


def _before(line: Timeline, request: int) -> int:
    """Who had the slot before."""
    row = next(row for row in line.rows if request in row)
    left = row[row.index(request) - 1]
    assert left is not None, "a slot is idle only when nobody waits any more"
    return left
