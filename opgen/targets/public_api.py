"""Print the parts of an op's signature: parameters, annotations and defaults."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from opgen.ir.nodes import Attr, Bundle, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Expr, Name, names_in, substitute, text_of
from opgen.language.expr.python import literal, quoted
from opgen.spec.attr_types import type_of_attr
from opgen.targets.python_format import call, tuple_of, unpacked

# The names imported from `collections.abc`.
ABSTRACT = frozenset({"Collection", "Iterator", "Mapping", "Sequence"})


def types_in(annotations: Iterable[str]) -> set[str]:
    """Return the names in annotations: `Sequence` and `torch` in `Sequence[torch.dtype]`."""
    return set().union(*map(_types_in, annotations))


# cached, because most arguments have one of a few types
@lru_cache(maxsize=1024)
def _types_in(annotation: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?<!\.)\b[A-Za-z]\w*", annotation))


def result_type(tensor: Tensor, kind: str, several: str = "list") -> str:
    """Return the annotation of a result. `kind` is a tensor's type, `several` that of a list."""
    several = f"{several}[{kind}]" if tensor.list else kind
    return several if tensor.always else f"{several} | None"


class Parameter(str):
    """A parameter of a signature, such as `eps: float = 1e-05`, with its parts."""

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
    """Return the parameters of an op's function. Inputs are positional, and attrs are keyword-only.

    `tensor` and `dtype` are the types of tensors and dtypes, and `seeds` is added to the type of
    seeds. `dtype_default` returns the code of a default dtype. `wanted` lists the results that
    callers may request. `attrs` lists the attrs that callers may pass, by default all. `bundle`
    returns the type of a bundle. Without `bundle`, each tensor of a bundle is a parameter.
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
    """Map each scalar input that accepts a Python number to code items that define the dtype.

    For a fixed dtype, the items are the quoted dtype and an input on the device of the call. For a
    dtype variable, they are the other inputs with this dtype. For a derived dtype, they are the
    quoted function and its arguments. With `updated`, the result includes inputs that the op
    updates.
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
    """Return the quoted function of a derived dtype, and an input or a dtype for each argument.

    Return () unless the dtype is a function of dtypes that every call has.
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
    """Return the first input that has the dtype variable `dtype` in every call, or ""."""
    held = (t for t in op.inputs if t.always and t.dtype.plain and t.dtype.only == dtype)
    return next((t.name for t in held), "")


def derivation(op: Op, dtype: str) -> str:
    """Return a derived dtype as an expression over inputs, such as `accum(x.dtype)`, or ""."""
    var = op.dtype_var(dtype)
    if var is None or not var.value.plain:
        return ""
    held = {name: carrier(op, name) for name in names_in(var.value.only)}
    words = {name: Name(f"{of}.dtype") for name, of in held.items() if of}
    return text_of(substitute(var.value.only, words))


def is_scalar(tensor: Tensor) -> bool:
    """Return whether a tensor has rank 0 in every call."""
    return not tensor.list and not any(shape.terms for shape in tensor.shapes)


def sizes(op: Op, first: str, inputs: Sequence[str]) -> str:
    """Return the statement in the op's Python function that calls the op's size functions.

    `first` is the first argument, which identifies the op. `inputs` are the inputs of the call.
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
    """Return the annotation of each result.

    The annotation is `tensor` for a tensor, and `updated[tensor]` for an updated list. `bundle`
    returns the type of a bundle. Without `bundle`, each tensor of a bundle is a result.
    """
    if bundle is None:
        made = [result_type(t, tensor) for t in op.outputs]
    else:
        every = op.bundled(op.outputs)
        made = [bundle(t) if isinstance(t, Bundle) else result_type(t, tensor) for t in every]
    return made + [result_type(t, tensor, updated) for t in op.inputs if t.update]


def shape_comment(tensor: Tensor) -> str:
    """Return a tensor's dtype and shape in the notation of the spec, such as `W[*batch *norm]`."""
    dtypes = " | ".join(tensor.dtype.values())
    shapes = " | ".join(map(str, tensor.shapes))
    return f"{dtypes}[{shapes}]"


def attr_type(attr: Attr, dtype: str) -> tuple[str, bool]:
    """Return the annotation of an attr's values, and whether callers may pass None.

    `dtype` is the annotation of a dtype.
    """
    base = attr.element
    kind = dtype if base == "dtype" else type_of_attr(base).annotation or base
    kind = f"Sequence[{kind}]" if attr.several else kind
    return kind, attr.nullable or attr.computed is not None


def _annotation(attr: Attr, dtype: str) -> str:
    kind, nullable = attr_type(attr, dtype)
    return f"{kind} | None" if nullable else kind


def _default(attr: Attr, dtype_default: Callable[[str], str]) -> str:
    """Return the code of an attr's default, such as `1e-05`, or "" for a required attr. The code is
    `None` if `infer` computes the default.
    """
    if attr.required and not attr.computed:
        return ""
    if attr.computed or attr.default is None or isinstance(attr.default, Expr):
        return "None"
    if isinstance(attr.default, str):
        write = dtype_default if attr.type == "dtype" else quoted
        return write(attr.default)
    return literal(attr.default)
