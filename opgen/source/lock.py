"""One process at a time in a folder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Where folders cannot be locked, a file in them is.
LOCK = ".opgen.lock"


@contextmanager
def locked(folder: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a folder; the lock goes with the process, however that ends.

    Calls `waiting` once if another process holds it.
    """
    if sys.platform == "win32":
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
    else:
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        if not _take(descriptor):
            waiting()
            while not _take(descriptor, wait=True):
                time.sleep(0.05)
        yield
    finally:
        _release(descriptor)
        os.close(descriptor)
        if sys.platform == "win32":
            with suppress(OSError):  # another process has it open, and removes it
                os.unlink(folder / LOCK)


def _take(descriptor: int, wait: bool = False) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (BlockingIOError, PermissionError):
        return False
    return True


def _release(descriptor: int) -> None:
    """A process that was forked meanwhile holds the file too: closing it is not enough."""
    if sys.platform == "win32":
        with suppress(OSError):
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
