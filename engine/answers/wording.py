"""Verdicts on words: choices, pairs of attributes, orders, yes and no.

Whole names only; a misspelled one is asked about and never judged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from engine.answers.model import LONGEST_PROSE, Expectation, Expected, Option, Read, Verdict
from engine.answers.yesno import yes_or_no
from engine.reader.fold import MAX_LENGTH
from engine.reader.lost import is_lost

__all__ = ["check_words", "find_options", "folded", "yes_or_no"]

_NOISE = re.compile(
    r"\b(?:option|answer|jawab|the|a|is|it|hai|hain|hi|its|it's|wala|wali|ka|ki|mein|in|phase|bound|limited|bottleneck|bucket)\b"
)
_SPLIT = re.compile(r"[^a-z0-9%+.]+")
_DEVANAGARI = re.compile(r"[\u0900-\u0963]+")
_BESIDE_LETTER = frozenset(
    "the option opt letter choice answer ans jawab reason wala wali waala vala number is it its hai my mera".split()
)
_BETWEEN_LETTERS = frozenset("or ya and aur both dono either option options".split())
_AROUND = frozenset(
    """use using used apply applying enable enabling switch to turn on choose pick select go with try need needs lagao
    lagaao lagana lagaana lagega lagegi karo karna karenge chuno chunna chahiye chahie hoga hogi kaam aayega best main
    biggest most lever technique wall phase step pass mera mere yahi wahi yeh woh side wise""".split()
)
"""Words that may stand around the name of an option and turn nothing."""
_BELITTLING = frozenset("bekar bekaar theek thik free down off waste wasted".split())
"""Words that say nothing beside a number and something beside an option: "PagedAttention bekar hai"."""
_BECAUSE = frozenset("because since coz cuz cause as kyunki kyonki kyuki isliye so that".split())
"""Words behind which a reason follows: what it says is not judged."""
_PLACES = {
    word: place
    for place, listed in enumerate((
        "pehla pahla pehli pahli pahala first 1st 1", "doosra dusra doosri dusri second 2nd 2",
        "teesra tisra teesri tisri third 3rd 3", "chautha chauthi fourth 4th 4", "paanchva panchva fifth 5th 5",
    ))
    for word in listed.split()
}  # fmt: skip
"""Words for the place of an option; bare digits only behind "option"."""
_NEGATIONS = frozenset("not nahi nahin nhi".split())
_BREAKS = re.compile(r"[,;.:!–—]|\b(?:but|lekin|magar|balki|rather|instead|only|bas|sirf)\b")
_ENOUGH = {"rubric": "prose", "judge": "judge", "order": "order"}
"""What is asked for in place of an answer too long, where it is no option."""
_SHORTEST_GUESS = 4
_ALIKE = 0.75
"""How alike a misspelled word must be to the one that is suggested, and the letters it must have."""


def folded(text: str) -> str:
    """A name for comparison: lower case, in Latin script, one space between words, signs dropped."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if not plain.isascii():
        from engine.reader.devanagari import latin  # few answers need the table

        plain = _DEVANAGARI.sub(lambda word: latin(word[0]).casefold(), plain)
    words = (word.strip(".") for word in _SPLIT.sub(" ", plain).split())
    return " ".join(word for word in words if word)


def check_words(expect: Expectation, typed: str) -> Verdict:
    """The verdict on a typed word, letter or list."""
    expected = Expected(None, None, " ".join(expect.answers[0]) if expect.answers else "")
    most = LONGEST_PROSE if expect.kind == "rubric" else MAX_LENGTH
    if len(typed) > most:
        params = {"length": str(len(typed)), "most": str(most), "more": _ENOUGH.get(expect.kind, "choice")}
        return Verdict("invalid", "too-long", expected=expected, span=(0, len(typed)), params=params)
    if not typed.strip():
        return Verdict("invalid", "empty", expected=expected, span=(0, len(typed)))
    if is_lost(typed) and not (expect.kind == "judge" and yes_or_no(typed)):
        return Verdict("invalid", "lost", expected=expected, span=(0, len(typed)))
    if not folded(typed) and expect.options:
        params = {"options": _names(expect)}
        return Verdict("invalid", "choice-unknown", expected=expected, span=(0, len(typed)), params=params)
    handlers = {"rubric": _rubric, "judge": _judge, "order": _order, "classify": _classify}
    return handlers.get(expect.kind, _choice)(expect, typed, expected)


def _names(expect: Expectation) -> str:
    return " / ".join(option.letter for option in expect.options[0]) if expect.options else ""


def _rubric(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    return Verdict("invalid", "self-marked", read=Read(typed, None, None, None), expected=expected)


def _judge(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    said = yes_or_no(typed)
    if said is None:
        return Verdict("invalid", "yes-no-unclear", expected=expected, span=(0, len(typed)))
    return _reading(expect, typed, (said,), expected)


def find_options(options: Sequence[Option], typed: str, *, letters: bool = True) -> list[Option]:
    """The options that a text names: by letter ("C", "option C", "C) INT4"), by id, or by a whole name."""
    text = folded(typed)
    if letters and (several := _letters_only(options, text)):
        return several
    if letters and (one := _lettered(options, text)):
        return [one]
    short = folded(_NOISE.sub(" ", text))
    for candidate in dict.fromkeys((text, short)):
        own = candidate.replace(" ", "")  # "int 4" is "INT4"
        exact = [
            o
            for o in options
            if (letters and candidate == o.letter.lower())
            or own in {folded(n).replace(" ", "") for n in (o.id, *o.names)}
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


def _letters_only(options: Sequence[Option], text: str) -> list[Option]:
    """The options of several letters and nothing else ("A or C"), none of them an article then; else none."""
    words = [word for word in text.split() if word not in _BETWEEN_LETTERS]
    found = [o for o in options if o.letter.lower() in words]
    return found if len(found) > 1 and all(len(word) == 1 for word in words) else []


def _left_over(text: str, named: Sequence[Option]) -> str:
    """The first word that belongs neither to the named options nor to the small talk around them; empty when none
    does. Such a word may turn the sense ("never", "anything but"), so what it says is asked about and not judged."""
    from engine.reader.words import FILLERS, HEDGES, key

    padded = f" {folded(text)} "
    whole = (folded(name) for o in named for name in (o.id, *o.names, o.letter))
    known = {word for name in whole if f" {name} " in padded for word in name.split()}
    short = padded.replace(" ", "")
    known |= {w for o in named for n in (o.id, *o.names) if folded(n).replace(" ", "") == short for w in padded.split()}
    for word in folded(text).split():
        if word in _BECAUSE:
            return ""
        plain = word in known or word in _AROUND or word in _BESIDE_LETTER or bool(_NOISE.fullmatch(word))
        told = key(word) in FILLERS | HEDGES and word not in _BELITTLING
        if not plain and not told and word not in _PLACES:
            return word
    return ""


def _lettered(options: Sequence[Option], text: str) -> Option | None:
    """The option named by its letter or place alone: "option b", "a wala", "doosra"."""
    words = text.split()
    left = [word for word in words if word not in _BESIDE_LETTER]
    if len(left) != 1 or (left[0].isdigit() and len(left) == len(words)):
        return None
    place = _PLACES.get(left[0])
    if place is not None:
        return options[place] if place < len(options) else None
    return next((o for o in options if o.letter.lower() == left[0]), None) if len(words) > 1 else None


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
    options = expect.options[0]
    said = typed if _is_name(options, typed) else affirmed(options, typed)
    found = find_options(options, typed if said is None else said)
    if said is not None and len(found) == 1:
        odd = "" if said is typed and _is_name(options, typed) else _left_over(said, found)
        if odd:
            return _unsure(expected, typed, odd)
        return _reading(expect, typed, (found[0].id,), expected)
    reason = "negated" if said is None and found else "choice-several" if len(found) > 1 else "choice-unknown"
    shown = " / ".join(option.letter for option in found) if len(found) > 1 else _names(expect)
    params = {"options": shown, "word": _denying(typed) if reason == "negated" else typed.strip()}
    guess = _guess(options, typed) if reason == "choice-unknown" else None
    params |= {"suggest": guess, "more": "near"} if guess else {}
    return Verdict("invalid", reason, expected=expected, span=(0, len(typed)), params=params)


def _unsure(expected: Expected, typed: str, odd: str) -> Verdict:
    """The verdict on an option named among words that may turn it."""
    place = typed.casefold().find(odd)
    span = (place, place + len(odd)) if place >= 0 else (0, len(typed))
    return Verdict("invalid", "choice-unsure", expected=expected, span=span, params={"word": odd})


def _is_name(options: Iterable[Option], typed: str) -> bool:
    """Whether the text is one of the options' own names, which may hold a "not" or "nahi" itself."""
    return any(folded(typed) in {folded(name) for name in (o.id, *o.names)} for o in options)


def _denying(typed: str) -> str:
    """The word of a text that denies, as it was typed."""
    return next((word for word in typed.split() if folded(word) in _NEGATIONS), typed.strip())


def affirmed(options: Sequence[Option], typed: str) -> str | None:
    """What a text affirms: itself, or the rest where one option is denied and another named ("memory nahi, compute").
    ``None`` when it denies and affirms nothing clear."""
    if not _NEGATIONS & set(folded(typed).split()):
        return typed
    denied: list[str] = []
    kept: list[str] = []
    for clause in _clauses(typed):
        words = clause.split()
        left = " ".join(word for word in words if word not in _NEGATIONS)
        (denied if len(left.split()) < len(words) else kept).append(left)
    away = {option.id for left in denied for option in find_options(options, left)}
    stays = {option.id for left in kept for option in find_options(options, left)}
    clear = all(find_options(options, left) for left in denied) and stays and not away & stays
    return ", ".join(kept) if clear else None


def _clauses(typed: str) -> list[str]:
    """The clauses of a text: "nahi" ends one ("memory nahi compute"), "not" begins one ("compute not memory")."""
    found: list[str] = []
    for piece in _BREAKS.split(unicodedata.normalize("NFKC", typed).casefold()):
        words = folded(piece).split()
        while words:
            place = next((n for n, word in enumerate(words) if n and word in _NEGATIONS), len(words))
            end = place if words[place : place + 1] == ["not"] else place + 1
            found.append(" ".join(words[:end]))
            words = words[end:]
    return found


def _guess(options: Iterable[Option], typed: str) -> str | None:
    """The text with a misspelled word of a name put right, to be asked about; ``None`` when no word is near one."""
    names = " ".join(folded(name) for option in options for name in (option.id, *option.names))
    known = sorted({word for word in names.split() if len(word) >= _SHORTEST_GUESS})
    from difflib import get_close_matches  # few answers need it

    out: list[str] = []
    for word in folded(typed).split():
        near = [] if len(word) < _SHORTEST_GUESS or word in known else get_close_matches(word, known, 1, _ALIKE)
        out.append(near[0] if near else word)
    return " ".join(out) if out != folded(typed).split() else None


def _by_letters(expect: Expectation, typed: str) -> tuple[str, ...] | None:
    """The reading of letters alone ("a d"), one of each attribute; they run on from one attribute to the next."""
    typed_letters = folded(typed).split()
    found = [[o.id for o in options if o.letter.lower() in typed_letters] for options in expect.options]
    whole = len(typed_letters) == len(found) and all(len(one) == 1 for one in found)
    if whole:
        return tuple(one[0] for one in found)
    return _by_own_letters(expect, typed_letters)


def _by_own_letters(expect: Expectation, letters: Sequence[str]) -> tuple[str, ...] | None:
    """The reading of one letter for each attribute in turn, each attribute lettered from A on its own."""
    if len(letters) == 1 and len(letters[0]) == len(expect.options):  # "AA"
        letters = list(letters[0])
    places = [ord(letter) - ord("a") for letter in letters if len(letter) == 1]
    if len(places) != len(expect.options) or len(places) != len(letters):
        return None
    if not all(0 <= place < len(options) for place, options in zip(places, expect.options, strict=True)):
        return None
    return tuple(options[place].id for place, options in zip(places, expect.options, strict=True))


def _unread(expect: Expectation, typed: str) -> bool:
    """Whether words were typed that belong to no option."""
    known = {
        word for options in expect.options for o in options for n in (o.id, *o.names) for word in folded(n).split()
    }
    left = folded(_NOISE.sub(" ", folded(typed))).split()
    return any(word not in known and yes_or_no(word) is None for word in left)


def _classify(expect: Expectation, typed: str, expected: Expected) -> Verdict:
    reading: list[str] = []
    lettered = _by_letters(expect, typed)
    if lettered is not None:
        return _reading(expect, typed, lettered, expected)
    every = [option for options in expect.options for option in options]
    said = affirmed(every, typed)
    for options in expect.options:
        found = find_options(options, typed if said is None else said, letters=False)
        if len(found) != 1 or said is None:
            missing = "choice-unknown" if _unread(expect, typed) else "missing-attribute"
            reason = "choice-several" if len(found) > 1 else "negated" if said is None else missing
            names = " / ".join(option.id for option in (found if len(found) > 1 else options))
            params = {"options": names, "missing": names, "word": typed.strip()}
            guess = _guess(every, typed) if reason == "choice-unknown" else None
            params |= {"suggest": guess, "more": "near"} if guess else {}
            params |= {"word": _denying(typed)} if reason == "negated" else {}
            return Verdict("invalid", reason, expected=expected, span=(0, len(typed)), params=params)
        reading.append(found[0].id)
    odd = _left_over(said or typed, [option for option in every if option.id in reading])
    if odd:
        return _unsure(expected, typed, odd)
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
