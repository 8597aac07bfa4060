"""Numbers of the memory side that others published or logged, within the tolerance that their rounding needs."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine import units
from engine.catalog import model
from engine.formulas.registry import exact, result
from engine.groups import grouping, room
from engine.memory import number_bytes
from engine.parallel import Parallel
from engine.pool import activation, exactly, left, weights
from engine.vllm import GIB
from engine.weights import by_class

ROWS = json.loads((Path(__file__).parent / "data" / "memory.json").read_text(encoding="utf-8"))["rows"]


def computed(row: dict[str, Any]) -> Fraction:
    """The row's value, in base units."""
    if "weights" in row:
        asked = row["weights"]
        return Fraction(getattr(by_class(model(asked["model"]), asked["format"]), asked["field"]))
    if "loaded" in row:
        asked = row["loaded"]
        return weights(model(asked["model"]), asked["format"], Parallel(asked["tp"])).bytes
    if "activation" in row:
        asked = row["activation"]
        return activation(model(asked["model"]), asked["tokens"], asked["seqs"]).bytes
    if "budget" in row:
        asked = {name: exact(name, value) * GIB for name, value in row["budget"].items()}
        lines = tuple(exactly(name, asked[name], "log") for name in ("weights", "activation", "non-torch"))
        return left(exactly("card", asked["card"], "log"), lines, asked["share"] / GIB).bytes
    if "pool" in row:
        asked = row["pool"]
        entry = model(asked["model"])
        p = number_bytes(entry, asked["kv"]) if "kv" in asked else asked["p"]
        layers = grouping(entry, p, tp=asked["tp"])
        return Fraction(room(Fraction(asked["gib"]) * GIB, layers, 8192, 8192).tokens)
    instead = {name: exact(name, value) for name, value in row.get("override", {}).items()}
    return result(row["formula"], row["given"], instead)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_the_published_number_comes_out(row: dict[str, Any]) -> None:
    published = Fraction(str(row["value"])) * units.get(row["unit"]).factor
    assert abs(computed(row) - published) <= Fraction(str(row["rel_tol"])) * abs(published), row["source"]
