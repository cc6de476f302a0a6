"""The declarations of an op's arguments for PyTorch and XLA: its schema, its FFI attributes.

Both belong to the layout that libraries and rendered Python agree on (`layout_hash`), and so have
one source.
"""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.spec.attr_types import AttrType, type_of_attr
from opgen.spec.cases import Cases
from opgen.spec.models.attrs import AttrSpec


@dataclass(frozen=True, slots=True)
class FfiAttr:
    """A typed attribute of an XLA custom call; a dtype travels as its code."""

    name: str
    type: str


# The attributes of every custom call.
_COMMON = (FfiAttr("batch_dims", "int64_t"), FfiAttr("op_hash", "int64_t"))


def kind_of(attr: Attr) -> AttrType:
    """Return the type of an attr, with its limits."""
    return type_of_attr(attr.type)


def must_be_given(attr: Attr | AttrSpec) -> bool:
    """True if PyTorch's schema has no default for an attr.

    It would hold that of a dtype as a number, and hand this number on to Python.
    """
    return attr.required or attr.type == "dtype"


def torch_schema(op: Op) -> str:
    """Return `rms_norm(Tensor x, Tensor weight, float eps=1e-05) -> (Tensor y, Tensor invvar)`.

    Inputs come in file order, then attrs. It returns outputs, then residuals. An updated input is
    marked as written, and is not a result. The last argument selects results on request, if any:
    bit i stands for result i. A result that a call may lack is a `Tensor?` (`gives_optional`).
    """
    arguments = [_argument(op, t, number) for number, t in enumerate(op.inputs)]
    arguments += [_option(op, attr) for attr in op.attrs]
    arguments += ["int wanted=-1"] if op.on_request else []
    # No required argument may follow one with a default.
    given = max((n for n, text in enumerate(arguments) if "=" not in text), default=0)
    arguments[:given] = [text.partition("=")[0] for text in arguments[:given]]
    results = ", ".join(f"{_type_of_result(op, t)} {t.name}" for t in op.written)
    return f"{op.name}({', '.join(arguments)}) -> ({results})"


def torch_schemas(op: Op) -> tuple[str, ...]:
    """Return the op's schema, and the reference's if a kernel may reject a call."""
    schema = torch_schema(op)
    if not falls_back(op):
        return (schema,)
    return schema, f"{op.name}.reference{schema.removeprefix(op.name)}"


def falls_back(op: Op) -> bool:
    """Return whether the reference may have to run although a kernel exists."""
    return op.fallback and any(k.demanding or k.listed for k in op.kernels if k.native)


def torch_out_schema(op: Op) -> str | None:
    """Return `relu.out(Tensor x, *, Tensor(a!) out) -> ()`; None: the op has no such overload.

    A single output is called `out`, several have their own names. The argument is None for an
    output that the call does not have.
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
    """Return whether a result is `Tensor?` in the schema. AOTInductor accepts None for no other.

    DTensor places no results if the type of the first is `Tensor?`. Then an absent result is an
    undefined tensor.
    """
    first = tensor is op.written[0] and bool(op.splittable)
    return not (tensor.always or tensor.list or first)


def _type_of_result(op: Op, tensor: Tensor) -> str:
    return _result_type(tensor) + "?" * gives_optional(op, tensor)


def _result_type(tensor: Tensor) -> str:
    return "Tensor[]" if tensor.list else "Tensor"


def schema_name(op: Op, name: str) -> str:
    """Return the schema's name for an input or attr.

    `torch.compile` passes the arguments of an updating op to functions with their own arguments. A
    name of theirs gets an underscore. So does a name that would then be equal to it.
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
    # An int may come from a size or from data, so one graph has to serve all its values.
    name, kind = schema_name(op, attr.name), kind_of(attr).schema.replace("int", "SymInt")
    if attr.optional or isinstance(attr.default, Expr):
        return f"{kind}? {name}=None"
    if must_be_given(attr):
        return f"{kind} {name}"
    return f"{kind} {name}={_default(kind_of(attr).encoded(attr.default))}"


def _default(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_default, value)) + "]"
    return repr(value)


def varies(op: Op) -> bool:
    """Return whether calls differ in their tensors or attrs, because some may be left out."""
    tensors = (*op.inputs, *op.written)
    attrs = (a.optional or isinstance(a.default, Expr) for a in op.attrs)
    chosen = (isinstance(t.update, Cases) for t in op.inputs)
    return any(t.list or not t.always for t in tensors) or any(attrs) or any(chosen)


def ffi_attrs(op: Op) -> tuple[FfiAttr, ...]:
    """Return the attributes of an op's custom call.

    First comes `batch_dims`, the number of leading vmapped dims of every operand. Then comes
    `op_hash`, which the handler reads only before the first call. If calls vary, `given` lists the
    present operands and results. It has a number for each input, output, residual and updated
    input: 1 or 0, or a list's length. An attr that is None is left out.
    """
    own = (FfiAttr(ffi_name(attr.name), ffi_type(attr)) for attr in op.attrs)
    given = FfiAttr("given", "xla::ffi::Span<const int64_t>")
    return (*_COMMON, *([given] if varies(op) else []), *own)


def ffi_name(attr: str) -> str:
    """Return an attr's name in custom calls, with an underscore if XLA or opgen uses its name."""
    return f"{attr}_" if attr.rstrip("_") in ("batch_dims", "ctx", "given", "op_hash") else attr


def ffi_type(attr: Attr) -> str:
    """Return the C++ type of an attr in a custom call."""
    return kind_of(attr).ffi


def ffi_target(namespace: str, op: Op) -> str:
    """Return the name under which the op's handlers are registered, on every platform."""
    return f"{namespace}.{op.name}"


def entry_symbol(namespace: str, op: Op, platform: str) -> str:
    """Return the C function that runs the op's kernel. With `_ffi` appended, it is the
    FFI handler.
    """
    return f"{namespace}_{op.name}_{platform}"
