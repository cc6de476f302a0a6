"""Check the Python functions next to a spec: references, and functions that compute sizes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from pathlib import Path

from opgen.compiler.python_kernel_files import place_in
from opgen.ir.nodes import REQUIRED, Attr
from opgen.ir.parsed import attr_of, input_of
from opgen.ir.shape_inference import Length, Solve, Take, plan
from opgen.language.expr.syntax import as_expression
from opgen.language.python_functions import PythonFunction, SizeFunction, functions_in, python_file
from opgen.language.scope import DEVICE, Scope
from opgen.lint.sizes import Skeleton
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.frozen import dataclass
from opgen.source.parse_rules import BAD_REFERENCE
from opgen.source.source_file import SourceFile
from opgen.spec.extensions import frameworks
from opgen.spec.models.ops import OpSpec


@dataclass(frozen=True)
class Module:
    """A Python file, with the functions that it defines and its mistakes."""

    source: SourceFile
    functions: Mapping[str, PythonFunction] = field(default_factory=dict)
    problem: Diagnostic | None = None
    imports: tuple[Diagnostic, ...] = ()

    @classmethod
    def read(cls, folder: str | Path, file: str) -> Module:
        source = SourceFile.named(Path(folder), file)
        if source.problem is not None:
            return cls(source)
        try:
            functions = functions_in(source.text)
            return cls(source, functions, imports=tuple(_imports(source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return cls(source, problem=_not_python(source, error))


# A function that reads a file next to the spec.
Read = Callable[[str], Module]


def check_reference(
    where: Where, op: OpSpec, read: Read, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for the reference of an op. A file with a mistake is added to `sources`."""
    if op.reference is None:
        return
    missing = list(_checked(where, op.reference, read, sources))
    yield from missing
    if not missing:
        function = _function(op.reference, read)
        yield from _by_place(where, op, function)
        yield from _by_keyword(where, op, function)


def check_size_functions(
    place: Callable[..., Where], scope: Scope, read: Read, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for size functions that do not exist, or have unknown parameters."""
    known = _known_early(scope) if scope.functions else ()
    for dim, fn in scope.functions.items():
        where = place("dims", dim)
        missing = list(_checked(where, fn, read, sources))
        yield from missing
        if missing:
            continue
        function = _function(fn, read)
        for name in function.names_by_place:
            if name not in known:
                message = f"`{function.name}` asks for `{name}`, which is not known before it"
                help = did_you_mean(name, known) or f"known: {', '.join(known)}"
                yield BAD_REFERENCE.at(where, message, help)


def _function(named: str, read: Read) -> PythonFunction:
    file, _, function = named.partition(":")
    return read(file).functions[function]


def _checked(
    where: Where, named: str, read: Read, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for the function `named`, which must run with any array framework."""
    missing = list(check_function(where, named, read, sources))
    yield from missing
    module = read(named.partition(":")[0])
    if module.imports and not missing:
        sources[module.source.path] = module.source
        yield from module.imports


def check_function(
    where: Where, named: str, read: Read, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for the function `named` (`file.py:function`), if it cannot be used."""
    file, _, function = named.partition(":")
    module = read(file)
    if module.source.problem is not None:
        message = f"{file}: {module.source.problem.message}"
        help = f"write `{function}` in a file of that name next to the spec"
        yield BAD_REFERENCE.at(where, message, help)
    elif module.problem is not None:
        sources[module.source.path] = module.source
        yield module.problem
    elif function not in module.functions:
        message = f"{file} has no function `{function}`"
        yield BAD_REFERENCE.at(where, message, did_you_mean(function, module.functions))


def _not_python(source: SourceFile, error: Exception) -> Diagnostic:
    line = getattr(error, "lineno", None) or 1
    column = getattr(error, "offset", None) or 1
    where = place_in(source, line, column - 1, 0)
    return BAD_REFERENCE.at(where, f"the file is not Python: {error}")


def _imports(source: SourceFile) -> Iterator[Diagnostic]:
    """Yield findings for each framework that the file imports unconditionally."""
    body = python_file(source.text).body
    functions = (node for node in body if isinstance(node, ast.FunctionDef))
    for node in (*body, *(statement for each in functions for statement in each.body)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in names:
            # The function receives the array namespace as `xp`. So it must run if only one of
            # these frameworks is installed.
            if name.partition(".")[0] in frameworks():
                where = place_in(source, node.lineno, node.col_offset, 0)
                message = f"it imports {name}, and must run without it"
                help = "compute with `xp`, the first parameter; import it where `xp` is that one"
                yield BAD_REFERENCE.at(where, message, help)


def _by_place(where: Where, op: OpSpec, function: PythonFunction) -> Iterator[Diagnostic]:
    """Yield findings for a reference's positional parameters, which must be `xp` and the inputs."""
    taken, wanted = function.names_by_place, ("xp", *op.inputs)
    variadic = any(not name.startswith("**") for name in function.gathered)
    needed = [p.name for p in function.parameters if p.by_place and not p.default]
    call = f"it is called as {function.name}({', '.join((*wanted, *(f'{a}=' for a in op.attrs)))})"
    named = [name for name in taken if name in op.inputs]
    ordered = [name for name in op.inputs if name in named]
    given = f"`{function.name}` takes ({', '.join((*taken, *function.gathered))})"
    if taken[:1] != ("xp",) and not (variadic and not taken):
        yield BAD_REFERENCE.at(where, f"{given}: the first parameter is `xp`", call)
    elif named != ordered:
        message = f"`{function.name}` takes {', '.join(named)} in this order; the inputs are {', '.join(ordered)}"
        help = "inputs are passed by position: reorder its parameters, or set `inputs.order`"
        yield BAD_REFERENCE.at(where, message, help)
    elif len(taken) < len(wanted) and not variadic:
        message = f"{given}, and has no place for `{wanted[len(taken)]}`"
        yield BAD_REFERENCE.at(where, message, call)
    else:
        for name in needed[len(wanted) :]:
            if name not in op.attrs:
                message = f"{given}: `{name}` is neither an input nor an attr"
                yield BAD_REFERENCE.at(where, message, call)


def _by_keyword(where: Where, op: OpSpec, function: PythonFunction) -> Iterator[Diagnostic]:
    """Yield findings for a reference's keyword parameters, which must be the op's attrs."""
    if any(name.startswith("**") for name in function.gathered):
        return
    names = [p.name for p in function.parameters]
    for attr in op.attrs:
        if attr not in names:
            message = f"`{function.name}` lacks the attr `{attr}`"
            yield BAD_REFERENCE.at(
                where, message, f"add the parameter: {function.name}(..., *, {attr})"
            )
    computed = {n for n, dim in op.dims.items() if dim.fn is not None}
    for parameter in function.parameters:
        alone = not parameter.by_place and not parameter.default
        if alone and parameter.name not in op.attrs and parameter.name not in computed:
            message = f"`{function.name}` asks for `{parameter.name}`, which is no attr"
            yield BAD_REFERENCE.at(where, message, did_you_mean(parameter.name, op.attrs))


def _known_early(scope: Scope) -> tuple[str, ...]:
    """Return the names that a size function may have as parameters.

    opgen knows the values of these names before the function runs, at least in some calls.
    """
    spec = scope.spec
    sizes = (
        Attr(n, "int", REQUIRED, computed=SizeFunction(fn, "", (), ""))
        for n, fn in scope.functions.items()
    )
    dims = ((n, as_expression(d.value)) for n, d in spec.dims.items() if d.fn is None)
    inputs = tuple(map(input_of, spec.inputs.values()))
    attrs = (*sizes, *map(attr_of, spec.attrs.values()))
    steps = plan(Skeleton(inputs, attrs, tuple(dims), scope.decided))
    early = (s.name for s in steps.steps[: steps.early] if isinstance(s, Take | Solve | Length))
    given = (n for n, a in spec.attrs.items() if a.late_default is None)
    return tuple(dict.fromkeys((*early, *given, *DEVICE)))
