"""How people speak of trouble with a model server: words grouped to concepts, and what combinations of them mean.

Data, no rules: ``engine.diagnosis.signals`` reads it. English and Hinglish stand side by side; spelling is folded
(long vowels, hyphens, underscores), articles and auxiliaries are dropped, in texts and tables alike.
"""

VOCABULARY = {
    # start
    "fails-to-start": "the server does not come up",
    "oom-loading": "out of memory while weights are loaded",
    "oom-warmup": "out of memory in profiling or warm-up, before the first request",
    "oom-capture": "out of memory while CUDA graphs are captured",
    "oom-running": "out of memory after serving for a while",
    "oom": "out of memory, not said when",
    "no-cache-blocks": "nothing is left for the KV cache at start",
    "window-exceeds-cache": "one request of the longest length is larger than the KV pool",
    "not-enough-memory-fraction": "SGLang's refusal: the static fraction leaves no pool",
    "oom-only-near-full": "out of memory only with a share near 1",
    "other-process": "other programs hold memory of the card",
    "uses-above-cap": "more memory in use than the configured share",
    "after-upgrade": "trouble that began with a change of version",
    "tried-eager": "eager mode was tried, without success",
    "tried-utilization": "a larger share of the card was tried, without success",
    "knobs-no-difference": "changing settings changes nothing",
    "memory-above-file": "takes more memory than the checkpoint's file",
    "inflated-window": "the derived longest length is far above what is needed",
    "layers-left-on-cpu": "part of the layers stays in host memory",
    "warmup-prefill": "TGI's warm-up fails at a number of tokens",
    # misread
    "uses-most-memory": "nearly the whole card is taken, whatever the model",
    "quantized-uses-same": "a quantized model takes as much memory as before",
    "gauge-low": "usage of the KV pool stays low",
    "gauge-lower-with-cards": "usage of the KV pool fell with more cards",
    "asks-how-many": "asks how many requests or users fit",
    "token-count-differs": "two engines name different sizes of the pool",
    "derived-tokens": "the printed pool in tokens does not match a calculation",
    "worst-case-concurrency": "the printed maximum concurrency is taken for a limit",
    "engines-compared": "two engines are compared",
    "ttft-at-full-rate": "first-token time measured with everything sent at once",
    # kv
    "preempts": "running requests are preempted, retracted or swapped out",
    "cache-full": "the KV pool is full",
    "queue-grows": "waiting requests pile up",
    "collapses-when-full": "speed breaks down when the pool is full",
    "recomputes": "requests thrown out are computed again",
    # fragmentation
    "context-split-by-slots": "the context is divided by parallel slots",
    "reserved-per-request": "the full length is reserved for each request",
    "average-use-small": "requests use a small part of what is reserved",
    "padding-warning": "padding layers were added",
    "prompts-truncated": "prompts are cut",
    # links
    "more-cards-slower": "more cards are slower, or bring nothing",
    "extremely-slow": "around a token a second, or minutes for an answer",
    "low-power-on-cards": "cards draw little power while they count as busy",
    "offload-slow": "slow since weights lie in host memory",
    "copies-to-device": "time goes into copies from host to device",
    "pcie-only": "cards are joined by PCIe alone",
    "fits-one-card": "one card would hold the model",
    # host
    "low-gpu-use": "the GPU is idle part of the time",
    "cliff-at-batch": "a jump in time at one batch size",
    "settings-overwritten": "something else overrides the settings",
    "adapter-slower": "slower with an adapter",
    "grammar-slower": "slower with structured output",
    "drafting-no-gain": "drafting brings nothing",
    "drafting-worse-under-load": "drafting hurts with many requests",
    "quantized-slower": "quantized is slower, or no faster",
    "quantized-slower-large-batch": "quantized is slower at many requests",
    "quantized-kv-slower": "slower with a quantized KV cache",
    "kernel-warning": "the engine warns of a slow kernel or an untuned configuration",
    "cpu-busy": "a CPU core is the limit",
    "unfused-format": "a format whose kernels are not fused",
    # idle
    "one-at-a-time": "requests are sent or served one after another",
    "time-grows-with-requests": "latency grows in step with the number of requests",
    "stuck-below-offered": "fewer requests run than are offered",
    "nothing-waits": "the queue is empty",
    "gain-below-advertised": "less gain than was promised or expected",
    "same-as-other-runner": "no faster than another program",
    # prefill
    "slow-first-token": "the first token takes long",
    "spikes-between-tokens": "running streams stall when prompts come in",
    "prompts-recomputed": "the same prompt is processed again and again",
    "hit-rate-zero": "prefix caching never hits",
    "shared-prefix": "prompts share a beginning",
    "throughput-goal": "total throughput is the goal, not latency",
    "chunking-slower": "chunked prefill makes it slower",
    "prefill-heavy": "long prompts, short answers",
    # above the engine
    "engine-alone-fast": "the bare engine is fast",
    "proxy-in-between": "something stands between client and engine",
    "constant-offset": "the same extra time on every request",
    # other
    "slow-decode": "generation is slow",
    "wants-faster": "asks how to be faster",
    "regression": "it was faster before",
}

SAYINGS = """
=slower: slow
=slower: less~perf
=slower: more~delay
=slower: no-fast
=slower: perf~bad|toofew
=slower: delay~bad
=slower: first~bad
=slower: perf~collapse
=slower: decode~less
=slower: falls
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
=dissatisfied: slower
=dissatisfied: flat

fails-to-start: nostart
fails-to-start: no-start
fails-to-start: start~fail -running|request
fails-to-start: loading~fail
oom-loading: oom~loading -warmup|capture|running|kv
oom-loading: killed~loading -request
oom-loading: no-loading memory
oom-loading: weightsonly takes gb card -kv|file|oom
oom-loading: no-fits weightsonly|no-weightsonly
oom-loading: no-start memory~bad
oom-loading: no-fits weights|model memory|card -kv|onecard
oom-warmup: oom warmup -gone
oom-warmup: warmup none-left
oom-capture: oom graph -gone
oom-capture: capture memory fail
oom-running: oom running -loading|warmup|capture|gone
oom: memory~exhausted -kv
oom: oom -collapse|loading|warmup|capture|running|gone|works
warmup-prefill: warmup prefill fail|oom
oom-warmup: warmup~fail
no-cache-blocks: none-left blocks
no-cache-blocks: blocks fail kv
no-cache-blocks: none-left kv memory|start|weights -slots|usage|prompt
window-exceeds-cache: window~exceeds kv -each
window-exceeds-cache: window takes kv exceeds
window-exceeds-cache: window exceeds>kv
window-exceeds-cache: window thousands fail|nostart|no-start -oom|running|upgrade
oom-only-near-full: oom only share-high
oom-only-near-full: oom only utilization raise
oom-only-near-full: oom share-high works
other-process: other-process
uses-above-cap: takes|memory utilization|cap above gb
uses-above-cap: takes cap above memory
uses-above-cap: cap share share-high takes|usage|memory -oom|tried
uses-above-cap: cap gb-pair -file|kv
uses-above-cap: takes|usage gb share -kv|file|oom|full
uses-above-cap: above~utilization memory
after-upgrade: upgrade fail|oom|no-start|nostart|slower|before
regression: regress -chunk|draft
regression: upgrade slower
regression: version~fast
regression: before slower
regression: before~fast
regression: version fast compare
regression: before upgrade perf|rate|faster|slower
tried-eager: eager tried|noeffect|no-help
tried-utilization: utilization tried|noeffect|no-help
tried-utilization: utilization raise~tried
tried-utilization: utilword tried -gpuuse|kv
knobs-no-difference: novalue noeffect
knobs-no-difference: settings noeffect -eager|utilization|draft|lora
memory-above-file: file memory takes|exceeds
memory-above-file: file gb-pair
memory-above-file: above~file memory|usage
inflated-window: window rope -kv|exceeds
layers-left-on-cpu: layers-part
layers-left-on-cpu: layers stays cpu
layers-left-on-cpu: pct stays cpu
layers-left-on-cpu: pct~cpu model
layers-left-on-cpu: layers~stays card|toofew -oom|offload
uses-most-memory: takes pct-high vram -kv|gpuuse|power
uses-most-memory: memory usage pct-high -kv|oom|power|gpuuse
uses-most-memory: takes memory-most -kv|oom
uses-most-memory: takes mostly vram -kv|quant|power
uses-most-memory: takes small-model gb -oom|file
uses-most-memory: takes gb idleuse -oom|file|cap
uses-most-memory: takes small-model mostly -oom|file
quantized-uses-same: quant same memory takes
quantized-uses-same: quant no-less memory
gauge-low: kv usage>pct-low -idle-line
gauge-low: kv near-zero -usage|perf|slower
gauge-low: kv usage near-zero -prefixcache
gauge-lower-with-cards: kv usage manycards less
asks-how-many: count request|batch|many -stuck|novalue|slower
token-count-differs: token kv differs|factor runner
token-count-differs: token compare thousands-pair -window|oom
derived-tokens: token kv differs calc -runner
derived-tokens: token memory differs|calc -runner|quant|oom|window|manycards
worst-case-concurrency: factor token logword thousands -fast|slow
worst-case-concurrency: maxconc factor toofew|ask|request
engines-compared: compare>runner slow|fast -flat|quant|proxy|manycards|offload
engines-compared: engines rate|fast|slow|compare|differs -proxy|quant
ttft-at-full-rate: atonce first
preempts: preempt
preempts: evict request
recomputes: preempt|evict again|recompute|prefill
recomputes: request~recompute -prompt
cache-full: usage>pct-high kv -gpuuse
cache-full: usage>pct-high collapse perf -gpuuse|power
cache-full: usage~pct-high kv -gpuuse|prefixcache|power
cache-full: kv>pct-high -gpuuse|prefixcache|near-zero
cache-full: kv share-high usage -utilization|oom
cache-full: token-usage share-high
cache-full: kv~exhausted
cache-full: kv~full -pct-idle|pct-low|oom|start
queue-grows: wait~pile
queue-grows: queue-many
collapses-when-full: kv|usage full|pct-high collapse perf
collapses-when-full: kv~full slower
context-split-by-slots: slots split context
context-split-by-slots: slots~context -batch
context-split-by-slots: slots~split
context-split-by-slots: each~slots context
reserved-per-request: each|slots reserve window|mostly|slots|full|thousands
average-use-small: reserve small takes
average-use-small: average small takes
average-use-small: average reserve|slots
prompts-truncated: prompt~cut
more-cards-slower: <manycards -offload
more-cards-slower: flat manycards
extremely-slow: rate-tiny -statline|prompt
extremely-slow: token-tiny
extremely-slow: token~seconds -first
extremely-slow: output|token minutes -rate|thousands|request
extremely-slow: no-finish minutes
low-power-on-cards: power busy toofew|less|bad|watts
low-power-on-cards: lowpower busy
low-power-on-cards: watts busy|each|toofew
offload-slow: <offload
offload-slow: offload rate-low
copies-to-device: copies
pcie-only: joined
pcie-only: no-nvlink
fits-one-card: fits onecard
low-gpu-use: gpuuse pct-idle
low-gpu-use: gpuuse bad
low-gpu-use: gpu~pct-idle busy -kv|memory|power|watts
low-gpu-use: gpu~pct-idle usage -kv|memory
low-gpu-use: gpu~idle -kv|request
cliff-at-batch: cliff batch
cliff-at-batch: batch-pair long-time|ms|seconds
cliff-at-batch: cliff many delay|decode
cliff-at-batch: atbatch more|slower|factor delay|decode -quant|draft|lora
settings-overwritten: override settings
adapter-slower: <lora
adapter-slower: merging ms|seconds|rate
grammar-slower: grammar slower|more
drafting-no-gain: draft dissatisfied -many
drafting-worse-under-load: draft dissatisfied|rate many
quantized-slower: <quant -kvquant|many|lora|grammar|draft|offload|manycards|chunk|quality|memory
quantized-slower: quant flat -kvquant|many|memory|lora|draft|quality|promise
quantized-slower-large-batch: <quant many|batch-many -kvquant
quantized-slower-large-batch: plain>overtake many|batch-many|long
quantized-slower-large-batch: plain>catch
quantized-kv-slower: kvquant slower
kernel-warning: kernelwarn kernel
kernel-warning: missing~moe
cpu-busy: core~pegged
cpu-busy: hostwork long-time|exceeds|more|copies
unfused-format: unfused
one-at-a-time: serial
time-grows-with-requests: request grows time -draft|wait|memory|cliff
time-grows-with-requests: request|batch grows delay|time -cliff|memory|kv|draft|atbatch
stuck-below-offered: stuck~request
stuck-below-offered: runs offered above|stuck
stuck-below-offered: stuck~runs -maxconc
stuck-below-offered: toofew runs queue-zero|no-wait|wait
nothing-waits: queue-zero -idle-line
!nothing-waits: queue-few|queue-many
!gauge-low: kv usage>pct -pct-low
!gauge-low: kv>pct-high
!hit-rate-zero: hit-some
nothing-waits: no-wait
nothing-waits: wait~empty -idle-line
nothing-waits: wait~zero -idle-line
gain-below-advertised: promise factor toofew|pair
gain-below-advertised: promise toofew|shortof gain|perf|factor
same-as-other-runner: flat runner -rate|pair
same-as-other-runner: same~runner -memory|token|kv|rate
slow-first-token: first~token long-time
slow-first-token: prefill long-time -spike|chunk|manycards|offload|copies|again|lora
spikes-between-tokens: spike prompt arrive
spikes-between-tokens: spike streams prompt
spikes-between-tokens: spike delay -batch|request|many
prompts-recomputed: again process prompt -preempt|evict
hit-rate-zero: prefixcache>pct-zero -idle-line
hit-rate-zero: prefixcache~zero|empty -idle-line|pct
hit-rate-zero: prefixcache no-hit
shared-prefix: shared|same prefix
throughput-goal: goal
chunking-slower: <chunk -spike
chunking-slower: chunk off|no-chunk faster
chunking-slower: no-chunk faster
chunking-slower: slower>no-chunk
prefill-heavy: prompt short output
prefill-heavy: long-short
prefill-heavy: thousands prompt short|classify
engine-alone-fast: direct fast toofew|proxy|server|slower
engine-alone-fast: direct fast slower
engine-alone-fast: direct ms proxy
engine-alone-fast: proxy off|no-proxy fast
proxy-in-between: proxy -fail|override
constant-offset: constant each seconds|ms|long-time
constant-offset: constant each more
constant-offset: constant more ms|seconds -grows|token|grammar|draft|lora
constant-offset: more each ms|seconds -grows|token|delay|grammar|draft|lora
slow-decode: rate-low -statline|falls|prompt|prefill|offload|manycards|draft|lora|grammar|runner|many
slow-decode: token~slow -first|prefill|prompt|lora|grammar|draft|manycards|quant|chunk|offload|batch
slow-decode: decode slower -server|proxy|first|batch|request|prefill|lora|grammar|draft|manycards|quant|chunk|offload
wants-faster: ask~fast -toofew
wants-faster: ask>perf
wants-faster: ask>speed-up
"""
"""``id: term term``, all terms within one sentence. A term is concepts joined by ``|``, one of which must stand there;
``-a|b`` none of them; ``a~b`` close together; ``a>b`` close and in that order; ``no-a`` is ``a`` denied ("a nahi");
``<a``: ``a`` is the slower side of a comparison or, without one, stands in a sentence of slowness.
A row of an ``=id`` names a concept for the rows below it; one of ``!id`` takes that signal from the whole text.
Concepts that are not in ``engine.diagnosis.concepts`` are those of numbers (``engine.diagnosis.figures``)."""

LOGGED = frozenset(
    """
    fails-to-start oom-loading oom-warmup oom-capture oom-running oom no-cache-blocks window-exceeds-cache
    warmup-prefill not-enough-memory-fraction other-process layers-left-on-cpu gauge-low preempts recomputes cache-full
    queue-grows padding-warning prompts-truncated kernel-warning hit-rate-zero nothing-waits settings-overwritten
    """.split()
)
"""Signals that a line of a log may carry; of the others only people speak."""

KNOWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("no available memory for the cache blocks", ("no-cache-blocks", "fails-to-start")),
    ("available kv cache memory: -", ("no-cache-blocks",)),
    ("# gpu blocks: 0,", ("no-cache-blocks",)),
    ("maximum number of tokens that can be stored in kv cache", ("window-exceeds-cache", "fails-to-start")),
    ("larger than the available kv cache memory", ("window-exceeds-cache", "fails-to-start")),
    ("exceeds the capacity of block_manager", ("window-exceeds-cache",)),
    ("increase --mem-fraction-static", ("not-enough-memory-fraction", "fails-to-start")),
    ("increase mem_fraction_static", ("not-enough-memory-fraction", "fails-to-start")),
    ("not enough memory to handle", ("warmup-prefill", "oom-warmup", "fails-to-start")),
    ("decrease `--max-batch-prefill-tokens`", ("warmup-prefill", "oom-warmup", "fails-to-start")),
    ("failed to allocate compute", ("oom", "fails-to-start")),
    ("failed to allocate buffer for kv cache", ("oom", "fails-to-start")),
    ("less than desired gpu memory utilization", ("other-process", "fails-to-start")),
    ("default moe config", ("kernel-warning",)),
    ("performance might be sub-optimal", ("kernel-warning",)),
    ("not fully optimized yet", ("kernel-warning",)),
    ("cannot use flashattention", ("kernel-warning",)),
    ("preempted by preemptionmode", ("preempts",)),
    ("preemptionmode.recompute", ("preempts", "recomputes")),
    ("retract requests", ("preempts", "cache-full")),
    ("padding layers", ("padding-warning",)),
    ("engine core initialization failed", ("fails-to-start",)),
    ("input is too long and was truncated", ("prompts-truncated",)),
)
"""Texts that engines print, as fragments in lower case."""

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
