"""Where nothing serves a load: which wish to lower, and to what; in the panel a price without its card is told too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from content.lang import LANGS
from engine.planning.grid import Grid
from engine.planning.plan import Load, Plan, plan
from engine.planning.wishes import WISHES
from tests.tutor.frames import flat, make_app, settle
from tutor import cli
from tutor.commands.context import Refusal
from tutor.planning import reading, table
from tutor.screens import plan as screen
from tutor.screens.plan import PlanPanel

CASES = [
    {"prompt": "30k", "output": "300", "concurrency": "14", "ttft": "5s"},
    {"prompt": "30k", "output": "300", "concurrency": "14", "ttft": "1s", "tpot": "10ms"},
    {"prompt": "3000", "output": "300", "concurrency": "6000"},
    {"prompt": "3000", "output": "300", "tpot": "1ms"},
]


def planned(model: str, gpu: str, texts: dict[str, str]) -> Plan:
    served = reading.model(model)
    grid = Grid(served.model, reading.gpus([gpu]), reading.CARDS, reading.formats([], served), ("auto",), 0)
    return plan(grid, reading.load(texts).load)


@pytest.mark.parametrize("texts", CASES)
@pytest.mark.parametrize("gpu", ["h100", "L4"])
def test_what_is_said_to_serve_does_when_it_is_typed(texts: dict[str, str], gpu: str) -> None:
    made = planned("qwen2.5-32b", gpu, texts)
    assert not made.lines and made.relaxed
    for one, sentence in zip(made.relaxed, table.relaxed(made, "en"), strict=True):
        typed = dict(re.findall(r"--(\w+) ([\w.]+)", sentence))
        again = planned("qwen2.5-32b", gpu, texts | typed)
        assert one.option in [line.option for line in again.lines], sentence
        assert set(one.wishes) <= set(WISHES) and len(typed) == len(one.wishes)


def test_of_one_wish_the_nearest_is_told_and_nothing_where_something_serves() -> None:
    made = planned("qwen2.5-32b", "h100", CASES[0])
    slow = [one.need for one in made.left if one.reason == "ttft"]
    told = {name: value for one in made.relaxed for name, value in one.wishes.items()}
    assert told == {"ttft": min(slow)}
    assert planned("llama-3.1-8b", "h100", {"prompt": "1000", "output": "100"}).relaxed == ()
    bare = Load(1000, 100)
    assert planned("llama-3.1-405b", "L4", {"prompt": "1000", "output": "100"}).relaxed == (), bare


def test_it_is_in_the_json_by_the_names_of_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        cli.run(["plan", "--model", "qwen2.5-32b", "--gpu", "L4", "--prompt", "3k", "--concurrency", "6000", "--json"])
        == 1
    )
    (one, *_) = json.loads(capsys.readouterr().out)["relaxed"]
    assert isinstance(one["wishes"]["concurrency"], int) and {"gpu", "gpus", "weights", "kv"} <= set(one)


@pytest.mark.parametrize("lang", LANGS)
async def test_the_panel_tells_what_to_lower_and_which_price_is_of_no_card(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, probe=False)
    async with app.run_test(size=(120, 40)) as pilot:
        app.planning = {
            "model": "llama-3.1-8b",
            "gpu": "L4",
            "prompt": "3000",
            "concurrency": "9000",
            "price": "h100=1",
        }
        await pilot.press("alt+p")
        await settle(pilot)
        await app.workers.wait_for_complete()
        await settle(pilot)
        assert isinstance(app.screen, PlanPanel)
        text = flat(app)
        assert "h100=1" in text and "--" not in text.partition("h100=1")[2][:200]
        assert re.search(r"\d+", text) and table.relaxed(app.screen._plan, app.screen.lang)  # type: ignore[arg-type]
        assert "8 x L4" in text


def test_a_price_without_its_card_comes_out_of_the_panels_plan() -> None:
    texts = dict.fromkeys(("weights", "prompt", "output", "concurrency"), "") | {"model": "llama-3.1-8b", "gpu": "L4"}
    assert screen.worked_out({**texts, "price": "h100=1"}, "cards").unused == ("h100=1",)
    assert screen.worked_out({**texts, "price": "l4=1"}, "cost").unused == ()
    with pytest.raises(Refusal):
        screen.worked_out({**texts, "price": "l4=1, l4=80rs"}, "cost")
