"""`llm-tutor plan` and the panel of the app: what they show, what they refuse, at every size and in both languages."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Static

from content.lang import LANGS
from content.words import say
from engine import precision
from engine.catalog import gpu, model
from engine.planning.grid import Grid
from engine.planning.plan import BOUNDS, ORDERS, Load, plan
from tests.tutor.frames import SIZES, flat, frame, make_app, paste, settle
from tutor import cli, keys
from tutor.commands.context import Refusal
from tutor.planning import reading, table
from tutor.screens import plan as screen
from tutor.screens.plan import PlanPanel
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.choice import Choice


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    monkeypatch.setattr(screen, "PAUSE", 0.01)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = cli.run(("plan", *argv))
    out = capsys.readouterr()
    return status, out.out, out.err


def document(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    status, out, _ = run(capsys, *argv, "--json")
    return json.loads(out) | {"status": status}


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_a_table_and_what_is_left_out(capsys: pytest.CaptureFixture[str], lang: Any) -> None:
    status, out, err = run(
        capsys, "--model", "llama-3.1-8b", "--gpu", "t4,h100 sxm", "--price", "h100=2.5", "--lang", lang
    )
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert all(cell_len(line) <= 140 for line in lines)
    assert any(line.startswith("1 x H100 SXM 80GB") for line in lines)
    assert "1 x T4, fp16" in out and say("cli.plan.legend.half", lang)[:20] in " ".join(out.split())
    assert say("cli.plan.out.head", lang) in lines
    assert "2048" in out and "256" in out, "what was assumed is told"
    assert "{" not in out


def test_json_is_one_document_with_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "--model", "llama-3.1-8b", "--gpu", "H100 SXM,T4", "--gpus", "1,2", "--concurrency", "32")
    assert (found["status"], found["model"], found["sort"]) == (0, "meta-llama/Llama-3.1-8B", "cards")
    assert found["load"] == {
        "prompt": 2048, "output": 256, "concurrency": 32, "max_model_len": 2304, "tpot": None, "ttft": None,
    }  # fmt: skip
    assert found["assumed"] == ["prompt", "output", "max_model_len"]
    assert len(found["options"]) + len(found["left_out"]) == 2 * 2 * 3
    first = found["options"][0]
    assert first["tpot"]["best"] < first["tpot"]["usual"] < first["tpot"]["worst"]
    assert first["tokens_per_second"]["best"] > first["tokens_per_second"]["worst"]
    assert first["running"] == 32 <= first["fits"]
    assert first["wall"] in ("cpu-overhead", "memory-bandwidth", "compute", "interconnect")
    assert all(one["cost_per_million"] is None for one in found["options"])
    left = {(one["gpu"], one["gpus"], one["weights"]): one["reason"] for one in found["left_out"]}
    few = {("T4", 1, "fp8"), ("T4", 1, "awq"), ("T4", 2, "fp16")}
    assert left == {("T4", 1, "fp16"): "weights"} | dict.fromkeys(few, "requests")


def test_prices_sort_by_cost_and_a_full_name_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(
        capsys, "--model", "llama-3.1-8b", "--gpu", "a100", "--gpus", "1", "--price", "A100 PCIe 80GB=1,a100=2"
    )
    assert found["sort"] == "cost"
    costs = [one["cost_per_million"] for one in found["options"]]
    assert costs == sorted(costs)
    cost = {(one["gpu"], one["weights"]): one["cost_per_million"] for one in found["options"]}
    assert {name for name, _ in cost} == {"A100 SXM 40GB", "A100 SXM 80GB", "A100 PCIe 40GB", "A100 PCIe 80GB"}
    assert cost["A100 PCIe 80GB", "bf16"] < cost["A100 SXM 80GB", "bf16"]


def test_nothing_that_fits_is_the_honest_negative(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--model", "llama-3.1-405b", "--gpu", "t4", "--gpus", "1")
    assert (status, err) == (1, "")
    assert say("cli.plan.nothing", "en") in out


def test_a_config_file_and_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shape = {
        "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
        "max_position_embeddings": 131072, "torch_dtype": "bfloat16",
    }  # fmt: skip
    folder = tmp_path / "of-mine"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(shape))
    rows = []
    for name in (str(folder), str(folder / "config.json"), "llama-3.1-8b"):
        rows.append(document(capsys, "--model", name, "--gpu", "H100 SXM", "--gpus", "1")["options"])
    assert rows[0] == rows[1] == rows[2]
    shape["quantization_config"] = {"quant_method": "awq"}  # type: ignore[assignment]
    (folder / "config.json").write_text(json.dumps(shape))
    quantized = document(capsys, "--model", str(folder), "--gpu", "H100 SXM", "--gpus", "1")["options"]
    assert [one["weights"] for one in quantized] == ["awq"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "--model"),
        (("--model", "llama-3"), "can mean"),
        (("--model", "lama-3.1-8b"), "closest"),
        (("--model", "/no/such/config.json"), "config.json"),
        (("--model", "google/gemma-4-31B-it"), "cannot be sized"),
        (("--model", "Qwen/Qwen2-57B-A14B-Instruct"), "not known"),
        (("--model", "llama-3.1-8b", "--gpu", "H1000"), "does not know"),
        (("--model", "llama-3.1-8b", "--vendor", "nvidea"), "NVIDIA"),
        (("--model", "llama-3.1-8b", "--weights", "bf17"), "bf16"),
        (("--model", "llama-3.1-8b", "--kv", "nothing"), "format"),
        (("--model", "llama-3.1-8b", "--gpus", "0"), "--gpus"),
        (("--model", "llama-3.1-8b", "--gpus", "65"), "64"),
        (("--model", "llama-3.1-8b", "--prompt", "-4"), "--prompt"),
        (("--model", "llama-3.1-8b", "--prompt", "1e99"), "--prompt"),
        (("--model", "llama-3.1-8b", "--prompt", "many"), "--prompt"),
        (("--model", "llama-3.1-8b", "--tpot", "50"), "50ms"),
        (("--model", "llama-3.1-8b", "--tpot", "0ms"), "50ms"),
        (("--model", "llama-3.1-8b", "--max-model-len", "100"), "2304"),
        (("--model", "llama-3.1-8b", "--price", "2.5"), "h100=2.5"),
        (("--model", "llama-3.1-8b", "--price", "h100=free"), "h100=2.5"),
        (("--model", "llama-3.1-8b", "--sort", "cost"), "--price"),
        (("--model", "llama-3.1-8b", "--price", "l4=1", "--price", "l4=80rs"), "l4=1 "),
        (("--model", "llama-3.1-8b", "--price", "L4=1,l4=2"), "l4=2"),
        (("--model", "llama-3.1-8b", "--gpu", ","), "--gpu"),
        (("--model", "llama-3.1-8b", "--gpu", "l4,,t4"), "l4,,t4"),
        (("--model", "llama-3.1-8b", "--weights", "fp8,"), "--weights"),
        (("--model", "llama-3.1-8b", "--sort", "beauty"), "speed"),
        (("--model", "llama-3.1-8b", "--top", "0"), "--top"),
        (("--model", "llama-3.1-8b", "--gpu"), "--gpu"),
        (
            ("--model", "llama-3.1-8b", "--gpu", "all", "--gpus", ",".join(map(str, range(1, 65))), "--kv", "fp8,int8"),
            "20,000",
        ),
        (("--model", "x" * 100_000), "does not know"),
    ],
)
def test_what_cannot_be_used_is_one_line(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], said: str) -> None:
    start = time.perf_counter()
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert err.startswith("llm-tutor: ") and err.count("\n") == 1
    assert said in err
    assert len(err) < 700
    assert time.perf_counter() - start < 10, "a hang, not a slow machine"


def test_a_hostile_config_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    for text in ("[" * 100_000, "[]", "{}", "\0", '{"num_hidden_layers": 1e400}', '{"hidden_size": "4096"}'):
        file.write_text(text)
        status, out, err = run(capsys, "--model", str(file))
        assert (status, out, err.count("\n")) == (2, "", 1), text[:40]


# --- reading ---------------------------------------------------------------------------------------------------------


def test_defaults_of_formats_follow_what_is_published() -> None:
    def of(name: str) -> list[str]:
        return [one.name for one in reading.formats([], reading.model(name))]

    assert of("llama-3.1-8b") == ["bf16", "fp8", "awq"]
    assert of("deepseek-v3") == ["fp8-tile", "awq"]
    assert of("gpt-oss-120b") == ["mxfp4"]


def test_cards_of_a_short_name_and_of_a_maker() -> None:
    assert len(reading.gpus(["a100"])) == 4
    assert {one.vendor for one in reading.gpus([], "amd")} == {"AMD"}
    assert reading.gpus(["H100 SXM", "a100"], "nvidia")[0].name == "H100 SXM 80GB"
    assert len(reading.gpus(["all"])) > 100
    assert len(reading.gpus(["t4", "T4"])) == 1


def test_a_price_with_a_comma_is_refused_in_the_form_as_on_the_command_line() -> None:
    texts = dict.fromkeys(("weights", "prompt", "output", "concurrency"), "") | {"model": "llama-3.1-8b", "gpu": "t4"}
    assert screen.worked_out({**texts, "price": "t4=2.25"}, "cost").plan.lines
    for price in ("t4=2,25", "2,50"):
        with pytest.raises(Refusal) as refused:
            screen.worked_out({**texts, "price": price}, "cost")
        assert price in refused.value.text("en"), "the whole of it is said, not the half behind the comma"


def test_a_bare_price_is_that_of_the_only_card() -> None:
    assert reading.prices(["$2.50"], reading.gpus(["t4"])) == reading.Prices({"T4": Fraction(5, 2)}, "$")
    by, _, alike, _ = reading.prices(["2.5"], reading.gpus(["h100"]), 1)
    assert set(by.values()) == {2.5} and len(by) > 1 and alike == (("2.5", tuple(by)),)
    with pytest.raises(Refusal):
        reading.prices(["2.5"], reading.gpus([]))
    with pytest.raises(Refusal):
        reading.prices(["2.5"], reading.gpus(["t4", "l4"]), 2)


@pytest.mark.parametrize(
    ("text", "price", "money"),
    [
        ("80rs", 80, "INR"), ("Rs. 80", 80, "INR"), ("\u20b980/hr", 80, "INR"), ("80 INR per hour", 80, "INR"),
        ("2.5", 2.5, ""), ("$2.5/h", 2.5, "$"), ("2.50 USD/h", 2.5, "$"), ("2.5 euro", 2.5, "EUR"), ("1.2k", 1200, ""),
    ],
)  # fmt: skip
def test_a_currency_is_kept(text: str, price: float, money: str) -> None:
    found = reading.prices([f"t4={text}"], reading.gpus(["t4"]))
    assert (float(found.by["T4"]), found.money) == (price, money)


@pytest.mark.parametrize("text", ["80foo", "80 per minute", "$80 rs", "80/month", "1-2", "", "rs", "9" * 5000, "80%"])
def test_what_is_no_price_of_an_hour_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        reading.prices([f"t4={text}"], reading.gpus(["t4"]))


def test_two_currencies_are_refused() -> None:
    with pytest.raises(Refusal) as told:
        reading.prices(["t4=80rs", "l4=$1"], reading.gpus(["t4", "l4"]))
    assert told.value.key == "cli.plan.currencies"


@pytest.mark.parametrize("lang", LANGS)
def test_a_price_of_a_card_that_is_not_planned_with_is_told(capsys: pytest.CaptureFixture[str], lang: Any) -> None:
    argv = ("--model", "llama-3.1-8b", "--gpu", "l4", "--lang", lang, "--price")
    status, _, err = run(capsys, *argv, "l4=1,t4=2")
    assert (status, err) == (0, f"llm-tutor: {say('cli.plan.price_unused', lang, text='t4=2')}\n")
    assert run(capsys, *argv, "l4=1")[2] == ""


def test_models_are_found_by_their_words() -> None:
    assert reading.matching("llama 70b", 5)[0].lower().count("70b") == 1
    assert reading.matching("qwen3 8b", 5)[0] == "Qwen/Qwen3-8B"
    assert reading.matching("no such model", 5) == []
    assert len(reading.matching("", 10)) == 10


def test_entries_of_repeated_options() -> None:
    assert reading.listed(["a, b", "c", " ,"]) == ["a", "b", "c"]
    assert reading.listed(None) == []
    assert len(reading.listed(["x," * 10_000])) < 100


# --- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [40, 56, 76, 116, 200])
def test_the_table_is_as_wide_as_there_is_room(width: int, lang: Any) -> None:
    cards = ("H100 SXM", "RTX PRO 6000 Blackwell Workstation")
    of = Grid(
        model("llama-3.1-8b"), tuple(map(gpu, cards)), (1, 2), tuple(map(precision.find, ("bf16", "fp8"))),
        ("auto", "fp8"), 0,
    )  # fmt: skip
    made = plan(of, Load(2048, 256), {"H100 SXM 80GB": reading.seconds("", "3s")})
    drawn = table.table(made, lang, width, 100)
    least = 56
    assert all(cell_len(line) <= max(width, least) for row in drawn.rows for line in (*row, drawn.heading))
    assert len(drawn.rows) == len(made.lines)
    wanted = {"cards", "weights", "fits", "each", "together"}
    assert wanted <= set(drawn.ids)
    if width == 200:
        assert {"kv", "cost", "hour", "band", "memory", "wall", "running", "first"} <= set(drawn.ids)
    assert table.legend(drawn, lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [60, 80, 140])
def test_what_was_filtered_by_stays_at_every_width(width: int, lang: Any) -> None:
    of = Grid(model("llama-3.1-8b"), tuple(map(gpu, ("H100 SXM", "A100 SXM 80GB"))), (1, 2),
              (precision.find("bf16"),), ("auto",), 0)  # fmt: skip
    seconds = reading.seconds("", "9s")
    for load, wanted in (
        (Load(2048, 256, tpot=seconds), {"step"}), (Load(2048, 256, ttft=seconds), {"first"}),
        (Load(2048, 256, 8, ttft=seconds), {"last"}),
        (Load(2048, 256, 8, tpot=seconds, ttft=seconds), {"step", "last"}),
    ):  # fmt: skip
        drawn = table.table(plan(of, load, {"H100 SXM 80GB": seconds}), lang, width, 9, "INR")
        assert wanted <= set(drawn.ids)
        assert all(cell_len(line) <= width for row in drawn.rows for line in (*row, drawn.heading))
        assert ("running" in drawn.ids) <= (load.requests is None)
        if "hour" in drawn.ids:
            assert "INR/h" in drawn.heading and any("INR/h" in line for line in table.legend(drawn, lang))


@pytest.mark.parametrize("lang", LANGS)
def test_the_load_is_met_or_said(capsys: pytest.CaptureFixture[str], lang: Any) -> None:
    argv = ("--model", "qwen2.5-32b", "--concurrency", "20", "--tpot", "50ms", "--lang", lang)
    status, out, _ = run(capsys, *argv)
    lines = out.splitlines()
    assert status == 0 and all(cell_len(line) <= 80 for line in lines)
    rows = [line for line in lines if line[:4] in ("1 x ", "2 x ", "4 x ", "8 x ")]
    assert rows[0].startswith("1 x ") and " 8 x " not in "".join(rows[:10])
    assert say("cli.plan.out.requests", lang, have="17", need="20") in out, "one A100 holds 17 of them in bf16"
    assert say("cli.plan.column.last", lang, n=20) in out
    found = document(capsys, *argv)
    assert all(one["ttft_all_at_once"]["usual"] >= one["ttft"]["usual"] for one in found["options"])


def test_prices_of_an_hour_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("--model", "llama-3.1-8b", "--gpu", "a100", "--gpus", "1,2", "--price", "160rs")
    status, out, _ = run(capsys, *argv, "--lang", "en")
    assert status == 0 and "INR/h" in out and "320.00" in out
    assert "160rs stands for A100 SXM 40GB" in out
    found = document(capsys, *argv)
    assert found["currency"] == "INR"
    assert {one["cost_per_hour"] for one in found["options"]} == {160, 320}


@pytest.mark.parametrize("lang", LANGS)
def test_chips_that_do_not_run_vllm_are_told(capsys: pytest.CaptureFixture[str], lang: Any) -> None:
    _, out, _ = run(capsys, "--model", "qwen2.5-7b", "--vendor", "apple", "--lang", lang)
    plain = " ".join(out.split())
    chips = say("cli.plan.out.chips", lang, n=13, maker="Apple")
    assert say("cli.plan.not_vllm", lang, cards=chips) in plain
    assert say("cli.plan.out.link", lang, cards=chips) in plain
    assert say("cli.plan.assumed.concurrency", lang, n="5") in plain
    assert "28" not in plain.replace("28 GB", "").replace("128", ""), "heads are no matter for one chip"
    assert plain.count("Apple M2 Pro") <= 3
    _, named, _ = run(capsys, "--model", "qwen2.5-7b", "--vendor", "apple", "--lang", lang, "--all")
    assert named.count("Apple M2 Pro") > 3, "with --all every card by its name"
    _, cuda, _ = run(capsys, "--model", "qwen2.5-7b", "--gpu", "h100", "--lang", lang)
    assert "vLLM" not in cuda


def test_options_that_are_out_alike_are_one_sentence() -> None:
    cards = tuple(map(gpu, ("V100 PCIe 16GB", "V100 PCIe 32GB", "TPU v5e")))
    forms = (precision.find("fp8"), precision.find("bf16"))
    made = plan(Grid(model("llama-3.1-8b"), cards, (2, 3), forms, ("auto",), 0), Load(10, 10))
    said = table.left_out(made, "en", 100)
    assert len(made.left) == 10 and len(said) == 3
    assert any("V100 PCIe 16GB, V100 PCIe 32GB" in line and "fp8" in line for line in said)
    assert sum("TPU v5e" in line for line in said) == 2
    assert sum("3 cards cannot share 32 heads" in line for line in said) == 1


@pytest.mark.parametrize("lang", LANGS)
def test_every_id_has_words(lang: Any) -> None:
    for name in BOUNDS:
        assert say(f"cli.plan.part.{name}", lang)
    for reason in ("unit", "link", "heads", "weights", "kv", "requests", "tpot", "ttft", "last"):
        values = {"what": "1", "cards": "2", "heads": "3", "need": "4", "have": "5", "n": "6"}
        assert say(f"cli.plan.out.{reason}", lang, **values)
    for order in ORDERS:
        assert say(f"app.plan.sorted.{order}", lang) and say(f"cli.plan.order.{order}", lang)
    assert ORDERS == screen.ORDERS
    assert (screen.PROMPT, screen.OUTPUT) == (reading.PROMPT, reading.OUTPUT)


# --- the panel -------------------------------------------------------------------------------------------------------


async def opened(pilot: Pilot[None], text: str = "") -> None:
    await pilot.pause()
    await pilot.press("alt+p")
    await pilot.pause()
    if text:
        await typed(pilot, "model", text)


async def typed(pilot: Pilot[None], name: str, text: str) -> None:
    line = pilot.app.screen.query_one(f"#{name}", AnswerInput)
    pilot.app.screen.set_focus(line)
    await paste(pilot, text)
    await computed(pilot)


async def computed(pilot: Pilot[None]) -> None:
    """Wait until what is typed has been read and the table stands there."""
    await pilot.pause(screen.PAUSE + 0.02)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES[::2])
async def test_the_panel_at_every_size_in_both_languages(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        home = frame(app)
        await opened(pilot)
        assert isinstance(app.screen, PlanPanel)
        frames = [frame(app)]
        await typed(pilot, "model", "llama-3.1-8b")
        frames.append(frame(app))
        await pilot.press("f2")
        await pilot.pause()
        frames.append(frame(app))
        assert "each/s" in frames[1] and "ek/s" in frames[2]
        for text in frames:
            lines = text.splitlines()
            assert len(lines) <= size[1]
            assert all(cell_len(line) <= size[0] for line in lines)
            assert "…" not in text and "{" not in text
            assert "F1" in lines[-1]
        await pilot.press("f2", "escape")
        await pilot.pause()
        assert frame(app) == home


@pytest.mark.parametrize(("size", "above"), [((60, 20), False), ((80, 24), False), ((120, 40), True)])
async def test_what_the_columns_mean_is_one_key_away(tmp_path: Path, size: tuple[int, int], above: bool) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await opened(pilot, "llama-3.1-8b")
        await computed(pilot)
        keys = frame(app).splitlines()[-1]
        assert "↑↓ table" in keys and "F4 columns" in keys
        for _ in range(2):
            assert ("each/s: tokens per second of one request" in flat(app)) is above
            await pilot.press("pagedown", "f4")
            await settle(pilot)
            above = not above
            assert not above or "fit: requests whose KV cache fits." in flat(app), "from its top"


async def test_columns_that_a_price_pushes_out_are_named(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await opened(pilot, "llama-3.1-8b")
        await computed(pilot)
        assert "  first" in frame(app) and "No room here" not in flat(app)
        await typed(pilot, "price", "l4=0.7")
        assert "cost/M" in flat(app) and "No room here for run, first: a wider window has them." in flat(app)
        await pilot.resize_terminal(140, 24)
        await computed(pilot)
        assert "  first" in frame(app) and "No room here" not in flat(app)


async def test_a_model_is_found_by_typing_and_taken_with_enter(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "qwen3")
        assert "Qwen/Qwen3-" in frame(app)
        await pilot.press("down", "enter")
        await computed(pilot)
        assert app.screen.query_one("#model", AnswerInput).value.startswith("Qwen/")
        assert "fit" in flat(app)
        assert app.screen.query_one("#heading", Static).display


async def test_what_is_typed_filters_and_sorts(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, "llama-3.1-8b")
        assert "1 x T4" in frame(app) and "8 x" not in frame(app), "fewest and smallest cards first"
        await typed(pilot, "gpu", "h100 sxm, t4")
        assert "A10G" not in frame(app) and "1 x H100 SXM 80GB" in frame(app)
        await typed(pilot, "weights", "fp8")
        assert "bf16" not in frame(app).replace("bf16, fp8", "")
        await typed(pilot, "price", "h100=3,t4=0.3")
        app.screen.query_one(Choice).focus()
        await pilot.press("right")
        await computed(pilot)
        assert app.screen.query_one(Choice).value == "cost"
        rows = [line for line in frame(app).splitlines() if " x " in line and "fp8" in line]
        assert len(rows) == 8
        prices = [float(row.split()[-2]) for row in rows]
        assert prices == sorted(prices)
        await typed(pilot, "concurrency", "7")
        await typed(pilot, "prompt", "4096")
        made = app.screen._plan  # type: ignore[attr-defined]
        assert made.load == Load(4096, 256, 7)


async def test_what_cannot_be_read_is_said_and_the_table_stays(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "llama-3.1-8b")
        await typed(pilot, "prompt", "[bold]many[/]")
        assert "[bold]many[/]" in frame(app) and "cannot be" in flat(app)
        assert "A10G" in frame(app)
        await typed(pilot, "prompt", "200k")
        assert "cannot be" not in flat(app) and "131,072" in flat(app), "longer than the model's window"
        await typed(pilot, "model", "google/gemma-4-31B-it")
        assert "cannot be sized" in flat(app) and "A10G" not in frame(app)
        await typed(pilot, "model", "no such model")
        assert "No model" in flat(app)


async def test_the_palette_leads_there(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+p")
        await paste(pilot, "which gpu")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PlanPanel)


async def test_the_panel_in_ascii(tmp_path: Path) -> None:
    app = make_app(tmp_path, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "llama-3.1-8b")
        assert "\n".join(frame(app).splitlines()[2:-2]).isascii()


def test_its_key_is_free() -> None:
    assert list(keys.clashes({})) == []


async def test_a_sentence_above_the_table_takes_nothing_of_its_width(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot, "llama-3.1-70b")
        width = app.screen.query_one("#table").content_size.width
        app.screen.query_one(Choice).focus()
        await pilot.press("right")
        await computed(pilot)
        said = flat(app)
        assert "type a price in the line for it" in said and "values before" in said and "--" not in said
        assert app.screen.query_one("#table").content_size.width == width
        await typed(pilot, "prompt", "-1")
        assert "prompt cannot be -1" in flat(app)
