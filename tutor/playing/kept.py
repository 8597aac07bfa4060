"""What a state holds beside its parameters, as far as a command line may say it: where a cursor stands, what is hidden.

What only the app puts in (what was read, what was measured) is none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from tutor.figures.base import Figure
from tutor.figures.parameters import Parameter

_MOST_SHAPE = 1024
_MOST_PARAMS = 10**14


def further(figure: Figure) -> tuple[Parameter, ...]:
    """Values that no panel offers and a command line needs to open a state again, each with what it may be."""
    found = (*_own(figure.name), Parameter("hide", "text", choices=_parts(figure.name)))
    return tuple(one for one in found if one.name in figure.base)


def instead(figure: Figure, parameter: Parameter) -> Mapping[str, object]:
    """What gives way to a value: a size of its own stands where a model was named."""
    return {"model": ""} if parameter.name == "N" and "model" in figure.base else {}


def _own(name: str) -> Sequence[Parameter]:
    match name:
        case "two-buckets":
            from tutor.figures.budget import DIALS, LEVERS

            return (_one_of("dial", DIALS), _one_of("last", LEVERS), _one_of("strip", ("off", "on")))
        case "kv-factors":
            from tutor.figures.factors import DIALS as FACTORS

            return (_one_of("dial", FACTORS), Parameter("n_head", "count", 1, _MOST_SHAPE))
        case "roofline":
            return (Parameter("N", "params", 1, _MOST_PARAMS),)
        case "batching-timeline":
            from tutor.figures.batching_timeline import LONGEST

            return (Parameter("now", "count", 0, 26 * LONGEST),)
        case "map":
            from tutor.figures.prerequisites import NODES

            nodes = tuple(node.id for node in NODES)
            return (_one_of("at", nodes), Parameter("folded", "text", choices=nodes))
    return ()


def _one_of(name: str, choices: Iterable[str]) -> Parameter:
    return Parameter(name, "choice", choices=tuple(choices))


@cache
def _parts(name: str) -> tuple[str, ...]:
    """The parts of a drawing that a state can leave out."""
    from content.beside import SENTENCE
    from content.files import shipped

    return (*shipped("figures.toml")[name].get("hide", ()), SENTENCE)
