"""The words that may stand around a number, in both languages, and what each does to the reading.

Words are compared by their :func:`key`, so that "paanch" and "panch", "nahee" and "nahi" are one word.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

_LONG = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("ii", "i"), ("uu", "u"), ("'", ""), (".", ""))


@lru_cache(maxsize=2048)
def key(word: str) -> str:
    """A word without what spelling varies: case, length of vowels, apostrophes, Devanagari."""
    lower = (word if word.isascii() else spelling(word)).lower()
    for long, short in _LONG:
        lower = lower.replace(long, short)
    return lower


SPELLINGS = {
    **dict.fromkeys(("t/s", "tk/s", "toks/s", "tok/second", "tokens/second", "t/sec", "tkn/s"), "tokens/s"),
    **dict.fromkeys(("feesdi", "fisdi", "feesdee", "pratisat", "parsent"), "percent"),
    **dict.fromkeys(("gb/sekand",), "GB/s"),
}
"""Other spellings of units, in lower case, and the unit that each means."""


def spelling(word: str) -> str:
    """A word as the tables of words and units have it: in Latin script, a unit in its usual spelling."""
    if word.isascii():
        return SPELLINGS.get(word.lower(), word)
    from engine.reader.devanagari import latin  # few answers need the table

    return latin(word)


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(text).split())  # the whole text at once: a key never joins words


FILLERS = _keys(
    """
    a an the this that these those my our your i we you me he so it its it's im i'm ive i've well ok okay yes yeah yep
    bilkul pakka ekdum definitely surely certainly clearly obviously basically finally i'd i'll let's lets expect
    estimated consume consumes occupy occupies hold holds fits serve serves handle handles possible allowed
    padega padegi padenge dega degi karega karegi karenge jata jaata jati jaati jate jaate padta padti
    hm hmm that's thats sir madam maam please
    is are was be been being am will would should can could must may does has have had get gets got getting gives give
    gave makes make made comes come came coming works turns turn out find found calculated calculate computed compute
    answered wrote say says said see need needs needed take takes took use uses using equal equals equaling
    answer answers ans result results solution value values total totals final output size sum amount number count
    estimate calculation calculations calculator formula according per-request here there then hence thus therefore
    of for in on at by with as from only just exactly precisely actually simply total totally overall altogether
    concurrent parallel simultaneous simultaneously extra more additional further another whole full around
    kv cache memory space storage required waste wasted headroom ratio factor
    right correct rounded down off
    hai hain he h ho hoga hogi honge hoti hota hote hua hui hue tha thi rahega rahegi rahenge karke karne kar kiya
    jawab jawaab uttar hal aur extra chahiye chahie lagega lagegi lagenge lagta lagti lagte laga lagi lage aayega
    aayegi aayenge aaya aayi aaye aata aati aate aa raha rahi rahe gaya gayi gaye nikla nikli nikle niklega nikalta
    nikalti nikalte milega milegi milenge mila mili mile milta milte banega banegi banta banti bana bani bachega
    bachegi bachenge bachta bachte bacha bachi leta leti lete lega legi lenge hisaab hisab anusaar mutabik
    bas sirf keval mahaj theek thik sahi poora poori poore pura pure kul milakar milaakar yaani yani matlab toh to ji
    haan han ha hi ka ki ke ko mein me main par pe ne yeh ye yah woh wo vo iska iski iske isko uska uski uske usko
    ismein isme usmein mera meri mere mujhe apna apni humara hamara hamare jo phir fir isliye barabar bhai yaar abhi
    barbaad bekaar khaali jagah hona jayengi jaayengi complete jayega jayegi jaayega jaayegi jaega jaegi jayenge jaenge
    aaengi aayengi fit
    hongi hungi paayengi payengi payenge paayenge sakti sakte sakta saki batch
    rehta rehti rehte rahta rahti rahte rehenge banenge banengi bante banti ban bachi baaki baki bacega karo karna kare
    karen karta karte kiye diya dena lo lena le waste hui han sath saath reh rah bach ban exact
    left leftover remaining remains remain free empty spare
    """
)
"""Words that change nothing: dropped wherever they stand."""

HEDGES = _keys(
    """
    about approx aprox apprx approximately ish approximate around nearly almost roughly circa maybe perhaps
    probably possibly say
    guess think believe suppose likely ca
    lagbhag lagbag kareeb karib kareeban takreeban taqreeban takriban andazan andaazan close shayad kareebi aaspaas aas
    paas aasapaas qareeb
    """
)
"""Words that say "not to the last digit"; dropped too."""

NEGATIONS = _keys(
    """
    not no never none neither nor cannot without except besides instead rather unlike wrong incorrect false isn't isnt
    aren't arent wasn't wasnt won't wont can't cant doesn't doesnt don't dont didn't didnt wouldn't wouldnt shouldn't
    shouldnt ain't aint haven't hasn't couldn't couldnt untrue but
    nahi nahin nahee nai nhi nahe nahii na naa mat bina galat ghalat alawa alava siwa siwaay sivay bajay bajaay
    chhodkar chodkar jhooth
    """
)
ALTERNATIVES = _keys("or ya yaa athva athwa either and both dono respectively versus vs")
BOUNDS = _keys(
    """
    less more-than fewer greater smaller bigger larger higher lower under over above below beyond exceed exceeds
    exceeding exceeded least most max maximum minimum min than kam kamse zyada zyaada jyada jyaada adhik zada upar
    neeche upto within limit limited atmost atleast onwards plus
    up tak bada badi bade chhota chhoti chhote chota choti chote adhiktam nyuntam kamazkam
    """
)
ANSWERS = _keys("answer answers ans result solution output jawab jawaab uttar hal")
"""Words that a dash may part from the value: "answer - 37"; behind any other it could be a minus sign."""
FACTORS = _keys("x times fold guna gunaa gune guni")
"""Words behind a factor: "4x smaller" compares, it gives no bound."""

COMPARED = {
    word: way
    for way, listed in (
        ("larger", """zyada zyaada jyada jyaada adhik more bada badi bade larger bigger greater higher wider wide large
            big great high chauda chaude chaudi chaura chaure chauri lamba lambi lambe longer mota moti mote thicker
            coarser coarse"""),
        ("smaller", """kam less lesser smaller small fewer lower low little chhota chhoti chhote chota choti chote
            lighter light halka halki halke narrower narrow thinner thin finer patla patli patle shorter short"""),
        ("faster", "faster fast quicker quick speedier speedup tez teji tezi tezz jaldi"),
        ("slower", "slower slow dheema dheemi dheeme dheere longer-lasting"),
    )
    for word in _keys(listed)
}  # fmt: skip
"""A word that compares -> the way in which it does. Behind a factor it may repeat what the question asks."""

MOST = _keys("max maximum maximal adhiktam")
MOST_PHRASES = frozenset(
    tuple(key(word) for word in phrase.split())
    for phrase in ("zyada se zyada", "jyada se jyada", "adhik se adhik", "zyada se jyada")
)
"""How the greatest value is called; where that is what the question asks for, it says nothing new."""
AT_MOST = frozenset(tuple(key(word) for word in phrase.split()) for phrase in ("at most", "worst case", "at worst"))
MEAN = _keys("average avg mean ausat ausatan")
MEAN_PHRASES = frozenset(tuple(key(word) for word in phrase.split()) for phrase in ("on average", "on an average"))

WIDE = _keys("wide chauda chaudi chaude chaura width chaudai chaudaai")

JOINING = _keys("times into guna gune x by plus minus jama upon multiplied divided")
"""Words between two operands; beside one of them a symbol is an operand."""

SHARED = _keys("saath sath")
"""Number words that more often mean something else ("with"): read as numbers only where no number stands before."""
NAMING_BOUNDS = _keys("max maximum min minimum limit adhiktam")
"""Those that also name what is asked for, before an equals sign: "max = 37"."""

RANGES = _keys("to till until through thru between se beech bich")
QUESTIONS = _keys(
    """
    what why how which who when where whether kya kyun kyon kaise kaisa kaisi kitna kitne kitni kaun kaunsa kaunsi
    konsa kab kahan
    """
)
ASKING = _keys("is are was can could should does do did would will shall")
"""Words that ask when they open a text that ends in a question mark."""

SAYING = _keys("yaani yani matlab so thus hence therefore ie means isliye toh gives is aka that")
"""Words between two values that must be one value in two spellings: a working and its result."""

NOT_FINITE = _keys("nan inf infinity infinite anant")
CODE = frozenset(
    """
    lambda import exec eval open print if else def class return while true false none os sys self range system
    __import__
    """.split()
)
"""Words of program text; the reader says so instead of calling them unknown units. Compared in lower case."""

IDLE = frozenset(
    tuple(key(word) for word in phrase.split())
    for phrase in (
        "at a time|at once|at the same time|ek saath|ek sath|ek baar mein|lag bhag|in all|in total|all together"
        "|of course|no of|nos of|number of|kar do|kar de|kar dena|kar dijiye|likh do|de do|ke saath|ke sath"
    ).split("|")
)
"""Phrases that change nothing, though their words alone might."""

# --- operators in words -----------------------------------------------------------------------------------------------


def _phrases(text: str, sign: str) -> dict[tuple[str, ...], str]:
    return {tuple(key(word) for word in phrase.split()): sign for phrase in text.split("|")}


OPERATORS: dict[tuple[str, ...], str] = {
    **_phrases(
        "to the power of|to the power|to power|to the|raised to the power of|raised to the power|raised to power"
        "|raised to the|raised to|power of|power|pow|ki power|ka power|ke power|ki ghaat|ki ghat|ghaat|ghat|exponent",
        "^",
    ),
    **_phrases("multiplied by|multiply by|times|into|guna|gune|guni|se guna|multiplied with|multiply", "*"),
    **_phrases("divided by|divide by|by|upon|over|bata|batta|bate|out of", "/"),
    **_phrases("plus|jama|jod|dhan", "+"),
    **_phrases("minus|ghata|ghatao|ghataya|ghatake|ghatakar|ghata ke|ghata kar|subtract|rin", "-"),
}
"""Words between two operands, and the sign that they are; longer phrases win."""

AFTER: dict[tuple[str, ...], str] = {
    **_phrases("squared|square|ka square|ka varg", "2"),
    **_phrases("cubed|cube|ka cube|ka ghan", "3"),
}
"""Words behind an operand that raise it to a power."""

BEFORE: dict[tuple[str, ...], str] = {
    **_phrases("minus|negative|rin", "-"),
    **_phrases("plus|positive", "+"),
    **_phrases("square root of|square root|root of|under root|underroot|sqrt of", "sqrt"),
    **_phrases("floor of|the floor of", "floor"),
    **_phrases("ceil of|ceiling of|the ceiling of", "ceil"),
    **_phrases("round of", "round"),
}
"""Words before an operand."""

DIVIDING = _keys("divide divided bhag bhaag baanto bhaga baant")
MULTIPLYING = _keys("multiply multiplied guna gunaa gune")
SUBTRACTING = _keys("ghatao ghata ghataya ghataye ghate minus subtract subtracted nikalo nikala hatao hata hataya kam")
ADDING = _keys("jodo jod joda jama add added plus")
"""Verbs that stand behind both operands, as in "40 ko 1.07 se divide karo"."""

# --- numbers in words -------------------------------------------------------------------------------------------------

_HUNDRED = """
zero|shunya|sifar|shoonya
one|ek
two|do
three|teen
four|char|chaar
five|paanch|panch
six|chhe|che|chhah|chah|chhai
seven|saat|sat
eight|aath|ath
nine|nau|nou
ten|das|dus
eleven|gyarah|gyaarah|gyara
twelve|barah|baarah
thirteen|terah
fourteen|chaudah|choudah
fifteen|pandrah|pandra|pandhrah
sixteen|solah|sola
seventeen|satrah|satra|sattrah|satarah
eighteen|atharah|athara|attharah|atthara
nineteen|unnis|unees|unnees
twenty|bees|bis
twenty-one|ikkis|ikkees
twenty-two|baais|bais|bayees
twenty-three|teis|teyees
twenty-four|chaubis|chaubees
twenty-five|pachis|pachchis|pachees|pachchees
twenty-six|chhabbis|chabbis|chhabbees
twenty-seven|sattais|sataais|sattaees
twenty-eight|atthais|athais|atthaees|athaees
twenty-nine|untis|unatis|untees|unattis
thirty|tees|tis
thirty-one|ikattis|iktis|ikatees|iktees
thirty-two|battis|battees
thirty-three|taintis|tetis|tainteesh|taintees
thirty-four|chauntis|chautis|chauntees
thirty-five|paintis|paintees
thirty-six|chhattis|chattis|chhattees
thirty-seven|saintis|saintees|saitis|sentees|sentis
thirty-eight|adtis|artis|adtees|artees|adhtis|athtees
thirty-nine|untalis|untaalis|unchalis|untaalees
forty|chalis|chaalis|chalees|chaalees
forty-one|iktalis|iktaalis|iktaalees
forty-two|bayalis|bayaalis|bayaalees|bealis
forty-three|taintalis|tetalis|taintaalis
forty-four|chavalis|chauvalis|chawalis|chavaalis
forty-five|paintalis|paintaalis|paintaalees
forty-six|chhiyalis|chiyalis|chhiyaalis
forty-seven|saintalis|saintaalis|saintaalees
forty-eight|adtalis|adtaalis|artalis|adtaalees
forty-nine|unchas|unanchas|unchaas
fifty|pachas|pachaas
fifty-one|ikyavan|ikyaavan|ikyawan
fifty-two|bavan|baavan|bawan
fifty-three|tirpan|tirepan|trepan
fifty-four|chauvan|chauwan|chavvan
fifty-five|pachpan
fifty-six|chhappan|chappan
fifty-seven|sattavan|satavan|sattaavan
fifty-eight|atthavan|athavan|athaavan
fifty-nine|unsath|unasath
sixty|saath
sixty-one|iksath
sixty-two|basath|baasath
sixty-three|tirsath|tiresath
sixty-four|chaunsath|chausath
sixty-five|painsath
sixty-six|chhiyasath|chiyasath
sixty-seven|sadsath|sarsath
sixty-eight|adsath|arsath
sixty-nine|unhattar|unahattar
seventy|sattar
seventy-one|ikhattar|ikahattar
seventy-two|bahattar
seventy-three|tihattar
seventy-four|chauhattar
seventy-five|pachhattar|pachattar|pichattar
seventy-six|chhihattar|chihattar
seventy-seven|satattar|sathattar
seventy-eight|athattar|athhattar
seventy-nine|unasi|unyasi|unaasi
eighty|assi
eighty-one|ikyasi|ikyaasi
eighty-two|bayasi|bayaasi
eighty-three|tirasi|tiraasi
eighty-four|chaurasi|chauraasi
eighty-five|pachasi|pachaasi
eighty-six|chhiyasi|chiyasi
eighty-seven|sattasi|sataasi
eighty-eight|atthasi|athaasi
eighty-nine|navasi|nauasi|navaasi
ninety|nabbe|nabbay
ninety-one|ikyanve|ikyaanve|ikyanave
ninety-two|banve|baanve|banave
ninety-three|tiranve|tiraanve
ninety-four|chauranve|chauraanve|churanve|churaanve|chauranave
ninety-five|pachanve|pachaanve|pichyanve
ninety-six|chhiyanve|chiyanve
ninety-seven|sattanve|sataanve
ninety-eight|atthanve|athaanve|anthanve
ninety-nine|ninyanve|ninyaanve|ninanve
"""

SMALL = {word: n for n, line in enumerate(key(_HUNDRED).split("\n")[1:-1]) for word in line.split("|")}
"""Numbers below a hundred, in both languages."""

MULTIPLIERS: dict[str, int] = {
    key(word): 10**power
    for power, names in (
        (2, "hundred hundreds sau"), (3, "thousand thousands hazaar hazar hajar hajaar"),
        (5, "lakh lac laakh lakhs lacs"), (6, "million millions mn mln"),
        (7, "crore crores cr karod karor"), (9, "billion billions bn bln arab arb"), (11, "kharab kharb"),
        (12, "trillion trillions tn"),
    )
    for word in names.split()
}  # fmt: skip
"""Words that multiply the number before them."""

LETTERS = {"k": 10**3, "M": 10**6, "B": 10**9, "K": 10**3, "m": 10**6, "b": 10**9, "T": 10**12, "G": 10**9}
"""Letters that do so where a unit follows: "2k tokens", "13B parameters"."""

FRACTIONS = {
    key(word): Fraction(1, below)
    for below, names in (
        (2, "half halves aadha aadhi aadhe"), (3, "third thirds tihai"),
        (4, "quarter quarters fourth fourths chauthai chauthaai paav pav"), (5, "fifth fifths"), (6, "sixth sixths"),
        (8, "eighth eighths"), (10, "tenth tenths"), (16, "sixteenth sixteenths"), (100, "hundredth hundredths"),
    )
    for word in names.split()
}  # fmt: skip
"""Words that are a fraction of one, or of the number that they follow: half, three quarters, do tihai."""

MORE_THAN_ONE = {
    key(word): (Fraction(add), alone)
    for word, add, alone in (
        ("sava", "1/4", True), ("sawa", "1/4", True), ("savaa", "1/4", True), ("saadhe", "1/2", False),
        ("sadhe", "1/2", False), ("saarhe", "1/2", False), ("saade", "1/2", False), ("paune", "-1/4", True),
        ("pauna", "-1/4", True), ("pone", "-1/4", True),
    )
}  # fmt: skip
"""Words that shift the number behind them by a part of one; ``sava`` and ``paune`` also stand alone for 1 1/4, 3/4."""

SPOKEN = {
    key(word): Fraction(value)
    for value, names in (
        ("3/2", "dedh derh"), ("5/2", "dhai dhaai adhai adhaai"), ("2", "double dugna duguna dugni twice dogna doguna"),
        ("3", "tigna tiguna triple thrice tigni"), ("4", "chauguna chaugna quadruple chaugunaa"),
        ("5", "paanchguna"), ("2", "twofold"), ("3", "threefold"), ("4", "fourfold"), ("17", "seventeenfold"),
    )
    for word in names.split()
}  # fmt: skip
"""Words that are numbers by themselves."""

POINT = _keys("point dashamlav dasamlav dashamlab decimal")
