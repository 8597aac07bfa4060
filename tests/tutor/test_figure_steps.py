"""FI-4, generating with a cache: every step's work drawn as it is counted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from content.words import say
from engine.formulas.registry import result
from engine.units import grouped
from tutor.figures.cache_steps import MOST, PLAYED, counters, load, passes
from tutor.figures.pen import ACCENT
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State, put

FIGURE = get("cache-steps")
STATES = st.tuples(st.integers(1, MOST), st.integers(1, MOST)).map(lambda pair: (min(pair), max(pair)))


def state(prompt: int, tokens: int, **more: Any) -> State:
    return FIGURE.defaults({"prompt": prompt, "tokens": tokens, **more})


def lines(of: State, width: int, height: int, lang: Lang = "en", *, ascii: bool = False) -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(of, width, height, lang, ascii=ascii).plain.split("\n")]


def test_the_idea_in_a_narrow_window() -> None:
    assert lines(state(4, 7), 40, 24) == [
        "step ├─ 1: prefill ┤  2   3   4",
        "K     k1  k2  k3  k4  k5  k6  k7",
        "q7   ─┼───┼───┼───┼───┼───┼───┤",
        "V     v1  v2  v3  v4  v5  v6  v7",
        "q7 reads 7 k and 7 v, cache or not",
        "",
        "tokens through the model",
        "with cache  7 ███████",
        "without    22 ██████████████████████",
        "cached: 4 prompt + 4 made − 1 unread = 7",
        "",
        "█ a token through the model, k one whose",
        "k and v are kept",
        "step with cache        without",
        "1    ████ 4            ████ 4",
        "2    kkkk█ 1           █████ 5",
        "3    kkkkk█ 1          ██████ 6",
        "4    kkkkkk█ 1         ███████ 7",
        "",
        "Step 4: only token 7 goes through. q7",
        "meets all 7 k and mixes their v; without",
        "a cache all 7 would go through.",
    ]


def test_the_idea_in_the_smallest_window_and_in_ascii() -> None:
    assert lines(state(4, 9), 34, 8, ascii=True) == [
        "step +- 1 -+  2   3   4   5   6",
        "K <   k3  k4  k5  k6  k7  k8  k9",
        "q9   -+---+---+---+---+---+---+",
        "V <   v3  v4  v5  v6  v7  v8  v9",
        "tokens through the model  # = 2",
        "with cache  9 ####",
        "without    39 ####################",
    ]


def test_a_wide_window_has_the_counters_beside_the_pile() -> None:
    drawn = lines(state(4, 5), 100, 24)
    assert drawn[1].split() == ["K", *[f"k{n}" for n in range(1, 6)], "with", "cache", "5", "█████"]
    assert drawn[2].endswith("without    9 █████████")
    assert "2    kkkk█ 1" in drawn[9]
    assert drawn[9].endswith(" █████ 5")


def test_a_short_window_keeps_the_steps_before_the_sentences_beside_them() -> None:
    drawn = lines(state(20, 22), 70, 14)
    assert [line.split()[0] for line in drawn[7:11]] == ["step", "1", "2", "3"]
    assert drawn[-2].startswith("Step 3: only token 22"), "and the sentence on what to notice"
    longer = lines(state(20, 27), 70, 14)
    assert [line.split()[0] for line in longer[7:11]] == ["step", "1", "…", "8"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [46, 54, 58, 72, 108])
@pytest.mark.parametrize("height", [14, 16, 24])
def test_no_row_comes_or_goes_while_tokens_are_let_in(width: int, height: int, lang: Lang) -> None:
    def places(of: State) -> tuple[int | None, ...]:
        drawn = lines(of, width, height, lang)
        heads = [say("figures.cache-steps.counters", lang), say("figures.cache-steps.cached", lang)]
        rows = [next((n for n, line in enumerate(drawn) if head in line), None) for head in heads]
        table = next(
            (n for n, line in enumerate(drawn) if n and line.startswith(say("figures.cache-steps.step", lang))), None
        )
        return (*rows, table)

    first = places(state(4, 4))
    assert first[0] is not None and (first[2] is not None or width < 54), "the steps are there in the smallest window"
    assert {places(state(4, tokens)) for tokens in range(4, 20)} == {first}


@settings(max_examples=40, deadline=None)
@given(STATES, st.sampled_from([46, 60, 76, 120]))
def test_the_bars_of_the_steps_say_their_scale(pair: tuple[int, int], width: int) -> None:
    drawn = lines(state(*pair), width, 40)
    head = next(line for line in drawn if "with cache" in line and "without" in line)
    told = re.search(r"█ = ([\d,]+)$", head)
    size = int(told[1].replace(",", "")) if told else 1
    last = next(line for line in drawn if re.match(rf"{pair[1] - pair[0] + 1} +[k█]", line))
    bars = re.findall(r"([k█]+) [\d,]+", last)
    assert len(bars[1]) == max(2 if pair[0] < pair[1] else 1, round(pair[1] / size))


def test_tokens_of_this_step_are_lit() -> None:
    def lit(of: State) -> list[str]:
        drawn = FIGURE.draw(of, 76, 18, "en")
        return [drawn.plain[span.start : span.end].strip() for span in drawn.spans if span.style == ACCENT]

    assert lit(state(4, 4)) == [*[f"k{n}" for n in range(1, 5)], "q4", *[f"v{n}" for n in range(1, 5)]]
    assert lit(state(4, 6)) == ["k6", "q6", "v6"], "the older ones are kept"


def test_the_panel_and_the_drawing_count_the_cache_alike() -> None:
    assert "cached: 4 prompt + 7 made − 1 unread = 10" in plain("cache-steps", dict(state(4, 10)), 80, "en")
    tokens = next(one for one in FIGURE.parameters if one.name == "tokens")
    assert say(f"figures.{tokens.label}", "en") == "tokens in the cache"


@settings(max_examples=80, deadline=None)
@given(STATES)
def test_the_counters_are_the_registry_and_the_sum_of_the_steps(pair: tuple[int, int]) -> None:
    of = state(*pair)
    cached, whole = passes(of)
    assert counters(of) == (sum(cached), sum(whole))
    assert counters(of) == (result("positions_cached", load(of)), result("positions_uncached", load(of)))
    assert len(cached) == len(whole) == load(of)["T"], "the prefill is one step, every token after it another"


def bars(drawn: list[str]) -> list[tuple[int, int]]:
    """Number and cells of the two counters."""
    found = [re.search(r"(?:with cache|without) +([\d,]+) (█+)", line) for line in drawn]
    return [(int(match[1].replace(",", "")), len(match[2])) for match in found if match]


@settings(max_examples=80, deadline=None)
@given(STATES, st.sampled_from([34, 40, 60, 76, 100, 120]), st.integers(8, 40))
def test_both_bars_have_one_scale(pair: tuple[int, int], width: int, height: int) -> None:
    of = state(*pair)
    (kept, short), (again, long) = bars(lines(of, width, height))
    assert (kept, again) == counters(of)
    drawn = [line for line in lines(of, width, height) if not ("with cache" in line and "without" in line)]
    told = re.search(r"█ = ([\d,]+)", " ".join(drawn))
    size = int(told[1].replace(",", "")) if told else 1
    assert (short, long) == (max(1, round(kept / size)), max(1, round(again / size)))
    assert str(size).rstrip("0") in ("1", "2", "5"), "a round number"


@settings(max_examples=80, deadline=None)
@given(STATES, st.sampled_from([34, 40, 60, 100, 120]))
def test_every_step_is_drawn_to_one_scale_and_in_full(pair: tuple[int, int], width: int) -> None:
    of = state(*pair)
    cached, whole = passes(of)
    steps = [re.fullmatch(r"(\d+) +(k*)(█+) ([\d,]+) +(█+) ([\d,]+)", one) for one in lines(of, width, 60)]
    found = [match for match in steps if match]
    shown = [int(match[1]) for match in found]
    assert shown[0] == 1 and shown[1:] == list(range(len(whole) - len(shown) + 2, len(whole) + 1))
    assert ("…" in lines(of, width, 60)) == (len(shown) < len(whole)), "steps left out are told"
    for match in found:
        step = int(match[1]) - 1
        assert (int(match[4].replace(",", "")), int(match[6].replace(",", ""))) == (cached[step], whole[step])
        kept, new, all = match[2].count("k"), match[3].count("█"), match[5].count("█")
        assert new >= 1 and kept + new == all
        assert (kept > 0) == (whole[step] > cached[step]), "what is kept is seen"


def test_the_prompt_is_one_step() -> None:
    assert lines(state(20, 20), 60, 20)[0].count("prefill") == 1
    assert passes(state(20, 20)) == ([20], [20])
    assert lines(state(1, 3), 60, 20)[0].split() == ["step", "1", "2", "3"]


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_goes_from_the_prefill_to_the_long_answer(lang: Lang) -> None:
    told = [plain("cache-steps", {"prompt": p, "tokens": t}, 80, lang) for p, t in ((1, 1), (4, 4), (4, 5), (4, 90))]
    last = [text.split("\n")[-1] for text in told]
    assert len(set(last)) == 4
    assert "q5" in last[2] and "1 k" not in last[2]
    kept, again = counters(state(4, 90))
    assert grouped(kept) in last[3] and grouped(again) in last[3] and "90" in last[3]


def test_playing_adds_a_token_and_ends_after_two_dozen() -> None:
    assert FIGURE.advance is not None and FIGURE.begin is not None
    of, made = state(20, 20), 1
    while (after := FIGURE.advance(of)) != of:
        assert after["tokens"] == int(str(of["tokens"])) + 1
        of, made = after, made + 1
    assert made == PLAYED == load(of)["T"]
    assert FIGURE.begin(of) == state(20, 20)
    assert FIGURE.advance(state(MOST, MOST)) == state(MOST, MOST)


def test_the_commands_give_the_counters() -> None:
    assert [shell.line for shell in FIGURE.commands(state(20, 119))] == [
        "llm-tutor calc positions_uncached P=20 T=100",
        "llm-tutor calc positions_cached P=20 T=100",
    ]


@settings(max_examples=60, deadline=None)
@given(STATES, st.sampled_from([40, 76, 120]), st.sampled_from(LANGS))
def test_hidden_counters_are_nowhere(pair: tuple[int, int], width: int, lang: Lang) -> None:
    of = state(*pair, hide=["counters"])
    drawn = "\n".join(lines(of, width, 60, lang)) + plain("cache-steps", dict(of), width, lang)
    assert "█" not in drawn and "▒" not in drawn
    assert FIGURE.commands(of) == []
    again = counters(of)[1]
    if again > 2 * MOST:
        assert grouped(again) not in drawn
    assert len(re.findall(r"(?:with cache|without|cache ke saath|cache ke bina) +\? *$", drawn, re.M)) == 2
    assert drawn != "\n".join(lines(put(of, hide=()), width, 60, lang))
