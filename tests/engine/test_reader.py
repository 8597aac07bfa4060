"""What people type is read exactly, or refused with a reason and a place; nothing is evaluated as code."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import tree, units
from engine.reader.errors import ReadError
from engine.reader.fold import MAX_DEPTH, MAX_LENGTH
from engine.reader.names import Names
from engine.reader.read import Reading, formula_tree, is_literal, read

F = Fraction
GB = 10**9
NUMBERS = Names()
SYMBOLS = Names({**{name: name for name in "B S L d_model p n_head d_head".split()}, "d": "d_model"}, units=False)


def reading(text: str) -> Reading:
    return read(text, NUMBERS)


def reason(text: str, names: Names = NUMBERS) -> str:
    with pytest.raises(ReadError) as caught:
        read(text, names)
    return caught.value.reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.07", F(107, 100)), (".5", F(1, 2)), ("5.", 5), ("1.07e9", 1_070_000_000), ("1.07E+9", 1_070_000_000),
        ("1e-3", F(1, 1000)),
        ("1,073,741,824", 1073741824), ("1,07,37,41,824", 1073741824), ("1 073 741 824", 1073741824),
        ("1_073_741_824", 1073741824),
        ("१०७३", 1073), ("１２", 12), ("10⁹", GB), ("1.07 × 10⁹", 1_070_000_000), ("1.07 x 10^9", 1_070_000_000),
        ("2**30", 2**30),
        ("107.4 crore", 1_074_000_000), ("2 lakh", 200_000), ("1 arab", GB), ("2 lakh crore", 2 * 10**12),
        ("dedh lakh", 150_000),
        ("2*1*2048*32*4096*2", 1073741824), ("1928/2048", F(241, 256)), ("17:1", 17), ("floor(37.9)", 37),
        ("⌊37.9⌋", 37),
        ("⌈7.5⌉", 8), ("ceiling(7.5)", 8), ("-3", -3), ("−3", -3), ("--3", 3), ("+5", 5), ("(2+3)(4)", 20), ("2(3)", 6),
        (r"\frac{3}{4}", F(3, 4)), (r"2 \cdot 3", 6), (r"2^{10}", 1024), ("lagbhag 37 requests", 37), ("KV = 12", 12),
        ("12 = 3*4", 12), ("aadha", F(1, 2)),
    ],
)  # fmt: skip
def test_numbers_are_read_exactly(text: str, value: Fraction) -> None:
    assert reading(text).value == value


@pytest.mark.parametrize(
    ("text", "base", "unit"),
    [
        ("1.07 GB", 1_070_000_000, "GB"), ("1 GiB", 2**30, "GiB"), ("1.07GB", 1_070_000_000, "GB"),
        ("8589934592 bits", 2**30, "bits"),
        ("1.07 giga bytes", 1_070_000_000, "GB"), ("94 %", F(47, 50), "%"), ("94 percent", F(47, 50), "%"),
        ("17x", 17, "x"), ("x17", 17, "x"),
        ("53.687 + 6.5 GB", 60_187_000_000, "GB"), ("2*1.07 GB", 2_140_000_000, "GB"), ("80 GB - 60 GB", 20 * GB, "GB"),
        ("lagbhag 1.07 GB hoga", 1_070_000_000, "GB"), ("it is about 1.07 GB", 1_070_000_000, "GB"),
        ("8 blocks", 8, "blocks"),
        ("5 more requests", 5, "requests"), ("aur 5 requests", 5, "requests"), ("20 GB / 4 GB", 5, None),
        ("1.5 TB/s", F(3, 2) * 10**12, "TB/s"),
    ],
)  # fmt: skip
def test_units_are_read(text: str, base: Fraction, unit: str | None) -> None:
    found = reading(text)
    assert (found.value, found.unit) == (base, unit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"), (" \t\n\u200b", "empty"), ("not 1.07", "negated"), ("1.07 GB nahi", "negated"),
        ("37-38", "range"),
        ("37 to 38", "range"), ("37 or 38", "two-values"), ("37, 38", "two-values"), ("37 38", "two-values"),
        ("1.07 ya 2.14", "two-values"),
        ("< 40", "bound"), ("at least 37", "bound"), ("1,07 GB", "comma-unclear"), ("10,7374", "comma-unclear"),
        ("1,07,374,1824", "grouping"),
        ("1.O7 GB", "not-a-number"), ("1.07 Gb", "unit-unclear"), ("1.07 GB GB", "unit-twice"), ("94 %%",
        "percent-double"),
        ("hello", "unknown-word"), ("nan", "not-finite"), ("inf", "not-finite"), ("1e9999", "too-large"),
        ("9**9**9**9", "too-large"),
        ("1/0", "division-by-zero"), ("2^(1/2)", "not-finite"), ("(1.07", "unclosed"), ("2*", "syntax"),
        ("=", "syntax"), ("1 = 2", "two-values"),
        ("eval(1)", "code"), ("__import__", "code"), ("import os", "code"), ("[/b]", "bad-characters"),
        ("[red]x", "bad-characters"),
        ("\u202e1.07 GB", "bad-characters"), ("1.07\x00", "bad-characters"), ("1.07 GВ", "bad-characters"),
        ("10₂", "bad-characters"), ("1.07 GB ✓", "bad-characters"), ("1·07", "bad-characters"),
        ("kya 1.07 hai?", "question"), ("1.07 ± 0.1", "range"), ("1..2", "range"), ("38+", "bound"), ("1/2?",
        "two-values"),
        ("1.07 Q", "unknown-unit"), ("GB", "not-a-number"), ("2k", "unit-unclear"), ("1.073,74", "comma-unclear"),
        ("foo(3)", "unknown-word"), ("37)", "unclosed"), ("- 37", "syntax"),
        ("1" * (MAX_LENGTH + 1), "too-long"), ("(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1), "too-deep"),
    ],
)  # fmt: skip
def test_what_is_not_one_value_is_refused_with_the_reason(text: str, expected: str) -> None:
    assert reason(text) == expected


@pytest.mark.parametrize("text", "1.07 GB nahi|37 or 38|1.07 Gb|hello|1,07 GB|2*|[/b]|1.07 GB GB".split("|"))
def test_a_refusal_points_into_the_typed_text(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(text, NUMBERS)
    assert 0 <= caught.value.start <= caught.value.end <= len(text) + 1


@pytest.mark.parametrize(
    ("text", "digits", "half"),
    [
        ("1.07", 3, F(5, 1000)), ("1.070", 4, F(5, 10000)), ("0.0058", 2, F(5, 100000)), ("37", 2, F(1, 2)),
        ("1.07 GB", 3, 5_000_000),
        ("1.07e9", 3, 5_000_000), ("1.07 x 10^9", 3, 5_000_000), ("-1.07", 3, F(5, 1000)),
        ("1073741824", 10, F(1, 2)), ("2*3", None, 0),
        ("1/170", None, 0), ("80 - 60", None, 0),
    ],
)  # fmt: skip
def test_typed_digits_are_counted(text: str, digits: int | None, half: Fraction) -> None:
    found = reading(text)
    assert (found.digits, found.half_digit) == (digits, half)


def test_hedges_and_lone_commas_are_noted() -> None:
    assert reading("~1.07").hedged
    assert reading("lagbhag 1.07").hedged
    assert not reading("1.07").hedged
    assert reading("1,073").lone_comma
    assert not reading("1,073,741").lone_comma


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2 B S L d_model p", "2*B*S*L*d_model*p"), ("2BSLd_modelp", "2*B*S*L*d_model*p"),
        ("KV = 2*B*S*L*d*p", "2*B*S*L*d_model*p"),
        (r"2 \cdot B \cdot d_{model}", "2*B*d_model"), ("2 x B x S", "2*B*S"), ("2 × B × S", "2*B*S"),
        ("B**2", "B^2"), ("(B)(S)", "B*S"),
    ],
)  # fmt: skip
def test_formulas_are_read(text: str, same: str) -> None:
    found = read(text, SYMBOLS).tree
    at = {name: F(n) for n, name in enumerate(("B", "S", "L", "d_model", "p", "n_head", "d_head"), start=3)}
    assert tree.evaluate(found, at) == tree.evaluate(formula_tree(same), at)


@pytest.mark.parametrize(
    ("text", "expected"), [("2*B*q", "unknown-symbol"), ("2*B**S*", "syntax"), ("B <= S", "bound"), ("", "empty")]
)
def test_formulas_that_cannot_be_read(text: str, expected: str) -> None:
    assert reason(text, SYMBOLS) == expected


@given(st.integers(0, 10**15), st.integers(0, 9))
def test_groupings_and_scripts_do_not_change_a_number(whole: int, places: int) -> None:
    value = F(whole, 10**places)
    written = tree.number(value).text if places == 0 else f"{whole // 10**places}.{whole % 10**places:0{places}d}"
    devanagari = written.translate(str.maketrans("0123456789", "०१२३४५६७८९"))
    assert reading(written).value == value
    assert reading(devanagari).value == value
    assert reading(f"  {written}\u200b ").value == value
    assert reading(f"{whole:,}").value == whole
    assert is_literal(reading(written).tree)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for names in (NUMBERS, SYMBOLS):
        try:
            found = read(text, names)
        except ReadError as error:
            assert error.reason
        else:
            assert found.value is None or isinstance(found.value, Fraction)


@given(st.text(alphabet="0123456789.,+-*/^()%xeE GiB=~<>⌊⌋×", max_size=40))
def test_any_text_of_an_answer_s_letters_is_read_or_refused(text: str) -> None:
    try:
        read(text, NUMBERS)
    except ReadError as error:
        assert error.reason


INDIAN_POWERS = {"lakh": 10**5, "crore": 10**7, "arab": GB, "million": 10**6, "billion": GB, "hazaar": 1000}
SCRIPTS = ("0123456789", "०१२३४५६७८९", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "௦௧௨௩௪௫௬௭௮௯", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
AROUND = (
    "{}", " {} ", "lagbhag {}", "{} hoga", "approx. {}", "the answer is {}", "KV = {}", "jawab: {}", "~{}", "{}.",
    "({})",
    "mere hisaab se {}", "{}?", "“{}”", "Ans - {}", "it's about {}", r"${}$", "x = y = {}",
)  # fmt: skip


def grouped(whole: int, mark: str, indian: bool) -> str:
    """A whole number with its digits in groups: of three, or of two before the last three."""
    digits, tail = (str(whole)[:-3], str(whole)[-3:]) if whole >= 1000 else ("", str(whole))
    step = 2 if indian else 3
    groups = [digits[max(0, end - step) : end] for end in range(len(digits), 0, -step)]
    return mark.join([*reversed(groups), tail])


@given(
    whole=st.integers(1000, 10**15),
    mark=st.sampled_from([",", "_", " ", "\u202f", "\u2009", "\u00a0"]),
    indian=st.booleans(),
    script=st.sampled_from(SCRIPTS),
    around=st.sampled_from(AROUND),
    unit=st.sampled_from(["", " bytes", " GiB", "KB", " tokens", " %", "x"]),
)
def test_any_grouping_in_any_script_with_words_around_is_the_same_number(
    whole: int, mark: str, indian: bool, script: str, around: str, unit: str
) -> None:
    written = grouped(whole, mark, indian).translate(str.maketrans("0123456789", script)) + unit
    factor = units.find(unit).factor if units.find(unit) else 1  # type: ignore[union-attr]
    assert reading(around.format(written)).value == whole * factor


@given(
    digits=st.integers(1, 9999),
    power=st.integers(-9, 15),
    sign=st.sampled_from(
        ["{}e{}", "{}E{}", "{} x 10^{}", "{}×10^{}", "{} * 10**{}", "{}·10^({})", r"{} \times 10^{{{}}}",
         "10^{1} * {0}",
         "{} into 10 to the power {}", "{} guna 10 ki power {}"]
    ),
    around=st.sampled_from(AROUND),
)  # fmt: skip
def test_every_spelling_of_a_power_of_ten_is_the_same_number(digits: int, power: int, sign: str, around: str) -> None:
    number = f"{digits // 100}.{digits % 100:02d}"
    assert reading(around.format(sign.format(number, power))).value == F(digits, 100) * F(10) ** power


@given(st.integers(1, 999), st.sampled_from(sorted(INDIAN_POWERS)), st.sampled_from(AROUND))
def test_words_of_size_multiply(count: int, word: str, around: str) -> None:
    assert reading(around.format(f"{count} {word}")).value == count * INDIAN_POWERS[word]


@given(
    value=st.integers(10**6, 10**15),
    unit=st.sampled_from("KB MB GB TB KiB MiB GiB TiB bits bytes B Gbit".split()),
    turn=st.sampled_from(
        ["{} nahi hai", "not {}", "{} galat hai", "{} ya 5 GB", "{} or 5 GB", "< {}", "{} se kam", "kam se kam {}",
         "at most {}",
         "{} ± 1", "5 GB, {}", "kya {} hai?", "{}+", "≠ {}", "up to {}", "{} tak", "isn't {}", "{} se 9999999 PB"]
    ),
)  # fmt: skip  # fmt: skip
def test_a_value_that_something_turns_is_never_read(value: int, unit: str, turn: str) -> None:
    with pytest.raises(ReadError):
        read(turn.format(f"{value} {unit}"), NUMBERS)


@given(st.text(alphabet=st.sampled_from("0123456789.,_'+-*/^()%=~<>:;?!xeE GBki×·÷−–⁹½√⌊⌋≈±→१\\{}$"), max_size=120))
def test_a_refusal_of_any_text_points_into_it(text: str) -> None:
    try:
        read(text, NUMBERS)
    except ReadError as error:
        assert 0 <= error.start <= error.end <= max(len(text), 1)


@given(
    st.lists(
        st.sampled_from("1 37 2.5 GB hai not ya se aur lakh half aadha do teen sau point into by ki power".split())
    )
)
def test_words_of_answers_in_any_order_are_read_or_refused(words: list[str]) -> None:
    try:
        found = read(" ".join(words), NUMBERS)
    except ReadError as error:
        assert error.reason
    else:
        assert not {"not", "ya"} & set(words)
        assert found.value is not None


def test_a_symbol_in_the_other_case_is_that_symbol_where_it_can_mean_only_one() -> None:
    one = Names({"B": "B", "d_model": "d_model"}, units=False)
    assert (one.symbol("b"), one.symbol("D_Model"), one.split("bd_model")) == ("B", "d_model", ["B", "d_model"])
    two = Names({"Ab": "first", "aB": "second", "B": "B", "b": "b"}, units=False)
    assert two.symbol("ab") is None and (two.symbol("B"), two.symbol("b")) == ("B", "b")
    assert Names({"B": "B"}).symbol("b") is None, "beside units a b is bytes or bits"
