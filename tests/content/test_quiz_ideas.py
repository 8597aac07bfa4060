"""Ideas of a card: found where their terms stand as whole words, and never because something is nearly alike."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import fill
from content.cards import Card, cards, scope
from content.lang import LANGS, Lang
from content.quiz.ideas import found, ideas

CARDS = {card.id.rpartition("/")[2]: card for card in cards()}


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_the_back_of_a_card_holds_its_ideas(card: Card) -> None:
    """What the card itself calls the answer counts as one, but for terms that stand there in another form."""
    for lang in LANGS:
        back = fill.fill(card.back[lang], lang, scope(card))
        assert sum(found(card, back, lang)) >= len(card.terms[lang]) / 2, (lang, found(card, back, lang))


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_every_spelling_counts_in_either_language(card: Card) -> None:
    for lang in LANGS:
        assert len(ideas(card, lang)) == len(card.terms[lang])
        for place, spellings in enumerate(card.terms[lang]):
            for spelling in spellings:
                for other in LANGS:
                    assert found(card, f"So: {spelling.upper()}!", other)[place], spelling


@pytest.mark.parametrize(
    ("card", "typed", "lang", "ideas_"),
    [
        ("token", "a piece of text with an id", "en", (True, True)),
        ("token", "A  PIECE,\nan ID.", "en", (True, True)),
        ("token", "masterpiece; idea", "en", (False, False)),
        ("token", "pieces ids", "en", (False, False)),
        ("token", "peice", "en", (False, False)),
        ("token", "text ka tukda, uska number", "en", (True, True)),
        ("token", "chunk", "hi-Latn", (True, False)),
        ("token", "", "en", (False, False)),
        ("prefill", "the whole prompt in one pass, compute bound", "en", (True, True, False)),
        ("prefill", "prompt, at once, compute-bound; the first token", "en", (True, True, True)),
        ("prefill", "prompt at once, not compute", "en", (True, False, False)),
        ("prefill", "prompt at once, never the compute", "en", (True, False, False)),
        ("prefill", "prompt at once; it isn't compute, it's memory", "en", (True, False, False)),
        ("prefill", "not the compute but compute", "en", (False, True, False)),
        ("prefill", "prompt ek saath, compute nahi", "hi-Latn", (True, False, False)),
        ("p-values", "bytes: 2, 1, 1/2", "en", (True, True, True, True)),
        ("p-values", "bytes: 1/2", "en", (True, False, False, True)),
        ("p-values", "bytes 0.5", "en", (True, False, False, True)),
        ("p-values", "bytes ½ and २", "en", (True, True, False, True)),
        ("kv-formula", "2·B·S·L·d_model·p", "en", (*(True,) * 6, False)),
        ("kv-formula", "2*b*s*l*d_model*p, grouped: fewer heads", "en", (True,) * 7),
        ("scale-formula", "(r_max − r_min)/(2^b − 1) = 2/7", "en", (True, True, False)),
        ("why-cache", "keys never change, else 6,950 positions", "en", (True, True)),
        ("why-cache", "purani keys badalti nahi; 6950", "hi-Latn", (True, True)),
        ("int4-and-kv", "nothing", "en", (True, False)),
        ("int4-and-kv", "pata nahi", "hi-Latn", (False, False)),
        ("int4-and-kv", "woh utna hi rehta hai, FP8 se chhota hoga", "hi-Latn", (True, True)),
        ("w4a16-meaning", "int4 weights, fp16 activations, nothing about the KV cache", "en", (True, True, True)),
    ],
)
def test_what_counts(card: str, typed: str, lang: Lang, ideas_: tuple[bool, ...]) -> None:
    assert found(CARDS[card], typed, lang) == ideas_


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_no_idea_is_found_in_the_question_itself(card: Card) -> None:
    """Whoever only says the question again has said nothing; a formula's own letters are asked for by name."""
    by_name = {"core/card/s-b-l", "core/card/query-key-value", "core/card/p-values", "core/card/two-bounds"}
    for lang in LANGS if card.id not in by_name else ():
        front = fill.fill(card.front[lang], lang, scope(card))
        assert sum(found(card, front, lang)) <= len(card.ideas) / 2, (lang, found(card, front, lang))


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_an_idea_is_a_clause_and_no_key_word(card: Card) -> None:
    for lang in LANGS:
        said = ideas(card, lang)
        assert len(set(said)) == len(said) == len(card.terms[lang])
        for clause, spellings in zip(said, card.terms[lang], strict=True):
            assert 1 < len(clause) <= 60 and "{" not in clause and clause not in spellings
    assert len(card.ideas) > 1


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_the_back_says_no_letter_of_its_own(card: Card) -> None:
    """A letter of the back stands on the front, is introduced there ("b bits", "s ="), or is K beside V."""
    letter = re.compile(r"(?<![\w'])[A-Za-z](?![\w'])")
    for lang in LANGS:
        front, back = (fill.fill(text[lang], lang, scope(card)) for text in (card.front, card.back))
        told = re.findall(r"\b([A-Za-z])(?= (?:bits|requests|tokens|layers|bytes)| = )", back)
        known = {"a", "A"} | set(letter.findall(front)) | set(told)
        known |= {"K", "V"} if re.search("K (and|aur) V", back) else set()
        assert set(letter.findall(back)) <= known, (lang, back)


@given(st.text(max_size=200), st.sampled_from(sorted(CARDS)))
def test_any_text_is_read(typed: str, card: str) -> None:
    for lang in LANGS:
        assert len(found(CARDS[card], typed, lang)) == len(ideas(CARDS[card], lang))


@given(st.text(alphabet="abcdefgh ", max_size=60), st.sampled_from(sorted(CARDS)))
def test_words_around_a_term_take_nothing_away(around: str, card: str) -> None:
    term = CARDS[card].terms["en"][0][0]
    assert found(CARDS[card], f"{around} ; {term} ; {around}", "en")[0]
