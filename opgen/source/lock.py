"""Lock a folder, so that only one process at a time works in it."""

from __future__ import annotations

import errno
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

# On Windows, this file is locked, because folders cannot be locked.
LOCK = ".opgen.lock"
# The errors of a file system that has no locks.
_NONE = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
_warned = False


@contextmanager
def locked(folder: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[tuple[int, ...]]:
    """Lock a folder until the block ends.

    Yields the descriptors that a child process must inherit to hold the lock too. Calls `waiting`
    once if another process holds the lock. If the file system has no locks, the folder is not
    locked, and one line on stderr reports this.
    """
    if sys.platform == "win32":
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
    else:
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        if not _take(descriptor, folder):
            waiting()
            while not _take(descriptor, folder, wait=True):
                time.sleep(0.05)
        yield () if sys.platform == "win32" else (descriptor,)
    finally:
        _release(descriptor)
        os.close(descriptor)
        if sys.platform == "win32":
            with suppress(OSError):  # another process has the file open, and will remove it
                os.unlink(folder / LOCK)


def _take(descriptor: int, folder: Path, wait: bool = False) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        if error.errno not in _NONE:
            raise
        _warn(folder)
    return True


def _warn(folder: Path) -> None:
    global _warned
    if not _warned:
        _warned = True
        print(
            f"opgen: the file system of {folder} has no locks: run one opgen at a time in it",
            file=sys.stderr,
        )


def _release(descriptor: int) -> None:
    """Release the lock. Closing the file is not enough if a forked process also has it open."""
    with suppress(OSError):
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
