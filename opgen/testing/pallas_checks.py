"""Checks of the values that Pallas kernels compute. They run in JAX's interpreter on the CPU.

The interpreter detects races, and fills uninitialized memory with NaN.
"""

from __future__ import annotations

import contextlib
import io
from dataclasses import fields
from typing import Any

import jax
import numpy as np
import pytest
from jax.experimental.pallas import tpu as pltpu

from opgen.testing import oracle
from opgen.testing.arrays import mapped
from opgen.testing.draw import draw
from opgen.testing.environment import Case, environment, meets
from opgen.testing.exact import Results
from opgen.testing.op_under_test import OpUnderTest

# The interpreter's message for a race.
RACE = "RACE DETECTED"


def interpreted(subject: OpUnderTest, case: Case) -> None:
    """Check that the Pallas kernel agrees with the reference and has no race."""
    op, values = subject.op, environment(subject.op, case)
    (kernel,) = (k for k in op.kernels if k.kind == "pallas")
    if not meets(values, kernel.require):
        pytest.skip("the kernel in Pallas does not take this call")
    arrays = draw(op, case)
    exact = Results(subject, case, arrays)
    made = iter(_run(subject, case, mapped(jax.device_put, arrays)))
    got = [np.asarray(next(made)) if there else None for there in exact.present]
    exact.check(subject.filled(got), f" of {kernel.name}")


def _run(subject: OpUnderTest, case: Case, inputs: list[Any]) -> tuple[Any, ...]:
    """Return the results of a call to the kernel."""
    op = subject.op
    function = getattr(subject.module(f"tpu._{op.name}"), op.name)
    attrs = oracle.all_attributes(subject, case)
    attrs |= {"wanted": tuple(t.name for t in op.on_request)} if op.on_request else {}
    printed = io.StringIO()
    with interpreter(), contextlib.redirect_stdout(printed):
        call = jax.jit(lambda *given: function(*given, **attrs))
        found: tuple[Any, ...] = jax.block_until_ready(call(*inputs))
    assert RACE not in printed.getvalue(), printed.getvalue()
    return found


def interpreter() -> contextlib.AbstractContextManager[None]:
    """Return a context in which Pallas calls are interpreted."""
    # JAX has two names for the number of programs that run at once. A race needs several.
    (cores,) = (f.name for f in fields(pltpu.InterpretParams) if f.name.startswith("num_cores"))
    options: dict[str, Any] = {"detect_races": True, "uninitialized_memory": "nan", cores: 2}
    params = pltpu.InterpretParams(**options)
    found: contextlib.AbstractContextManager[None] = pltpu.force_tpu_interpret_mode(params)
    return found
