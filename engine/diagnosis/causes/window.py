"""Lengths that no memory decides: a window beyond the model's, requests beyond the window."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, words
from engine.diagnosis.causes.situation import tokens
from engine.diagnosis.model import Param

_PRINTED = Fraction(97, 100)
"""The server printed both lengths where it refused one."""


def window_over_model(case: Case) -> Witness | None:
    """The server refuses a window that the model was not made for."""
    said = words(case, {"window-over-model": "0.6"}, "fails-to-start")
    s = case.scenario
    own = s.model_window or (None if s.model is None or s.stand_in else s.model.context)
    if said is None or own is None or (s.max_model_len is not None and s.max_model_len <= own):
        return said  # what was refused is longer than the model's own: another model, or another window
    given: dict[str, Param] = {"longest": tokens(own)}
    if s.max_model_len is not None:
        given["asked"] = tokens(s.max_model_len)
    if s.model_window and s.max_model_len:
        said = said._replace(by="numbers", strength=_PRINTED)
    return said._replace(params=given)


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
