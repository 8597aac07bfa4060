"""Links between cards and to the host."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import links
from engine.catalog import gpu, gpus

F = Fraction


@pytest.mark.parametrize(
    ("text", "gigabytes"),
    [("3.0 x16", 15.75), ("4.0 x16", 31.5), ("5.0 x16", 63.0), ("5.0", 63.0), ("4.0 x8", 15.75), ("4.0 x4", 7.88),
     ("gen4 x16", 31.5), ("PCIe 3.0 x8", 7.88), ("pcie gen 5", 63.0), ("2.0 x16", 8.0), ("PCIe 6.0 x16", 121.0)],
)  # fmt: skip
def test_pcie_slots(text: str, gigabytes: float) -> None:
    assert float(links.pcie(text)) / 1e9 == pytest.approx(gigabytes, rel=0.002)


@pytest.mark.parametrize("text", ["", "x16", "9.0 x16", "4.0 x3", "nvlink", "4.0 x16 x16", "-4.0"])
def test_what_is_no_slot(text: str) -> None:
    with pytest.raises(ValueError):
        links.pcie(text)


@pytest.mark.parametrize(
    ("name", "cards", "kind", "gigabytes"),
    [("H100 SXM", 8, "nvlink", 450), ("RTX 3090", 2, "nvlink", 56.25), ("RTX 3090", 4, "pcie", 31.5),
     ("H100 PCIe", 4, "pcie", 63.0), ("RTX 4090", 2, "pcie", 31.5), ("MI300X", 8, "fabric", 448)],
)  # fmt: skip
def test_the_fastest_link_of_so_many_cards(name: str, cards: int, kind: str, gigabytes: float) -> None:
    found = links.between(gpu(name), cards)
    assert found is not None and found.bandwidth is not None
    assert found.kind == kind
    assert float(found.bandwidth) / 1e9 == pytest.approx(gigabytes, rel=0.001)


def test_a_kind_can_be_named_or_be_missing() -> None:
    box = gpu("H100 SXM")
    pcie = links.between(box, 8, "pcie")
    assert pcie is not None and pcie.kind == "pcie"
    assert links.between(gpu("RTX 4090"), 2, "nvlink") is None
    assert links.between(gpu("B300 SXM"), 2, "pcie") is None
    unified = links.to_host(gpu("Apple M2"))
    assert unified is not None and links.seconds(unified, 10**9).high == 0


def test_every_card_is_read_without_an_error() -> None:
    for card in gpus():
        for found in (links.between(card), links.between(card, 8), links.to_host(card)):
            if found is not None and found.bandwidth is not None:
                assert 10**9 < found.bandwidth < 10**12
                assert found.share.low <= found.share.mid <= found.share.high <= 1


def test_what_tensor_parallelism_sends() -> None:
    assert links.tensor_parallel(32, 4096, 1, 1) == (0, 0)
    two = links.tensor_parallel(32, 4096, 1, 2)
    assert two == (2 * 32 * 4096 * 2, 64)  # two cards send the whole activation once
    eight = links.tensor_parallel(32, 4096, 100, 8)
    assert eight.bytes_sent == F(7, 8) * 2 * two.bytes_sent * 100
    assert links.pipeline(4096, 10, 4) == (3 * 10 * 4096 * 2, 3)
    for call in (
        lambda: links.tensor_parallel(1, 1, 1, 0),
        lambda: links.pipeline(1, 1, 0),
    ):
        with pytest.raises(ValueError, match="at least 1"):
            call()


def test_prompts_over_pcie_wait_for_the_link() -> None:
    """incidents.md section 5: tensor parallelism over PCIe makes a long prompt slower, NVLink does not."""
    crossing = links.tensor_parallel(80, 8192, 4096, 4)
    slow, fast = links.between(gpu("RTX 4090"), 4), links.between(gpu("H100 SXM"), 4)
    assert slow is not None and fast is not None
    assert links.seconds(slow, *crossing).mid > 10 * links.seconds(fast, *crossing).mid
    assert 0.5 < links.seconds(slow, *crossing).mid < 0.8  # 16 GB at about 25 GB/s


@given(st.integers(0, 10**12), st.integers(0, 1000))
def test_times_of_a_link_are_ordered(size: int, hops: int) -> None:
    link = links.pcie_link("4.0 x16")
    time = links.seconds(link, size, hops)
    assert 0 <= time.low <= time.mid <= time.high
    share, hop = link.share, link.hop
    assert time.mid == links.seconds_at(link, size, hops, share.mid, hop.mid)
    assert time.high == links.seconds_at(link, size, hops, share.low, hop.high)
