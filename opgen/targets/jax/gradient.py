"""Print the gradient of an op for JAX. It consists of the function `_<op>_op`, and of `_forward`
and `_backward`, which are the function's differentiation rule.
"""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.nodes import Gradient, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Expr
from opgen.source.frozen import dataclass
from opgen.targets.jax.autodiff import REFERENCE, Steps, autodiff, unread_by_reference
from opgen.targets.jax.rules import pullbacks
from opgen.targets.jax.saved import Saved
from opgen.targets.python_format import (
    call,
    define,
    function,
    quoted,
    returned,
    tuple_of,
    unpacked,
)


@dataclass(frozen=True, slots=True)
class Differentiation:
    """The code for one case of an op's gradient. `condition` is None for the last case.

    `call` names the function with this gradient, and `functions` has its definitions. `guards` are
    calls that raise an error if JAX differentiates with respect to certain inputs. `calls` lists
    the ops that the gradient calls. `rules` are the statements that register the gradient. `used`
    lists the names that the code needs from its module.
    """

    condition: Expr | None = None
    call: str = "_runtime.call"
    functions: tuple[str, ...] = ()
    guards: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    calls: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()


def differentiations(project: Project, op: Op) -> tuple[Differentiation, ...]:
    """Return the cases of an op's gradient. The last case has no condition."""
    cases = op.grad.cases
    if all(condition is not None for condition, _ in cases):
        cases = (*cases, (None, Gradient("none")))
    suffixes = [""] if len(cases) == 1 else [f"_{n}" for n in range(1, len(cases) + 1)]
    return tuple(
        _differentiation(project, op, condition, gradient, suffix)
        for (condition, gradient), suffix in zip(cases, suffixes)
    )


def _differentiation(
    project: Project, op: Op, condition: Expr | None, gradient: Gradient, suffix: str
) -> Differentiation:
    floats = [t for t in op.inputs if t.floating]
    active = [t for t in floats if t.differentiable]
    steps = _steps(project, op, gradient, active)
    if steps is None:
        names = tuple(t.name for t in floats)
        none = (("no_gradient", names, ""),) if names else ()
        return Differentiation(condition, guards=none)
    functions = _Functions(op, gradient, suffix, *steps)
    unread = None if functions.by_formulas else unread_by_reference(project, op)
    guards: list[tuple[str, tuple[str, ...], str]] = [
        ("no_gradient", (t.name,), t.name) for t in floats if t not in active
    ]
    return Differentiation(
        condition,
        call=f"_{op.name}_op{suffix}",
        functions=(
            f"{functions.name}{suffix} = _runtime.Differentiable(_KERNEL)",
            functions.forward(),
            functions.backward(),
        ),
        guards=tuple(guards),
        calls=tuple(call.op for call in gradient.calls),
        rules=(functions.defvjp(), *functions.defjvp(unread)),
        used=frozenset(functions.saved.own.used | ({REFERENCE} if unread is not None else set())),
    )


def _steps(project: Project, op: Op, gradient: Gradient, active: list[Tensor]) -> Steps | None:
    """Return the saved values, the statements of the backward, and the gradient of each input.

    Return None if there is no gradient.
    """
    if not active or gradient.kind == "none":
        return None
    if gradient.kind == "rules":
        saved = Saved(op, symbolic=_chooses(project, gradient))
        body, gradients = pullbacks(project, op, gradient, saved)
        return saved, body, gradients
    return autodiff(project, op, [t.name for t in active])


def _chooses(project: Project, gradient: Gradient) -> bool:
    """Return whether the backward can skip work. It can if some gradients are not needed, or if
    some cotangents are missing.
    """
    return len(gradient.calls) > 1 or any(
        project.op(call.op).outputs_on_request
        or any(
            a.source == "cotangent" and t.optional
            for a, t in zip(call.arguments, project.op(call.op).inputs)
        )
        for call in gradient.calls
    )


class _Functions:
    """Prints the functions for one case of a gradient: the op, its forward and its backward.

    `body` has the statements of the backward, and `gradients` has the code of each input's
    gradient.
    """

    def __init__(
        self,
        op: Op,
        gradient: Gradient,
        suffix: str,
        saved: Saved,
        body: list[str],
        gradients: Mapping[str, str | None],
    ) -> None:
        self.op, self.gradient, self.suffix = op, gradient, suffix
        self.name = f"_{op.name}_op"
        self.saved, self.body, self.gradients = saved, body, gradients
        self.parameters = [*(t.name for t in op.inputs), *options(op)]
        # The names of the op's results: outputs, residuals, updated inputs.
        self.results = [t.name for t in (*op.written, *op.updated)]

    def forward(self) -> str:
        """Return the function `_forward`, which calls the op and keeps values for the backward.

        The function calls the op with its differentiation rule, so that a gradient can be
        differentiated again. It requests every result that the gradient reads, even if the caller
        did not.
        """
        saved, body = self.saved, []
        kept = [n if n in saved.values else f"_runtime.type_of({n})" for n in saved.kept()]
        if saved.symbolic:
            if saved.asks:
                kept.append(saved.needed())
                active = [f"{n}={n}" for n, text in self.gradients.items() if text]
                body.append(call(f"{kept[-1]} = _runtime.needed", active))
            inputs = [t.name for t in self.op.inputs]
            body.append(unpacked(inputs, call("_runtime.values", inputs)))
        if self.gradient.require:
            items = [quoted(f"gradient {self.suffix.removeprefix('_') or 1}")]
            items += [t.name for t in self.op.inputs]
            items += [f"{attr.name}={attr.name}" for attr in self.op.attrs]
            body.append(call("_KERNEL.differentiable", items))
        statements, results = self.called()
        tuples = [results, tuple_of(kept)]
        head = self.head("_forward", self.parameters)
        return function(head, [*body, *statements, f"return {tuple_of(tuples)}"])

    def called(self) -> tuple[list[str], str]:
        """Return the statements that call the op, and the tuple of its results."""
        read = self.saved.values | self.saved.types
        if not read & {t.name for t in self.op.written}:
            return [], call(f"{self.name}{self.suffix}", self.parameters)
        also = [t.name for t in self.op.on_request if t.name in read]
        asked = ", ".join(["*wanted", *map(quoted, also)])
        arguments = [f"({asked})" if also and n == "wanted" else n for n in self.parameters]
        results = [
            f"{n} if {quoted(n)} in wanted else None" if n in also else n for n in self.results
        ]
        statement = unpacked(self.results, call(f"{self.name}{self.suffix}", arguments))
        return [statement], tuple_of(results)

    def backward(self) -> str:
        """Return the function `_backward`, which computes the gradient of every input. It reads the
        values that `_forward` kept, and the cotangents.
        """
        op, saved = self.op, self.saved
        kept, given = saved.local("saved"), saved.local("cotangents")
        lines = []
        names = saved.kept() + ([saved.needed()] if saved.asks else [])
        if names:
            lines.append(unpacked(names, kept))
        if saved.cotangents:
            used = [saved.local(f"d{n}") if n in saved.cotangents else "_" for n in self.results]
            lines.append(unpacked(used, given))
        results = [self.gradients.get(t.name) or "None" for t in op.inputs]
        head = self.head("_backward", [*options(op), kept, given])
        return function(head, [*lines, *self.body, returned(results)])

    def head(self, name: str, parameters: list[str]) -> str:
        return define(f"{name}{self.suffix}", parameters)

    def defvjp(self) -> str:
        """Return the statement that registers `_forward` and `_backward` with JAX."""
        items = [f"_forward{self.suffix}", f"_backward{self.suffix}"]
        items += ["symbolic_zeros=True"] if self.saved.symbolic else []
        return call(f"{self.name}{self.suffix}.defvjp", items)

    @property
    def by_formulas(self) -> bool:
        """Return whether the gradient uses only formulas. If so, forward mode also uses them."""
        return self.gradient.kind == "rules" and not self.gradient.calls

    def defjvp(self, unread: tuple[str, ...] | None) -> list[str]:
        """Return the statements that register forward mode, or [] if it is not available.

        Forward mode uses the formulas of the gradient, or else the reference, which must not read
        the inputs `unread`. `unread` is None if there is no reference, or if formulas are used.
        """
        if unread is None and not self.by_formulas:
            return []
        constant = [t.name for t in self.op.outputs if not t.differentiable]
        items = [] if unread is None else [REFERENCE]
        for key, names in (("constant", constant), ("unread", unread)):
            items += [f"{key}={tuple_of(map(quoted, names))}"] if names else []
        return [call(f"{self.name}{self.suffix}.defjvp", items)]


def options(op: Op) -> list[str]:
    """Return the names of the static arguments of a call. They are the attrs, and `wanted` if the
    op has results that are computed on request.
    """
    return [a.name for a in op.attrs] + (["wanted"] if op.on_request else [])
