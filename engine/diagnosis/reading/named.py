"""The model that a text names: of the catalogue, a fine-tune of one, a file, or only a size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine import catalog, config
from engine.catalog import AmbiguousName, Model, UnknownName
from engine.catalog.names import normal
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.reading import checkpoint, formats, standin
from engine.precision import Format


class Named(NamedTuple):
    """What a text says of a model.

    Attributes:
        model: ``None`` where no one model can be made.
        form: of the weights, where the name has one ("-AWQ"), a file says so, or the catalogue does.
        form_by: "name", "config" (of a file) or "catalogue"; "" without a format.
        near: the entry that stands for it, "" where it is named itself: one alike in its shape, or the base of a
            fine-tune. To be listed as assumed.
        stand_in: whether only the size is known.
        params: of a stand-in.
        bytes: of a checkpoint's tensors.
        drafting: whether a second model is named as its draft.
        unread: why there is no model: "unknown-model", "ambiguous-model", "two-models",
            "no-file"; "" where there is one.
        options: names of the entries that an ambiguous one fits.
        trouble: why the bytes of a checkpoint's files are not used, as there; "" where they are.
    """

    model: Model | None = None
    form: Format | None = None
    form_by: str = ""
    near: str = ""
    stand_in: bool = False
    params: int | None = None
    bytes: int | None = None
    drafting: bool = False
    unread: str = ""
    options: tuple[str, ...] = ()
    trouble: str = ""


_SIZE = re.compile(r"(?<![a-z\d.])(\d{1,5}(?:[._]\d{1,3})?)\s?(b|m)(?![a-z\d])")
_ACTIVE = re.compile(r"(?<![a-z\d])a(\d{1,4}(?:\.\d{1,3})?)b(?![a-z\d])")
_TWO_SIZES = re.compile(r"\db?\s?/\s?\d{1,4}(?:\.\d{1,3})?b(?![a-z\d])")
_DRAFT = re.compile(r"\b(?:draft|drafter|assistant|speculator)\b")
_NOTE = re.compile(r"\([^()]*\)")
_SPLIT = re.compile(r"\s\+\s|\swith\s|\svs\.?\s|,\s|\sand\s")
_FILE = re.compile(r"\.(?:gguf|safetensors|bin|pth?)$", re.IGNORECASE)
_JOINED = re.compile(r"\.(?=q\d)|[.-]quantized\.?", re.IGNORECASE)  # "foo.Q4_K_M", "foo-quantized.w4a16"
_METHODS = frozenset(("awq", "gptq", "gguf", "bnb"))
_TAIL = 4  # words of a name's end that may be its format: "bnb-4bit", "fp8-dynamic", "w4a16-g128", "q4-k-m"


def read(text: str) -> Named:
    """The model of a name, of a config.json, or of a folder.

    Raises ``NoValues`` and ``ScenarioProblem`` as :func:`engine.diagnosis.reading.checkpoint.read`.
    """
    found = None if checkpoint.is_path(text) else _named(text)
    if found is None or (found.unread == "unknown-model" and checkpoint.is_there(text)):
        read = checkpoint.read(text)
        return Named(read.model, read.weights, "config", bytes=read.bytes, trouble=read.trouble)
    return found


def of_name(text: str) -> Named:
    """The model that a name says by itself, as a log or a note has it: no file of that name is opened."""
    return Named() if checkpoint.is_path(text) else _named(text)


def is_known(text: str, *, ambiguous: bool = False) -> bool:
    """Whether a text is a model's name and nothing else: of an entry of the catalogue, its format perhaps behind it.

    Args:
        text: what may be one.
        ambiguous: whether a name that several entries share is one too.
    """
    if " " in text and "/" in text:
        return False  # of a path only one word may have the sign
    found = _entry(text)
    if found is None:
        form, head = _format(text)
        is_tail = text.startswith(head) and " " not in text[len(head) :].strip()
        found = _entry(head) if form is not None and is_tail else None
    return found is not None and (found.model is not None or (ambiguous and found.unread == "ambiguous-model"))


_NUMBERS = re.compile(r"\d+")
_CLOSE = 0.84
"""Of two names' letters: what a slip of the finger leaves alike."""


def near(text: str) -> tuple[str, ...]:
    """Entries of the catalogue that a mistyped name most likely means: close to it, with the same numbers in it."""
    from difflib import get_close_matches  # only a name that no entry has needs it

    asked = normal(_FILE.sub("", text)[:120]).rpartition("/")[2]
    numbers = _NUMBERS.findall(asked)
    names = {
        normal(name).rpartition("/")[2]: model.id
        for model in catalog.models() for name in (*model.aliases, model.id.rpartition("/")[2])
    }  # fmt: skip
    alike = {name: id for name, id in names.items() if numbers and _NUMBERS.findall(name) == numbers}
    return tuple(dict.fromkeys(alike[name] for name in get_close_matches(asked, alike, n=4, cutoff=_CLOSE)))[:2]


@lru_cache(maxsize=256)
def _named(text: str) -> Named:
    found = _whole(text)
    if found.model is None or found.form_by == "name":
        return found
    notes = [note.strip("()") for note in _NOTE.findall(text)]
    written = [form for form in map(_format_of, notes) if form is not None]  # "Foo-70B (AWQ)"
    if not written and not _SPLIT.search(text):  # of two models the format may be the other's
        written = [form for form in (_format(text)[0],) if form is not None]
    return found._replace(form=written[0], form_by="name") if written else found


def _whole(text: str) -> Named:
    """The model of a text that may name a draft, several models, or say more in brackets."""
    entry = _entry(text)
    if entry is not None:
        return entry
    if text.lower().endswith(".json"):
        return Named(unread="no-file")
    plain = _NOTE.sub(" ", text).strip()
    parts = [part.strip() for part in _SPLIT.split(plain) if part.strip()]
    drafts = [part for part in parts if _DRAFT.search(part.lower())]
    mains = [part for part in parts if part not in drafts]
    if len(mains) == 1:
        found = _one(mains[0])
        if found.unread == "unknown-model" and plain != text:
            found = _base(text) or found
        return found._replace(drafting=bool(drafts))
    named = [one for one in map(_one, mains) if one.model is not None]
    if len(mains) > 1 and len({one.model for one in named}) > 1:
        return Named(unread="two-models")
    if len(named) == 1 and not _TWO_SIZES.search(plain.lower()):
        return named[0]._replace(drafting=bool(drafts))
    if _TWO_SIZES.search(plain.lower()):
        return Named(unread="two-models")
    return _base(text) or Named(unread="unknown-model")


def _one(name: str) -> Named:
    """One model: as it stands, without a format at its end, as a fine-tune, or by its size."""
    found = _entry(name)
    if found is not None and not found.unread:
        return found
    if _TWO_SIZES.search(name.lower()):
        return Named(unread="two-models")
    form, head = _format(name)
    if form is not None:
        found = _entry(head) or found
        if found is not None and not found.unread:
            return found._replace(form=form, form_by="name")
    found = found or _entry(head) or _base(head) or _sized(head) or Named(unread="unknown-model")
    return found if form is None or found.model is None else found._replace(form=form, form_by="name")


def _entry(name: str) -> Named | None:
    """The catalogue's; ``None`` where it has none. Of several that one name fits, the first where all are alike."""
    try:
        model = catalog.model(name)
        return _of(model, name)
    except AmbiguousName as error:
        options = [catalog.model(one) for one in error.options]
    except UnknownName:
        return None
    if len({_shape(one) for one in options}) > 1:
        return Named(unread="ambiguous-model", options=tuple(one.id for one in options))
    return _of(options[-1], name)._replace(near=options[-1].id)


def _of(model: Model, name: str) -> Named:
    try:
        form = formats.read(model.dtype.replace("-", "_") if model.dtype.startswith("q") else model.dtype).form
    except formats.NotAFormat:
        return Named(model)
    return Named(model, form, "catalogue" if _published(model) else "name")


def _published(model: Model) -> bool:
    """Whether the format is that of the catalogue's entry, rather than one that the asked name ended in."""
    return catalog.model(model.id).dtype == model.dtype


def _shape(model: Model) -> tuple[object, ...]:
    """What decides memory and speed; the vocabulary apart, which moves both by a few percent."""
    return (
        model.layers, model.d_model, model.heads, model.kv_heads, model.head_dim, model.ffn, model.window,
        model.sliding_layers, model.moe, model.mla, model.hybrid,
    )  # fmt: skip


def alike(one: Model, other: Model) -> bool:
    """Whether two models are one in all that decides memory and speed: two names of one, or a name and a file."""
    return one.vocab == other.vocab and _shape(one) == _shape(other)


def _format(name: str) -> tuple[Format | None, str]:
    """The format that a name has at its end or as one word inside, and the name without it."""
    words = re.split(r"([\s_\-:/]+)", _JOINED.sub("-", _FILE.sub("", name)))
    for count in range(min(_TAIL, len(words) // 2), 0, -1):
        head, tail = "".join(words[: -2 * count]), "".join(words[-2 * count + 1 :])
        form = _format_of(tail) if head else None
        if form is not None:
            return form, head
    for at in range(0, len(words) if len(words) < 40 else 0, 2):
        form = _format_of(words[at]) if at else None
        if form is not None:
            return form, "".join((*words[: at - 1], *words[at + 1 :]))
    return None, "".join(words)


def _format_of(text: str) -> Format | None:
    """The format of some words of a name; a bare number and a size are none."""
    lower = text.lower()
    if lower.isdigit() or _SIZE.search(lower) or _ACTIVE.search(lower):
        return None
    try:
        return formats.read(text).form if lower in _METHODS or any(c.isdigit() for c in text) else None
    except formats.NotAFormat:
        return None


@lru_cache(maxsize=1)
def _aliases() -> dict[str, tuple[Model, ...]]:
    """Every name of the catalogue that says a size -> its entries."""
    found: dict[str, tuple[Model, ...]] = {}
    for model in catalog.models():
        for name in (model.id.rpartition("/")[2], *model.aliases):
            key = normal(name)
            if _SIZE.search(key) or _ACTIVE.search(key):
                found[key] = (*found.get(key, ()), model)
    return found


def _base(text: str) -> Named | None:
    """The entry whose name stands, whole words of it, inside a longer one: the base of a fine-tune, a "class"."""
    words = [word for word in re.split(r"-", normal(re.sub(r"[(),;]", " ", text)[:120])) if word]
    table = _aliases()
    for length in range(min(len(words), 8), 1, -1):
        for at in range(len(words) - length + 1):
            models = table.get("-".join(words[at : at + length]))
            if models and len({_shape(one) for one in models}) == 1:
                return _of(models[-1], text)._replace(near=models[-1].id)
    return None


def _sized(name: str) -> Named | None:
    """A stand-in of the size that a name says: "Falcon-11B", "Foo-235B-A22B"."""
    lower = name.lower()
    sizes = {_count(*found.groups()) for found in _SIZE.finditer(lower)}
    active = _ACTIVE.search(lower)
    if len(sizes) > 1:
        return Named(unread="two-models")
    if not sizes or not standin.SMALLEST <= max(sizes) <= standin.LARGEST:
        return None
    return sized(sizes.pop(), name, _count(active[1], "b") if active else None)


def sized(params: int, name: str, active: int | None = None) -> Named:
    """A stand-in of a size."""
    used = active if active is not None and active < params else None
    return Named(standin.model(params, name, used), stand_in=True, params=params)


KEYS = {
    "layers": "num_hidden_layers", "d_model": "hidden_size", "n_head": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads", "d_head": "head_dim", "ffn": "intermediate_size", "vocab": "vocab_size",
    "context": "max_position_embeddings",
}  # fmt: skip
"""Our names of an architecture's numbers -> those of a config.json."""
NEEDED = ("layers", "d_model", "n_head", "ffn", "vocab")


def dense(name: str, told: Mapping[str, int]) -> Model:
    """The dense model that numbers describe: those of :data:`NEEDED`, and what else of :data:`KEYS` is told.

    Raises:
        NoValues: a number that no architecture has.
        ScenarioProblem: "heads-do-not-divide".
    """
    heads, kv_heads = told["n_head"], told.get("n_kv_heads", told["n_head"])
    if kv_heads > heads or heads % kv_heads:
        raise ScenarioProblem("heads-do-not-divide", "n_kv_heads", {"heads": heads, "kv_heads": kv_heads})
    shape = {"model_type": "llama", **{KEYS[key]: value for key, value in told.items()}}
    return config.read(shape, name)._replace(source="given", evidence="given", notes="")


def shape(model: Model) -> dict[str, int]:
    """The numbers of :data:`KEYS` of a plain dense model; none of another one, which they would not describe."""
    if model.moe is not None or model.not_plain is not None or model.attention not in ("GQA", "MHA", "MQA"):
        return {}
    return numbers(model)


def numbers(model: Model) -> dict[str, int]:
    """The numbers of :data:`KEYS` of a model."""
    return {
        "layers": model.layers, "d_model": model.d_model, "n_head": model.heads, "n_kv_heads": model.kv_heads,
        "d_head": model.head_dim, "ffn": model.ffn, "vocab": model.vocab, "context": model.context,
    }  # fmt: skip


def active_of(name: str) -> int | None:
    """The active parameters that a name says: 22 billion of "235B-A22B"."""
    found = _ACTIVE.search(name.lower())
    return _count(found[1], "b") if found else None


def _count(number: str, scale: str) -> int:
    whole, _, places = number.replace("_", ".").partition(".")
    million: int = 1000 if scale == "b" else 1
    return int(whole + places) * million * 10**6 // int(10 ** len(places))
