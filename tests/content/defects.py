"""Defects of a course, each one change to one file, and the one problem that each makes."""

from __future__ import annotations

from typing import NamedTuple

import pytest

CORE = "course/core/"


class Defect(NamedTuple):
    """``changes`` are made in ``file``; the problem stands at the first line of ``where`` that holds ``at``, ``above``
    lines further up (a table's header stands above its id)."""

    reason: str
    file: str
    changes: tuple[tuple[str, str], ...]
    at: str
    where: str
    above: int

    def line(self, text: str) -> int:
        """The line that the problem must name, of the text of ``where``."""
        lines = text.splitlines()
        return next(place for place, line in enumerate(lines, start=1) if self.at in line) - self.above


def defect(
    reason: str,
    file: str,
    old: str,
    new: str,
    at: str,
    *,
    also: tuple[str, str] | None = None,
    where: str = "",
    above: int = 0,
) -> object:
    changes = ((old, new), *([also] if also else []))
    found = Defect(reason, CORE + file, changes, at, CORE + (where or file), above)
    return pytest.param(found, id=f"{reason}-{file.removesuffix('.toml')}-{at[:20]}")


SPARE_PART = """
[[exercise.part]]
id = "spare"
kind = "judge"
answer = "yes"
label = { en = "spare", hi-Latn = "spare" }
hints = { en = ["one", "two"], hi-Latn = ["ek", "dono"] }
solution = { en = "Yes.", hi-Latn = "Haan." }
"""
SPARE_EXERCISE = f"""
[[exercise]]
id = "L5.2"
lesson = "C6"
prompt = {{ en = "Well?", hi-Latn = "Toh?" }}
{SPARE_PART}"""
L5_END = 'source = "vllm-project/vllm PR 1508"\n'
CARRY = 'from = "L2.1"\nS = "carry-s-2048"'

LANGUAGES = (
    defect("missing-language", "L2.toml", 'label.hi-Latn = "kitni requests"\n', "", 'label.en = "requests that fit"'),
    defect("missing-language", "C1.toml", 'heading.hi-Latn = "Short mein"\n', "", 'heading.en = "In short"'),
    defect("missing-language", "track.toml", ', hi-Latn = "Pehchaan" }', " }", 'en = "Recognition"'),
    defect("missing-language", "cards.toml", 'front.hi-Latn = "Token kya hota hai?"\n', "", "What is a token?"),
    defect("hints-differ", "L2.toml", '  "Phir se {f.symbols}', '  "Ek aur.",\n  "Phir se {f.symbols}', '  "The parameters stay', above=1),
    defect("placeholders-differ", "L2.toml", "hote hain: {f.symbols}.", "hote hain.", "6 factors hain"),
    defect("answer-given-away", "L2.toml", "How many GB in FP16?", "How many GB in FP16: {a.fp16}?", "{a.fp16}?", also=("FP16 mein kitne GB?", "FP16 mein kitne GB: {a.fp16}?")),
    defect("unused-value", "L2.toml", "per_layer = {", 'idle = { formula = "kv_cache" }\nper_layer = {', "idle ="),
)  # fmt: skip
FORMULAS = (
    defect("unknown-formula", "L2.toml", 'formula = "kv_cache"\nunit = "GB"\ndigits = 3\nequal', 'formula = "kv_cash"\nunit = "GB"\ndigits = 3\nequal', "kv_cash"),
    defect("unknown-formula", "C0.toml", 'kv_one = { formula = "kv_per_request"', 'kv_one = { formula = "kv_request"', "kv_one ="),
    defect("missing-symbol", "L1.toml", 'given = { peak_flops = "989e12", bandwidth = "3.35e12" }\nlabel', 'given = { peak_flops = "989e12" }\nlabel', 'id = "ridge_h100"', above=-3),
    defect("unknown-symbol", "L1.toml", "given = { S = 500 }", "given = { S = 500, seats = 4 }", "seats"),
    defect("unknown-unit", "L2.toml", 'formula = "max_requests"\nunit = "requests"', 'formula = "max_requests"\nunit = "guests"', "guests"),
    defect("wrong-unit", "C0.toml", 'weights = { formula = "weights", unit = "GB"', 'weights = { formula = "weights", unit = "ms"', '"ms"'),
    defect("slip-equals-answer", "L3.toml", 'equal = ["paged-floor"]\n', "", 'id = "wasted"', above=1),
    defect("unknown-slip", "L3.toml", 'equal = ["paged-floor"]', 'equal = ["paged-floor", "paged-flour"]', "paged-flour"),
    defect("tolerance-reaches-slip", "L3.toml", "tolerance = 0.0015", "tolerance = 0.0025", "tolerance = 0.0025"),
    defect("tolerance-over-cap", "L2.toml", 'digits = 3\nequal = ["kv-no-batch"]\nlabel', 'digits = 3\ntolerance = 0.02\nequal = ["kv-no-batch"]\nlabel', "tolerance = 0.02"),
)  # fmt: skip
LINKS = (
    defect("broken-link", "track.toml", 'needs = ["C1", "C5"]', 'needs = ["C1", "C9"]', '"C9"'),
    defect("broken-link", "cards.toml", 'part = "L3.1/worst_case"', 'part = "L3.1/worst"', '"L3.1/worst"'),
    defect("broken-link", "cards.toml", 'id = "token"\nlesson = "C0"', 'id = "token"\nlesson = "C8"', '"C8"'),
    defect("broken-link", "L1.toml", 'options = "bottlenecks"\nanswer = "kv"', 'options = "troubles"\nanswer = "kv"', '"troubles"'),
    defect("broken-link", "L4.toml", CARRY, CARRY.replace("L2.1", "L2.9"), 'from = "L2.9"', above=1),
    defect("circle", "track.toml", "needs = []", 'needs = ["C6"]', 'needs = ["C6"]'),
    defect("unknown-figure", "L2.toml", 'name = "cache-steps"', 'name = "cash-steps"', "cash-steps"),
    defect("unknown-state", "L2.toml", "state = { tokens = 4 }", "state = { token = 4 }", "token = 4"),
)  # fmt: skip
IDS = (
    defect("duplicate-id", "C1.toml", 'id = "two-clocks"', 'id = "decode"', 'heading.en = "2 clocks', above=3),
    defect("duplicate-id", "cards.toml", 'id = "vector"', 'id = "token"', "What is a vector", above=5),
    defect("duplicate-id", "L3.toml", '{ id = "gain", en', '{ id = "decode", en', "There, 4-bit weights"),
    defect("duplicate-id", "L5.toml", L5_END, L5_END + SPARE_PART.replace('id = "spare"', 'id = "why"   # once more'), "# once more", above=1),
    defect("duplicate-id", "track.toml", 'parts = ["kv"]', 'parts = ["kv", "kv"]', '"kv", "kv"'),
    defect("duplicate-name", "L1.toml", 'also = ["idle", "idling"', 'also = ["idle", "kv"', "kv = { en"),
    defect("duplicate-name", "L1.toml", 'also = ["idle", "idling"', 'also = ["idle", "D"', "kv = { en"),
    defect("missing-part", "track.toml", 'parts = ["kv"]', 'parts = ["kv", "kw"]', '"kw"'),
    defect("unlisted-part", "L5.toml", L5_END, L5_END + SPARE_PART, 'id = "spare"', above=1),
    defect("unlisted-exercise", "L5.toml", L5_END, L5_END + SPARE_EXERCISE, 'id = "L5.2"', above=1),
    defect("missing-exercise", "track.toml", '[[level]]\nid = "L3"', '[[level.exercise]]\nid = "L2.4"\nlesson = "C4"\ntitle = { en = "X", hi-Latn = "X" }\nparts = []\n\n[[level]]\nid = "L3"', 'id = "L2.4"', above=1),
    defect("followup-differs", "L2.toml", "followup = true\n", "", 'id = "gqa8"', above=1),
    defect("lesson-differs", "L2.toml", 'id = "L2.3"\nlesson = "C4"', 'id = "L2.3"\nlesson = "C5"', 'id = "L2.3"', where="track.toml", above=-1),
)  # fmt: skip
ANSWERS = (
    defect("unknown-option", "L1.toml", 'answer = ["prefill", "compute"]', 'answer = ["prefill", "computer"]', "computer"),
    defect("unknown-option", "L5.toml", 'answer = "no"', 'answer = "never"', 'answer = "never"'),
    defect("slip-is-right", "L3.toml", '"yes" = "quant-bits-ratio"', '"no" = "quant-bits-ratio"', '"no" = '),
    defect("hints-count", "L2.toml", '  "{f.numbers}. Your 2', '  "One more.",\n  "{f.numbers}. Your 2', "A factor compares by dividing", also=('  "{f.numbers}. Tumhare', '  "Ek aur.",\n  "{f.numbers}. Tumhare'), above=1),
)  # fmt: skip
COVERAGE = (
    defect("concept-missing", "C1.toml", 'concepts = ["decode"]', "concepts = []", "concepts = [", where="track.toml"),
    defect("concept-twice", "C5.toml", 'concepts = ["two-buckets"]', 'concepts = ["two-buckets", "token"]', '"token"'),
    defect("unknown-concept", "C5.toml", 'concepts = ["two-buckets"]', 'concepts = ["two-buckets", "tokens"]', '"tokens"'),
    defect("nuance-missing", "L5.toml", 'id = "S30"', 'id = "S14"', "nuances = [", where="track.toml"),
    defect("cards-count", "track.toml", "recall = 15", "recall = 16", "recall = 16"),
)  # fmt: skip
TEXTS = (
    defect("too-wide", "C0.toml", "{v.vec_fp32}\n| FP16, BF16    2         {v.vec_fp16}\n| FP8, INT8     1         {v.vec_int8}\n| INT4          1/2       {v.vec_int4}\n\nHalf", "{v.vec_fp32} and then a good many words\n| FP16, BF16    2         {v.vec_fp16}\n| FP8, INT8     1         {v.vec_int8}\n| INT4          1/2       {v.vec_int4}\n\nHalf", "a good many"),
    defect("spelling", "L2.toml", "kisi kaam mein nahi aata", "kisi kaam mein nahin aata", "nahin"),
    defect("homograph", "L2.toml", "Dono taraf bytes rakho.", "Do taraf bytes rakho.", "Do taraf"),
    defect("register", "L2.toml", "Chhote se shuru karo.", "Aap chhote se shuru karo.", "Aap chhote"),
    defect("script", "L2.toml", "Dono taraf bytes rakho.", "Dono taraf bytes रखो.", "रखो"),
    defect("length-differs", "L2.toml", "Queries are not stored. So only the KV heads can cost memory, however many query heads there are.", "Queries are not stored, so they cost nothing.", "Query store nahi hoti"),
    defect("numbers-differ", "L2.toml", "KV caches ke liye 40 GB alag", "KV caches ke liye 41 GB alag", "Wahi L2.1 wala model", above=1),
)  # fmt: skip
SHAPE = (
    defect("unknown-key", "C1.toml", 'id = "two-clocks"', 'id = "two-clocks"\nnotise = "x"', "notise"),
    defect("unknown-kind", "L2.toml", 'kind = "factor"', 'kind = "faktor"', "faktor"),
    defect("missing-key", "L2.toml", 'kind = "integer"\nformula = "max_requests"\n', 'kind = "integer"\n', 'id = "batch"', above=1),
    defect("bad-type", "L2.toml", "show = [\"N\"]", "show = \"N\"", "show = \"N\""),
    defect("bad-type", "C1.toml", 'id = "two-clocks"', 'id = "two-clocks"\nnuance = 3', "nuance = 3"),
    defect("not-toml", "C1.toml", 'id = "two-clocks"', "id = two-clocks", "id = two-clocks"),
    defect("not-toml", "L2.toml", 'id = "batch"', 'id = "batch', 'id = "batch'),
)  # fmt: skip
DEFECTS = (*LANGUAGES, *FORMULAS, *LINKS, *IDS, *ANSWERS, *COVERAGE, *TEXTS, *SHAPE)
