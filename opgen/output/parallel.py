"""Call a function in several processes at once, which may exchange a value."""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Generic, TypeAlias, TypeVar

A = TypeVar("A")
R = TypeVar("R")
V = TypeVar("V")
# A generator that yields a value, receives a list of such values, and returns a result.
Steps: TypeAlias = Generator[V, list[V], R]


def processors() -> int:
    """Return the number of processes that may run at once; 1 without `os.fork`."""
    if not hasattr(os, "fork"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes(items: int, each: int) -> int:
    """Return the number of processes for `items` items, with at least `each` items per process."""
    return max(1, min(processors(), items // each))


def fork_map(function: Callable[[A], R], arguments: Sequence[A]) -> list[R]:
    """Return `[function(a) for a in arguments]`, computed in several processes."""

    def steps(argument: A) -> Steps[None, R]:
        yield
        return function(argument)

    return fork_together(steps, arguments)


def fork_together(function: Callable[[A], Steps[V, R]], arguments: Sequence[A]) -> list[R]:
    """Return the results of the generators `function(a)`. All values must be picklable.

    Each generator yields once, and receives the values that all generators yielded. The first
    generator runs in the calling process, each other one in a child process. If a child returns no
    result, for whatever reason, the calling process runs its generator too.
    """
    gc.freeze()
    children = [_Child(partial(function, argument)) for argument in arguments[1:]]
    try:
        first = function(arguments[0])
        values = [next(first), *(child.value() for child in children)]
        for child in children:
            child.tell(values)
        results = [_result(first, values)]
    finally:
        ended = [child.end() for child in children]
        gc.unfreeze()
    for child, data in zip(children, ended):
        results.append(pickle.loads(data) if data else child.again(values))
    return results


class _Child(Generic[V, R]):
    """A child process that runs a generator, with a pipe to it and a pipe from it."""

    def __init__(self, start: Callable[[], Steps[V, R]]) -> None:
        self.start = start
        (told, tell), (answers, answer) = os.pipe(), os.pipe()
        self.process = os.fork()
        if not self.process:
            os.close(tell)
            os.close(answers)
            _run(start, told, answer)
        os.close(told)
        os.close(answer)
        self.told, self.answers = open(tell, "wb"), open(answers, "rb")

    def value(self) -> V:
        """Return the value that the generator yields."""
        try:
            value: V = pickle.load(self.answers)
        except EOFError:
            return next(self.start())
        return value

    def tell(self, values: list[V]) -> None:
        """Send the values that all generators yielded."""
        with suppress(BrokenPipeError), self.told:
            pickle.dump(values, self.told)

    def end(self) -> bytes:
        """Wait for the process, and return its pickled result; b"" if the process failed."""
        self.told.close()
        with self.answers:
            data = self.answers.read()
        _, status = os.waitpid(self.process, 0)
        return data if status == 0 else b""

    def again(self, values: list[V]) -> R:
        """Run the generator in the calling process, and return its result."""
        steps = self.start()
        next(steps)
        return _result(steps, values)


def _run(start: Callable[[], Steps[V, R]], told: int, answer: int) -> None:
    """Run a generator in a child process, which then exits."""
    code = 1
    try:
        with open(told, "rb") as values, open(answer, "wb") as answers:
            steps = start()
            pickle.dump(next(steps), answers)
            answers.flush()
            answers.write(pickle.dumps(_result(steps, pickle.load(values)), protocol=5))
        code = 0
    finally:
        # Buffers and exit handlers belong to the parent process.
        os._exit(code)


def _result(steps: Steps[V, R], values: list[V]) -> R:
    """Send `values` to a generator, and return its result."""
    try:
        steps.send(values)
    except StopIteration as end:
        result: R = end.value
        return result
    raise AssertionError("the generator yields twice")
