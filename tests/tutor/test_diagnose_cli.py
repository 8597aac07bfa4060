"""`llm-tutor diagnose` from outside: what it reads, what it says in text and in JSON, what it refuses."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from content.words import has, say
from engine.artefacts import evidence, feed
from engine.artefacts.evidence import Evidence
from engine.diagnosis import scenario
from engine.diagnosis.fields import FIELDS
from tests.counting import calls
from tests.tutor.command import Tutor, process
from tutor.commands.diagnose import GROUPS
from tutor.plain.diagnose import asked
from tutor.plain.terminal import Terminal

SERVER = ("--model", "llama-3.1-8b", "--gpu", "H100 SXM 80GB", "--engine", "vllm")
LOAD = ("--prompt", "2k", "--output", "256", "--concurrency", "64")
KEYS = {
    "phase", "wall", "detail", "walls", "levers", "ledger", "steps", "observed", "assumed", "questions", "experiment",
    "probe", "text",
}  # fmt: skip
"""The keys that other people's scripts rely on; there may be more."""


# --- what it says ----------------------------------------------------------------------------------------------------


def test_json_has_the_promised_keys(tutor: Tutor) -> None:
    found = tutor.json("diagnose", *SERVER, *LOAD, "--tpot", "22ms", "--no-probe")
    assert set(found) >= KEYS
    assert found["phase"] == "decode"
    assert found["walls"][0]["id"] == found["wall"]
    assert set(found["text"]) == set(LANGS)
    assert all(set(one) >= {"id", "helps", "effect", "precondition", "warning", "flag"} for one in found["levers"])
    assert {one["id"] for one in found["levers"] if one["helps"]} & {"w4a16", "fp8"}
    assert len(found["questions"]) <= 3


def test_json_of_the_courses_first_scenario(tutor: Tutor) -> None:
    found = tutor.json("diagnose", "--prompt", "40", "--output", "20", "--reserve", "2048")
    assert (found["wall"], found["levers"][0]["id"]) == ("kv-fragmentation", "paged-attention")
    assert "97.1" in found["text"]["en"] and "64" in found["text"]["en"]


@pytest.mark.parametrize("lang", LANGS)
def test_text_is_lines_without_holes_or_markup(tutor: Tutor, lang: str) -> None:
    ran = tutor("diagnose", *SERVER, *LOAD, "--symptom", "[red]slow[/red] {x}", "--lang", lang)
    assert ran.status == 0 and ran.err == ""
    assert "None" not in ran.out and "Fraction" not in ran.out
    assert not any("{" in line and "[red]" not in line for line in ran.out.splitlines())


def test_plain_and_json_say_the_same(tutor: Tutor) -> None:
    text = tutor("diagnose", *SERVER, *LOAD, "--lang", "en").out
    found = tutor.json("diagnose", *SERVER, *LOAD)
    for line in found["text"]["en"].splitlines():
        assert line.strip() in text


def test_nothing_to_go_by_is_the_honest_negative(tutor: Tutor) -> None:
    ran = tutor("diagnose", "--symptom", "hello there", "--lang", "en")
    assert ran.status == 1
    assert "?" in ran.out, "it asks"


# --- what it reads ---------------------------------------------------------------------------------------------------


def test_options_win_over_the_file_and_the_conflict_is_told(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text('model = "llama-3.1-8b"\ngpu = "T4"\nconcurrency = 4\n', encoding="utf-8")
    found = tutor.json("diagnose", str(file), "--gpu", "H100 SXM 80GB")
    assert found["scenario"]["gpu"] == "H100 SXM 80GB"
    assert any(one["field"] == "gpu" for one in found["conflicts"])


def test_a_file_is_told_by_its_content(tutor: Tutor, tmp_path: Path) -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "a.json").write_text(json.dumps({"gpu": "T4", "concurrency": 1, "prompt": 200, "output": 100}))
    (tmp_path / "b").write_text("torch.OutOfMemoryError: CUDA out of memory while loading the model weights\n")
    files = [str(tmp_path / name) for name in ("b", "config.json", "a.json")]
    found = tutor.json("diagnose", *files)
    assert found["wall"] == "weights-memory"
    assert any(one["name"] == "weights" for one in found["ledger"])


def test_standard_input(tmp_path: Path) -> None:
    scenario = json.dumps({"model": "llama-3.1-8b", "gpu": "L4", "concurrency": 1}).encode()
    ran = process(["diagnose", "-", "--json"], tmp_path, scenario)
    assert ran.returncode == 0 and ran.stderr == b""
    assert json.loads(ran.stdout)["scenario"]["gpu"] == "L4"


def test_flags_and_symptoms_of_the_command_line(tutor: Tutor) -> None:
    found = tutor.json(
        "diagnose",
        *SERVER,
        *LOAD,
        "--flag",
        "enforce-eager",
        "--flag=--max-num-batched-tokens=4096",
        "--flag",
        "max-num-seqs=128",
    )
    levers = {one["id"]: one for one in found["levers"]}
    assert "cuda-graphs" in levers and levers["cuda-graphs"]["helps"]


def test_a_saved_scenario_gives_the_same_report(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    first = tutor.json("diagnose", *SERVER, *LOAD, "--tpot", "22ms", "--save", str(file))
    second = tutor.json("diagnose", str(file))
    assert {key: first[key] for key in ("walls", "steps", "ledger")} == {
        key: second[key] for key in ("walls", "steps", "ledger")
    }


def test_the_command_of_a_scenario_asks_the_same(tutor: Tutor) -> None:
    given = {
        "model": "llama-3.1-8b", "gpu": "L40S", "gpus": 2, "engine": "vllm 0.8.5", "prompt": "500-2k", "output": 100,
        "concurrency": 16, "symptoms": ["slow", "it preempts"],
        "flags": {"tensor_parallel_size": 2, "enforce_eager": True, "max_num_seqs": 64, "kv_cache_dtype": "fp8"},
    }  # fmt: skip
    asked = scenario.build(given)
    argv = scenario.command(asked)
    assert argv[:2] == ["llm-tutor", "diagnose"]
    found = tutor.json(*argv[1:])
    again = scenario.build(found["scenario"])
    for name in ("gpus", "tp", "eager", "max_num_seqs", "kv", "prompt", "concurrency", "engine", "version"):
        assert getattr(again, name) == getattr(asked, name), name
    assert {one.id for one in again.signals} == {one.id for one in asked.signals}


def test_the_command_of_a_log_says_what_failed_and_no_setting_that_is_no_flag(tutor: Tutor, tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(
        "INFO 11-03 02:00:01 [api_server.py:1839] vLLM API server version 0.11.0\n"
        "INFO 11-03 02:00:01 [utils.py:233] non-default args: {'model_tag': 'meta-llama/Llama-3.1-70B-Instruct', "
        "'max_model_len': 32768, 'no_such_setting': 3}\n"
        "ERROR 11-03 02:00:41 [core.py:708] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB. "
        "GPU 0 has a total capacity of 79.11 GiB of which 210.00 MiB is free.\n",
        encoding="utf-8",
    )
    first = tutor.json("diagnose", str(log))
    read = feed.scenario(Evidence((evidence.read("server.log", [log.read_bytes()]),)))
    argv = scenario.command(read)
    assert not any("model_tag" in word or "no_such_setting" in word for word in argv)
    again = tutor.json(*argv[1:])
    assert again["wall"] == first["wall"] != "none"
    assert not [one for one in again["unread"] if one["reason"] == "unknown-flag"]


def test_a_short_time_is_written_in_milliseconds() -> None:
    argv = scenario.command(scenario.build({"tpot": "120.048 ms", "ttft": "7.91 s"}))
    assert argv[argv.index("--tpot") + 1] == "120ms"
    assert argv[argv.index("--ttft") + 1] == "7.91"


def test_a_report_is_written(tutor: Tutor, tmp_path: Path) -> None:
    document, page = tmp_path / "r.json", tmp_path / "r.md"
    assert tutor("diagnose", *SERVER, *LOAD, "--report", str(document)).status == 0
    assert json.loads(document.read_text(encoding="utf-8"))["phase"]
    assert tutor("diagnose", *SERVER, *LOAD, "--report", str(page), "--lang", "en").status == 0
    assert page.read_text(encoding="utf-8").startswith("#")


# --- what if ---------------------------------------------------------------------------------------------------------


def test_before_and_after_a_lever(tutor: Tutor) -> None:
    asked = ("diagnose", *SERVER, "--prompt", "100", "--output", "200", "--concurrency", "1", "--what-if", "w4a16")
    found = tutor.json(*asked)["what_if"]
    before, after = (found[name]["steps"]["decode"]["usual"] for name in ("before", "after"))
    assert found["lever"] == "w4a16" and after < before / 2
    shown = tutor(*asked, "--lang", "en").out
    first, *rest = shown.split("\n\n", 1)
    assert first.startswith("With this lever: 4-bit weights (W4A16) [w4a16]") and " → " in first
    assert "weights format: awq" in first and "decode step" in first and rest, "what was asked stands before the report"
    assert "->" not in shown and not any(line.endswith(" → -") or "  - →" in line for line in first.splitlines())


def test_a_lever_is_applied_with_all_that_its_flag_says(tutor: Tutor) -> None:
    asked = ("diagnose", "--model", "llama-3.1-8b", "--gpu", "RTX 4080", "--engine", "vllm 0.10")
    levers = tutor.json(*asked)["levers"]
    flags = {one["id"]: one["flag"] or "" for one in levers if one["id"] != "lower-max-model-len"}
    windows = {name: flag for name, flag in flags.items() if "max-model-len" in flag}
    assert windows, "a lever that lets the weights fit names the window that then fits"
    for name, flag in windows.items():
        after = tutor.json(*asked, "--what-if", name)["what_if"]["after"]
        assert str(after["scenario"]["max_model_len"]) in flag


def test_what_if_without_a_lever_lists_them(tutor: Tutor) -> None:
    shown = tutor("diagnose", "--what-if", "--lang", "en")
    assert shown.status == 0 and "w4a16  " in shown.out and "8-bit KV cache" in shown.out
    ids = [one["id"] for one in tutor.json("diagnose", *SERVER, "--what-if")["levers"]]
    assert "lower-max-model-len" in ids


def test_a_lever_that_others_measured_says_so(tutor: Tutor) -> None:
    asked = ("diagnose", *SERVER, *LOAD, "--tpot", "45ms")
    seen = [one["id"] for one in tutor.json(*asked)["levers"] if one["published"] and not one["effect"]]
    said = [tutor(*asked, "--what-if", name, "--lang", "en") for name in seen]
    assert any(ran.status == 2 and "others measured" in ran.err for ran in said), seen


def test_a_lever_that_does_not_exist_has_a_near_one(tutor: Tutor) -> None:
    assert "w4a16" in tutor.refused("diagnose", *SERVER, "--what-if", "w4a15", "--lang", "en")


# --- what it refuses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "options",
    [
        ("--gpus", "0"), ("--prompt", "-5"), ("--concurrency", "0"), ("--gpu-memory-utilization", "3"),
        ("--gpus", "2", "--tp", "8"), ("--max-model-len", "1000", "--prompt", "4000"), ("--tpot", "-1ms"),
        ("--reserve", "0"), ("--flag", "="), ("--what-if", "nothing"), ("--prompt",), ("no such file",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_impossible_is_one_sentence(tutor: Tutor, options: tuple[str, ...], lang: str) -> None:
    sentence = tutor.refused("diagnose", *SERVER, *options, "--lang", lang)
    assert 10 < len(sentence) < 300


def test_an_unknown_key_is_told_with_the_nearest(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('model = "llama-3.1-8b"\nconcurency = 4\n', encoding="utf-8")
    assert "concurrency" in tutor("diagnose", str(file), "--lang", "en").out.split("concurency", 1)[1]


def test_a_huge_file_is_refused_with_no_more_work_than_a_large_one(tutor: Tutor, tmp_path: Path) -> None:
    def refused(sentences: int) -> int:
        file = tmp_path / "s.json"
        text = '"slow",' * sentences
        file.write_text(f'{{"model": "llama-3.1-8b", "symptoms": [{text}"slow"]}}', encoding="utf-8")
        statuses = []
        made = calls(lambda: statuses.append(tutor("diagnose", str(file), "--lang", "en").status))
        assert set(statuses) == {1}
        return made

    assert refused(800_000) < 1.2 * refused(400_000)


def answered(tutor: Tutor, monkeypatch: pytest.MonkeyPatch, lang: str, *answers: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    ran = tutor("diagnose", "--plain", "--lang", lang)
    assert ran.status == 0
    return ran.out


def test_bare_without_a_terminal_asks_line_by_line(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    out = answered(tutor, monkeypatch, "en", "out of memory", "vllm", "llama-3.1-8b", "T4", "0", "1")
    asked_for = [line for line in out.splitlines() if "):" in line or "printed:" in line]
    assert "in your own words" in asked_for[0] and "out of memory" in asked_for[0], "what is wrong comes first"
    assert [line.split(" (")[0] for line in asked_for[1:4]] == ["server", "model", "card"]
    assert "weights" in out.lower()


def test_only_several_cards_are_asked_for_their_link(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    one = answered(tutor, monkeypatch, "en", "slow", "", "llama-3.1-8b", "L4", "1", "", "")
    assert "link between cards (" not in one
    two = answered(tutor, monkeypatch, "en", "slow", "", "llama-3.1-8b", "L4", "2", "token ring", "pcie")
    assert two.count("link between cards (nvlink, pcie, fabric):") == 2


@pytest.mark.parametrize("lang", LANGS)
def test_names_that_fit_several_cards_are_listed(tutor: Tutor, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    out = answered(tutor, monkeypatch, lang, "slow", "", "llama-3.1-8b", "A100", "A100 SXM 80GB")
    flat = " ".join(out.split())
    assert "A100 SXM 40GB" in flat and "A100 PCIe 80GB" in flat
    for prompt in re.findall(r"^([^\n(]+) \(([^\n)]*)\):", out, re.M):
        assert prompt[0] != prompt[1], "a question does not repeat itself"


def test_bare_with_json_has_nothing_to_say(tutor: Tutor) -> None:
    ran = tutor("diagnose", "--json")
    assert ran.status == 2 and "error" in json.loads(ran.out)


# --- the options -----------------------------------------------------------------------------------------------------


def test_every_input_is_an_option_with_a_meaning() -> None:
    for field in FIELDS:
        if field.group in GROUPS and field.name != "version":
            assert has(f"cli.diagnose.args.{field.name}"), field.name


def test_help_lists_them(tutor: Tutor) -> None:
    shown: Any = tutor("diagnose", "--help", "--lang", "en").out
    for option in (
        "--model",
        "--gpu-memory-utilization",
        "--reserve",
        "--flag",
        "--symptom",
        "--what-if",
        "--no-probe",
    ):
        assert option in shown


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_ctrl_c_in_the_questions_leaves_without_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupted(io.StringIO):
        asked = 0

        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            self.asked += 1
            if self.asked > 1:
                raise KeyboardInterrupt
            return "slow at 64 requests\n"

    with pytest.raises(KeyboardInterrupt):
        asked(Terminal(Interrupted(), sys.stdout), "en")
    assert "Verdict" not in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("given", "lacking"),
    [
        (("--model", "llama-3.1-8b"), ("--gpu",)), (("--gpu", "H100 SXM 80GB"), ("--model",)),
        (("--symptom", "decode is slow"), ("--model", "--gpu")),
        (("--model", "llama-3.1-8b", "--gpu", "H100"), ("--gpu",)),
    ],
)  # fmt: skip
def test_a_lever_without_its_numbers_says_which_are_missing(
    tutor: Tutor, given: tuple[str, ...], lacking: tuple[str, ...], lang: str
) -> None:
    for lever in ("fp8", "cpu-offload"):
        ran = tutor("diagnose", *given, "--what-if", lever, "--lang", lang)
        said = " ".join((ran.err or ran.out.partition("\n\n")[0]).split())
        assert say("cli.diagnose.lacking", lang, what="\0", how="").partition("\0")[0] in said
        told = said[said.rindex(": ") :]
        assert tuple(one for one in ("--model", "--gpu") if one in told) == lacking
    status = 1 if "--symptom" not in given else 0
    found = tutor.json("diagnose", *given, "--what-if", "fp8", status=status)["what_if"]["lacking"]
    assert [f"--{one}" for one in found] == list(lacking)
    both = tutor("diagnose", "--model", "llama-3.1-8b", "--gpu", "L4", "--what-if", "fp8", "--lang", lang)
    assert say("cli.diagnose.lacking", lang, what="\0", how="").partition("\0")[0] not in " ".join(both.out.split())
