"""How people speak of trouble with a model server: words grouped to concepts, and what combinations of them mean.

Data, no rules: ``engine.diagnosis.signals`` reads it. English and Hinglish stand side by side; spelling is folded
(long vowels, hyphens, underscores), articles and auxiliaries are dropped, in texts and tables alike.
"""

SAYINGS = """
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
=dissatisfied: slower
=dissatisfied: flat

fails-to-start: nostart
fails-to-start: no-start
fails-to-start: start~fail -running|request
fails-to-start: loading~fail
fails-to-start: hang~start|nccl|nostart -request|fast
fails-to-start: oom~start -running|works|near-zero
fails-to-start: hang~capture|loading
oom-loading: oom~loading -warmup|capture|running|kv
oom-loading: killed~loading -request
oom-loading: no-loading memory
oom-loading: weightsonly takes gb card -kv|file|oom
oom-loading: no-fits weightsonly|no-weightsonly
oom-loading: no-start memory~bad
oom-loading: no-fits weights|model memory|card -kv|onecard
oom-loading: no-fits small-model memory|card -kv|onecard
oom-loading: oom notload
oom-loading: notload gb|card -kv|window
oom-loading: oom weights~move -kv|offload|warmup
oom-warmup: oom warmup -gone|overcome
oom-warmup: oom image start|nostart
oom-warmup: warmup none-left
oom-capture: oom graph -gone
oom-capture: capture memory fail
oom-capture: capture|graph gb-grows
oom-capture: capture|graph gb takes more before|exceeds|grows -finish
oom-capture: graph grows|takes none-left
oom-capture: graph gb-double takes -kv|file|weights|model
oom-running: oom running -loading|warmup|capture|gone
oom-running: oom warmup~overcome
oom-running: oom many|batch works -loading|capture
oom-running: memory~grows each fail
oom-running: oom works until -loading|capture|warmup|utilization|share-high|share
oom-running: oom clients|arrive -loading|warmup|capture|gone|start|nostart
oom: memory~exhausted -kv
oom: oom -collapse|loading|warmup|capture|running|gone|works
warmup-prefill: warmup prefill fail|oom
oom-warmup: warmup~fail
oom-warmup: warmup exceeds card -kv|file
no-cache-blocks: none-left blocks
no-cache-blocks: blocks fail kv
no-cache-blocks: none-left kv memory|start|weights|warmup -slots|usage|prompt
no-cache-blocks: blocks warmup zero
window-exceeds-cache: window~exceeds kv -each
window-exceeds-cache: window takes kv exceeds
window-exceeds-cache: window exceeds>kv
window-exceeds-cache: window thousands fail|nostart|no-start -oom|running|upgrade
window-exceeds-cache: short-have kv -file
window-exceeds-cache: window kv thousands-pair toofew|exceeds
window-exceeds-cache: thousands-pair fail|nostart maxword -oom|request
window-exceeds-cache: kv thousands-pair toofew takes -usage|slots
oom-only-near-full: oom only share-high
oom-only-near-full: oom only utilization raise
oom-only-near-full: oom share-high works
other-process: other-process -arrive|spike|fast
uses-above-cap: takes|memory utilization|cap above gb
uses-above-cap: takes cap above memory
uses-above-cap: cap share share-high takes|usage|memory -oom|tried
uses-above-cap: cap gb-pair -file|kv
uses-above-cap: takes|usage gb share -kv|file|oom|full
uses-above-cap: above~utilization memory
after-upgrade: upgrade fail|oom|no-start|nostart|slower|before
after-upgrade: versions fail|oom|no-start|nostart
regression: regress -chunk|draft
regression: upgrade slower
regression: version~fast
regression: before slower
regression: before~fast
regression: version fast compare
regression: before upgrade perf|rate|faster|slower
regression: before upgrade seconds|ms
regression: before version rate|ms|seconds
regression: rolledback gone|works|fast
regression: versions slower|fast
regression: before upgrade less
tried-eager: eager tried|noeffect|no-help
tried-utilization: utilization tried|noeffect|no-help
tried-utilization: utilization raise~tried
tried-utilization: utilword tried -gpuuse|kv
knobs-no-difference: novalue noeffect
knobs-no-difference: settings noeffect -eager|utilization|draft|lora
memory-above-file: file memory takes|exceeds
memory-above-file: file gb-pair -quant
memory-above-file: above~file memory|usage
inflated-window: window rope -kv|exceeds
layers-left-on-cpu: layers-part
layers-left-on-cpu: layers stays cpu
layers-left-on-cpu: pct stays cpu -gpu-part|cpu-full
layers-left-on-cpu: pct~cpu model -gpu-part|cpu-full
layers-left-on-cpu: layers~stays card|toofew -oom|offload
layers-left-on-cpu: mostly~cpu -gpuuse|core|pegged
layers-left-on-cpu: ollamaps cpu
layers-left-on-cpu: allcpu
uses-most-memory: takes pct-high vram -kv|gpuuse|power|gpu-part|gpu-full|cpu-full
uses-most-memory: memory usage pct-high -kv|oom|power|gpuuse
uses-most-memory: takes memory-most -kv|oom
uses-most-memory: takes mostly vram -kv|quant|power|core|cpu|oom|gpu-part|gpu-full
uses-most-memory: takes small-model gb -oom|file
uses-most-memory: takes gb idleuse -oom|file|cap
uses-most-memory: takes small-model mostly -oom|file
uses-most-memory: takes|usage gb-far model|weights|quant|small-model -kv|oom|graph|short-have|no-start
uses-most-memory: takes|usage gb-double runner -kv|oom|file
uses-most-memory: lots takes|usage|full small-model|weights|memory -kv|oom|upgrade|slower|before
uses-most-memory: lots full memory model -kv|oom
uses-most-memory: lots vram weights -kv|oom|upgrade|slower|before|capture
uses-most-memory: memory-most loading|small-model|model -kv|oom
uses-most-memory: full|takes mostly small-model -oom|file|kv
uses-most-memory: lots memory usage|takes -kv|oom|before|upgrade
quantized-uses-same: quant same memory takes
quantized-uses-same: quant no-less memory
gauge-low: kv usage>pct-low -idle-line
gauge-low: kv near-zero -usage|perf|slower
gauge-low: kv usage near-zero -prefixcache
gauge-lower-with-cards: kv usage manycards less
asks-how-many: count request|batch|many -stuck|novalue|slower|offered|first
token-count-differs: token kv differs|factor runner
token-count-differs: token compare thousands-pair -window|oom
derived-tokens: token kv differs calc -runner
derived-tokens: token memory differs|calc -runner|quant|oom|window|manycards
worst-case-concurrency: factor token logword thousands -fast|slow
worst-case-concurrency: maxconc factor toofew|ask|request
worst-case-concurrency: maxconc request ask|logword -stuck|slower|offered|perf|flat
engines-compared: compare>runner slow|fast -flat|quant|proxy|manycards|offload
engines-compared: engines rate|fast|slow|compare|differs -proxy|quant
engines-compared: engines ms|seconds delay|first
engines-compared: engines rate|worse
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
cache-full: usage~pct-high wait -gpuuse|memory|power|gpu
queue-grows: wait~pile
queue-grows: queue-many
collapses-when-full: kv|usage full|pct-high collapse perf
collapses-when-full: kv~full slower
context-split-by-slots: slots split context
context-split-by-slots: slots~context -batch|perf
context-split-by-slots: slotword~split
context-split-by-slots: slots context shortof
context-split-by-slots: each~slots context
context-split-by-slots: slots context fail -oom|start
reserved-per-request: each|slots reserve window|mostly|slots|full|thousands
reserved-per-request: outlimit wait|serial|behind|reserve
reserved-per-request: each slots|thousands spike|reserve short|image|outlimit
reserved-per-request: outlimit toofew request
average-use-small: reserve small takes -pct-high|gpu-part
average-use-small: average small takes -pct-high|gpu-part|gpu-full
average-use-small: average reserve|slots
average-use-small: quarter reserve small|thousands -window
average-use-small: reserve slots short
prompts-truncated: prompt~cut
more-cards-slower: <manycards -offload
more-cards-slower: flat manycards
more-cards-slower: onecard>good manycards
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
offload-slow: layers-part slower|falls
copies-to-device: copies
pcie-only: joined
pcie-only: no-nvlink
fits-one-card: fits onecard
low-gpu-use: gpuuse pct-idle
low-gpu-use: gpu-part -promise
low-gpu-use: gpuuse bad
low-gpu-use: gpu~pct-idle busy -kv|memory|power|watts
low-gpu-use: gpu~pct-idle usage -kv|memory
low-gpu-use: gpu~idle -kv|request
cliff-at-batch: cliff batch
cliff-at-batch: batch-pair long-time|ms|seconds -quant|draft|lora|grammar
cliff-at-batch: cliff many delay|decode
cliff-at-batch: atbatch more|slower|factor delay|decode -quant|draft|lora
cliff-at-batch: neighbours slower|cliff|long-time|ms|seconds|factor|jump -versions
cliff-at-batch: capture|graph fallback slower
cliff-at-batch: cliff perf less|slower clients|atbatch|many -draft|quant
settings-overwritten: override settings
settings-overwritten: settings~setsown despite
settings-overwritten: platform settings setsown
adapter-slower: <lora
adapter-slower: merging ms|seconds|rate
grammar-slower: grammar slower|more
grammar-slower: <grammar
drafting-no-gain: draft dissatisfied -many|atbatch
drafting-no-gain: <draft -many|atbatch|direct
drafting-no-gain: draft anygain
drafting-worse-under-load: draft dissatisfied many|atbatch
drafting-worse-under-load: draft rate many
quantized-slower: <quant -kvquant|many|lora|grammar|draft|offload|manycards|chunk|quality|memory|pair
quantized-slower: <quant plain -kvquant|many|lora|grammar|draft|offload|chunk|quality|memory
quantized-slower: quant flat -kvquant|many|memory|lora|draft|quality|promise
quantized-slower: quant less>plain -memory|gb|quality|vram|kvquant
quantized-slower-large-batch: <quant many|batch-many -kvquant
quantized-slower-large-batch: plain>overtake many|batch-many|long
quantized-slower-large-batch: plain>catch
quantized-kv-slower: kvquant slower
kernel-warning: kernelwarn kernel
kernel-warning: missing~moe
cpu-busy: core~pegged -gb
cpu-busy: hostwork long-time|exceeds|more|copies
cpu-busy: cpu-full -ollamaps
cpu-busy: core takes mostly
cpu-busy: hostwork dominate|less|falls -oom
cpu-busy: logprob rate|slower -oom
cpu-busy: hostwork pct-high
cpu-busy: hostwork spike
cpu-busy: hostwork cpu exceeds|slower
unfused-format: unfused
one-at-a-time: serial -inputs|outlimit|compile|firsttime
one-at-a-time: serial~request -outlimit|compile|firsttime
one-at-a-time: only finish request -compile|firsttime|oom|warmup|quant
time-grows-with-requests: request grows time -draft|wait|memory|cliff
time-grows-with-requests: request|batch grows delay|time -cliff|memory|kv|draft|atbatch|neighbours
time-grows-with-requests: batch-span|batch-pair nomore|flat perf -quant|draft|lora
time-grows-with-requests: batch raise flat|nomore perf -quant|draft|lora
time-grows-with-requests: many factor slower -quant|draft|lora|grammar|runner|kvquant|manycards|chunk
time-grows-with-requests: time-follows -quant|draft|lora|kvquant
time-grows-with-requests: sametime seconds later|nobatch -first|manycards|cardnames|firsttime
time-grows-with-requests: both~slow clients -quant|draft|lora
time-grows-with-requests: rate-flat
stuck-below-offered: stuck~request
stuck-below-offered: runs offered above|stuck
stuck-below-offered: stuck~runs -maxconc
stuck-below-offered: toofew runs queue-zero|no-wait|wait
stuck-below-offered: below-pair -draft|quant|lora|layers|oom|factor
stuck-below-offered: many|clients nomore perf|above|beyond -draft|quant|lora|grammar|chunk|manycards|batch-span|runner|kvquant|cardnames|kv|usage
stuck-below-offered: perf|rate|clients ceiling -batch-span|draft|quant|manycards|oom|kv|core|usage
stuck-below-offered: many no-perf above
stuck-below-offered: attime -oom|serial
stuck-below-offered: clients flat perf|rate -draft|quant|lora|grammar|chunk|manycards|batch-span|runner|kvquant|cardnames|kv|usage|settings|upgrade|before|prefixcache|onecard
nothing-waits: queue-zero -idle-line
!nothing-waits: queue-few|queue-many
!gauge-low: kv usage>pct -pct-low
!gauge-low: kv>pct-high
!hit-rate-zero: hit-some
nothing-waits: no-wait
nothing-waits: wait~empty -idle-line
nothing-waits: wait~zero -idle-line|pile
gain-below-advertised: promise factor toofew|pair
gain-below-advertised: promise toofew|shortof gain|perf|factor
gain-below-advertised: promised-more
gain-below-advertised: cardnames little gain|pct|factor|fast -manycards
gain-below-advertised: cardnames flat|equal|both|no-fast seconds|ms|rate|perf|fast -manycards|runner
gain-below-advertised: newcard little|flat|nogain|toofew
gain-below-advertised: cardnames nogain
gain-below-advertised: cardnames pct|factor moved -manycards|gpuuse|usage|kv|memory|slower
gain-below-advertised: toofew factor quant|draft|chunk|upgrade -slower
same-as-other-runner: flat runner -rate|pair
same-as-other-runner: same~runner -memory|token|kv|rate
same-as-other-runner: runner equal perf -rate
same-as-other-runner: runner as-fast
slow-first-token: first~token long-time
slow-first-token: prefill long-time -spike|chunk|manycards|offload|copies|again|lora
first-time-slow: firsttime slower|seconds|minutes|fail|ms|timeout later|fast|works -oom|warmup
first-time-slow: firsttime~compile -oom
first-time-slow: jit -oom|capture|off
first-time-slow: compile firsttime|each|long-time -oom|off|upgrade
first-time-slow: firsttime|pehla fresh seconds|slower|minutes -oom|warmup
spikes-between-tokens: spike prompt arrive
spikes-between-tokens: spike streams prompt
spikes-between-tokens: spike delay -batch|request|many
spikes-between-tokens: spike streams arrive
spikes-between-tokens: behind long|prefill|prompt -outlimit
spikes-between-tokens: spike|behind long|prefill short|others|streams -outlimit|proxy|compare
spikes-between-tokens: spike arrive long|others
spikes-between-tokens: spike|stops output|streams arrive -oom|proxy
spikes-between-tokens: spike delay arrive long
spikes-between-tokens: spike decode|streams prefill -proxy|draft
prompts-recomputed: again process prompt -preempt|evict|serial
prompts-recomputed: again arrive prompt|long -preempt|evict|spike|oom
prompts-recomputed: prompt no-hit -quant
prompts-recomputed: again process|prefill token long|thousands|mostly -preempt|evict|serial
hit-rate-zero: prefixcache>pct-zero -idle-line
hit-rate-zero: prefixcache~zero|empty -idle-line|pct
hit-rate-zero: prefixcache no-hit
hit-rate-zero: zerohits
shared-prefix: shared|same prefix
throughput-goal: goal -oom|fail|killed
chunking-slower: <chunk -spike
chunking-slower: chunk off|no-chunk faster
chunking-slower: no-chunk faster
chunking-slower: slower>no-chunk
chunking-slower: slower chunk>off -draft|graph
prefill-heavy: prompt short output
prefill-heavy: long-short
prefill-heavy: thousands prompt short|classify -wait|behind|spike
engine-alone-fast: direct fast toofew|proxy|server|slower
engine-alone-fast: direct fast slower
engine-alone-fast: direct ms proxy
engine-alone-fast: proxy off|no-proxy fast
engine-alone-fast: samemodel smooth place|fast
engine-alone-fast: offline online slower|more|factor|fast|long-time|grows
engine-alone-fast: direct proxy spike|fast|slower
proxy-in-between: proxy -fail|override
constant-offset: constant each seconds|ms|long-time
constant-offset: constant each more
constant-offset: constant more ms|seconds -grows|token|grammar|draft|lora
constant-offset: more each ms|seconds -grows|token|delay|grammar|draft|lora
slow-decode: rate-low -statline|falls|prompt|prefill|offload|manycards|draft|lora|grammar|runner|many|hostwork|layers-part
slow-decode: token~slow -hostwork|first|prefill|prompt|lora|grammar|draft|manycards|quant|chunk|offload|batch
slow-decode: decode slower|lowperf -cpu|layers-part|hostwork|server|proxy|first|batch|request|prefill|lora|grammar|draft|manycards|quant|chunk|offload
wants-faster: ask~fast -toofew
wants-faster: ask>perf
wants-faster: ask>speed-up
"""
"""``id: term term``, all terms within one sentence. A term is concepts joined by ``|``, one of which must stand there;
``-a|b`` none of them; ``a~b`` close together; ``a>b`` close and in that order; ``no-a`` is ``a`` denied ("a nahi");
``<a``: ``a`` is the slower side of a comparison or, without one, stands in a sentence of slowness.
A row of an ``=id`` names a concept for the rows below it; one of ``!id`` takes that signal from the whole text.
Concepts that are not in ``engine.diagnosis.concepts`` are those of numbers (``engine.diagnosis.figures``)."""

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
