"""Tables: llama-bench in all its forms, sweep-bench, batched-bench, AutoAWQ, and what nvidia-smi prints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts.registry import read, read_text

LLAMA_BENCH = """\
| model                          |       size |     params | backend    | ngl | fa |            test |            t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | -: | --------------: | -------------: |
| qwen2 1.5B Q8_0                |   1.53 GiB |     1.54 B | CUDA,RPC   |  29 |  1 |   pp256 @ d1024 | 9100.25 ± 8.50 |
| qwen2 0.5B F16                 | 942.50 MiB |   494.03 M | CUDA,RPC   |  99 |  0 |           tg 64 |  210.75 ± 0.25 |

build: 4e9a7f7f (2245)
"""
SWEEP = """\
main: n_kv_max = 4096, n_batch = 1024, n_ubatch = 512, flash_attn = 1, n_gpu_layers = 60, n_threads = 8

|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |
|-------|--------|--------|----------|----------|----------|----------|
|  1024 |    256 |      0 |    4.125 |   248.24 |   12.500 |    20.48 |
|  1024 |    256 |   1024 |    4.250 |   240.94 |   13.125 |    19.50 |
"""
BATCHED = """\
|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   256 |     64 |    4 |   1280 |    0.250 |  4096.00 |    2.000 |   128.00 |    2.250 |   568.89 |
"""
AUTOAWQ = """\
GPU: NVIDIA RTX A6000
Version: gemm

|   Batch Size |   Prefill Length |   Decode Length |   Prefill tokens/s |   Decode tokens/s | Memory (VRAM)    |
|-------------:|-----------------:|----------------:|-------------------:|------------------:|:-----------------|
|            4 |               64 |              64 |             410.5  |             190.25 | 5.50 GB (11.46%) |
|            4 |              128 |             128 |            2210.75 |             188.5  | 5.75 GB (11.98%) |
"""
NVIDIA_SMI = """\
Tue Sep  3 04:54:46 2024
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|                               |                      |               MIG M. |
|===============================+======================+======================|
|   0  NVIDIA L40S         On   | 00000000:07:00.0 Off |                   On |
| N/A   61C    P0   345W / 350W |  43008MiB / 46068MiB |    100%      Default |
|                               |                      |             Disabled |
+-------------------------------+----------------------+----------------------+
|   1  NVIDIA GeForce ...  WDDM | 00000000:4C:00.0 Off |                  N/A |
| 30%   41C    P8    N/A /  N/A |      0MiB / 24576MiB |      N/A     Default |
|                               |                      |                  N/A |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                                  |
|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |
|=============================================================================|
|    0   N/A  N/A     12809      C   python                          43000MiB |
+-----------------------------------------------------------------------------+
"""
QUERY = """\
index, name, memory.total [MiB], memory.used [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], \
power.limit [W]
0, NVIDIA L4, 23034 MiB, 1024 MiB, 75 %, 64, 60.25 W, 72.00 W
1, NVIDIA L4, 23034 MiB, [N/A], 0 %, 34, 12.50 W, 72.00 W
"""
REPORT = """\
==============NVSMI LOG==============

Driver Version                            : 550.54.15
CUDA Version                              : 12.4

Attached GPUs                             : 1
GPU 00000000:6B:00.0
    Product Name                          : NVIDIA-L4
    MIG Mode
        Current                           : N/A
    FB Memory Usage
        Total                             : 23034 MiB
        Used                              : 512 MiB
        Free                              : 22522 MiB
    BAR1 Memory Usage
        Total                             : 32768 MiB
    Utilization
        Gpu                               : 5 %
    Temperature
        GPU Current Temp                  : 31 C
    GPU Power Readings
        Power Draw                        : 16.50 W
        Current Power Limit               : 72.00 W
        Default Power Limit               : 75.00 W
"""
TOPOLOGY = """\
\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity
GPU0\t X \t{0}\t{1}\t{1}\tSYS\t0-31\t0
GPU1\t{0}\t X \t{1}\t{1}\tSYS\t0-31\t0
GPU2\t{1}\t{1}\t X \t{0}\tSYS\t32-63\t1
GPU3\t{1}\t{1}\t{0}\t X \tSYS\t32-63\t1
NIC0\tSYS\tSYS\tSYS\tSYS\t X \t\t

Legend:

  X    = Self
"""
WHOLE = (LLAMA_BENCH, SWEEP, BATCHED, AUTOAWQ, NVIDIA_SMI, QUERY, REPORT, TOPOLOGY.format("NV4", "SYS"))


def values(text: str) -> dict[str, Any]:
    """What was read: one value by itself, several as a list."""
    found = read_text(text)
    return {name: found.all(name)[0] if len(found.all(name)) == 1 else found.all(name) for name in found.series}


def traps(text: str) -> set[tuple[str, str]]:
    return {(one.id, one.name) for one in read_text(text).traps}


def kinds(text: str) -> dict[str, int]:
    return {name: kind.times for name, kind in read_text(text).kinds.items()}


def test_llama_bench() -> None:
    assert values(LLAMA_BENCH) == {
        "bench_model": ["qwen2 1.5B Q8_0", "qwen2 0.5B F16"], "model_size": [1.53, 942.5 / 1024],
        "parameters": [1_540_000_000, 494_030_000], "n_gpu_layers": [29, 99], "flash_attention": [True, False],
        "bench_test": ["pp256 @ d1024", "tg64"], "bench_throughput": [9100.25, 210.75],
        "bench_throughput.std": [8.5, 0.25],
    }  # fmt: skip
    assert kinds(LLAMA_BENCH) == {"llama-bench": 2}


def test_columns_are_read_from_the_header() -> None:
    text = "| test | n_batch | t/s | model |\n|---|---|---|---|\n| pp 32 | 64 | 10.5 | llama 7B |\n"
    assert values(text) == {
        "bench_test": "pp32", "n_batch": 64, "bench_throughput": 10.5, "bench_model": "llama 7B"
    }  # fmt: skip


@pytest.mark.parametrize("lead", ["", "    ", "> ", "pod-1  | "])
def test_tables_may_be_indented_or_quoted(lead: str) -> None:
    text = "".join(f"{lead}{line}\n" for line in BATCHED.splitlines())
    assert values(text)["decode_throughput"] == 128.0


def test_a_row_that_is_cut_gives_its_whole_cells() -> None:
    text = SWEEP[: SWEEP.index("240.94") + 4] + "\n"
    found = values(text)
    assert found["prefill_time"] == [4125.0, 4250.0]
    assert found["prefill_throughput"] == 248.24


def test_llama_bench_csv_and_json() -> None:
    expected = {
        "bench_test": "pp128+tg32 @ d512", "bench_model": "qwen2 7B Q4_K", "gpu_name": "NVIDIA L4", "model_size": 4.5,
        "parameters": 7_600_000_000, "n_gpu_layers": 99, "n_batch": 2048, "n_ubatch": 512,
        "bench_throughput": 512.125, "bench_throughput.std": 1.25, "flash_attention": True,
    }  # fmt: skip
    text = (
        "build_commit,gpu_info,model_type,model_size,model_n_params,n_batch,n_ubatch,n_gpu_layers,flash_attn,n_prompt,"
        "n_gen,n_depth,avg_ts,stddev_ts\n"
        '"8cf4","NVIDIA L4","qwen2 7B Q4_K","4831838208","7600000000","2048","512","99","1","128","32","512","512.125",'
        '"1.25"\n'
    )
    assert values(text) == expected
    assert values(text[: text.index('"1.25"')])["bench_throughput"] == 512.125
    assert "bench_throughput" not in values(text[: text.index('.125"')])
    document = (
        '[{"gpu_info": "NVIDIA L4", "model_type": "qwen2 7B Q4_K", "model_size": 4831838208, "model_n_params": '
        '7600000000, "n_batch": 2048, "n_ubatch": 512, "n_gpu_layers": 99, "flash_attn": true, "n_prompt": 128, '
        '"n_gen": 32, "n_depth": 512, "avg_ts": 512.125, "stddev_ts": 1.25}]'
    )
    assert values(document) == expected


def test_sweep_bench() -> None:
    assert values(SWEEP) == {
        "n_batch": 1024, "n_ubatch": 512, "flash_attention": True, "n_gpu_layers": 60, "prefill_tokens": [1024, 1024],
        "decode_tokens": [256, 256], "context_tokens": [0, 1024], "prefill_time": [4125.0, 4250.0],
        "prefill_throughput": [248.24, 240.94], "decode_time": [12500.0, 13125.0], "decode_throughput": [20.48, 19.5],
    }  # fmt: skip
    assert ("warmup-row", "prefill_throughput") in traps(SWEEP)


def test_batched_bench() -> None:
    expected = {
        "prefill_tokens": 256, "decode_tokens": 64, "running_requests": 4, "prefill_time": 250.0,
        "prefill_throughput": 4096.0, "decode_time": 2000.0, "decode_throughput": 128.0,
    }  # fmt: skip
    assert values(BATCHED) == expected
    line = '{"pp": 256, "tg": 64, "pl": 4, "t_pp": 0.25, "speed_pp": 4096.0, "t_tg": 2.0, "speed_tg": 128.0}\n'
    assert values(line) == expected


def test_autoawq() -> None:
    assert values(AUTOAWQ) == {
        "gpu_name": "NVIDIA RTX A6000", "running_requests": [4, 4], "prefill_tokens": [64, 128],
        "decode_tokens": [64, 128], "prefill_throughput": [410.5, 2210.75], "decode_throughput": [190.25, 188.5],
        "gpu_memory_used": [5.5, 5.75],
    }  # fmt: skip
    assert {("warmup-row", "prefill_throughput"), ("gb-is-gib", "gpu_memory_used")} <= traps(AUTOAWQ)


def test_nvidia_smi() -> None:
    assert values(NVIDIA_SMI) == {
        "driver_version": "525.85.12", "cuda_version": "12.0", "gpu_index": [0, 1],
        "gpu_name": ["NVIDIA L40S", "NVIDIA GeForce"], "gpu_temperature": [61, 41], "gpu_power": 345,
        "gpu_power_cap": 350, "gpu_memory_used": [42.0, 0.0], "gpu_memory_total": [46068 / 1024, 24.0],
        "gpu_utilization": 1.0, "mig_mode": "Disabled",
    }  # fmt: skip
    assert ("at-power-cap", "gpu_power") in traps(NVIDIA_SMI)


def test_nvidia_smi_of_two_lines_a_card_and_without_a_heading() -> None:
    text = (
        "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
        "| N/A   57C    P0    27W /  70W |   2048MiB / 15360MiB |     12%      Default |\n"
    )
    found = values(text)
    assert (found["gpu_name"], found["gpu_memory_used"], found["gpu_utilization"]) == ("Tesla T4", 2.0, 0.12)


def test_memory_that_is_quoted_from_the_table() -> None:
    assert values("GPU memory used: 3072MiB/24576MiB; slow\n") == {"gpu_memory_used": 3.0, "gpu_memory_total": 24.0}


def test_nvidia_smi_query() -> None:
    assert values(QUERY) == {
        "gpu_index": [0, 1], "gpu_name": ["NVIDIA L4", "NVIDIA L4"], "gpu_memory_total": [23034 / 1024, 23034 / 1024],
        "gpu_memory_used": 1.0, "gpu_utilization": [0.75, 0.0], "gpu_temperature": [64, 34],
        "gpu_power": [60.25, 12.5], "gpu_power_cap": [72.0, 72.0],
    }  # fmt: skip
    text = (
        "$ nvidia-smi --query-gpu=memory.used,name --format=csv,noheader,nounits\n512, NVIDIA L4\nmemory, of things\n"
    )
    assert values(text) == {"gpu_memory_used": 0.5, "gpu_name": "NVIDIA L4"}


def test_nvidia_smi_report() -> None:
    assert values(REPORT) == {
        "driver_version": "550.54.15", "cuda_version": "12.4", "gpu_name": "NVIDIA-L4",
        "gpu_memory_total": 23034 / 1024, "gpu_memory_used": 0.5, "gpu_memory_free": 22522 / 1024,
        "gpu_utilization": 0.05, "gpu_temperature": 31, "gpu_power": 16.5, "gpu_power_cap": 72.0,
    }  # fmt: skip


def test_cards_listed() -> None:
    text = "GPU models and configuration: GPU 0: NVIDIA L4\nGPU 1: NVIDIA L4 (UUID: GPU-4a36)\n"
    text += "Nvidia driver version: 550.54.14\n"
    assert values(text) == {
        "gpu_index": [0, 1], "gpu_name": ["NVIDIA L4", "NVIDIA L4"], "driver_version": "550.54.14"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("near", "far", "expected"),
    [("NV12", "NV12", "nvlink"), ("PIX", "SYS", "pcie"), ("NV4", "SYS", ["nvlink", "pcie"])],
)
def test_topology(near: str, far: str, expected: str | list[str]) -> None:
    text = TOPOLOGY.format(near, far)
    assert values(text) == {"gpu_link": expected}
    assert kinds(text) == {"nvidia-topology": 1}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_cut_never_gives_what_the_whole_does_not_print(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WHOLE))
    at = data.draw(st.integers(0, len(text)))
    whole = {name: set(series) for name, series in read_text(text).series.items()}
    for name, series in read_text(text[:at]).series.items():
        assert set(series) <= whole.get(name, set()), (name, text[max(0, at - 60) : at])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_bytes_of_any_kind_raise_nothing(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WHOLE)).encode()
    at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 40))
    read((text[:at], data.draw(st.binary(max_size=60)), text[at + length :]))


def _smi(*processes: tuple[int, int]) -> str:
    rows = "".join(
        f"|    {card}   N/A  N/A   {pid:>7}      C   /usr/bin/python3              {30000 + pid}MiB |\n"
        for card, pid in processes
    )
    head = "| Processes:                              |\n|  GPU   GI   CI   PID   Type   Process name   GPU Memory |\n"
    return head + rows


@pytest.mark.parametrize(
    ("processes", "told"),
    [
        ([(0, 71), (1, 72)], []),
        ([(0, 71), (1, 72), (1, 904)], [("1", 2)]),
        ([(0, 71), (0, 72)], [("0", 2)]),
        ([(0, 71)], []),
        ([(0, 71), (0, 81), (1, 72), (1, 82)], []),  # a worker and a helper on every card
    ],
)
def test_a_second_process_on_a_card_is_noticed(processes: list[tuple[int, int]], told: list[tuple[str, int]]) -> None:
    found = read_text(_smi(*processes))
    traps = [dict(one.params) for one in found.traps if one.id == "several-processes"]
    assert [(one["card"], one["count"]) for one in traps] == told
    assert found.kinds["nvidia-smi"].times == len(processes)
