"""A config.json with a value that no model has: told with the value, by whatever command reads the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content.diagnosing import words
from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.command import Tutor

WHOLE = {"model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
         "hidden_size": 4096, "vocab_size": 128256, "intermediate_size": 14336}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a short name, which no sentence cuts
    return Path("config.json")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("key", "value"), [("num_attention_heads", 0), ("num_hidden_layers", -2)])
@pytest.mark.parametrize(
    "command", [("diagnose", "--gpu", "L4", "--model", "{}"), ("diagnose", "{}"), ("plan", "--model", "{}")]
)
def test_the_value_is_told(
    tutor: Tutor, file: Path, command: tuple[str, ...], key: str, value: int, lang: Lang
) -> None:
    file.write_text(json.dumps({**WHOLE, key: value}))
    ran = tutor(*(word.format("./config.json") for word in command), "--lang", lang)
    assert ran.status == 2 and ran.err.count("\n") == 1
    assert f"config.json: {key} = {value} " in ran.err
    assert ("Correct that key" if lang == "en" else "theek karo") in ran.err


@pytest.mark.parametrize("lang", LANGS)
def test_a_key_that_is_not_there_is_still_told_as_that(tutor: Tutor, file: Path, lang: Lang) -> None:
    file.write_text(json.dumps({name: value for name, value in WHOLE.items() if name != "num_attention_heads"}))
    wanted = words.problem("missing-key", "model", {"file": "./config.json", "key": "num_attention_heads"}, lang)
    assert wanted in tutor("diagnose", "--gpu", "L4", "--model", "./config.json", "--lang", lang).err


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ["x", "Q", "-z", "zz", "--nope"])
def test_a_flag_that_nobody_knows_is_told_however_short(tutor: Tutor, name: str, lang: Lang) -> None:
    ran = tutor("diagnose", "--model", "llama-3.1-8b", "--gpu", "L4", f"--flag={name}=3", "--lang", lang)
    assert f"{name}: {say('diagnosis.unread.unknown-flag.bare', lang)}" in ran.out


def test_a_flag_of_one_letter_that_is_known_is_read(tutor: Tutor) -> None:
    ran = tutor("diagnose", "--model", "llama-3.1-8b", "--gpu", "L4", "--engine", "llama.cpp", "--flag", "c=4096")
    assert "c: " not in ran.out.partition("Ledger")[0].replace("llama.c", "")


@pytest.mark.parametrize(("typed", "shown"), [("1e400", "1e400"), ("1e301", "1e301"), ("1e19", "1e19"),
                                              ("80e9", "80e9"), ("10e6", "10e6")])  # fmt: skip
def test_a_power_of_ten_beyond_all_units_is_the_numbers_own(tutor: Tutor, typed: str, shown: str) -> None:
    ran = tutor("calc", "kv_cache", "model=llama-3.1-8b", f"S={typed}", "B=1", "p=2")
    assert f" · {shown} · " in ran.out
