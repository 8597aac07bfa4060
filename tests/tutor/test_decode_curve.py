"""The drawing of a step's time over the batch: it fits, it says what the data say, it needs no colour."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from math import log10
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine import catalog
from engine.formulas.registry import result
from tutor import coursemap
from tutor.figures.decode_curve import FIGURE, curve
from tutor.figures.pen import Pen
from tutor.figures.state import State, put
from tutor.probing import kept
from tutor.widgets import decode_curve
from tutor.widgets.decode_curve import LETTERS, Band, Curve, Dot, Words, draw, legend, notice

WORDS = Words("ms a step", "batch", "your batch 8", ("knee 171 (150–192)", "knee 171"))
KNEE = Band(171, 150, 192)


def card(flat: float = 2e-3, knee: float = 171, last: int = 512) -> tuple[Dot, ...]:
    """A card as the roofline has it, with the classes of its batches."""
    batches = [2**n for n in range(20) if 2**n <= last]
    label = ["memory" if b < knee / 2 else "compute" if b > 2 * knee else "knee" for b in batches]
    return tuple(Dot(b, flat * max(1.0, b / knee), one) for b, one in zip(batches, label, strict=True))


def lines(curve: Curve, width: int, ascii_only: bool = False) -> list[str]:
    return [line.plain for line in draw(curve, width, WORDS, ascii_only)]


def plot(drawn: list[str], ascii_only: bool = False) -> list[str]:
    """The cells between the axes, row by row."""
    bars = "|+" if ascii_only else "│┤"
    rows = [line for line in drawn[1:] if any(bar in line for bar in bars) and "--" not in line]
    return [line[next(n for n, sign in enumerate(line) if sign in bars) + 1 :] for line in rows]


@given(
    st.lists(st.tuples(st.integers(1, 5000), st.floats(1e-7, 30)), min_size=1, max_size=14),
    st.integers(34, 120),
    st.booleans(),
    st.one_of(st.none(), st.tuples(st.floats(1, 4000), st.floats(1, 2), st.floats(1, 2))),
    st.one_of(st.none(), st.integers(1, 4096)),
)
@settings(max_examples=150, deadline=None)
def test_it_fits_whatever_the_data(
    points: list[tuple[int, float]],
    width: int,
    ascii_only: bool,
    knee: tuple[float, float, float] | None,
    at: int | None,
) -> None:
    dots = tuple(Dot(batch, seconds, "memory") for batch, seconds in sorted(dict(points).items()))
    band = None if knee is None else Band(knee[0], knee[0] / knee[1], knee[0] * knee[2])
    drawn = lines(Curve(dots, band, at, dots[::2]), width, ascii_only)
    assert all(len(line) <= width for line in drawn)
    assert len(drawn) <= decode_curve.MORE_ROWS + decode_curve.FRAME + 1
    assert not ascii_only or "\n".join(drawn).replace("–", "-").isascii()
    assert any("M" in line for line in plot(drawn, ascii_only))


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_point_is_a_letter_of_its_class_on_the_line(width: int, ascii_only: bool) -> None:
    dots = card()
    rows = plot(lines(Curve(dots, KNEE), width, ascii_only), ascii_only)
    found = sorted((x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "MKCO")
    assert [sign for _, _, sign in found] == [LETTERS[one.label] for one in dots]
    assert len({y for _, y, sign in found if sign == "M"}) == 1  # flat is seen as flat
    steps = [later[0] - earlier[0] for earlier, later in pairwise(found)]
    assert max(steps) - min(steps) <= 1  # batches double: even steps on the axis
    column = [row.ljust(width)[found[-3][0] : found[-2][0] + 1] for row in rows]
    assert any(sign in "".join(column) for sign in ("┊", ":"))  # the knee lies between 128 and 256


@pytest.mark.parametrize("width", [34, 40, 47, 60, 100])
def test_labels_of_the_axes_stand_apart_and_mean_what_they_say(width: int) -> None:
    dots = card(last=4096)
    drawn = lines(Curve(dots, KNEE, 8), width)
    batches = next(line for line in drawn if line.startswith("batch")).split()[1:]
    assert len(batches) >= 3 and all(int(one) in {dot.batch for dot in dots} for one in batches)
    values = [line.split("┤")[0].strip() for line in drawn if "┤" in line]
    assert len(values) >= 2 and [float(one) for one in values] == sorted(map(float, values), reverse=True)
    low, high = dots[0].seconds * 1e3, dots[-1].seconds * 1e3
    assert all(low / 1.3 <= float(one) <= high * 1.3 for one in values)
    under = next(line for line in drawn if "knee 171" in line)
    axis = next(line for line in drawn if "┿" in line)
    hook = next(n for n, sign in enumerate(under) if sign in "└┘")
    assert axis.index("┿") == hook


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [34, 56, 60, 76, 88])
def test_no_number_stands_beside_points_that_are_far_from_it(width: int, lang: Lang) -> None:
    """A flat part of 0.339 ms beside a tick of 0.5 would be read as half a millisecond."""
    drawn = FIGURE.draw(FIGURE.defaults(), width, 20, lang).plain.split("\n")
    assert any("(log)" in line for line in drawn), "an axis on which equal lengths multiply says so"
    dots = {dot.batch: dot for dot in curve(FIGURE.defaults()).dots}
    for line in (line for line in drawn if "┤" in line):
        tick, _, row = line.partition("┤")
        flat = [dot for dot in dots.values() if dot.batch <= 128] if row.lstrip().startswith("M") else []
        assert all(abs(log10(1000 * dot.seconds / float(tick))) < 0.1 for dot in flat), line


@pytest.mark.parametrize("width", [46, 58, 72, 92])
@pytest.mark.parametrize("rows", [6, 8, 12, 16])
def test_letters_of_a_flat_part_stand_on_the_line_not_above_or_below_it(width: int, rows: int) -> None:
    flat = Curve(tuple(Dot(2**power, 3.3e-4, "memory") for power in range(8)))
    (row,) = [str(line) for line in draw(flat, width, WORDS, False, rows) if "M" in str(line)]
    between = set(row.partition("M")[2].replace("M", "").strip())
    assert between <= {"⠤", "⠒"}, "the line goes through the middle of their row"
    steep = Curve((*flat.dots, Dot(4096, 9e-3, "compute")))
    assert len([line for line in draw(steep, width, WORDS, False, rows) if "M" in str(line)]) == 1


@pytest.mark.parametrize("width", [58, 72, 92])
def test_every_batch_of_the_example_has_its_number(width: int) -> None:
    made = curve(FIGURE.defaults())
    numbers = next(str(line) for line in draw(made, width, WORDS) if str(line).split()[:1] == [WORDS.batch])
    assert numbers.split()[1:] == [str(dot.batch) for dot in made.dots]


def test_a_second_curve_is_there_in_small_letters_and_stands_back() -> None:
    dots, slower = card(), tuple(one._replace(seconds=2 * one.seconds) for one in card())
    rows = "".join(plot(lines(Curve(dots, None, None, slower), 80)))
    assert sum(rows.count(sign) for sign in "MKC") == len(dots) == sum(rows.count(sign) for sign in "mkc")
    alone = "".join(plot(lines(Curve(dots, None, None, dots), 80)))
    assert sum(alone.count(sign) for sign in "mkc") == 0  # in the same place the first one wins


def test_the_thick_part_of_the_axis_is_the_band() -> None:
    narrow, wide = (
        next(line for line in lines(Curve(card(), Band(171, 171 / by, 171 * by)), 80) if "┿" in line) for by in (1, 1.5)
    )
    assert narrow.count("━") == 0 and 3 <= wide.count("━") <= 12
    span = log10(1.5 * 1.5) / log10(512) * 70
    assert abs(wide.count("━") + 1 - span) <= 2


def test_a_growing_curve_keeps_its_level_axis() -> None:
    axes = []
    for count in range(1, 11):
        drawn = lines(Curve(card()[:count], until=512), 60)
        axes.append(next(line for line in drawn if line.startswith("batch")).index("512"))
    assert len(set(axes)) == 1
    assert draw(Curve(()), 60, WORDS) == ()


def test_units_follow_the_longest_step() -> None:
    for seconds, unit in ((3.0, "s"), (2e-3, "ms"), (6e-5, "ms"), (4e-6, "us")):
        assert Curve((Dot(1, seconds),)).unit[0] == unit


@pytest.mark.parametrize(
    ("dots", "knee", "id"),
    [
        (card()[:1], None, "few"),
        (card(knee=10**6), None, "flat"),
        (card(), KNEE, "knee"),
        (card(), None, "bend"),
        (tuple(Dot(2**n, 1e-3 * 2**n) for n in range(8)), None, "steep"),
    ],
)
def test_what_there_is_to_notice(dots: tuple[Dot, ...], knee: Band | None, id: str) -> None:
    found = notice(Curve(dots, knee))
    assert found.id == id
    if id in ("knee", "bend"):
        assert (found.first, found.last) == (2, 128) and found.rise == 0


def test_the_legend_names_only_what_is_there() -> None:
    told = legend(Curve(card()[:5]), str, "before").plain
    assert told == "M memory"
    assert "before" in legend(Curve(card(), None, None, card()), str, "before").plain


# --- the figure ------------------------------------------------------------------------------------------------------


def test_the_example_is_a_published_card_whose_knee_lies_where_its_data_sheet_says_about() -> None:
    state = FIGURE.defaults()
    made = curve(state)
    gpu = catalog.gpu(str(state["card"]))
    assert gpu.peak_flops is not None
    ridge = result("ridge", {"peak_flops": gpu.peak_flops, "bandwidth": gpu.bandwidth})
    assert made.knee is not None and 0.95 < made.knee.batch / float(ridge) < 1.25  # probe.md section 0.6
    labels = [dot.label for dot in made.dots]
    assert labels == sorted(labels, key=["memory", "knee", "compute"].index)
    # as published: 1582.5 GB/s at one token, 269 TFLOP/s at 1024
    flops = 2 * 2 * 16384 * 8192
    assert made.dots[0].seconds == pytest.approx(0.3393e-3, rel=1e-3)
    assert next(dot for dot in made.dots if dot.batch == 1024).seconds == pytest.approx(1024 * flops / 269e12, rel=5e-3)


@pytest.mark.parametrize("lang", LANGS)
def test_card_source_and_the_way_to_ones_own_are_told(lang: str) -> None:
    said = " ".join(FIGURE.draw(FIGURE.defaults(), 70, 15, lang).plain.split())  # type: ignore[arg-type]
    assert "A100 SXM 80GB" in said and "AIConfigurator" in said and "llm-tutor probe" in said


def test_ones_own_curve_takes_the_place_and_the_example_stays_at_hand() -> None:
    own = {"card": "NVIDIA [b]H200[/b]", "points": [list(one) for one in card()], "knee": list(KNEE)}
    state = FIGURE.defaults({"own": own, "batch": 8})
    assert curve(state).dots == card() and curve(state).at == 8
    assert "NVIDIA [b]H200[/b]" in FIGURE.draw(state, 60, 20, "en").plain
    other = FIGURE.press(state, "switch")
    assert curve(other).dots != card() and "A100" in FIGURE.draw(other, 60, 20, "en").plain
    assert curve(other).at in (4, 16)  # both are as near as a batch that was measured there can be
    assert FIGURE.press(other, "switch")["example"] is False
    assert all(key.action != "switch" for key in FIGURE.shown(FIGURE.defaults()))


@pytest.mark.parametrize("lang", LANGS)
def test_a_batch_that_was_not_measured_says_so_and_leads_to_the_nearest(lang: Lang) -> None:
    asked = FIGURE.defaults({"batch": 15})
    assert asked["batch"] == 15 and curve(asked).at == 16
    assert "15" in told(asked, lang) and told(asked, lang).endswith(told(put(asked, batch=16), lang))
    assert "15" not in told(put(asked, batch=16), lang)
    assert [FIGURE.press(asked, key)["batch"] for key in ("left", "right")] == [4, 32]


def told(state: State, lang: Lang = "en") -> str:
    assert FIGURE.notice is not None
    return FIGURE.notice(state, Pen(80, 24, lang))


@pytest.mark.parametrize("lang", LANGS)
def test_the_smallest_playground_names_the_letters_and_says_what_to_notice(lang: Lang) -> None:
    for batch in (1, 15, 64, 4096):
        said = " ".join(FIGURE.draw(FIGURE.defaults({"batch": batch}), 56, 13, lang).plain.split())
        assert "M memory" in said and "C compute" in said, (batch, said)
        assert batch == 15 or told(FIGURE.defaults({"batch": batch}), lang) in said, (batch, said)


def test_only_a_run_of_ones_own_has_a_command() -> None:
    own = FIGURE.defaults({"own": {"card": "x", "points": [list(one) for one in card()], "knee": list(KNEE)}})
    assert [shell.line for shell in FIGURE.commands(own)] == ["llm-tutor probe --last"]
    assert list(FIGURE.commands(FIGURE.defaults())) == list(FIGURE.commands(FIGURE.press(own, "switch"))) == []


def test_points_are_walked_and_end_at_the_ends() -> None:
    state = FIGURE.defaults()
    assert FIGURE.press(state, "left") == state
    for _ in range(30):
        state = FIGURE.press(state, "right")
    assert curve(state).at == 4096 and "8.42 ms" in FIGURE.draw(state, 60, 20, "en").plain


@pytest.mark.parametrize("points", [[[0, 1]], [[1, -1]], [[1, "x"]], [["a", 1]], [[1, float("inf")]]])
def test_points_that_are_none_are_no_figure(points: list[object]) -> None:
    with pytest.raises(ValueError):
        FIGURE.defaults({"points": points})
    kept = FIGURE.defaults({"own": {"card": "x", "points": points}})
    assert kept["own"] == {} and put(kept, hide=()) == put(FIGURE.defaults(), hide=())  # a damaged run is left out


# --- which run, and what is said of it -------------------------------------------------------------------------------


def test_flat_ends_where_it_first_rises() -> None:
    """A disturbed point that falls back later is no flat part again."""
    dots = tuple(Dot(2**n, seconds, "") for n, seconds in enumerate((50, 84, 120, 129, 66, 88, 162), 0))
    found = notice(Curve(dots))
    assert found.id == "steep", found
    steady = tuple(Dot(2**n, seconds, "") for n, seconds in enumerate((50, 50, 51, 52, 53, 90, 170), 0))
    assert notice(Curve(steady)).last == 16


def test_the_lesson_takes_the_newest_run_that_was_not_disturbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    record = Path(__file__).parents[1] / "engine" / "data" / "probe" / "h200.jsonl"
    events = tuple(json.loads(line) for line in record.read_text().splitlines())
    busy = (*events[:3], {"event": "note", "id": "cpu-contention", "share": 0.3}, *events[3:])
    assert coursemap._measured() == {}
    kept.append(kept.Kept("2026-01-01T00:00:00Z", {}, busy))
    assert coursemap._measured() == {}
    kept.append(kept.Kept("2026-01-02T00:00:00Z", {}, events))
    kept.append(kept.Kept("2026-01-03T00:00:00Z", {}, busy))
    own = coursemap._measured()["own"]
    assert isinstance(own, Mapping) and own["card"] == "NVIDIA H200"
