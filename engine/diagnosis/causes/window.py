"""Lengths that no memory decides: a window beyond the model's, requests beyond the window."""

from __future__ import annotations

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, words
from engine.diagnosis.causes.situation import tokens


def window_over_model(case: Case) -> Witness | None:
    """The server refuses a window that the model was not made for."""
    said = words(case, {"window-over-model": "0.6"}, "fails-to-start")
    model = case.scenario.model
    if said is not None and model is not None and not case.scenario.stand_in:
        said = said._replace(params={"longest": tokens(model.context)})
    return said


def requests_over_window(case: Case) -> Witness | None:
    """Single requests are refused; the server runs."""
    said = words(case, {"requests-over-window": "0.6"})
    window = case.scenario.max_model_len
    return said if said is None or window is None else said._replace(params={"max_len": tokens(window)})


CAUSES = (
    Cause(
        "window-over-model", "load", "other", None, "load", window_over_model, ("lower-max-model-len",),
        ("raise-memory-utilization", "kv-quantization", "w4a16", "more-memory"),
        ("smaller-window", "lower-max-model-len"),
        "vLLM, config check: max_model_len against max_position_embeddings",
    ),
    Cause(
        "requests-over-window", "misread", "none", None, "none", requests_over_window,
        ("shorten-requests",), ("lower-max-model-len", "raise-memory-utilization", "more-memory"), ("count-tokens", ""),
        "vLLM, OpenAI server: prompt and answer together against max_model_len",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
