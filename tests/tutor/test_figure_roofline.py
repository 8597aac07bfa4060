"""The roofline: points stand where their numbers are, none above its roof, and every number is the engine's."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise
from math import log10
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine import catalog
from engine.formulas.registry import result
from tests.tutor.command import Tutor
from tutor.figures import roof
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.plot import Window, place
from tutor.figures.registry import get
from tutor.figures.roof_plot import plot
from tutor.figures.roofline import CARDS, FIGURE, FORMATS, commands
from tutor.figures.roofline_rows import notice
from tutor.figures.served import look
from tutor.figures.state import put

TERA = 10**12
A100 = roof.Roof(
    F(2039 * 10**9), F(312 * TERA),
    (roof.Point("D", F(10), F(16 * TERA)), roof.Point("P", F(485), F(196 * TERA))),
    reach=roof.Reach(F("0.76"), F("0.9"), F("0.45"), F("0.8")),
)  # fmt: skip
SECOND = ("INT8 624 TFLOP/s", "INT8 624")
WORDS = roof.Words("312 TFLOP/s", "2.04 TB/s", "ridge 153", sides=(("memory-bound", "compute-bound"),))


def lines(of: roof.Roof, width: int, rows: int = 8, ascii_only: bool = False) -> list[str]:
    return [line.plain for line in roof.draw(of, width, WORDS, ascii_only, rows).all]


def test_the_drawing_in_ascii() -> None:
    assert lines(A100, 60, 8, True) == [
        "TFLOP/s        memory-bound               compute-bound",
        "1000 +",
        "     |                            ////----------------------",
        " 100 +                      //////::::::::::P:::::::::::::::",
        "     |2.04 TB/s      ///////:        '           312 TFLOP/s",
        "  10 +        ///////D               '",
        "     | ///////::                     '",
        "   1 +/::                            '",
        "     |                               '",
        "     +-------------------------------+ ridge 153 -----------",
        "        1           10            100         1000",
    ]


# --- the drawing -----------------------------------------------------------------------------------------------------

RATES = st.integers(10**12, 5 * 10**15)
BANDS = st.integers(10**11, 10**13)


@given(st.floats(0, 1), st.integers(1, 200))
def test_a_cell_is_within_half_a_cell_of_its_value(share: float, cells: int) -> None:
    assert abs(place(share, cells) + 0.5 - share * cells) <= 0.5 + 1e-9


@settings(max_examples=120, deadline=None)
@given(BANDS, RATES, st.floats(-1, 5), st.floats(0.02, 1), st.integers(24, 120), st.integers(4, 18), st.booleans())
def test_a_point_stands_at_its_value_and_not_above_the_line(
    bandwidth: int, peak: int, power: float, share: float, width: int, rows: int, ascii_only: bool
) -> None:
    x = F(10.0**power)
    rate = min(x * bandwidth, F(peak)) * F(share)
    of = roof.Roof(F(bandwidth), F(peak), (roof.Point("D", x, rate),))
    drawn = roof.draw(of, width, roof.Words("", "", ""), ascii_only, rows)
    window = roof.frame(of, rows)
    assert window.left <= log10(x) <= window.right and window.bottom <= log10(rate) <= window.top
    found = [(line.plain.index("D"), row) for row, line in enumerate(drawn.plot) if "D" in line.plain]
    assert len(found) == 1
    column, row = found[0]
    room = max(roof.NARROWEST, min(roof.WIDEST, width))
    gutter = max(
        (line.plain.find(sign) + 1 for line in drawn.plot for sign in "│┤|+" if sign in line.plain[:9]), default=0
    )
    gutter = gutter if room >= roof.GUTTER_FROM else 0
    cells = room - gutter
    exact_x = (log10(x) - window.left) / (window.right - window.left) * cells
    exact_y = (window.top - log10(rate)) / (window.top - window.bottom) * rows
    assert abs(column - gutter + 0.5 - exact_x) <= 0.5 + 1e-6
    roof_row = (window.top - log10(peak)) / (window.top - window.bottom) * rows // 1
    off_it = x >= F(peak, bandwidth) and rate < F(3, 4) * peak and exact_y // 1 == roof_row and roof_row + 1 < rows
    assert abs(row - off_it + 0.5 - exact_y) <= 0.5 + 1e-6
    over = [line.plain[column] if column < len(line.plain) else " " for line in drawn.plot[row + 1 :]]
    if share == 1:
        assert all(sign in " ┊':" for sign in over) or power < log10(peak / bandwidth) + 1
    assert all(len(line.plain) <= room for line in drawn.all)


@given(BANDS, RATES)
def test_the_ridge_is_peak_over_bandwidth_and_marked_there(bandwidth: int, peak: int) -> None:
    of = roof.Roof(F(bandwidth), F(peak), ())
    assert of.ridge == F(peak, bandwidth) == result("ridge", {"peak_flops": peak, "bandwidth": bandwidth})
    drawn = roof.draw(of, 80, WORDS)
    before, _, behind = drawn.axis.plain.partition("┴")
    gutter = before.index("└") + 1
    cells = len(drawn.axis.plain) - gutter
    assert len(before) - gutter == roof.frame(of, roof.ROWS).x(float(of.ridge), cells)
    assert behind.startswith(" ridge 153 ") or before.endswith("─ ridge 153 ")


@pytest.mark.parametrize("width", [34, 40, 60, 80, 110])
def test_ticks_stand_at_their_powers(width: int) -> None:
    drawn, window = roof.draw(A100, width, WORDS), roof.frame(A100, 8)
    gutter = drawn.axis.plain.index("└") + 1
    cells = len(drawn.axis.plain) - gutter
    texts = [text for text in drawn.ticks.plain.split() if text[0].isdigit()]
    assert len(texts) >= 3
    for text in texts:
        at = drawn.ticks.plain.index(f" {text}") + 1 + len(text) // 2 - gutter
        assert at == window.x(float(text), cells)
    for row, line in enumerate(drawn.plot):
        if "┤" in line.plain:
            assert window.y(float(line.plain.split("┤")[0]) * 1e12, 8) == row


@settings(max_examples=200, deadline=None)
@given(BANDS, RATES, st.floats(0, 4), st.floats(0.1, 1), st.integers(4, 18))
def test_numbers_of_the_upright_axis_are_even_or_not_there(
    bandwidth: int, peak: int, power: float, share: float, rows: int
) -> None:
    x = F(10.0**power)
    of = roof.Roof(F(bandwidth), F(peak), (roof.Point("D", x, min(x * bandwidth, F(peak)) * F(share)),))
    drawn = roof.draw(of, 80, WORDS, False, rows)
    found = {row: float(line.plain.split("┤")[0]) for row, line in enumerate(drawn.plot) if "┤" in line.plain}
    steps = {lower - upper for upper, lower in pairwise(found)}
    assert len(steps) <= 1 and all(step >= roof.ROWS_A_POWER for step in steps)
    row, rate = next((n, float(of.points[0].rate) / 1e12) for n, line in enumerate(drawn.plot) if "D" in line.plain)
    if row in found:
        assert abs(log10(rate / found[row])) < 0.4, "no letter stands at a number that it is far from"


def test_few_rows_have_no_numbers_beside_them() -> None:
    assert not any(line.plain.lstrip()[0].isdigit() for line in roof.draw(A100, 60, WORDS, False, 4).plot)


@given(st.integers(48, 110), st.integers(4, 18), st.floats(-1, 3.8), st.booleans())
def test_a_second_roof_keeps_its_points_and_is_seen_to_be_a_line(
    width: int, rows: int, power: float, ascii_only: bool
) -> None:
    x, second = F(10.0**power), F(624 * TERA)
    of = roof.Roof(A100.bandwidth, A100.peak, (roof.Point("p", x, min(x * A100.bandwidth, second) / 2),), second=second)
    text = [line.plain for line in roof.draw(of, width, WORDS._replace(second=SECOND), ascii_only, rows).plot]
    assert sum(line.count("p") for line in text) == 1
    row = next((line for line in text if "INT8 624" in line), "")
    assert row and "p" not in row.partition("INT8")[2]
    assert row.endswith(SECOND) and "  p" not in row.partition("INT8")[0][-3:]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_band_lies_below_the_roof_and_the_second_flat_part_beside_it(ascii_only: bool) -> None:
    bare = roof.Roof(A100.bandwidth, A100.peak, ())
    window = Window(-0.2, 3.5, 11.5, 15)
    art, _ = plot(bare, window, 60, 14, roof.Words("", "", ""), ascii_only)
    banded = roof.Roof(A100.bandwidth, A100.peak, (), reach=A100.reach)
    with_band, _ = plot(banded, window, 60, 14, roof.Words("", "", ""), ascii_only)
    first = [next(row for row in range(14) if art[row][x] != " ") for x in range(60)]
    assert first == [next(row for row in range(14) if with_band[row][x] != " ") for x in range(60)]
    more = [(x, y) for y in range(14) for x in range(60) if with_band[y][x] != art[y][x]]
    assert len(more) > 30 and all(y >= first[x] for x, y in more)
    both = roof.Roof(A100.bandwidth, A100.peak, (), second=F(624 * TERA))
    higher, _ = plot(both, window, 60, 14, roof.Words("", "", ""), ascii_only)
    added = [(x, y) for y in range(14) for x in range(60) if higher[y][x] != art[y][x]]
    assert added and all(x >= window.x(float(A100.ridge), 60) - 1 for x, y in added)


# --- the figure ------------------------------------------------------------------------------------------------------

DENSE = ("llama-2-7b", "llama-3.1-8b", "llama-2-70b", "qwen3-8b", "mixtral-8x7b", "deepseek-v3", "gpt-oss-20b")
PEAKED = tuple(card.name for card in catalog.gpus() if card.peak_flops)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(DENSE), st.sampled_from(PEAKED), st.sampled_from((*FORMATS, "awq", "nvfp4", "q4_k_m")),
    st.integers(1, 4096), st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from((2, 1, "1/2")),
)  # fmt: skip
def test_no_step_is_above_its_roof(
    model: str, gpu: str, weights: str, batch: int, context: int, prompt: int, p: Any
) -> None:
    state = FIGURE.defaults(
        {"model": model, "gpu": gpu, "weights": weights, "B": batch, "S": context, "P": prompt, "p": p}
    )
    seen = look(state)
    assert seen.ridge == seen.peak / seen.bandwidth
    for one in seen.stands:
        top = max(seen.peak, seen.second or 0)
        assert one.point.rate <= min(one.point.intensity * seen.bandwidth, top), one
        assert one.point.intensity == one.flops / one.bytes_moved and one.point.rate == one.flops / one.seconds
    for lang in LANGS:
        assert "{" not in notice(state, Pen(80, 24, lang))


@pytest.mark.parametrize("gpu", CARDS)
@pytest.mark.parametrize("model", ["llama-2-7b", "llama-3.1-8b"])
@pytest.mark.parametrize("context", [1, 128, 1024])
def test_the_batch_at_the_ridge_is_the_first_that_reaches_it(gpu: str, model: str, context: int) -> None:
    state = FIGURE.defaults({"gpu": gpu, "model": model, "S": context})
    seen = look(state)
    if seen.ridge_batch is None:
        assert seen.limit < seen.ridge
        assert all(look(put(state, B=batch)).decode.point.intensity <= seen.limit for batch in (1, 64, 4096))
        return
    at, below = (look(put(state, B=max(1, seen.ridge_batch - by))).decode.point.intensity for by in (0, 1))
    assert at >= seen.ridge > below


@pytest.mark.parametrize(
    ("given_", "kind"),
    [
        ({}, "never gets past"),
        ({"S": 128, "model": "llama-3.1-8b"}, "has room for"),
        ({"model": "llama-3.2-1b", "S": 256, "gpu": "H100 SXM 80GB"}, "is full at"),
        ({"B": 4096}, "only on paper"),
        ({"model": "llama-3.1-8b", "S": 128, "B": 512}, "waits for math"),
        ({"P": 64}, "too short"),
        ({"model": "llama-2-70b", "gpu": "T4"}, "more than this card holds"),
        ({"model": "llama-2-70b", "gpu": "L4", "S": 10**6}, "more than this card holds"),
        ({"S": 128_000}, "The weights fit, but not one request of 128,000 tokens"),
        ({"S": 128_000, "B": 1}, "its KV takes 67.1 GB, and 66.5 GB are left"),
    ],
)  # fmt: skip
def test_the_notice_says_what_the_numbers_say(given_: dict[str, Any], kind: str) -> None:
    assert kind in notice(FIGURE.defaults(given_), Pen(80, 24, "en"))


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"B": 4096}, "83 % of the time goes to reading KV"),
        ({"model": "llama-3.1-8b", "S": 128, "B": 4096}, "the math stays in 16 bits"),
        ({"model": "llama-2-70b", "gpu": "L4", "B": 512, "S": 32768}, "96 % of the time goes to reading KV"),
    ],
)
def test_why_lighter_weights_gain_nothing_is_told_where_they_are_drawn(given_: dict[str, Any], told: str) -> None:
    for width, height in ((76, 18), (75, 30), (116, 30)):
        text = " ".join(FIGURE.draw(FIGURE.defaults(given_), width, height, "en").plain.split())
        assert ("d decode W4A16" in text) == ("d is hardly faster" in text)
    assert told in " ".join(plain("roofline", given_, 80, "en").split())
    assert "hardly" not in plain("roofline", {}, 80, "en")


def test_long_steps_are_in_seconds() -> None:
    given_ = {"model": "llama-2-70b", "gpu": "L4", "B": 512, "S": 32768}
    assert "22.5 s" in plain("roofline", given_, 80, "en") and "22.5 s" not in plain("roofline", {}, 80, "en")


def test_the_variants_are_lighter_bytes_and_faster_math() -> None:
    seen = look(FIGURE.defaults())
    decode, prefill, light, eight = seen.stands
    assert [one.point.letter for one in seen.stands] == ["D", "P", "d", "p"]
    assert (light.flops, light.form) == (decode.flops, "W4A16") and light.bytes_moved < decode.bytes_moved
    assert eight.form == "W8A8" and seen.second == 624 * TERA and eight.seconds < prefill.seconds
    assert look(FIGURE.defaults({"gpu": "H100 SXM 80GB"})).stands[3].form == "FP8"
    assert len(look(FIGURE.defaults({"gpu": "V100 SXM2 32GB"})).stands) == 3, "no 8-bit unit"
    assert len(look(FIGURE.defaults({"gpu": "B300 SXM", "weights": "fp8"})).stands) == 3, "INT8 is nearly gone there"
    hidden = FIGURE.defaults({"hide": ["variants"]})
    assert len(look(hidden).stands) == 2 and look(hidden).second is None
    assert FIGURE.press(hidden, "unit") == hidden
    assert "INT8" not in FIGURE.draw(hidden, 100, 24, "en").plain


def test_keys_walk_formats_that_the_card_has() -> None:
    for gpu, expected in (("A100 SXM 80GB", {"bf16", "w8a8", "w4a16"}), ("H100 SXM 80GB", set(FORMATS))):
        state, met = FIGURE.defaults({"gpu": gpu}), set()
        for _ in range(6):
            met.add(state["weights"])
            state = FIGURE.press(state, "unit")
        assert met == expected


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("width", "height"), [(34, 8), (40, 12), (56, 14), (80, 24), (100, 8), (120, 40)])
def test_the_plot_is_there_in_every_room(width: int, height: int, lang: str) -> None:
    text = FIGURE.draw(FIGURE.defaults(), width, height, lang, ascii=True).plain  # type: ignore[arg-type]
    rows = text.split("\n")
    plot = [line.lstrip(" 0123456789") for line in rows]
    assert any("D" in line[1:] for line in plot if line[:1] in ("|", "+") and line[1:2] != "-")
    assert ("INT8" in text) == ("p prefill W8A8" in text), "each letter and line is named, or not there"
    assert any(word in text for word in ("usual", "aksar", "aam taur par"))
    assert "ridge 153" in text and len(rows) <= height
    if width >= 56 and height >= 14:
        assert "25.6 FLOP/byte" in " ".join(text.split())


@pytest.mark.parametrize("lang", LANGS)
def test_in_a_usual_window_the_variants_are_there(lang: Any) -> None:
    text = FIGURE.draw(FIGURE.defaults(), 76, 16, lang).plain
    assert "p prefill W8A8" in text and "INT8 624 TFLOP/s" in text


def test_a_wide_drawing_says_more_beside_it() -> None:
    text = FIGURE.draw(FIGURE.defaults(), 120, 30, "en").plain
    assert all(
        word in text for word in ("requests of 1024 that fit", "never (up to 25.6)", "76 to 90 %", "p prefill W8A8")
    )
    plot = next(line for line in text.split("\n") if "┤" in line)
    assert len(plot.rstrip()) > 60


def test_read_aloud_every_step_has_its_units() -> None:
    text = plain("roofline", {}, 80, "en")
    assert "D decode BF16 16 × 1024 tokens: 10.1 FLOP/byte, 16.2 TFLOP/s, 13.6 ms" in text
    assert "p prefill W8A8: 955 FLOP/byte, 323 TFLOP/s, 20.8 ms" in text


def test_a_size_stands_for_a_model() -> None:
    state = FIGURE.defaults({"N": 7e9})
    assert state["model"] == "" and abs(look(state).weights - 14 * 10**9) < 2 * 10**8
    assert "7B" in FIGURE.draw(state, 80, 24, "en").plain
    assert FIGURE.defaults({"N": 7e9, "model": "llama-2-7b"})["N"] == 0


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"gpu": "A100"}, "gpu = 'A100'"),
        ({"gpu": "GTX 1080 Ti"}, "gpu = "),
        ({"weights": "fp32"}, "weights = "),
        ({"weights": "[b]nonsense[/b]"}, "weights = "),
        ({"model": "no such model"}, "model = "),
        ({"model": "google/gemma-4-31B-it"}, "model = "),
        ({"model": "Qwen/Qwen2-57B-A14B-Instruct"}, "model = "),
        ({"B": "many"}, "B = 'many'"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_told(given_: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match="=") as caught:
        FIGURE.defaults(given_)
    assert told in str(caught.value)


def test_sizes_are_brought_within_bounds() -> None:
    state = FIGURE.defaults({"B": 10**9, "S": 0, "P": -5, "p": 16})
    assert (state["B"], state["S"], state["P"], state["p"]) == (4096, 1, 1, 4)


# --- commands --------------------------------------------------------------------------------------------------------


def test_the_commands_give_the_numbers_of_the_drawing(tutor: Tutor) -> None:
    state = get("roofline").defaults()
    seen = look(state)
    diagnose, ridge, fitting, *places = commands(state)
    report = tutor.json(*diagnose.words)
    assert F(str(report["steps"]["decode"]["usual"])) == pytest.approx(float(seen.decode.seconds), rel=1e-3)
    assert F(str(report["steps"]["prefill"]["usual"])) == pytest.approx(float(seen.prefill.seconds), rel=1e-3)
    assert float(tutor.json(*ridge.words)["value"]) == pytest.approx(float(seen.ridge), rel=1e-6)
    assert tutor.json(*fitting.words)["value"] == seen.fits == 123
    for shell, one in zip(places, (seen.decode, seen.prefill), strict=True):
        assert float(tutor.json(*shell.words)["value"]) == pytest.approx(float(one.point.intensity), rel=1e-6)


@pytest.mark.parametrize("given", [{}, {"B": 1, "S": 2000, "P": 2000, "hide": ["note"]}, {"hide": ["variants"]}])
@pytest.mark.parametrize("width", [46, 58, 72, 110])
@pytest.mark.parametrize("height", [14, 18, 24, 30, 34])
def test_the_plot_is_as_high_in_both_languages(given: dict[str, Any], width: int, height: int) -> None:
    def rows(lang: Lang) -> int:
        drawn = FIGURE.draw(FIGURE.defaults(given), width, height, lang).plain.split("\n")
        return sum(line.lstrip(" 0123456789")[:1] in ("│", "┤") for line in drawn if line.strip())

    high = {rows(lang) for lang in LANGS}
    assert len(high) == 1 and min(high) >= 4
