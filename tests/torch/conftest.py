"""Fixtures: ops that a test defines, with kernels in Python and rules for autograd."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
import torch

_numbers = itertools.count()


class Playground:
    """A namespace for the ops of one test."""

    def __init__(self, register_rule: Callable[[str, str], None]) -> None:
        self.name = f"playground{next(_numbers)}"
        self._register_rule = register_rule
        self._library = torch.library.Library(self.name, "DEF")

    def define(self, schema: str, kernel: Callable, fake: Callable | None = None) -> None:
        """Define an op with a CPU kernel. Without `fake`, the kernel also runs on fake tensors."""
        name = schema.partition("(")[0]
        self._library.define(schema)
        self._library.impl(name, kernel, "CPU")
        torch.library.register_fake(f"{self.name}::{name}", fake or kernel, lib=self._library)

    def rule(self, *lines: str) -> Callable:
        """Register an autograd rule, and return its op."""
        self._register_rule("\n".join(lines), self.name)
        return getattr(getattr(torch.ops, self.name), lines[0].split()[1]).default


@pytest.fixture(params=["library", "python"])
def ops(request) -> Playground:
    """Return a `Playground` that uses the autograd library or its replacement in Python."""
    from generated._opgen.torch import autograd, library

    def in_python(rule: str, namespace: str) -> None:
        autograd.register(namespace, rule)

    return Playground(library.register_rule if request.param == "library" else in_python)
