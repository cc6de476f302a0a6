"""The errors of a candidate in a call, compared with the reference."""

from __future__ import annotations

import numpy as np

from opgen.judge.verdict import Error
from opgen.language.dtypes import DTYPES
from opgen.runtime.debug.tolerance import EPS
from opgen.testing import oracle
from opgen.testing.arrays import named
from opgen.testing.draw import draw
from opgen.testing.environment import Case, numpy_dtype
from opgen.testing.hostile import guarantees
from opgen.testing.hostile.poisoned_call import Attempt, call
from opgen.testing.op_under_test import OpUnderTest

# The smallest divisor of a relative error.
TINY = 1e-30
# A relative error of this many roundings indicates a computation in a narrower dtype.
NARROW = 16


def narrower(subject: OpUnderTest, case: Case) -> str:
    """Return the dtype of the computation if it seems to be narrower than the result."""
    arrays = draw(subject.op, case)
    got = guarantees.results(subject, call(Attempt(subject, case), arrays))
    for _, y, exact in named(subject.op.results, got, oracle.results(subject, case, arrays)):
        if y is None:
            continue
        dtype = next((n for n in EPS if numpy_dtype(n) == y.dtype), None)
        if dtype is None:
            continue
        wide, exact = oracle.wide(y), np.asarray(exact, np.float64)
        there = np.isfinite(wide) & np.isfinite(exact) & (exact != 0)
        if not there.any():
            continue
        error = float(np.median(np.abs(wide[there] / exact[there] - 1)))
        narrower = [n for n in ("f32", "f16", "bf16") if DTYPES[n].bits < DTYPES[dtype].bits]
        for name in narrower:
            if EPS[dtype] * NARROW < EPS[name] / NARROW < error < EPS[name]:
                return (
                    f"; its errors of {error:.1g} are those of {name} ({EPS[name]:.1g}), "
                    f"not of {dtype} ({EPS[dtype]:.1g})"
                )
    return ""


def largest(subject: OpUnderTest, case: Case) -> Error:
    """Return the largest errors in a call, in absolute terms and relative to the reference."""
    arrays = draw(subject.op, case)
    got = guarantees.results(subject, call(Attempt(subject, case), arrays))
    right = oracle.results(subject, case, arrays)
    errors = [np.zeros((2, 1))]
    with np.errstate(all="ignore"):
        for _, y, exact in named(subject.op.results, got, right):
            if y is not None:
                error = np.abs(oracle.wide(y).astype(complex) - exact)
                relative = error / np.maximum(np.abs(exact), TINY)
                errors.append(np.array([relative.ravel(), error.ravel()]))
    finite = (float(e) if np.isfinite(e) else None for e in np.hstack(errors).max(axis=1))
    return Error(relative=next(finite), absolute=next(finite))
