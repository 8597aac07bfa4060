"""What programs print: texts that stand for a signal by themselves, and signals that a line of a log may carry."""

LOGGED = frozenset(
    """
    fails-to-start oom-loading oom-warmup oom-capture oom-running oom no-cache-blocks window-exceeds-cache
    warmup-prefill not-enough-memory-fraction other-process layers-left-on-cpu gauge-low preempts recomputes cache-full
    requests-over-window window-over-model no-bf16 no-kernel-for-format
    queue-grows padding-warning prompts-truncated kernel-warning hit-rate-zero nothing-waits settings-overwritten
    """.split()
)
"""Signals that a line of a log may carry; of the others only people speak."""

_NO_SUPPORT = (
    " is not supported", " isn't supported", " not supported", " support nahi", " supported nahi", " unsupported",
)  # fmt: skip
_NOT_SUPPORTING = ("does not support ", "doesn't support ", "no support for ", "not support ")
"""How people and programs say that a card has no such format, after its name and before it."""

KNOWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("no available memory for the cache blocks", ("no-cache-blocks", "fails-to-start")),
    ("available kv cache memory: -", ("no-cache-blocks",)),
    ("# gpu blocks: 0,", ("no-cache-blocks",)),
    ("maximum context length is", ("requests-over-window", "!window-exceeds-cache", "!fails-to-start")),
    ("longer than the maximum model length", ("requests-over-window", "!window-exceeds-cache", "!fails-to-start")),
    ("is greater than the derived max_model_len", ("window-over-model", "fails-to-start", "!window-exceeds-cache")),
    ("vllm_allow_long_max_model_len", ("!settings-overwritten",)),  # how to set it otherwise is advice
    ("bfloat16 is only supported", ("no-bf16", "fails-to-start")),
    *((f"{name}{end}", ("no-bf16", "fails-to-start")) for name in ("bf16", "bfloat16") for end in _NO_SUPPORT),
    *((f"{head}{name}", ("no-bf16", "fails-to-start")) for name in ("bf16", "bfloat16") for head in _NOT_SUPPORTING),
    ("is not supported for the current gpu", ("no-kernel-for-format", "fails-to-start")),
    ("fp8e4nv not supported in this architecture", ("no-kernel-for-format", "fails-to-start")),
    ("torch._scaled_mm is only supported on", ("no-kernel-for-format", "fails-to-start")),
    *((f"fp8{end}", ("no-kernel-for-format", "fails-to-start")) for end in _NO_SUPPORT),
    *((f"{head}fp8", ("no-kernel-for-format", "fails-to-start")) for head in _NOT_SUPPORTING),
    ("maximum number of tokens that can be stored in kv cache", ("window-exceeds-cache", "fails-to-start")),
    ("larger than the available kv cache memory", ("window-exceeds-cache", "fails-to-start")),
    ("exceeds the capacity of block_manager", ("window-exceeds-cache",)),
    ("increase --mem-fraction-static", ("not-enough-memory-fraction", "fails-to-start")),
    ("increase mem-fraction-static", ("not-enough-memory-fraction", "fails-to-start")),
    ("increase mem_fraction_static", ("not-enough-memory-fraction", "fails-to-start")),
    ("warming up sampler with", ("oom-warmup", "fails-to-start")),
    ("not enough memory to handle", ("warmup-prefill", "oom-warmup", "fails-to-start")),
    ("decrease `--max-batch-prefill-tokens`", ("warmup-prefill", "oom-warmup", "fails-to-start")),
    ("tried to allocate", ("oom",)),
    ("reserved but unallocated", ("oom", "!uses-most-memory")),
    ("allocated by pytorch", ("oom", "!uses-most-memory")),
    ("failed to allocate compute", ("oom", "fails-to-start")),
    ("failed to allocate buffer for kv cache", ("oom", "fails-to-start")),
    ("less than desired gpu memory utilization", ("other-process", "fails-to-start")),
    ("default moe config", ("kernel-warning",)),
    ("performance might be sub-optimal", ("kernel-warning",)),
    ("not fully optimized yet", ("kernel-warning",)),
    ("does not have native support for fp", ("kernel-warning",)),
    ("weight-only fp8 compression", ("kernel-warning",)),
    ("weight-only fp4 compression", ("kernel-warning",)),
    ("cannot use flashattention", ("kernel-warning",)),
    ("preempted by preemptionmode", ("preempts",)),
    ("preemptionmode.recompute", ("preempts", "recomputes")),
    ("retract requests", ("preempts", "cache-full")),
    ("decode out of memory happened", ("preempts", "cache-full", "!oom", "!oom-running")),
    ("decode out of memory", ("oom-running",)),
    ("enginecore encountered a fatal error", ("!fails-to-start", "!oom-loading", "!oom-warmup", "!oom-capture")),
    ("enginecore failed to start", ("fails-to-start",)),
    ("estimated maximum model length is", ("window-exceeds-cache", "fails-to-start")),
    ("cuda extension not installed", ("kernel-warning",)),
    ("skip module injection", ("kernel-warning",)),
    ("padding layers", ("padding-warning",)),
    ("engine core initialization failed", ("fails-to-start",)),
    ("input is too long and was truncated", ("prompts-truncated",)),
)
"""Texts that engines print, as fragments in lower case."""
