"""The parts of the ABI that frameworks share, and the additions of each framework.

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
    """The additions of a framework to the ABI: the object `ABI` in the module that `Extension.abi`
    names.
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
    """Return the type of an attr and its limits, as text."""
    return type_of_attr(attr.type)


def must_be_given(attr: Attr | AttrSpec) -> bool:
    """Return whether every framework's declaration omits the default of an attr.

    This holds for attrs of type dtype. A declaration would store such a default as a number, and
    pass this number to Python.
    """
    return attr.required or attr.type == "dtype"


def falls_back(op: Op) -> bool:
    """Return whether the reference may have to run although a kernel exists."""
    return op.fallback and any(k.demanding or k.listed for k in op.kernels if k.native)


def entry_symbol(namespace: str, op: Op, platform: str) -> str:
    """Return the name of the C function that runs the op's kernel."""
    return f"{namespace}_{op.name}_{platform}"
