"""Hinglish as this house writes it: one spelling a word, no words that read as English, the friendly form of address."""

from __future__ import annotations

import re

from content.lang import LANGS
from content.validate.source import Source
from content.validate.texts import Pair


def _table(*rows: str) -> dict[str, str]:
    """``"yeh: ye yah"`` -> each wrong spelling with the right one."""
    split = (row.split(": ") for row in rows)
    return {wrong: right for right, wrongs in split for wrong in wrongs.split()}


_SPELLINGS = _table(
    "yeh: ye yah", "woh: wo voh vo", "hai: he h", "hain: hein han", "nahi: nahin nai nhi nahee", "mein: me mai",
    "ismein: isme", "usmein: usme", "jismein: jisme", "kismein: kisme", "unmein: unme", "inmein: inme",
    "kyun: kyu kyon kyoon", "kyunki: kyuki kyonki", "toh: to", "par: pe pr", "lekin: magar but", "aur: or n", "ya: yaa",
    "isliye: islie esliye isiliye-hi", "matlab: mtlb", "taaki: taki", "sirf: srf", "bhi: bi bhee", "zyada: jyada zada",
    "zyadatar: zyadatr jyadatar", "bahut: bohot bahot", "kaafi: kafi", "poora: pura", "poori: puri", "poore: pure",
    "chhota: chota", "chhoti: choti", "chhote: chote", "achha: acha", "achhi: achi", "achhe: ache",
    "poochho: pucho poocho puchho", "poochha: poocha pucha", "mushkil: muskil", "pehle: phle pahle", "baad: bad",
    "yahan: yaha", "wahan: waha", "kahan: kaha", "kaunsa: konsa", "kaunsi: konsi", "kaunse: konse", "khud: khd",
    "isko: ise", "usko: ushe", "nikaalo: nikalo", "lagbhag: lgbhg approx", "baaki: bache", "sabse bada: main",
)  # fmt: skip
_PHRASES = _table("zyadatar: zyada-tar", "dekhkar: dekh-kar", "lekar: le-kar", "milakar: mila-kar", "chhodkar: chhod-kar")
_HOMOGRAPHS = (
    (re.compile(r"\buse\b(?!\s+(?:kar|kiya|ki\b|ke\b|ho|hu|mein\b))", re.IGNORECASE), "use"),
    (re.compile(r"\bdo\b", re.IGNORECASE), "do"),
    (re.compile(r"\bthe\b", re.IGNORECASE), "the"),
    (re.compile(r"\bare\b", re.IGNORECASE), "are"),
    (re.compile(r"(?:^|[.;,:!?]\s+)par\b", re.IGNORECASE), "par"),
)
_REGISTER = frozenset("aap aapka aapke aapki aapko kijiye dijiye lijiye kariye tu tera teri tere atah tatha arthat bhai yaar".split())
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\{[^}]*\}")
_WORD = re.compile(r"(?<![\w./-])[A-Za-z]+(?:-[A-Za-z]+)*(?![\w/])")
_SIGNS = frozenset("×·−–—⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉→←↑↓≤≥≈…•│─✓°√▸")
"""Signs beyond ASCII that a course text may hold, in either language."""


def lint(source: Source, pair: Pair) -> None:
    """Everything about the Hinglish of one text, and the signs of both languages."""
    _script(source, pair)
    place, text = pair.place("hi-Latn"), _QUOTED.sub("\x00", pair.text["hi-Latn"])
    for word in dict.fromkeys(_WORD.findall(text)):
        lower = word.lower()
        if lower in _SPELLINGS and not (len(word) == 1 or word.isupper()):
            source.report_in(place, word, "spelling", word=word, use=_SPELLINGS[lower])
        elif lower in _REGISTER:
            source.report_in(place, word, "register", word=word)
    for wrong, right in _PHRASES.items():
        phrase = wrong.replace("-", " ")
        if re.search(rf"\b{phrase}\b", text, re.IGNORECASE):
            source.report_in(place, phrase, "spelling", word=phrase, use=right)
    for pattern, word in _HOMOGRAPHS:
        found = pattern.search(text)
        if found:
            source.report_in(place, found[0].strip(" .;,:!?\n"), "homograph", word=word)


def _script(source: Source, pair: Pair) -> None:
    for lang in LANGS:
        odd = next((letter for letter in pair.text[lang] if not (letter.isascii() or letter in _SIGNS)), None)
        if odd is not None:
            source.report_in(pair.place(lang), odd, "script", sign=odd, code=f"U+{ord(odd):04X}")
