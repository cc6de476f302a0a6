"""The exact results and gradients of a call, and checks that computed ones are close to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from opgen.testing import magnitude, oracle
from opgen.testing.arrays import named
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest


class Results:
    """The results of the reference in float64, for the inputs `arrays` of a call."""

    def __init__(self, subject: OpUnderTest, case: Case, arrays: list[Any]) -> None:
        self._subject, self._case = subject, case
        self._exact = subject.filled(oracle.results(subject, case, arrays))
        self._terms = magnitude.of_results(subject, case, arrays)

    @property
    def present(self) -> list[bool]:
        """Return whether the call has each result of the op."""
        return [exact is not None for exact in self._exact]

    def check(self, found: Sequence[Any], how: str = "") -> None:
        """Assert that results of a kernel, as NumPy arrays, are close. `how` describes the call."""
        for name, y, exact in named(self._subject.op.results, found, self._exact):
            if exact is None:
                assert y is None, name
            else:
                what, terms = f"{self._subject.name}.{name}{how}", partial(self._terms, name)
                oracle.close(y, exact, self._case, what=what, terms=terms)


class Gradients:
    """The gradients of the reference in float64, for inputs and cotangents of a call.

    `names` has the names of the inputs that have a gradient.
    """

    def __init__(
        self, subject: OpUnderTest, case: Case, arrays: list[Any], cotangents: list[Any]
    ) -> None:
        self._exact = oracle.gradients(subject, case, arrays, cotangents)
        self._terms = magnitude.of_gradients(subject, case, arrays, cotangents)
        self._size = oracle.largest(cotangents)
        self._case = oracle.of_gradients(subject, case)
        self.names = tuple(self._exact)

    def check(self, name: str, found: np.ndarray, how: str = "") -> None:
        """Assert that the gradient for an input is close. `how` describes the call."""
        exact = self._exact[name]
        oracle.close(
            found,
            exact,
            self._case,
            what=f"d{name}{how}",
            k=64,
            scale=max(self._size, oracle.largest([exact])),
            terms=partial(self._terms, name),
        )
