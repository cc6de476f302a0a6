"""The parts of the binary interface (ABI) that all frameworks share, and each framework's part.

Each framework declares an op's arguments differently: in a schema, or in attributes of a call.
These declarations belong to the layout that libraries and rendered Python must agree on
(`layout_hash`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.spec.attr_types import AttrType, type_of_attr
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
        """Return the declarations of the non-tensor values of a call, apart from the schema."""
        return ()


def abis() -> Iterator[Abi]:
    """Yield the ABI of each framework."""
    for name, extension in extensions().items():
        if extension.abi:
            yield cast("Abi", imported(extension.abi, name).ABI)


def kind_of(attr: Attr) -> AttrType:
    """Return the type of an attr, a keyword argument of an op."""
    return type_of_attr(attr.type)


def must_be_given(attr: Attr | AttrSpec) -> bool:
    """Return whether every framework's declaration of an attr must omit its default.

    This holds for required attrs and for attrs of type dtype. A declaration would store a dtype as
    a number, and pass this number to Python.
    """
    return attr.required or attr.type == "dtype"


def falls_back(op: Op) -> bool:
    """Return whether some call may need the reference although the op has a kernel."""
    return op.fallback and any(k.demanding or k.listed for k in op.kernels if k.native)


def entry_symbol(namespace: str, op: Op, platform: str) -> str:
    """Return the name of the exported C function that runs the op's kernel on a platform."""
    return f"{namespace}_{op.name}_{platform}"
