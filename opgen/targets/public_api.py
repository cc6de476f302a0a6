"""The signature of an op, as its callers see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from opgen.ir.nodes import Attr, Bundle, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Expr, Name, names_in, substitute, text_of
from opgen.language.expr.python import literal, quoted
from opgen.targets.python_format import call, tuple_of, unpacked

# What is imported from `collections.abc`.
ABSTRACT = frozenset({"Collection", "Iterator", "Mapping", "Sequence"})


def types_in(annotations: Iterable[str]) -> set[str]:
    """The names in annotations: `Sequence` and `torch` in `Sequence[torch.dtype]`."""
    return {name for text in annotations for name in re.findall(r"(?<!\.)\b[A-Za-z]\w*", text)}


def result_type(tensor: Tensor, kind: str, several: str = "list") -> str:
    """The type of a result whose tensors are of type `kind`."""
    several = f"{several}[{kind}]" if tensor.list else kind
    return several if tensor.always else f"{several} | None"


class Parameter(str):
    """A parameter as signatures write it, `eps: float = 1e-05`; and its parts."""

    name: str
    kind: str
    default: str

    def __new__(cls, name: str, kind: str = "", default: str = "") -> Parameter:
        typed = f"{name}: {kind}" if kind else name
        self = super().__new__(cls, f"{typed} = {default}" if default else typed)
        self.name, self.kind, self.default = name, kind, default
        return self

    @property
    def untyped(self) -> str:
        return f"{self.name}={self.default}" if self.default else self.name


def parameters(
    op: Op,
    tensor: str,
    dtype: str = "str",
    dtype_default: Callable[[str], str] = quoted,
    wanted: Sequence[Tensor] = (),
    attrs: Sequence[Attr] | None = None,
    seeds: str = "",
    bundle: Callable[[Bundle], str] | None = None,
) -> list[Parameter]:
    """The parameters of a call: inputs by position, attrs by keyword.

    `tensor` types a tensor and `dtype` a dtype, `seeds` what else a seed may be;
    `dtype_default` writes the dtype of that name as a default. `wanted` are results of which a
    call computes those it asks for; `attrs` are those that a caller gives, if not told; `bundle`
    types a bundle, whose tensors are parameters otherwise.
    """
    items = []
    for t in op.inputs if bundle is None else op.bundled(op.inputs):
        if isinstance(t, Bundle):
            kind, given = bundle(t) if bundle else "", t.always
        else:
            kind = f"Sequence[{tensor}]" if t.list else f"{tensor}{seeds}" if t.seed else tensor
            given = t.given
        items.append(
            Parameter(t.name, kind) if given else Parameter(t.name, f"{kind} | None", "None")
        )
    attrs = op.options_given if attrs is None else attrs
    if attrs or wanted:
        items.append(Parameter("*"))
    for attr in attrs:
        items.append(Parameter(attr.name, _annotation(attr, dtype), _default(attr, dtype_default)))
    if wanted:
        names = tuple_of(quoted(t.name) for t in wanted)
        items.append(Parameter("wanted", "Collection[str]", names))
    return items


def numbers(op: Op, updated: bool = False) -> dict[str, tuple[str, ...]]:
    """The scalar inputs that may be given as Python numbers, and what their dtypes follow from.

    That is a dtype, quoted, and an input whose device it takes; the other inputs of its dtype
    variable; or, quoted, the function that gives a derived variable, and its arguments.
    `updated`: also those whose new values are results.
    """
    found = {}
    others = [t for t in op.inputs if t.always and not (is_scalar(t) or t.device)]
    for tensor in op.inputs:
        if not is_scalar(tensor) or not tensor.dtype.plain:
            continue
        if tensor.update and not updated:
            continue
        dtype = tensor.dtype.only
        if dtype in DTYPES:
            found[tensor.name] = (quoted(dtype), *(t.name for t in others[:1]))
        else:
            same = [t for t in op.inputs if t is not tensor and dtype in t.dtype.values()]
            found[tensor.name] = tuple(t.name for t in same) or _derived(op, dtype)
    return {name: of for name, of in found.items() if of}


def _derived(op: Op, dtype: str) -> tuple[str, ...]:
    """The function of a derived dtype variable, quoted, and for each argument an input or a dtype.

    Nothing where it is no function of dtypes that every call has.
    """
    var = op.dtype_var(dtype)
    if var is None or not var.value.plain:
        return ()
    if not isinstance(var.value.only, Call):
        return ()
    found = [quoted(var.value.only.func)]
    for argument in var.value.only.args:
        name = argument.id if isinstance(argument, Name) else ""
        found.append(quoted(name) if name in DTYPES else carrier(op, name))
    return tuple(found) if all(found) else ()


def carrier(op: Op, dtype: str) -> str:
    """The first input that every call has in the dtype of this variable; or ""."""
    held = (t for t in op.inputs if t.always and t.dtype.plain and t.dtype.only == dtype)
    return next((t.name for t in held), "")


def derivation(op: Op, dtype: str) -> str:
    """How a derived dtype variable follows from inputs: `accum(x.dtype)`; or ""."""
    var = op.dtype_var(dtype)
    if var is None or not var.value.plain:
        return ""
    held = {name: carrier(op, name) for name in names_in(var.value.only)}
    words = {name: Name(f"{of}.dtype") for name, of in held.items() if of}
    return text_of(substitute(var.value.only, words))


def is_scalar(tensor: Tensor) -> bool:
    """Whether it has no dims in any call."""
    shapes = [shape for forms in tensor.forms.values() for shape in forms]
    return not tensor.list and not any(shape.terms for shape in shapes)


def sizes(op: Op, first: str, inputs: Sequence[str]) -> str:
    """The statement of a wrapper that computes the sizes which functions compute.

    `first` says of which op, `inputs` what the call gives.
    """
    names = list(op.computed)
    given = [f"{attr.name}={attr.name}" for attr in op.options_given]
    asked = tuple_of(map(quoted, names))
    return unpacked(names, call("_runtime.sizes", [first, asked, *inputs, *given]))


def results(
    op: Op,
    tensor: str,
    updated: str = "list",
    bundle: Callable[[Bundle], str] | None = None,
) -> list[str]:
    """The type of each result: of one tensor `tensor`, of several that are updated `updated`.

    `bundle` types a bundle, whose tensors are results otherwise.
    """
    if bundle is None:
        made = [result_type(t, tensor) for t in op.outputs]
    else:
        every = op.bundled(op.outputs)
        made = [bundle(t) if isinstance(t, Bundle) else result_type(t, tensor) for t in every]
    return made + [result_type(t, tensor, updated) for t in op.inputs if t.update]


def shape_comment(tensor: Tensor) -> str:
    """`W[*batch *norm]`: the dtype and the shape as the spec writes them."""
    dtypes = " | ".join(tensor.dtype.values())
    shapes = " | ".join(str(shape) for forms in tensor.forms.values() for shape in forms)
    return f"{dtypes}[{shapes}]"


def attr_type(attr: Attr, dtype: str) -> tuple[str, bool]:
    """The Python type of an attr's values, and whether None is one; `dtype` is that of a dtype."""
    base, bracket, _ = attr.type.partition("[")
    kind = f"Sequence[{base}]" if bracket else dtype if base == "dtype" else base
    computed = attr.computed is not None
    return kind, attr.optional or computed or isinstance(attr.default, Expr)


def _annotation(attr: Attr, dtype: str) -> str:
    kind, nullable = attr_type(attr, dtype)
    return f"{kind} | None" if nullable else kind


def _default(attr: Attr, dtype_default: Callable[[str], str]) -> str:
    """`1e-05`, or nothing for a required attr; an expression is filled in by `infer`."""
    if attr.required and not attr.computed:
        return ""
    if attr.computed or attr.default is None or isinstance(attr.default, Expr):
        return "None"
    if isinstance(attr.default, str):
        write = dtype_default if attr.type == "dtype" else quoted
        return write(attr.default)
    return literal(attr.default)
