"""How a benchmark was started: the arguments that it prints as a Namespace, or keeps in its JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.text import Line


class Run(Enum):
    """Which benchmark a Namespace starts; ``NONE`` where it is none."""

    NONE = ""
    SERVE = "serve"
    THROUGHPUT = "throughput"
    LATENCY = "latency"


_FACTS = {
    "model": "model", "model_id": "model", "num_prompts": "num_prompts", "burstiness": "burstiness",
    "max_concurrency": "client_max_concurrency",
}  # fmt: skip
_SAID = (*_FACTS, "request_rate", "backend")
_BACKENDS = {
    "vllm": "vllm", "sglang": "sglang", "sglang-native": "sglang", "sglang-oai": "sglang", "srt": "sglang",
    "tgi": "tgi", "tensorrt-llm": "tensorrt-llm", "trt": "tensorrt-llm", "lmdeploy": "lmdeploy",
    "lmdeploy-chat": "lmdeploy", "llama.cpp": "llama.cpp",
}  # fmt: skip
_SHARED = {"random-mm": "random", "random-ids": "random", "random-rerank": "random", "random-image": "random"}
"""Datasets that take their lengths from another one's arguments."""
_LENGTHS = ("input_len", "output_len")


def read_run(printed: Mapping[str, str], closed: bool, line: Line | None, out: Observations) -> Run:
    """Read the arguments of a Namespace line, as Python prints them; what benchmark they start.

    Args:
        printed: the arguments that are printed whole.
        closed: whether those are all. Of a line that is cut off the lengths are not read: which of them are in use is
            only known from all of it.
        line: where they stand.
        out: what was read.
    """
    given = {name: text.strip("'\"") for name, text in printed.items() if text != "None"}
    run = _which(printed, given)
    if run is not Run.NONE:
        read_arguments(given if closed else {name: given[name] for name in _SAID if name in given}, line, out)
    return run


def read_arguments(given: Mapping[str, Any], line: Line | None, out: Observations) -> None:
    """Read the model, the load that was asked for and the lengths of the dataset in use.

    Args:
        given: by name, without those that were not given; texts or numbers.
        line: where they stand; ``None`` for JSON.
    """
    for key, name in _FACTS.items():
        _put(name, given.get(key), line, out)
    put_rate(given.get("request_rate"), line, out)
    served_by(str(given.get("backend", "")), out)
    lengths = {name: given[name] for name in _LENGTHS if given.get(name) is not None} or _of_dataset(given)
    for name, value in lengths.items():
        _put(name, value, line, out)
    used = {str(value) for value in lengths.values()}
    others = {name for name in given if name.endswith(("_input_len", "_output_len")) and str(given[name]) not in used}
    if others and lengths:
        out.trap("other-defaults", next(iter(lengths)), line)
    exact = str(given.get("ignore_eos")) == "True" or str(given.get("disable_ignore_eos")) == "False"
    if "output_len" in lengths and not exact:
        out.trap("asked-not-made", "output_len", line)


def put_rate(value: Any, line: Line | None, out: Observations) -> None:
    """Keep a request rate; one without limit is the text "inf"."""
    if isinstance(value, float) and value == math.inf:
        value = "inf"
    if isinstance(value, str) and value.lower() in ("inf", "infinity"):
        out.put("request_rate", "inf", line)
    else:
        _put("request_rate", value, line, out)


def served_by(backend: str, out: Observations) -> None:
    """Keep the server that a benchmark says it speaks to; "openai" and the like say nothing."""
    if backend.lower() in _BACKENDS:
        out.served_by(_BACKENDS[backend.lower()])


def queued(out: Observations) -> None:
    """Note that at an unlimited rate, without a limit of the client's, the time to the first token is queueing."""
    unlimited = "inf" in out.all("request_rate") and "client_max_concurrency" not in out.series
    for name in ("ttft.mean", "ttft.median"):
        if unlimited and name in out.series:
            out.trap("ttft-is-queueing", name)
            return


def _which(printed: Mapping[str, str], given: Mapping[str, str]) -> Run:
    said = given.get("bench_type", "")
    if said in ("serve", "throughput", "latency"):
        return Run(said)
    if "num_prompts" in printed and ("request_rate" in printed or "base_url" in printed):
        return Run.SERVE
    if "num_iters" in printed and "batch_size" in printed:
        return Run.LATENCY
    if "num_prompts" in printed and ("input_len" in printed or "dataset" in printed or "dataset_name" in printed):
        return Run.THROUGHPUT
    return Run.NONE


def _of_dataset(given: Mapping[str, Any]) -> dict[str, Any]:
    """The lengths of the dataset in use; before there was a choice ``dataset`` named a file of ShareGPT."""
    dataset = str(given.get("dataset_name") or ("sharegpt" if given.get("dataset") else ""))
    for name in (dataset, _SHARED.get(dataset, "")):
        prefix = name.replace("-", "_")
        found = {one: given[f"{prefix}_{one}"] for one in _LENGTHS if given.get(f"{prefix}_{one}") is not None}
        if prefix and found:
            return found
    return {}


def _put(name: str, value: Any, line: Line | None, out: Observations) -> None:
    """Keep a fact that a text or JSON has; a flag's -1 asks for the dataset's own."""
    if value is None or isinstance(value, bool | list | dict) or value in ("", "None", -1, "-1"):
        return
    if name == "burstiness":
        try:
            value = float(value)
        except ValueError:
            return
    out.put(name, value if isinstance(value, int | float) else str(value), line)
