"""Calls of a kernel among poison: its numbers, and everything else that it does.

The checks call the entry of the CPU kernel without a framework. Outputs, workspace, and everything
around the tensors and between their rows are poison. The same call is made twice. The second time the
tensors are elsewhere in memory, aligned only to the size of an element. Poison and the ranges of
threads differ too. A third call has rows so far apart that offsets need more than 32
bits, if a caller may have such rows. Guarantees of the op are checked with these calls and with
calls on some of their rows.
"""

from opgen.testing.hostile.checks import conformance, examined

__all__ = ["conformance", "examined"]
