"""Values within their own bounds that cannot be drawn: the sentence names the value that stands against them."""

from __future__ import annotations

import pytest

from content.lang import LANGS
from tutor.figures.registry import get
from tutor.playing import opening, together
from tutor.playing.unreadable import Unreadable


def told(words: str) -> str:
    with pytest.raises(Unreadable) as refused:
        opening.read(words.split())
    for lang in LANGS:
        assert not set(refused.value.told(lang)) & set("{}\n")
    return refused.value.told("en")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ruler value=5", "value: 5 does not go with largest value 0.45; the nearest is 0.45."),
        ("ruler value=-5", "value: -5 does not go with smallest value -0.3; the nearest is -0.3."),
        ("ruler r_max=-5", "largest value: -5 does not go with smallest value -0.3."),
        ("ruler r_min=2", "smallest value: 2 does not go with largest value 0.45."),
        ("block-grid used=5000", "tokens used: 5000 does not go with max_len 2048; the nearest is 2048."),
        ("block-grid used=5000 max_len=100", "tokens used: 5000 does not go with max_len 100; the nearest is 100."),
        ("cache-steps prompt=50", "prompt tokens: 50 does not go with tokens in the cache 6; the nearest is 6."),
        ("heads n_kv_heads=12", "KV heads: 12 does not go with query heads 8; the nearest is 8."),
        ("token-train cached=50", "tokens in the cache cannot be 50 in this figure; the nearest is 7."),
    ],
)
def test_the_other_value_is_named(words: str, sentence: str) -> None:
    assert told(words) == sentence


def test_a_list_that_is_cut_says_how_many_there_may_be() -> None:
    assert told("batching-timeline lengths=" + ",".join("1" * 30)) == "steps per request: that is too many; at most 26."
    state = opening.read(["batching-timeline", "lengths=" + ",".join("1" * 26)]).state
    assert state["lengths"] == (1,) * 26


def test_what_goes_together_is_put_in() -> None:
    grid = get("block-grid")
    assert together.put_in(grid, grid.defaults(), {"used": 5000}) is None
    made = together.put_in(grid, grid.defaults(), {"used": 5000, "max_len": 8192})
    assert made is not None and (made["used"], made["max_len"]) == (5000, 8192)
