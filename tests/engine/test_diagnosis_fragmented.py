"""A traceback alone that tells the sizes leads to a wall and to levers."""

from __future__ import annotations

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence
from engine.artefacts.evidence import read as artefact
from engine.diagnosis import judge
from engine.diagnosis.model import Report

TEXT = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate {asked} GiB. GPU 0 has a total capacity of "
    "23.68 GiB of which 1.71 GiB is free. {others}Including non-PyTorch memory, this process has 17.93 GiB memory in "
    "use. Of the allocated memory 12.20 GiB is allocated by PyTorch, and {spare} GiB is reserved by PyTorch but "
    "unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n"
)
OTHERS = "Process 88123 has 4.02 GiB memory in use. "


def judged(asked: str = "2.32", spare: str = "5.31", others: str = OTHERS) -> Report:
    text = TEXT.format(asked=asked, spare=spare, others=others)
    return judge.diagnose(feed.scenario(Evidence((artefact("trace.txt", [text.encode()]),))))


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


def test_memory_in_pieces_is_the_wall_and_its_variable_the_first_lever() -> None:
    report = judged()
    assert (report.walls[0].id, report.walls[0].detail) == ("other", "fragmented-memory")
    assert report.levers[0].flag == "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
    assert report.findings[0].by == "numbers"


def test_another_process_on_the_card_is_named_with_its_size() -> None:
    report = judged()
    assert "free-card" in helping(report)
    assert any("4.02 GiB" in one.text for one in report.scenario.signals if one.id == "other-process")
    assert "free-card" not in helping(judged(others=""))


def test_where_little_lies_unused_the_other_process_is_the_wall() -> None:
    report = judged(spare="0.05")
    assert report.findings[0].cause == "shared-card"
    assert "expandable-segments" not in helping(report)


def test_a_desktop_beside_it_is_no_cause() -> None:
    report = judged(spare="0.05", others="Process 901 has 210.00 MiB memory in use. ")
    assert "other-process" not in {one.id for one in report.scenario.signals}


def test_the_one_process_that_is_named_is_its_own_where_no_other_sentence_says_so() -> None:
    text = (
        "CUDA out of memory. Tried to allocate 2.32 GiB. GPU 0 has a total capacity of 23.68 GiB of which 1.71 GiB is "
        "free. Process 88123 has 21.9 GiB memory in use. Of the allocated memory 20.2 GiB is allocated by PyTorch, and "
        "0.31 GiB is reserved by PyTorch but unallocated.\n"
    )
    found = feed.scenario(Evidence((artefact("trace.txt", [text.encode()]),)))
    assert "other-process" not in {one.id for one in found.signals}
