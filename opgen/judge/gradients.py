"""Check the gradients that an op's backwards compute from the results of a candidate."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from opgen.ir.nodes import Argument
from opgen.language.expr.evaluate import evaluate
from opgen.testing import oracle
from opgen.testing.arrays import applied, from_torch, mapped, to_torch, tupled
from opgen.testing.cases import cases
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, environment, gradient_of
from opgen.testing.exact import Gradients
from opgen.testing.hostile.entry import takes
from opgen.testing.hostile.poisoned_call import Attempt, call
from opgen.testing.op_under_test import OpUnderTest

MOST = 8


class Unready(Exception):
    """Error for gradients that cannot be computed on this machine. The message is the reason."""


def fault(subject: OpUnderTest) -> str:
    """Describe the first wrong gradient, or return "".

    Raises `Unready` if the gradients cannot be computed.
    """
    if find_spec("torch") is None:
        raise Unready("it needs PyTorch")
    try:
        import_module(f"{subject.project.package}.torch")
    except ImportError:
        raise Unready("the package is not built for PyTorch: run `opgen build`") from None
    for case in cases(subject.op, floating=True)[:MOST]:
        if not takes(subject, case):
            continue
        try:
            _check(subject, case)
        except AssertionError as error:
            return f"{case}: {error}"
    return ""


def _check(subject: OpUnderTest, case: Case) -> None:
    op = subject.op
    values, arrays = environment(op, case), draw(op, case)
    cotangents = draw_cotangents(op, case)
    called = call(Attempt(subject, case), arrays)
    made = {
        tensor.name: applied(lambda m: np.array(m.array), memory)
        for tensor, memory in zip(op.tensors, called.memory)
    }
    given: dict[str, Any] = dict(zip((t.name for t in op.inputs), arrays))
    pulled = dict(zip((t.name for t in op.outputs), cotangents))

    def value(argument: Argument) -> Any:
        if argument.source == "cotangent":
            return pulled[argument.of]
        if argument.source in ("output", "residual"):
            return made[argument.of]
        if argument.source == "input":
            return given[argument.of]
        if argument.source == "expr" and argument.expr is not None:
            return evaluate(argument.expr, values)
        return None if argument.source == "absent" else values[argument.of]

    exact = Gradients(subject, case, arrays, cotangents)
    found: dict[str, Any] = {}
    for each in gradient_of(op, case).calls:
        backward = subject.peer(each.op)
        tensors = mapped(lambda x: to_torch(x), [value(a) for a in each.arguments])
        attrs = {a.name: value(a) for a in each.attrs if a.source != "absent"}
        results = tupled(backward.wrapper("torch")(*tensors, **attrs))
        by_name = dict(zip((t.name for t in backward.op.results), results))
        for name, result in each.gradients:
            found[name] = found.get(name, 0) + oracle.wide(from_torch(by_name[result]))
    for name in exact.names:
        if name in found:
            exact.check(name, found[name].astype(given[name].dtype))
