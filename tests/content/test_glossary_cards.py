"""The glossary is found by any name; the cards fill and hold the ideas that they ask for."""

from __future__ import annotations

import pytest

from content import course, fill, glossary
from content.cards import KINDS, Card, cards, scope
from content.lang import LANGS


def identified(text: str) -> str | None:
    term, _ = glossary.find(text)
    return term.id if term else None


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("kv-cache", "kv-cache"),
        ("kv", "kv-cache"),
        ("KV", "kv-cache"),
        ("KV cache", "kv-cache"),
        ("  kv   CACHE ", "kv-cache"),
        ("kv_cache", "kv-cache"),
        ("KV caches", "kv-cache"),
        ("tokens", "token"),
        ("Token", "token"),
        ("d_model", "d-model"),
        ("hidden size", "d-model"),
        ("D_MODEL", "d-model"),
        ("gpu memory utilization", "gpu-memory-utilization"),
        ("max_len", "max-model-len"),
        ("max model len", "max-model-len"),
        ("S", "sequence-length"),
        ("TP", "tensor-parallelism"),
        ("Paged Attention", "paged-attention"),
        ("pagedattention", "paged-attention"),
    ],
)
def test_a_term_is_found_by_any_of_its_names(typed: str, id_: str) -> None:
    assert identified(typed) == id_


def test_every_term_is_found_by_id_and_name() -> None:
    for term in glossary.terms():
        for name in (term.id, term.term, term.term.upper(), term.id.replace("-", " "), term.term.partition(" (")[0]):
            assert identified(name) == term.id, name


def test_an_unknown_term_names_close_ones() -> None:
    term, close = glossary.find("quantisation")
    assert term is None
    assert "quantization" in close
    assert glossary.find("cache")[1]
    for nonsense in ("", "   ", "xyzzy", "?" * 10**5, "[zzz]"):
        assert glossary.find(nonsense) == (None, ())


def test_terms_are_complete() -> None:
    ids = [term.id for term in glossary.terms()]
    assert len(ids) == len(set(ids)) > 60
    for term in glossary.terms():
        assert all(len(term.text[lang]) > 40 for lang in LANGS), term.id
        assert set(term.see) <= set(ids) - {term.id}
        assert course.resolve(term.lesson).kind == "lesson"


def test_the_six_cards_and_the_fifteen_recall_items() -> None:
    kinds = [card.kind for card in cards()]
    assert {kind: kinds.count(kind) for kind in KINDS} == {"self-check": 6, "recall": 15}
    assert len({card.id for card in cards()}) == 21


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_a_card_fills_and_links(card: Card) -> None:
    for lang in LANGS:
        front, back = (fill.fill(text[lang], lang, scope(card)) for text in (card.front, card.back))
        assert front.rstrip()[-1] in "?."
        assert "{" not in front + back
        assert front != back
    assert course.resolve(card.lesson).kind == "lesson"
    assert not card.part or course.resolve(card.part).kind == "part"


@pytest.mark.parametrize("card", cards(), ids=lambda card: card.id)
def test_the_back_of_a_card_holds_every_idea_that_it_asks_for(card: Card) -> None:
    for lang in LANGS:
        back = fill.fill(card.back[lang], lang, scope(card)).lower().replace("−", "-")
        for idea in card.terms[lang]:
            assert any(spelling in back for spelling in idea), (lang, idea)
