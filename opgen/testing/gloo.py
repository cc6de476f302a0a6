"""Processes that share a process group of gloo, started once and used by many tests."""

from __future__ import annotations

import atexit
import functools
import multiprocessing
import tempfile
from collections.abc import Callable
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

# How long the processes may take for one task, each to meet the others, and to end, in seconds.
PATIENCE, MEETING, ENDING = 500, 30, 5


class Pool:
    """`count` processes of one process group, which do the same at the same time."""

    def __init__(self, count: int) -> None:
        # PyTorch is imported once, by the process that the others are forked from.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", "torch.distributed.tensor"])
        self._folder = tempfile.TemporaryDirectory()
        store = str(Path(self._folder.name) / "store")
        self._workers: list[tuple[Any, Connection]] = []
        for rank in range(count):
            here, there = context.Pipe()
            worker = context.Process(target=_serve, args=(there, rank, count, store), daemon=True)
            worker.start()
            there.close()
            self._workers.append((worker, here))

    def run(self, function: Callable[..., Any], *args: object) -> list[Any]:
        """What `function` gives in each process, in the order of the ranks.

        Raises RuntimeError where one fails; the processes are not to be used after that.
        """
        for _, pipe in self._workers:
            pipe.send((function, args))
        found = [_received(rank, pipe) for rank, (_, pipe) in enumerate(self._workers)]
        for rank, (_, error) in enumerate(found):
            if error:
                raise RuntimeError(f"process {rank}: {error}")
        return [result for result, _ in found]

    def close(self) -> None:
        """End the processes; one that waits for others is killed."""
        for _, pipe in self._workers:
            pipe.close()
        for worker, _ in self._workers:
            worker.join(ENDING)
            worker.kill()
            worker.join()
        self._folder.cleanup()


def _received(rank: int, pipe: Connection) -> tuple[Any, str | None]:
    try:
        return pipe.recv() if pipe.poll(PATIENCE) else (None, "gave no answer")
    except EOFError:
        return None, "has ended"


@functools.cache
def _pool(count: int) -> Pool:
    pool = Pool(count)
    atexit.register(pool.close)
    return pool


def everywhere(count: int, function: Callable[..., Any], *args: object) -> list[Any]:
    """`function` in each of `count` processes: what each gives, in the order of their ranks.

    The processes are kept for the next call, and replaced after a failure: RuntimeError.
    """
    try:
        return _pool(count).run(function, *args)
    except RuntimeError:
        _pool(count).close()
        _pool.cache_clear()
        raise


def _serve(pipe: Connection, rank: int, count: int, store: str) -> None:
    """Do what comes out of the pipe, until it is closed."""
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", f"file://{store}", rank=rank, world_size=count, timeout=timedelta(seconds=MEETING)
    )
    while True:
        try:
            function, args = pipe.recv()
        except EOFError:
            return
        answer: tuple[Any, str | None]
        try:
            answer = function(*args), None
        except Exception as error:  # told to whoever asked
            answer = None, f"{type(error).__name__}: {error}"
        pipe.send(answer)
