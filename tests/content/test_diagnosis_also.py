"""What was found beside the verdict is told with what to do about it, and nothing else advises the contrary."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from content.diagnosing import blocks, words
from content.files import ROOT
from content.lang import LANGS, Lang
from engine.diagnosis import judge
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Report
from engine.diagnosis.scenario import build

FULL = {
    "model": "qwen2.5-7b", "gpu": "L4", "engine": "vllm", "running": 20, "waiting": 9, "kv_usage": 0.97, "prompt": 3000,
    "output": 400,
}  # fmt: skip


def judged(*symptoms: str) -> Report:
    return judge.diagnose(build({**FULL, "symptoms": list(symptoms)}))


@pytest.mark.parametrize("lang", LANGS)
def test_an_error_beside_the_wall_has_something_to_do_about_it(lang: Lang) -> None:
    report = judged("it crashes with CUDA out of memory while it serves")
    assert report.walls[0].id == "kv-memory"
    told = next(one for one in blocks.text(report, lang) if one.name == "run-time-peak")
    share = re.search(r"--gpu-memory-utilization (0\.\d+)", told.text)
    now = Case(report.scenario).defaults.utilization.value
    assert share is not None and now is not None and float(share[1]) < now


def test_a_larger_share_is_no_help_where_memory_runs_out_while_it_serves() -> None:
    def helps(report: Report) -> bool:
        return next(one.helps for one in report.levers if one.id == "raise-memory-utilization")

    assert helps(judged())
    assert not helps(judged("it crashes with CUDA out of memory while it serves"))


@pytest.mark.parametrize("lang", LANGS)
def test_a_count_has_its_noun_once(lang: Lang) -> None:
    """The noun of a count comes with it: the sentence around it does not name it again."""
    table = tomllib.loads((Path(ROOT) / "words" / "diagnosis.toml").read_text("utf-8"))
    twice = [
        each[lang]
        for said in table["cause"].values()
        for each in said.values()
        if isinstance(each, dict)
        for name, noun in re.findall(r"\{(\w+)\} (\w+)", each[lang])
        if words.params({name: 23}, lang).get(name, "").endswith(f" {noun}")
    ]
    assert len(table["cause"]) > 20 and not twice
