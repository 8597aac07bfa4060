"""The words that steer plain study. Whole words only, in either language, so that no answer is taken for one."""

from __future__ import annotations

from typing import Literal

from tutor.language import Lang

Order = Literal[
    "hint", "solution", "skip", "list", "back", "quit", "lang", "help", "repeat", "next", "lesson", "cards", "variant",
    "original", "grade", "quiz",
]  # fmt: skip

WORDS: dict[Order, tuple[str, ...]] = {
    "next": ("next", "aage"),
    "back": ("back", "wapas"),
    "list": ("list", "list"),
    "repeat": ("repeat", "dobara"),
    "hint": ("hint", "hint", "ishara"),
    "solution": (
        "solution",
        "solution",
        "hal",
        "i don't know",
        "i dont know",
        "don't know",
        "dont know",
        "no idea",
        "idk",
        "pata nahi",
        "nahi pata",
        "mujhe nahi pata",
        "mujhe pata nahi",
    ),
    "grade": ("grade", "grade"),
    "quiz": ("quiz", "quiz", "revise", "dohrao"),
    "skip": ("skip", "chhodo"),
    "variant": ("variant", "variant", "fresh", "naya"),
    "original": ("original", "original", "asli"),
    "cards": ("cards", "cards", "parkho"),
    "lesson": ("lesson", "lesson", "padho"),
    "lang": ("lang", "lang", "language"),
    "help": ("help", "help", "madad", "?"),
    "quit": ("quit", "quit", "exit", "bas"),
}
"""The word that is shown in English, the one in Hinglish, and others that are understood. A colon before a word is
allowed (":quit")."""

STUDY: tuple[Order, ...] = (
    "next", "back", "list", "repeat", "hint", "solution", "skip", "variant", "original", "cards", "lesson", "quiz",
    "lang", "quit",
)  # fmt: skip
"""What the help of study lists, in this order."""
QUIZ: tuple[Order, ...] = ("next", "repeat", "hint", "solution", "skip", "grade", "lesson", "lang", "quit")
"""What the help of the quiz lists."""
PLACEMENT: tuple[Order, ...] = ("solution", "repeat", "lang", "quit")
"""What the help of a placement lists; the first says "I don't know"."""


def order_of(text: str) -> Order | None:
    """The order that a typed line gives, if it is one."""
    word = " ".join(text.lower().replace("’", "'").split()).removeprefix(":").strip().rstrip(".")
    return next((order for order, words in WORDS.items() if word in words), None)


def word(order: Order, lang: Lang) -> str:
    """The word for an order in a language."""
    return WORDS[order][0 if lang == "en" else 1]
