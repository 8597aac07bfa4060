"""A lever as one would type it here: the engine's flags with the values that were worked out for the case.

The bare form is :mod:`engine.diagnosis.settings.spelling`'s. Only what this case would change is named: a flag is
removed only where it is set, experts are spread only where a model has some, a kernel is named only for the format
that it reads.
What no flag stands for (a prompt is shortened in the client) is "". ``<an AWQ checkpoint>`` stands for a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from engine import support
from engine.diagnosis.acting import acts
from engine.diagnosis.model import Engine, Scenario
from engine.diagnosis.settings import engines, flag_meanings, spelling
from engine.diagnosis.settings.flag_names import find
from engine.vllm import GIB

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

_PLACES: Mapping[str, str] = {
    "(AWQ, GPTQ)": "<an AWQ checkpoint>", "(AWQ)": "<an AWQ checkpoint>", "(W8A8)": "<a W8A8 checkpoint>",
    "(FP8)": "<an FP8 checkpoint>", "(Q4_K_M)": "<a Q4_K_M file>", "(F16)": "<an F16 file>",
}  # fmt: skip
"""What stands for a value that only its user can name."""
_WHOLE = ("tp", "pp", "dp", "max_model_len", "context_total", "max_num_seqs", "slots", "max_num_batched_tokens")
_SHARES = ("utilization", "watermark")
_BUDGETS = ("b", "max_prefill_tokens", "chunked_prefill_size")
"""Names beside the one of the token budget that take the same number."""
_AXES = (("tp", "tensor-parallel"), ("pp", "pipeline-parallel"), ("dp", "data-parallel"))


def engine_of(case: Case) -> Engine:
    """The engine whose flags are told: the case's, else the one that the format of the weights and the card speak for,
    else vLLM."""
    said = case.scenario.engine
    if said is not None and said != "other":
        return said
    from engine.diagnosis.acting.preconditions_formats import gguf
    from engine.diagnosis.causes.situation import apple

    return "llama.cpp" if gguf(case) or apple(case) else "vllm"


def flag(lever: str, case: Case, after: Scenario | None) -> str:
    """What to type for a lever; "" where there is nothing to type.

    Args:
        lever: its id.
        case: before it.
        after: the scenario with it; ``None`` where nothing was worked out: then the names stand without values.
    """
    return _of_engine(case, _bare(lever, case, after))


def both(*levers: tuple[str, Case, Scenario]) -> str:
    """What to type for levers that are used together: each with the case that it starts from and the scenario after."""
    return _of_engine(levers[0][1], _joined(*(_bare(*one) for one in levers)))


def paste(flag: str) -> str:
    """What of a flag is pasted behind a command: without the engine's name and what is to be removed."""
    text = flag.partition(", remove ")[0]
    for title in engines.TITLES.values():
        text = text.removeprefix(f"{title} ")
    return "" if text.startswith("remove ") else text


_COUNTED = frozenset((*_WHOLE, *_SHARES, "cpu_offload", "kv_pool_tokens", "kv_pool", "gpu_layers", "draft_tokens"))
"""Fields of flags that take a number."""
_COUNTS = frozenset(("--api-server-count", "--stream-interval", "--fit-target", "--n-cpu-moe", "-ub", "-b",
                     "--schedule-conservativeness", "--chunked-prefill-size", "--max-prefill-tokens"))  # fmt: skip
"""Flags that take a number and stand for no field."""
NUMBER = "<a number>"


def with_places(flag: str, engine: Engine) -> str:
    """A flag with a place for each number that nothing here gives: a name alone cannot be typed."""
    words, out = flag.split(), []
    removing = False
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else "-"
        out.append(word)
        removing = removing or word == "remove"
        if removing or word.endswith(",") or not following.startswith(("-", "remove")):
            continue
        row = find(word, engine)[0] if word.startswith("-") else None
        if word in _COUNTS or (row is not None and row.field in _COUNTED):
            out.append(NUMBER)
    return " ".join(out)


def _bare(lever: str, case: Case, after: Scenario | None) -> str:
    engine, s = engine_of(case), case.scenario
    text = spelling.flag(lever, s if s.engine == engine else s.having(engine=engine, version=None))
    text = _OWN[lever](case, after, text, engine) if lever in _OWN else _plain(lever, case, after, text, engine)
    if text and after is not None and lever in _MOVING:
        text = _joined(text, _weights_back(s, after, engine))
    return text


def _of_engine(case: Case, text: str) -> str:
    """With the name of the engine in front where nobody said which it is."""
    engine = engine_of(case)
    own = case.scenario.engine == engine or text.startswith("PYTORCH_")  # of the library, whichever engine runs on it
    return text if own or not text else f"{engines.TITLES[engine]} {text}"


def _joined(*parts: str) -> str:
    """Flags of one lever as one types them, with a space between; what is to be removed stands apart, behind them."""
    given = [one for one in parts if one]
    typed = " ".join(one for one in given if not one.startswith("remove "))
    return ", ".join((*([typed] if typed else []), *(one for one in given if one.startswith("remove "))))


def window(case: Case, tokens: int) -> str:
    """How a window of so many tokens is set."""
    engine = engine_of(case)
    name = spelling.flag("lower-max-model-len", case.scenario.having(engine=engine))
    return f"{name} {tokens}" if name else ""


# --- values ----------------------------------------------------------------------------------------------------------


def _plain(lever: str, case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Names with their values; what is to be removed only where it is set."""
    for place, name in _PLACES.items():
        text = text.replace(place, name)
    if not text.startswith("drop "):
        return _filled(text, after, engine)
    gone, _, rest = text.removeprefix("drop ").partition(", ")
    if lever == "fix-topology":
        gone, rest = f"{gone} {rest}".strip(), ""
    removed = [name for name in gone.split() if _is_set(lever, name, case.scenario, engine)]
    if lever == "fix-topology" and after is not None:  # of its flags those that stand in the way here
        removed = [name for name in removed if not _is_set(lever, name, after, engine)]
    parts = [f"remove {' '.join(removed)}"] if removed else []
    if rest and after is not None and after.graph_max_batch != case.scenario.graph_max_batch and not _covers(case):
        parts.append(_filled(rest, after, engine))
    return _joined(*parts)


def _covers(case: Case) -> bool:
    """Whether graphs reach the batch, once they are on."""
    covered = case.defaults.graph_max_batch.value
    return covered is None or covered >= case.batch


_SET = {"merge-lora": "lora", "drop-speculation": "speculation", "drop-cpu-offload": "cpu_offload"}


def _is_set(lever: str, name: str, s: Scenario, engine: Engine) -> bool:
    row, turned = find(name, engine)
    field = _SET.get(lever) or (row.field if row is not None else "")
    value = getattr(s, field, None) if field else None
    return value is False if field == "prefix_caching" and turned else bool(value)


def _filled(text: str, after: Scenario | None, engine: Engine) -> str:
    words, out = text.split(), []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else "-"
        value = "" if after is None or not _names(following, engine) else _value(word, after, engine)
        out.append(f"{word}={value}" if value and word.isupper() else f"{word} {value}" if value else word)
    return " ".join(out)


def _names(word: str, engine: Engine) -> bool:
    """Whether a word is a name, not the value of the one before it."""
    return word.startswith("-") or find(word, engine)[0] is not None


def _value(name: str, after: Scenario, engine: Engine) -> str:
    """The value of a flag in a scenario; "" where none is known."""
    row, _ = find(name, engine)
    bare = name.lstrip("-").replace("-", "_")
    field = row.field if row is not None else ""
    number: object = None
    if field in _SHARES:
        share = getattr(after, field)
        return "" if share is None else f"{float(share):.4g}"
    if field in _WHOLE:
        number = getattr(after, field)
        if field == "context_total" and number is None and after.max_model_len:
            number = after.max_model_len * (after.slots or 1)
    elif field == "cpu_offload" and after.cpu_offload:
        number = -(-after.cpu_offload // GIB)
    elif field == "kv_pool_tokens":
        number = acts.again(after).pool_tokens
    elif row is not None and row.read is flag_meanings.graphs:
        number = after.graph_max_batch
    elif row is not None and row.read is flag_meanings.drafts:
        number = after.draft_tokens
    elif bare in _BUDGETS:
        number = after.max_num_batched_tokens
    return "" if number is None else str(number)


_MOVING = ("w4a16", "w8a8", "fp8", "tensor-parallel", "pipeline-parallel", "data-parallel")


def _weights_back(s: Scenario, after: Scenario, engine: Engine) -> str:
    """What to do with an offload that is no longer needed, or needs less."""
    if s.cpu_offload and after.cpu_offload != s.cpu_offload:
        name = spelling.flag("cpu-offload", s.having(engine=engine)) or "--cpu-offload-gb"
        return f"{name} {-(-after.cpu_offload // GIB)}" if after.cpu_offload else f"remove {name}"
    if s.gpu_layers is not None and after.gpu_layers is None:
        return spelling.flag("drop-cpu-offload", s.having(engine=engine))
    return ""


# --- levers with a manner of their own -------------------------------------------------------------------------------


def _spread(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Ranks, stages and replicas: those that change, and experts spread whole where there are some."""
    if after is None or engine not in ("vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy"):
        return text.partition(",")[0]
    s, now, parts = case.scenario, case.spread, []
    for field, lever in _AXES:
        name = spelling.flag(lever, s.having(engine=engine)).partition(" ")[0]
        new = getattr(after, field) or 1
        if field == "pp" and new > 1 and not name:
            return ""  # that release has no stages; replicas may also be servers of their own
        if new != getattr(now, field) and name.startswith("-"):
            parts.append(f"{name} {new}")
    model = s.model
    more = text.partition(" ")[2].split() if (after.dp or 1) > 1 and model is not None and model.moe else []
    return " ".join((*parts, *(one for one in more if "dp-attention" not in one or (model and model.mla))))


MARLIN: Mapping[str, str] = {name: f"{name}_marlin" for name in support.MARLIN_FORMATS}
"""The names of the fused kernels of 4-bit formats, in vLLM and SGLang."""


def _kernel(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """The fast kernel of a 4-bit format; none is named for weights that are not quantized."""
    if engine not in ("vllm", "sglang"):
        return text if " " in text or "=" in text else ""
    form = case.scenario.weights
    name = MARLIN.get(form.name if form is not None else "")
    return f"--quantization {name}" if name else ""


def _shortened(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """A limit for the answer, in the request; a prompt is shortened by who sends it."""
    if after is None or after.output is None or after.output == case.scenario.output or not text:
        return ""
    return f"{text} {after.output.high}" if text.startswith("-") else f"{text}={after.output.high}"


def _sixteen(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """The checkpoint in 16 bits, the cache in 16 bits, or both: what has fewer today."""
    form, parts = case.form, []
    name = spelling.flag("prequantized-checkpoint", case.scenario.having(engine=engine))
    if form is not None and form.linear_bits != 16 and name:
        parts.append(f"{name} <the 16-bit {'file' if engine == 'llama.cpp' else 'checkpoint'}>")
        if case.scenario.gpu is not None and not support.has_bf16(case.scenario.gpu):
            parts.append(spelling.flag("float16", case.scenario.having(engine=engine)))  # most are in bf16
    if acts.quantized_kv(case):
        parts.append(re.sub(r"--dtype \w+ ?|-m \(F16\) ?|--dtype bfloat16$", "", text))
    return " ".join(one for one in parts if one)


def _drafts(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    count = after.draft_tokens if after is not None and after.draft_tokens else 3
    if text == "--speculative-config":
        return f'{text} \'{{"method": "ngram", "num_speculative_tokens": {count}}}\''
    if text.startswith("--speculative-model"):
        return f"--speculative-model <a small model> --num-speculative-tokens {count}"
    if text.startswith("-md"):
        tail = text.rpartition(" ")[2]
        return f"-md <a small model> {tail} {count}"
    if text == "--speculative-algorithm":
        return f"{text} EAGLE --speculative-draft-model-path <an EAGLE draft model>"
    return f"{text} {count}" if text == "--speculate" else text


def _grammar(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    return f"{text} xgrammar" if text else ""


def _eight(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """FP8 as a checkpoint where the 16-bit weights are more than the card holds: vLLM and SGLang load them as they are
    before they quantize them (vLLM documentation, FP8: "enough memory to load the whole model")."""
    weights, card = case.weights_on_card, case.ledger.card.bytes if case.ledger else None
    name = spelling.flag("prequantized-checkpoint", case.scenario.having(engine=engine))
    if engine in ("vllm", "sglang") and name and weights is not None and card is not None and weights >= card:
        return f"{name} {_PLACES['(FP8)']}"
    return _plain("fp8", case, after, text, engine)


def _first(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """The first of several flags that do the same; of two that list captured sizes the one that takes a largest."""
    name = text.partition(" ")[0].replace("--cudagraph-capture-sizes", "--max-cudagraph-capture-size")
    return _filled(name, after, engine)


def _slots(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """The cap, and of slots that share cells the cells that are then left."""
    cells = after is not None and after.context_total != case.scenario.context_total
    more = spelling.flag("lower-max-model-len", case.scenario.having(engine=engine)) if cells else ""
    return _plain("cap-concurrency", case, after, f"{text} {more}".strip(), engine)


def _experts(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Of llama.cpp all layers' experts."""
    model = case.scenario.model
    if text == "--n-cpu-moe" and model is not None:
        return f"{text} {model.layers}"
    return f"{text} exps=CPU" if text == "-ot" else text


_OFF_FLAGS = frozenset(("no_enable_prefix_caching", "no_prefix_caching", "disable_radix_cache", "no_cache_prompt"))
"""Flags that switch the reuse of prompts' beginnings off."""


def _on_again(lever: str, case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """A flag of its own only where the engine would not do it anyway: else the one that turned it off goes."""
    field, s = lever.replace("-", "_"), case.scenario
    if engine == "vllm" and text.startswith("--enable-") and getattr(s, field) is False:
        bare = acts.again(s.having(**{field: None}, engine=engine)).defaults
        if getattr(bare, field).value:
            return f"remove --no-{text[2:]}"
    return _plain(lever, case, after, text, engine)


def _pieces(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Chunked prefill on, with the budget that makes pieces of a prompt."""
    typed = _on_again("chunked-prefill", case, after, text, engine)
    if after is None or engine != "vllm" or after.max_num_batched_tokens == case.scenario.max_num_batched_tokens:
        return typed
    return _joined(_filled(spelling.flag("lower-token-budget", after.having(engine=engine)), after, engine), typed)


def _budget(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """A smaller budget, which vLLM refuses beside a window that is longer, unless prompts may be cut."""
    typed = _plain("lower-token-budget", case, after, text, engine)
    if engine != "vllm" or case.scenario.chunked_prefill is not False or after is None:
        return typed
    chunks = spelling.flag("chunked-prefill", case.scenario.having(engine=engine))
    return _joined(typed, _on_again("chunked-prefill", case, after, chunks, engine))


def _prefixes(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Nothing to set where it is on: what is left is to see that it hits. Where a flag switched it off, that goes."""
    told = case.scenario.said.get("prefix_caching")
    if case.scenario.prefix_caching is False and told is not None and told.source in _OFF_FLAGS:
        return f"remove --{told.source.replace('_', '-')}"
    return "" if after is None else _on_again("prefix-caching", case, after, text, engine)


def _layers(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    """Of llama.cpp the layers that the card still holds."""
    s, whole = case.scenario, case.weights_on_card
    if text != "-ngl" or after is None or not after.cpu_offload or s.model is None or not whole:
        return _filled(text, after, engine)
    return f"-ngl {max(0, int(s.model.layers * (1 - after.cpu_offload / whole)))}"


def _checkpoint(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    return f"{text} <a quantized checkpoint>" if text else ""


def _rank(case: Case, after: Scenario | None, text: str, engine: Engine) -> str:
    return f"{text} <the largest rank that your adapters have>" if text else ""


_OWN: Mapping[str, Callable[[Case, Scenario | None, str, Engine], str]] = {
    "tensor-parallel": _spread, "pipeline-parallel": _spread, "data-parallel": _spread, "better-kernel": _kernel,
    "shorten-requests": _shortened, "keep-16bit": _sixteen, "speculative-decoding": _drafts,
    "grammar-backend": _grammar, "fewer-cuda-graphs": _first, "raise-memory-utilization": _first,
    "prefix-caching": _prefixes, "cpu-offload": _layers, "expert-offload": _experts,
    "chunked-prefill": _pieces, "lower-token-budget": _budget,
    "prequantized-checkpoint": _checkpoint, "cap-concurrency": _slots, "fp8": _eight, "lower-adapter-rank": _rank,
}  # fmt: skip
