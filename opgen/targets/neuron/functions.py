"""Template data for `my_ops.py`: an autograd.Function and a public function for each operator."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.names import camel
from opgen.source.frozen import dataclass
from opgen.targets import docstrings
from opgen.targets.neuron.autograd import Gradient, gradient
from opgen.targets.public_api import parameters
from opgen.targets.python_format import call, define, docstring, function, returned, unpacked
from opgen.targets.torch.public_api import DTYPE


@dataclass(frozen=True, slots=True)
class FunctionView:
    """Template data for one operator in `my_ops.py`.

    `reference` is the Python module whose function the backward differentiates, or "".
    """

    name: str
    class_name: str
    class_doc: str
    methods: tuple[str, ...]
    wrapper: str
    wrapper_doc: str
    apply: str
    explain: str
    reference: str


def function_view(project: Project, op: Op) -> FunctionView:
    """Return the template data for one op."""
    found = gradient(project, op)
    explained = ["error", *(t.name for t in op.inputs)]
    explained += [f"{a.name}={a.name}" for a in op.attrs]
    return FunctionView(
        name=op.name,
        class_name=camel(op.name),
        class_doc=docstring(f"`{op.name}` and its gradient."),
        methods=(_forward(op), _setup_context(op, found), _backward(op, found)),
        wrapper=define(op.name, parameters(op, "Tensor"), "Tensor"),
        wrapper_doc=docstring(
            docstrings.documentation(op, "Tensor", "Tensor", DTYPE, bundled=False)
        ),
        apply=call(f"return {camel(op.name)}.apply", _names(op)),
        explain=call("raise explain", [f"core.{op.name}", *explained]) + " from None",
        reference=found.reference,
    )


def _names(op: Op) -> list[str]:
    return [each.name for each in op.arguments]


def _method(head: str, body: Iterable[str]) -> str:
    return function(head, body, "staticmethod")


def _forward(op: Op) -> str:
    body = [call(f"return _ops.{op.name}", _names(op))]
    return _method(define("forward", _names(op)), body)


def _setup_context(op: Op, found: Gradient) -> str:
    """Return the method `setup_context`, which saves only the values that the backward reads."""
    kept = found.reads.kept()
    attrs = [a.name for a in op.attrs if a.name in found.reads.attrs]
    body = []
    if any(t.name in kept for t in op.inputs) or attrs:
        names = [name if name in (*kept, *attrs) else "_" for name in _names(op)]
        body.append(unpacked(names, "inputs"))
    (result,) = op.outputs
    items = ["output" if name == result.name else name for name in kept]
    if items:
        body.append(call("ctx.save_for_backward", items))
    body += [f"ctx.{name} = {name}" for name in attrs]
    return _method("def setup_context(ctx, inputs, output):", body or ["pass"])


def _backward(op: Op, found: Gradient) -> str:
    (result,) = op.outputs
    reads = found.reads
    cotangent = reads.local(f"d{result.name}")
    if found.refused:
        return _method(f"def backward(ctx, {cotangent}):", [found.refused])
    lines = []
    if reads.kept():
        lines.append(unpacked(reads.kept(), "ctx.saved_tensors"))
    lines += [f"{a.name} = ctx.{a.name}" for a in op.attrs if a.name in reads.attrs]
    gradients = dict(found.gradients)
    results = [gradients.get(name) or "None" for name in _names(op)]
    last = f"return {results[0]}" if len(results) == 1 else returned(results)
    return _method(f"def backward(ctx, {cotangent}):", [*lines, *found.body, last])
