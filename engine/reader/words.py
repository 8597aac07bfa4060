"""The words that may stand around a number, in both languages, and what each does to the reading."""

from __future__ import annotations

from fractions import Fraction

FILLERS = frozenset(
    """
    about approx approximately around nearly roughly circa the a an is are it its it's be would will equals equal
    answer ans result total totals of for per-request i think get so exactly just only lagbhag kareeb takreeban
    hai hain hoga hogi honge he ho hota hoti hote jawab uttar aur extra more chahiye lagega lagenge lagta aayega
    aayegi aayengi milega milta bas sirf theek poora yaani matlab ka ki ke ko mein toh kul
    """.split()
)
"""Words that change nothing: dropped wherever they stand."""

NEGATIONS = frozenset("not no never isn't isnt nahi nahin nai na mat without bina".split())
ALTERNATIVES = frozenset("or ya either and & both dono".split())
BOUNDS = frozenset(
    """
    less more-than fewer under over above below least most max maximum minimum min than kam zyada upar neeche upto
    """.split()
)
RANGES = frozenset("to till until between se tak".split())
NOT_FINITE = frozenset("nan inf infinity infinite anant".split())
CODE = frozenset(
    """
    lambda import exec eval open print for if else def class return while true false none os sys self range system
    __import__
    """.split()
)
"""Words of program text; the reader says so instead of calling them unknown units."""

MULTIPLIERS = {
    "hundred": 100, "sau": 100, "thousand": 1000, "hazaar": 1000, "hazar": 1000, "hajar": 1000,
    "lakh": 10**5, "lac": 10**5, "laakh": 10**5, "lakhs": 10**5, "million": 10**6,
    "millions": 10**6, "mn": 10**6,
    "crore": 10**7, "crores": 10**7, "cr": 10**7, "karod": 10**7, "karor": 10**7, "billion": 10**9,
    "billions": 10**9, "bn": 10**9,
    "arab": 10**9, "arb": 10**9, "kharab": 10**11, "trillion": 10**12,
}  # fmt: skip
"""Words that multiply the number before them."""

SPOKEN = {
    "half": Fraction(1, 2), "aadha": Fraction(1, 2), "aadhi": Fraction(1, 2), "quarter": Fraction(1, 4),
    "chauthai": Fraction(1, 4),
    "dedh": Fraction(3, 2), "dhai": Fraction(5, 2), "double": Fraction(2), "dugna": Fraction(2),
    "duguna": Fraction(2),
    "twice": Fraction(2), "tigna": Fraction(3), "tiguna": Fraction(3), "triple": Fraction(3), "chauguna": Fraction(4),
    "zero": Fraction(0),
}  # fmt: skip
"""Words that are numbers by themselves."""
