"""Template data for `tpu/_<op>.py`, which calls a Pallas kernel."""

from __future__ import annotations

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.language.shapes import Shape
from opgen.source.frozen import dataclass
from opgen.targets.own_names import own
from opgen.targets.python_format import call, define, dict_of, docstring, quoted, tuple_of
from opgen.targets.tpu.resolve import PallasKernel, block_of, is_column, name_of

INDICES = "ijklmnopq"


@dataclass(frozen=True, slots=True)
class CallView:
    """Template data for one `tpu/_<op>.py`."""

    docstring: str
    core: str
    kernel: str
    define: str
    doc: str
    body: tuple[str, ...]


def view(op: Op, kernel: PallasKernel) -> CallView:
    """Return the template data for one op."""
    names = [t.name for t in op.inputs]
    options = [*(a.name for a in op.attrs), *(["wanted"] if op.on_request else [])]
    launch = own(op, "launch")
    given = [f"_pallas.spec_of({name})" for name in names]
    given += [f"{name}={name}" for name in options]
    module = ".".join(["", "kernels", *kernel.file.removesuffix(".py").split("/")])
    results = ", ".join(f"`{t.name}`" for t in op.written)
    return CallView(
        docstring=docstring(
            f"`{op.name}` on TPUs: the kernel `{kernel.function}` of {kernel.file}.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        core=f"from ..core import {op.name} as _core",
        kernel=f"from {module} import {kernel.function} as _kernel",
        define=define(op.name, [*names, *(["*", *options] if options else [])]),
        doc=docstring(f"The results that a call has, of {results}."),
        body=(
            call(f"{launch} = _core.bind", given),
            f"{own(op, 'n')} = {launch}.sizes()",
            _Blocks(op, kernel).run(),
        ),
    )


class _Blocks:
    """Renders the arguments of a call to `_pallas.run`, including a block for each array."""

    def __init__(self, op: Op, kernel: PallasKernel) -> None:
        self.op, self.kernel = op, kernel
        self.blocks = dict(kernel.blocks)
        self.rows = [[*map(name_of, tensor.shape.terms)] for tensor in op.tensors]

    def run(self) -> str:
        """Return the statement that calls the kernel."""
        op, kernel = self.op, self.kernel
        taken = [t for t in op.inputs if t.name in kernel.tensors]
        items = [
            "_kernel",
            own(op, "launch"),
            dict_of(f"{quoted(t.name)}: {self.operand(t)}" for t in taken),
            dict_of(f"{quoted(t.name)}: {self.block(t.shape)}" for t in op.written),
            f"name={quoted(op.name)}",
            f"grid={tuple_of(map(self.axis, self.blocks))}",
            f"semantics={tuple_of(map(quoted, map(self.semantics, self.blocks)))}",
        ]
        scratch = [t for t in op.workspace if t.name in kernel.tensors]
        if scratch:
            pairs = [f"{quoted(t.name)}: {self.scratch(t)}" for t in scratch]
            items.append(f"scratch={dict_of(pairs)}")
        if kernel.values:
            pairs = [f"{quoted(name)}: {self.value(name)}" for name in kernel.values]
            items.append(f"values={dict_of(pairs)}")
        return call("return _pallas.run", items)

    def part(self, name: str) -> str:
        """Return the code for the size of a block along the dim or group `name`."""
        size = self.blocks[name]
        return str(size.value) if isinstance(size, Const) else self.named(block_of(name))

    def named(self, name: str) -> str:
        return f"{own(self.op, 'n')}[{quoted(name)}]"

    def axis(self, name: str) -> str:
        return tuple_of((self.named(name), self.part(name)))

    def semantics(self, axis: str) -> str:
        """Return Pallas' `dimension_semantics` of a grid axis: `parallel` or `arbitrary`.

        An axis is parallel if each program along the axis writes separate blocks.
        """
        kept = [t for t in self.op.workspace if t.name in self.kernel.tensors]
        everywhere = all(axis in map(name_of, t.shape.terms) for t in (*self.op.written, *kept))
        return "parallel" if everywhere else "arbitrary"

    def operand(self, tensor: Tensor) -> str:
        return tuple_of([tensor.name, self.block(tensor.shape)])

    def scratch(self, tensor: Tensor) -> str:
        dtype = tensor.dtype.only
        literal = quoted(dtype) if dtype in DTYPES else self.named(dtype)
        return tuple_of([self.block(tensor.shape), literal])

    def value(self, name: str) -> str:
        if any(name == attr.name for attr in self.op.attrs):
            return f"{own(self.op, 'launch')}.attrs[{quoted(name)}]"
        return self.named(name)

    def block(self, shape: Shape) -> str:
        """Return the code for the `_pallas.Block` of an array with this shape.

        In this code, the array and its blocks have at least two dims.
        """
        names = [name_of(term) for term in shape.terms]
        sizes = [self.named(name) for name in names]
        parts = [
            self.part(name) if name in self.blocks else size for name, size in zip(names, sizes)
        ]
        axes = [*self.blocks]
        places = [INDICES[axes.index(name)] if name in axes else "0" for name in names]
        if not names:
            return call("_pallas.Block", ["(1, 1)", "(1, 1)", "None"])
        if len(names) == 1:
            column = is_column(names, self.rows)
            for values, one in ((sizes, "1"), (parts, "1"), (places, "0")):
                values.insert(1 if column else 0, one)
        indices = ", ".join(INDICES[: len(axes)])
        head = f"lambda {indices}: " if axes else "lambda: "
        items = [tuple_of(sizes), tuple_of(parts), head + tuple_of(places)]
        return call("_pallas.Block", items)
