"""Words around an option that may turn it are asked about: what is denied, doubted or one of two is never judged."""

from __future__ import annotations

import pytest

from content.checking import check_part

LEVER, BUCKET, PAGED, PHASE, FIRST = (
    "core/L5.1b/lever", "core/L5.1a/bucket", "core/L1.3/paged", "core/L5.1b/phase", "core/L1.1/a",
)  # fmt: skip
TURNED = [
    *((LEVER, f"W8A8 {tail}") for tail in (
        "nhi", "galat", "mat lagao", "na lagao", "ke alawa", "wrong", "is useless", "won't help", "? no", "or AWQ",
        "ya GPTQ",
    )),
    *((LEVER, f"{head} W8A8") for head in ("never", "avoid", "without", "no", "instead of", "anything but", "isn't")),
    *((BUCKET, text) for text in ("anything but C", "C is wrong", "never C", "no C", "except C", "KV isn't it")),
    *((PAGED, text) for text in ("A and D", "A, D", "A D", "D, A", "A ya D", "A/D", "A or D", "never D", "D mat")),
    *((PHASE, text) for text in ("A or B", "A B", "prefill mat bolo", "prefill? no", "prefil or decode")),
    *((FIRST, text) for text in ("never prefill compute", "prefill compute galat", "no prefill compute",
                                 "prefill ya kuch aur, compute", "anything but prefill compute")),
]  # fmt: skip
PLAIN = [
    *((LEVER, text) for text in ("W8A8", "W8A8.", "w8 a8", "W8-A8", "use W8A8", "W8A8 lagao", "W8A8 hai",
                                 "lever is W8A8", "W8A8 because prefill is compute-bound", "maybe W8A8")),
    *((BUCKET, text) for text in ("C", "C.", "option C", "C hai", "the answer is C", "weights nahi, KV cache")),
    *((FIRST, text) for text in ("prefill, compute", "prefill compute.", "A A", "AA", "a c", "prefill aur compute")),
    *(("core/L1.3/continuous", text) for text in ("A hai", "option A", "the answer is A")),
]  # fmt: skip


@pytest.mark.parametrize(("part", "typed"), TURNED)
def test_a_turned_option_is_asked_about(part: str, typed: str) -> None:
    assert check_part(part, typed).verdict == "invalid"


@pytest.mark.parametrize(("part", "typed"), PLAIN)
def test_small_talk_around_an_option_turns_nothing(part: str, typed: str) -> None:
    verdict = check_part(part, typed)
    assert verdict.verdict == "correct", verdict
