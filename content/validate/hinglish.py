"""Hinglish as this house writes it: one spelling a word, none that reads as English, the friendly form of address."""

from __future__ import annotations

import re
import unicodedata

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
    "kyun: kyu kyon kyoon", "kyunki: kyuki kyonki", "toh: to", "par: pe pr", "lekin: magar but",
    "aur (and) or ya (or): or", "ya: yaa",
    "isliye: islie esliye", "matlab: mtlb", "taaki: taki", "sirf: srf", "bhi: bi bhee", "zyada: jyada zada",
    "zyadatar: zyadatr jyadatar", "bahut: bohot bahot", "kaafi: kafi", "poora: pura", "poori: puri", "poore: pure",
    "chhota: chota", "chhoti: choti", "chhote: chote", "achha: acha", "achhi: achi", "achhe: ache",
    "poochho: pucho poocho puchho", "poochha: poocha pucha", "mushkil: muskil", "pehle: phle pahle", "baad: bad",
    "yahan: yaha", "wahan: waha", "kaunsa: konsa", "kaunsi: konsi", "kaunse: konse", "khud: khd",
    "isko: ise", "usko: ushe", "nikaalo: nikalo", "lagbhag: lgbhg approx", "baaki: bache", "sabse bada: main",
)  # fmt: skip
_PHRASES = re.compile(r"\b(?:zyada tar|(?:dekh|le|mila|chhod) kar)\b", re.IGNORECASE)
_HOMOGRAPHS = (
    (re.compile(r"\buse\b(?!\s+(?:kar|kiya|ki\b|ke\b|ho|hu|mein\b))", re.IGNORECASE), "use"),
    (re.compile(r"\bdo\b", re.IGNORECASE), "do"),
    (re.compile(r"\bthe\b", re.IGNORECASE), "the"),
    (re.compile(r"\bare\b", re.IGNORECASE), "are"),
    (re.compile(r"(?:^|[.;,:!?]\s+)par\b", re.IGNORECASE), "par"),
)
_REGISTER = frozenset(
    "aap aapka aapke aapki aapko kijiye dijiye lijiye kariye tu tera teri tere atah tatha arthat bhai yaar".split()
)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\{[^}]*\}")
_WORD = re.compile(r"(?<![\w./-])[A-Za-z]+(?:-[A-Za-z]+)*(?![\w/])")
_ODD = re.compile(r"[^\x00-\x7f×·−–—₀₁₂₃₄₅₆₇₈₉→←↑↓≤≥≈…•│─✓°√▸]")
"""Signs beyond those that a text may hold, in either language."""
_RAISED = re.compile(r"\w*[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
"""A power in raised digits: letters have no raised form, and nobody can type one, so powers are written with ^."""


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
    for phrase in _PHRASES.findall(text):
        source.report_in(place, phrase, "spelling", word=phrase, use=phrase.replace(" ", ""))
    for pattern, word in _HOMOGRAPHS:
        found = pattern.search(text)
        if found:
            source.report_in(place, found[0].strip(" .;,:!?\n"), "homograph", word=word)


def _lowered(power: str) -> str:
    digits = unicodedata.normalize("NFKC", power)
    raised = len(power) - len(power.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return f"{digits[:-raised]}^{digits[-raised:]}"


def _script(source: Source, pair: Pair) -> None:
    for lang in LANGS:
        if pair.text[lang].isascii():
            continue
        if raised := _RAISED.search(pair.text[lang]):
            source.report_in(pair.place(lang), raised[0], "raised-power", text=raised[0], use=_lowered(raised[0]))
        elif odd := _ODD.search(pair.text[lang]):
            source.report_in(pair.place(lang), odd[0], "script", sign=odd[0], code=f"U+{ord(odd[0]):04X}")
