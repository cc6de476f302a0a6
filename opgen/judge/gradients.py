"""Check the gradients that an op's backwards compute from the results of a candidate."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from opgen.ir.nodes import Argument
from opgen.language.expr.evaluate import evaluate
from opgen.testing import magnitude, oracle
from opgen.testing.arrays import from_torch, mapped, to_torch
from opgen.testing.cases import cases
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, environment, gradient_of
from opgen.testing.hostile.entry import takes
from opgen.testing.hostile.poisoned_call import PLAIN, call
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
        if not takes(subject, environment(subject.op, case)):
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
    called = call(subject, case, values, arrays, PLAIN)
    made = {
        tensor.name: mapped(lambda m: np.array(m.array), [memory])[0]
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

    wanted = oracle.gradients(subject, case, arrays, cotangents)
    terms = magnitude.of_gradients(subject, case, arrays, cotangents)
    size = oracle.largest(cotangents)
    allowed = oracle.of_gradients(subject, case)
    found: dict[str, Any] = {}
    for each in gradient_of(op, case).calls:
        backward = subject.peer(each.op)
        tensors = mapped(lambda x: to_torch(x), [value(a) for a in each.arguments])
        attrs = {a.name: value(a) for a in each.attrs if a.source != "absent"}
        results = backward.wrapper("torch")(*tensors, **attrs)
        results = results if isinstance(results, tuple) else (results,)
        by_name = dict(zip((t.name for t in backward.op.results), results))
        for name, result in each.gradients:
            found[name] = found.get(name, 0) + oracle.wide(from_torch(by_name[result]))
    for name, exact in wanted.items():
        if name in found:
            dtype = given[name].dtype
            scale = max(size, oracle.largest([exact]))
            got = found[name].astype(dtype)
            oracle.close(
                got, exact, allowed, what=f"d{name}", k=64, scale=scale, terms=partial(terms, name)
            )
