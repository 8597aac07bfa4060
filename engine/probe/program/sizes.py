"""How large everything is: pure functions of a device's facts, its free memory and what was asked.

Sizes decide what is measured. Weights and caches are at least eight times the last-level cache, so that nothing of a
step survives to the next one in it: an L40S reads weights that fit its 96 MB at twice the speed of its memory. And
they are large, since a matrix of 8 to 32 MB reaches half of what one of 512 MB does.
"""

from __future__ import annotations

from math import ceil

from .model import Case, Facts, Plan, Request, Shape

MB, GB = 10**6, 10**9
MIB = 1 << 20
ITEM = {"bf16": 2, "fp16": 2, "fp32": 4, "fp8": 1, "int8": 1}
"""Bytes of one number."""
MADE = {"bf16": 2, "fp16": 2, "fp32": 4, "fp8": 2, "int8": 4}
"""Bytes of one number of a product: 8-bit factors make BF16, or INT32."""

WEIGHTS = 2 * GB
CACHES = GB
SCRATCH = 320 * MB
BUFFER = 512 * MB
"""Bytes of the weights, of the caches, of scratch at most; and of a buffer that bandwidth is measured on, at least."""
ROTATION = 8
"""Times the last-level cache that a step reads, so that it comes from memory."""
STEP, CPU_STEP = 0.006, 0.015
"""Share of the time that a step of the largest usual batch may take, 512 and 128: the sweep, whose smaller batches come
to as much again, has a quarter of the time."""
LITTLE = GB
"""Free bytes under which sizes shrink so far that the knee may be off by 30 %."""
NEEDED = 192 * MB
"""Free bytes under which nothing is measured."""

LARGE = Shape(4096, 14336, 32, 8, 128, True)
MIDDLE = Shape(2048, 8192, 16, 4, 128, True)
SMALL = Shape(1536, 4096, 12, 4, 128, True)
PROCESSOR = Shape(1024, 2816, 16, 4, 64, True)
TINY = Shape(512, 1408, 8, 2, 64, True)
CPU_LEAST, CPU_MOST = 96 * MB, 192 * MB
"""Weights of a processor's stack: three to six times the cache of the one on which the knee was stable."""
CPU_CACHES = 128 * MB
CPU_SCRATCH = 96 * MB


def rotation(facts: Facts) -> int:
    """Bytes that a step must read for none of them to come from the cache.

    Where the cache's size is not told, or leaves out AMD's Infinity Cache (256 MB on MI300X), 512 MB.
    """
    if facts.kind == "cpu":
        return 3 * (facts.cache or 32 * MIB)
    known = ROTATION * (facts.cache or 0)
    return known if facts.cache and facts.backend == "cuda" else max(known, BUFFER)


def plan(facts: Facts, free: int, dtype: str, request: Request, rate: float | None = None) -> Plan:
    """The stack and its memory. ``rate``: FLOP/s of a trial, which bounds the stack of a slow device."""
    if facts.kind == "cpu":
        return _processor(facts, free, dtype, request, rate)
    item, share = ITEM[dtype], int(free * 0.35)
    room = min(WEIGHTS, share, _computed(request.seconds * STEP, rate, 512) * item)
    shape, origin = _default(facts, free, room // item, share // item)
    if request.shape is not None:
        fits = request.shape.parameters * item <= share
        shape, origin = (request.shape, "case") if fits else (shape, "reduced")
    layer = shape.parameters * item
    layers = _layers(layer, room, share, rotation(facts), request.layers if origin == "case" else None)
    return Plan(dtype, shape, layers, layer, _aligned(min(CACHES, free // 4)), min(SCRATCH, free // 8), origin)


def _default(facts: Facts, free: int, wanted: int, most: int) -> tuple[Shape, str]:
    """The probe's own shape: as large as memory and time (``wanted`` parameters) allow, at least one that fits."""
    shapes = [LARGE, MIDDLE, SMALL, TINY]
    if free < 2 * GB or facts.slice is not None:
        shapes = shapes[2:]
    elif free < 6 * GB:
        shapes = shapes[1:]
    fitting = [shape for shape in shapes if shape.parameters <= most] or [TINY]
    quick = [shape for shape in fitting if shape.parameters <= wanted and shape is not TINY]
    found = quick[0] if quick else min(fitting, key=lambda shape: (shape is TINY, shape.parameters))
    return found, "default" if found is LARGE else "reduced"


def _layers(layer: int, room: int, share: int, rotated: int, most: int | None) -> int:
    """As many as the weights' memory holds and the model has, but enough to leave the cache behind where that fits."""
    wanted = room // layer if most is None else min(room // layer, most)
    enough = min(ceil(rotated / layer), share // layer)
    return max(1, wanted, enough)


def _computed(seconds: float, rate: float | None, batch: int) -> int:
    """Parameters of a stack that computes a step of ``batch`` tokens in so many seconds."""
    return int(seconds * rate / (2 * batch)) if rate else WEIGHTS


def _processor(facts: Facts, free: int, dtype: str, request: Request, rate: float | None) -> Plan:
    item = ITEM[dtype]
    room = min(max(CPU_LEAST, min(CPU_MOST, 4 * (facts.cache or 0))), int(free * 0.35))
    room = min(room, _computed(request.seconds * CPU_STEP, rate, 128) * item)
    shape, origin = PROCESSOR, "default"
    if request.shape is not None:
        fits = request.shape.parameters * item <= room
        shape, origin = (request.shape, "case") if fits else (PROCESSOR, "reduced")
    if shape.parameters * item > room:
        shape, origin = TINY, "reduced"
    layer = shape.parameters * item
    layers = max(1, room // layer)
    if origin == "case" and request.layers:
        layers = min(layers, request.layers)
    return Plan(dtype, shape, layers, layer, _aligned(min(CPU_CACHES, free // 4)), min(CPU_SCRATCH, free // 8), origin)


def _aligned(size: int) -> int:
    return size // 4096 * 4096


def buffer(facts: Facts, made: Plan, times: int = 1) -> tuple[int, int]:
    """Bytes to copy and bytes to read, out of the weights' memory; ``times``: enlarged, when the cache showed."""
    wanted = times * max(BUFFER if facts.kind != "cpu" else CPU_LEAST, rotation(facts))
    return _aligned(min(wanted, made.weight_bytes // 2)), _aligned(min(wanted, made.weight_bytes))


def fits_product(made: Plan, dtype: str, n: int) -> bool:
    """Whether both factors and the product find room in the weights' memory."""
    return n * n * (2 * ITEM[dtype] + MADE[dtype]) <= made.weight_bytes


def work(made: Plan) -> int:
    """Bytes of scratch for a decode step's own buffers. The rest is the libraries': work spaces of the matrix kernels
    (32 MB a stream on Hopper) and attention's results, which nothing lets us place."""
    return _aligned(made.scratch * 2 // 5)


def activations(made: Plan, tokens: int) -> int:
    """Bytes of the buffers between the matrices."""
    return made.shape.activations * tokens * ITEM[made.dtype]


def most_tokens(made: Plan, prompt: bool) -> int:
    """Tokens whose activations find room: a prompt's in the caches' memory, which no prompt uses."""
    room = max(work(made), made.kv_budget) if prompt else work(made)
    return room // activations(made, 1)


def cache_bytes(made: Plan, batch: int, context: int) -> int:
    """Bytes of one layer's KV cache."""
    return batch * context * made.shape.cached * ITEM[made.dtype]


def cache_layers(facts: Facts, made: Plan, batch: int, context: int) -> int:
    """Distinct caches that attention alone goes over: enough to leave the processor's cache behind; 0: none fits."""
    one = cache_bytes(made, batch, context)
    return min(max(made.layers, ceil(rotation(facts) / one)), made.kv_budget // one)


def case(made: Plan, asked: Case) -> tuple[int, int, int]:
    """Batch, context and layers of the workload's step. The batch shrinks first, then the context, to fit one layer."""
    batch, context = min(asked.batch, most_tokens(made, prompt=False)), asked.context
    while batch > 1 and cache_bytes(made, batch, context) > made.kv_budget:
        batch //= 2
    context = min(context, made.kv_budget // cache_bytes(made, 1, 1))
    return batch, context, min(made.layers, made.kv_budget // cache_bytes(made, batch, context))


def linear_flops(made: Plan, tokens: int, layers: int | None = None) -> int:
    """Of the matrices: 2 a weight and token."""
    return 2 * made.shape.parameters * tokens * (made.layers if layers is None else layers)


def attention_flops(made: Plan, pairs: int, layers: int) -> int:
    """Of attention: 4 a pair of query and key, head and its width (product with keys, product with values)."""
    return 4 * pairs * made.shape.n_head * made.shape.d_head * layers


def causal_pairs(tokens: int) -> int:
    """Pairs of a query and a key in a prompt: each token with those before it and itself."""
    return tokens * (tokens + 1) // 2
