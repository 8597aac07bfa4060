"""Data-parallel attention: its replicas are parts of the tensor-parallel group, and so are its cards and its cap."""

from __future__ import annotations

import pytest

from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.cases.case import Case

FLAGS = {"tp": 8, "dp": 8, "enable_dp_attention": True}


def case(**more: object) -> Case:
    given = {"model": "deepseek-v3", "gpu": "H200 SXM 141GB", "engine": "sglang", "flags": FLAGS, **more}
    return Case(scenarios.build(given))


def test_eight_cards_hold_it_and_attend_apart() -> None:
    found = case()
    assert found.scenario.gpus == found.cards == 8
    assert (found.spread.tp, found.spread.dp, found.spread.ep) == (1, 8, 8)
    alike = case(flags={"tp": 8})
    assert found.weights_on_card is not None and alike.weights_on_card is not None
    assert alike.weights_on_card < found.weights_on_card < 2 * alike.weights_on_card  # attention whole, experts shared


@pytest.mark.parametrize(
    ("flags", "cards"), [({"tp": 4, "dp": 2}, 8), ({"tp": 8, "dp": 2, "enable_dp_attention": True}, 8)]
)
def test_replicas_without_it_are_groups_of_their_own(flags: dict[str, object], cards: int) -> None:
    assert case(flags=flags).scenario.gpus == cards


def test_tensorrt_llm_attends_apart_on_every_card() -> None:
    found = case(engine="tensorrt-llm", flags={"tp_size": 8, "enable_attention_dp": True})
    assert (found.cards, found.spread.dp) == (8, 8)


def test_a_dense_model_stays_one_group() -> None:
    found = case(model="llama-3.1-70b")
    assert (found.cards, found.spread.tp, found.spread.dp) == (8, 8, 1)


def test_the_cap_is_for_all_replicas_together_and_a_higher_one_is_a_lever() -> None:
    load = {"concurrency": 256, "prompt": 1000, "output": 300}
    told = judge.diagnose(scenarios.build({
        "model": "deepseek-v3", "gpu": "H200 SXM 141GB", "engine": "sglang",
        "flags": {**FLAGS, "max_running_requests": 64}, **load,
    }))  # fmt: skip
    assert told.timings.decode is not None and told.timings.decode.batch == 8
    assert told.findings[0].cause == "cap-reached"
    more = next(one for one in told.levers if one.id == "raise-concurrency")
    assert more.helps and more.after is not None and more.after.max_num_seqs == 256


def test_more_ranks_stay_parts_of_one_group() -> None:
    told = judge.diagnose(case(concurrency=8, tpot="40ms").scenario)
    after = next((one.after for one in told.levers if one.id == "tensor-parallel"), None)
    assert after is None or (after.tp or 0) % (after.dp or 1) == 0


def test_replicas_on_too_few_cards_can_only_be_parts_of_the_group() -> None:
    found = case(flags={"tp": 8, "dp": 8}, gpus=8)
    assert (found.cards, found.spread.dp, found.scenario.attention_dp) == (8, 8, True)
