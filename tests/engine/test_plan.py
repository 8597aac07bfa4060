"""The room plan: the sweep says what the scalar engine says, and the table sorts out what does not serve a load."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import links, memory, pool, precision, serving, steps, vllm
from engine.catalog import Model, NoValues, gpu, gpus, model, models
from engine.formulas import registry
from engine.formulas.sweep import sweep
from engine.parallel import Parallel
from engine.planning import plan as planning
from engine.planning import speed
from engine.planning.grid import Facts, Grid, every
from engine.planning.options import Option, barred, has_rules_of_its_own
from engine.planning.plan import BOUNDS, USABLE, Load, Plan, plan
from engine.support import runs, served_in

F = Fraction
SIZED = [one for one in models() if not one.cannot_size and one.matmul is not None]
FORMS = ("bf16", "fp16", "fp8", "fp8-tile", "w8a8", "int8", "awq", "nvfp4", "mxfp4", "q4_k_m")
KINDS = {
    "dense": "llama-3.1-8b", "tied": "llama-3.2-1b", "mixture": "qwen3-30b-a3b", "latent": "deepseek-v3",
    "sparse": "deepseek-v3.2", "shared keys": "glm-5.3-flash", "window": "gemma-3-27b-it",
    "chunked": "llama-4-scout-17b-16e-instruct", "state": "qwen3-next-80b-a3b-instruct",
}  # fmt: skip
CLOSE = 1e-9


def near(found: object, wanted: Fraction | float) -> bool:
    return abs(float(found) - float(wanted)) <= CLOSE * max(abs(float(wanted)), 1e-12)  # type: ignore[arg-type]


def grid(name: str | Model, cards: str, counts: tuple[int, ...] = (1,), forms: str = "bf16", kvs: str = "auto") -> Grid:
    entry = name if isinstance(name, Model) else model(name)
    formats = tuple(precision.find(form) for form in forms.split())
    return Grid(entry, tuple(gpu(card) for card in cards.split(",")), counts, formats, tuple(kvs.split()), 0)


# --- the sweep against the scalar engine -----------------------------------------------------------------------------


def compare(entry: Model, card: str, cards: int, form: str, kv: str, prompt: int, output: int, batch: int) -> None:
    """One configuration, both ways: every part of both steps at all ends, the pool, what fits, the rates."""
    one = Grid(entry, (gpu(card),), (cards,), (precision.find(form),), (kv,), prompt + output)
    facts, p = Facts(one), memory.number_bytes(entry, kv)
    setup = steps.Setup(entry, gpu(card), precision.find(form), p, tp=cards)
    decode, prefill = steps.decode(setup, batch, prompt + output // 2), steps.prefill(setup, prompt)
    for end, times, first in (
        ("fast", decode.fast, prefill.fast), ("usual", decode.usual, prefill.usual),
        ("slow", decode.slow, prefill.slow),
    ):  # fmt: skip
        of = facts.at(0, 0, 0, 0, end)  # type: ignore[arg-type]
        for found, wanted in (
            (speed.decode(of, batch, prompt + output // 2), times),
            (speed.prefill(of, prompt), first),
        ):
            assert near(found.total, wanted.total)
            for name in speed.Times._fields:
                assert near(getattr(found, name), getattr(wanted, name) or 0), (end, name)
    of = facts.at(0, 0, 0, 0)
    parts = speed.decode(of, batch, prompt + output // 2).parts()
    assert all(near(parts[name], decode.parts()[name]) for name in BOUNDS)

    asked = vllm.Settings(max_len=prompt + output, p=p, parallel=Parallel(tp=cards))
    known = pool.pool(entry, pool.card(gpu(card)), form, asked, name=card)
    swept = speed.sweep_all(of, prompt, output, batch)
    assert abs(float(swept.budget) - float(known.budget.bytes)) <= CLOSE * float(known.card.bytes)
    assert speed.blocks(of) == known.room.blocks
    need = known.layers.need(prompt + output, known.settings.tokens)
    assert (speed.need(of, prompt + output), swept.fits) == (need, known.room.blocks // need)
    rate = serving.latency(prefill.seconds, decode.seconds, output, batch).output_rate
    assert near(swept.output_rate, rate)
    assert near(swept.step_rate, batch / decode.seconds)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(SIZED), st.sampled_from([one.name for one in gpus()]), st.sampled_from([1, 2, 3, 4, 8, 16]),
    st.sampled_from(FORMS), st.sampled_from(["auto", "fp8", "int8", "q8_0"]), st.integers(1, 2**18),
    st.integers(1, 2**14), st.integers(1, 2048),
)  # fmt: skip
def test_the_sweep_says_what_the_engine_says(
    entry: Model, card: str, cards: int, form: str, kv: str, prompt: int, output: int, batch: int
) -> None:
    if cards == 1 or links.between(gpu(card), cards) is not None:
        compare(entry, card, cards, form, kv, prompt, output, batch)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model(kind: str) -> None:
    for prompt, output, batch in ((1, 1, 1), (511, 3, 128), (20000, 700, 129)):
        compare(model(KINDS[kind]), "H100 SXM 80GB", 4, "fp8", "fp8", prompt, output, batch)


def test_options_and_loads_broadcast() -> None:
    """Each number of a sweep over many options and loads is the one of that option and load alone."""
    import numpy as np

    many = grid("qwen3-30b-a3b", "L4,H100 SXM,A100 SXM 80GB", (1, 2), "bf16 awq", "auto fp8")
    places = np.array(list(every(many)))
    assert len(places) == 3 * 2 * 2 * 2
    prompt, batch = np.array([100, 3000, 70000]), np.array([1, 50, 400])
    facts = Facts(many)
    of = facts.at(*places.T[:, :, None])
    found = speed.sweep_all(of, prompt, 128, batch)
    assert found.decode.shape == found.fits.shape == found.output_rate.shape == (24, 3)
    for n in (0, 7, 13, 23):
        alone = speed.sweep_all(facts.at(*places[n]), int(prompt[1]), 128, int(batch[1]))
        assert [float(one) for one in alone[1:]] == [float(np.broadcast_to(one, (24, 3))[n, 1]) for one in found[1:]]


def test_a_sweep_takes_overrides_as_a_result_does() -> None:
    given_, overrides = {"capacity": 80, "fraction": F(9, 10), "reserve": 4}, {"weights": F(16)}
    exact = registry.result("kv_pool", given_, overrides)
    assert float(sweep("kv_pool", {k: float(v) for k, v in given_.items()}, {"weights": 16})) == float(exact) == 52
    with pytest.raises(registry.FormulaError):
        sweep("kv_pool", {"capacity": 80}, {"weights": 16})


def test_nothing_heavy_is_imported_before_it_is_called() -> None:
    code = "import sys, engine.planning.plan; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- the table -------------------------------------------------------------------------------------------------------


def reasons(made: Plan) -> dict[tuple[str, int, str], str]:
    return {(one.option.gpu.name, one.option.cards, one.option.form.name): one.reason for one in made.left}


def test_every_option_is_in_the_table_or_left_out_once() -> None:
    many = Grid(model("llama-3.1-8b"), gpus(), (1, 2, 3), tuple(map(precision.find, ("bf16", "w8a8"))), ("auto",), 0)
    made = plan(many, Load(1000, 100))
    every_one = [one.option for one in (*made.lines, *made.left)]
    assert len(every_one) == len(set(every_one)) == len(gpus()) * 3 * 2
    assert {one.reason for one in made.left} >= {"unit", "link", "heads", "weights"}


def test_why_an_option_is_left_out() -> None:
    made = plan(grid("llama-3.1-8b", "T4,TPU v5e,V100 SXM2 16GB,H100 SXM", (1, 2, 3), "bf16 w8a8 fp8"), Load(2000, 200))
    found = reasons(made)
    assert found["T4", 1, "fp16"] == "weights", "a T4 has no bf16"
    assert found["TPU v5e", 2, "w8a8"] == "link"
    assert found["V100 SXM2 16GB", 2, "w8a8"] == "unit"
    assert found["V100 SXM2 16GB", 1, "fp8"] == "unit"
    assert {form for name, cards, form in found if name == "H100 SXM 80GB"} == {"bf16", "w8a8", "fp8"}
    assert {found[key] for key in found if key[0] == "H100 SXM 80GB"} == {"heads"}, "32 heads on 3 cards"


def test_one_long_request_may_not_fit_where_weights_do() -> None:
    made = plan(grid("llama-3.1-8b", "L4"), Load(100_000, 1000))
    (left,) = made.left
    assert left.reason == "kv"
    assert left.need > left.have > 0
    shorter = plan(grid("llama-3.1-8b", "L4"), Load(20_000, 1000))
    assert shorter.lines[0].fits >= 1
    longer = plan(grid("llama-3.1-8b", "L4"), Load(20_000, 1000, max_len=100_000))
    assert longer.left[0].reason == "kv", "a server that must take longer requests does not start"


def test_the_numbers_of_a_line_are_the_engines() -> None:
    made = plan(grid("llama-3.1-8b", "H100 SXM", forms="fp8"), Load(2048, 256, 64), {"H100 SXM 80GB": F(2)})
    (line,) = made.lines
    setup = steps.Setup(model("llama-3.1-8b"), gpu("H100 SXM"), precision.find("fp8"))
    step, first = steps.decode(setup, 64, 2048 + 128), steps.prefill(setup, 2048)
    assert line.running == 64
    assert all(near(*pair) for pair in zip(line.step, step.time[:3], strict=True))
    assert all(near(*pair) for pair in zip(line.first, first.time[:3], strict=True))
    assert near(line.each.usual, 1 / step.seconds)
    rate = serving.latency(first.seconds, step.seconds, 256, 64).output_rate
    assert near(line.together.usual, rate)
    assert near(line.cost, serving.cost_per_million(2, rate))  # type: ignore[arg-type]
    assert line.bound == step.bound
    assert line.native
    assert line.together.worst < line.together.usual < line.together.best
    assert line.step.best < line.step.usual < line.step.worst


def test_what_holds_too_few_at_once_is_left_out() -> None:
    of = grid("llama-3.1-8b", "L4,H200 SXM")
    free = {line.option.gpu.name: line.fits for line in plan(of, Load(2048, 256)).lines}
    made = plan(of, Load(2048, 256, free["L4"]))
    assert {line.option.gpu.name for line in made.lines} == {"L4", "H200 SXM 141GB"}
    made = plan(of, Load(2048, 256, free["L4"] + 1))
    (line,), (left,) = made.lines, made.left
    assert (line.option.gpu.name, line.running) == ("H200 SXM 141GB", free["L4"] + 1)
    assert (left.reason, left.need, left.have) == ("requests", free["L4"] + 1, free["L4"])


def test_without_a_number_so_many_run_as_are_served_at_a_usable_speed() -> None:
    of = grid("qwen2.5-7b", "Apple M3 Max (30-core GPU),H100 SXM")
    slow, quick = (
        next(line for line in plan(of, Load(2048, 256)).lines if name in line.option.gpu.name)
        for name in ("Apple", "H100")
    )
    assert slow.running < slow.fits and slow.step.usual <= USABLE
    setup = steps.Setup(of.model, of.gpus[0], of.forms[0])
    assert steps.decode(setup, slow.running + 1, 2048 + 128).seconds > USABLE
    assert quick.running == quick.fits
    (alone,) = plan(grid("llama-3.1-70b", "Apple M2 Ultra (76-core GPU)"), Load(2048, 256)).lines
    assert alone.running == 1 and alone.step.usual > USABLE, "too slow even alone: still shown"


def test_the_first_token_under_load_judges_a_goal() -> None:
    of = grid("llama-3.1-8b", "H100 SXM")
    (alone,) = plan(of, Load(16_000, 256)).lines
    assert alone.last is None
    (line,) = plan(of, Load(16_000, 256, 20)).lines
    assert line.last is not None and near(line.last.usual, 20 * line.first.usual), "one long prompt after the other"
    between = F(line.first.usual + line.last.usual) / 2
    assert plan(of, Load(16_000, 256, ttft=between)).lines
    (left,) = plan(of, Load(16_000, 256, 20, ttft=between)).left
    assert left.reason == "ttft" and near(left.need, line.last.usual)
    (short,) = plan(of, Load(16, 16, 20)).lines
    assert short.last is not None and short.last.usual < 4 * short.first.usual, "short prompts share a pass"


def test_cards_without_bf16_run_fp16_once() -> None:
    bf16 = precision.find("bf16")
    for card, name in (
        ("T4", "fp16"),
        ("V100 SXM2 32GB", "fp16"),
        ("P40", "fp16"),
        ("A10G", "bf16"),
        ("MI300X", "bf16"),
    ):
        assert served_in(bf16, gpu(card)).name == name
    assert served_in(precision.find("awq"), gpu("T4")).name == "awq"
    made = plan(grid("qwen2.5-1.5b", "T4,L4", forms="bf16 fp16"), Load(2048, 256))
    found = sorted((one.option.gpu.name, one.option.form.name) for one in (*made.lines, *made.left))
    assert found == [("L4", "bf16"), ("L4", "fp16"), ("T4", "fp16")]


def test_several_chips_without_a_link_are_out_for_that_alone() -> None:
    qwen = model("qwen2.5-7b")
    assert qwen.heads % 8
    chip = Option(gpu("Apple M3 Ultra (80-core GPU)"), 8, precision.find("bf16"), "auto")
    assert [reason for reason, *_ in barred(qwen, chip)] == ["link"]
    assert has_rules_of_its_own(chip.gpu) and not has_rules_of_its_own(gpu("MI300X"))


def test_fewer_run_where_fewer_fit() -> None:
    (line,) = plan(grid("llama-3.1-8b", "H200 SXM"), Load(100, 10)).lines
    assert line.running == 1024 < line.fits, "max_num_seqs"


def test_a_time_between_tokens_bounds_the_batch() -> None:
    of = grid("llama-3.1-8b", "H100 SXM")
    (free,) = plan(of, Load(2048, 256)).lines
    wanted = F(15, 1000)
    (held,) = plan(of, Load(2048, 256, tpot=wanted)).lines
    assert 1 < held.running < free.running
    setup = steps.Setup(of.model, of.gpus[0], of.forms[0])
    assert steps.decode(setup, held.running, 2048 + 128).seconds <= wanted
    assert steps.decode(setup, held.running + 1, 2048 + 128).seconds > wanted
    assert reasons(plan(of, Load(2048, 256, tpot=F(1, 1000)))) == {("H100 SXM 80GB", 1, "bf16"): "tpot"}
    assert reasons(plan(of, Load(2048, 256, 150, tpot=wanted))) == {("H100 SXM 80GB", 1, "bf16"): "tpot"}
    assert reasons(plan(of, Load(60000, 256, ttft=F(1, 10)))) == {("H100 SXM 80GB", 1, "bf16"): "ttft"}


def test_the_orders() -> None:
    of = grid("llama-3.1-8b", "L4,A100 SXM 80GB,H100 SXM,RTX 4090", (1, 2, 4), "bf16 fp8")
    prices = {"L4": F("0.5"), "H100 SXM 80GB": F(3), "A100 SXM 80GB": F("1.5")}
    made = {order: plan(of, Load(2048, 256), prices, order).lines for order in planning.ORDERS}
    assert len({frozenset(line.option for line in lines) for lines in made.values()}) == 1
    rates = [line.together.usual for line in made["speed"]]
    assert rates == sorted(rates, reverse=True)
    costs = [line.cost for line in made["cost"] if line.cost is not None]
    assert costs == sorted(costs)
    assert [line.cost for line in made["cost"]][len(costs) :] == [None] * (len(made["cost"]) - len(costs))
    assert {line.option.gpu.name for line in made["cost"] if line.cost is None} == {"RTX 4090"}
    first = [(line.option.cards, line.hour or 1e9, -line.together.usual) for line in made["cards"] if line.hour]
    assert first == sorted(first), "fewest cards, then cheapest, then fastest"
    assert [line.option.cards for line in made["cards"]] == sorted(line.option.cards for line in made["cards"])
    assert {line.hour for line in made["cards"] if line.option == made["cards"][0].option} == {0.5}
    bare = [(line.option.cards, line.memory) for line in plan(of, Load(2048, 256)).lines]
    assert bare == sorted(bare), "the default; without prices smaller cards first"
    memory_ = [line.option.cards * line.memory for line in made["memory"]]
    assert memory_ == sorted(memory_)


@pytest.mark.parametrize(
    ("form", "card", "whether"),
    [
        ("bf16", "T4", True), ("w8a8", "T4", True), ("w8a8", "V100 PCIe 16GB", False), ("fp8", "A100 SXM 80GB", True),
        ("fp8", "V100 PCIe 16GB", False), ("fp8", "MI250X", False), ("fp8", "MI300X", True),
        ("awq", "V100 PCIe 16GB", True), ("nvfp4", "H100 SXM", True), ("nvfp4", "MI300X", False),
        ("mxfp4", "V100 PCIe 16GB", False), ("mxfp4", "MI300X", True),
    ],
)  # fmt: skip
def test_which_format_runs_where(form: str, card: str, whether: bool) -> None:
    assert runs(precision.find(form), gpu(card)) is whether


def test_what_cannot_be_planned() -> None:
    with pytest.raises(NoValues):
        plan(grid("google/gemma-4-31B-it", "L4"), Load(10, 10))
    with pytest.raises(NoValues):
        plan(grid("Qwen/Qwen2-57B-A14B-Instruct", "L4"), Load(10, 10))
    for load in (Load(0, 1), Load(1, 0), Load(1, 1, 0)):
        with pytest.raises(ValueError, match="request"):
            plan(grid("llama-3.1-8b", "L4"), load)
    with pytest.raises(ValueError, match="options"):
        plan(
            Grid(model("llama-3.1-8b"), gpus(), tuple(range(1, 500)), (precision.find("fp8"),), ("auto",), 0),
            Load(1, 1),
        )
    with pytest.raises(ValueError, match="cards"):
        plan(grid("llama-3.1-8b", "L4", (0,)), Load(1, 1))
