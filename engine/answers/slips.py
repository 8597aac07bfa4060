"""Broken calculations: the formula run again with one step wrong, for whatever values are given.

A formula inherits the breaks of every formula it refers to. A break below is made everywhere the formula below is
used (one wrong idea, carried through), and also in each use alone. Values carried over from an earlier exercise are
breaks too, and so is a step below that was rounded before it was used.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.answers.breaks import BREAKS
from engine.answers.edits import Edit, Known
from engine.formulas import registry
from engine.formulas.registry import Given
from engine.tree import Bin, EvalError, Tree, evaluate, nearest, number, substitute, symbols, walk
from engine.units import COUNTS, exponent

Carried = Mapping[str, tuple[Fraction, str]]
"""Symbol -> (its value in an earlier exercise, the slip of using that)."""

Ranked = tuple[str, Tree, int]


class Broken(NamedTuple):
    """One broken calculation.

    Attributes:
        slip: its id.
        tree: what was calculated instead.
        value: the result, in base units.
        rank: 0 the formula's own last step or a value carried over, 1 a step below it, 2 that step in one of its
            uses only. Of several slips with one value the lowest rank is the likeliest.
    """

    slip: str
    tree: Tree
    value: Fraction
    rank: int


def broken(name: str, given: Given, carry: Carried | None = None, carry_all: str | None = None) -> tuple[Broken, ...]:
    """Every broken calculation of a formula that has a value here, the likelier first.

    Those whose value equals the right one are included: the caller declares or drops them.
    """
    known = registry.values(given)
    return _broken(name, tuple(known.items()), tuple((carry or {}).items()), carry_all)


@lru_cache(maxsize=64)  # each holds some thousand nodes of trees; a question is asked for again only while it stands
def _broken(
    name: str,
    items: tuple[tuple[str, Fraction], ...],
    carry: tuple[tuple[str, tuple[Fraction, str]], ...],
    carry_all: str | None,
) -> tuple[Broken, ...]:
    known = dict(items)
    right = registry.multi_head(registry.expanded(name), known)
    found: dict[tuple[str, Fraction, bool], Broken] = {}
    every = (*broken_trees(name, known), *_carried(name, known, dict(carry), carry_all), *rounded(name, known))
    for slip, broken_tree, rank in every:
        tree = registry.multi_head(broken_tree, known)
        try:
            value = evaluate(tree, known)
        except EvalError:
            continue  # the broken calculation needs something this exercise does not give
        if tree != right:
            # one way to write it down is enough, except that a square may be typed as a power or as a product
            found.setdefault((slip, value, _has_power(tree)), Broken(slip, tree, value, rank))
    return tuple(found.values())


def _has_power(tree: Tree) -> bool:
    return any(isinstance(node, Bin) and node.op == "^" for node in walk(tree))


def broken_trees(name: str, known: Known) -> Iterator[Ranked]:
    """The broken trees of a formula: its own step first, then the steps below it, the nearest first."""
    origin = registry.base(name)
    if origin and not registry.renames(name):
        source, fixed = origin
        yield from ((slip, registry.fix(tree, fixed), rank) for slip, tree, rank in broken_trees(source, known))
        return
    yield from _own(name, origin[0] if origin else name, known)
    families = _families(registry.all_references(name)[::-1])
    for family, members in families.items():
        for slip, edit in BREAKS.get(family, ()):
            yield from ((slip, tree, rank) for tree, rank in _below(name, family, members, edit, known))


def _below(name: str, family: str, members: list[str], edit: Edit, known: Known) -> Iterator[tuple[Tree, int]]:
    """``name`` with one break in a formula below it: in all its members at once, then in each alone."""
    edited = {ref: _edited(ref, family, edit, known) for ref in members}
    changed = {ref: tree for ref, tree in edited.items() if tree is not None and not _vacuous(ref, tree, known)}
    if changed:
        yield registry.expand_with(name, changed), 1
    if len(changed) > 1:
        yield from ((registry.expand_with(name, {ref: tree}), 2) for ref, tree in changed.items())


def _vacuous(ref: str, tree: Tree, known: Known) -> bool:
    """Whether a broken step comes to the right value here: then nothing went wrong in it (INT8 taken for INT8)."""
    try:
        return evaluate(registry.multi_head(tree, known), known) == registry.result(ref, known)
    except (EvalError, registry.FormulaError):
        return False


def _families(below: tuple[str, ...]) -> dict[str, list[str]]:
    """Formulas grouped by the one they derive from: a batch's cache and one request's are one idea."""
    grouped: dict[str, list[str]] = {}
    for ref in below:
        origin = registry.base(ref)
        grouped.setdefault(origin[0] if origin else ref, []).append(ref)
    return grouped


def _own(name: str, family: str, known: Known) -> Iterator[Ranked]:
    for slip, edit in BREAKS.get(family, ()):
        tree = _edited(name, family, edit, known)
        if tree is not None:
            yield slip, tree, 0


def _edited(name: str, family: str, edit: Edit, known: Known) -> Tree | None:
    """A formula with one edit made to the step of its family, expanded; what it fixes is fixed again."""
    changed = edit(registry.step(family, known), known)
    if changed is None:
        return None
    renamed = registry.renames(name)
    changed = substitute(changed, renamed)
    changed = substitute(changed, {ref: registry.expanded(ref) for ref in symbols(changed) if registry.is_formula(ref)})
    origin = registry.base(name)
    return registry.fix(changed, origin[1]) if origin and not renamed else changed


def _carried(name: str, known: Known, carry: Carried, carry_all: str | None) -> Iterator[Ranked]:
    """The right calculation with values of an earlier exercise, one at a time and all at once; where one idea has
    several uses, also in each use alone."""
    if not carry:
        return
    right = registry.multi_head(registry.expanded(name), known)
    yield from ((slip, tree, 0) for slip, tree in _put(right, known, carry, carry_all))
    for members in _families(registry.all_references(name)).values():
        for ref in members if len(members) > 1 else ():
            changed = _put(registry.multi_head(registry.expanded(ref), known), known, carry, carry_all)
            yield from ((slip, registry.expand_with(name, {ref: tree}), 2) for slip, tree in changed)


def _put(tree: Tree, known: Known, carry: Carried, carry_all: str | None) -> Iterator[tuple[str, Tree]]:
    """A tree with each carried value it uses, and with all of them; where only one of them differs from what is given
    here, all at once are no other idea than that one."""
    put = {symbol: number(value) for symbol, (value, _) in carry.items() if symbol in symbols(tree)}
    yield from ((carry[symbol][1], substitute(tree, {symbol: value})) for symbol, value in put.items())
    if carry_all and sum(known.get(symbol) != value.value for symbol, value in put.items()) > 1:
        yield carry_all, substitute(tree, {**put})


# --- a step below rounded before it was used ------------------------------------------------------------------------

ROUNDED = "early-rounding"
FAR = Fraction(1, 50)
"""From how far off a result shows that a step was rounded; nearer, the tolerance decides and no slip is named."""


def rounded(name: str, known: Known, coarse: bool = False) -> Iterator[Ranked]:
    """The right calculation from the shown digits of a formula below it: three of them, or two; of each alone, and of
    all that the formula names itself.

    ``coarse``: also where that comes to the right value shown in one or two digits. A number cannot tell the two apart,
    a typed calculation can.
    """
    try:
        right = registry.result(name, known)
        exact = {ref: registry.result(ref, known) for ref in registry.all_references(name)}
    except registry.FormulaError:
        return
    direct = registry.references(name)
    sizes = {ref: value for ref, value in exact.items() if value and registry.get(ref).unit not in COUNTS}
    for digits in (3, 2):
        short = {ref: number(_shortened(value, digits)) for ref, value in sizes.items()}
        changed = {ref: tree for ref, tree in short.items() if tree.value != exact[ref]}
        together = {ref: tree for ref, tree in changed.items() if ref in direct}
        sets = [{ref: tree} for ref, tree in changed.items()] + ([together] if len(together) > 1 else [])
        for one in sets:
            tree = registry.expand_with(name, one)
            if _far(tree, known, right, coarse):
                yield ROUNDED, tree, 2


def _shortened(value: Fraction, digits: int) -> Fraction:
    """A value as it is shown in so many digits."""
    step = Fraction(10) ** (exponent(value) - digits + 1)
    return nearest(value / step) * step


def _far(tree: Tree, known: Known, right: Fraction, coarse: bool) -> bool:
    """Whether a result is another one than the right one, and not the right one shown in one or two digits, unless
    that counts too."""
    try:
        value = evaluate(registry.multi_head(tree, known), known)
    except EvalError:
        return False
    shown = right != 0 and value in (_shortened(right, 1), _shortened(right, 2))
    return (coarse or not shown) and abs(value - right) > abs(right) * FAR


# --- several steps at once ------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One break that a formula can have: the slip, the formula whose step it breaks, how, and its rank."""

    slip: str
    family: str
    edit: Edit
    rank: int


@lru_cache(maxsize=256)
def steps(name: str) -> tuple[Step, ...]:
    """Every break that a formula has, its own first, then those of the formulas below it, the nearest first."""
    own = family_of(name)
    below = tuple(family for family in _families(registry.all_references(name)[::-1]) if family != own)
    found = [Step(slip, own, edit, 0) for slip, edit in BREAKS.get(own, ())]
    for family in below:
        found += [Step(slip, family, edit, 1) for slip, edit in BREAKS.get(family, ())]
    return tuple(found)


def family_of(name: str) -> str:
    """The formula that a formula derives from; itself, if it was declared."""
    origin = registry.base(name)
    return origin[0] if origin else name


def rebuilt(
    name: str, known: Known, edits: Mapping[str, tuple[Edit, ...]], instead: Mapping[str, Tree] | None = None
) -> Tree | None:
    """The expanded tree of a formula with the steps of some families edited, wherever they are used.

    Args:
        name: the formula.
        known: the given values.
        edits: family -> the edits to make in it, in order.
        instead: trees for formulas below it (a learner's own value); what is below those plays no part then.

    Returns:
        The tree, or ``None`` when an edit found nothing to change anywhere.
    """
    used: set[Edit] = set()
    tree = _rebuilt(name, known, edits, instead or {}, used)
    return tree if used >= {edit for row in edits.values() for edit in row} else None


def _rebuilt(
    name: str,
    known: Known,
    edits: Mapping[str, tuple[Edit, ...]],
    instead: Mapping[str, Tree],
    used: set[Edit],
) -> Tree:
    family, renamed, origin = family_of(name), registry.renames(name), registry.base(name)
    tree = registry.multi_head(registry.get(family).tree, known)
    for edit in edits.get(family, ()):
        changed = edit(tree, known)
        if changed is not None:
            used.add(edit)
            tree = changed
    tree = substitute(tree, renamed)
    below = [ref for ref in symbols(tree) if registry.is_formula(ref)]
    put = {ref: instead[ref] if ref in instead else _rebuilt(ref, known, edits, instead, used) for ref in below}
    tree = substitute(tree, put)
    return registry.fix(tree, origin[1]) if origin and not renamed else tree
