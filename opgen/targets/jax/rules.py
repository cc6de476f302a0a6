"""Print the gradients that the spec defines: calls to backward ops, and formulas."""

from __future__ import annotations

from opgen.ir.nodes import Argument, BackwardCall, Gradient, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Call, Const, Expr, Name, names_in, presence_in, walk
from opgen.language.expr.python import elementwise
from opgen.targets.bundles import function_of
from opgen.targets.core.facts import shape_text
from opgen.targets.jax.saved import Saved
from opgen.targets.python_format import block, call, quoted, tuple_of, unpacked


def pullbacks(
    project: Project, op: Op, gradient: Gradient, saved: Saved
) -> tuple[list[str], dict[str, str | None]]:
    """Return the statements of the backward, and the code of each input's gradient."""
    body: list[str] = []
    gradients: dict[str, str | None] = {}
    several = len(gradient.calls) > 1
    for backward in gradient.calls:
        called = project.op(backward.op)
        statements, found = _call(called, op, backward, saved, several)
        body += statements
        gradients |= found
    for name, formula in gradient.formulas:
        statements, gradients[name] = _formula(op, op.tensor(name), formula, gradient, saved)
        body += statements
    return [*saved.statements, *body], gradients


def as_cotangent(saved: Saved, value: str, tensor: str) -> str:
    return f"_runtime.as_cotangent({value}, {saved.type(tensor)})"


def conjugate(op: Op, value: str) -> str:
    """Return the code for the complex conjugate of a cotangent or a gradient. It is needed because
    JAX and backward ops have different conventions for complex gradients.
    """
    return f"_runtime.conjugate({value})" if op.may_be_complex else value


def _call(
    called: Op, op: Op, backward: BackwardCall, saved: Saved, several: bool
) -> tuple[list[str], dict[str, str]]:
    """Return the statements of one call to a backward op, and the gradients that it computes.

    With several calls, each call runs only if one of its gradients is needed. A call requests an
    optional gradient only if that gradient is needed.
    """
    primals = {result: name for name, result in backward.gradients}
    positional = [
        _argument(op, called, tensor, argument, primals, saved)
        for argument, tensor in zip(backward.arguments, called.inputs)
    ]
    while positional and positional[-1] == "None":
        positional.pop()
    own = [a for a in backward.attrs if a.name not in called.computed]  # the wrapper computes them
    keywords = [(a.name, saved.argument(a)) for a in own]
    items = [*positional, *(f"{n}={text}" for n, text in keywords if text is not None)]
    asked = [
        f"{t.name}={quoted(primals[t.name])}"
        for t in called.outputs_on_request
        if t.name in primals
    ]
    if called.outputs_on_request:
        items.append(call(f"wanted={saved.needed()}.results", asked))
    names = {result: saved.local(f"d{name}") for name, result in backward.gradients}
    gradients = {
        name: as_cotangent(saved, conjugate(op, names[result]), name)
        for name, result in backward.gradients
    }
    wrapper = function_of(called) if called is op else f"_{called.name}.{function_of(called)}"
    left = [names.get(t.name, "_") for t in called.results]
    if len(left) > 1:
        statement = unpacked(left, call(wrapper, items))
    else:
        statement = call(f"{left[0]} = {wrapper}", items)
    if _made_only(called):
        like = [saved.type(primals[t.name]) for t in called.results]
        statement = block(call("with _runtime.results_like", like) + ":", [statement])
    if not several:
        return [statement], gradients
    given = [quoted(name) for name in primals.values()]
    test = call(f"if {saved.needed()}.any", given) + ":"
    nothing = f"{' = '.join(names.values())} = None"
    return [nothing, block(test, [statement])], gradients


def _made_only(called: Op) -> bool:
    """Return whether a stage of `called` splits a dim that occurs only in results.

    Stages are ops that replace `called` if a dim is split. If such a dim exists, the split of the
    results decides whether the stages run.
    """
    taken = {name for t in called.inputs for shape in t.shapes for name in shape.names}
    return any(dim not in taken for dim, _ in called.stages)


def _argument(
    op: Op,
    called: Op,
    tensor: Tensor,
    argument: Argument,
    primals: dict[str, str],
    saved: Saved,
) -> str:
    """Return the code of a tensor argument of a backward op. In calls where no needed result reads
    the argument, the code evaluates to None.
    """
    text = saved.argument(argument, optional=tensor.optional) or "None"
    if argument.source == "cotangent":
        text = conjugate(op, text)
    results = set(presence_in(tensor.when)) if tensor.when is not None else set()
    names = [quoted(primals[t.name]) for t in called.on_request if t.name in results]
    if not names or text == "None":
        return text
    return f"{text} if {saved.needed()}.any({', '.join(names)}) else None"


def _formula(
    op: Op, primal: Tensor, formula: Expr, gradient: Gradient, saved: Saved
) -> tuple[list[str], str | None]:
    """Return the statements and the code that compute a formula for the gradient of `primal`. The
    dims of the formula's tensors are aligned by name. The code is None if the gradient is 0.
    """
    if isinstance(formula, Const) and formula.value == 0:
        return [], None
    tensors = {
        **{t.name: t for t in (*op.inputs, *op.written)},
        **{f"d{t.name}": t for t in op.outputs},
    }

    def name_of(name: str) -> str:
        return _constant(op, name, saved) if tensors.get(name) in op.residuals else saved.name(name)

    named = {name_of(n): tensors[n] for n in names_in(formula) if n in tensors}
    text = elementwise(
        formula,
        saved.own.written("jnp"),
        name_of,
        function=saved.own,
        static=lambda test: not tensors.keys() & _read(test),
    )
    lists = primal.list or any(tensor.list for tensor in named.values())
    alike = len(named) < 2 and all(tensor.forms == primal.forms for tensor in named.values())
    if alike and not lists:
        if not primal.always and primal.name in _read(formula):
            text = f"None if {primal.name} is None else {text}"
        return [], as_cotangent(saved, text, primal.name)
    used = {name: gradient.shape(tensor) for name, tensor in named.items()}
    name = saved.local(f"d{primal.name}")
    computed = f"lambda {', '.join(used)}: {text}"
    shapes = tuple_of(shape_text(shape, "_runtime.") for shape in used.values())
    onto = shape_text(gradient.shape(primal), "_runtime.")
    items = [computed, shapes, onto, saved.type(primal.name), *used]
    line = call(f"{name} = _runtime.aligned", items)
    return [line], as_cotangent(saved, name, primal.name)


def _constant(op: Op, residual: str, saved: Saved) -> str:
    """Return the name of the variable with a residual that a formula reads. The variable is marked
    as a constant, because JAX cannot know how the residual depends on the inputs.
    """
    name = saved.local(f"{residual}_")
    of = quoted(f"its residual {residual}, which a formula reads")
    items = [quoted(op.name), saved.value(residual), f"of={of}"]
    saved.state(unpacked([name], call("_runtime.no_gradient", items)))
    return name


def _read(expr: Expr) -> set[str]:
    """Return the names whose values `expr` reads. Names that occur only in `present(x)` or
    `rank(x)` are excluded.
    """
    if isinstance(expr, Call) and expr.func in ("present", "rank"):
        return set()
    inner = (e for e in walk(expr) if e is not expr)
    return {expr.id} if isinstance(expr, Name) else set().union(*map(_read, inner))
