"""Check that the Pallas functions in a spec exist and accept the spec's arguments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opgen.compiler.python_kernel_files import check_function, place_in
from opgen.ir.kinds import Files
from opgen.language.python_functions import PythonFunction
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.source.parse_rules import ReadingRule
from opgen.source.source_file import SourceFile
from opgen.targets.tpu.resolve import known_values

BAD_PALLAS = ReadingRule(
    "OG035",
    "bad-pallas-kernel",
    """A kernel in Pallas that is not there, or whose parameters the spec does not give.

This rule reads the Python file that `pallas` names below the kernels folder, and looks for the
function in it. The file is not run. Each of its parameters
without a default is called like a tensor, to a block of which it gets a reference, or like an attr,
a dim or a group, whose value it gets. All outputs and residuals are among them.

Why: the call of the function is rendered from the spec: nobody looks at names when it is traced.

Example:

    kernels.tpu = { pallas = "norms/norms_pallas.py:rms_norm", blocks = { batch = 256 } }
    # beside def rms_norm(x, out, *, eps): ..., where the output is called y

How to fix: name parameters as the spec names tensors, attrs and sizes.
""",
)


def check(files: Files) -> Iterator[Diagnostic]:
    """Yield the errors in the Pallas function that a kernel names, such as a wrong parameter."""
    place, scope, kernel, folder, sources = files
    where, inspect = place(*kernel.path, "pallas"), partial(_function, scope)
    yield from check_function(where, kernel.named or "", BAD_PALLAS, inspect, folder, sources)


def _function(scope: Scope, source: SourceFile, function: PythonFunction) -> Iterator[Diagnostic]:
    op = scope.spec
    named = place_in(source, function.line, function.column, len(function.name))
    for decorator in function.decorators:
        message = (
            f"`{function.name}` is decorated with `{decorator}`, and is called by Pallas as it is"
        )
        yield BAD_PALLAS.at(named, message, "remove it: the call is rendered from the spec")
    for name in function.gathered:
        message = f"`{function.name}` takes `{name}`, and the spec gives arguments by name"
        yield BAD_PALLAS.at(named, message, "name each parameter")
    known = [*op.tensors, *known_values(scope)]
    for parameter in function.parameters:
        if parameter.name not in known and not parameter.default:
            where = place_in(source, parameter.line, parameter.column, len(parameter.name))
            message = f"`{parameter.name}` is no tensor, attr, dim or group of `{op.name}`"
            yield BAD_PALLAS.at(where, message, did_you_mean(parameter.name, known))
    taken = [parameter.name for parameter in function.parameters]
    for name in (*op.outputs, *op.residuals):
        if name not in taken:
            message = f"`{function.name}` does not take `{name}`, which nothing would write"
            yield BAD_PALLAS.at(
                named, message, f"add a parameter `{name}`: a reference to its block"
            )
