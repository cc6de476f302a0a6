"""Call a function in several processes at once."""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Sequence
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


def processors() -> int:
    """Return the number of processes that may run at once; 1 without `os.fork`."""
    if not hasattr(os, "fork"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes(items: int, each: int) -> int:
    """Return in how many processes to compute `items`, with at least `each` in every process."""
    return max(1, min(processors(), items // each))


def fork_map(function: Callable[[A], R], arguments: Sequence[A]) -> list[R]:
    """Return `[function(a) for a in arguments]`. Results must be picklable.

    The first item is computed in the calling process, each other item in a child process. If a
    child returns no result, for whatever reason, the calling process computes that item too.
    """
    gc.freeze()
    children = [_start(function, argument) for argument in arguments[1:]]
    try:
        results = [function(argument) for argument in arguments[:1]]
    finally:
        brought = [_finish(*child) for child in children]
        gc.unfreeze()
    for argument, data in zip(arguments[1:], brought):
        results.append(pickle.loads(data) if data else function(argument))
    return results


def _start(function: Callable[[A], R], argument: A) -> tuple[int, int]:
    """Start a process that computes a result. Return its process id and the pipe for the result."""
    read, write = os.pipe()
    process = os.fork()
    if process:
        os.close(write)
        return process, read
    code = 1
    try:
        os.close(read)
        data = pickle.dumps(function(argument), protocol=5)
        with open(write, "wb") as pipe:
            pipe.write(data)
        code = 0
    finally:
        # Buffers and exit handlers belong to the parent process.
        os._exit(code)


def _finish(process: int, read: int) -> bytes:
    """Wait for a process, and return the bytes that it wrote; b"" if the process failed."""
    with open(read, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(process, 0)
    return data if status == 0 else b""
