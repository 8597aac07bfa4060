"""When a measurement may start by itself, is offered, or is out of the question."""

from __future__ import annotations

from typing import Any

import pytest

from content.lang import LANGS
from content.probing import words
from engine import catalog
from tutor.probing import conditions
from tutor.probing.cards import MIB, Card, Other, Present
from tutor.probing.conditions import may_start
from tutor.probing.pythons import Found

GIB = 2**30
CUDA = Found("/env/bin/python", "3.12.3", "2.9.0+cu130", "cuda", "path")
CPU = CUDA._replace(torch="2.9.0+cpu", build="cpu")
H200 = Card("nvidia", "NVIDIA H200", 0, "GPU-1", 143771 * MIB, 143100 * MIB, (), 0, "580.65")
L4 = Card("nvidia", "NVIDIA L4", 1, "GPU-2", 23034 * MIB, 22500 * MIB, (), 0, "580.65")
WORKER = Other(4711, "python", 120 * GIB)


def asked(*cards: Card, torch: Found | None = CUDA, gpu: str = "", **flags: bool) -> conditions.May:
    named = catalog.gpu(gpu) if gpu else None
    return may_start(Present(cards, "nvidia-smi" if cards else ""), torch, named, **flags)


def test_an_idle_card_of_the_scenario_is_measured() -> None:
    for gpu in ("", "H200 SXM"):
        found = asked(H200, gpu=gpu)
        assert (found.answer, found.reason, found.card) == ("go", "", H200)


@pytest.mark.parametrize(
    ("cards", "more", "answer", "reason"),
    [
        ((H200,), {"no_probe": True}, "no", "switched-off"),
        ((H200,), {"setting": False}, "no", "setting-off"),
        ((), {}, "no", "no-gpu"),
        ((), {"torch": None}, "no", "no-gpu"),
        ((H200,), {"torch": None}, "no", "no-torch"),
        ((H200,), {"gpu": "L4"}, "no", "other-gpu"),
        ((H200,), {"torch": CPU}, "offer", "cpu-build"),
        ((H200._replace(others=(WORKER,)),), {}, "offer", "busy"),
        ((H200._replace(others=(Other(1, "", None),)),), {}, "offer", "busy"),
        ((H200._replace(utilization=90),), {}, "offer", "busy"),
        ((H200._replace(free=20 * GIB),), {}, "offer", "busy"),
        ((H200._replace(total=3 * GIB, free=GIB * 3 // 2),), {}, "offer", "little-memory"),
        ((H200._replace(total=None, free=None, others=None, utilization=None),), {}, "offer", "unseen"),
    ],
)
def test_what_stands_in_the_way(cards: tuple[Card, ...], more: dict[str, Any], answer: str, reason: str) -> None:
    found = asked(*cards, **more)
    assert (found.answer, found.reason) == (answer, reason)
    for lang in LANGS:
        assert "{" not in words.may(found.reason, found.params, lang)


def test_a_busy_card_is_offered_with_the_process_that_works_on_it() -> None:
    found = asked(H200._replace(others=(WORKER, Other(12, "", None))))
    assert "4711, 12" in words.may(found.reason, found.params, "en")


def test_a_slice_or_a_container_that_hides_processes_still_starts_when_memory_is_free() -> None:
    assert asked(H200._replace(others=None, utilization=None)).answer == "go"


def test_of_several_cards_the_idle_one_is_measured() -> None:
    found = asked(H200._replace(others=(WORKER,)), L4)
    assert (found.answer, found.card) == ("go", L4)
    found = asked(H200._replace(others=(WORKER,)), L4, gpu="H200 SXM")
    assert (found.answer, found.reason, found.card is not None and found.card.name) == ("offer", "busy", "NVIDIA H200")
    assert asked(L4, H200, gpu="H200 SXM").card == H200


def test_best_is_the_least_busy() -> None:
    busy = H200._replace(others=(WORKER,))
    assert conditions.best((busy, L4)) == L4
    assert conditions.best((busy,)) == busy
    assert conditions.best(()) is None


def test_a_card_that_shares_the_machines_memory_may_have_it_in_use() -> None:
    mac = Card("apple", "Apple M2 Max", total=64 * GIB, free=8 * GIB)
    assert asked(mac).answer == "go"


def test_every_reason_has_words_in_both_languages() -> None:
    params = {"named": "H100", "here": "L4", "name": "L4", "pids": "", "free": 10**9, "version": "2.9+cpu"}
    for reason in conditions.REASONS:
        said = [words.may(reason, params, lang) for lang in LANGS]
        assert said[0] != said[1]
        assert all(text.endswith(".") and "{" not in text for text in said), reason
