"""Check that the Triton functions in a spec exist and accept the spec's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from opgen.compiler.python_kernel_files import check_function, place_in
from opgen.ir.descriptor import describe, over_fields
from opgen.ir.kinds import Files
from opgen.language.expr import ParseError, names_in, parse_expr
from opgen.language.expr.decide import decide
from opgen.language.python_functions import Parameter, PythonFunction
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.parse_rules import ReadingRule
from opgen.source.source_file import SourceFile
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec
from opgen.targets.triton.code import DTYPES, PASSED
from opgen.targets.triton.resolve import grid_is_tuned

BAD_TRITON = ReadingRule(
    "OG034",
    "bad-triton-kernel",
    """A kernel in Triton that is not there, or whose parameters the spec does not give.

This rule reads the Python file that `triton` names below the kernels folder, and looks for the
function in it. The file is not run. The function is decorated
with `triton.jit` alone. Its `tl.constexpr` parameters are those of `constexpr`, but for those with
a default; each other one is called like a tensor, whose address it gets, or like a field of the
descriptor. All outputs and residuals are among them.

Why: `opgen build` compiles the function ahead of time, and what launches it is rendered from the
spec: nobody looks at names when it is called.

Example:

    # def rms_norm(x_ptr, y_ptr, d, BLOCK: tl.constexpr)
    [[ops.rms_norm.kernels]]
    on     = "cuda"
    grid   = ["m"]
    triton = { function = "norms/norms.py:rms_norm", constexpr = { BLOCK = 1024 } }

How to fix: name parameters as the spec names tensors, sizes and attrs; list others as `descriptor`
fields.
""",
)


def check(files: Files) -> Iterator[Diagnostic]:
    """Yield the errors in the Triton function that a kernel names, such as a wrong parameter."""
    place, scope, kernel, folder, sources = files
    where = place(*kernel.path, "triton", "function")
    inspect = partial(_function, place, scope, kernel)
    yield from check_function(where, kernel.named or "", BAD_TRITON, inspect, folder, sources)


def _function(
    place: Callable[..., Where],
    scope: Scope,
    kernel: KernelSpec,
    source: SourceFile,
    function: PythonFunction,
) -> Iterator[Diagnostic]:
    op, fields = scope.spec, describe(scope).fields
    named = place_in(source, function.line, function.column, len(function.name))
    others = [name for name in function.decorators if name != "jit"]
    if "jit" not in function.decorators:
        yield BAD_TRITON.at(named, f"`{function.name}` is no kernel", "decorate it: `@triton.jit`")
    elif others:
        message = f"`{others[0]}` decides when a call runs, and this kernel is compiled before"
        help = "remove it, and give `constexpr`, `num_warps` and `num_stages` in the spec"
        yield BAD_TRITON.at(named, message, help)
    for name in function.gathered:
        message = f"`{function.name}` takes `{name}`, and the spec gives arguments by name"
        yield BAD_TRITON.at(named, message, "name each parameter")
    constants = [p.name for p in function.parameters if p.constexpr]
    tuned = [("tune", name) for name in kernel.tune if name not in ("num_warps", "num_stages")]
    given = [("triton", "constexpr", name) for name in kernel.constexpr]
    for path in (*given, *tuned):
        if (name := path[-1]) not in constants:
            where = place(*kernel.path, *path)
            message = f"`{function.name}` has no `tl.constexpr` parameter `{name}`"
            yield BAD_TRITON.at(where, message, did_you_mean(name, constants))
    known = [*op.tensors, *(f.name for f in fields if f.type in PASSED and not f.count)]
    for parameter in function.parameters:
        where = place_in(source, parameter.line, parameter.column, len(parameter.name))
        if parameter.constexpr:
            known_constants = (*kernel.constexpr, *kernel.tune)
            if parameter.name not in known_constants and not parameter.default:
                message = f"the spec gives no `{parameter.name}`"
                yield BAD_TRITON.at(where, message, f"add `constexpr.{parameter.name}`")
            continue
        yield from _argument(scope, kernel, parameter, known, where)
    taken = [p.name for p in function.parameters if not p.constexpr]
    whole = {f.name for f in fields if f.type in ("i32", "i64")}
    fitting = [name for name in taken if name in op.tensors or name in whole]
    for n, name in enumerate(kernel.by_triton.aligned if kernel.by_triton else ()):
        if name not in fitting:
            message = f"`{function.name}` takes no tensor and no integer `{name}`"
            where = place(*kernel.path, "triton", "aligned", n)
            yield BAD_TRITON.at(where, message, did_you_mean(name, fitting))
    for name in (*op.outputs, *op.residuals):
        if name not in taken:
            message = f"`{function.name}` does not take `{name}`, which nothing would write"
            yield BAD_TRITON.at(named, message, f"add a parameter `{name}`: its address")
    yield from _constants(place, scope, kernel)


def _argument(
    scope: Scope, kernel: KernelSpec, parameter: Parameter, known: list[str], where: Where
) -> Iterator[Diagnostic]:
    op, name = scope.spec, parameter.name
    if name not in known:
        message = f"`{name}` is no tensor and no field of the descriptor of `{op.name}`"
        yield BAD_TRITON.at(where, message, did_you_mean(name, known))
    elif name in op.tensors and op.tensors[name].list is not None:
        message = f"`{name}` is a list of tensors, which has no one address"
        yield BAD_TRITON.at(where, message, "write the kernel in C++, which gets the list")
    elif name in op.tensors and op.tensors[name].dtype.alone is None:
        message = f"the dtype of `{name}` goes by cases, and code is compiled for each dtype alone"
        yield BAD_TRITON.at(where, message, "name its dtype by a variable of `[dtypes]`")
    elif name in op.tensors:
        for dtype in _dtypes(scope, kernel, op.tensors[name]):
            if dtype not in DTYPES:
                message = f"`{name}` may be {dtype}, which Triton does not have"
                yield BAD_TRITON.at(where, message, f'require another: "T != {dtype}"')


def _constants(
    place: Callable[..., Where], scope: Scope, kernel: KernelSpec
) -> Iterator[Diagnostic]:
    """Yield errors for expressions in `grid` and `constexpr` that a launch cannot compute.

    A launch can read only the descriptor and the tensors.
    """
    fields = describe(scope).fields
    known = {*(f.name for f in fields if f.type in PASSED), *scope.spec.tensors}
    for n, extent in enumerate(kernel.grid if grid_is_tuned(kernel) else ()):
        names = names_in(over_fields(parse_expr(str(extent)), fields))
        unknown = [each for each in names if each not in {*known, *kernel.tune}]
        if unknown:
            message = (
                f"`{unknown[0]}` is in no field of the descriptor, which the grid of a kernel with "
                "`tune` follows from"
            )
            help = f"add a field: `descriptor.{unknown[0]}`"
            yield BAD_TRITON.at(place(*kernel.path, "grid", n), message, help)
    for name, text in kernel.constexpr.items():
        try:
            expr = over_fields(parse_expr(str(text)), fields)
        except ParseError:
            continue  # the check of expressions reports the error
        unknown = [each for each in names_in(expr) if each not in known]
        if isinstance(text, str) and unknown:
            message = (
                f"`{unknown[0]}` is in no field of the descriptor, by which constants are chosen"
            )
            help = f"add a field: `descriptor.{name}`"
            yield BAD_TRITON.at(place(*kernel.path, "triton", "constexpr", name), message, help)


def _dtypes(scope: Scope, kernel: KernelSpec, tensor: TensorSpec) -> tuple[str, ...]:
    """Return the dtypes of `tensor` that `kernel` may receive.

    A dtype is left out if a requirement of the op or kernel rejects it in every call.
    """
    variable = tensor.dtype.alone or ""
    conditions = [parse_expr(r.condition) for r in (*scope.spec.require, *kernel.require)]
    return tuple(
        dtype
        for dtype in scope.dtypes_of(tensor)
        if all(decide(condition, {variable: dtype}) is not False for condition in conditions)
    )
