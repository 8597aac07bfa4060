"""Ranks that PCIe joins: the path is no fault that a flag mends, and smaller groups are the lever, if they hold."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting import acts
from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.paths import own_all_reduce
from engine.diagnosis.model import LeverResult, Report, Scenario

SERVED: dict[str, object] = {
    "model": "meta-llama/Llama-3.1-70B-Instruct", "gpu": "A100 PCIe 80GB", "gpus": 8, "link": "pcie", "engine": "vllm",
    "prompt": 1500, "output": 400, "concurrency": 16, "flags": {"tensor_parallel_size": 8},
}  # fmt: skip
NCCL = {"flags": {"tensor_parallel_size": 8, "disable_custom_all_reduce": True}}


def built(**more: object) -> Scenario:
    return scenarios.build({**SERVED, **more})


def report(**more: object) -> Report:
    return judge.diagnose(built(**more))


def lever(found: Report, name: str) -> LeverResult:
    return next(one for one in found.levers if one.id == name)


def test_a_flag_that_the_engine_sets_itself_is_no_lever() -> None:
    found = lever(report(**NCCL), "fix-topology")
    assert (found.helps, found.why) == (False, "own-all-reduce-off")


@pytest.mark.parametrize(
    ("more", "works"),
    [
        ({"flags": {"tensor_parallel_size": 2, "disable_custom_all_reduce": True}, "gpus": 2}, True),
        ({"gpu": "A100 SXM 80GB", "link": "nvlink", **NCCL}, True),
        (NCCL, False),
    ],
)
def test_two_cards_or_a_fast_link_have_the_engines_own_all_reduce(more: dict[str, object], works: bool) -> None:
    of = Case(built(**more))
    assert own_all_reduce(of) is works


def test_what_takes_the_direct_path_away_is_still_mended_and_only_that() -> None:
    flags = {**NCCL["flags"], "NCCL_P2P_DISABLE": 1}
    found = lever(report(flags=flags, symptoms=["extremely slow, 100x slower than one card"]), "fix-topology")
    assert found.helps and found.flag == "remove NCCL_P2P_DISABLE"


def test_the_groups_are_those_that_yield_most_of_those_that_hold_the_weights() -> None:
    found = lever(report(concurrency=64), "data-parallel")
    assert found.helps and found.flag == "--tensor-parallel-size 4 --data-parallel-size 2"
    assert found.after is not None and acts.again(found.after).starts


def test_where_smaller_groups_alone_lose_they_come_with_fewer_bits() -> None:
    found = report(tpot="68ms").levers[0]
    assert found.id == "data-parallel" and found.beside is not None and found.beside.id == "w4a16"
    assert "--data-parallel-size" in found.flag and found.flag.startswith("--model <an AWQ checkpoint>")
    assert found.gain is not None and found.gain > Fraction(13, 10)
    assert found.after is not None and acts.again(found.after).starts


def test_no_format_is_offered_with_replicas_where_they_have_few_bits_already() -> None:
    found = report(weights="awq", tpot="68ms")
    assert all(one.beside is None for one in found.levers)


def test_that_the_weights_fit_each_smaller_group_is_not_taken_for_granted() -> None:
    unknown = scenarios.build({**{k: v for k, v in SERVED.items() if k != "gpu"}, "gpu": "A100", **NCCL})
    found = lever(judge.diagnose(unknown), "data-parallel")
    assert found.precondition != "met" and "--tensor-parallel-size 1" not in found.flag


def test_the_walls_share_is_of_the_time_that_the_report_names() -> None:
    """What crosses the link in a step and in the prompts of others, what nothing explains, of the time."""
    found = report(tpot="68ms")
    step, prefill = found.timings.decode, found.timings.prefill
    assert step is not None and prefill is not None and step.measured is not None
    prompts = (step.step.seconds / step.shared - step.step.seconds) / step.measured
    left = 1 - step.step.seconds / step.measured - prompts
    link = step.step.shares()["link"] * step.step.seconds / step.measured
    assert found.walls[0].share == link + prefill.step.shares()["link"] * prompts + left
