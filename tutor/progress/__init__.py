"""What the learner did, in one SQLite file: attempts, marks, the place to resume."""

from tutor.progress.opening import MemoryProgress, Opened, memory_progress, open_or_memory, open_progress
from tutor.progress.records import (
    Attempt,
    ImportProblem,
    PartState,
    Place,
    ProgressProblem,
    Slip,
    Unexplained,
    now,
)
from tutor.progress.store import Progress

__all__ = [
    "Attempt",
    "ImportProblem",
    "MemoryProgress",
    "Opened",
    "PartState",
    "Place",
    "Progress",
    "ProgressProblem",
    "Slip",
    "Unexplained",
    "memory_progress",
    "now",
    "open_or_memory",
    "open_progress",
]
