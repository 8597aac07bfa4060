"""Out of memory, in the words of PyTorch of every year."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artefacts.registry import read_text
from tests.engine.readings import traps, values

GIB = 1024

OOM_1 = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 23.69 GiB total capacity; 21.10 GiB already "
    "allocated; 12.50 MiB free; 21.40 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try "
    "setting max_split_size_mb to avoid fragmentation.\n"
)
OOM_2 = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 3 has a total capacity of "
    "79.11 GiB of "
    "which 640.50 MiB is free. Including non-PyTorch memory, this process has 78.40 GiB memory in use. Of the "
    "allocated "
    "memory 70.02 GiB is allocated by PyTorch, with 105.08 MiB allocated in private pools (e.g., CUDA Graphs), and "
    "7.25 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n"
)


def test_the_text_of_the_first_years() -> None:
    assert values(read_text(OOM_1)) == {
        "error": "out_of_memory", "failed_allocation": 2, "gpu_memory_total": 23.69, "gpu_memory_free": 12.5 / GIB,
        "pytorch_allocated_memory": 21.1, "gpu_index": 1,
    }  # fmt: skip


def test_the_text_of_today() -> None:
    found = read_text(OOM_2)
    assert values(found) == {
        "error": "out_of_memory", "failed_allocation": 1.5, "gpu_memory_total": 79.11,
        "gpu_memory_free": 640.5 / GIB, "pytorch_allocated_memory": 70.02, "pytorch_unallocated_memory": 7.25,
        "gpu_index": 3, "process_memory": 78.4,
    }  # fmt: skip
    assert traps(found) == {"visible-cards": "gpu_index", "fragmentation": "pytorch_unallocated_memory"}


@pytest.mark.parametrize(
    ("asked", "spare", "note"),
    [
        ("1.50 GiB", "7.25 GiB", "fragmentation"),
        ("9.00 GiB", "7.25 GiB", "little-fragmentation"),  # whole it would not have held the request
        ("2.00 MiB", "13.02 MiB", "little-fragmentation"),  # the rounding of blocks
        ("2.00 MiB", "0 bytes", "little-fragmentation"),
    ],
)
def test_only_a_large_part_that_would_have_sufficed_is_fragmentation(asked: str, spare: str, note: str) -> None:
    text = OOM_2.replace("1.50 GiB", asked).replace("7.25 GiB", spare)
    assert note in traps(read_text(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OOM_2.replace("capacity", "capacty").replace("Including non-PyTorch memory, this process", "Process 7529"),
         {"gpu_memory_total": 79.11, "process_memory": 78.4}),
        (OOM_2.replace("Including", "Process 12 has 256.00 MiB memory in use. Including"), {"process_memory": 78.4}),
        (OOM_2.replace("78.40 GiB", "17179869184.00 GiB"), {"process_memory": None}),
        (OOM_2.replace("Of the", "60.00 GiB allowed; Of the"), {"pytorch_allocated_memory": 70.02}),
        (OOM_2.replace("CUDA out", "HIP out").replace("CUDA Graphs", "HIP Graphs"), {"failed_allocation": 1.5}),
        ("RuntimeError: XPU out of memory. Tried to allocate 59.61 GiB. GPU 0 has a total capacity of 28.55 GiB.",
         {"failed_allocation": 59.61, "gpu_memory_total": 28.55, "gpu_index": 0}),
        ("RuntimeError: NPU out of memory. Tried to allocate 260.00 MiB (NPU 2; 28.50 GiB total capacity; 10.24 GiB "
         "already allocated; 10.24 GiB current active; 0 bytes free; 10.28 GiB reserved in total by PyTorch)",
         {"failed_allocation": 260 / GIB, "gpu_index": 2, "gpu_memory_free": 0, "pytorch_allocated_memory": 10.24}),
        ("RuntimeError: MPS backend out of memory (MPS allocated: 17.21 GiB, max allowed: 20.13 GiB). Tried to "
         "allocate 256.00 MiB on private pool.", {"failed_allocation": 0.25, "pytorch_allocated_memory": 17.21}),
        ("torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\n"
         "Currently allocated     : 14.45 GiB\nRequested               : 50.00 MiB\n"
         "Device limit            : 14.58 GiB\nFree (according to CUDA): 22.75 MiB\n",
         {"failed_allocation": 50 / GIB, "gpu_memory_total": 14.58, "gpu_memory_free": 22.75 / GIB,
          "pytorch_allocated_memory": 14.45}),
        ("RuntimeError: CUDA error: out of memory\n", {"failed_allocation": None}),
        ("it dies: Tried to allocate 160MiB", {"failed_allocation": 160 / GIB}),
        ("RuntimeError: CUDA out of memory occurred when warming up sampler with 64 dummy requests. Please try",
         {"failed_allocation": None}),
    ],
)  # fmt: skip
def test_variants_of_the_text(text: str, expected: dict[str, Any]) -> None:
    found = read_text(text)
    assert found.all("error") == ["out_of_memory"]
    assert {name: found.one(name) for name in expected} == expected


def test_a_text_broken_at_its_sentences_is_one() -> None:
    broken = (
        OOM_2.replace(". GPU", ".\nGPU")
        .replace(". Inc", ".\nInc")
        .replace(", with", ",\nwith")
        .replace("and 7", "\nand 7")
    )
    assert values(read_text(broken)) == values(read_text(OOM_2))


def test_a_short_text_ends_at_the_next_record() -> None:
    text = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB.\n"
        "INFO 01-01 00:00:00 [gpu_worker.py:1] Available KV cache memory: 5.00 GiB\n" + OOM_1
    )
    found = read_text(text)
    assert found.all("error") == ["out_of_memory"] * 2
    assert found.all("failed_allocation") == [2 / GIB, 2]


@pytest.mark.parametrize(
    "text",
    [
        "INFO If out-of-memory error occurs during cudagraph capture, consider decreasing `gpu_memory_utilization`.",
        "I changed the batch so that CUDA out of memory would not happen again",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9.00 MiB on device 0: cudaMalloc failed: out of memory",
    ],
)
def test_what_only_speaks_of_memory_is_no_error_of_pytorch(text: str) -> None:
    assert "torch-oom" not in read_text(text + "\n").kinds
