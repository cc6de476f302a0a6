"""A kernel among poison: what it does beside computing the right numbers, and these too.

The entry of the CPU kernel is called without a framework. Outputs and workspace are poison, and so
is all that is around the tensors and between their rows. The same call is made twice: the second
time elsewhere in memory, at addresses that are multiples of the size of an element only, with other
poison and other ranges for its threads. A third call has rows so far apart that their places need
more than 32 bits, where a caller may have such rows. What the op guarantees is told from these calls
and from calls on some of their rows.
"""

from opgen.testing.hostile.checks import conformance, examined

__all__ = ["conformance", "examined"]
