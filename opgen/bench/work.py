"""The least number of bytes and operations that a call needs, according to its spec.

To count the bytes, opgen assumes that each input is read once, and each result is written once.
Workspace and repeated reads are not counted. So a kernel that needs them reaches a lower fraction
of the machine's rate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from opgen.ir.nodes import BackwardCall, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.source.frozen import dataclass
from opgen.testing.environment import Case, dtype_in, environment, pick, shape_in

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Work:
    """Bytes read and written, floating-point operations, and calls to exp, log, tanh and similar.

    `flops` and `transcendentals` are None if the spec's `cost` does not define them.
    """

    read: int
    written: int
    flops: float | None = None
    transcendentals: float | None = None

    @property
    def bytes(self) -> int:
        return self.read + self.written

    @property
    def intensity(self) -> float | None:
        """Return the number of floating-point operations per moved byte."""
        return None if self.flops is None else self.flops / max(self.bytes, 1)

    def __add__(self, other: Work) -> Work:
        return Work(
            self.read + other.read,
            self.written + other.written,
            _sum(self.flops, other.flops),
            _sum(self.transcendentals, other.transcendentals),
        )


def forward_work(op: Op, case: Case) -> Work:
    """Return the work of a call that requests no gradient."""
    values = environment(op, case)
    written = [t for t in op.written if not t.optional and there(t, values)]
    updated = [t for t in op.updated if values[t.name] is not None]
    given = [t for t in op.inputs if values[t.name] is not None]
    work = Work(
        _read(op, values, sum(_bytes(op, t, values, case) for t in given)),
        sum(_bytes(op, t, values, case) for t in (*written, *updated)),
    )
    return _with_operations(work, op, values)


def backward_work(op: Op, case: Case, project: Project) -> Work | None:
    """Return the work of all backwards of the op, or None if no kernel computes the gradients."""
    values = environment(op, case)
    gradient = pick(op.grad, values)
    if not gradient.calls:
        return None
    parts = [_call_work(op, call, values, case, project) for call in gradient.calls]
    return sum(parts[1:], parts[0])


def differentiable(op: Op, case: Case) -> list[int]:
    """Return the positions of the inputs that are present and have a gradient."""
    values = environment(op, case)
    return [
        place
        for place, tensor in enumerate(op.inputs)
        if values[tensor.name] is not None
        and tensor.differentiable
        and DTYPES[dtype_in(tensor, values)].floating
    ]


def _call_work(op: Op, call: BackwardCall, values: Values, case: Case, project: Project) -> Work:
    backward = project.op(call.op)
    seen = dict(values)
    read = 0
    for argument in call.arguments:
        tensor = next((t for t in op.tensors if t.name == argument.of), None)
        if argument.source not in ("cotangent", "input", "output", "residual") or tensor is None:
            seen.setdefault(argument.name, None)
            continue
        given = there(tensor, values)
        seen[argument.name] = shape_in(op, tensor, values, case) if given else None
        read += _bytes(op, tensor, values, case) if given else 0
    primals = [op.tensor(name) for name, _ in call.gradients]
    written = sum(_bytes(op, t, values, case) for t in primals if there(t, values))
    work = Work(_read(backward, seen, read), written)
    return _with_operations(work, backward, seen)


def there(tensor: Tensor, values: Values) -> bool:
    """Return whether the tensor is present in a call."""
    if tensor.role == "input":
        return values[tensor.name] is not None
    return tensor.when is None or bool(evaluate(tensor.when, values))


def _bytes(op: Op, tensor: Tensor, values: Values, case: Case) -> int:
    shape = shape_in(op, tensor, values, case)
    shapes = shape if tensor.list else [shape]
    bits = DTYPES[dtype_in(tensor, values)].bits
    return sum(-(-math.prod(each) * bits // 8) for each in shapes)


def _read(op: Op, values: Values, derived: int) -> int:
    """Return the bytes read: `derived`, unless the spec's `cost.read` defines another number."""
    said = _cost(op, "read", values)
    return derived if said is None else int(said)


def _with_operations(work: Work, op: Op, values: Values) -> Work:
    flops, transcendentals = (_cost(op, key, values) for key in ("flops", "transcendentals"))
    return replace(work, flops=flops, transcendentals=transcendentals)


def _cost(op: Op, key: str, values: Values) -> float | None:
    expression: Expr | None = dict(op.cost).get(key)
    if expression is None:
        return None
    try:
        return float(evaluate(expression, values))
    except Unbound:  # a name of the backward that its forward does not have
        return None


def _sum(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a + b
