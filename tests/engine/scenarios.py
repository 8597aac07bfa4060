"""What a scenario leaves unread, and what it refuses; for the tests of scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from engine.diagnosis import fields
from engine.diagnosis.model import Scenario
from engine.diagnosis.scenario import ScenarioProblem, build

CONFIG: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512, "torch_dtype": "bfloat16",
}  # fmt: skip
"""A model's config.json."""


def unread(s: Scenario) -> dict[str, str]:
    """The fields that were not read, each with its reason."""
    return {one.field: one.reason for one in s.unread}


def problem(**given: object) -> tuple[str, str]:
    """Why these values are refused, and the field of it."""
    with pytest.raises(ScenarioProblem) as caught:
        build(given)
    assert caught.value.reason in fields.PROBLEMS
    return caught.value.reason, caught.value.field
