"""`llm-tutor check`: one answer and its status, and a batch of lines of which a bad one stops nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import say
from tests.tutor.command import KV, Tutor, batch, process


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        ((KV, "1.07 GB"), 0),
        ((KV.upper(), "1.07 GB"), 0),
        ((KV, "0.537 GB"), 1),
        ((KV, "-1.07 GB"), 1),
        ((KV, "-1.07GB"), 1),
        ((KV, "-1e9"), 1),
        ((KV, "--", "--1.07"), 0),
        ((KV, "1"), 1),
        ((KV, ""), 1),
        ((KV, "[/b]"), 1),
        ((KV, "9" * 100_000), 1),
    ],
)
def test_check_answers_with_its_status(tutor: Tutor, argv: tuple[str, ...], status: int) -> None:
    for place in range(3 if "--" not in argv else 1):  # options may stand anywhere
        words = ("check", *argv)
        ran = tutor(*words[:place], "--lang", "en", *words[place:])
        assert (ran.status, ran.err) == (status, "")
        assert ran.out.strip()


def test_check_json_has_exactly_the_promised_shape(tutor: Tutor) -> None:
    right = tutor.json("check", KV, "1.07 GB")
    assert (right["id"], right["verdict"], right["slips"], right["ambiguous"]) == (KV, "correct", [], False)
    assert right["read"] == {"text": "1.07 GB", "value": 1.07, "unit": "GB", "base_value": 1_070_000_000}
    assert right["expected"] == {"value": 1.073741824, "unit": "GB", "display": "1.07 GB"}
    assert set(right["message"]) == set(LANGS)
    half = tutor.json("check", KV, "0.537", status=1)
    assert (half["verdict"], half["ambiguous"], set(half["slips"])) == ("incorrect", True, {"kv-drop-two", "kv-p-one"})
    short = tutor.json("check", KV, "1", status=1)
    assert (short["verdict"], short["reason"]) == ("invalid", "more-digits")
    text = tutor.json("check", "core/L3.3/explain", "because", status=1)
    assert (text["verdict"], text["reason"]) == ("invalid", "self-marked")


def test_check_leaves_no_trace(tutor: Tutor, tmp_path: Path) -> None:
    tutor("check", KV, "1.07 GB")
    assert not (tmp_path / "home").exists()


def test_one_bad_line_stops_nothing_and_the_order_is_kept(tutor: Tutor, tmp_path: Path) -> None:
    answers = batch(
        tutor,
        tmp_path,
        b"\xef\xbb\xbf" + json.dumps({"id": KV, "answer": "1.07"}).encode(),
        b"nonsense",
        b"",
        b"\xff\xfe",
        b"[1]",
        b'{"id": "core/L2.1/kx", "answer": "1"}',
        b'{"id": "core/L2.1/kv"}',
        b'{"id": "core/L2.1/kv", "answer": [1]}',
        b"[" * 100_000,
        b'{"answer": "' + b"1" * (2**20 + 9) + b'"}',
        b'{"id": "core/L2.1/kv", "answer": 1' + b"0" * 5000 + b"}",
        {"id": KV, "answer": 0.537},
    )
    kinds = [answer.get("verdict", "error") for answer in answers]
    assert kinds == ["correct", *["error"] * 9, "incorrect"]
    assert [answer["id"] for answer in answers if "error" in answer and "id" in answer] == ["core/L2.1/kx", KV, KV]
    for answer in answers:
        if "error" in answer:
            assert set(answer["error"]) == set(LANGS)


@pytest.mark.parametrize(
    ("expect", "answer", "verdict", "slips"),
    [
        ({"kind": "number", "value": 1.0737, "unit": "GB", "rel_tol": 0.01}, "1.07 GB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "rel_tol": 0.01}, "1 GiB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "abs_tol": 0.1}, "1 GB", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "abs_tol": 0.05}, "1 GB", "incorrect", ["gib-for-gb"]),
        ({"kind": "number", "value": 1.0737, "unit": "GB"}, "1.07", "correct", []),
        ({"kind": "number", "value": 1.0737, "unit": "GB", "digits": True}, "1.1", "invalid", []),
        ({"kind": "integer", "value": 37, "unit": "requests"}, "37", "correct", []),
        ({"kind": "integer", "value": 37, "unit": "none"}, "38", "incorrect", []),
        ({"kind": "percent", "value": 94.1}, "0.941", "correct", []),
        ({"kind": "factor", "value": 4, "unit": "x"}, "4x", "correct", []),
        (
            {
                "kind": "formula",
                "formula": "2*B*S*L*d_model*p",
                "identities": ["d_model = n_head*d_head"],
                "aliases": {"d": "d_model"},
            },
            "KV = 2 B S L n_head d_head p",
            "correct",
            [],
        ),
        ({"kind": "formula", "formula": "a*b"}, "b a", "correct", []),
        ({"kind": "choice", "options": ["kv", "weights"], "value": "A"}, "kv", "correct", []),
        ({"kind": "choice", "options": ["kv", "weights"], "value": "weights"}, "A", "incorrect", []),
        (
            {
                "kind": "number",
                "unit": "GB",
                "formula": "kv_cache",
                "given": {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2},
            },
            "0.537",
            "incorrect",
            ["kv-drop-two", "kv-p-one"],
        ),
    ],
)
def test_free_questions(
    tutor: Tutor, tmp_path: Path, expect: object, answer: str, verdict: str, slips: list[str]
) -> None:
    (judged,) = batch(tutor, tmp_path, {"id": "mine", "expect": expect, "answer": answer})
    assert (judged["id"], judged["verdict"]) == ("mine", verdict)
    assert sorted(judged["slips"]) == slips


@pytest.mark.parametrize(
    "expect",
    [
        None,
        {},
        {"kind": "essay"},
        {"kind": "number"},
        {"kind": "number", "value": "1e99999999"},
        {"kind": "number", "value": True},
        {"kind": "number", "value": 1, "unit": "furlong"},
        {"kind": "number", "value": 1, "rel_tol": -1},
        {"kind": "number", "formula": "no_such", "given": {}},
        {"kind": "number", "formula": "kv_cache", "given": {"B": 1}},
        {"kind": "number", "formula": "kv_cache", "given": [1]},
        {"kind": "formula", "formula": "__import__('os')"},
        {"kind": "formula", "formula": "a*b", "identities": ["a"]},
        {"kind": "formula", "formula": "a*b", "aliases": {"x": 3}},
        {"kind": "choice", "options": [], "value": "A"},
        {"kind": "choice", "options": ["a"], "value": "C"},
        {"kind": "choice", "options": [1], "value": "A"},
    ],
)
def test_a_question_that_cannot_be_asked_is_an_error_of_its_line(tutor: Tutor, tmp_path: Path, expect: object) -> None:
    bad, good = batch(tutor, tmp_path, {"id": 7, "expect": expect, "answer": "1"}, {"id": KV, "answer": "1.07"})
    assert bad["id"] == 7
    assert set(bad["error"]) == set(LANGS)
    assert "Error" not in bad["error"]["en"], "refused in words, not by accident"
    assert good["verdict"] == "correct"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"id": 1, "answr": 3}', "nothing reads answr. The keys are: id, answer, expect, variant."),
        (b'{"answer": 3}', "has no id. The keys are: id, answer, expect, variant."),
        (b'{"answer": 3, "answer": 4}', "answer is there twice"),
        (b'{"answer": 3, "expect": {"kind": "numbr"}}', "there is no kind numbr. The kinds are: number,"),
        (b'{"answer": 3, "expect": {"kind": "number", "value": 3, "reltol": 1}}', "nothing reads reltol."),
        (b'{"answer": }', "is no JSON: column 12 does not belong there."),
        (b'{"answer": ' + b"9" * 5000 + b"}", "is no JSON: a number in it is too long."),
        (b"[" * 100_000, "is no JSON: it is nested too deeply."),
    ],
)
def test_a_line_that_cannot_be_used_says_what_a_line_holds(
    tutor: Tutor, tmp_path: Path, line: bytes, told: str
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(line)
    ran = tutor("check", "--batch", str(file))
    assert ran.status == 2, "not a single line could be used"
    assert say("cli.batch.unused", "en", n=1, of=1) in ran.err
    said = json.loads(ran.out)["error"]
    assert told in said["en"]
    assert not any(word in said["hi-Latn"] for word in ("does not", "Expecting", "Error", "Extra"))


def test_a_key_that_nothing_reads_is_named_beside_the_verdict(tutor: Tutor, tmp_path: Path) -> None:
    (judged,) = batch(tutor, tmp_path, {"id": KV, "answer": "1.07", "note": "mine"})
    assert (judged["verdict"], judged["unknown_keys"]) == ("correct", ["note"])
    file = tmp_path / "lines.jsonl"
    file.write_text('{"formula": "codes", "gven": {"b": 4}}\n')
    ran = tutor("calc", "--batch", str(file))
    assert ran.status == 2
    assert "nothing reads gven" in json.loads(ran.out)["error"]["en"]


@pytest.mark.parametrize("command", ["check", "calc"])
@pytest.mark.parametrize("text", ["", "\n", "\n \n\t\n"])
def test_a_batch_without_a_line_cannot_be_used(tutor: Tutor, tmp_path: Path, command: str, text: str) -> None:
    (tmp_path / "empty").write_text(text)
    told = tutor.refused(command, "--batch", str(tmp_path / "empty"))
    assert told.startswith(f"There is no line to use in {str(tmp_path)[:20]}")


def test_nothing_on_standard_input_is_told_as_that(tmp_path: Path) -> None:
    ran = process(("check", "--batch", "-"), tmp_path, b"\n")
    assert (ran.returncode, ran.stdout) == (2, b"")
    said = "There is no line to use in standard input. `--help` shows what a line looks like."
    assert ran.stderr.decode() == f"llm-tutor: {said}\n"


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_a_line_is_one_line_for_every_reader(tutor: Tutor, tmp_path: Path, sign: str) -> None:
    (tmp_path / "lines").write_text(json.dumps({"id": f"a{sign}b हाँ", "expect": {"kind": "number", "value": 1},
                                                "answer": f"1{sign}"}), "utf-8")  # fmt: skip
    out = tutor("check", "--batch", str(tmp_path / "lines")).out
    assert len(out.splitlines()) == 1
    assert json.loads(out)["id"] == f"a{sign}b हाँ"
    assert "हाँ" in out


@pytest.mark.parametrize("lang", LANGS)
def test_help_tells_the_form_of_a_batch_line(tutor: Tutor, lang: str) -> None:
    said = " ".join(tutor("check", "--help", "--lang", lang).out.split())
    assert all(f'"{key}"' in said for key in ("id", "answer", "variant", "expect", "kind", "rel_tol", "options"))
    said = " ".join(tutor("calc", "--help", "--lang", lang).out.split())
    assert all(f'"{key}"' in said for key in ("id", "formula", "given", "unit"))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_line_without_an_end_is_told_and_given_up(tutor: Tutor) -> None:
    ran = tutor("check", "--batch", "/dev/zero")
    assert ran.status == 2
    assert "longer than 1 MiB" in json.loads(ran.out)["error"]["en"]
    assert "no end within 64 MiB" in ran.err
