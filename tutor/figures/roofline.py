"""The roofline: where decode and prefill of one model stand under the roof of one card, on logarithmic axes.

D and P stand where a usual step does, below the roof; small letters are the same steps with lighter weights (W4A16) and
with 8-bit math. Left of the ridge a step waits for bytes, right of it for math.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import precision
from tutor.figures.parameters import Parameter
from tutor.figures.roofline_rows import notice, paint
from tutor.figures.served import Look, asked, look, setup_of
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, exact_number, moved, number, put, step, whole, word

BATCHES = tuple(2**n for n in range(13))
LENGTHS = tuple(2**n for n in range(7, 18))
FORMATS = ("bf16", "w8a8", "fp8", "w4a16")
"""What the format key walks, those that the card multiplies as they are or unpacks to 16 bits."""
CARDS = ("T4", "L4", "A100 SXM 80GB", "H100 SXM 80GB", "H200 SXM 141GB", "MI300X", "B200 SXM")
_KV = (Fraction(1, 2), Fraction(1), Fraction(2))


# --- keys ------------------------------------------------------------------------------------------------------------


def _next_card(state: State) -> State:
    """The next card of the list; after the last comes the first."""
    place = CARDS.index(word(state, "gpu")) if word(state, "gpu") in CARDS else -1
    return put(state, gpu=CARDS[(place + 1) % len(CARDS)])


def _next_format(state: State) -> State:
    """The next weight format that the card can make something of."""
    from engine.catalog import gpu
    from tutor.figures.served import faster

    card = gpu(word(state, "gpu"))
    ring = [name for name in FORMATS if name in ("bf16", "w4a16") or faster(name, card)]
    place = ring.index(word(state, "weights")) if word(state, "weights") in ring else -1
    return put(state, weights=ring[(place + 1) % len(ring)])


# --- state -----------------------------------------------------------------------------------------------------------


def clean(state: State, given: Mapping[str, object]) -> State:
    """Names as the catalogue has them, sizes within bounds; a size alone stands for a model of that size.

    Raises ``ValueError`` for a model, card or format that no step can be computed of, with its name.
    """
    if "N" in given and "model" not in given:
        state = put(state, model="")
    if word(state, "model") or whole(state, "N") < 1:
        state = put(state, N=0, model=word(state, "model") or MODEL)
    size = {name: between(whole(state, name), 1, most) for name, most in _BOUNDS.items()}
    state = put(state, **size, p=max(_KV[0], min(Fraction(4), exact_number(state["p"]))))
    return _named(state)


def _named(state: State) -> State:
    """The state with full names. Raises ``ValueError``."""
    from engine import precision as formats
    from engine.catalog import NoValues, gpu

    try:
        card, form = gpu(word(state, "gpu")), formats.find(word(state, "weights"))
    except LookupError as error:
        name = "weights" if isinstance(error, formats.UnknownFormat) else "gpu"
        raise ValueError(f"{name} = {word(state, name)!r}") from error
    if not card.peak_flops or form.computes == "32-bit":
        name = "weights" if card.peak_flops else "gpu"
        raise ValueError(f"{name} = {word(state, name)!r}")
    state = put(state, gpu=card.name, weights=form.name)
    try:
        model = setup_of(state).model
        look(state)
    except (LookupError, NoValues) as error:
        name = "model" if word(state, "model") else "N"
        raise ValueError(f"{name} = {word(state, name)!r}") from error
    return put(state, model=model.id) if word(state, "model") else state


MODEL = "meta-llama/Llama-2-7b-hf"
_BOUNDS = {"B": 4096, "S": 2**20, "P": 2**20}


# --- commands --------------------------------------------------------------------------------------------------------


def commands(state: State) -> Sequence[Shell]:
    """The diagnosis of this load, then the ridge, what fits, and the place of both steps."""
    seen = look(state)
    made = [diagnosis(state), command("ridge", {"peak_flops": seen.peak, "bandwidth": seen.bandwidth})]
    fitting = _fitting(state, seen)
    made += [command("batch_that_fits", fitting)] if fitting else []
    for one in (seen.decode, seen.prefill):
        made.append(command("arithmetic_intensity", {"flops": one.flops, "bytes_moved": one.bytes_moved}))
    return made


def _fitting(state: State, seen: Look) -> Mapping[str, Fraction | int]:
    """What the formula for the requests that fit is given; nothing where it is not as simple as that."""
    from tutor.figures.numbers import calc

    model = setup_of(state).model
    sizes: dict[str, Fraction | int] = {
        "capacity": seen.capacity, "N": seen.weights / 2, "p_w": 2, "S": whole(state, "S"), "L": model.full_layers,
        "n_kv_heads": model.kv_heads, "d_head": model.head_dim, "p": number(state, "p"),
    }  # fmt: skip
    if not seen.fits or word(state, "weights") not in ("bf16", "fp16"):
        return {}
    return sizes if calc("batch_that_fits", **sizes) == seen.fits else {}


def diagnosis(state: State) -> Shell:
    """The same load for the diagnoser; with half of the answer written its requests are as long as in the figure."""
    prompt, answer = asked(state)
    size = ("--params-b", f"{whole(state, 'N') / 10**9:g}")
    named = ("--model", word(state, "model")) if word(state, "model") else size
    cache = () if number(state, "p") == 2 else ("--kv", precision(number(state, "p"), kv=True).lower())
    return Shell((
        "diagnose", *named, "--gpu", word(state, "gpu"), "--weights", word(state, "weights"), *cache,
        "--prompt", str(prompt), "--output", str(answer), "--concurrency", str(whole(state, "B")),
    ))  # fmt: skip


def _length(by: int, state: State) -> State:
    return moved(state, "S", LENGTHS, by)


FIGURE = Figure(
    "roofline",
    {
        "model": MODEL, "N": 0, "gpu": "A100 SXM 80GB", "weights": "bf16", "p": Fraction(2), "B": 16, "S": 1024,
        "P": 512, "hide": (),
    },
    (
        FigureKey("right", step("B", BATCHES, 1), "roofline.key.more"),
        FigureKey("left", step("B", BATCHES, -1), "roofline.key.fewer"),
        FigureKey("up", partial(_length, 1), "roofline.key.longer"),
        FigureKey("down", partial(_length, -1), "roofline.key.shorter"),
        FigureKey("unit", _next_format, "roofline.key.format", part="variants"),
        FigureKey("switch", _next_card, "roofline.key.card"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("model", "model"),
        Parameter("gpu", "gpu"),
        Parameter("weights", "choice", choices=(*FORMATS, "int8", "awq", "nvfp4", "q4_k_m"), part="variants"),
        Parameter("p", "format", _KV[0], 4, ladder=_KV, called="kv-format"),
        Parameter("B", "count", 1, _BOUNDS["B"], BATCHES),
        Parameter("S", "count", 1, _BOUNDS["S"], LENGTHS),
        Parameter("P", "count", 1, _BOUNDS["P"], LENGTHS),
    ),
    commands=commands,
)  # fmt: skip
