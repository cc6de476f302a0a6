"""What the template of an op places: strings only."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.ir import Attr, Op, Project, Tensor
from opgen.signatures import base_type
from opgen.targets.core.views import dtype_text, parameters, shape_comment
from opgen.targets.jax.gradient import Gradient, gradient
from opgen.targets.jax.layout import display, exploded, function, unpacked_call
from opgen.targets.python import call, define, docstring, quoted

# What makes an attribute of a custom call of an attr; a dtype travels as its code.
FFI_TYPES = {
    "float": "np.float64",
    "int": "np.int64",
    "bool": "np.bool_",
    "str": "str.encode",
    "dtype": "_runtime.dtype_code",
    "float[]": "_runtime.float_list",
    "int[]": "_runtime.int_list",
}


@dataclass(frozen=True, slots=True)
class OpView:
    """One `jax/_<op>.py`."""

    docstring: str
    imports: str
    kernel: str
    face: str
    face_doc: str
    face_call: str
    explain: str
    functions: tuple[str, ...]
    defvjp: bool


def view(project: Project, op: Op) -> OpView:
    """The strings of one op."""
    found = gradient(project, op)
    inputs = [t.name for t in op.inputs]
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    parts = [_entry(op, found), *found.functions]
    kernel = _kernel(op)
    face = define(f"def {op.name}(", parameters(op, "ArrayLike"), f") -> {_returns(op)}:")  # fmt: skip
    return OpView(
        docstring=docstring(
            f"`{op.name}` for JAX.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=_imports(op, found, [kernel, face, *parts]),
        kernel=kernel,
        face=face,
        face_doc=docstring(_face_doc(op), 4),
        face_call=call(f"return _{op.name}(", [*inputs, *map(_static, op.attrs)], ")", 8),  # fmt: skip
        explain=call("_runtime.explain(", ["_KERNEL", *inputs, *keywords], ")", 8),
        functions=tuple(parts),
        defvjp=bool(found.functions),
    )


def _imports(op: Op, found: Gradient, parts: list[str]) -> str:
    """The modules that the rendered code names, in isort's order."""
    text = "\n".join(parts)
    standard = ["from collections.abc import Sequence"] if "Sequence[" in text else []
    standard += ["import functools"] if "functools." in text else []
    framework = ["import jax"]
    framework += ["import jax.numpy as jnp"] if "jnp" in text else []
    framework += ["import numpy as np"] if "np." in text.replace("jnp.", "") else []
    framework += ["from jax.typing import ArrayLike"]
    local = [f"from ..core import {op.name} as _core"]
    if "_reference." in text:
        module = found.reference or str(op.reference).partition(".py:")[0]
        local.append(f"from ..reference import {module} as _reference")
    modules = sorted({f"_{name}" for name in found.calls} - {f"_{op.name}"})
    local.append(f"from . import {', '.join(sorted([*modules, '_runtime']))}")
    groups = ("\n".join(group) for group in (sorted(standard), framework, local))
    return "\n\n".join(filter(None, groups))


def _kernel(op: Op) -> str:
    """What the runtime is told of the op's kernel."""
    items = ["_core"]
    items += [_shapes("inputs", op.inputs), _shapes("outputs", op.written)]
    if op.attrs:
        pairs = [f"{quoted(a.name)}: {FFI_TYPES[base_type(a)]}" for a in op.attrs]
        items.append(display("attrs={", pairs, "}", 4))
    platforms = [quoted(kernel.platform) for kernel in op.kernels]
    items.append(display("platforms=(", platforms, ")", 4) if platforms else "platforms=()")  # fmt: skip
    split = _split(op)
    if split:
        items.append(display("split=(", [*map(quoted, split)], ")", 4))
    units = [f"{quoted(name)}: {unit}" for name, unit in op.units if name in split]
    if units:
        items.append(display("units={", units, "}", 4))
    reduce = [_reduce(tensor, split) for tensor in op.written]
    if any(item != "{}" for item in reduce):
        items.append(display("reduce=(", reduce, ")", 4))
    if op.vmap != "fold":
        items.append(f"vmap={quoted(op.vmap)}")
    wide = [_wide(tensor) for tensor in op.inputs]
    if any(item != "None" for item in wide):
        items.append(display("wide=(", wide, ")", 4))
    if op.fallback and op.reference:
        items.append(f"fallback=_reference.{op.reference.partition(':')[2]}")
    return exploded("_KERNEL = _runtime.Kernel(", items, ")")


def _shapes(name: str, tensors: tuple[Tensor, ...]) -> str:
    return display(f"{name}=(", [quoted(_shape(t)) for t in tensors], ")", 4)


def _shape(tensor: Tensor) -> str:
    """A shape that goes by the call is left open: no dim of it is ever split."""
    if tensor.forms.plain and len(tensor.forms.only) == 1 and not tensor.list:
        return str(tensor.shape)
    return "..."


def _split(op: Op) -> tuple[str, ...]:
    """The dims that may be split, where every shape says which they are.

    Not those that are attrs too, whose value would have to follow the shard, nor those of a
    residual that each shard keeps for itself.
    """
    shapes = [_shape(t) for t in (*op.inputs, *op.written)]
    if "..." in shapes or not op.split.plain:
        return ()
    attrs = {attr.name for attr in op.attrs}
    local = {name for t in op.written for name, kind in t.reduce if kind == "local"}
    bare = {n for t in op.inputs for term in t.shape.terms if (n := term.name)}
    return tuple(n for n in op.split.only if n in bare - attrs - local)


def _reduce(tensor: Tensor, split: tuple[str, ...]) -> str:
    pairs = [f"{quoted(n)}: {quoted(how)}" for n, how in tensor.reduce if n in split]
    return "{" + ", ".join(pairs) + "}"


def _wide(tensor: Tensor) -> str:
    """The 64-bit integer type of an input that can have no other."""
    dtype = tensor.dtype.only if tensor.dtype.plain else ""
    return quoted(dtype) if dtype in ("i64", "u64") else "None"


# -- the face --------------------------------------------------------------------------


def _static(attr: Attr) -> str:
    """An attr as `jax.jit` can hash it."""
    return f"_runtime.hashable({attr.name})" if "[" in attr.type else attr.name


def _returns(op: Op) -> str:
    kinds = ["jax.Array" if t.always else "jax.Array | None" for t in op.results]
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def _entry(op: Op, found: Gradient) -> str:
    """The jitted function: checks while tracing, then the op itself."""
    inputs = [t.name for t in op.inputs]
    attrs = [a.name for a in op.attrs]
    keywords = [f"{name}={name}" for name in attrs]
    body = [call("_runtime.check(", ["_KERNEL", *inputs, *keywords], ")", 4)]
    body += [_guard(op, names, guard, of) for guard, names, of in found.guards]
    names = [t.name if t in op.outputs else "_" for t in op.written]
    if found.functions:
        head, items = "_op(", [*inputs, *attrs]
    else:
        head, items = "_runtime.call(", ["_KERNEL", *inputs, *keywords]
    if len(names) > 1 and "_" not in names:
        body.append(call(f"return {head}", items, ")", 4))
    else:
        body.append(unpacked_call(names, head, items))
        body.append(f"return {', '.join(t.name for t in op.outputs)}")
    decorator = "jax.jit"
    if attrs:
        numbers = range(len(inputs), len(inputs) + len(attrs))
        static = ", ".join(map(str, numbers)) + ("," if len(attrs) == 1 else "")
        decorator = f"functools.partial(jax.jit, static_argnums=({static}))"
    head = define(f"def _{op.name}(", [*inputs, *attrs], "):")
    return function(head, body, "_runtime.dumped", decorator)


def _guard(op: Op, names: tuple[str, ...], guard: str, of: str) -> str:
    items = [quoted(op.name), *names, *([f"of={quoted(of)}"] if of else [])]
    return unpacked_call(names, f"_runtime.{guard}(", items)


def _face_doc(op: Op) -> str:
    lines = [op.doc, ""]
    lines += [_argument_doc(t.name, shape_comment(t), t.doc) for t in op.inputs]
    lines += [_argument_doc(a.name, _attr_doc(a), a.doc) for a in op.attrs]
    results = ", ".join(f"{t.name}: {shape_comment(t)}" for t in op.results)
    lines.append(f"Returns {results}.")
    lines += [f"{v.name}: {dtype_text(op, v.name)}." for v in op.dtypes]
    lines += ["", "Raises TypeError for a dtype, rank or kind, ValueError for a size or value."]  # fmt: skip
    return "\n".join(lines)


def _argument_doc(name: str, what: str, doc: str) -> str:
    return f"{name}: {what}{'. ' + doc if doc else ''}".removesuffix(".") + "."


def _attr_doc(attr: Attr) -> str:
    parts = [{"dtype": "a dtype"}.get(attr.type, attr.type)]
    if attr.choices:
        parts.append("one of " + ", ".join(map(repr, attr.choices)))
    if attr.min is not None:
        parts.append(f"at least {attr.min:g}")
    if attr.max is not None:
        parts.append(f"at most {attr.max:g}")
    return ", ".join(parts)
