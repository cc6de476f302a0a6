"""What PyTorch and XLA know of an op's arguments: its schema, its FFI attributes.

Both are part of the layout that libraries and rendered Python agree on (`layout_hash`), and
so have one source.
"""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.spec.attr_types import AttrType, type_of_attr
from opgen.spec.cases import Cases


@dataclass(frozen=True, slots=True)
class FfiAttr:
    """A typed attribute of an XLA custom call; a dtype travels as its code."""

    name: str
    type: str


# What every custom call has.
_COMMON = (FfiAttr("batch_dims", "int64_t"), FfiAttr("op_hash", "int64_t"))


def kind_of(attr: Attr) -> AttrType:
    """What is known of an attr's type."""
    return type_of_attr(attr.type)


def torch_schema(op: Op) -> str:
    """`rms_norm(Tensor x, Tensor weight, float eps=1e-05) -> (Tensor y, Tensor invvar)`.

    Inputs in file order, then attrs; it returns outputs, then residuals. An updated input
    is marked as written, and is no result. Where results are computed on request, the last
    argument says which: bit i stands for result i. A result that a call may lack is a `Tensor?`
    (`gives_optional`).
    """
    arguments = [_argument(op, t, number) for number, t in enumerate(op.inputs)]
    arguments += [_option(op, attr) for attr in op.attrs]
    arguments += ["int wanted=-1"] if op.on_request else []
    # Nothing that must be given may follow a default.
    given = max((n for n, text in enumerate(arguments) if "=" not in text), default=0)
    arguments[:given] = [text.partition("=")[0] for text in arguments[:given]]
    results = ", ".join(f"{_type_of_result(op, t)} {t.name}" for t in op.written)
    return f"{op.name}({', '.join(arguments)}) -> ({results})"


def torch_schemas(op: Op) -> tuple[str, ...]:
    """The op's schema, and that of its reference where a kernel may refuse a call."""
    schema = torch_schema(op)
    if not falls_back(op):
        return (schema,)
    return schema, f"{op.name}.reference{schema.removeprefix(op.name)}"


def falls_back(op: Op) -> bool:
    """Whether the reference may have to run where there is a kernel."""
    return op.fallback and any(k.demanding or k.listed for k in op.kernels if k.native)


def torch_out_schema(op: Op) -> str | None:
    """`relu.out(Tensor x, *, Tensor(a!) out) -> ()`; None: the op has no such overload.

    A single output is given as `out`, several by their names; one that the call does not have
    is None.
    """
    if not op.options["torch"]["out"]:
        return None
    arguments, _, _ = torch_schema(op).removeprefix(f"{op.name}(").rpartition(") -> ")
    names = ["out"] if len(op.outputs) == 1 else [t.name for t in op.outputs]
    first = ord("a") + len(op.inputs)
    given = [
        (
            f"Tensor({chr(first + n)}!) {name}"
            if t.always
            else f"Tensor({chr(first + n)}!)? {name}=None"
        )
        for n, (t, name) in enumerate(zip(op.outputs, names))
    ]
    return f"{op.name}.out({', '.join([arguments, '*', *given])}) -> ()"


def gives_optional(op: Op, tensor: Tensor) -> bool:
    """Whether the schema says `Tensor?` of a result: AOTInductor takes None for no other.

    DTensor places no results if the type of the first is `Tensor?`: that is an undefined tensor.
    """
    first = tensor is op.written[0] and bool(op.splittable)
    return not (tensor.always or tensor.list or first)


def _type_of_result(op: Op, tensor: Tensor) -> str:
    return _result_type(tensor) + "?" * gives_optional(op, tensor)


def _result_type(tensor: Tensor) -> str:
    return "Tensor[]" if tensor.list else "Tensor"


def schema_name(op: Op, name: str) -> str:
    """What a schema calls an input or attr.

    `torch.compile` hands the arguments of an op that updates to functions that have arguments
    of their own: a name of theirs gets an underscore, as does one that then would be the same.
    """
    return f"{name}_" if op.updated and name.rstrip("_") in ("ctx", "mode") else name


def _argument(op: Op, tensor: Tensor, number: int) -> str:
    kind = _result_type(tensor) if tensor.list or tensor.always else "Tensor?"
    if tensor.update:
        mark = chr(ord("a") + number)
        kind = kind.replace("Tensor", f"Tensor({mark}!)", 1)
    default = "=None" if kind.endswith("?") else ""
    return f"{kind} {schema_name(op, tensor.name)}{default}"


def _option(op: Op, attr: Attr) -> str:
    # Any int may follow from a size or from data: one graph serves all its values.
    name, kind = schema_name(op, attr.name), kind_of(attr).schema.replace("int", "SymInt")
    if attr.optional or isinstance(attr.default, Expr):
        return f"{kind}? {name}=None"
    if attr.required or attr.type == "dtype":
        return f"{kind} {name}"
    return f"{kind} {name}={_default(kind_of(attr).encoded(attr.default))}"


def _default(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_default, value)) + "]"
    return repr(value)


def varies(op: Op) -> bool:
    """Whether calls differ in what they hold: tensors or attrs that may be left out."""
    tensors = (*op.inputs, *op.written)
    attrs = (a.optional or isinstance(a.default, Expr) for a in op.attrs)
    chosen = (isinstance(t.update, Cases) for t in op.inputs)
    return any(t.list or not t.always for t in tensors) or any(attrs) or any(chosen)


def packed(op: Op) -> bool:
    """Whether XLA hands the descriptor's bytes over, and no attrs."""
    return bool(op.options["jax"]["attrs"] == "packed")


def ffi_attrs(op: Op) -> tuple[FfiAttr, ...]:
    """The attributes of an op's custom call.

    `batch_dims` comes first: how many leading dims of every operand are vmapped ones; then
    `op_hash`, which the handler looks at before the first call alone. Where
    calls vary, `given` says which operands and results there are: a number for each input,
    output, residual and updated input, in that order: 1 or 0, or a list's length. An attr that is None is left out. A packed
    descriptor takes the place of all attrs.
    """
    if packed(op):
        bytes_ = FfiAttr("packed_descriptor", "std::string_view")
        return (*_COMMON, bytes_)
    own = (FfiAttr(ffi_name(attr.name), ffi_type(attr)) for attr in op.attrs)
    given = FfiAttr("given", "xla::ffi::Span<const int64_t>")
    return (*_COMMON, *([given] if varies(op) else []), *own)


def ffi_name(attr: str) -> str:
    """What a custom call calls an attr: an underscore more where XLA's or our own has its name."""
    return f"{attr}_" if attr.rstrip("_") in ("batch_dims", "ctx", "given", "op_hash") else attr


def ffi_type(attr: Attr) -> str:
    """The C++ type of an attr in a custom call."""
    return kind_of(attr).ffi


def ffi_target(namespace: str, op: Op) -> str:
    """The name under which the op's handlers are registered, on every platform."""
    return f"{namespace}.{op.name}"


def entry_symbol(namespace: str, op: Op, platform: str) -> str:
    """The C function that runs the op's kernel; with `_ffi` appended, its FFI handler."""
    return f"{namespace}_{op.name}_{platform}"
