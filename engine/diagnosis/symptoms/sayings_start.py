"""Sentences about start-up, memory, the cache and its slots; rows as in ``engine.diagnosis.symptoms.sayings``."""

ROWS = """
fails-to-start: nostart -turn
fails-to-start: no-start -output|token|turn
fails-to-start: start~fail -running|request|turn
fails-to-start: loading~fail -lora
fails-to-start: hang~start|nccl|nostart -request|fast
fails-to-start: oom~start -running|works|fits|near-zero
fails-to-start: hang~capture|loading -lora
fails-to-start: fail|killed capture -request|eager
fails-to-start: fail after-load
fails-to-start: start~no-finish -request|output|turn
oom-loading: oom~loading -warmup|capture|running|kv|versions
oom-loading: oom|no-fits activepart -running|kv
oom-loading: oom onthefly quant|plain -running|kv|kvquant
oom-loading: killed~loading -request
oom-loading: no-loading memory
oom-loading: weightsonly takes gb card -kv|file|oom
oom-loading: no-fits weightsonly|no-weightsonly
oom-loading: no-start memory~bad
oom-loading: no-fits weights|model memory|card -kv|onecard
oom-loading: no-fits small-model memory|card -kv|onecard
oom-loading: oom notload
oom-loading: notload gb|card|memory -kv|window
oom-loading: oom weights~move -kv|offload|warmup
oom-loading: oom>weightsonly -kv|warmup|capture|running|graph|above|toofew
oom-loading: toobig card|memory model|weightsonly -kv|window|prompt|splitram
oom-loading: toobig~weightsonly -kv|window
oom-loading: oom loading small-model -warmup|capture|running|kv
oom-warmup: oom warmup -gone|overcome
oom-warmup: oom image start|nostart
oom-warmup: warmup none-left -blocks
oom-warmup: warmup~fail
oom-warmup: warmup exceeds card -kv|file
oom-warmup: warmup gb fail|killed
oom-capture: oom graph -gone
oom-capture: capture memory fail
starts-only-eager: eager~works -rate|flat|equal|seconds|capture
starts-only-eager: only start eager -rate
starts-only-eager: eager gone -no-gone|rate
oom-capture: capture|graph gb-grows
oom-capture: capture|graph gb takes more before|exceeds|grows -finish
oom-capture: graph grows|takes none-left
oom-capture: graph gb-double takes -kv|file|weights|model
oom-running: oom running -loading|warmup|capture|gone
oom-running: oom warmup~overcome
oom-running: oom ran -loading|warmup|capture|gone|start|nostart
oom-running: oom server~killed -loading|warmup|capture|gone|start|nostart|utilization|graph|weightsonly|share|share-high
oom-running: oom many|batch|clients works -loading|capture|utilization|share
oom-running: memory~grows each fail -graph
oom-running: memory~grows until fail|oom -graph|start|nostart|capture|loading
oom-running: oom works until -loading|capture|warmup|utilization|share-high|share|perf
oom-running: oom clients|arrive -loading|warmup|capture|gone|start|nostart|works|utilization|graph
oom-running: memory~more runs fail|collapse -draft|start
oom-running: oom long prompt -loading|warmup|capture|gone|start|nostart|utilization
oom-running: oom works long -loading|capture|warmup|utilization|share
oom: memory~exhausted -kv
oom: oom versions -running|gone|warmup|capture
oom: oom upgrade -running|gone|warmup|capture|loading
oom: oom -collapse|loading|warmup|capture|running|gone|works|memshown
oom: memshown fail|killed -running
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
window-exceeds-cache: window thousands-pair toofew -slots|oom
window-exceeds-cache: window kv fail|nostart -oom|slots|request
window-exceeds-cache: kv~toosmall thousands|window -slots|usage
oom-only-near-full: oom only share-high
oom-only-near-full: oom only utilization raise
oom-only-near-full: oom share-high works
allocator-fragmented: fragmented oom -kv
other-process: other-process -arrive|spike|fast|finish
uses-above-cap: takes|memory utilization|cap above gb
uses-above-cap: takes cap above memory
uses-above-cap: cap share share-high takes|usage|memory -oom|tried
uses-above-cap: cap gb-pair -file|kv
uses-above-cap: takes|usage gb share -kv|file|oom|full
uses-above-cap: above~utilization memory
after-upgrade: upgrade fail|oom|no-start|nostart|slower|before
after-upgrade: versions fail|oom|no-start|nostart -utilization|share-high
after-upgrade: upgrade takes gb
after-upgrade: before oom -running|slower
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
layers-left-on-cpu: takes~cpu despite gpu -core|pegged|gpuuse
layers-left-on-cpu: part~cpu model|layers|weights -gpu-part|copies
layers-left-on-cpu: zero~layers card
layers-left-on-cpu: no-offload card|layers
layers-left-on-cpu: splitram split|part|model
layers-left-on-cpu: ask~offload mostly layers -oom
warmup-prefill: warmup prefill fail|oom
uses-most-memory: takes pct-high vram -kv|gpuuse|power|gpu-part|gpu-full|cpu-full
uses-most-memory: memory usage pct-high -kv|oom|power|gpuuse
uses-most-memory: takes memory-most -kv|oom
uses-most-memory: takes mostly vram -ollamaps|fail|warmup|kv|quant|power|core|cpu|oom|gpu-part|gpu-full
uses-most-memory: takes small-model gb -oom|file
uses-most-memory: takes gb idleuse -oom|file|cap
uses-most-memory: memshown -fail|killed|ran|start|loading
uses-most-memory: takes small-model mostly -oom|file|ollamaps
uses-most-memory: takes|usage gb-far model|weights|quant|small-model -kv|oom|graph|short-have|no-start
uses-most-memory: takes|usage gb-double runner -kv|oom|file
uses-most-memory: lots takes|usage|full small-model|weights|memory -kv|oom|upgrade|slower|before|same
uses-most-memory: lots full memory model -kv|oom
uses-most-memory: lots vram weights -kv|oom|upgrade|slower|before|capture
uses-most-memory: memory-most loading|small-model|model -kv|oom
uses-most-memory: full|takes mostly small-model -oom|file|kv|fail
uses-most-memory: lots memory usage|takes -kv|oom|before|upgrade
uses-most-memory: gb-same manycards -kv|oom
uses-most-memory: usage|takes pct-high idleuse -kv|gpu-full|core
uses-most-memory: reserve mostly runner -each|request
uses-most-memory: same~memory small-model -quant|file|kvquant
uses-most-memory: memory~pct-high model|small-model -kv|oom|gpuuse|power|file
uses-most-memory: none-left card small-model|model start -kv|oom|blocks
uses-most-memory: lots takes weightsonly -kv|oom|upgrade|before
quantized-uses-same: quant same memory takes -attempt
quantized-uses-same: quant no-less memory
quantized-uses-same: quant plain same memory usage -attempt|oom|slower
quantized-uses-same: quant same vram takes -oom|slower|attempt
quantized-uses-same: quant same vram gb-far|gb-double
gauge-low: kv usage>pct-low -idle-line
gauge-low: kv near-zero -usage|perf|slower
gauge-low: kv usage near-zero -prefixcache
!gauge-low: kv usage>pct -pct-low
!gauge-low: kv>pct-high
gauge-lower-with-cards: kv usage manycards less
asks-how-many: count request|batch|many -fail|wait|stuck|novalue|slower|offered|first
token-count-differs: token kv differs|factor runner
token-count-differs: token compare thousands-pair -window|oom|slots
derived-tokens: token kv differs calc -runner
derived-tokens: token memory differs|calc -runner|quant|oom|window|manycards
worst-case-concurrency: factor token logword thousands -fast|slow
worst-case-concurrency: maxconc factor toofew|ask|request
worst-case-concurrency: maxconc request ask|logword -stuck|slower|offered|perf|flat
engines-compared: compare>runner slow|fast -flat|quant|proxy|manycards|offload
engines-compared: engines rate|fast|slow|compare|differs -proxy|quant|as-fast
engines-compared: engines ms|seconds delay|first
engines-compared: engines rate|worse
ttft-at-full-rate: atonce first -gpuidle
ttft-at-full-rate: first arrivalrate minutes|grows|jump -wait
preempts: preempt -preempt-zero
preempts: evict request
preempts: bounce runs wait
cache-full: usage>pct-high kv -gpuuse
cache-full: usage>pct-high collapse perf -gpuuse|power
cache-full: usage~pct-high kv -gpuuse|prefixcache|power
cache-full: kv>pct-high -gpuuse|prefixcache|near-zero
cache-full: kv share-high usage -utilization|oom
cache-full: token-usage share-high
cache-full: kv~exhausted
cache-full: nofit context
cache-full: kv~full -pct-idle|pct-low|oom|start
cache-full: usage~pct-high wait -gpuuse|memory|power|gpu
cache-full: usage~pct-high runs -gpuuse|gpu|memory|power|core|cpu
queue-grows: wait~pile -cpu
queue-grows: queue-many
queue-grows: long~queueword -prompt|token|first|output|behind
collapses-when-full: kv|usage full|pct-high collapse perf
collapses-when-full: kv~full slower
collapses-when-full: kv pct-high|full hang
recomputes: preempt|evict again|recompute|prefill
recomputes: request~recompute -prompt
context-split-by-slots: slots split context
context-split-by-slots: slots~context -batch|perf
context-split-by-slots: slotword~split
context-split-by-slots: slots context shortof
context-split-by-slots: each~slots context
context-split-by-slots: slots context fail -oom|start
context-split-by-slots: npflag prompt|context fail|cut|exceeds -oom|start
reserved-per-request: each|slots reserve window|mostly|slots|full|thousands
reserved-per-request: outlimit wait|serial|behind|reserve
reserved-per-request: each slots|thousands spike|reserve short|image|outlimit
reserved-per-request: outlimit toofew request
average-use-small: reserve small takes -pct-high|gpu-part
average-use-small: average small takes -pct-high|gpu-part|gpu-full
average-use-small: average reserve|slots
average-use-small: quarter reserve small|thousands -window|kv
average-use-small: reserve slots short
average-use-small: quarter slots short -kv|split
prompts-truncated: prompt~cut
padding-warning: page-large
"""
