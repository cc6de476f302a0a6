"""The text of `opgen explain OP --mesh ... --split ...`: the data that a sharded op transfers.

opgen calls the function that also plans the transfers of real calls, in the rendered JAX package.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from opgen.docs.explain import aligned
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.source.diagnostics import did_you_mean
from opgen.source.failure import Failure
from opgen.spec.config import Config

Mesh = Mapping[str, int]
Split = tuple[tuple[str, ...], ...]  # for each dim, the mesh axes over which it is split


class ExplainError(Failure):
    """Error for a mesh, a split or sizes that do not fit the op. The message has the reason."""


def explain_sharding(
    config: Config, op: Op, mesh: Mesh, splits: Mapping[str, Split], sizes: Mapping[str, Any]
) -> str:
    """Return a table of a call's arrays: how each is split, how many bytes are moved, and why.

    `sizes` maps dims to ints and groups to lists of ints. All other dims get a size that most
    meshes can split evenly. Raises `ExplainError` if the arguments do not fit the op.
    """
    inputs, attrs = _call(op, sizes)
    specs = _specs(op, inputs, mesh, splits)
    runtime = _package(config, "_opgen.jax")
    kernel = _package(config, f"jax._{op.name}")._KERNEL
    import jax
    from jax.sharding import PartitionSpec

    with jax.enable_x64(True):
        given = jax.tree.map(lambda x: x, inputs)
        attrs = kernel.complete(given, attrs)
        call = runtime.call_of(kernel, given, attrs, kernel.on_request)
        operands = jax.tree.leaves(given)
        parts = [PartitionSpec(*(axes or None for axes in spec)) for spec in specs]
        plan = runtime.plan(call, operands, parts, dict(mesh))
        rows = list(runtime.rows(call, operands, parts, dict(mesh), plan))
    return _text(op, mesh, operands, rows, plan.bytes)


def _package(config: Config, part: str) -> Any:
    if str(config.root) not in sys.path:
        sys.path.insert(0, str(config.root))
    try:
        return importlib.import_module(f"{config.package}.{part}")
    except ImportError as error:
        raise ExplainError(
            f"how an op is split is decided by the rendered JAX package, which cannot be imported: {error}"
        ) from error


def _call(op: Op, sizes: Mapping[str, Any]) -> tuple[list[Any], dict[str, object]]:
    """Return the shapes and dtypes of the inputs of a call, and the call's attrs."""
    import jax

    from opgen.testing.cases import cases, names_of
    from opgen.testing.environment import dtype_in, environment, holds, numpy_dtype
    from opgen.testing.placements import dims_of, wide_cases

    kinds = {**names_of(op), **dims_of(op)}
    for name, size in sizes.items():
        if name not in kinds:
            raise ExplainError(f"`{op.name}` has no dim `{name}`: {did_you_mean(name, kinds)}")
        if not isinstance(size, int) and kinds[name] == "int":
            raise ExplainError(f"`{name}` is one dim, got {len(size)} sizes")
    case = next(iter(wide_cases(op, cases(op))), None)
    if case is None:
        raise ExplainError(
            f"`{op.name}`: no call was found that its requirements allow; give a sample in its spec"
        )
    given = {n: _size(kinds[n], size) for n, size in sizes.items()}
    case = replace(
        case,
        sizes=tuple((n, given.get(n, size)) for n, size in case.sizes),
        attrs=tuple((n, given.get(n, value)) for n, value in case.attrs),
    )
    if not holds(op, case):
        raise ExplainError(
            f"`{op.name}` does not allow a call of these sizes: {', '.join(f'{n} = {s}' for n, s in case.sizes)}"
        )
    values = environment(op, case)

    def struct(tensor: Tensor, shape: tuple[int, ...]) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(shape, numpy_dtype(dtype_in(tensor, values)))

    inputs: list[Any] = []
    for tensor in op.inputs:
        shape = values[tensor.name]
        if shape is None or not tensor.list:
            inputs.append(None if shape is None else struct(tensor, shape))
        else:
            inputs.append([struct(tensor, each) for each in shape])
    return inputs, {attr.name: values[attr.name] for attr in op.options_given}


def _size(kind: str, size: Any) -> Any:
    """Convert a size from the command line to the type that a dim or group of this kind needs.

    A single number for a group means a group of one dim. Some groups may have different sizes in
    each tensor of a list. For these, the result is for 3 tensors that have the given sizes.
    """
    if kind != "int" and isinstance(size, int):
        size = (size,)
    if kind == "each" and not isinstance(size[0], tuple):
        return (size,) * 3
    return size


def _specs(op: Op, inputs: Sequence[Any], mesh: Mesh, splits: Mapping[str, Split]) -> list[Split]:
    """Return the split of each input array. Inputs that are not in `splits` are not split."""
    names = [tensor.name for tensor in op.inputs]
    for name in splits:
        if name not in names:
            raise ExplainError(f"`{op.name}` has no input `{name}`: {did_you_mean(name, names)}")
    found = []
    for name, value in zip(names, inputs):
        arrays = value if isinstance(value, list) else [value]
        for array in (each for each in arrays if each is not None):
            split = splits.get(name, ())
            _check(name, split, len(array.shape), mesh)
            found.append(split + ((),) * (len(array.shape) - len(split)))
    return found


def _check(name: str, split: Split, rank: int, mesh: Mesh) -> None:
    if len(split) > rank:
        raise ExplainError(f"`{name}` has {rank} dims, got a split of {len(split)}")
    used = [axis for axes in split for axis in axes]
    for axis in used:
        if axis not in mesh:
            raise ExplainError(f"the mesh has no axis `{axis}`: {did_you_mean(axis, mesh)}")
        if used.count(axis) > 1:
            raise ExplainError(f"`{name}` is split over `{axis}` twice")


def _text(op: Op, mesh: Mesh, operands: Sequence[Any], rows: Sequence[Any], total: int) -> str:
    axes = ", ".join(f"{axis} = {size}" for axis, size in mesh.items())
    shapes = [f"{x.dtype}[{','.join(map(str, x.shape))}]" for x in operands]
    shapes += [""] * (len(rows) - len(shapes))
    table = [("array", "", "split", "needed", "bytes", "why")]
    for shape, row in zip(shapes, rows):
        table.append((row.array, shape, row.before, row.after, str(row.bytes), row.why))
    head = f"{op.name} over a mesh of {axes}: {total} bytes reach each device"
    return "\n".join([head, "", *aligned(table)]) + "\n"
