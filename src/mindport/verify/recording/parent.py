"""A recorder ends with the process that started it, also where that one is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int | None) -> None:
    """Ask the system to kill this process when process `parent` ends; without effect where a process between them is its parent.

    A process whose `parent` has ended already ends here. Linux only: elsewhere a recorder goes on to its end, and what it writes
    then has no reader.
    """
    if not sys.platform.startswith("linux") or parent is None:
        return
    if os.getppid() != parent:
        if not os.path.exists(f"/proc/{parent}"):
            os._exit(1)
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        # It ended before the system was asked.
        os._exit(1)
