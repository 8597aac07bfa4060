"""Numbers that others published, computed here within the tolerance that their rounding needs."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine import units
from engine.catalog import formula_values, gpu, model
from engine.formulas.registry import needed, result
from engine.memory import kv_bytes

ROWS = json.loads((Path(__file__).parent / "data" / "published.json").read_text(encoding="utf-8"))["rows"]


def computed(row: dict[str, Any]) -> Fraction:
    """The row's value, in base units."""
    if "field" in row:
        return Fraction(getattr(model(row["model"]), row["field"]))
    if "tokens" in row:
        return kv_bytes(model(row["model"]), row["tokens"], row["p"])
    given: dict[str, Any] = dict(row.get("given", {}))
    wanted = set(needed(row["formula"], given)) - given.keys()
    if "gpu" in row:
        given |= formula_values(gpu(row["gpu"]), wanted)
    elif "model" in row and wanted:
        given |= formula_values(model(row["model"]), wanted)
    return result(row["formula"], given) + Fraction(row.get("plus_bytes", 0))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_the_published_number_comes_out(row: dict[str, Any]) -> None:
    published = Fraction(str(row["value"])) * units.get(row["unit"]).factor
    assert abs(computed(row) - published) <= Fraction(str(row["rel_tol"])) * abs(published), row["source"]


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.get("formula") == "kv_per_token" and "model" in r], ids=lambda row: row["model"]
)
def test_the_catalogue_has_the_shape_that_was_published(row: dict[str, Any]) -> None:
    entry, shape = model(row["model"]), row["given"]
    assert (entry.layers, entry.kv_heads, entry.head_dim) == (shape["L"], shape["n_kv_heads"], shape["d_head"])
