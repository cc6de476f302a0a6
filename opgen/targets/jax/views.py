"""Prepare the strings that fill the template of an op's module in `jax/`."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Expr, substitute
from opgen.language.expr.python import python
from opgen.source.frozen import dataclass
from opgen.targets import bundles, docstrings
from opgen.targets.backwards import has_reference, reference_statement
from opgen.targets.bundles import BundledView
from opgen.targets.core.values import conditioned
from opgen.targets.jax.autodiff import REFERENCE
from opgen.targets.jax.gradient import Differentiation, differentiations, options
from opgen.targets.own_names import Names, own
from opgen.targets.public_api import ABSTRACT, Parameter, parameters, results, sizes, types_in
from opgen.targets.python_format import (
    block,
    call,
    define,
    docstring,
    function,
    import_from,
    quoted,
    tuple_of,
    unpacked,
)

# The attr types whose values need no further check if they have exactly this Python type.
EXACT = ("float", "int", "bool", "str")


@dataclass(frozen=True, slots=True)
class OpView:
    """The strings that fill the template of one module `jax/_<op>.py`."""

    # The docstring and the imports of the module.
    docstring: str
    imports: str
    # The statements before the wrapper.
    statements: tuple[str, ...]
    # The wrapper: its head, documentation and first statements.
    wrapper: str
    wrapper_doc: str
    statics: tuple[str, ...]
    # The call of the private function.
    private_call: str
    # The errors that the wrapper catches, and the call that raises an error with an explanation.
    caught: str
    again: str
    # The wrapper that takes bundles, if there are any.
    bundled: BundledView | None
    # The private functions.
    functions: tuple[str, ...]
    # The statements that register its gradient.
    rules: tuple[str, ...]


def view(project: Project, op: Op) -> OpView:
    """Return the strings that fill the template of one op."""
    found, names = differentiations(project, op), Names(op)
    inputs = [t.name for t in op.inputs]
    keywords = [f"{a.name}={a.name}" for a in op.options_given]
    statics = [attr.name for attr in op.options_given]
    if op.outputs_on_request:
        keywords.append("wanted=wanted")
        statics.append("tuple(wanted)")
    parts = [_entry(names, found), *(f for case in found for f in case.functions)]
    fallback = REFERENCE if op.fallback and has_reference(project, op) else None
    statements: tuple[str, ...] = (_kernel(fallback),)
    rules = [rule for case in found for rule in case.rules]
    names.used.update(*(case.used for case in found), [fallback] if fallback else [])
    if REFERENCE in names.used:
        statements = (reference_statement(project, op), *statements)
    statements = (*bundles.saved(op), *statements)
    errors = ("TypeError", "ValueError", "OverflowError")
    caught = ", ".join(map(names, errors))
    statics_ = tuple(line for attr in op.options_given for line in _static(names, attr))
    signature = parameters(op, "ArrayLike", wanted=op.outputs_on_request)
    return OpView(
        docstring=docstring(
            f"`{op.name}` for JAX.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=_imports(names, signature, found),
        statements=statements,
        wrapper=_wrapper(op, signature),
        wrapper_doc=docstring(bundles.flat_documentation(op) if op.bundles else _documentation(op)),
        statics=statics_,
        private_call=call(f"return _{op.name}", [*inputs, *statics]),
        caught=caught,
        again=call("return _runtime.again", ["_KERNEL", f"_{op.name}", *inputs, *keywords]),
        bundled=_bundled(op) if op.bundles else None,
        functions=tuple(parts),
        rules=tuple(rules),
    )


def _documentation(op: Op) -> str:
    """Return the docstring of the op's JAX function."""
    asked = op.outputs_on_request
    more = [docstrings.wanted(asked)] if asked else []
    seeds = "Or a key of `jax.random`; JAX draws none by itself."
    return docstrings.documentation(
        op, "ArrayLike", "jax.Array", docstrings.Dtype(), more, seeds=seeds
    )


def _imports(names: Names, signature: Sequence[Parameter], found: Sequence[Differentiation]) -> str:
    """Return the import statements of an op's module in `jax/`, in isort's order."""
    op = names.op
    abstract = types_in(p.kind for p in signature) & ABSTRACT
    standard = [import_from("collections.abc", abstract)] if abstract else []
    standard += [*names.builtins(), *names.prod()]
    standard += ["import functools"] if _static_names(op) else []
    framework = ["import jax"]
    for module, name in (("jax.numpy", "jnp"), ("numpy", "np")):
        if name in names.used:
            framework.append(f"import {module} as {own(op, name)}")
    framework += ["from jax.typing import ArrayLike"]
    runtime = "from .._opgen import jax as _runtime"
    local = sorted([*bundles.imports(op), f"from ..core import {op.name} as _core", runtime])
    called = {f"_{name}" for case in found for name in case.calls}
    modules = sorted(called - {f"_{op.name}"})
    local += [import_from(".", modules)] if modules else []
    groups = ("\n".join(group) for group in (sorted(standard), framework, local))
    return "\n\n".join(filter(None, groups))


def _kernel(fallback: str | None) -> str:
    """Return the statement `_KERNEL = _runtime.Kernel(...)`.

    `fallback` names the function that runs if no kernel is available.
    """
    return call(
        "_KERNEL = _runtime.Kernel", ["_core", *([f"fallback={fallback}"] if fallback else [])]
    )


# -- the wrapper --------------------------------------------------------------------------


def _static(names: Names, attr: Attr) -> list[str]:
    """Return the statements that convert an attr to a hashable value, as `jax.jit` requires."""
    kind = attr.kind.name
    items = [quoted(names.op.name), quoted(attr.name), attr.name, quoted(attr.taken)]
    if kind not in EXACT:
        return [call(f"{attr.name} = _runtime.static", items)]
    test = f"{names('type')}({attr.name}) is not {names(kind)}"
    test = f"{attr.name} is not None and {test}" if attr.nullable else test
    return [f"if {test}:", "    " + call(f"{attr.name} = _runtime.static", items)]


def _bundled(op: Op) -> BundledView:
    """Return the op's public function, which takes and returns bundles."""
    kinds = results(op, "jax.Array", bundle=lambda b: bundles.result_type(op, b))
    given = parameters(
        op,
        "ArrayLike",
        wanted=op.outputs_on_request,
        bundle=lambda b: bundles.annotation(op, b, "ArrayLike"),
    )
    return bundles.view(op, given, _made(kinds), _documentation(op))


def _wrapper(op: Op, signature: Sequence[Parameter]) -> str:
    """Return the decorator and the `def` line of the function over arrays. If the op has no
    bundles, this function is public.
    """
    told = "listed" if op.listed else "tuned" if op.tuned else ""
    head = define(bundles.function_of(op), signature, _made(results(op, "jax.Array")))
    return f"@_runtime.{told}(_KERNEL)\n{head}" if told else head


def _made(kinds: list[str]) -> str:
    """Return the return annotation for results of these types."""
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def _static_names(op: Op) -> list[str]:
    """Return the names of the static arguments of the jitted function."""
    return [a.name for a in op.options_given] + (["wanted"] if op.outputs_on_request else [])


def _entry(names: Names, found: Sequence[Differentiation]) -> str:
    """Return the jitted function `_<op>`. It checks the call while JAX traces it, and then calls
    the op.
    """
    op, static = names.op, _static_names(names.op)
    inputs = [t.name for t in op.inputs]
    keywords = [f"{name}={name}" for name in static]
    body = [unpacked(inputs, call("_runtime.check", ["_KERNEL", *inputs, *keywords]))]
    body += [sizes(op, "_KERNEL", inputs)] if op.computed else []
    if len(found) == 1:
        body += _differentiated(op, found[0])
    else:
        for number, case in enumerate(found):
            body.append(block(_branch(names, case, first=number == 0), _differentiated(op, case)))
    decorator = "jax.jit"
    if static:
        numbers = range(len(inputs), len(inputs) + len(static))
        decorator = f"functools.partial(jax.jit, static_argnums={tuple_of(map(str, numbers))})"
    head = define(f"_{op.name}", [*inputs, *static])
    checked = ["_runtime.checked(_KERNEL)"] if conditioned(op) else []
    return function(head, body, *checked, decorator)


def _branch(names: Names, case: Differentiation, *, first: bool) -> str:
    if case.condition is None:
        return "else:"
    return f"{'if' if first else 'elif'} {condition_of(names, case.condition)}:"


def condition_of(own: Names, expr: Expr) -> str:
    """Return the code of a condition over attrs, presence, dtypes and ranks."""
    op = own.op

    def name(text: str) -> str:
        if op.dtype_var(text) is None:
            return text
        carrier = next(t.name for t in op.inputs if text in t.dtype.values())
        return f"_runtime.dtype_name({carrier})"

    return python(substitute(expr, op.asking), name, 1, own)


def _differentiated(op: Op, case: Differentiation) -> list[str]:
    """Return the statements that, in one gradient case, call the op and return its results."""
    inputs = [t.name for t in op.inputs]
    body = [_guard(op, names, guard, of) for guard, names, of in case.guards]
    results = (*op.written, *op.updated)
    names = ["_" if t in op.residuals else t.name for t in results]
    given = {name: name for name in options(op)}
    if op.on_request and not op.outputs_on_request:
        given["wanted"] = "()"
    if case.functions:
        items = [*inputs, *given.values()]
    else:
        items = ["_KERNEL", *inputs, *(f"{n}={text}" for n, text in given.items())]
    if len(names) > 1 and "_" not in names:
        return [*body, call(f"return {case.call}", items)]
    body.append(unpacked(names, call(case.call, items)))
    return [*body, f"return {', '.join(t.name for t in op.results)}"]


def _guard(op: Op, names: tuple[str, ...], guard: str, of: str) -> str:
    items = [quoted(op.name), *names, *([f"of={quoted(of)}"] if of else [])]
    return unpacked(names, call(f"_runtime.{guard}", items))
