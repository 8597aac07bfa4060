"""What the learner did, in one SQLite file: attempts, marks, the place to resume."""

from tutor.progress.opening import MemoryProgress, Opened, memory_progress, open_or_memory, open_progress
from tutor.progress.records import (
    After,
    Attempt,
    Grade,
    ImportProblem,
    Memory,
    PartState,
    Place,
    ProgressProblem,
    Review,
    Slip,
    Source,
    States,
    Unexplained,
    now,
)
from tutor.progress.store import Progress

__all__ = [
    "After",
    "Attempt",
    "Grade",
    "ImportProblem",
    "Memory",
    "MemoryProgress",
    "Opened",
    "PartState",
    "Place",
    "Progress",
    "ProgressProblem",
    "Review",
    "Slip",
    "Source",
    "States",
    "Unexplained",
    "memory_progress",
    "now",
    "open_or_memory",
    "open_progress",
]
