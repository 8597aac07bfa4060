"""What looks like a placeholder and is none is refused where it stands; the braces of an example stay."""

from __future__ import annotations

import pytest

from content.lang import Lang, Text
from content.validate import placeholders
from content.validate.problem import Problem
from content.validate.source import Source
from content.validate.texts import Pair


def told(en: str, hi: str) -> list[Problem]:
    text = f"[here]\nen = '{en}'\nhi-Latn = '{hi}'\n"
    table = {"here": {"en": en, "hi-Latn": hi}}
    problems: list[Problem] = []
    placeholders.whole(Source("a.toml", text, table, problems), Pair(("here",), Text(en, hi)))
    return problems


@pytest.mark.parametrize(
    "odd",
    ["{N!r:>99}", "{N:,}", "{N:>10}", "{N!r}", "{}", "{0}", "{N[0]}", "{N.}}", "{-N}", "{N:{w}}", "{", "}", "{{N}}"],
)
@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_an_odd_field_is_refused_where_it_stands(odd: str, lang: Lang) -> None:
    texts: dict[Lang, str] = {"en": "It takes {N} tokens.", "hi-Latn": "{N} tokens lagte hain."}
    problems = told(
        **{("en" if one == "en" else "hi"): text + (f" {odd}" if one == lang else "") for one, text in texts.items()}
    )
    assert problems and {problem.reason for problem in problems} == {"odd-placeholder"}
    assert {problem.line for problem in problems} == {2 if lang == "en" else 3}
    for problem in problems:
        assert problem.params["placeholder"] in odd
        assert problem.params["placeholder"] in problem.sentence("en")
        assert problem.params["placeholder"] in problem.sentence("hi-Latn") != problem.sentence("en")


@pytest.mark.parametrize(
    "plain",
    ['{"id": "core/L2.1/kv"}', '{"expect": {...}, "n": {"a": {N}}}', "{ N }", "{N} {v.x} {f.symbols}", "{'a': {v.x}}"],
)
def test_an_example_and_a_placeholder_are_none(plain: str) -> None:
    assert told(plain, plain) == []
