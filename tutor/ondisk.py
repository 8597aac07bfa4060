"""What a run keeps of the learner's doings: on the disk while that is willing, in memory while it is not.

A refusal is told once, and the run goes on; what was kept in memory is written as soon as the disk takes it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from tutor.progress import Progress, ProgressProblem, memory_progress, open_or_memory, open_progress
from tutor.progress.connected import SAID_AFTER
from tutor.settings import SettingsProblem

_Found = TypeVar("_Found")

BUSY = 1.0
"""Seconds that a write waits for another program while a person watches the screen."""
RETRY_BUSY, RETRY = 0.2, 2.0
"""Once it was in vain: seconds that a further try waits, and seconds between the tries."""
PATIENCE = 5.0
"""Seconds that the end of a run waits to write what is not written yet."""
PASSING = ("locked", "full")
"""Troubles that may pass within the run."""


class OnDisk:
    """The learner's progress in this run.

    Attributes:
        progress: the store: the file, or memory while the file cannot be used.
        problems: what the learner must be told once, oldest first.
        lost: after :meth:`close`, whether something that was done could not be written.
        on_unwritten: called once the disk refused, from any thread: whoever can come back later calls :meth:`retry`.
        on_waiting: called when the end of the run has waited for the disk for ``SAID_AFTER`` seconds.
    """

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.problems: list[ProgressProblem | SettingsProblem] = []
        self.lost = False
        self.on_unwritten: Callable[[], object] = lambda: None
        self.on_waiting: Callable[[], object] = lambda: None
        self._left: list[Progress] = []
        """Stores that were left while another thread may have been reading them."""
        self._writing = threading.RLock()
        self._lost_disk = False
        self._retry_at = 0.0
        self._in_vain = False
        self._refused = ""
        """What the disk last refused for, as ``ProgressProblem.kind`` has it."""
        self._resets: list[str] = []
        """What was forgotten while only memory was there, to be forgotten on the disk too."""

    def save(self) -> bool:
        """Write what could not be written before, waiting a while for the disk; whether all of it is there now."""
        began = time.monotonic()
        end, told = began + (0 if self._in_vain else PATIENCE), False
        while self._lost_disk:
            self._retry_at = 0.0
            self._return_to_disk()
            if time.monotonic() > end or self._refused == "full":  # another program lets go; a disk stays full
                break
            if self._lost_disk:
                time.sleep(RETRY_BUSY)
            if self._lost_disk and not told and time.monotonic() - began >= SAID_AFTER:
                told = True
                self.on_waiting()
        self._in_vain = self._lost_disk
        return not self._lost_disk and self.progress.persistent

    @property
    def unwritten(self) -> bool:
        """Whether something is kept in memory that the disk did not take."""
        return self._lost_disk

    def retry(self) -> bool:
        """Write what could not be written before, without waiting for anybody; whether nothing is left to write."""
        if self._lost_disk and self._writing.acquire(blocking=False):
            try:
                self._retry_at = 0.0
                self._return_to_disk(0.0)
            finally:
                self._writing.release()
        return not self._lost_disk

    def close(self) -> None:
        """Write what could not be written before, if it can be now, and let go of the file.

        What stays unwritten is told by :meth:`notices`, and :attr:`lost` says so.
        """
        if self._lost_disk and not self.lost:
            self.lost = not self.save()
            if self.lost:
                # what was promised while it waited no longer holds
                self.problems = [one for one in self.problems if getattr(one, "kind", "") not in PASSING]
                self.problems.append(ProgressProblem("unsaved", self.progress.path))
        for store in (*self._left, self.progress):
            store.close()

    def _forgotten(self, prefix: str) -> None:
        """Note that everything under an id was forgotten."""
        if self._lost_disk:
            self._resets.append(prefix)

    def _write(self, action: Callable[[Progress], object]) -> None:
        """Do it on the disk; when the disk refuses, go on in memory, tell it once, and try the disk again next time."""
        with self._writing:  # the app records answers in worker threads
            self._return_to_disk()
            try:
                action(self.progress)
            except ProgressProblem as problem:
                self._to_memory(problem)
                action(self.progress)
                self._tell(problem)

    def reading(self, action: Callable[[], _Found]) -> _Found:
        """What reads the file in the middle of a quiz: when the file turns out to be broken, once more from what can
        still be read of it."""
        try:
            return action()
        except ProgressProblem as problem:
            with self._writing:
                self._to_memory(problem)
                self._tell(problem)
            return action()

    def _to_memory(self, problem: ProgressProblem) -> None:
        """Go on in memory, with what can be read of the file."""
        kept = memory_progress(problem.path, self.progress)
        self.progress.close()
        self.progress = kept
        self._lost_disk = True
        self._retry_at = time.monotonic() + (RETRY if problem.kind == "locked" else 0)
        self.on_unwritten()

    def _tell(self, problem: ProgressProblem) -> None:
        if problem.kind == "damaged":
            self._begin_anew(problem)
        else:
            self.problems.append(problem)

    def _begin_anew(self, problem: ProgressProblem) -> None:
        """Set aside a file that broke while it was open, as at a start; what can be read of it goes into a new one.

        Where only what follows from the rest was broken, the file is whole again once it was opened: nothing is told.
        """
        opened = open_or_memory(problem.path, BUSY)
        told, other = opened.problem, opened.progress
        if other.persistent:
            try:
                other.take_over(self.progress)
                other, self.progress, self._lost_disk = self.progress, other, False
            except ProgressProblem:
                told = told or problem
        other.close()
        self.problems += [told] if told is not None else []

    def _return_to_disk(self, patience: float | None = None) -> None:
        """After a refusal in this run: merge what memory holds back into the file, if it is willing again.

        A try waits a moment (``patience`` seconds), and the next one comes only a while later: the reader must not feel
        it at every key.
        """
        began = time.monotonic()
        if not self._lost_disk or began < self._retry_at:
            return
        try:
            disk = open_progress(self.progress.path, RETRY_BUSY if patience is None else patience)
            try:
                for prefix in self._resets:
                    disk.reset(prefix)
                disk.take_over(self.progress)
            except BaseException:
                disk.close()
                raise
            disk.patience(BUSY)
            self._left.append(self.progress)
            self.progress, self._lost_disk = disk, False
            self._resets.clear()
        except ProgressProblem as problem:
            self._refused = problem.kind
        if self._lost_disk and time.monotonic() - began > RETRY_BUSY / 2:
            self._retry_at = time.monotonic() + RETRY
