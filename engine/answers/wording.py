"""Verdicts on words: choices, pairs of attributes, orders, yes and no. Whole names only; nothing fuzzy."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from engine.answers.model import Expectation, Expected, Option, Read, Verdict
from engine.reader.fold import MAX_LENGTH

YES = frozenset("yes y haan ha han ji sahi true right correct theek fits fit".split())
NO = frozenset("no n nahi nahin na nai galat false wrong".split())
_NOISE = re.compile(
    r"\b(?:option|answer|jawab|the|a|is|it|hai|hain|hi|its|it's|wala|wali|ka|ki|mein|in|phase|bound|limited|bottleneck|bucket)\b"
)
_SPLIT = re.compile(r"[^a-z0-9%+.]+")


def folded(text: str) -> str:
    """A name for comparison: lower case, one space between words, signs dropped."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_SPLIT.sub(" ", plain).split())


def check_words(expect: Expectation, typed: str) -> Verdict:
    """The verdict on a typed word, letter or list."""
    expected = Expected(None, None, " ".join(expect.answers[0]) if expect.answers else "")
    if len(typed) > MAX_LENGTH:
        params = {"length": str(len(typed)), "most": str(MAX_LENGTH)}
        return Verdict("invalid", "too-long", expected=expected, span=(0, len(typed)), params=params)
    if not folded(typed):
        reason = "empty" if not typed.strip() else "choice-unknown"
        return Verdict("invalid", reason, expected=expected, span=(0, len(typed)), params={"options": _names(expect)})
    handlers = {"rubric": _rubric, "judge": _judge, "order": _order, "classify": _classify}
    return handlers.get(expect.kind, _choice)(expect, typed, expected)


def _names(expect: Expectation) -> str:
    return " / ".join(option.letter for option in expect.options[0]) if expect.options else ""


def _rubric(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    return Verdict("invalid", "self-marked", read=Read(typed, None, None, None), expected=expected)


def yes_or_no(typed: str) -> str | None:
    """``"yes"``, ``"no"`` or ``None``, in either language; the first word decides unless both occur."""
    words = set(folded(typed).split())
    yes, no = bool(words & YES), bool(words & NO)
    if no and (not yes or words & {"not", "nahi", "nahin"}):
        return "no"
    if "not" in words or ("doesn" in words and "t" in words):
        return "no"
    return "yes" if yes and not no else None


def _judge(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    said = yes_or_no(typed)
    if said is None:
        return Verdict("invalid", "yes-no-unclear", expected=expected, span=(0, len(typed)))
    return _reading(expect, typed, (said,), expected)


def find_options(options: Sequence[Option], typed: str, *, letters: bool = True) -> list[Option]:
    """The options that a text names: by letter ("C", "option C", "C) INT4"), by id, or by a whole name."""
    text = folded(typed)
    short = folded(_NOISE.sub(" ", text))
    for candidate in dict.fromkeys((text, short)):
        exact = [
            o
            for o in options
            if candidate in ({o.letter.lower()} if letters else set()) | {folded(n) for n in (o.id, *o.names)}
        ]
        if exact:
            return exact
    padded = f" {text} "
    named = [o for o in options if any(f" {folded(name)} " in padded for name in (o.id, *o.names) if folded(name))]
    if letters and len(named) <= 1:
        head = short.split()[:1]
        lettered = [o for o in options if [o.letter.lower()] == head and (len(short.split()) > 1 or not named)]
        if named and lettered and named != lettered:
            return [*named, *lettered]
        many = named or [o for o in options if o.letter.lower() in short.split()]
        return many or named
    return _longest(named, padded)


def _longest(named: list[Option], padded: str) -> list[Option]:
    """Of several named options, those whose name is not part of another's ("decode" inside "chunked decode")."""
    best = {
        o.id: max((len(folded(n)) for n in (o.id, *o.names) if f" {folded(n)} " in padded), default=0) for o in named
    }
    texts = {o.id: max((folded(n) for n in (o.id, *o.names) if f" {folded(n)} " in padded), key=len) for o in named}
    return [
        o
        for o in named
        if not any(o is not p and texts[o.id] in texts[p.id] and best[p.id] > best[o.id] for p in named)
    ]


def _choice(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    found = find_options(expect.options[0], typed)
    if len(found) != 1 or (_negated(typed) and not _spelled_out(found[0], typed)):
        reason = "choice-several" if len(found) > 1 else "negated" if found else "choice-unknown"
        return Verdict(
            "invalid",
            reason,
            expected=expected,
            span=(0, len(typed)),
            params={"options": _names(expect), "word": typed.strip()},
        )
    return _reading(expect, typed, (found[0].id,), expected)


def _spelled_out(option: Option, typed: str) -> bool:
    """Whether the text is one of the option's own names, which may hold a "not" or "nahi" itself."""
    return folded(typed) in {folded(name) for name in (option.id, *option.names)}


def _negated(typed: str) -> bool:
    return bool(set(folded(typed).split()) & {"not", "nahi", "nahin"})


def _by_letters(expect: Expectation, typed: str) -> tuple[str, ...] | None:
    """The reading of letters alone ("a d"), one of each attribute; they run on from one attribute to the next."""
    typed_letters = folded(typed).split()
    found = [[o.id for o in options if o.letter.lower() in typed_letters] for options in expect.options]
    whole = len(typed_letters) == len(found) and all(len(one) == 1 for one in found)
    return tuple(one[0] for one in found) if whole else None


def _unread(expect: Expectation, typed: str) -> bool:
    """Whether words were typed that belong to no option."""
    known = {
        word for options in expect.options for o in options for n in (o.id, *o.names) for word in folded(n).split()
    }
    left = folded(_NOISE.sub(" ", folded(typed))).split()
    return any(word not in known and word not in YES | NO for word in left)


def _classify(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    reading: list[str] = []
    lettered = _by_letters(expect, typed)
    if lettered is not None:
        return _reading(expect, typed, lettered, expected)
    for options in expect.options:
        found = find_options(options, typed, letters=False)
        if len(found) != 1 or _negated(typed):
            missing = "choice-unknown" if _unread(expect, typed) else "missing-attribute"
            reason = "choice-several" if len(found) > 1 else "negated" if _negated(typed) else missing
            names = " / ".join(option.id for option in options)
            params = {"options": names, "missing": names, "word": typed.strip()}
            return Verdict("invalid", reason, expected=expected, span=(0, len(typed)), params=params)
        reading.append(found[0].id)
    return _reading(expect, typed, tuple(reading), expected)


def _order(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    options = {option.letter.lower(): option.id for option in expect.options[0]}
    text = folded(typed).replace(" ", "")
    letters = list(text)
    if sorted(letters) != sorted(options):
        params = {"letters": " ".join(letter.upper() for letter in options)}
        return Verdict("invalid", "order-unclear", expected=expected, span=(0, len(typed)), params=params)
    return _reading(expect, typed, tuple(options[letter] for letter in letters), expected)


def _reading(expect: Expectation, typed: str, reading: tuple[str, ...], expected: Expected) -> Verdict:
    """The verdict on a clear reading."""
    shown = Read(" ".join(reading), None, None, None)
    if reading in expect.answers:
        notes = ("other-definition",) if reading != expect.answers[0] else ()
        return Verdict("correct", read=shown, expected=expected, notes=notes)
    slip = expect.slips.get(" ".join(reading))
    same = [a == b for a, b in zip(reading, expect.answers[0], strict=False)]
    right = [*same, False].index(False) if expect.kind == "order" else sum(same)
    params = {"right_count": str(right), "count": str(len(reading))}
    return Verdict("incorrect", read=shown, slips=(slip,) if slip else (), expected=expected, params=params)
