"""Traps of what programs print: ids of notes that stand beside a value that does not mean what it seems to.

The sentences are the content's (``observed.trap.<id>``), in both languages, with the parameters named here.
"""

from __future__ import annotations

from collections.abc import Mapping

TRAPS: Mapping[str, tuple[str, ...]] = {
    # --- units and what is counted
    "gb-is-gib": (),  # the program prints "GB" and means GiB
    "per-rank": ("count",),  # so many lines, one for each rank: never added up
    "perc-is-fraction": (),  # the metric's name says perc, its value is a fraction
    "requests-not-sequences": (),  # Running counts requests; with n > 1 each is several sequences
    "average-of-gap": (),  # the first line after an idle gap averages the gap
    "since-start": (),  # a hit rate since the server started, not of the last interval
    "transferred-prompts": (),  # a decode node counts prompts that were computed elsewhere
    "created-is-time": (),  # a `_created` series is a Unix time
    "both-names": ("old", "new"),  # old and new name of one metric: the new one was taken
    "no-interval": (),  # a counter needs two samples to be a rate
    "two-samples": ("seconds",),  # rates and latencies are of the interval, counters stand as they were at both ends
    "counter-fell": (),  # a counter is lower in the later sample: the server was started again, so there is no rate
    "open-bucket": (),  # a quantile lies above the last bound of a histogram: it is at least that
    "eval-is-decode": (),  # llama.cpp's "eval time" is decode, "prompt eval time" prefill
    "warmup-row": (),  # the first row of a table may be the warm-up
    "visible-cards": (),  # an OOM line numbers the visible cards only
    # --- memory
    "negative-pool": (),  # the pool is below zero: weights and peaks take more than the share
    "cpu-blocks-more": (),  # more blocks in host memory than on the card: swap space, it serves nobody
    "block-size-unsaid": (),  # blocks without their size; 16 is taken
    "hybrid-tokens": (),  # tokens of a hybrid model are concurrency times length: no bytes per token from them
    "refused-length": (),  # the length of the error is the refused one
    "graphs-inside": (),  # since 0.21 graphs are taken off the pool: the same flag gives a smaller one
    "two-pools": (),  # several pools, each with its own usage: the fullest one binds
    "whole-file": (),  # llama.cpp's CPU buffer is the whole mapped file in older builds
    "ctx-is-split": (),  # n_ctx is split over the slots unless they share one pool
    "draft-model": (),  # a line of its own for the draft model
    "engine-sees-less": (),  # engines see a little less of the card than nvidia-smi
    "reserved-not-needed": (),  # memory in use is a reservation, not a need
    "several-processes": ("card", "count"),  # more processes on a card than on the others
    "little-fragmentation": (),  # reserved but unallocated is small: it is not fragmentation
    "fragmentation": (),  # it is large: it is
    "fails-at-few": ("tokens",),  # the warm-up fails at a handful of tokens: the weights fill the card
    "swapped-zero": (),  # swapped 0 does not mean that nothing was preempted
    "counter-counts": (),  # the warning is rate-limited: its counter counts, not the lines
    "deferred": ("count",),  # so many of those waiting wait for another reason than room
    # --- results
    "cut": (),  # the text ends in the middle: what it does not print whole was not read
    "unfinished-table": (),  # a result table that stops before its end
    "other-defaults": (),  # the line also has the defaults of other datasets
    "ttft-is-queueing": (),  # at an infinite request rate the time to the first token is mostly queueing
    "asked-not-made": (),  # the output length that was asked for, not what was made
    "utilization-not-load": (),  # GPU-Util is time with any kernel running, not throughput
    "at-power-cap": (),  # at the cap clocks fall
    # --- configs
    "own-head-dim": ("divided",),  # head_dim is not hidden_size / heads
    "mla": (),  # kv_lora_rank: the KV heads mean nothing
    "not-all-quantized": ("count",),  # the listed modules stay in 16 bits
    "window-off": (),  # a sliding window that is switched off
    "quantized-dtype": (),  # quantization_config decides the bytes, not dtype
    "fragment": ("missing",),  # keys that are needed and not there
    # --- reading
    "no-value": ("of", "value"),  # printed in its place is what no server can have: it is not used
    "line-cut": ("most",),  # a line longer than what is read of one
    "many-entries": ("most",),  # more entries than are kept: the middle is left out
}
