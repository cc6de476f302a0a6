"""Prepare the strings that fill the template of an op's module in `torch/`."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.python import python
from opgen.source.frozen import dataclass
from opgen.targets import bundles
from opgen.targets.bundles import BundledView
from opgen.targets.own_names import Names, own
from opgen.targets.public_api import (
    ABSTRACT,
    Parameter,
    is_scalar,
    numbers,
    sizes,
    types_in,
)
from opgen.targets.python_format import call, define, docstring, import_from, quoted
from opgen.targets.torch.public_api import documentation, has_out, parameters, returns
from opgen.targets.torch.statements import cost, reference, register, replaced

# The function that the wrapper calls. Dynamo cannot trace the fast function `_eager`, so compiled
# programs use `_traced`.
CALLED = "(_traced if {}() else _eager)"


@dataclass(frozen=True, slots=True)
class OpView:
    """The strings that fill the template of one module `torch/_<op>.py`."""

    # The docstring and the imports of the module.
    docstring: str
    imports: str
    # The statements before the wrapper.
    statements: tuple[str, ...]
    # The `def` line and the docstring of the wrapper.
    define: str
    wrapper_doc: str
    # The statements of the wrapper before its call, and the call.
    before: tuple[str, ...]
    body: tuple[str, ...]
    # The errors that the wrapper catches, and the statement that raises an error with an
    # explanation.
    caught: str
    explain: str
    # The public function that takes bundles, if the op has bundles.
    bundled: BundledView | None


def view(project: Project, op: Op) -> OpView:
    """Return the strings that fill the template of one op."""
    signature, names = parameters(op), Names(op)
    scalars = {
        name: f"_runtime.number({', '.join((name, *of, *_device(op.tensor(name))))})"
        for name, of in numbers(op).items()
        if not op.tensor(name).seed
    }
    inputs = [scalars.get(t.name, t.name) for t in op.inputs]
    arguments = [*inputs, *(attr.name for attr in op.attrs)]
    # Lists in the schema are never None. An absent list is empty.
    given = [
        f"[] if {text} is None else {text}" if t.list and not t.always else text
        for t, text in zip(op.inputs, inputs)
    ]
    given += [attr.name for attr in op.attrs]
    if op.on_request:
        asked = call("_runtime.wanted_bits", [quoted(op.name), "wanted"])
        given.append(asked if op.outputs_on_request else "0")
    statements = (
        *bundles.saved(op),
        *reference(project, op),
        register(project, op),
        *cost(names),
        *([call("_runtime.register_out", [quoted(op.name)])] if has_out(op) else []),
        *replaced(op),
        "_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)",
    )
    body = (*_write(op, given), *_call(op, given))
    told = "listed" if op.listed else "tuned" if op.tuned else ""
    refusals = ", ".join(map(names, ("RuntimeError", "ValueError")))
    explained = [quoted(op.name), own(op, "error"), *arguments]
    return OpView(
        docstring=docstring(
            f"`{op.name}` for PyTorch.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=_imports(names, signature),
        statements=statements,
        define="\n".join(
            [
                *([f"@_runtime.{told}({quoted(op.name)})"] if told else []),
                define(bundles.function_of(op), signature, returns(op)),
            ]
        ),
        wrapper_doc=docstring(bundles.flat_documentation(op) if op.bundles else documentation(op)),
        before=(
            *_seeds(op),
            *([sizes(op, quoted(op.name), inputs)] if op.computed else []),
        ),
        body=body,
        caught=f"({refusals}) as {own(op, 'error')}",
        explain=call("raise _runtime.explain", explained) + " from None",
        bundled=_bundled(op) if op.bundles else None,
    )


def _bundled(op: Op) -> BundledView:
    """Return the op's public function, which takes and returns bundles."""
    given = parameters(op, lambda b: bundles.annotation(op, b, "Tensor"))
    made = returns(op, lambda b: bundles.result_type(op, b))
    return bundles.view(op, given, made, documentation(op))


def _seeds(op: Op) -> list[str]:
    """Return the statements that draw each seed that the caller omits.

    They come first in the wrapper. The seeds are drawn on the device of the first input that has
    dims and is always present.
    """
    others = [t for t in op.inputs if not (is_scalar(t) or t.device)]
    of = [t.name for t in others if t.always][:1] or [t.name for t in others]
    found = []
    for tensor in (t for t in op.inputs if t.seed):
        items = [quoted(op.name), quoted(tensor.name), tensor.name, *of, *_device(tensor)]
        if tensor.when is not None:
            items.append(f"when=lambda: {python(tensor.when)}")
        found.append(call(f"{tensor.name} = _runtime.seed", items))
    return found


def _device(tensor: Tensor) -> list[str]:
    """Return the argument `device` of a scalar, if the spec sets its device."""
    return [f"device={quoted(tensor.device)}"] if tensor.device else []


def _imports(names: Names, signature: Sequence[Parameter]) -> str:
    op = names.op
    used = names.used | types_in(p.kind for p in signature)
    framework, local = [], []
    standard = [import_from("collections.abc", used & ABSTRACT)] if used & ABSTRACT else []
    standard += [*names.builtins(), *names.prod()]
    if "torch" in used:
        framework.append("import torch")
    framework.append("from torch import Tensor")
    compiling = own(op, "is_dynamo_compiling")
    named = "" if compiling == "is_dynamo_compiling" else f" as {compiling}"
    framework.append(f"from torch.compiler import is_dynamo_compiling{named}")
    local += bundles.imports(op)
    local.append("from .._opgen import torch as _runtime")
    return "\n\n".join("\n".join(g) for g in (standard, framework, local) if g)


def _write(op: Op, arguments: list[str]) -> tuple[str, ...]:
    """Return the statements that write the results to `out` if the caller passes `out`."""
    if not has_out(op):
        return ()
    items = [quoted(op.name), "out", *arguments]
    return "if out is not None:", "    " + call("return _runtime.write", items)


def _call(op: Op, arguments: list[str]) -> tuple[str, ...]:
    called = CALLED.format(own(op, "is_dynamo_compiling"))
    if op.results == op.written and not any(t.length for t in op.outputs):
        return (call(f"return {called}", arguments),)
    names = ", ".join(t.name if t in op.outputs else "_" for t in op.written)
    head = f"{names} = " if names else ""
    results = [f"_runtime.filled({t.name}, {t.length})" if t.length else t.name for t in op.results]
    return call(f"{head}{called}", arguments), f"return {', '.join(results)}"
