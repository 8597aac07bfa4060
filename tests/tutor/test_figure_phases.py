"""The two phases: what the bars and the line say is what the engine computes, and nothing hidden leaks."""

from __future__ import annotations

from fractions import Fraction as F
from math import log2
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS
from content.words import say
from engine import catalog, roofline
from engine.formulas.registry import result
from tests.tutor.command import Tutor
from tutor.figures.pen import Pen
from tutor.figures.phases import CARDS, FIGURE, commands, crossing, notice, slower, times
from tutor.figures.phases_scale import MOST, scale
from tutor.figures.plain import plain
from tutor.figures.state import put

PEAKED = tuple(card.name for card in catalog.gpus() if card.peak_flops)


def draw(given_: dict[str, Any], width: int = 60, height: int = 20) -> list[str]:
    return FIGURE.draw(FIGURE.defaults(given_), width, height, "en", ascii=True).plain.split("\n")


def test_the_drawing_in_ascii() -> None:
    assert draw({"tokens": 500}) == [
        "tokens in flight             500",
        "weights           7B FP16, 14 GB",
        "card               A100 SXM 80GB",
        "ridge              153 FLOP/byte",
        "",
        "math #############################################  22.4 ms ",
        "read ==============                                  6.87 ms",
        "Math is slower: compute-bound.",
        "",
        "         memory-bound          ridge     compute-bound",
        "=================================+##########################",
        "                    500 tokens in flight ^",
        "1             10             100           1000         8192",
        "Data-sheet rates, weights only. diagnose adds KV reads and",
        "usual losses.",
        "",
        "The math takes 3.27 times as long as the read. Beyond 153",
        "tokens in flight each one costs its own time.",
    ]


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(PEAKED), st.integers(1, MOST), st.integers(10**6, 10**12),
    st.sampled_from(("1/2", 1, 2, 4)), st.integers(34, 120),
)  # fmt: skip
def test_bars_and_verdict_follow_the_engine(gpu: str, tokens: int, size: int, p_w: Any, width: int) -> None:
    state = FIGURE.defaults({"gpu": gpu, "tokens": tokens, "N": size, "p_w": p_w})
    card = catalog.gpu(gpu)
    math, read = times(state)
    assert math == result("compute_time", {"flops": 2 * size * tokens, "peak_flops": card.peak_flops or 0})
    assert read == result("read_time", {"bytes_moved": F(size) * F(p_w), "bandwidth": card.bandwidth})
    assert crossing(state) == roofline.knee(card.peak_flops or 0, card.bandwidth, F(p_w))
    side = {"math": tokens > crossing(state), "mem": tokens < crossing(state), "even": tokens == crossing(state)}
    assert side[slower(math, read)]
    lines = FIGURE.draw(state, width, 24, "en", ascii=True).plain.split("\n")
    bars = {name: next(line for line in lines if line.startswith(f"{name} ")) for name in ("math", "read")}
    shown = {"math": bars["math"].count("#"), "read": bars["read"].count("=")}
    cells = max(shown.values())
    assert width - 4 - 14 <= cells <= width - 4 - 11, "the longer one is as long as the line, and its amount has room"
    for name, seconds in (("math", math), ("read", read)):
        assert bars[name].rstrip().endswith((" us", " ms", " s")) and len(bars[name]) == width, (
            "a number and its unit on one row"
        )
        exact = cells * seconds / max(math, read)
        assert shown[name] >= 1 and abs(shown[name] - max(F(1), exact)) <= F(1, 2)


@given(st.integers(1, MOST), st.fractions(1, MOST), st.integers(34, 120))
def test_the_line_has_us_and_the_crossing_at_their_places(tokens: int, edge: F, width: int) -> None:
    name, line, mark, ticks = (row.content.plain for row in scale(tokens, edge, True, True, Pen(width, 24, "en")))
    assert len(line) == width and "ridge" in name
    for column, value in ((mark.index("▲"), tokens), (line.index("┼"), edge)):
        exact = log2(max(1.0, float(value))) / log2(MOST) * (width - 1)
        assert abs(column - exact) <= 0.5 + 1e-9
    assert line.count("▒") == line.index("┼") and line.count("█") == width - line.index("┼") - 1
    assert ticks.startswith("1 ") and ticks.endswith("8192") and len(ticks) <= width


def test_a_crossing_beyond_the_line_is_not_drawn() -> None:
    drawn = "".join(row.content.plain for row in scale(1, F(MOST + 1), True, True, Pen(60, 24, "en")))
    assert "┼" not in drawn and "ridge" not in drawn


@pytest.mark.parametrize("lang", LANGS)
def test_the_notice_changes_at_the_crossing(lang: str) -> None:
    pen = Pen(80, 24, lang)  # type: ignore[arg-type]
    edge = int(crossing(FIGURE.defaults()))
    told = [notice(FIGURE.defaults({"tokens": tokens}), pen) for tokens in (1, 16, edge, edge + 1, 500)]
    assert len(set(told)) == 5
    assert "153" in told[0] and "9.56" in told[1] and "1.006" in told[3] and "3.27" in told[4]
    assert "38" in notice(FIGURE.defaults({"p_w": "1/2"}), pen), "four bits bring the crossing nearer"


@pytest.mark.parametrize("tokens", [150, 152, 153, 154, 156])
@pytest.mark.parametrize("lang", LANGS)
def test_two_times_that_read_alike_are_told_as_equal(tokens: int, lang: Any) -> None:
    state = FIGURE.defaults({"tokens": tokens})
    lines = FIGURE.draw(state, 76, 18, lang).plain.split("\n")
    math, read = (line.split()[-2] for line in lines if line.rstrip().endswith(" ms"))
    even = say("figures.phases.limit.even", lang)
    assert (even in lines) == (math == read) == (tokens == 153)
    assert (notice(state, Pen(76, 18, lang)) == say("figures.phases.notice.even", lang)) == (tokens == 153)


ROOMS = [(width, height) for width in (34, 60, 120) for height in (8, 16, 30)]


@pytest.mark.parametrize("tokens", [1, 150, 500])
@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_what_is_hidden_is_told_nowhere(tokens: int, width: int, height: int) -> None:
    def text(*hide: str) -> str:
        return "\n".join(draw({"tokens": tokens, "hide": list(hide)}, width, height))

    assert not [word for word in (" ms", "slower", "longer", "bound", "==", "##") if word in text("times")]
    assert not [word for word in ("slower", "longer", "bound") if word in text("limit")]
    assert not [word for word in ("153", "ridge", "memory-bound ") if word in text("ridge")]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_no_bar_and_no_style_answers_what_times_hide(width: int, height: int, lang: Any) -> None:
    drawn = [
        FIGURE.draw(FIGURE.defaults({"tokens": tokens, "hide": ["times"]}), width, height, lang) for tokens in (7, 2048)
    ]
    math, read = (f"{Pen(80, 24, lang).say(f'phases.{name}')} ?" for name in ("math", "mem"))
    for one in drawn:
        assert math in one.plain and read in one.plain
    lines = [[line for line in one.split("\n") if line.plain.rstrip().endswith("?")] for one in drawn]
    assert len(lines[0]) == 2 and lines[0] == lines[1]


def test_a_wide_drawing_has_other_numbers_of_tokens_beside_the_facts() -> None:
    wide = "\n".join(draw({"tokens": 500}, 110, 24))
    assert all(f"{tokens}" in wide for tokens in ("2048", "256", ">            500"))
    for hide in (["ridge"], ["limit"], ["times"]):
        assert "2048" not in "\n".join(draw({"tokens": 500, "hide": hide}, 110, 24))
    assert "2048" not in "\n".join(draw({"tokens": 500}, 80, 24))


def test_a_short_time_has_a_unit_that_fits_it() -> None:
    given_ = {"N": 500_000_000, "p_w": "1/2", "gpu": "MI300X"}
    for width, height in ((34, 8), (60, 16), (76, 18), (98, 30)):
        text = "\n".join(draw(given_, width, height))
        assert "0.765 us" in text and "47.2 us" in text and "0.000" not in text
        assert all(len(line) <= width for line in text.split("\n"))


@pytest.mark.parametrize("lang", LANGS)
def test_in_a_usual_window_it_is_airy(lang: Any) -> None:
    rows = FIGURE.draw(FIGURE.defaults(), 76, 18, lang).plain.split("\n")
    assert rows.count("") == 3 and len(rows) <= 18


def test_read_aloud_it_says_all() -> None:
    text = plain("phases", {"tokens": 500}, 60, "en")
    assert all(part in text for part in ("math: 22.4 ms", "read: 6.87 ms", "compute-bound", "ridge: 153 FLOP/byte"))


def test_any_card_of_the_catalogue_and_any_name_of_it() -> None:
    for name in PEAKED:
        assert FIGURE.draw(FIGURE.defaults({"gpu": name, "tokens": 64}), 80, 24, "en").plain
    assert FIGURE.defaults({"gpu": "h100 sxm"})["gpu"] == "H100 SXM 80GB"
    state = FIGURE.defaults({"gpu": "L4"})
    assert FIGURE.press(state, "switch")["gpu"] == CARDS[0]
    for wrong in ("A100", "GTX 1080 Ti", "[b]x[/b]"):
        with pytest.raises(ValueError, match="gpu = "):
            FIGURE.defaults({"gpu": wrong})


def test_values_are_brought_within_bounds() -> None:
    state = FIGURE.defaults({"tokens": 10**9, "N": 1, "p_w": 100})
    assert (state["tokens"], state["N"], state["p_w"]) == (MOST, 10**6, 4)
    assert FIGURE.defaults({"tokens": -4, "p_w": 0})["p_w"] == F(1, 8)


def test_the_commands_give_the_numbers_of_the_drawing(tutor: Tutor) -> None:
    state = put(FIGURE.defaults(), tokens=500)
    math, read, knee, diagnose = commands(state)
    assert tutor.json(*math.words)["display"] == "22.44 ms"
    assert tutor.json(*read.words)["display"] == "6.866 ms"
    assert F(str(tutor.json(*knee.words)["value"])) == pytest.approx(float(crossing(state)))
    assert tutor.json(*diagnose.words, status=0)["text"]["en"]
    assert "--params-b 7 --gpu 'A100 SXM 80GB' --weights fp16 --concurrency 500" in diagnose.line
