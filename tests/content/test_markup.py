"""The small markup of course texts, and that nothing else is markup."""

from __future__ import annotations

from content.markup import Block, Span, blocks, plain, spans


def code(text: str) -> Block:
    return Block("code", (Span(text, "code"),))


def para(text: str) -> Block:
    return Block("para", (Span(text, ""),))


def test_a_blank_line_parts_paragraphs_and_a_single_one_joins() -> None:
    assert blocks("One line\nand the next.\n\nAnother.\n") == (para("One line and the next."), para("Another."))


def test_strong_and_code_spans() -> None:
    assert spans("a **b** c `2 · d` e") == (
        Span("a ", ""), Span("b", "strong"), Span(" c ", ""), Span("2 · d", "code"), Span(" e", ""),
    )  # fmt: skip


def test_bullets_may_go_on_in_an_indented_line() -> None:
    found = blocks("- one `x`\n  goes on\n- two")
    assert [block.kind for block in found] == ["bullet", "bullet"]
    assert found[0].text == "one x goes on"
    assert found[0].spans[1] == Span("x", "code")


def test_worked_lines_are_kept_as_they_are() -> None:
    assert blocks("| 2 · B   = 4\n|\n| **not strong**") == (code("2 · B   = 4"), code(""), code("**not strong**"))


def test_a_worked_line_ends_the_paragraph_before_it() -> None:
    assert [block.kind for block in blocks("So:\n| 1 + 1\nand on")] == ["para", "code", "para"]


def test_brackets_stars_and_bars_alone_are_literal() -> None:
    for text in ("[red]x[/red]", "[/b]", "2 * 3 * 4", "a | b", "5 - 3", "**", "`", "\\[x]", "a**"):
        assert plain(text) == text


def test_plain_keeps_lines_that_belong_together() -> None:
    assert plain("Head.\n\n- one\n- two\n\n| 1\n| 2\n\nTail.") == "Head.\n\n- one\n- two\n\n    1\n    2\n\nTail."


def test_nothing_gives_nothing() -> None:
    assert blocks("") == blocks("\n \n") == ()
    assert plain("") == ""
