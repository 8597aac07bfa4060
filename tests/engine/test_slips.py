"""Broken calculations give the values that the course's catalogue of misconceptions says, and never the right one."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content import course
from content.checking import check_part, expectation
from content.schema import COMPUTED
from engine import units
from engine.answers.breaks import BREAKS
from engine.answers.check import check
from engine.answers.model import Expectation
from engine.answers.numeric import broken_values, right_value
from engine.answers.slips import broken
from engine.catalog import formula_values, model
from engine.formulas import registry
from engine.formulas.registry import Value, result

F = Fraction
ROWS = json.loads((Path(__file__).parent / "data" / "slips.json").read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['part']}={row['typed']}")
def test_a_wrong_value_names_its_slips(row: dict[str, Any]) -> None:
    verdict = check_part(row["part"], row["typed"])
    assert verdict.verdict == "incorrect"
    assert verdict.slips, "no slip named"
    assert verdict.slips[0] in row["slips"]
    if row.get("named") != "some":
        assert set(row["slips"]) <= set(verdict.slips)
        assert verdict.ambiguous or len(row["slips"]) == 1


def computed_parts() -> list[str]:
    entries = [entry for track in course.index().tracks for entry in track.exercises]
    ids = [part for entry in entries for part in (*entry.parts, *entry.followups)]
    return [part for part in ids if course.part(part)[1].kind in COMPUTED]


@pytest.mark.parametrize("part_id", computed_parts())
def test_no_broken_calculation_gives_the_right_value_of_a_part(part_id: str) -> None:
    expect = expectation(*course.part(part_id))
    right = right_value(expect)
    assert right not in [b.value for b in broken_values(expect)]


@pytest.mark.parametrize("part_id", computed_parts())
def test_the_right_value_is_correct_and_names_no_slip(part_id: str) -> None:
    expect = expectation(*course.part(part_id))
    unit = units.get(expect.unit)
    exact = right_value(expect) / unit.factor
    for number in (f"{exact.numerator}/{exact.denominator}", units.number(exact, expect.digits)):
        typed = f"{number} {unit.symbol}"
        verdict = check_part(part_id, typed)
        assert (verdict.verdict, verdict.slips) == ("correct", ()), typed


small: st.SearchStrategy[Value] = st.integers(2, 60)
DRAWN: dict[str, st.SearchStrategy[Value]] = {
    "b": st.integers(2, 8), "b_low": st.integers(2, 4), "b_high": st.integers(5, 8), "b_from": st.just(16),
    "b_to": st.integers(2, 8), "r_min": st.just(F(-1, 2)), "max_len": st.integers(500, 900),
    "fraction": st.just(F(9, 10)), "p_w": st.sampled_from([F(1, 2), F(1)]),
}  # fmt: skip


def typed(value: Fraction) -> str:
    """An exact value as a learner would type it."""
    return f"{value.numerator}/{value.denominator}"


def parameters(name: str, data: st.DataObject) -> dict[str, Value]:
    """Values of a formula's symbols as an exercise may give them."""
    return {symbol: data.draw(DRAWN.get(symbol, small)) for symbol in registry.needed(name)}


@settings(max_examples=100)
@given(st.data(), st.sampled_from(sorted(BREAKS)))
def test_a_broken_tree_is_another_tree_and_equal_values_can_be_declared(data: st.DataObject, name: str) -> None:
    given_values = parameters(name, data)
    try:
        right = result(name, given_values)
    except registry.FormulaError:
        return
    tree = registry.multi_head(registry.expanded(name), registry.values(given_values))
    for b in broken(name, given_values):
        assert b.tree != tree
    equal = tuple({b.slip for b in broken(name, given_values) if b.value == right})
    expect = Expectation("number", name, given_values, unit="none", digits=None, rel_tol=F(0), equal=equal)
    assert all(b.value != right for b in broken_values(expect))
    verdict = check(expect, typed(right))
    assert (verdict.verdict, verdict.slips) == ("correct", ())


@settings(max_examples=100)
@given(st.data(), st.sampled_from("kv_cache weights headroom quant_step naive_waste total".split()))
def test_every_broken_value_is_caught_by_its_name(data: st.DataObject, name: str) -> None:
    given_values = parameters(name, data)
    expect = Expectation("number", name, given_values, unit="none", digits=None, rel_tol=F(1, 10**9))
    right = right_value(expect)
    for b in broken_values(expect):
        if abs(b.value - right) <= abs(right) / 10**6:
            continue
        verdict = check(expect, typed(b.value))
        same = {c.slip for c in broken_values(expect) if c.value == b.value}
        assert verdict.verdict == "incorrect"
        assert set(verdict.slips) & same or verdict.notes == ("seen-in-working",)


@given(st.integers(1, 10**6), st.integers(1, 10**4))
def test_rounding_breaks_lie_within_one_of_the_right_count(budget: int, each: int) -> None:
    known: dict[str, Value] = {"budget": budget, "S": each, "L": 1, "n_kv_heads": 1, "d_head": 1, "p": F(1, 2)}
    right = result("max_requests", known)
    found = {b.slip: b.value for b in broken("max_requests", known) if b.rank == 0}
    assert right <= found["fraction-kept"] < right + 1
    assert found["ceil-not-floor"] in (right, right + 1)
    assert found["round-not-floor"] in (right, right + 1)
    assert (found["ceil-not-floor"] == right) == (found["fraction-kept"] == right)


@given(st.integers(1, 10**4), st.integers(2, 256))
def test_rounding_blocks_down_is_one_too_few_unless_they_are_full(used: int, bs: int) -> None:
    known: dict[str, Value] = {"used": used, "bs": bs}
    right = result("blocks", known)
    floor = next(b.value for b in broken("blocks", known) if b.slip == "paged-floor")
    assert floor == right - (used % bs != 0)


def test_one_idea_is_broken_in_all_its_uses_at_once_and_in_each_alone() -> None:
    expect = expectation(*course.part("core/L4.3/extra"))
    values = {(b.rank, b.value) for b in broken_values(expect) if b.slip == "kv-drop-two"}
    assert (1, F(27)) in values  # her own headroom, her own request
    assert (2, F(11)) in values  # the right headroom, half a request


def test_a_carried_request_is_also_found_in_one_use_alone() -> None:
    assert check_part("core/L4.3/extra", "18").slips[:1] == ("carry-request",)


def test_working_tells_equal_values_apart() -> None:
    assert check_part("core/L2.1/kv", "2*1*2048*32*4096 bytes").slips == ("kv-p-one",)
    assert check_part("core/L2.1/kv", "1*2048*32*4096*2 bytes").slips == ("kv-drop-two",)
    assert check_part("core/L2.1/kv", "0.537 GB").ambiguous


def test_a_head_width_derived_from_the_model_is_a_slip_where_the_two_differ() -> None:
    shape: dict[str, Value] = {**formula_values(model("google/gemma-7b")), "B": 1, "S": 1}
    assert result("kv_per_token", shape) == 458752
    values = {b.slip: b.value for b in broken("kv_per_token", shape)}
    assert values["head-dim-derived"] == 344064
    assert "gqa-ignored" not in values  # every head has a KV head of its own here


def test_ignoring_grouped_heads_is_a_slip_of_grouped_models_only() -> None:
    llama = {**formula_values(model("llama-3.1-8b")), "B": F(1), "S": F(1)}
    values = {b.slip: b.value for b in broken("kv_per_token", llama)}
    assert values["gqa-ignored"] == 524288
    assert "head-dim-derived" not in values
