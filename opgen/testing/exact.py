"""The exact results and gradients of a call, and checks that computed ones are close to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from opgen.testing import magnitude, oracle
from opgen.testing.arrays import named
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest


class Results:
    """The results of the reference in float64, for the inputs `arrays` of a call."""

    def __init__(self, subject: OpUnderTest, case: Case, arrays: list[Any]) -> None:
        self._subject, self._case, self._arrays = subject, case, arrays
        self._exact = self._of(arrays)

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
                what = f"{self._subject.name}.{name}{how}"
                oracle.close(y, exact, self._case, what=what, terms=lambda: self._terms[name])

    def _of(self, arrays: list[Any]) -> list[Any]:
        return self._subject.filled(oracle.results(self._subject, self._case, arrays))

    @cached_property
    def _terms(self) -> dict[str, np.ndarray]:
        """Return the sizes of the terms that add up to each result."""

        def find(moved: list[Any]) -> dict[str, Any]:
            return dict(named(self._subject.op.results, self._of(moved)))

        return magnitude.terms(find, self._arrays, self._case.seed)


class Gradients:
    """The gradients of the reference in float64, for inputs and cotangents of a call.

    `names` has the names of the inputs that have a gradient.
    """

    def __init__(
        self, subject: OpUnderTest, case: Case, arrays: list[Any], cotangents: list[Any]
    ) -> None:
        self._find = partial(oracle.gradients, subject, case)
        self._given = [arrays, cotangents]
        self._exact = self._find(*self._given)
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
            scale=max(oracle.largest(self._given[1]), oracle.largest([exact])),
            terms=lambda: self._terms[name],
        )

    @cached_property
    def _terms(self) -> dict[str, np.ndarray]:
        """Return the sizes of the terms that add up to each gradient."""
        return magnitude.terms(lambda moved: self._find(*moved), self._given, self._case.seed)
