"""Which server a text names, and which version: "vllm v1 0.10.1", "TGI (July 2023)", "Triton + TensorRT-LLM 0.6.0".

A version is kept as numbers ("0.10.1"), or as a year and a month where the engine counts no releases that our tables
know ("2024-06", llama.cpp). vLLM's two engines stand behind the number ("0.7 V1"). :func:`release` makes either
comparable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from engine.diagnosis.model import Engine

MAX_LENGTH = 200
"""Of a text that names an engine; what stands behind is not read."""

Release = tuple[int, ...]
"""A version for comparison, by number or by date; compare releases of one engine only."""

NEWEST: Release = (9999,)
"""Stands for an unknown version: later than every row of a table."""

TITLES: Mapping[Engine, str] = {
    "vllm": "vLLM", "sglang": "SGLang", "tensorrt-llm": "TensorRT-LLM", "llama.cpp": "llama.cpp", "tgi": "TGI",
    "lmdeploy": "LMDeploy", "exllama": "ExLlama", "transformers": "transformers", "ollama": "Ollama",
}  # fmt: skip
"""How each engine writes itself."""

FLAT_LATENTS: frozenset[Engine] = frozenset(("tensorrt-llm",))
"""Engines that keep an FP8 latent of sparse attention without scales of its own: 576 bytes a token and layer of
DeepSeek-V3.2 (TensorRT-LLM, ``DSACacheManager``)."""

_NAMES: Mapping[str, Engine] = {
    "vllm": "vllm", "v-llm": "vllm",
    "sglang": "sglang", "sgl": "sglang", "sglang router": "sglang",
    "tensorrt-llm": "tensorrt-llm", "tensorrt llm": "tensorrt-llm", "tensorrtllm": "tensorrt-llm",
    "trt-llm": "tensorrt-llm", "trtllm": "tensorrt-llm", "trt llm": "tensorrt-llm", "trtllm-serve": "tensorrt-llm",
    "tensorrtllm backend": "tensorrt-llm", "trtllm-bench": "tensorrt-llm",
    "llama.cpp": "llama.cpp", "llama cpp": "llama.cpp", "llamacpp": "llama.cpp", "llama-server": "llama.cpp",
    "llama-bench": "llama.cpp", "llama-cli": "llama.cpp", "llama-cpp-python": "llama.cpp", "ggml": "llama.cpp",
    "koboldcpp": "llama.cpp", "lm studio": "llama.cpp", "lmstudio": "llama.cpp", "llamafile": "llama.cpp",
    "ik-llama.cpp": "llama.cpp", "ik llama.cpp": "llama.cpp", "ik-llama": "llama.cpp",
    "tgi": "tgi", "text-generation-inference": "tgi", "text generation inference": "tgi",
    "text-generation-launcher": "tgi",
    "lmdeploy": "lmdeploy", "turbomind": "lmdeploy",
    "exllama": "exllama", "exllamav2": "exllama", "exllamav3": "exllama", "exllama v2": "exllama", "exl2": "exllama",
    "exl3": "exllama", "tabbyapi": "exllama", "tabby api": "exllama",
    "ollama": "ollama",
    "transformers": "transformers", "huggingface": "transformers", "hugging face": "transformers",
    "hf generate": "transformers", "bitsandbytes": "transformers", "autogptq": "transformers",
    "auto-gptq": "transformers", "autoawq": "transformers", "accelerate": "transformers", "peft": "transformers",
}  # fmt: skip
"""Names as people write them; "_" is read as "-"."""

_UNNUMBERED = frozenset((
    "bitsandbytes", "autogptq", "auto-gptq", "autoawq", "accelerate", "peft", "huggingface", "hugging face", "ggml",
    "koboldcpp", "lm studio", "lmstudio", "llamafile", "llama-cpp-python", "tabbyapi", "tabby api", "exl2", "exl3",
    "turbomind", "sglang router", "ik-llama.cpp", "ik llama.cpp", "ik-llama",
))  # fmt: skip
"""Names of libraries and wrappers: a number behind them is theirs and not the engine's."""

_LIBRARIES = frozenset((
    "bitsandbytes", "autogptq", "auto-gptq", "autoawq", "accelerate", "peft", "huggingface", "hugging face", "ggml",
    "exl2", "exl3",
))  # fmt: skip
"""Names that tell the engine only where nothing else does ("Hugging Face TGI", "bitsandbytes in vLLM")."""

_RELEASES: Mapping[Engine, tuple[tuple[tuple[int, int], str], ...]] = {
    "vllm": (
        ((2023, 6), "0.1"), ((2023, 10), "0.2"), ((2024, 2), "0.3"), ((2024, 4), "0.4"), ((2024, 6), "0.5"),
        ((2024, 9), "0.6"), ((2025, 2), "0.7"), ((2025, 4), "0.8"), ((2025, 6), "0.9"), ((2025, 8), "0.10"),
        ((2025, 10), "0.11"), ((2025, 12), "0.12"), ((2026, 1), "0.14"), ((2026, 3), "0.19"), ((2026, 4), "0.21"),
        ((2026, 6), "0.24"), ((2026, 8), "0.27"), ((2026, 9), "0.30"),
    ),
    "sglang": (
        ((2024, 1), "0.1"), ((2024, 7), "0.2"), ((2024, 9), "0.3"), ((2024, 12), "0.4"), ((2025, 9), "0.5"),
        ((2025, 11), "0.5.5"), ((2026, 1), "0.5.8"), ((2026, 7), "0.5.15"), ((2026, 9), "0.5.20"),
    ),
    "tensorrt-llm": (
        ((2023, 10), "0.5"), ((2023, 12), "0.6"), ((2024, 3), "0.8"), ((2024, 6), "0.10"), ((2024, 9), "0.12"),
        ((2024, 12), "0.16"), ((2025, 3), "0.18"), ((2025, 7), "0.21"), ((2025, 9), "1.0"), ((2025, 12), "1.1"),
        ((2026, 2), "1.2"),
    ),
    "tgi": (
        ((2023, 6), "0.9"), ((2023, 8), "1.0"), ((2023, 12), "1.2"), ((2024, 2), "1.4"), ((2024, 4), "2.0"),
        ((2024, 9), "2.3"), ((2024, 10), "2.4"), ((2024, 11), "2.4.1"), ((2024, 12), "3.0"), ((2025, 2), "3.1"),
        ((2025, 4), "3.2"), ((2025, 6), "3.3"),
    ),
}  # fmt: skip
"""The release in use from a month on, to a month or so; coarse where our tables have no row between."""

_BUILDS = ((1000, (2023, 8)), (2000, (2024, 1)), (3000, (2024, 5)), (4000, (2024, 11)), (5000, (2025, 3)),
           (6000, (2025, 7)), (7000, (2025, 11)))  # fmt: skip
"""llama.cpp's builds and their months, about."""
_NUMBERED: Release = (2026, 6)
"""llama.cpp has releases with numbers (0.4.1) only in 2026."""

_NUMBER = r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,5}){1,3})(?![\d%])"
_GENERATION = r"(?<![\w.])v([01])(?![\w.]\d|\w)"
_BUILD = r"(?<!\w)b(\d{3,5})(?!\w)"
_YEAR = r"(?<![\d.])(20[2-9]\d)(?:[-/](\d{1,2}))?(?![\d.])"
_COMPARED = r"\bvs\b|\bversus\b|\bcompared\b|\bagainst\b|\bmuqable\b|\bmukable\b"
_MONTHS = {
    **{name: month for month, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)},
    "early": 2, "spring": 4, "mid": 6, "summer": 7, "autumn": 10, "fall": 10, "late": 11,
}  # fmt: skip
_MONTH = r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|early|spring|mid|summer|autumn|fall|late)"


def identify(text: str) -> tuple[Engine, str | None]:
    """The engine that a text names first, and its version where one is said; ``other`` for a name that none has."""
    return _identify(text[:MAX_LENGTH])


def compared(text: str) -> bool:
    """Whether a text sets two engines against each other ("vLLM 0.6 vs SGLang 0.3")."""
    lower = _lower(text[:MAX_LENGTH])
    return len({_NAMES[one[0]] for one in _servers(_found(lower))}) > 1 and re.search(_COMPARED, lower) is not None


@lru_cache(maxsize=256)
def _identify(text: str) -> tuple[Engine, str | None]:
    lower = _lower(text)
    found = _found(lower)
    named = _servers(found)
    if not named:
        return "other", _number(lower)
    engine = _NAMES[named[0][0]]
    ends = [*(one.start() for one in found[1:]), len(lower)]
    ours = [
        lower[one.end() : end]
        for one, end in zip(found, ends, strict=True)
        if _NAMES[one[0]] == engine and one[0] not in _UNNUMBERED
    ]
    version = next(filter(None, (_version(part, engine) for part in ours)), None)
    if version is None and ours and len(found) == 1:  # "0.6.3 of vLLM"
        version = _number(lower[: found[0].start()])
    return engine, version


def _lower(text: str) -> str:
    return " ".join(text.casefold().replace("_", "-").split())


def _found(lower: str) -> list[re.Match[str]]:
    """Every engine's name in a text, in order."""
    return list(_named().finditer(lower))


def _servers(found: list[re.Match[str]]) -> list[re.Match[str]]:
    """Those that name a server; libraries only where nothing else is named."""
    return [one for one in found if one[0] not in _LIBRARIES] or found


@lru_cache(maxsize=1)
def _named() -> re.Pattern[str]:
    longest = sorted(_NAMES, key=len, reverse=True)
    return re.compile(rf"(?<![a-z0-9-])(?:{'|'.join(map(re.escape, longest))})(?![a-z0-9])")


def _version(text: str, engine: Engine) -> str | None:
    """The version in what stands behind an engine's name."""
    number = _number(text) or _dated(text, engine)
    generation = re.search(_GENERATION, text) if engine == "vllm" else None
    if generation is None:
        return number
    if number is None:  # V1 alone is the newest; V0 was the default up to 0.7
        return "0.7 V0" if generation[1] == "0" else None
    return f"{number} V{generation[1]}"


def _number(text: str) -> str | None:
    """A version's number; "< 0.6" is the one before."""
    found = re.search(_NUMBER, text)
    if found is None:
        return None
    number = found[1]
    below = re.search(r"(?:<(?!=)|before|older than|pre-?)\s*v?$", text[: found.start(1)])
    major, minor = (int(part) for part in number.split(".")[:2])
    return f"{major}.{minor - 1}" if below and minor else number


def _dated(text: str, engine: Engine) -> str | None:
    """The release in use at a time that a text names; a year alone is its middle."""
    build = re.search(_BUILD, text) if engine == "llama.cpp" else None
    if build:
        when = next((date for number, date in reversed(_BUILDS) if int(build[1]) >= number), (2023, 3))
        return f"{when[0]}-{when[1]:02}"
    year = re.search(_YEAR, text)
    if year is None:
        return None
    name = re.search(_MONTH, text)
    month = int(year[2]) if year[2] else _MONTHS[name[1]] if name else 6
    date = (int(year[1]), min(max(month, 1), 12))
    releases = _RELEASES.get(engine)
    if releases is None:
        return f"{date[0]}-{date[1]:02}"
    return next((number for since, number in reversed(releases) if since <= date), releases[0][1])


# --- comparing -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)  # every table asks for the version again
def release(engine: Engine | None, version: str | None) -> Release:
    """A version for comparison with the rows of a table: its numbers, or year and month where the engine's rows go by
    date (llama.cpp, Ollama). Unknown is the newest."""
    dated = re.match(r"(20\d\d)-(\d\d)", version or "")
    if dated:
        return int(dated[1]), int(dated[2])
    number = re.search(r"\d{1,4}(?:\.\d{1,5}){1,3}", version or "")
    if number is None or engine == "ollama":
        return NEWEST
    if engine == "llama.cpp":
        return _NUMBERED
    return tuple(map(int, number[0].split(".")))


def is_v1(version: str | None) -> bool:
    """Whether a version of vLLM runs its V1 engine: from 0.8 on, unless said otherwise; unknown is V1."""
    if version and version.endswith((" V0", " V1")):
        return version.endswith("1")
    return release("vllm", version) >= (0, 8)


def title(engine: Engine | None, version: str | None) -> str:
    """An engine and its version as a source of a default: "vLLM 0.21"; "" for no engine."""
    name = TITLES.get(engine, "") if engine else ""
    return f"{name} {version}" if name and version else name
