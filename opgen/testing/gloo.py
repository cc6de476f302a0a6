"""Processes that share a process group of gloo, started once and used by many tests."""

from __future__ import annotations

import atexit
import functools
import multiprocessing
import tempfile
from collections.abc import Callable
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from pathlib import Path
from signal import Signals
from typing import Any, cast

# How long, in seconds, the processes may go without a word, each may wait for the others, and those
# that are left may go on after one has failed.
PATIENCE, MEETING, GRACE = 200, 30, 3


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
        """Call `function` in each process; the results in the order of the ranks.

        Raises RuntimeError if one fails or ends: which, how, and at what call. Do not use the
        processes after that.
        """
        for _, pipe in self._workers:
            pipe.send((function, args))
        waiting = {pipe: rank for rank, (_, pipe) in enumerate(self._workers)}
        found: dict[int, Any] = {}
        doing: dict[int, str] = {}
        failures: list[str] = []

        def failed(rank: int, how: str) -> None:
            failures.append(f"process {rank} {how}" + f", at {doing[rank]}" * (rank in doing))

        while waiting:
            ready = wait([*waiting], GRACE if failures else PATIENCE)
            if not ready and not failures:
                failed(min(waiting.values()), f"says nothing for {PATIENCE} s")
            if not ready:
                break
            for pipe in cast(list[Connection], ready):
                rank = waiting[pipe]
                try:
                    word, value = pipe.recv()
                except (EOFError, ConnectionError):
                    del waiting[pipe]
                    failures.clear()  # what the others miss follows from it
                    failed(rank, _ending(self._workers[rank][0]))
                    raise RuntimeError(failures[0]) from None
                if word == "doing":
                    doing[rank] = value
                    continue
                del waiting[pipe]
                found[rank] = value
                if word == "failed":
                    failed(rank, f"failed: {value}")
        if failures:
            raise RuntimeError(failures[0])
        return [found[rank] for rank in range(len(found))]

    def close(self) -> None:
        """End the processes, which wait for work or for one another."""
        for worker, pipe in self._workers:
            pipe.close()
            worker.kill()
        for worker, _ in self._workers:
            worker.join()
        self._folder.cleanup()


def _ending(worker: Any) -> str:
    """How a process came to its end."""
    worker.join(GRACE)
    code = worker.exitcode
    return f"was ended by {Signals(-code).name}" if code and code < 0 else f"ended with {code}"


# The pipe of a process to whoever gave it its work.
_answers: Connection | None = None


def doing(what: str) -> None:
    """Say what this process does now, for the error if it is its last word."""
    if _answers is not None:
        _answers.send(("doing", what))


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

    global _answers
    _answers = pipe
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", f"file://{store}", rank=rank, world_size=count, timeout=timedelta(seconds=MEETING)
    )
    while True:
        try:
            function, args = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(("done", function(*args)))
        except Exception as error:  # told to whoever asked
            pipe.send(("failed", f"{type(error).__name__}: {error}"))
