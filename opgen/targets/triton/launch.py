"""Render the list of Triton variants to compile, and the C++ functions that launch them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Field, Kernel
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.expr.cpp import CppPrinter
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.headers import tune_name
from opgen.targets.cpp.names import cpp_name, member, struct
from opgen.targets.cpp.platforms import native_platforms
from opgen.targets.triton.code import DTYPES, PASSED, Constant, TritonKernel


def function(op: Op, kernel: Kernel) -> str:
    """Return the name of the C++ function that launches a kernel."""
    return f"{op.name}_{kernel.name}_triton" if kernel.listed else f"{op.name}_triton"


def code(namespace: str, op: Op, kernel: Kernel) -> str:
    """Return the name of the C++ table that holds a kernel's compiled variants."""
    own = f"_{kernel.name}" if kernel.listed else ""
    return f"{entry_symbol(namespace, op, kernel.platform)}{own}_code"


def launch(namespace: str, op: Op, kernel: Kernel) -> Iterator[str]:
    """Yield the lines of C++ that declare a kernel's table and define its launch function."""
    triton = _triton(kernel)
    table = code(namespace, op, kernel)
    yield f'extern "C" opgen::triton::Variant {table}[] __attribute__((weak));'
    yield ""
    parameters = [f"const {struct(op, 'Args')}& args", "int64_t row"]
    parameters += [f"const {tune_name(op, kernel)}& tune"] if triton.tuned else []
    yield f"static opgen::Status {function(op, kernel)}({', '.join(parameters)}) noexcept {{"
    for name in triton.arguments:
        yield f"  {_argument(op, name)}"
    yield "  int64_t code = row;"
    for name, values in triton.tuned:
        place = f"opgen::triton::place({{{', '.join(map(str, values))}}}, tune.{cpp_name(name)})"
        yield f"  code = {len(values)} * code + {place};"
    for constant in triton.constants:
        if constant.expr is not None:
            yield from _choice(op, constant)
    if triton.aligned:
        yield f"  code = 2 * code + {_aligned(op, triton)};"
    ctx = "*args.ctx"
    if triton.grid:
        ctx = "ctx"
        yield "  opgen::Context ctx = *args.ctx;"
        for axis, expr in enumerate(triton.grid):
            text = _printer(op, triton)(expr)
            yield f"  ctx.grid[{axis}] = opgen::triton::extent([&] {{ return {text}; }});"
    given = [ctx, table, "code", *map(member, triton.arguments)]
    driver = native_platforms()[kernel.platform].driver
    function_ = f"launch<{driver}>" if driver else "launch"
    yield listing(f"  return opgen::triton::{function_}(", given, ");")
    yield "}"


def manifest(project: Project, family: Family) -> str:
    """Return JSON with the variants to compile for a family, or "" if it has no Triton kernel."""
    kernels = [(op, k) for op in family.ops for k in op.kernels if isinstance(k.code, TritonKernel)]
    found = [_compiled(project, op, kernel) for op, kernel in kernels]
    return "\n".join(_listed(found)) + "\n" if found else ""


def _listed(kernels: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the JSON text. Each key of a kernel and each variant has its own line."""
    yield '{"kernels": ['
    for n, kernel in enumerate(kernels):
        *keys, (last, variants) = kernel.items()
        yield "  {"
        yield from (f"    {json.dumps(key)}: {json.dumps(value)}," for key, value in keys)
        yield f"    {json.dumps(last)}: ["
        lines = [f"      {json.dumps(each)}" for each in variants]
        yield from (f"{line}," for line in lines[:-1])
        yield from lines[-1:]
        yield f"    ]}}{',' if n + 1 < len(kernels) else ''}"
    yield "]}"


def _compiled(project: Project, op: Op, kernel: Kernel) -> dict[str, Any]:
    triton = _triton(kernel)
    fields = {field.name: field for field in op.descriptor.fields}
    variants = []
    for variant in triton.variants:
        dtypes = triton.dtypes[variant.row]
        signature = {
            name: f"*{DTYPES[dtypes[name]]}" if name in dtypes else PASSED[fields[name].type][0]
            for name in triton.arguments
        }
        each: dict[str, Any] = {
            "signature": signature,
            "constants": variant.constants,
            "multiples_of_16": triton.aligned if variant.aligned else (),
        }
        if triton.tuned:
            each |= {"num_warps": variant.num_warps, "num_stages": variant.num_stages}
        variants.append(each)
    return {
        "op": op.name,
        "platform": kernel.platform,
        "entry": entry_symbol(project.namespace, op, kernel.platform),
        "code": code(project.namespace, op, kernel),
        "file": triton.file,
        "function": triton.function,
        "num_warps": triton.num_warps,
        "num_stages": triton.num_stages,
        "variants": variants,
    }


def _triton(kernel: Kernel) -> TritonKernel:
    assert isinstance(kernel.code, TritonKernel)
    return kernel.code


def _field(op: Op, name: str) -> Field:
    return next(field for field in op.descriptor.fields if field.name == name)


def _argument(op: Op, name: str) -> str:
    """Return the C++ statement that defines a variable for an argument of the launch."""
    if any(tensor.name == name for tensor in op.tensors):
        return f"const void* const {member(name)} = args.{cpp_name(name)}.data;"
    kind = _field(op, name).type
    text, value = PASSED[kind][1], f"args.desc->{cpp_name(name)}"
    same = FIELD_TYPES[kind].cpp == text
    value = value if same else f"static_cast<{text}>({value})"
    return f"const {text} {member(name)} = {value};"


def _choice(op: Op, constant: Constant) -> Iterator[str]:
    """Yield the C++ statements that choose a constant's value and update the index `code`."""
    assert constant.expr is not None
    values = ", ".join(str(int(value)) for value in constant.values)
    text = _printer(op)(constant.expr)
    name = member(constant.name)
    yield f"  const int32_t {name} = opgen::triton::at_least({{{values}}}, [&] {{ return {text}; }});"
    yield f"  if ({name} < 0) return opgen::Status::no_kernel;"
    yield f"  code = {len(constant.values)} * code + {name};"


def _printer(op: Op, triton: TritonKernel | None = None) -> CppPrinter:
    """Return a printer for expressions that refer to the entry's arguments and the tuned values."""
    tuned = {name for name, _ in triton.tuned} if triton is not None else set()

    def name_of(name: str) -> str:
        return f"opgen::Int(tune.{cpp_name(name)})" if name in tuned else _value(op, name)

    floats = {f.name for f in op.descriptor.fields if f.type in ("f32", "f64")}
    return CppPrinter(floats=floats, name=name_of)


def _value(op: Op, name: str) -> str:
    """Return the C++ code for a tensor or a descriptor field that an expression names."""
    if any(tensor.name == name for tensor in op.tensors):
        return f"args.{cpp_name(name)}"
    text = f"args.desc->{cpp_name(name)}"
    return f"opgen::Int({text})" if _field(op, name).type in ("i32", "i64") else text


def _aligned(op: Op, triton: TritonKernel) -> str:
    tensors = {tensor.name for tensor in op.tensors}
    addresses = ", ".join(member(n) for n in triton.aligned if n in tensors)
    integers = ", ".join(member(n) for n in triton.aligned if n not in tensors)
    return f"opgen::triton::multiples_of_16({{{addresses}}}, {{{integers}}})"
