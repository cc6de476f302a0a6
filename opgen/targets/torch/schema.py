"""Print the PyTorch schemas of an op, and define how each attr type appears in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opgen.ir.abi import Abi, falls_back, must_be_given
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.spec.attr_types import type_of_attr


class TorchAttr(NamedTuple):
    """An attr type that the stable ABI can pass."""

    # The type of the argument in C++.
    cpp: str
    # The C++ function that converts the argument to the attr's value; empty if none is needed.
    reader: str = ""


ATTRS = {
    "float": TorchAttr("double"),
    "int": TorchAttr("int64_t"),
    "bool": TorchAttr("bool"),
    "str": TorchAttr("std::string_view"),
    "dtype": TorchAttr("opgen::torch::DType", "opgen::torch::from_torch"),
    "float[]": TorchAttr("opgen::torch::List<double>", "opgen::torch::floats"),
    "int[]": TorchAttr("opgen::torch::List<int64_t>", "opgen::torch::sizes"),
}


class TorchAbi(Abi):
    """The part of the binary interface (ABI) that PyTorch sees: attr types and schemas."""

    def schemas(self, op: Op) -> Iterator[str]:
        yield from schemas(op)
        out = out_schema(op)
        if out is not None:
            yield out


ABI = TorchAbi()


def type_of(attr: Attr) -> TorchAttr:
    """Return the type that the stable ABI passes for an attr: its own, or that of its parts."""
    found = ATTRS[type_of_attr(attr.kind.passed).name]
    return found._replace(reader=attr.kind.reader or found.reader)


@analysis
def schema(op: Op) -> str:
    """Return the op's schema, such as `relu(Tensor x, float slope=0.1) -> (Tensor y)`.

    The arguments are the inputs in file order, then the attrs. The results are the outputs, then
    the residuals. An updated input is marked as written, and is not a result. If results are
    computed on request, the last argument selects them: bit i stands for result i. An optional
    result is a `Tensor?` (see `gives_optional`).
    """
    arguments = [_argument(op, t, number) for number, t in enumerate(op.inputs)]
    arguments += [_option(op, attr) for attr in op.attrs]
    arguments += ["int wanted=-1"] if op.on_request else []
    # A required argument must not follow an argument with a default.
    given = max((n for n, text in enumerate(arguments) if "=" not in text), default=0)
    arguments[:given] = [text.partition("=")[0] for text in arguments[:given]]
    results = ", ".join(f"{_type_of_result(op, t)} {t.name}" for t in op.written)
    return f"{op.name}({', '.join(arguments)}) -> ({results})"


@analysis
def schemas(op: Op) -> tuple[str, ...]:
    """Return the op's schema, and the reference's schema if a kernel may reject a call."""
    text = schema(op)
    if not falls_back(op):
        return (text,)
    return text, f"{op.name}.reference{text.removeprefix(op.name)}"


@analysis
def out_schema(op: Op) -> str | None:
    """Return `relu.out(Tensor x, *, Tensor(a!) out) -> ()`, the schema of the `out` overload.

    Return None if the op has no such overload. A single output is called `out`. Several outputs
    keep their names. The caller passes None for an output that the call lacks.
    """
    if not op.options["torch"]["out"]:
        return None
    arguments, _, _ = schema(op).removeprefix(f"{op.name}(").rpartition(") -> ")
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
    """Return whether a result has the type `Tensor?` in the schema.

    AOTInductor accepts None only for this type. DTensor does not assign placements to the results
    if the first result has the type `Tensor?`. So the first result of a splittable op is a
    `Tensor`, which is undefined if it is absent.
    """
    first = tensor is op.written[0] and bool(op.splittable)
    return not (tensor.always or tensor.list or first)


def _type_of_result(op: Op, tensor: Tensor) -> str:
    return _result_type(tensor) + "?" * gives_optional(op, tensor)


def _result_type(tensor: Tensor) -> str:
    return "Tensor[]" if tensor.list else "Tensor"


def schema_name(op: Op, name: str) -> str:
    """Return the schema's name for an input or attr.

    `torch.compile` passes the arguments of an updating op to functions that already have arguments
    `ctx` and `mode`. These names get an underscore. So do `ctx_` and similar names, so that names
    stay distinct.
    """
    return f"{name}_" if op.updated and name.rstrip("_") in ("ctx", "mode") else name


def _argument(op: Op, tensor: Tensor, number: int) -> str:
    kind = _result_type(tensor) if tensor.list or tensor.always else "Tensor?"
    if tensor.update:
        mark = chr(ord("a") + number)
        kind = kind.replace("Tensor", f"Tensor({mark}!)", 1)
    default = "=None" if kind.endswith("?") else ""
    return f"{kind} {schema_name(op, tensor.name)}{default}"


def schema_type(attr: Attr) -> str:
    """Return the type of an attr in a schema, which ends in `?` if the attr may be None.

    An int may come from a size or from data, so one graph must work for all its values.
    """
    kind = attr.kind.passed.replace("int", "SymInt").replace("dtype", "ScalarType")
    return f"{kind}?" if attr.nullable else kind


def _option(op: Op, attr: Attr) -> str:
    kind, name = schema_type(attr), schema_name(op, attr.name)
    if kind.endswith("?"):
        return f"{kind} {name}=None"
    if must_be_given(attr):
        return f"{kind} {name}"
    return f"{kind} {name}={_default(attr.kind.encoded(attr.default))}"


def _default(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_default, value)) + "]"
    return repr(value)
