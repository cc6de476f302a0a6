"""Kernel calls that also test side effects, such as writes outside of a tensor.

The checks call the entry of the CPU kernel without a framework. All memory around tensors and
between their rows is filled with known bytes, called poison. So are outputs and workspace. Each
call is made twice. In the second call, the tensors have other addresses and are aligned only to the
element size. The poison also differs, and the elements are divided among the threads in another
way. If the op accepts inputs with any distance between rows, a third call is made. In this call,
the rows are so far apart that their offsets do not fit in 32 bits. These calls, and calls on some
of their rows, also check the guarantees that the op declares.
"""

from opgen.testing.hostile.checks import conformance, examined

__all__ = ["conformance", "examined"]
