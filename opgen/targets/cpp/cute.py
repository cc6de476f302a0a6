"""CuTe DSL kernels: the function that calls an exported object."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.cute import CuteArgument
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr, Name
from opgen.language.expr.cpp import CppPrinter
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.names import cpp_name, member, struct


def function(op: Op, kernel: Kernel) -> str:
    """Return the entries' function that calls a kernel."""
    return f"{op.name}_{kernel.name}_cute" if kernel.listed else f"{op.name}_cute"


def call(op: Op, kernel: Kernel) -> Iterator[str]:
    """Yield the function, and declarations of the object's exports under opgen's names."""
    assert kernel.cute is not None
    cute, name = kernel.cute, function(op, kernel)
    functions = {"init": cute.init, "load": cute.load}
    for own, symbol in functions.items():
        yield f'extern "C" void {name}_{own}(void** arguments) __asm__("{symbol}");'
    parameters = ["void** arguments", "int32_t count"]
    yield listing(f'extern "C" void {name}_run(', parameters, f') __asm__("{cute.function}");')
    yield ""
    yield f"static opgen::Status {name}(const {struct(op, 'Args')}& args) noexcept {{"
    yield f"  static opgen::cute::Module module{{{name}_init, {name}_load}};"
    for argument in cute.arguments:
        yield from (f"  {line}" for line in _argument(op, argument))
    given = [f"&{member(argument.name)}" for argument in cute.arguments]
    yield listing("  void* const given[] = {", given, "};")
    yield f"  return opgen::cute::call(*args.ctx, module, {name}_run, given);"
    yield "}"


def objects(kernel: Kernel) -> Iterator[str]:
    """Yield the objects to link for a kernel."""
    if kernel.cute is not None:
        yield kernel.cute.file


def _argument(op: Op, argument: CuteArgument) -> Iterator[str]:
    name = member(argument.name)
    if argument.stream:
        yield f"void* {name} = args.ctx->stream;"
        return
    if argument.type:
        value = f"args.desc->{cpp_name(argument.name)}"
        yield f"{argument.type} {name} = static_cast<{argument.type}>({value});"
        return
    fields = ["void* data;"]
    values = [f"args.{cpp_name(argument.name)}.data"]
    for kind, type_, extents in (
        ("shapes", argument.shape_type, argument.shapes),
        ("strides", argument.stride_type, argument.strides),
    ):
        if extents:
            fields.append(f"{type_} {kind}[{len(extents)}];")
            values.append("{" + ", ".join(_extent(op, type_, e) for e in extents) + "}")
    yield "struct {"
    yield from (f"  {field}" for field in fields)
    yield listing(f"}} {name}{{", values, "};")


def _extent(op: Op, type_: str, extent: Expr) -> str:
    if isinstance(extent, Name):
        text = f"args.desc->{cpp_name(extent.id)}"
    else:
        floats = {f.name for f in op.descriptor.fields if f.type in ("f32", "f64")}
        printed = CppPrinter(floats=floats, name=lambda n: f"opgen::Int(args.desc->{cpp_name(n)})")
        text = f"opgen::cute::extent([&] {{ return {printed(extent)}; }})"
    return f"static_cast<{type_}>({text})"
