"""The code for cards, run on a stand-in for CUDA: that its calls fit together. Needs torch, and no card."""

import io
import json
from typing import Any

import pytest

from engine.probe.gather import gathered
from engine.probe.program import backends, sizes
from engine.probe.program.emit import Emitter
from engine.probe.program.model import Case, NoDevice, NoMemory, Refused, Request
from engine.probe.program.run import measure
from tests.probe.cuda import Graph, Torch

torch = pytest.importorskip("torch")
torch.set_grad_enabled(False)


def run(stand_in: Torch, seconds: float = 30.0) -> list[dict[str, Any]]:
    out = io.StringIO()
    request = Request("cuda", seconds, None, Case(2, 512, 128), None, True)
    measure(backends.Cuda(stand_in), Emitter(out), request)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor is no card: smaller sizes of everything."""
    from engine.probe.program.stages import ceilings, steps

    monkeypatch.setattr(ceilings, "PRODUCTS", (128, 256))
    monkeypatch.setattr(steps, "CACHES", ((1, 256), (2, 512)))
    monkeypatch.setattr(steps, "PROMPTS", (32, 64))
    monkeypatch.setattr(steps, "MORE_PROMPT", 96)
    monkeypatch.setattr(steps, "BATCHES", (1, 2, 4))


def test_a_run_records_replays_and_tells() -> None:
    before = Graph.made
    told = run(Torch(torch))
    found = gathered(told)
    assert found.odd == 0
    assert Graph.made > before
    assert found.device is not None
    assert found.device.kind == "cuda"
    assert found.device.memory_clock == 2619.0
    assert found.plan is not None
    assert found.plan.origin == "reduced"
    assert told[-1]["event"] == "end"
    assert found.has("no-witness")
    assert found.has("small-memory")


def test_a_card_that_records_nothing_launches() -> None:
    found = gathered(run(Torch(torch, refuses="operation not permitted when stream is capturing")))
    assert found.has("no-graph")
    assert found.linear
    assert not found.linear[0].time.graph
    assert found.case is not None


def test_every_product_of_a_card_is_tried_or_refused() -> None:
    device = backends.Cuda(Torch(torch))
    request = Request("cuda", 4.0, None, None, None, False)
    plan = sizes.plan(device.facts(), 300 * 10**6, "bf16", request)
    device.reserve(plan)
    for dtype in ("bf16", "fp32", "fp8", "int8"):
        try:
            step = device.product(dtype, 64)
        except Refused:
            assert dtype in ("fp8", "int8")
        else:
            assert len(device.time(step, 2, 9)) == 9
    with pytest.raises(NoMemory):
        device.product("fp32", 1 << 15)
    device.release()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CUDA out of memory. Tried to allocate 20 MiB", NoMemory),
        ("CUDA error: no kernel image is available for execution on the device", Refused),
        ("CUDA error: all CUDA-capable devices are busy or unavailable", NoDevice),
    ],
)
def test_a_card_that_does_not_start_says_why(text: str, kind: type[Exception]) -> None:
    class Broken(Torch):
        def ones(self, *args: Any, **kwargs: Any) -> Any:
            raise RuntimeError(text)

    with pytest.raises(kind, match=text[:20]):
        backends.Cuda(Broken(torch))


def test_the_numbers_of_a_step_stay_finite_and_at_one_size() -> None:
    """Growing from layer to layer they would end as infinities, vanishing as numbers that a processor is slow at."""
    device = backends.Cpu(torch)
    request = Request("cpu", 25.0, None, None, None, False)
    device.reserve(sizes.plan(device.facts(), 4 * 10**9, "fp32", request))
    device.stack(16)()
    made = device._layers(16, device._work)[-1][2]
    device.stack(16)()
    deviation = float(made.float().std())
    assert 0.2 < deviation < 5


def test_folded_heads_are_the_same_attention() -> None:
    """The group in the rows of the query, against the cache repeated for each head."""
    attend = torch.nn.functional.scaled_dot_product_attention
    query, keys, values = torch.randn(2, 4, 3, 16), torch.randn(2, 4, 40, 16), torch.randn(2, 4, 40, 16)
    folded = attend(query, keys, values)
    repeated = attend(
        query.reshape(2, 12, 1, 16), keys.repeat_interleave(3, 1), values.repeat_interleave(3, 1)
    ).reshape(2, 4, 3, 16)  # fmt: skip
    assert torch.allclose(folded, repeated, atol=1e-5)


def test_a_prompts_shared_keys_are_the_same_attention() -> None:
    attend = torch.nn.functional.scaled_dot_product_attention
    query, keys, values = torch.randn(4, 3, 24, 16), torch.randn(4, 1, 24, 16), torch.randn(4, 1, 24, 16)
    shared = attend(query, keys.expand(-1, 3, -1, -1), values.expand(-1, 3, -1, -1), is_causal=True)
    copied = attend(query, keys.repeat(1, 3, 1, 1), values.repeat(1, 3, 1, 1), is_causal=True)
    assert torch.allclose(shared, copied, atol=1e-5)
