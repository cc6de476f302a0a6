"""Checks that a spec's Pallas functions exist, and take the spec's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from opgen.compiler.python_kernel_files import check_function, place_in
from opgen.ir.resolve_pallas import known_values
from opgen.language.python_functions import PythonFunction
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.parse_rules import BAD_PALLAS
from opgen.source.source_file import SourceFile


def check_pallas(
    place: Callable[..., Where], scope: Scope, kernels: Path, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for the Pallas kernels of an op; `kernels` is the folder of their files.

    Files that hold a mistake are added to `sources`.
    """
    for kernel in scope.spec.kernels:
        if kernel.pallas is not None:
            where, check = place(*kernel.path, "pallas"), partial(_function, scope)
            yield from check_function(where, kernel.pallas, BAD_PALLAS, check, kernels, sources)


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
