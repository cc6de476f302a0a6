"""Print the public functions of ops with bundles, which are groups of tensors passed as one value.
Such a function unpacks the bundles, and calls the private function over single tensors.
"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.ir.nodes import Bundle
from opgen.ir.op import Op
from opgen.language.expr.python import quoted
from opgen.language.names import camel
from opgen.source.frozen import dataclass
from opgen.targets.own_names import own
from opgen.targets.python_format import call, define, docstring, import_from, tuple_of, unpacked


@dataclass(frozen=True, slots=True)
class BundledView:
    """The rendered function of an op that takes and returns bundles."""

    define: str
    doc: str
    body: tuple[str, ...]


def function_of(op: Op) -> str:
    """Return the name of the op's function over single tensors. If the op has bundles, this
    function is private.
    """
    return f"_flat_{op.name}" if op.bundles else op.name


def class_of(op: Op, bundle: Bundle) -> str:
    """Return the name of a bundle's class in the op's module."""
    return own(op, camel(bundle.kind))


def imports(op: Op) -> list[str]:
    """Return the imports that an op's module needs for its bundles."""
    if not op.bundles:
        return []
    classes = {camel(b.kind) for b in op.bundles}
    named = (n if own(op, n) == n else f"{n} as {own(op, n)}" for n in classes)
    roles = {bundle.role for bundle in op.bundles}
    helpers = {"input": "members as _members", "output": "bundle as _bundle"}
    return [
        import_from("..bundles", sorted(named)),
        import_from(".._opgen.core.bundles", sorted(helpers[role] for role in roles)),
    ]


def saved(op: Op) -> list[str]:
    """Return the statement that registers the op's bundle classes, so that users can save programs
    with bundles.
    """
    classes = sorted({class_of(op, bundle) for bundle in op.bundles})
    return [call("_runtime.saved", classes)] if classes else []


def annotation(op: Op, bundle: Bundle, tensor: str) -> str:
    """Return the annotation of an argument that is a bundle. `tensor` is the type of a tensor."""
    return f"{class_of(op, bundle)} | tuple[{tensor}, ...]"


def result_type(op: Op, bundle: Bundle) -> str:
    kind = class_of(op, bundle)
    return kind if bundle.always else f"{kind} | None"


def view(op: Op, signature: Sequence[str], returns: str, documentation: str) -> BundledView:
    """Return the public function that takes and returns bundles. Its parameters are `signature`."""
    body = [
        line
        for each in op.bundled(op.inputs)
        if isinstance(each, Bundle)
        for line in _taken(op, each)
    ]
    inputs = [t.name for t in op.inputs]
    keywords = [f"{a.name}={a.name}" for a in op.options_given]
    keywords += ["wanted=wanted"] if op.outputs_on_request else []
    called = function_of(op)
    given: list[str] = [*inputs, *keywords]
    grouped = op.bundled(op.results)
    if not any(isinstance(each, Bundle) for each in grouped):
        body.append(call(f"return {called}", given))
    else:
        names = [t.name for t in op.results]
        body.append(call(f"{', '.join(names)} = {called}", given))
        found = [_made(op, e) if isinstance(e, Bundle) else e.name for e in grouped]
        body.append(f"return {', '.join(found)}")
    return BundledView(
        define=define(op.name, signature, returns),
        doc=docstring(documentation),
        body=tuple(body),
    )


def _taken(op: Op, bundle: Bundle) -> list[str]:
    """Return the statement that unpacks a bundle argument into tensors."""
    fields = [field for field, _, _ in bundle.fields]
    taken = [member for member, tensor in bundle.members if tensor is not None]
    least = sum(not default for _, _, default in bundle.fields)
    items = [quoted(op.name), quoted(bundle.name), bundle.name]
    items += [tuple_of(map(quoted, fields)), tuple_of(map(quoted, taken))]
    items += [str(least), str(not bundle.always)]
    tensors = bundle.tensors
    return [unpacked(tensors, call("_members", items))]


def _made(op: Op, bundle: Bundle) -> str:
    """Return the expression that packs results into a bundle."""
    values = [tensor or "None" for _, tensor in bundle.members]
    return f"_bundle({', '.join([class_of(op, bundle), *values])})"


def flat_documentation(op: Op) -> str:
    """Return the docstring of an op's private function over single tensors."""
    return f"`{op.name}` of the tensors of its bundles, one by one."
