"""Which cards are there: drivers' programs of every mood, read with suspicion."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tutor.probing import asking, cards, vendors
from tutor.probing.cards import MIB, Card, Other, Present

Program = Callable[[str, str], Path]
H200 = "0, GPU-1a2b, NVIDIA H200, 143771, 143100, 0, 580.65.06, Disabled"
L4 = "1, GPU-3c4d, NVIDIA L4, 23034, 22500, 0, 580.65.06, [N/A]"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Makes programs of drivers; those of this machine are out of sight."""
    folder = tmp_path / "drivers"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cards, "pynvml_at_hand", lambda: False)
    monkeypatch.setattr(cards, "wsl_program", lambda: "")
    for files in ("nvidia_files", "amd_files", "apple"):
        monkeypatch.setattr(vendors, files, list)
    which = vendors.shutil.which
    monkeypatch.setattr(vendors.shutil, "which", lambda name: which(name, path=str(folder)))

    def making(name: str, body: str) -> Path:
        file = folder / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        return file

    return making


def smi(gpus: str, apps: str = "", more: str = "") -> str:
    return (
        f'case "$1" in\n--query-gpu=*) {more}\ncat <<END\n{gpus}\nEND\n;;\n'
        f"--query-compute-apps=*) cat <<END\n{apps}\nEND\n;;\n*) exit 1;;\nesac"
    )


def test_no_driver_is_no_card(program: Program) -> None:
    assert cards.present() == Present((), "")


def test_an_idle_card(program: Program) -> None:
    program("nvidia-smi", smi(H200))
    assert cards.present() == Present(
        (Card("nvidia", "NVIDIA H200", 0, "GPU-1a2b", 143771 * MIB, 143100 * MIB, (), 0, "580.65.06"),), "nvidia-smi"
    )


def test_a_busy_card_names_who_works_on_it(program: Program) -> None:
    program("nvidia-smi", smi(
        f"{H200}\n{L4}",
        'GPU-1a2b, 4711, 120000, "/opt/vllm, the second/bin/python"\nGPU-3c4d, 12, [N/A], [Not Found]\nodd line',
    ))  # fmt: skip
    first, second = cards.present().cards
    assert first.others == (Other(4711, "/opt/vllm, the second/bin/python", 120000 * MIB),)
    assert second.others == (Other(12, "[Not Found]", None),)
    assert (first.used, second.slices) == (671 * MIB, False)


def test_what_is_not_told_is_none(program: Program) -> None:
    row = "0, GPU-1, NVIDIA GB10, [N/A], [N/A], [Not Supported], 580.1, [N/A]"
    program("nvidia-smi", smi(row))
    (card,) = cards.present().cards
    assert (card.total, card.free, card.used, card.utilization) == (None, None, None, None)


def test_a_card_cut_into_slices(program: Program) -> None:
    program("nvidia-smi", smi(H200.replace("Disabled", "Enabled").replace(" 0, 580", " [N/A], 580")))
    (card,) = cards.present().cards
    assert (card.slices, card.utilization) == (True, None)


def test_an_old_driver_that_does_not_know_a_question(program: Program) -> None:
    body = smi(H200.rpartition(",")[0], more='case "$1" in *mig.mode*) exit 2;; esac')
    program("nvidia-smi", body)
    (card,) = cards.present().cards
    assert (card.name, card.driver, card.slices) == ("NVIDIA H200", "580.65.06", False)


def test_one_that_lists_no_processes_does_not_say_there_are_none(program: Program) -> None:
    program("nvidia-smi", smi(H200).replace("--query-compute-apps=*) ", "--query-compute-apps=*) exit 3;"))
    (card,) = cards.present().cards
    assert card.others is None


def test_under_wsl_the_list_of_processes_says_nothing(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    file = program("nvidia-smi-of-windows", smi(H200))
    monkeypatch.setattr(cards, "wsl_program", lambda: str(file))
    (card,) = cards.present().cards
    assert (card.name, card.others) == ("NVIDIA H200", None)


@pytest.mark.parametrize(
    "body",
    [
        "echo No devices were found",
        "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'; exit 9",
        "printf '\\377\\376\\000garbage\\n'",
        "echo '0, only, three'",
        "echo ', , , , , , , '",
        "echo '-1, GPU, x, 1, 1, 1, 1, 1'",
        "echo '\"unclosed, 1, 2'",
        "kill -SEGV $$",
        "exit 0",
    ],
)
def test_a_driver_that_is_broken_is_no_card(program: Program, body: str) -> None:
    program("nvidia-smi", body)
    assert cards.present().cards == ()


def test_a_driver_that_hangs_is_left(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendors, "PATIENCE", 0.3)
    monkeypatch.setattr(vendors, "nvidia_files", lambda: [Card("nvidia", "NVIDIA H200")])
    program("nvidia-smi", "sleep 600")
    before = time.monotonic()
    assert cards.present() == Present((Card("nvidia", "NVIDIA H200"),), "files")
    assert time.monotonic() - before < 60, "not the ten minutes that it would take"


def test_an_endless_answer_is_cut(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST", 10_000)
    program("nvidia-smi", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done")
    assert cards.present().cards == ()


def test_the_library_is_asked_in_a_process_of_its_own(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    (tmp_path / "pynvml.py").write_text(
        """
class NVMLError(Exception): pass
class Memory: total, free, used = 150754820096, 150000000000, 754820096
class Use: gpu, memory = 7, 0
class Process: pid, usedGpuMemory = 99, None
def nvmlInit(): print("a warning first")
def nvmlSystemGetDriverVersion(): return b"580.65"
def nvmlDeviceGetCount(): return 1
def nvmlDeviceGetHandleByIndex(n): return n
def nvmlDeviceGetName(h): return "NVIDIA H200"
def nvmlDeviceGetUUID(h): return "GPU-1a2b"
def nvmlDeviceGetMemoryInfo(h): return Memory
def nvmlDeviceGetUtilizationRates(h): return Use
def nvmlDeviceGetMigMode(h): raise NVMLError("not supported")
def nvmlDeviceGetComputeRunningProcesses(h): return [Process]
"""
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(cards, "pynvml_at_hand", lambda: True)
    others = (Other(99, "", None),)
    assert cards.present() == Present(
        (Card("nvidia", "NVIDIA H200", 0, "GPU-1a2b", 150754820096, 150000000000, others, 7, "580.65"),), "nvml"
    )
    assert "pynvml" not in sys.modules


def test_a_library_that_fails_gives_way_to_the_program(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    (tmp_path / "pynvml.py").write_text("import os\ndef nvmlInit(): os.abort()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(cards, "pynvml_at_hand", lambda: True)
    program("nvidia-smi", smi(H200))
    assert cards.present().by == "nvidia-smi"


def test_amd_by_the_newer_program(program: Program) -> None:
    program(
        "amd-smi",
        """case "$1" in
metric) echo '[{"gpu": 0, "usage": {"gfx_activity": {"value": 3, "unit": "%"}}, "mem_usage":
 {"total_vram": {"value": 196592, "unit": "MB"}, "free_vram": {"value": 196300, "unit": "MB"}}}]';;
static) echo '{"gpu_data": [{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"}}]}';;
esac""",
    )
    (card,) = cards.present().cards
    assert (card.vendor, card.name, card.total, card.used, card.utilization, card.others) == (
        "amd", "AMD Instinct MI300X", 196592 * MIB, 292 * MIB, 3, None,
    )  # fmt: skip


def test_amd_by_the_older_program(program: Program) -> None:
    program(
        "rocm-smi",
        """echo 'WARNING: AMD GPU device(s) is/are in a low-power state.'
echo '{"card0": {"Card Series": "AMD Radeon RX 7900 XTX", "GPU use (%)": "99",
 "VRAM Total Memory (B)": "25753026560", "VRAM Total Used Memory (B)": "25000000000"}, "system": {"x": 1}}'""",
    )
    (card,) = cards.present().cards
    assert (card.name, card.total, card.free, card.utilization) == (
        "AMD Radeon RX 7900 XTX", 25753026560, 753026560, 99,
    )  # fmt: skip


@pytest.mark.parametrize(
    "body", ["echo '[]'", "echo '{}'", "echo 3", "echo '[[['", "echo no; exit 1", "echo '{\"card0\": 7}'"]
)
def test_amd_programs_that_say_odd_things(program: Program, body: str) -> None:
    program("amd-smi", body)
    program("rocm-smi", body)
    assert all(card.total is None for card in cards.present().cards)


# --- which of them a program may see ---------------------------------------------------------------------------------

TWO = (Card("nvidia", "A", 0, "GPU-aa11"), Card("nvidia", "B", 1, "GPU-bb22"))


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (None, "AB"), ("0", "A"), ("1", "B"), ("1,0", "BA"), ("", ""), ("-1", ""), ("0,7,1", "A"), ("GPU-bb", "B"),
        (" 1 , GPU-aa11", "BA"), ("MIG-123", "AB"), ("nonsense", ""),
    ],
)  # fmt: skip
def test_visible_cards(said: str | None, names: str) -> None:
    env = {} if said is None else {"CUDA_VISIBLE_DEVICES": said}
    assert "".join(card.name for card in cards.visible(TWO, env)) == names


def test_visible_cards_of_amd() -> None:
    two = tuple(card._replace(vendor="amd") for card in TWO)
    assert [card.name for card in cards.visible(two, {"HIP_VISIBLE_DEVICES": "1", "CUDA_VISIBLE_DEVICES": "0"})] == [
        "B"
    ]


def test_names_of_drivers_are_one_printable_line(program: Program) -> None:
    program("nvidia-smi", smi(H200.replace("NVIDIA H200", "NVIDIA\x1b[31m H200" + "x" * 500)))
    (card,) = cards.present().cards
    assert card.name.isprintable()
    assert len(card.name) <= 200
