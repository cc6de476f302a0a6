"""Checks that a spec's CuTe DSL objects exist, and take the spec's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from opgen.compiler.discovery import shown
from opgen.compiler.project_sources import kernel_file
from opgen.ir.descriptor import describe
from opgen.ir.resolve_cute import given_shapes, given_strides, header_of, modes, moving, stride
from opgen.ir.resolve_triton import over_fields
from opgen.language.cute_header import CuteFunction, CuteParameter, HeaderError, cute_function
from opgen.language.expr import names_in
from opgen.language.kernel_dtypes import kernel_dtypes
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.inside import Outside
from opgen.source.parse_rules import BAD_OBJECT
from opgen.source.source_file import SourceFile
from opgen.spec.attr_types import FIELD_TYPES
from opgen.spec.models.kernels import KernelSpec

_BYTES = {"float": 4, "double": 8}


def check_cute(place: Callable[..., Where], scope: Scope, kernels: Path) -> Iterator[Diagnostic]:
    """Yield findings for the objects of an op; `kernels` is the folder of their files."""
    for kernel in scope.spec.kernels:
        if kernel.object is None:
            continue
        where = place(*kernel.path, "object")
        beside = Path(where.file).parent
        header = header_of(kernel.object)
        try:
            there = kernel_file(kernels, beside, kernel.object).is_file()
            source = SourceFile.read(shown(kernel_file(kernels, beside, header)))
        except Outside as error:
            yield BAD_OBJECT.at(where, f"{kernels.name}/{kernel.object}: {error}")
            continue
        if not there:
            message = f"there is no {kernels.name}/{kernel.object}"
            yield BAD_OBJECT.at(where, message, "write it with `export_to_c`, and keep it there")
            continue
        if source.problem is not None:
            yield BAD_OBJECT.at(where, f"{kernels.name}/{header}: {source.problem.message}")
            continue
        try:
            function = cute_function(source.text)
        except HeaderError as error:
            help = "write it with `export_to_c` of nvidia-cutlass-dsl 4"
            yield BAD_OBJECT.at(where, f"{kernels.name}/{header}: {error}", help)
            continue
        yield from _function(where, scope, kernel, function)


def _function(
    where: Where, scope: Scope, kernel: KernelSpec, function: CuteFunction
) -> Iterator[Diagnostic]:
    op, fields = scope.spec, {f.name: f for f in describe(scope).fields if not f.count}
    taken = [p.name for p in function.parameters]
    for parameter in function.parameters:
        name = parameter.name
        if parameter.is_stream:
            continue
        if parameter.is_tensor and name in op.tensors:
            yield from _tensor(where, scope, kernel, parameter)
        elif parameter.is_tensor or name not in fields:
            kind = "tensor" if parameter.is_tensor else "field of the descriptor"
            known = [*op.tensors] if parameter.is_tensor else [*fields]
            message = f"it takes `{name}`, which is no {kind} of `{op.name}`"
            yield BAD_OBJECT.at(where, message, did_you_mean(name, known))
        else:
            yield from _number(where, scope, parameter, fields[name].type)
    if not any(p.is_stream for p in function.parameters):
        message = "it takes no stream, and would run on another than the framework's"
        yield BAD_OBJECT.at(where, message, "add a parameter `stream: cuda.CUstream`")
    for name in (*op.outputs, *op.residuals):
        if name not in taken:
            message = f"it does not take `{name}`, which nothing would write"
            yield BAD_OBJECT.at(where, message, f"add a parameter `{name}: cute.Tensor`")


def _tensor(
    where: Where, scope: Scope, kernel: KernelSpec, parameter: CuteParameter
) -> Iterator[Diagnostic]:
    name = parameter.name
    tensor, fields = scope.spec.tensors[name], describe(scope).fields
    sizes, moves = modes(tensor), moving(kernel)
    shapes = given_shapes(sizes, parameter.shapes.count, moves)
    strides = given_strides(sizes, parameter.strides.count, moves)
    expected = f'`{name}` has the shape "{tensor.one_shape}", {len(sizes)} modes'
    if shapes is None or strides is None:
        lacking = "sizes" if shapes is None else "strides"
        count = parameter.shapes.count if shapes is None else parameter.strides.count
        message = f"{expected}, and its function takes {count} {lacking} of it at run time"
        help = 'give it a tensor of this rank; `require = ["d == 128"]` says what is constant in it'
        yield BAD_OBJECT.at(where, message, help)
        return
    known = {field.name for field in fields}
    for size in (*(sizes[n] for n in shapes), *(stride(sizes, n) for n in strides)):
        unknown = [each for each in names_in(over_fields(size, fields)) if each not in known]
        if unknown:
            message = f"`{unknown[0]}`, a size of `{name}`, is in no field of the descriptor"
            yield BAD_OBJECT.at(where, message, f"add a field: `descriptor.{unknown[0]}`")
            return
    dtypes = kernel_dtypes(scope, kernel, tensor)
    if parameter.dtype and parameter.dtype not in dtypes:
        message = f"`{name}` is {parameter.dtype} in it, and {' or '.join(dtypes)} in the spec"
        yield BAD_OBJECT.at(where, message, "compile it for the dtype of the spec")


def _number(
    where: Where, scope: Scope, parameter: CuteParameter, field: str
) -> Iterator[Diagnostic]:
    """Yield findings for a number that cannot hold every value of its field."""
    attr = scope.spec.attrs.get(parameter.name)
    given = FIELD_TYPES[field]
    floating = parameter.type in _BYTES
    bits = "".join(filter(str.isdigit, parameter.type))
    fits = floating or int(bits or 0) >= 8 * given.size or (attr and attr.type == "bool")
    if floating != given.cpp.startswith(("float", "double")) or not fits:
        message = f"it takes `{parameter.name}` as {parameter.type}, and the descriptor has {field}"
        help = f"take it as {given.cpp}, or give `descriptor.{parameter.name}` another type"
        yield BAD_OBJECT.at(where, message, help)
