"""A shell as small as can be: it starts one program in the foreground of its terminal, and wakes it when it stops.

``python -m tests.soak.shell COMMAND...``. A program that is alone in its session could never be stopped and woken.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
import time
from fcntl import ioctl

ASIDE = 0.1
"""Seconds for which a stopped program stays so."""


def main(command: list[str]) -> int:
    """Run the program; its exit status, as a shell tells it."""
    ioctl(0, termios.TIOCSCTTY, 0)  # the terminal is ours: it stops and hangs up whom we let have it
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # the terminal is taken back from the background
    child = subprocess.Popen(command, process_group=0)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: os.killpg(child.pid, number))
    os.tcsetpgrp(0, child.pid)
    while True:
        _, status = os.waitpid(child.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status) % 256
        os.tcsetpgrp(0, os.getpgrp())
        time.sleep(ASIDE)
        os.tcsetpgrp(0, child.pid)
        os.killpg(child.pid, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
