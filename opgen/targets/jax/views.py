"""What the template of an op places: strings only."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir import Attr, Op, Project
from opgen.targets.face import documentation, parameters, results
from opgen.targets.jax.autodiff import Pullback, pullback_of, reference_of
from opgen.targets.jax.gradient import Gradient, gradient
from opgen.targets.jax.kernel import kernel
from opgen.targets.jax.layout import exploded, function, unpacked_call
from opgen.targets.python import (
    WIDTH,
    call,
    define,
    docstring,
    import_from,
    quoted,
)


@dataclass(frozen=True, slots=True)
class OpView:
    """One `jax/_<op>.py`."""

    docstring: str
    imports: str
    statements: tuple[str, ...]
    face: str
    face_doc: str
    face_call: str
    explain: str
    functions: tuple[str, ...]
    defvjp: str


def view(project: Project, op: Op) -> OpView:
    """The strings of one op."""
    found = gradient(project, op)
    second = None if op.reference else pullback_of(project, op)
    module = second.module if second else str(op.reference).partition(".py:")[0]
    inputs = [t.name for t in op.inputs]
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    statics = [_static(attr) for attr in op.attrs]
    if op.outputs_on_request:
        keywords.append("wanted=wanted")
        statics.append("tuple(wanted)")
    parts = [_entry(op, found), *found.functions]
    statements = kernel(op, fallback_of(op, second))
    if second and any("_gradient" in text for text in (*statements, *parts)):
        statements = (second.text, *statements)
    face = _face(op)
    return OpView(
        docstring=docstring(
            f"`{op.name}` for JAX.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=_imports(op, found, module, [*statements, face, *parts]),
        statements=statements,
        face=face,
        face_doc=docstring(documentation(op, "a size or value"), 4),
        face_call=call(f"return _{op.name}(", [*inputs, *statics], ")", 8),
        explain=call("_runtime.explain(", ["_KERNEL", *inputs, *keywords], ")", 8),
        functions=tuple(parts),
        defvjp=_defvjp(found),
    )


def _defvjp(found: Gradient) -> str:
    """What ties the functions of a gradient together."""
    if not found.functions:
        return ""
    symbolic = ", symbolic_zeros=True" if found.symbolic else ""
    return f"_op.defvjp(_forward, _backward{symbolic})"


def _imports(op: Op, found: Gradient, module: str, parts: list[str]) -> str:
    """The modules that the rendered code names, in isort's order."""
    text = "\n".join(parts)
    abstract = [name for name in ("Collection", "Sequence") if f"{name}[" in text]
    standard = [import_from("collections.abc", abstract)] if abstract else []
    standard += ["import functools"] if "functools." in text else []
    framework = ["import jax"]
    framework += ["import jax.numpy as jnp"] if "jnp" in text else []
    framework += ["import numpy as np"] if "np." in text.replace("jnp.", "") else []
    framework += ["from jax.typing import ArrayLike"]
    local = [f"from ..core import {op.name} as _core"]
    if "_reference." in text:
        local.append(f"from ..reference import {module} as _reference")
    modules = sorted({f"_{name}" for name in found.calls} - {f"_{op.name}"})
    local.append(f"from . import {', '.join(sorted([*modules, '_runtime']))}")
    groups = ("\n".join(group) for group in (sorted(standard), framework, local))
    blank = "\n" if parts[0].startswith("def ") else ""  # one more before a function
    return "\n\n".join(filter(None, groups)) + blank


def fallback_of(op: Op, second: Pullback | None) -> str | None:
    """The function that runs where no kernel does."""
    if not op.fallback:
        return None
    return reference_of(op) if op.reference else "_gradient" if second else None


# -- the face --------------------------------------------------------------------------


def _static(attr: Attr) -> str:
    """An attr as `jax.jit` can hash it."""
    return f"_runtime.hashable({attr.name})" if "[" in attr.type else attr.name


def _face(op: Op) -> str:
    """The signature that users see."""
    head, items = f"def {op.name}(", parameters(
        op, "ArrayLike", wanted=op.outputs_on_request
    )
    kinds = results(op, "jax.Array")
    if len(kinds) == 1:
        return define(head, items, f") -> {kinds[0]}:")
    tail = f") -> tuple[{', '.join(kinds)}]:"
    if len(tail) <= WIDTH:
        return define(head, items, tail)
    return exploded(head, items, call(") -> tuple[", kinds, "]:"))


def _entry(op: Op, found: Gradient) -> str:
    """The jitted function: checks while tracing, then the op itself."""
    inputs = [t.name for t in op.inputs]
    attrs = [a.name for a in op.attrs]
    attrs += ["wanted"] if op.outputs_on_request else []
    keywords = [f"{name}={name}" for name in attrs]
    body = [call("_runtime.check(", ["_KERNEL", *inputs, *keywords], ")", 4)]
    body += [_guard(op, names, guard, of) for guard, names, of in found.guards]
    results = (*op.written, *(t for t in op.inputs if t.update))
    names = ["_" if t in op.residuals else t.name for t in results]
    if found.functions:
        none = ["()"] if op.on_request and not op.outputs_on_request else []
        head, items = "_op(", [*inputs, *attrs, *none]
    else:
        head, items = "_runtime.call(", ["_KERNEL", *inputs, *keywords]
    if len(names) > 1 and "_" not in names:
        body.append(call(f"return {head}", items, ")", 4))
    else:
        body.append(unpacked_call(names, head, items))
        body.append(f"return {', '.join(t.name for t in op.results)}")
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
