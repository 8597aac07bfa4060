"""A command line run in this process as `llm-tutor` runs it, safety net and streams included.

A process of its own takes a quarter of a second to begin. It is worth that where signals, closed streams, pipes or the
locale are tested; what a command says of its words and its input is the same here.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from unittest.mock import patch

from tutor.__main__ import main


def run(
    argv: tuple[str, ...], env: Mapping[str, str] | None = None, typed: bytes = b"", folder: Path | None = None
) -> CompletedProcess[bytes]:
    """What a process with these words, variables and input would print, and its exit status."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(typed)
        given.seek(0)
        streams = [io.TextIOWrapper(one, encoding="utf-8") for one in (given, out, err)]
        with (
            patch.multiple(sys, argv=["llm-tutor", *argv], stdin=streams[0], stdout=streams[1], stderr=streams[2]),
            patch.dict(os.environ, dict(os.environ if env is None else env), clear=True),
            chdir(folder or Path.cwd()),
        ):
            status = main()
        for stream in streams[1:]:
            stream.flush()
        out.seek(0)
        err.seek(0)
        return CompletedProcess(argv, status, out.read(), err.read())
