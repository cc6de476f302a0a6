"""The parts of the binary interface (ABI) that all frameworks share, and each framework's part.

Each framework declares an op's arguments differently: in a schema, or in attributes of a call. The
libraries and the rendered Python must agree on these declarations, so `layout_hash` includes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.spec.extensions import extensions, imported
from opgen.spec.models.attrs import AttrSpec


class Abi:
    """The part of the binary interface (ABI) that one framework adds. A framework defines an object
    `ABI` of this class in the module that `Extension.abi` names.
    """

    def schemas(self, op: Op) -> Iterable[str]:
        """Return the schemas that the framework declares for an op, if it declares any."""
        return ()

    def attributes(self, op: Op) -> Iterable[str]:
        """Return the framework's declarations of a call's non-tensor values, other than its
        schemas.
        """
        return ()


def abis() -> Iterator[Abi]:
    """Yield the ABI of each framework."""
    for name, extension in extensions().items():
        if extension.abi:
            yield cast("Abi", imported(extension.abi, name).ABI)


def must_be_given(attr: Attr | AttrSpec) -> bool:
    """Return whether an attr's default must be left out of every framework's declaration.

    This holds for required attrs and for attrs of type dtype. A declaration would store a default
    dtype as a number, and Python would receive this number instead of the dtype.
    """
    return attr.required or attr.type == "dtype"


def falls_back(op: Op) -> bool:
    """Return whether some call may run the op's reference implementation, although the op has a
    kernel.
    """
    return op.fallback and any(k.demanding or k.listed for k in op.kernels if k.native)


def entry_symbol(namespace: str, op: Op, platform: str) -> str:
    """Return the name of the exported C function that runs the op's kernel on a platform."""
    return f"{namespace}_{op.name}_{platform}"
