"""How people speak of trouble with a model server: words grouped to concepts, and what combinations of them mean.

Data, no rules: ``symptoms.signals`` reads it. English and Hinglish stand side by side; spelling is folded
(long vowels, hyphens, underscores), articles and auxiliaries are dropped, in texts and tables alike.
"""

from engine.diagnosis.symptoms import sayings_speed, sayings_start

_DERIVED = """
=slower: slow
=slower: less~perf
=slower: more~delay
=slower: no-fast
=slower: perf~bad
=lowperf: perf~toofew
=slower: delay~bad
=slower: first~bad
=slower: perf~collapse
=slower: decode~less
=slower: falls
=gpuidle: gpu~idle
=flat: nogain
=flat: no-gain
=flat: equal
=flat: perf~unchanged
=flat: no-fast
=faster: fast
=faster: more~perf
=faster: less~delay
=long-time: seconds
=long-time: minutes
=long-time: slower
=firsttime: pehla~callword
=turn: untilword~finish
=memshown: memfull~shown
=dissatisfied: slower
=dissatisfied: flat
=act: draft|lora|grammar|chunk|quant|manycards|kvquant
=addon: draft|lora|grammar|offload|manycards
=changed: settings|upgrade|before|prefixcache
"""
"""Concepts made of others, for the rows of sentences."""

SAYINGS = _DERIVED + sayings_start.ROWS + sayings_speed.ROWS
"""``id: term term``, all terms within one sentence. A term is concepts joined by ``|``, one of which must stand there;
``-a|b`` none of them; ``a~b`` close together; ``a>b`` close and in that order; ``no-a`` is ``a`` denied ("a nahi");
``<a``: ``a`` is the slower side of a comparison or, without one, stands in a sentence of slowness.
A row of an ``=id`` names a concept for the rows below it; one of ``!id`` takes that signal from the whole text.
Concepts that are not in ``symptoms.concepts`` are those of numbers (``symptoms.figures``, ``symptoms.pairs``)."""

LEVERS = {
    "raise-memory-utilization": "utilization|utilword -lower|gpuuse",
    "lower-memory-utilization": "utilization lower",
    "eager-mode": "eager -off",
    "lower-max-model-len": "window lower",
    "cap-concurrency": "seqs lower",
    "raise-concurrency": "seqs lift",
    "chunked-prefill": "chunk -off",
    "prefix-caching": "prefixcache -off",
    "speculative-decoding": "draft -off",
    "tensor-parallel": "manycards -off",
    "cpu-offload": "offload -off",
    "kv-quantization": "kvquant",
    "w4a16": "fourbit -kvquant",
    "fp8": "fp8 -kvquant",
    "upgrade-engine": "upgrade",
    "raise-token-budget": "budget lift",
    "lower-token-budget": "budget lower",
}
"""Lever -> what names the act; the sentence must also say that it was in vain, or is on."""

IN_VAIN = "tried|noeffect|no-help|nogain|already"
"""Concepts of which a sentence must have one for a lever in it to count as tried."""

LEANING = "change|tried|noeffect|flat"
"""Concepts of a short sentence that is about the one before it ("I enabled drafting. No gain at all.")."""
