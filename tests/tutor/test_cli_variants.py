"""Variants on the command line: the same exercise with other numbers, by option, by address, in a batch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from content import address, course
from content.lang import LANGS
from content.words import say
from engine.formulas.registry import result
from engine.units import get, number
from tests.tutor.command import KV, Tutor, batch, process


def right(part: str) -> str:
    """The right answer to a computed part, with four digits."""
    _, found = course.part(part)
    return number(result(found.formula, found.given) / get(found.unit).factor, 4)


def test_an_answer_is_checked_against_its_variant(tutor: Tutor) -> None:
    plain, third = tutor.json("check", KV, right(KV)), right(address.join(KV, 3))
    drawn = tutor.json("check", KV, third, "--variant", "3")
    assert (plain["id"], plain["variant"]) == (KV, 0)
    assert (drawn["id"], drawn["variant"], drawn["verdict"]) == (KV, 3, "correct")
    assert plain["expected"]["value"] != drawn["expected"]["value"]
    assert tutor.json("check", KV, third, "--variant", "4", status=1)["verdict"] != "correct"
    assert tutor.json("check", KV, right(KV), "--variant", "0")["verdict"] == "correct"


@pytest.mark.parametrize("written", ["core/L2.1@3/kv", "CORE/L2.1@3/KV", "L2.1@3/kv", "core/L2.1@003/kv"])
def test_an_address_is_an_id(tutor: Tutor, written: str) -> None:
    answer = right(address.join(KV, 3))
    same = tutor.json("check", written, answer)
    assert same == tutor.json("check", KV, answer, "--variant", "3")
    assert same == tutor.json("check", written, answer, "--variant=3")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("check", KV, "1", "--variant", "x"), "A variant is a whole number from 0 to 999999, not x."),
        (("check", KV, "1", "--variant", "1000000"), "A variant is a whole number from 0 to 999999, not 1000000."),
        (("check", KV, "1", "--variant", "9" * 5000), "A variant is a whole number from 0 to 999999, not 999"),
        (("check", KV, "1", "--variant", "3.0"), "A variant is a whole number from 0 to 999999, not 3.0."),
        (("check", KV, "1", "--variant", "٣"), "A variant is a whole number from 0 to 999999, not ٣."),
        (("check", KV, "1", "--variant", ""), 'A variant is a whole number from 0 to 999999, not "".'),
        (("check", KV, "1", "--variant", "-1"), "A variant is a whole number from 0 to 999999, not -1."),
        (("study", "core/L2.1", "--variant", "-1"), "A variant is a whole number from 0 to 999999, not -1."),
        (("course", "show", "core/L2.1", "--variant", "-x"), "A variant is a whole number from 0 to 999999, not -x."),
        (("check", KV, "1", "--variant"), "The option --variant needs a value behind it."),
        (("check", "core/L2.1@x/kv", "1"), "A variant is a whole number from 0 to 999999, not x."),
        (("check", "core/L2.1@/kv", "1"), 'A variant is a whole number from 0 to 999999, not "".'),
        (("check", "core/L2.1@3/kv", "1", "--variant", "4"), "core/L2.1@3/kv already names a variant"),
        (("check", "core/L2.1@3", "1"), "core/L2.1@3 is not a single part. Its parts are: core/L2.1@3/kv,"),
        (("check", "core/L2.1@3/kx", "1"), "The course has no id core/L2.1@3/kx."),
        (("check", "core/L1.2/two", "a", "--variant", "1"), "core/L1.2 has no variants"),
        (("course", "show", "core/C2", "--variant", "3"), "core/C2 has no variants; exercises have"),
        (("course", "show", "core/L2@3"), "core/L2 has no variants; exercises have"),
        (("course", "list", "--variant", "3"), "--variant has no place in course list."),
        (("study", "--variant", "3"), "study --variant needs ID"),
        (("study", "core/C2", "--variant", "3"), "core/C2 has no variants"),
        (("study", "core/L1.2@7"), "core/L1.2 has no variants"),
        (("check", "--batch", "-", "--variant", "3"), "--variant has no place in check --batch."),
    ],
)
def test_a_variant_that_cannot_be_is_one_sentence(tutor: Tutor, argv: tuple[str, ...], sentence: str) -> None:
    assert tutor.refused(*argv).startswith(sentence)


def test_a_number_that_cannot_be_drawn_is_told(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    real = course.exercise

    def none_left(text: str) -> object:
        if "@77" in text:
            raise course.UnknownVariant("core/L2.1", 77)
        return real(text)

    monkeypatch.setattr(course, "exercise", none_left)
    said = tutor.refused("check", KV, "1", "--variant", "77")
    assert said == say("verdicts.invalid-variant-unknown", "en", variant=77)


def test_show_says_what_the_numbers_are_of(tutor: Tutor) -> None:
    shown = tutor.json("course", "show", "core/L4.2", "--variant", "3")
    drawn = course.exercise("core/L4.2@3")
    assert (shown["id"], shown["variant"], shown["varies"]) == ("core/L4.2", 3, True)
    assert shown["names"] == dict(drawn.names)
    assert [part["id"] for part in shown["parts"]] == [
        part["id"] for part in tutor.json("course", "show", "core/L4.2")["parts"]
    ]
    assert shown["givens"] != tutor.json("course", "show", "core/L4.2")["givens"]
    base = tutor.json("course", "show", "core/L4.2")
    assert (base["variant"], base["names"]) == (0, {})
    part = tutor.json("course", "show", "core/L4.2@3/headroom")
    assert (part["id"], part["variant"], part["names"]) == ("core/L4.2/headroom", 3, shown["names"])
    assert tutor.json("course", "show", "core/L1.2")["varies"] is False


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_of_a_variant_has_one_line_about_it(tutor: Tutor, lang: str) -> None:
    page = tutor("course", "show", "core/L4.2", "--variant", "3", "--lang", lang).out
    about = [line for line in page.splitlines() if line.startswith("Variant 3: ")]
    assert len(about) == 1
    assert all(name in about[0] for name in course.exercise("core/L4.2@3").names.values())
    assert "Variant" not in tutor("course", "show", "core/L4.2", "--lang", lang).out


def test_a_variant_of_which_only_the_followups_are_new_says_so(tutor: Tutor) -> None:
    page = tutor("course", "show", "core/L1.1", "--variant", "2").out
    assert "Variant 2: fresh cards in the follow-ups" in page.splitlines()
    assert course.exercise("core/L1.1@2").prompt == course.exercise("core/L1.1").prompt
    assert all("gpu" in part.names for part in course.exercise("core/L1.1@2").parts if part.vary)


def test_a_line_that_cannot_be_used_is_named_as_one_that_can(tutor: Tutor, tmp_path: Path) -> None:
    third = {"id": KV, "variant": 3}
    lines = [
        ({"id": "core/L2.1@3/kv", "answer": "1"}, third),
        ({"id": "core/L2.1@3/kv", "answer": True}, third),
        ({"id": "core/L2.1@3/kv"}, third),
        ({**third, "answer": []}, third),
        ({"id": "core/L2.1@3/kv", "variant": 4, "answer": "1"}, third),
        ({"id": "core/L2.1@x/kv", "answer": "1"}, {"id": "core/L2.1@x/kv"}),
        ({"id": KV, "answer": None}, {"id": KV}),
        ({"id": "mine@3", "expect": {"kind": "number", "value": True}, "answer": "1"}, {"id": "mine@3"}),
        ({"id": 7, "answer": None}, {"id": 7}),
    ]
    answers = batch(tutor, tmp_path, *(line for line, _ in lines))
    assert [{key: answer[key] for key in ("id", "variant") if key in answer} for answer in answers] == [
        named for _, named in lines
    ]
    assert ["error" in answer for answer in answers] == [False] + [True] * 8
    assert "--" not in answers[4]["error"]["en"] + answers[4]["error"]["hi-Latn"]
    assert "value cannot be true" in answers[7]["error"]["en"]


def test_a_batch_mixes_variants(tutor: Tutor, tmp_path: Path) -> None:
    third = right(address.join(KV, 3))
    lines = [
        {"id": KV, "variant": 3, "answer": third},
        {"id": "core/L2.1@3/kv", "answer": third},
        {"id": KV, "variant": "3", "answer": third},
        {"id": KV, "variant": 0, "answer": right(KV)},
        {"id": KV, "variant": None, "answer": right(KV)},
        {"id": KV, "variant": True, "answer": "1"},
        {"id": KV, "variant": 3.5, "answer": "1"},
        {"id": KV, "variant": -1, "answer": "1"},
        {"id": KV, "variant": [3], "answer": "1"},
        {"id": KV, "variant": 10**30, "answer": "1"},
        {"id": "core/L1.2/two", "variant": 3, "answer": "a"},
        {"expect": {"kind": "number", "value": 1}, "variant": 3, "answer": "1"},
    ]
    answers = batch(tutor, tmp_path, *lines)
    assert [answer.get("verdict") for answer in answers] == ["correct"] * 5 + [None] * 7
    assert [answer["variant"] for answer in answers[:5]] == [3, 3, 3, 0, 0]
    assert {answer["id"] for answer in answers[:5]} == {KV}
    for answer in answers[5:]:
        assert set(answer["error"]) == set(LANGS)
        assert "cannot be used" not in answer["error"]["en"], "refused in words that say why"
    assert "not true" in answers[5]["error"]["en"]


def test_every_exercise_that_varies_answers_for_its_variants(tutor: Tutor, tmp_path: Path) -> None:
    from content.schema import COMPUTED

    entries = [entry for track in course.index().tracks for entry in track.exercises]
    varying = [entry.id for entry in entries if course.can_vary(course.exercise(entry.id))]
    parts = [part for id_ in varying for part in course.exercise(address.join(id_, 5)).parts if part.kind in COMPUTED]
    units = {part.id: "" if part.unit == "none" else part.unit for part in parts}
    lines = [{"id": part.id, "answer": f"{right(part.id)} {units[part.id]}"} for part in parts]
    answers = batch(tutor, tmp_path, *lines)
    assert len(answers) > 10
    assert [a["id"] for a in answers if a["verdict"] != "correct"] == []
    assert {a["variant"] for a in answers} == {5}


def test_plain_study_opens_a_variant(tmp_path: Path) -> None:
    done = process(["study", "core/L2.1", "--variant", "3", "--plain"], tmp_path, b"quit\n")
    assert done.returncode == 0, done.stderr
    assert "Variant 3: " in done.stdout.decode()
    assert json.loads(process(["check", "core/L2.1@3/kv", "1", "--json"], tmp_path).stdout)["variant"] == 3


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_and_help_know_the_option(tutor: Tutor, shell: str) -> None:
    script = tutor("completion", shell).out
    assert script.count("--variant") >= 3
    for command in ("check", "study", "course"):
        assert "--variant N" in tutor(command, "--help").out
