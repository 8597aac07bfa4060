"""`llm-tutor glossary [TERM]`."""

from __future__ import annotations

import argparse

from tutor.commands.context import DONE, Context, Refusal, quoted
from tutor.commands.parser import Parser
from tutor.language import LANGS


def arguments(parser: Parser) -> None:
    """The term."""
    parser.word("term", "TERM", many=True)


def run(context: Context, args: argparse.Namespace) -> int:
    """Explain a term, or list all."""
    from content import glossary

    if not args.term:
        return _list(context)
    text = " ".join(args.term)
    term, close = glossary.find(text)
    if term is None:
        key = "cli.glossary.unknown_close" if close else "cli.glossary.unknown"
        raise Refusal(key, text=quoted(text), close=", ".join(close))
    if context.json:
        meaning = {lang: term.text[lang] for lang in LANGS}
        context.document({"id": term.id, "term": term.term, "meaning": meaning, "lesson": term.lesson, "see": term.see})
        return DONE
    context.line(f"{term.term}: {term.text[context.lang]}")
    if term.lesson:
        context.line(context.say("cli.glossary.lesson", lesson=term.lesson))
    if term.see:
        context.line(context.say("cli.glossary.see", terms=", ".join(term.see)))
    return DONE


def _list(context: Context) -> int:
    from content import glossary

    terms = sorted(glossary.terms(), key=lambda term: term.term.lower())
    if context.json:
        context.document({"terms": [{"id": term.id, "term": term.term, "lesson": term.lesson} for term in terms]})
        return DONE
    for term in terms:
        context.line(term.term)
    return DONE
