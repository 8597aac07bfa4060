"""Values that no server can have: they are not used, and that is told with what stands there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content.diagnosing import observed
from content.lang import LANGS, Lang
from engine.artefacts.evidence import Evidence, read

LOG = """\
INFO 08-01 10:12:03 [kv_cache_utils.py:849] GPU KV cache size: {pool} tokens
INFO 08-01 10:31:44 [loggers.py:118] Engine 000: Avg prompt throughput: 651.3 tokens/s, Avg generation throughput: \
152.6 tokens/s, Running: {running} reqs, Waiting: 52 reqs, GPU KV cache usage: {usage}%, Prefix cache hit rate: 0.0%
"""


def evidence(pool: str = "28,912", running: str = "12", usage: str = "98.7") -> Evidence:
    return Evidence((read("server.log", [LOG.format(pool=pool, running=running, usage=usage).encode()]),))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("kv_cache_tokens", {"pool": "-5"}), ("kv_cache_tokens", {"pool": "9e99"}),
        ("kv_cache_tokens", {"pool": "9e999"}), ("running_requests", {"running": "NaN"}),
        ("running_requests", {"running": "-3"}), ("kv_cache_usage", {"usage": "1e999"}),
        ("kv_cache_usage", {"usage": "inf"}),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_told_with_its_name_and_what_stands_there(
    name: str, given: dict[str, str], lang: Lang
) -> None:
    found = evidence(**given)
    (artefact,) = found.artefacts
    assert not artefact.found.all(name) and artefact.found.all("generation_throughput") == [152.6]
    (text,) = [one.text for one in observed.remarks(found, lang)]
    assert observed.label(name, lang) in text and next(iter(given.values())) in text
    assert text in "\n".join(observed.lines(found, lang, 400))


def test_usual_values_and_what_is_printed_for_nothing_are_no_such() -> None:
    for one in (evidence(), evidence(pool="-1")):
        assert not [trap for trap in one.artefacts[0].found.traps if trap.id == "no-value"]


def test_of_several_lines_the_good_ones_count_and_the_note_stands_below_them() -> None:
    text = LOG.format(pool="28,912", running="12", usage="98.7") + LOG.format(
        pool="28,912", running="NaN", usage="98.7"
    )
    (artefact,) = (found := Evidence((read("server.log", [text.encode()]),))).artefacts
    assert artefact.found.all("running_requests") == [12]
    rows = [row for row in observed.rows(found, "en") if row.name == "running_requests"]
    assert any("NaN" in note for row in rows for note in row.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"model": "llama-3.1-8b", "prompt": 1e999}', "1e999 is no number"),
        ('{"model": "llama-3.1-8b", "prompt": Infinity}', "Infinity is no number"),
        ('model = "llama-3.1-8b"\noutput = 1e999\n', "1e999 is no number"),
        ('{"model": ["a"], "gpu": "L4"}', "[a] is no text"),
        ('{"model": "llama-3.1-8b", "symptoms": [1e999, ["b"]]}', "[b] is no text"),
    ],
)
def test_what_a_scenario_file_holds_is_quoted_as_it_stands_there(text: str, said: str) -> None:
    from content.diagnosing import words
    from engine.diagnosis import scenario

    read_ = scenario.build(scenario.load(text, "s.json" if text.startswith("{") else "s.toml"), "s")
    told = " ".join(words.unread(one.field, one.text, one.reason, "en") for one in read_.unread)
    assert said in told and "inf is" not in told


def test_a_folder_that_is_no_model_is_named_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.reading import checkpoint
    from tutor.commands.context import Refusal
    from tutor.planning import reading

    shape = {"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_attention_heads": 32, "vocab_size": 32000}
    (tmp_path / "config.json").write_text(json.dumps(shape | {"num_hidden_layers": "x", "intermediate_size": 11008}))
    monkeypatch.chdir(tmp_path)
    assert checkpoint.file_of(".") == "config.json" and checkpoint.file_of("config.json") == "config.json"
    with pytest.raises(ScenarioProblem) as problem:
        scenario.build({"model": "."}, "given")
    assert problem.value.params["file"] == "config.json"
    with pytest.raises(Refusal) as refused:
        reading.model(".")
    assert refused.value.text("en").startswith("config.json")
