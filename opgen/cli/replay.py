"""`opgen replay`: repeats a recorded call of an op, and compares the kernel with the reference.

In shadow mode, a program records a call if the kernel and the reference differ.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from opgen.cli.console import read_config, require_packages, say
from opgen.source.failure import Failure
from opgen.source.terminal import visible_lines

NEEDS = ("numpy", "array_api_compat")
RUNS = 60  # the maximum number of attempts to make a call smaller


def replay(file: Path, shrink: bool, package: str | None) -> int:
    """Repeat the call that a file contains, and print where the kernel and the reference differ.

    With `shrink`, first look for a smaller call that shows the same fault. The code that runs is
    always from `package` or from the current project. The file cannot select other code. Return 1
    if the kernel and the reference agree this time.
    """
    require_packages(NEEDS, "a replay")
    record = _read(file, package)
    runs = _runs(file, record)
    _print(f"{record.op} in {record.framework}, on {record.platform}; then it {record.finding}")
    _print_arguments(record)
    package = record.package
    if different := _other_versions(record.versions, package):
        say(f"other versions than then: {different}")
    found = runs(record)
    if not found:
        print("now kernel and reference agree: alone, the call does not show it")
        return 1
    smaller = record
    if shrink:
        smaller, found = _shrunk(record, runs, found)
    if smaller is not record:
        print("made smaller, with the same fault:")
        _print_arguments(smaller)
    told = import_module(f"{package}._opgen.debug.shadow").told
    for kind, name, departure in found:
        _print(f"{record.op} {told(kind, name, departure)}")
    return 0


def _print_arguments(record: Any) -> None:
    for name, value in record.inputs.items():
        _print(f"  {name}: {_shapes(value)}")
    for name, value in record.attrs.items():
        _print(f"  {name} = {value!r}")


def _print(text: str) -> None:
    """Print text from a recorded file, which may be untrusted. Control characters are replaced."""
    print(visible_lines(text))


def _read(file: Path, chosen: str | None) -> Any:
    """Read a recorded call, with the code of the package that recorded the call."""
    from opgen.runtime.debug import replay_file

    try:
        package = replay_file.read(file).package
    except replay_file.ReplayError as error:
        raise Failure(str(error)) from None
    config = read_config([], "text")
    if package != (chosen or config.package):
        where = f"--package says {chosen}" if chosen else f"the project here has {config.package}"
        raise Failure(
            f"{file} is of the package {package}, and {where}: run it in the project that it is "
            f"from, or name the installed package that you trust with --package"
        )
    os.environ["OPGEN_SHADOW"] = "*:0"  # compare the kernel with the reference, but write no files
    if config.package == package:
        sys.path.insert(0, str(config.out_dir.parent))
    try:
        return import_module(f"{package}._opgen.debug.replay_file").read(file)
    except ModuleNotFoundError:
        raise Failure(
            f"{file} is of the package {package}, which is neither here nor installed: run it in "
            "the project that it is from, after `opgen render` and `opgen build`"
        ) from None
    except ImportError as error:
        raise Failure(str(error)) from None


def _runs(path: Path, record: Any) -> Any:
    """Return a function that repeats a recorded call and returns the differences.

    Raises `Failure` if the package has changed since it recorded the call, or cannot be loaded.
    """
    package = record.package
    if record.framework not in ("torch", "jax"):
        raise Failure(f"{path} is of {record.framework}, which is neither torch nor jax")
    try:
        import_module(f"{package}.{record.framework}")
        shadow: ModuleType = import_module(f"{package}._opgen.debug.{record.framework}")
    except ImportError as error:
        raise Failure(f"{package} cannot be loaded: {error}") from None
    if record.layout != shadow.LAYOUT:
        raise Failure(
            f"{path} is of another state of {package}: its layout was {record.layout}, and is "
            f"{shadow.LAYOUT}: run it with the package that it is from"
        )
    if not hasattr(import_module(f"{package}.core"), record.op):
        raise Failure(f"{path} is of the op {record.op}, which {package} does not have")

    def runs(each: Any) -> list[Any]:
        try:
            found: list[Any] = shadow.rerun(each)
        except Exception as error:
            raise Failure(f"{record.op} cannot be run on {record.platform}: {error}") from error
        return found

    return runs


def _shrunk(record: Any, runs: Any, found: list[Any]) -> tuple[Any, list[Any]]:
    """Return the smallest call with the same kind of fault, and the differences in this call."""
    left = RUNS
    again = True
    while again:
        again = False
        for smaller in _halves(record):
            if left == 0:
                return record, found
            left -= 1
            try:
                less = runs(smaller)
            except Failure:  # not a valid call of this op
                continue
            if less and less[0][0] == found[0][0]:
                record, found, again = smaller, less, True
                break
    return record, found


def _halves(record: Any) -> Iterator[Any]:
    """Yield smaller calls. Each keeps the first half, the last half, or all but one index of a dim.

    The dims are those of the first input with the most dims, except its last dim if it has several.
    All inputs that have the same sizes up to and including a dim are cut along this dim.
    """
    tensors = [t for t in record.inputs.values() if t is not None and not isinstance(t, list)]
    if not tensors:
        return
    ranks = max(len(t.shape) for t in tensors)
    first = next(t for t in tensors if len(t.shape) == ranks)
    for axis in range(max(len(first.shape) - 1, 1)):
        if len(first.shape) <= axis or first.shape[axis] < 2:
            continue
        lead, half = first.shape[: axis + 1], first.shape[axis] // 2
        for begin, end in ((0, half), (half, first.shape[axis]), (0, first.shape[axis] - 1)):
            inputs = {
                name: (
                    _cut(value, axis, begin, end)
                    if getattr(value, "shape", ())[: axis + 1] == lead
                    else value
                )
                for name, value in record.inputs.items()
            }
            yield replace(record, inputs=inputs)


def _cut(stored: Any, axis: int, begin: int, end: int) -> Any:
    """Return the part of a tensor from index `begin` up to, but not including, `end` along `axis`.

    If the tensor is dense, the result is dense too. Otherwise the result has the tensor's strides.
    """
    import numpy as np

    shape = (*stored.shape[:axis], end - begin, *stored.shape[axis + 1 :])
    count = int(np.prod(stored.shape, dtype=np.int64)) or 1
    size = stored.data.nbytes // count
    rows = stored.data.reshape(*stored.shape, size)
    at = (slice(None),) * axis + (slice(begin, end),)
    data = np.ascontiguousarray(rows[at]).reshape(-1)
    dense = stored.strides is not None and stored.strides == _dense(stored.shape)
    strides = _dense(shape) if dense else stored.strides
    return replace(stored, shape=shape, data=data, strides=strides)


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    found, stride = [], 1
    for size in reversed(shape):
        found.append(stride)
        stride *= max(size, 1)
    return tuple(reversed(found))


def _shapes(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, list):
        return f"[{', '.join(map(_shapes, value))}]"
    strides = "" if value.strides in (None, _dense(value.shape)) else f", strides {value.strides}"
    return f"{value.dtype} {value.shape}{strides}"


def _other_versions(then: Mapping[str, str], package: str) -> str:
    now = import_module(f"{package}._opgen.debug.shadow").versions()
    pairs = [f"{n} {now.get(n, 'none')}, then {v}" for n, v in then.items() if now.get(n) != v]
    return "; ".join(pairs)
