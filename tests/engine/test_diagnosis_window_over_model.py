"""A window beyond the model's own: the numbers are those of the server's refusal, and one lever ends it."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.model import Report
from engine.diagnosis.symptoms import signals

REFUSED = (
    "ValueError: User-specified max_model_len (65536) is greater than the derived max_model_len "
    "(max_position_embeddings=32768 or model_max_length=None in model's config.json). To allow overriding this "
    "maximum, set the env var VLLM_ALLOW_LONG_MAX_MODEL_LEN=1. VLLM_ALLOW_LONG_MAX_MODEL_LEN must be used with extreme "
    "caution."
)


def report(text: str, **given: object) -> Report:
    base = scenarios.build({"model": "qwen2.5-7b", **given})
    return judge.diagnose(feed.scenario(Evidence((read("a.log", [text.encode()]),)), base))


@pytest.mark.parametrize("card", [{}, {"gpu": "A10G"}, {"gpu": "H100 SXM 80GB", "prompt": 1000, "output": 200}])
def test_the_lengths_are_those_of_the_refusal(card: dict[str, object]) -> None:
    told = report(REFUSED, **card)
    assert told.findings[0].cause == "window-over-model"
    params = {name: getattr(value, "value", value) for name, value in told.findings[0].params.items()}
    assert params == {"longest": 32768, "asked": 65536}


def test_the_lever_is_that_length_and_no_other_has_to_do_with_it() -> None:
    helping = [one for one in report(REFUSED).levers if one.helps]
    assert [one.id for one in helping] == ["lower-max-model-len"]
    assert helping[0].after is not None and helping[0].after.max_model_len == 32768


def test_a_catalogue_that_knows_a_longer_one_is_not_quoted_against_the_window() -> None:
    cut = REFUSED.partition(" (max_position")[0]
    told = report(cut)
    assert told.findings[0].cause == "window-over-model"
    assert "longest" not in told.findings[0].params  # 65536 is not longer than what the catalogue has
    longer = report(cut.replace("65536", "1048576"))
    assert "longest" in longer.findings[0].params


def test_advice_to_override_is_no_setting_that_was_overridden() -> None:
    assert "settings-overwritten" not in {one.id for one in signals.read(REFUSED, "a.log")}
