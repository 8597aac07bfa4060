"""One pattern finds what looking for each fragment finds, wherever in a fragment its rarest letter stands."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from engine.artefacts import fragments, registry
from engine.artefacts.marks import Marks

LETTERS = st.text("ae_K4█", max_size=5)


@given(st.lists(LETTERS.filter(bool), min_size=1, max_size=6), st.text("ae_K4█ ", max_size=30))
@example(["aK", "eK", "K_"], "a eK")
@example(["Ka", "K"], "aK")
def test_a_pattern_finds_what_single_fragments_find(marks: list[str], text: str) -> None:
    there = any(mark in text for mark in marks)
    assert bool(fragments.compiled(tuple(marks)).search(text)) is there
    assert bool(fragments.in_bytes(tuple(marks)).search(text.encode())) is there


@given(st.integers(0, 10**6), st.text(max_size=20))
def test_every_fragment_of_a_reader_is_found_in_any_surroundings(seed: int, around: str) -> None:
    marks = Marks(registry._readers())
    mark = marks.all[seed % len(marks.all)]
    assert fragments.compiled(marks.all).search(f"{around}{mark}{around}")
    assert marks.of(f"{around}{mark}{around}")


def test_equal_facts_of_a_long_log_are_one_and_different_ones_all_kept() -> None:
    rows = [f"INFO [kv_cache_utils.py:849] GPU KV cache size: {16 * (n % 3000)} tokens\n" for n in range(6000)]
    found = registry.read_text("".join(rows)).series["kv_cache_tokens"]
    assert list(found.values) == [16.0 * n for n in range(3000)]
    assert found.lines.tolist() == list(range(1, 3001))
