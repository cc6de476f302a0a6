"""The IR of a Pallas kernel: its function, its blocks, and the sizes that its calls need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.ir.nodes import Code
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Const, Expr, Name, parse_expr
from opgen.language.python_functions import functions_in
from opgen.language.scope import Scope
from opgen.language.shapes import Group, Term
from opgen.source.frozen import dataclass
from opgen.spec.models.kernels import KernelSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class PallasKernel(Code):
    """A Pallas function in a file in the kernels folder.

    `tensors` are the parameters that receive references to blocks. `values` are the parameters that
    receive attrs and sizes. The size of a group is the product of its dims. `blocks` has a block
    size for each dim or group that is split among programs. Each entry of `blocks` is an axis of
    the grid, and the last axis varies fastest.
    """

    tensors: tuple[str, ...]
    values: tuple[str, ...]


def pallas_kernel(scope: Scope, kernel: KernelSpec, text: str) -> PallasKernel:
    """Return the IR of a Pallas kernel. `text` is the content of the kernel's file."""
    file, _, function = (kernel.named or "").partition(":")
    names = [p.name for p in functions_in(text)[function].parameters]
    return PallasKernel(
        file=file,
        function=function,
        tensors=tuple(name for name in names if name in scope.spec.tensors),
        values=tuple(name for name in names if name in known_values(scope)),
        blocks=tuple((name, parse_expr(str(size))) for name, size in kernel.blocks.items()),
    )


def has_elements(scope: Scope) -> Iterator[Expr]:
    """Yield conditions that together require that no input is empty.

    For an empty input the grid is empty, so no program would write the results.
    """
    for name, tensor in scope.spec.inputs.items():
        if tensor.always and tensor.one_shape != "":
            yield parse_expr(f"numel({name}) > 0")


def known_values(scope: Scope) -> tuple[str, ...]:
    """Return the non-tensor parameters that a Pallas kernel accepts: attrs, dims, groups."""
    return (*scope.spec.attrs, *scope.bound, *scope.spec.dims)


def name_of(term: Term) -> str:
    """Return the name of a term in a shape: its dim or group, or the text of an expression."""
    return term.name or str(term)


def is_column(row: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Return whether a tensor with a single dim counts as a column, not as a row.

    `row` has the names of the tensor's dims, and `rows` those of all tensors of the op. The tensor
    is a column if its dim occurs in tensors with several dims, but never as their last dim.
    """
    others = [each for each in rows if len(each) > 1]
    return (
        len(row) == 1
        and any(row[0] in each[:-1] for each in others)
        and not any(row[0] == each[-1] for each in others)
    )


def block_of(name: str) -> str:
    """Return the name under which a call stores the block size of a dim or group.

    Only block sizes that are expressions are stored.
    """
    return f"block of {name}"


def sizes(op: Op, kernel: PallasKernel) -> dict[str, Expr]:
    """Return the expressions that a call of the kernel evaluates, by name.

    They are the sizes that the call needs, and the dtypes of scratch tensors.
    """
    return dict(_sizes(op, kernel))


def _sizes(op: Op, kernel: PallasKernel) -> Iterator[tuple[str, Expr]]:
    groups = {group.name for t in op.tensors for shape in t.shapes for group in shape.groups}
    attrs = {attr.name for attr in op.attrs}
    for tensor in op.tensors:
        if tensor.name in kernel.tensors:
            for term in tensor.shape.terms:
                size = _product(term.name) if isinstance(term, Group) else term.size
                yield name_of(term), size
    for tensor in op.workspace:
        if tensor.name in kernel.tensors and tensor.dtype.only not in DTYPES:
            yield tensor.dtype.only, Name(tensor.dtype.only)
    for name in kernel.values:
        if name not in attrs:
            yield name, _product(name) if name in groups else Name(name)
    for name, size in kernel.blocks:
        if not isinstance(size, Const):
            yield block_of(name), size


def _product(group: str) -> Expr:
    return Call("prod", (Name(group),))
