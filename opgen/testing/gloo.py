"""A pool of processes that share a gloo process group. Many tests use the same pool."""

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

# Time limits in seconds: for the next report of any process, for one collective, and for the other
# processes after one process has failed.
PATIENCE, MEETING, GRACE = 200, 30, 3


class Pool:
    """A process group of `count` processes. All of them run the same work at the same time."""

    def __init__(self, count: int) -> None:
        # The fork server imports PyTorch once. Then it forks all processes.
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
        """Call `function` in each process and return the results in rank order.

        Raise RuntimeError if a process fails or ends. The error names the process, the cause, and
        the call. The pool cannot be used after that.
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
                    # When a process ends, the others report failures too. Report only this cause.
                    failures.clear()
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
        """Kill the processes and remove their temporary folder."""
        for worker, pipe in self._workers:
            pipe.close()
            worker.kill()
        for worker, _ in self._workers:
            worker.join()
        self._folder.cleanup()


def _ending(worker: Any) -> str:
    """Describe how a process ended."""
    worker.join(GRACE)
    code = worker.exitcode
    return f"was ended by {Signals(-code).name}" if code and code < 0 else f"ended with {code}"


# In a process of the pool: its pipe to the process that gives it work.
_answers: Connection | None = None


def doing(what: str) -> None:
    """Report the current work of this process, for an error message in case the process ends."""
    if _answers is not None:
        _answers.send(("doing", what))


@functools.cache
def _pool(count: int) -> Pool:
    pool = Pool(count)
    atexit.register(pool.close)
    return pool


def everywhere(count: int, function: Callable[..., Any], *args: object) -> list[Any]:
    """Call `function` in each of `count` processes and return the results in rank order.

    The processes are kept for the next call. After a failure, RuntimeError is raised and the
    processes are replaced.
    """
    try:
        return _pool(count).run(function, *args)
    except RuntimeError:
        _pool(count).close()
        _pool.cache_clear()
        raise


def _serve(pipe: Connection, rank: int, count: int, store: str) -> None:
    """Run the work that arrives through the pipe until the pipe is closed."""
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
        except Exception as error:  # reported to the caller
            pipe.send(("failed", f"{type(error).__name__}: {error}"))
