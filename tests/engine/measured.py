"""How well the roofline predicts speeds that others measured: ``python -m tests.engine.measured``.

For every row of data/measured.json that names what it needs, the predicted time with its band, from the catalogue's
card and the efficiencies of its group alone. Prints the share of rows inside the band and the median error, by level,
phase and vendor, and why rows were left out. Not a test: test_roofline.py holds the floor under which it must not fall.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from engine import flops, roofline
from engine.catalog import AmbiguousName, Gpu, UnknownName, gpu, model
from engine.efficiency import KERNEL, KERNEL_MATH, Band, efficiency, llama_unit
from engine.precision import Unit

MODELS = {"Llama-2-7B Q4_0": "llama-2-7b", "Qwen3-4B": "Qwen/Qwen3-4B", "Mistral-7B F16": "mistralai/Mistral-7B-v0.1"}
UNITS: dict[str, Unit] = {"W8A8 fp8": "fp8", "W8A8 int8": "int8"}
MATRICES = ((8192, 16384), (16384, 8192))
ATTENTION = {"heads": 32, "kv_heads": 8, "width": 128}


class Row(NamedTuple):
    """A row with what was predicted for it, in seconds."""

    name: str
    group: tuple[str, str, str]
    measured: float
    predicted: Band

    @property
    def inside(self) -> bool:
        return self.predicted.low <= self.measured <= self.predicted.high

    @property
    def error(self) -> float:
        """Predicted over measured, minus one."""
        return float(self.predicted.mid) / self.measured - 1


class Left(Exception):
    """Why a row is left out."""


def rows() -> Iterator[dict[str, Any]]:
    data = json.loads((Path(__file__).parent / "data" / "measured.json").read_text(encoding="utf-8"))
    for source in data["sources"].values():
        yield from source


def card(row: dict[str, Any]) -> Gpu | None:
    """The row's card; of an ambiguous name the first whose bandwidth is the row's; ``None`` for one we do not list."""
    if "gpu" not in row:
        raise Left("card not named")
    try:
        return gpu(row["gpu"])
    except AmbiguousName as error:
        same = [one for one in map(gpu, error.options) if one.bandwidth == row.get("mem_bw_gbs", 0) * 10**9]
        if not same:
            raise Left("card ambiguous") from None
        return same[0]
    except UnknownName:
        return None


def predicted(row: dict[str, Any]) -> tuple[float, Band]:
    """The measured seconds of a row and the predicted ones. Raises ``Left``."""
    if row["level"] == "serving":
        raise Left("throughput of prompts and answers together")
    found = card(row)
    if row["level"] == "kernel":
        if found is None:
            raise Left("card not in the catalogue")
        return _attention(row, found) if "attention" in row["model"] else _matrices(row, found)
    if row["model"] not in MODELS:
        raise Left("model or format not given well enough")
    return _prefill(row, found) if row["phase"] == "prefill" else _decode(row, found)


def _decode(row: dict[str, Any], found: Gpu | None) -> tuple[float, Band]:
    entry = model(MODELS[row["model"]])
    bits, batch = Fraction(str(row["weights_bits"])), row["batch"]
    context = max(1, row.get("context", 512) // 2) if "llama.cpp" in row["engine"] else row.get("context", 512)
    embedding = 0 if entry.tied else entry.vocab * entry.d_model * bits / 8
    pieces = (flops.decode(batch, context),)
    asked = roofline.demand(
        entry, pieces, Fraction(str(row["weights_gb"])) * 10**9 - embedding, flops.kv_traffic(entry, pieces)
    )
    bandwidth = found.bandwidth if found else int(row["mem_bw_gbs"] * 10**9)
    sheet = roofline.Ceilings(bandwidth, found.peak_flops if found else None, found.peak_flops if found else None)
    reached = efficiency(row["vendor"], found.architecture if found else None, bits)
    return batch / row["tokens_per_s"], roofline.step(asked, sheet, reached).time


def _prefill(row: dict[str, Any], found: Gpu | None) -> tuple[float, Band]:
    if found is None:
        raise Left("card not in the catalogue")
    entry = model(MODELS[row["model"]])
    bits, prompt = Fraction(str(row["weights_bits"])), row["context"]
    llama = "llama.cpp" in row["engine"]
    unit: Unit = llama_unit(found, bits) if llama else "16-bit"
    sheet = roofline.ceilings(found, unit)
    if sheet.peak is None:
        raise Left("rate of the card not known")
    pieces = (flops.prefill(prompt),)
    asked = roofline.demand(
        entry, pieces, Fraction(str(row["weights_gb"])) * 10**9, flops.kv_traffic(entry, pieces), cards=1
    )
    reached = efficiency(row["vendor"], found.architecture, bits, unit, "llama.cpp" if llama else "serving")
    return prompt / row["tokens_per_s"], roofline.step(asked, sheet, reached).time


def _matrices(row: dict[str, Any], found: Gpu) -> tuple[float, Band]:
    unit = next((unit for note, unit in UNITS.items() if row["note"].startswith(note)), "16-bit")
    bits, tokens = row["weights_bits"], row["batch"]
    p_act = "3/2" if unit != "16-bit" else 2  # 8-bit in, 16-bit out
    parts = [flops.matrix(*shape, tokens, Fraction(bits, 8), p_act) for shape in MATRICES]
    rate = roofline.peak(found, unit)
    if rate is None:
        raise Left("rate of the card not known")
    reached = efficiency(found.vendor, found.architecture, bits, unit)
    times = []
    for fixed, memory, math in zip(
        KERNEL["matrix"][:3], reversed(reached.weights[:3]), reversed(KERNEL_MATH[unit][:3]), strict=True
    ):
        read = [roofline.memory_seconds(part.bytes_moved, found.bandwidth, memory) for part in parts]
        computed = [roofline.compute_seconds(part.flops, rate, math) for part in parts]
        times.append(sum(fixed + max(pair) for pair in zip(read, computed, strict=True)))
    size = sum(part.bytes_moved for part in parts)
    return float(size) / (row["achieved_gbs"] * 1e9), Band(*map(Fraction, times))


def _attention(row: dict[str, Any], found: Gpu) -> tuple[float, Band]:
    size = 2 * row["batch"] * row["context"] * ATTENTION["kv_heads"] * ATTENTION["width"] * 2
    share = efficiency(found.vendor, found.architecture, 16).kv
    times = [
        fixed + roofline.memory_seconds(size, found.bandwidth, reached)
        for fixed, reached in zip(KERNEL["attention"][:3], reversed(share[:3]), strict=True)
    ]
    return size / (row["achieved_gbs"] * 1e9), Band(*times)


def everything() -> tuple[list[Row], Counter[str]]:
    """All rows that can be predicted, and how many were left out why."""
    done, left = [], Counter[str]()
    for row in rows():
        kind = "attention kernel" if "attention" in row["model"] else row["phase"]
        level = "kernel" if row["level"] == "kernel" else "end to end"
        try:
            measured, band = predicted(row)
        except Left as why:
            left[str(why)] += 1
            continue
        done.append(Row(row["id"], (level, kind, row["vendor"]), measured, band))
    return done, left


def table(done: list[Row]) -> dict[tuple[str, str, str], tuple[int, float, float, float]]:
    """By group: rows, share inside the band, median error, median absolute error."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in done:
        groups[row.group].append(row)
    return {
        group: (
            len(found),
            sum(row.inside for row in found) / len(found),
            median(row.error for row in found),
            median(abs(row.error) for row in found),
        )
        for group, found in sorted(groups.items())
    }


def main() -> None:
    """Print the table."""
    done, left = everything()
    print(f"{'level':11} {'phase':17} {'vendor':7} {'rows':>5} {'in band':>8} {'error':>7} {'|error|':>8}")
    for (level, kind, vendor), (count, inside, error, off) in table(done).items():
        print(f"{level:11} {kind:17} {vendor:7} {count:5} {inside:8.0%} {error:+7.0%} {off:8.0%}")
    print("left out:", "; ".join(f"{count} {why}" for why, count in left.most_common()))
    for row in sorted(done, key=lambda row: -abs(row.error))[:12]:
        print(f"  {row.name:45} {row.error:+.0%}")


if __name__ == "__main__":
    main()
