"""Words in Devanagari as they are written in Latin script: numbers, units, and the commonest others.

Looked up only for words that are not ASCII, so that most answers never load this.
"""

from __future__ import annotations

import unicodedata

_NUMBERS = """
शून्य एक दो तीन चार पांच छह सात आठ नौ
दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस
तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास
पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर
सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी
अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी
नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे
"""
"""Zero to ninety-nine, in order."""

_FURTHER_NUMBERS = {
    "पाँच": 5, "छः": 6, "छे": 6, "पन्द्रह": 15, "सतरह": 17, "अट्ठारह": 18, "बाइस": 22, "तेइस": 23, "चौबिस": 24,
    "पचीस": 25, "सत्ताइस": 27, "अठाईस": 28, "अठ्ठाईस": 28, "उन्तीस": 29, "इकत्तीस": 31, "सैंतिस": 37, "अड़तिस": 38,
    "चवालीस": 44, "अठावन": 58, "उन्नासी": 79, "अठासी": 88, "चौरानबे": 94, "निन्यानबे": 99,
}  # fmt: skip

_WORDS = {
    "hai": "है", "hain": "हैं", "hoga": "होगा", "hogi": "होगी", "honge": "होंगे", "hota": "होता", "hoti": "होती",
    "hote": "होते", "ho": "हो", "jata": "जाता", "jati": "जाती", "jate": "जाते", "jayega": "जाएगा जायेगा",
    "aata": "आता", "aati": "आती", "aayega": "आएगा आयेगा", "chalega": "चलेगा", "chalegi": "चलेगी",
    "lagbhag": "लगभग", "kareeb": "करीब क़रीब", "jawab": "जवाब", "uttar": "उत्तर", "kul": "कुल",
    "nahi": "नहीं नही", "na": "ना न", "mat": "मत", "galat": "गलत ग़लत", "sahi": "सही", "haan": "हाँ हां हा",
    "ji": "जी", "theek": "ठीक", "bilkul": "बिलकुल बिल्कुल", "fit": "फिट", "safe": "सेफ सुरक्षित",
    "ya": "या", "aur": "और", "se": "से", "tak": "तक", "kam": "कम", "zyada": "ज़्यादा ज्यादा", "adhik": "अधिक",
    "upar": "ऊपर", "neeche": "नीचे", "kya": "क्या", "kyun": "क्यों क्यूं", "kaise": "कैसे", "karu": "करूं करूँ",
    "pata": "पता", "mujhe": "मुझे", "mujhko": "मुझको", "samajh": "समझ", "aaya": "आया", "madad": "मदद",
    "hint": "हिंट", "guna": "गुना", "percent": "प्रतिशत परसेंट फीसदी फ़ीसदी", "sau": "सौ", "hazaar": "हज़ार हजार",
    "lakh": "लाख", "crore": "करोड़", "arab": "अरब", "kharab": "खरब", "aadha": "आधा", "aadhi": "आधी",
    "chauthai": "चौथाई", "tihai": "तिहाई", "dedh": "डेढ़", "dhai": "ढाई", "saadhe": "साढ़े", "sava": "सवा",
    "paune": "पौने", "dashamlav": "दशमलव", "point": "पॉइंट पाइंट", "dugna": "दुगना दोगुना", "tigna": "तिगुना",
    "chauguna": "चौगुना", "GB": "जीबी गीगाबाइट गीगाबाइट्स", "MB": "एमबी मेगाबाइट मेगाबाइट्स", "KB": "केबी किलोबाइट",
    "TB": "टीबी टेराबाइट", "GiB": "गिबीबाइट गिबिबाइट", "MiB": "मेबीबाइट मेबिबाइट", "bytes": "बाइट बाइट्स",
    "bits": "बिट बिट्स", "tokens": "टोकन टोकन्स", "requests": "रिक्वेस्ट रिक्वेस्ट्स", "slots": "स्लॉट स्लॉट्स",
    "blocks": "ब्लॉक ब्लॉक्स", "sessions": "सेशन सेशन्स", "second": "सेकंड सेकेंड", "har": "हर", "prati": "प्रति",
    "ka": "का", "ki": "की", "ke": "के", "ko": "को", "mein": "में", "sirf": "सिर्फ सिर्फ़", "bas": "बस", "yeh": "यह",
    "mera": "मेरा", "mere": "मेरे", "hisaab": "हिसाब", "average": "औसत", "divide": "डिवाइड", "chhota": "छोटा",
    "chhote": "छोटे", "bada": "बड़ा", "bade": "बड़े", "tez": "तेज़ तेज", "pehla": "पहला", "doosra": "दूसरा",
    "teesra": "तीसरा", "decode": "डिकोड डीकोड", "prefill": "प्रीफिल प्रिफिल", "memory": "मेमोरी मेमरी",
    "compute": "कंप्यूट कम्प्यूट", "bandwidth": "बैंडविड्थ", "weights": "वेट्स", "kv": "केवी", "cache": "कैश",
    "option": "ऑप्शन", "wala": "वाला",
}  # fmt: skip


def _composed(word: str) -> str:
    """A word in one order of its signs: the nukta is typed as part of the letter or behind it."""
    return unicodedata.normalize("NFC", word)


def _latin_numbers() -> dict[str, str]:
    from engine.reader.words import SMALL

    names = {value: word for word, value in SMALL.items()}
    table = {word: names[n] for n, word in enumerate(_NUMBERS.split())}
    return table | {word: names[n] for word, n in _FURTHER_NUMBERS.items()}


LATIN: dict[str, str] = {
    _composed(word): latin
    for latin, written in [*((latin, word) for word, latin in _latin_numbers().items()), *_WORDS.items()]
    for word in written.split()
}
"""A word in Devanagari -> the same in Latin script."""


def latin(word: str) -> str:
    """A word in Latin script; itself where it is not known."""
    return LATIN.get(_composed(word), word)
