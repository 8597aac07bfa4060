"""What a verdict rests on, in words: names of what was read have their labels, and no text is cut inside a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.diagnosing import words
from content.lang import LANGS, Lang


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_observations_are_said(lang: Lang) -> None:
    told = words.evidence("preemptions_total 31 → 35, waiting_requests 4 → 19; kv_cache_usage 0.992", lang)
    assert "_" not in told and "31 → 35" in told and "4 → 19 requests" in told and "99.2 %" in told


def test_other_names_stay_as_they_were_written() -> None:
    for text in ("max_num_seqs 64 is too low", "new_token_ratio 0.4 → 0.8", "PreemptionMode.RECOMPUTE"):
        assert words.evidence(text, "en") == text


def test_a_sentence_that_is_quoted_brings_no_full_stop_of_its_own() -> None:
    assert words.evidence("Decode out of memory happened.", "en") == "Decode out of memory happened"


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=14), min_size=30, max_size=60))
def test_a_long_text_ends_at_a_word(parts: list[str]) -> None:
    told = words.clean(" ".join(parts))
    assert len(told) <= words.LONGEST
    if told.endswith("…"):
        assert told[:-1].split() == parts[: len(told[:-1].split())]


def test_one_long_word_is_cut_where_it_must_be() -> None:
    assert words.clean("x" * 500) == "x" * (words.LONGEST - 1) + "…"
