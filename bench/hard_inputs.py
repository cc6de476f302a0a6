"""Measure the errors of ops and of native functions on hard inputs: `python -m bench.hard_inputs`.

The native function for an op is its first peer in bench/native.py, a function of PyTorch. An error
is the largest difference from the op's reference in float64. Its unit is the largest absolute value
in the exact result, times the epsilon of our result's dtype. Rounding the exact result costs at
most half a unit.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import generated
from bench import native as table
from opgen.bench.document import machine
from opgen.bench.peers import Peers
from opgen.bench.sizes import Size, in_dtype, sample_of, scaled, with_sizes
from opgen.bench.torch_calls import _attributes
from opgen.ir.op import Op
from opgen.testing import load, oracle, torch_checks
from opgen.testing.arrays import flat, mapped, named
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest

DTYPES = ("f32", "bf16", "f16")  # exact results are in float64
SIZE, LONG, LONG_SEQUENCE = Size(16, 512), Size(2, 1 << 16), Size(1024, 64)
MOST_COLUMNS = 4096  # for ops with their own sizes
DRAWS = 4
MORE = 16  # draws if an error seems larger, since the largest of few draws is a matter of luck
PEERS = Peers(table)
UNPAIRED = {"dropout"}  # its peer draws other numbers

Change = Callable[[np.ndarray], np.ndarray]


def hard(dtype: str) -> dict[str, Change]:
    """Return a function for each kind of hard inputs, by name. It changes normal random numbers to
    such inputs.
    """
    huge, tiny = (3e3, 1e-5) if dtype == "f16" else (1e30, 1e-30)
    return {
        "normal": lambda x: x,
        "huge": lambda x: x * huge,
        "tiny": lambda x: x * tiny,
        "zero rows": _zeroed,
        "mean 100": lambda x: x + 100,
        "long rows": lambda x: x,
    }


def _zeroed(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x[: (len(x) + 1) // 2] = 0
    return x


@dataclass(frozen=True)
class Error:
    """The largest errors of one result or gradient over several draws of random inputs.

    `ours` is the error of opgen's op, and `native` the error of the native function.
    """

    op: str
    dtype: str
    inputs: str
    result: str
    ours: float
    native: float

    @property
    def worse(self) -> bool:
        """Return whether our error exceeds the native error by more than rounding and chance
        explain.
        """
        return self.ours > max(1.0, 1.25 * self.native)


def errors(
    subject: OpUnderTest, native: Callable[..., Any], dtype: str, draws: int = DRAWS
) -> Iterator[Error]:
    """Yield the errors of all results and gradients of an op, for each kind of hard inputs.

    An error is the largest over `draws` draws of inputs. If our error then seems larger than the
    native error, the function continues up to `MORE` draws.
    """
    op = subject.op
    for inputs, change in hard(dtype).items():
        case = _grown(op, dtype, inputs)
        if case is None:
            continue
        found: dict[str, Error] = {}
        for seed in range(max(draws, MORE)):
            if seed >= draws and not any(error.worse for error in found.values()):
                break
            drawn = replace(case, seed=seed)
            arrays = _changed(op, draw(op, drawn), change)
            for result, *both in _measured(subject, drawn, arrays, native):
                former = found.get(result, Error(op.name, dtype, inputs, result, 0.0, 0.0))
                ours, theirs = map(max, both, (former.ours, former.native))
                found[result] = replace(former, ours=ours, native=theirs)
        yield from found.values()


def _grown(op: Op, dtype: str, inputs: str) -> Case | None:
    """Return the op's first sample in a dtype, scaled to the size for a kind of inputs, or None.

    The result is None if the op has no sample in this dtype. If the op has several kinds of calls,
    the function uses the first one.
    """
    sample = sample_of(op)
    case = None if sample is None else in_dtype(op, sample, dtype)
    if case is None:
        return None
    size = LONG if inputs == "long rows" else SIZE
    own = next(iter(PEERS.sizes(op.name).values()), None)
    if own is None:
        return scaled(op, case, size)
    if inputs == "long rows" and op.name == "varlen_attention":
        size = LONG_SEQUENCE  # its rows are those of the scores
    return with_sizes(op, case, own(size.rows, min(size.columns, MOST_COLUMNS)))


def _changed(op: Op, arrays: list[Any], change: Change) -> list[Any]:
    """Return the inputs, with `change` applied to the largest floating-point input. A list of
    tensors counts as one input.
    """

    def rank(place: int) -> int:
        tensor, given = op.inputs[place], arrays[place]
        if given is None or not tensor.floating or tensor.values:
            return -1
        return sum(x.size for x in (given if isinstance(given, list) else [given]))

    place = max(range(len(arrays)), key=rank)
    found = list(arrays)
    with np.errstate(over="ignore"):
        found[place] = mapped(
            lambda x: change(x.astype(np.float64)).astype(x.dtype), [arrays[place]]
        )[0]
    return found


def _measured(
    subject: OpUnderTest, case: Case, arrays: list[Any], peer: Callable[..., Any]
) -> Iterator[tuple[str, float, float]]:
    op = subject.op
    peer = partial(peer, **_attributes(subject, case))
    own = partial(subject.wrapper("torch"), **torch_checks.keywords(subject, case))
    try:
        theirs = _results(subject, arrays, peer)
    except RuntimeError:  # it rejects this combination of dtypes
        return
    exact = oracle.results(subject, case, arrays)
    for tensor, *triple in zip(op.results, _results(subject, arrays, own), theirs, exact):
        triples = list(zip(*(flat([each]) for each in triple)))
        if triple[-1] is not None and triples[0][0].is_floating_point():
            pairs = [_both(*each) for each in triples]
            yield tensor.name, max(p[0] for p in pairs), max(p[1] for p in pairs)
    if op.updated or not subject.differentiable(case):
        return
    cotangents = draw_cotangents(op, case)
    exact = oracle.gradients(subject, case, arrays, cotangents)
    try:
        theirs = _gradients(subject, arrays, cotangents, peer, exact)
    except RuntimeError:  # it has no gradient
        return
    mine = _gradients(subject, arrays, cotangents, own, exact)
    for (name, value), *both in zip(exact.items(), mine, theirs):
        if all(gradient is not None for gradient in both):
            yield f"d{name}", *_both(*both, value)


def _results(
    subject: OpUnderTest, arrays: list[Any], function: Callable[..., Any]
) -> list[torch.Tensor]:
    """Call a function, and return its outputs and the inputs that it updated."""
    inputs = mapped(_in_own_memory, torch_checks.tensors(subject, arrays))
    given = function(*inputs)
    given = list(given) if isinstance(given, tuple) else [given]
    updated = [x for x, t in zip(inputs, subject.op.inputs) if t.update]
    return [*given[: len(subject.op.outputs)], *updated]


def _gradients(
    subject: OpUnderTest,
    arrays: list[Any],
    cotangents: list[Any],
    function: Callable[..., Any],
    names: Sequence[str],
) -> Sequence[torch.Tensor | None]:
    """Call a function, and return the gradients for the inputs with these names."""
    inputs = mapped(_in_own_memory, torch_checks.tensors(subject, arrays, grad=True))
    leaves = [x for name, x in named(subject.op.inputs, inputs) if name in names]
    given = function(*inputs)
    given = list(given) if isinstance(given, tuple) else [given]
    pulled = mapped(torch_checks.to_torch, cotangents)
    pairs = [
        (y, c)
        for y, c in zip(flat(given), flat(pulled))
        if y is not None and c is not None and y.requires_grad
    ]
    outputs, pulls = zip(*pairs)
    return torch.autograd.grad(outputs, leaves, pulls, allow_unused=True)


def _in_own_memory(x: torch.Tensor) -> torch.Tensor:
    """Return a copy of `x` in memory that PyTorch has allocated.

    Some PyTorch kernels require the alignment of such memory without checking it.
    """
    return x.detach().clone().requires_grad_(x.requires_grad)


def _both(ours: torch.Tensor, native: torch.Tensor, exact: np.ndarray) -> tuple[float, float]:
    """Return the errors of our result and of the native result, both in units of our dtype."""
    return _error(ours, exact, ours.dtype), _error(native, exact, ours.dtype)


def _error(found: torch.Tensor, exact: np.ndarray, dtype: torch.dtype) -> float:
    """Return the error of a result, or infinity if it has an infinity or NaN where the exact result
    is finite. Elements that overflow the dtype are ignored.
    """
    limits = torch.finfo(dtype)
    exact = oracle.wide(exact)
    due = np.isfinite(exact) & (np.abs(exact) <= limits.max)
    if not due.any():
        return 0.0
    got, wanted = found.detach().double().numpy()[due], exact[due]
    if not np.isfinite(got).all():
        return float("inf")
    unit = max(np.abs(wanted).max() * limits.eps, limits.smallest_normal * limits.eps)
    return float(np.abs(got - wanted).max() / unit)


def all_errors(
    names: Sequence[str] = (), dtypes: Sequence[str] = DTYPES, draws: int = DRAWS
) -> Iterator[Error]:
    """Yield the errors of the ops with these names, or of all ops that have a peer."""
    tests = Path(generated.__file__).parent / "tests"
    first = load(str(tests / "test_ops.py"), "relu", package="generated", namespace="generated")
    for name, peers in table.torch_peers().items():
        if name in UNPAIRED or (names and name not in names):
            continue
        subject = OpUnderTest(first.project.op(name), first.project)
        for dtype in dtypes:
            yield from errors(subject, next(iter(peers.values())), dtype, draws)


def to_json(found: Iterable[Error], draws: int) -> str:
    """Return the errors as JSON, with a line for each op, dtype and kind of inputs."""
    rows: dict[tuple[str, ...], dict[str, tuple[float, float]]] = {}
    for each in found:
        row = rows.setdefault((each.op, each.dtype, each.inputs), {})
        row[each.result] = round(each.ours, 2), round(each.native, 2)
    head = {"date": date.today().isoformat(), "machine": machine(), "draws": draws}
    lines = ",\n".join(json.dumps([*place, row]) for place, row in rows.items())
    return f'{json.dumps(head)[:-1]},\n"errors": [\n{lines}]}}\n'


def from_json(whole: dict[str, Any]) -> list[Error]:
    return [
        Error(*place, result, *both)
        for *place, row in whole["errors"]
        for result, both in row.items()
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench.hard_inputs", description=__doc__)
    parser.add_argument("ops", nargs="*", metavar="OP", help="all that have a peer by default")
    parser.add_argument("--dtypes", default=",".join(DTYPES), help="separated by commas")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of each kind of inputs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all errors here")
    options = parser.parse_args(arguments)
    found = []
    for each in all_errors(options.ops, options.dtypes.split(","), options.draws):
        found.append(each)
        what = f"{each.op} {each.dtype} {each.inputs} {each.result}"
        worse = ", worse" if each.worse else ""
        print(f"{what}: ours {each.ours:.2f}, native {each.native:.2f}{worse}", flush=True)
    if options.json:
        options.json.write_text(to_json(found, options.draws))


if __name__ == "__main__":
    main()
