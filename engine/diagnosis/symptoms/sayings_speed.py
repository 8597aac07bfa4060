"""Sentences about links, the host, the load, prompts and speed; rows as in ``engine.diagnosis.symptoms.sayings``."""

ROWS = """
more-cards-slower: <manycards -offload
more-cards-slower: flat manycards
more-cards-slower: manycards grows~time -request|batch|loading|start|warmup
more-cards-slower: notgood~onecard -oom
more-cards-slower: onecard>good manycards
more-cards-slower: manycards pct less>onecard
more-cards-slower: manycards little pct fast|gain -offload|cardnames
more-cards-slower: manycards slower>onecard -offload
extremely-slow: rate-tiny -statline|prefill
extremely-slow: token-tiny
extremely-slow: token~seconds -first|prefill|spike
extremely-slow: output|token minutes -rate|thousands|request|first
extremely-slow: no-finish minutes
extremely-slow: forever output -first|start|loading
collectives-slow: collective dominate|slower|long-time|ms|pct|exceeds|mostly -fail|hang|oom|start|nostart|timeout
slow-link: lanes collective -start|nostart|loading|timeout
slow-link: lanes slower|rate-low|long-time -start|nostart|loading|timeout
low-power-on-cards: power busy toofew|less|bad|watts
low-power-on-cards: lowpower busy
low-power-on-cards: watts busy|each|toofew
offload-slow: <offload
offload-slow: offload rate-low
offload-slow: layers-part slower|falls
copies-to-device: copies
copies-to-device: weights~move joined
copies-to-device: weights~move each
pcie-only: joined -weights
pcie-only: no-nvlink
fits-one-card: fits onecard
low-gpu-use: gpuuse pct-idle
low-gpu-use: gpu-part -promise
low-gpu-use: gpuuse bad
low-gpu-use: gpu~pct-idle busy -kv|memory|power|watts
low-gpu-use: gpu~pct-idle usage -kv|memory
low-gpu-use: gpu~idle -kv|request
low-gpu-use: cardidle -kv
low-gpu-use: idle~kernel
low-gpu-use: gapword kernel|decode|delay|gpu
low-gpu-use: gpu~unused -memory|kv|settings
low-gpu-use: gpuuse near-zero|zero -kv|memory
low-gpu-use: no-gpuuse
low-gpu-use: gpu usage third -memory|kv
cliff-at-batch: cliff batch -samplework
cliff-at-batch: rate-collapse rate -draft|lora|grammar
cliff-at-batch: batch-pair long-time|ms|seconds -quant|draft|lora|grammar
cliff-at-batch: cliff many delay|decode
cliff-at-batch: atbatch more|slower|factor delay|decode -quant|draft|lora
cliff-at-batch: neighbours slower|cliff|long-time|ms|seconds|factor|jump -versions
cliff-at-batch: capture|graph fallback slower
cliff-at-batch: cliff perf less|slower clients|atbatch|many -draft|quant
cliff-at-batch: collapse perf atbatch -kv|usage|quant
settings-overwritten: override settings
settings-overwritten: settings~setsown despite
settings-overwritten: platform settings setsown
adapter-slower: <lora
adapter-slower: merging ms|seconds|rate
adapter-slower: lora factor -fast|memory
adapter-slower: lora pct less -memory
grammar-slower: grammar slower|more
grammar-slower: <grammar
grammar-slower: grammar seconds|rate|ms without|no-grammar
grammar-slower: grammar first seconds
grammar-slower: grammar factor -fast
drafting-no-gain: draft dissatisfied -many|atbatch
drafting-no-gain: <draft -many|atbatch|direct
drafting-no-gain: draft anygain
drafting-worse-under-load: draft dissatisfied many|atbatch
drafting-worse-under-load: draft rate many
drafting-worse-under-load: draft bad many
quantized-slower: <quant -kvquant|many|lora|grammar|draft|offload|manycards|chunk|quality|memory|pair
quantized-slower: <quant plain -kvquant|many|lora|grammar|draft|offload|chunk|quality|memory
quantized-slower: quant flat -kvquant|many|memory|lora|draft|quality|promise
quantized-slower: quant less>plain -memory|gb|quality|vram|kvquant|many|batch-many
quantized-slower: quant more~delay -kvquant|many|runner
quantized-slower: quant grows~time -kvquant|many|runner
quantized-slower-large-batch: <quant many|batch-many -kvquant
quantized-slower-large-batch: plain>overtake many|batch-many|long
quantized-slower-large-batch: plain>catch
quantized-slower-large-batch: quant less>plain many|batch-many
quantized-slower-large-batch: <quant one-user fast|works|good
quantized-kv-slower: kvquant slower
quantized-kv-slower: <kvquant
kernel-warning: kernelwarn kernel
kernel-warning: missing~moe
cpu-busy: core~pegged -gb|ollamaps
cpu-busy: hostwork long-time|exceeds|more|copies
cpu-busy: cpu-full -ollamaps
cpu-busy: core takes mostly
cpu-busy: hostwork dominate|less|falls -oom
cpu-busy: logprob rate|slower -oom
sampling-slower: samplework slower|collapse|rate|falls -oom
sampling-slower: no-samplework fast|works -oom
cpu-busy: hostwork pct-high
cpu-busy: hostwork spike
cpu-busy: hostwork cpu exceeds|slower
cpu-busy: hostwork takes ms|seconds
cpu-busy: dominate|mostly pycode time|takes
unfused-format: unfused
one-at-a-time: serial -inputs|outlimit|compile|second-one
one-at-a-time: serial~request -outlimit|compile|second-one
one-at-a-time: nextone request timeout -oom|firsttime|compile
one-at-a-time: only finish request -compile|firsttime|oom|warmup|quant
one-at-a-time: untilword finish output|request -compile|oom|prefill|long
one-at-a-time: nextone start finish -compile|oom|firsttime
time-grows-with-requests: request grows time -neighbours|draft|wait|memory|cliff
time-grows-with-requests: request|batch grows delay|time -cliff|memory|kv|draft|atbatch|neighbours
time-grows-with-requests: batch-span|batch-pair nomore|flat perf -quant|draft|lora|manycards
time-grows-with-requests: batch raise flat|nomore perf -quant|draft|lora|manycards
time-grows-with-requests: many factor slower -act|runner
time-grows-with-requests: time-follows -neighbours|quant|draft|lora|kvquant
time-grows-with-requests: sametime seconds later|nobatch -first|manycards|cardnames|firsttime
time-grows-with-requests: both~slow clients -quant|draft|lora
time-grows-with-requests: rate-flat
time-grows-with-requests: clients|sametime|batch factor delay|time -act|atbatch|first|prompt|runner
time-grows-with-requests: clients|sametime more~delay seconds|ms|factor -act|prompt|first|atbatch|cliff|runner
time-grows-with-requests: doubles clients delay|time|slower -draft|quant|lora|neighbours|batch
time-grows-with-requests: jitne clients slower|delay|more
time-grows-with-requests: count-list less|slower|falls -act|batch-many
time-grows-with-requests: each clients more slower -act|runner|constant|token
time-grows-with-requests: clients grows perf less|slower|falls -act|batch|runner|kv|usage
time-grows-with-requests: each request grows takes -act|memory|kv|runner|cap
time-grows-with-requests: clients factor wait -act|runner|first|cardnames
time-grows-with-requests: time grows~single -act|runner
stuck-below-offered: stuck~request -core|works
stuck-below-offered: runs offered above|stuck
stuck-below-offered: stuck~runs -maxconc
stuck-below-offered: toofew runs queue-zero|no-wait|wait
stuck-below-offered: below-pair -draft|quant|lora|layers|oom|factor
stuck-below-offered: many|clients nomore|no-gain|no-fast perf|above|beyond -replica|act|runner|cardnames|kv|usage|batch
stuck-below-offered: perf|rate|clients ceiling -batch-span|draft|quant|manycards|oom|kv|core|usage
stuck-below-offered: many no-perf above
stuck-below-offered: attime -oom|serial
stuck-below-offered: clients flat perf|rate -replica|act|batch-span|runner|cardnames|kv|usage|changed|onecard|batch
stuck-below-offered: more~clients nomore|noeffect -act|settings|oom|runner
stuck-below-offered: capword~connections
stuck-below-offered: clients no-help|nogain|noeffect beyond|more -act|settings
stuck-below-offered: clients same|flat token whole -act|runner|memory|kv
stuck-below-offered: many no-gain|nogain -replica|act|runner|batch|settings|onecard|cardnames
stuck-below-offered: same perf clients -act|runner|settings|batch|kv|usage|cardnames|onecard|before
nothing-waits: queue-zero -idle-line
!nothing-waits: queue-few|queue-many
nothing-waits: no-wait
nothing-waits: wait~empty -idle-line|pile
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
gain-below-advertised: cardnames little perf -manycards|runner
gain-below-advertised: cards-close
gain-below-advertised: gain|fast pct factor shortof
gain-below-advertised: promise mismatch perf
gain-below-advertised: promise pct|factor jump -less|kv
gain-below-advertised: promise shortof|less results
gain-below-advertised: promise grows|factor little|pct -no-gain
gain-below-advertised: newcard nogain|no-gain|not-worth
same-as-other-runner: flat runner -rate|pair|attempt
same-as-other-runner: same~runner -memory|token|kv|rate|attempt
same-as-other-runner: runner equal perf -rate
same-as-other-runner: runner as-fast
same-as-other-runner: runners-close
slow-first-token: first~token long-time
slow-first-token: prefill long-time -others|spike|chunk|manycards|offload|copies|again|lora
slow-first-token: first~token wait -request|behind
slow-first-token: wait seconds streams fast
slow-first-token: silence first|token|output|seconds
first-time-slow: firsttime slower|seconds|minutes|fail|ms|timeout later|fast|works -oom|warmup
first-time-slow: firsttime compile -oom
first-time-slow: jit -oom|capture|off
first-time-slow: compile firsttime|each|long-time -oom|off|upgrade
first-time-slow: firsttime|pehla fresh seconds|slower|minutes -oom|warmup
first-time-slow: once fast slower
first-time-slow: coldstart
first-time-slow: firsttime delay bad|more|slower -oom
first-time-slow: warmup slower|seconds|minutes later|fast -oom|fail
first-time-slow: after-first fast
first-time-slow: newshape compile
spikes-between-tokens: spike prompt arrive
spikes-between-tokens: wordwise spike -oom
spikes-between-tokens: spike streams prompt
spikes-between-tokens: spike delay -batch|request|many|kv
spikes-between-tokens: spike streams arrive
spikes-between-tokens: behind long|prefill|prompt -outlimit
spikes-between-tokens: spike|behind long|prefill|thousands short|others|streams -outlimit|proxy|compare
spikes-between-tokens: spike arrive long|others
spikes-between-tokens: spike|stops output|streams arrive -oom|proxy
spikes-between-tokens: spike delay arrive long -atonce
spikes-between-tokens: spike decode|streams prefill -proxy|draft
spikes-between-tokens: spike long prompt clients|others -outlimit|proxy
spikes-between-tokens: streams|others slower|collapse prefill -first|act|batch
spikes-between-tokens: stops output|token|streams prompt|long -oom|fail
prompts-recomputed: again process prompt -preempt|evict|serial
prompts-recomputed: again arrive prompt|long -preempt|evict|spike|oom
prompts-recomputed: prompt no-hit -quant
prompts-recomputed: again process|prefill token long|thousands|mostly -preempt|evict|serial
!hit-rate-zero: hit-some
hit-rate-zero: prefixcache>pct-zero -idle-line|statline
hit-rate-zero: prefixcache~zero|empty -idle-line|pct
hit-rate-zero: prefixcache no-hit
hit-rate-zero: zerohits
hit-rate-zero: prefixcache~noeffect|no-gain|nogain -oom
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
prefill-heavy: classify short token|output
prompts-fill-steps: prefill dominate|mostly batch|wait -slower|memory
replicas-no-gain: replica flat|nomore|no-gain|nogain|little|no-perf
replicas-no-gain: replica noeffect perf|rate
engine-alone-fast: direct fast toofew|proxy|server|slower
engine-alone-fast: direct fast slower
engine-alone-fast: direct ms proxy
engine-alone-fast: proxy off|no-proxy fast
engine-alone-fast: samemodel smooth place|fast
engine-alone-fast: offline online slower|more|factor|fast|long-time|grows|rate
engine-alone-fast: direct proxy spike|fast|slower|seconds
engine-alone-fast: works|fast proxy slower -oom|fail|nostart
proxy-in-between: proxy -fail|override
constant-offset: constant each seconds|ms|long-time
constant-offset: constant each more
constant-offset: constant more ms|seconds -grows|token|grammar|draft|lora
constant-offset: more each ms|seconds -neighbours|grows|token|delay|grammar|draft|lora
slows-with-context: longer-chat slower|collapse|less -first|oom|prefill|fail|again
slow-decode: wordwise slower -spike|oom
slow-decode: rate-low -addon|statline|falls|prompt|prefill|runner|many|hostwork|layers-part
slow-decode: token~slow -act|hostwork|first|prefill|prompt|offload|batch
slow-decode: decode slower|lowperf -addon|act|onecard|cpu|layers-part|hostwork|server|proxy|first|batch|request|prefill
wants-faster: ask~fast -toofew
wants-faster: ask>perf
wants-faster: ask>speed-up
regression: regress -chunk|draft
regression: upgrade slower
regression: version~fast
regression: before slower
regression: before~fast
regression: version fast compare
regression: before upgrade perf|rate|faster|slower
regression: before upgrade seconds|ms
regression: before version rate|ms|seconds
regression: rolledback gone|works|fast|help
regression: versions slower|fast|less -utilization
regression: before upgrade less
regression: upgrade lowperf
"""
