"""What a person types of a model or a card counts over what the catalogue knows of its name."""

from __future__ import annotations

from typing import Any

import pytest

from engine import catalog
from engine.diagnosis import scenario
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Scenario

build = scenario.build


def gigabytes(s: Scenario) -> float:
    size = Case(s).weights_on_card
    assert size is not None
    return float(size) / 1e9


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"model": "llama-2-7b-own", "params_b": 7}, 14.0), ({"model": "llama-7b-custom", "params_b": 7.2}, 14.4),
        ({"model": "llama-2-7b", "params_b": 8.5}, 17.0), ({"params_b": 7}, 14.0),
        ({"model": "llama-2-7b", "params_b": 7}, 13.5), ({"model": "llama-2-7b", "params_b": 6.7}, 13.5),
    ],
)  # fmt: skip
def test_a_typed_size_decides_the_weights_unless_it_is_the_models_own_rounded(
    given: dict[str, Any], wanted: float
) -> None:
    assert gigabytes(build({**given, "weights": "bf16", "gpu": "L40S"})) == pytest.approx(wanted, rel=0.005)


def test_layers_heads_and_cache_stay_the_models() -> None:
    own, typed = build({"model": "llama-3.1-8b"}).model, build({"model": "llama-3.1-8b", "params_b": 9}).model
    assert own is not None and typed is not None and own.id == typed.id
    assert (typed.layers, typed.kv_heads, typed.head_dim) == (own.layers, own.kv_heads, own.head_dim)
    assert typed.params == 9 * 10**9
    assert own == catalog.model(own.id), "the catalogue keeps its own"


def test_it_is_told_that_the_two_differ() -> None:
    (one,) = build({"model": "llama-2-7b", "params_b": 8.5}, "options").conflicts
    assert (one.field, one.kept, one.kept_source, one.dropped_source) == (
        "params_b", "8.5", "options", "meta-llama/Llama-2-7b-hf",
    )  # fmt: skip
    assert build({"model": "llama-2-7b", "params_b": 7}).conflicts == ()


def test_a_size_typed_over_a_model_of_a_file_and_kept() -> None:
    s = build({"params_b": 8.5}, "options", build({"model": "llama-2-7b", "gpu": "L40S"}, "a.toml"))
    assert s.model is not None and (s.model.id, s.model.params) == ("meta-llama/Llama-2-7b-hf", 85 * 10**8)
    assert [one.field for one in s.conflicts] == ["params_b"]
    assert build(scenario.export(s)).model == s.model


def test_one_number_of_the_shape_is_enough_beside_a_name() -> None:
    s = build({"model": "llama-3.1-8b", "layers": 40})
    own = catalog.model("llama-3.1-8b")
    assert s.model is not None and (s.model.layers, s.model.d_model) == (40, own.d_model)
    assert s.model.params > own.params and s.unread == ()
    assert build(scenario.export(s)).model == s.model
    assert build({"model": "llama-3.1-8b", "layers": 32}).model == own


def test_numbers_of_a_card_count_over_those_of_the_card_that_a_file_names() -> None:
    file = build({"gpu": "L4", "model": "llama-3.1-8b"}, "a.toml")
    s = build({"gpu_memory": 40}, "options", file)
    assert s.gpu is not None and (s.gpu.name, s.gpu.capacity) == ("L4", 40 * 10**9)
    assert [one.field for one in s.conflicts] == ["gpu_memory"] and s.unread == ()
    faster = build({"bandwidth": "900 GB/s"}, "options", file)
    assert faster.gpu is not None and faster.gpu.bandwidth == 900 * 10**9 and faster.unread == ()
