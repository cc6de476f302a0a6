"""The process that runs a candidate kernel: `python -m opgen.judge.worker`.

The process reads pickled requests from its judge and answers each with a line of JSON. Tensors are
in memory that both processes map. The judge verifies everything that an answer reports about a
call, with two exceptions: leaked memory, and the thread's floating-point mode.
"""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import json
import mmap
import os
import pickle
import resource
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from time import perf_counter
from types import SimpleNamespace
from typing import Any, BinaryIO

import numpy as np

from opgen.ir.project import Project
from opgen.judge.solution import Solution
from opgen.source.frozen import dataclass
from opgen.testing.arrays import applied, flat, from_torch, mapped, over
from opgen.testing.environment import Case
from opgen.testing.hostile.memory import Memory, far
from opgen.testing.hostile.poisoned_call import Attempt, Ran, Setting, ready, run
from opgen.testing.op_under_test import OpUnderTest


@dataclass(frozen=True)
class Placed:
    """The position of a tensor in the shared memory.

    If `gap` is true, the rows of the candidate's copy are far apart.
    """

    at: int
    size: int
    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype
    gap: bool = False


@dataclass(frozen=True)
class Limits:
    """Limits of a candidate's process: bytes of private memory, seconds of CPU time, open files."""

    memory: int = 4 * 2**30
    processor: int = 900
    files: int = 64


@dataclass(frozen=True)
class Start:
    """The first message to the process: the op, and how to load the candidate."""

    project: Project
    op: str
    path: str
    name: str
    kind: str
    symbol: str
    solution: Solution | None
    memory: int
    limits: Limits


@dataclass(frozen=True)
class Request:
    """A request to run a call, with its tensors and the number of repetitions.

    If `kept` is true, the call is only prepared, and kept for later requests.
    """

    case: Case
    tensors: Sequence[Any]
    setting: Setting
    times: int = 1
    kept: bool = False


# The request to run all kept calls at the same time, and the seconds for which they run.
TOGETHER, EACH = "together", 0.2
# A function that prepares a call. Its arguments are the attempt, the memory, and a list for objects
# that the call keeps alive.
Ready = Callable[..., Callable[[], int]]


class Wrong(Exception):
    """Error for a candidate's result that does not fit the op. The message is the reason."""


def main() -> None:
    """Answer requests until the judge sends no more."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps a candidate's output out of the answers
    start: Start = pickle.load(requests)
    sys.path.insert(0, os.environ["OPGEN_JUDGE_PATH"])
    shared = mmap.mmap(int(os.environ["OPGEN_JUDGE_MEMORY"]), start.memory)
    whole = np.frombuffer(shared, np.uint8)
    answer(answers, lambda: _serve(start, whole, requests, answers))


def _serve(start: Start, whole: np.ndarray, requests: BinaryIO, answers: Any) -> None:
    subject = OpUnderTest(start.project.op(start.op), start.project)
    assert subject.core is not None, "imported before the limits hold"
    if start.solution is not None:
        importlib.import_module("torch")
    _confine(start.limits)
    ready_one: Ready = ready
    if start.solution is not None:
        ready_one = partial(ready_solution, start.solution, _solved(start.solution, start.path))
    elif start.kind == "python":
        ready_one = partial(ready_function, _function(start))
    else:
        subject = replace(subject, library=_library(start))
    _say(answers, {"status": 0})
    kept: list[tuple[Callable[[], int], list[np.ndarray]]] = []
    while True:
        try:
            request: Request | str | None = pickle.load(requests)
        except EOFError:
            return
        if request is None:  # the request for a timing sample: run each kept call once
            answer(answers, lambda: {"status": max((call() for call, _ in kept), default=0)})
            continue

        if isinstance(request, str):
            answer(answers, lambda: {"status": _together(kept)})
            continue

        def work(request: Request = request) -> dict[str, Any]:
            memory = _mapped(request.tensors, whole)
            attempt = Attempt(subject, request.case, request.setting)
            if ready_one is ready and not request.kept:
                return vars(run(attempt, memory, request.times))
            call = ready_one(attempt, memory, [])
            if request.kept:
                made = zip(subject.op.tensors, memory)
                kept.append(
                    (
                        call,
                        [m.array for t, m in made if isinstance(m, Memory) and t.role == "output"],
                    )
                )
                return {"status": 0}
            return vars(Ran(max(call() for _ in range(request.times))))

        answer(answers, work)


def _together(kept: Sequence[tuple[Callable[[], int], Sequence[np.ndarray]]]) -> int:
    """Repeat each prepared call on its own thread until its results change or the time is up.

    Return the first status that is not 0, or 0 if all calls succeed.
    """
    alone = [(call(), [each.tobytes() for each in results]) for call, results in kept]

    def repeat(number: int) -> int:
        (call, results), (status, right) = kept[number], alone[number]
        end = perf_counter() + EACH
        while not status and perf_counter() < end:
            status = call()
            if [each.tobytes() for each in results] != right:
                break  # stop, so that the judge sees these results
        return status

    with ThreadPoolExecutor(len(kept)) as pool:
        return max(pool.map(repeat, range(len(kept))))


def answer(answers: Any, work: Callable[[], dict[str, Any] | None]) -> None:
    """Run `work`, and send its result or error as an answer."""
    try:
        said = work()
    except Wrong as error:
        said = {"wrong": str(error)}
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        text = str(error).partition("\n")[0]
        where = f"{Path(last.filename).name}:{last.lineno}"
        said = {"raised": f"{type(error).__name__}: {text}".rstrip(": ") + f", at {where}"}
    if said is not None:
        _say(answers, said)


def _say(answers: Any, said: Mapping[str, Any]) -> None:
    answers.write(json.dumps(said) + "\n")
    answers.flush()


def _confine(limits: Limits) -> None:
    for what, most in (
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_CPU, limits.processor),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _library(start: Start) -> Any:
    """Return the candidate's library. Its function has the name of the op's entry."""
    import ctypes

    library = ctypes.CDLL(start.path, mode=os.RTLD_LAZY)
    name = start.name or start.symbol
    if not hasattr(library, name):
        raise Wrong(f"{Path(start.path).name} exports no `{name}`")
    return SimpleNamespace(**{start.symbol: library[name]})


def _function(start: Start) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location("candidate", start.path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    if not hasattr(module, start.name):
        raise Wrong(f"{Path(start.path).name} has no function `{start.name}`")
    found: Callable[..., Any] = getattr(module, start.name)
    return found


def _mapped(tensors: Sequence[Any], whole: np.ndarray) -> list[Any]:
    def view(placed: Placed) -> Memory:
        part = whole[placed.at : placed.at + placed.size]
        array: np.ndarray = np.ndarray(
            placed.shape, placed.dtype, part, placed.first, placed.strides
        )
        return far(array) if placed.gap else Memory(part, array, part)

    return mapped(view, tensors)


def _arrays(subject: OpUnderTest, memory: Sequence[Any]) -> dict[str, Any]:
    pairs = zip(subject.op.tensors, memory)
    return {tensor.name: applied(lambda m: m.array, m) for tensor, m in pairs}


def ready_function(
    function: Callable[..., Any], attempt: Attempt, memory: Sequence[Any], _: object
) -> Callable[[], int]:
    """Return a call to a Python function whose results are copied into their buffers."""
    op, arrays = attempt.op, _arrays(attempt.subject, memory)
    given = [arrays[t.name] for t in op.inputs]
    attrs = {attr.name: attempt.values[attr.name] for attr in op.attrs}
    places = [(t.name, arrays[t.name]) for t in op.results]

    def call() -> int:
        _put_all(places, function(*given, **attrs))
        return 0

    return call


def _solved(solution: Solution, path: str) -> Callable[..., Any]:
    """Return the function of a Solution. `path` is its folder of Python modules or its library."""
    found: Any
    if solution.binding == "tvm-ffi":
        import tvm_ffi

        found = tvm_ffi.load_module(path)
    elif solution.binding:
        found = importlib.machinery.ExtensionFileLoader("candidate", path).load_module("candidate")
    else:
        sys.path.insert(0, str(Path(path).parent))
        where = (Path(path).name, *PurePosixPath(solution.file).with_suffix("").parts)
        found = importlib.import_module(".".join(where))
    if not hasattr(found, solution.function):
        raise Wrong(f"{solution.file} has no function `{solution.function}`")
    function: Callable[..., Any] = getattr(found, solution.function)
    return function


def ready_solution(
    solution: Solution,
    function: Callable[..., Any],
    attempt: Attempt,
    memory: Sequence[Any],
    _: object,
) -> Callable[[], int]:
    """Return a call to a function with PyTorch tensors that share the memory of the call."""
    arrays, values = _arrays(attempt.subject, memory), attempt.values
    updated = {f"{t.name}_out": arrays[t.name] for t in attempt.op.updated}
    places = [(n, {**arrays, **updated}[n]) for n in solution.outputs]

    def call() -> int:
        # The format has no in-place updates. Instead, the new value of an input is a result.
        given = [
            (
                over(arrays[n].copy() if f"{n}_out" in updated else arrays[n])
                if n in arrays
                else values[n]
            )
            for n in solution.inputs
        ]
        if solution.fills:
            function(*given, *(over(place) for _, place in places))
        else:
            _put_all(places, mapped(from_torch, _tuple(function(*given))))
        return 0

    return call


def _tuple(found: Any) -> tuple[Any, ...]:
    return tuple(found) if isinstance(found, (tuple, list)) else (found,)


def _put_all(places: Sequence[tuple[str, Any]], found: Any) -> None:
    results = _tuple(found)
    if len(results) != len(places):
        raise Wrong(f"{len(results)} results, and the op has {len(places)}")
    for (name, place), result in zip(places, results):
        _put(name, flat([place]), flat([result]))


def _put(name: str, places: list[Any], results: list[Any]) -> None:
    if len(places) != len(results):
        raise Wrong(f"{name} has {len(results)} tensors, not {len(places)}")
    for place, result in zip(places, results):
        if (place is None) != (result is None):
            raise Wrong(f"{name} is {'absent' if result is None else 'given'}, and must not be")
        if place is None:
            continue
        result = np.asarray(result)
        if result.shape != place.shape:
            raise Wrong(f"{name} has shape {result.shape}, not {place.shape}")
        if result.dtype != place.dtype:
            raise Wrong(f"{name} has dtype {result.dtype}, not {place.dtype}")
        place[...] = result


if __name__ == "__main__":
    gc.disable()
    main()
