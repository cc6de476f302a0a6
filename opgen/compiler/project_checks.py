"""What a project's specs need beside them: reference files, kernel sources, file names.

Checked when a project is rendered; `opgen lint` looks at the specs alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from opgen.compiler.cute_checks import check_cute
from opgen.compiler.pallas_checks import check_pallas
from opgen.compiler.triton_checks import check_triton
from opgen.ir.inputs import attr_of, input_of
from opgen.ir.nodes import REQUIRED, Attr
from opgen.ir.shape_inference import Length, Solve, Take, plan
from opgen.language.expr.cases import as_expression
from opgen.language.functions import SizeFunction, functions_of
from opgen.language.scope import DEVICE, Scope
from opgen.lint.sizes import Skeleton
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean, unique
from opgen.source.parse_rules import BAD_FILE_NAME, BAD_REFERENCE, MISSING_SOURCE
from opgen.source.source_file import SourceFile
from opgen.spec.op import OpSpec
from opgen.spec.spec import Spec

_FAMILY = re.compile(r"[a-z][a-z0-9_]*")
# A family has a header of its name, which would hide the system's.
_SYSTEM_HEADERS = frozenset(
    "alloca assert complex ctype dirent dlfcn endian errno fcntl features fenv float"
    " inttypes libgen limits locale malloc math memory netdb poll pthread pwd regex sched"
    " search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint"
    " stdio stdlib string strings syslog termios tgmath threads time uchar ulimit unistd"
    " utime values wait wchar wctype".split()
)


def check_files(
    specs: Mapping[str, Spec], kernels: Path, sources: dict[str, SourceFile]
) -> list[Diagnostic]:
    """What is missing or wrong; `kernels` is the folder of the kernels' sources.

    Reference files that hold a mistake are added to `sources`.
    """
    found = list(_file_names(specs))
    read = cache(_Module.read)  # several ops share a file
    for spec in specs.values():
        for name, op in spec.ops.items():
            place = partial(spec.place, name)
            found += _reference(place("reference"), op.reference, read, sources)
            found += _parameters(place("reference"), op, read)
            found += _missing_sources(place, op, kernels)
            if name not in spec.broken:
                scope = Scope(op)
                found += _size_functions(place, scope, read, sources)
                found += check_triton(place, scope, kernels, sources)
                found += check_cute(place, scope, kernels)
                found += check_pallas(place, scope, kernels, sources)
    return unique(found)


def _file_names(specs: Mapping[str, Spec]) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for file in specs:
        family = Path(file).stem
        where = Where(file, absolute=True, start=0, end=0)
        if not _FAMILY.fullmatch(family):
            message = f"`{Path(file).name}` cannot name a family"
            help = "use lower-case letters, digits and `_`: rms_norm.toml"
            yield BAD_FILE_NAME.at(where, message, help)
        if family in _SYSTEM_HEADERS:
            message = f"{family}.h is a header of the C library, and of this family"
            yield BAD_FILE_NAME.at(where, message, f"choose another name: {family}_ops")
        if first.setdefault(family, file) != file:
            message = f"the family `{family}` is also {first[family]}"
            yield BAD_FILE_NAME.at(where, message, "rename one of the files")


@dataclass(frozen=True)
class _Module:
    """A Python file: the functions that it defines, or why it cannot be read."""

    source: SourceFile
    functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problem: Diagnostic | None = None

    @classmethod
    def read(cls, path: Path) -> _Module:
        source = SourceFile.read(path)
        if source.problem is not None:
            return cls(source)
        try:
            return cls(source, functions_of(source.text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return cls(source, problem=_not_python(source, error))


def _not_python(source: SourceFile, error: Exception) -> Diagnostic:
    line = getattr(error, "lineno", None) or 1
    column = getattr(error, "offset", None) or 1
    at = sum(len(text) + 1 for text in source.lines[: line - 1]) + column - 1
    where = Where(source.path, start=at, end=at, absolute=True)
    return BAD_REFERENCE.at(where, f"the file is not Python: {error}")


def _reference(
    where: Where,
    reference: str | None,
    read: Callable[[Path], _Module],
    sources: dict[str, SourceFile],
) -> Iterator[Diagnostic]:
    if reference is None:
        return
    file, _, function = reference.partition(":")
    module = read(Path(where.file).parent / file)
    if module.source.problem is not None:
        message = f"the reference {file}: {module.source.problem.message}"
        yield BAD_REFERENCE.at(where, message)
    elif module.problem is not None:
        sources[module.source.path] = module.source
        yield module.problem
    elif function not in module.functions:
        message = f"{file} has no function `{function}`"
        help = did_you_mean(function, module.functions)
        yield BAD_REFERENCE.at(where, message, help)


def _parameters(where: Where, op: OpSpec, read: Callable[[Path], _Module]) -> Iterator[Diagnostic]:
    """A finding where a reference, which gets inputs by position, names them in another order."""
    file, _, function = (op.reference or "").partition(":")
    functions = read(Path(where.file).parent / file).functions if op.reference else {}
    named = [name for name in functions.get(function, ()) if name in op.inputs]
    wanted = [name for name in op.inputs if name in named]
    if named != wanted:
        message = f"`{function}` takes {', '.join(named)} in this order; the inputs are {', '.join(wanted)}"
        help = "inputs are passed by position: reorder its parameters, or set `inputs.order`"
        yield BAD_REFERENCE.at(where, message, help)


def _size_functions(
    place: Callable[..., Where],
    scope: Scope,
    read: Callable[[Path], _Module],
    sources: dict[str, SourceFile],
) -> Iterator[Diagnostic]:
    """Findings for the functions that compute sizes: they are there, and know what they ask for."""
    known = _known_early(scope) if scope.functions else ()
    for dim, fn in scope.functions.items():
        where = place("dims", dim, "fn")
        found = list(_reference(where, fn, read, sources))
        yield from found
        if found:
            continue
        file, _, function = fn.partition(":")
        for name in read(Path(where.file).parent / file).functions[function]:
            if name not in known:
                message = f"`{function}` asks for `{name}`, which is not known before it"
                help = did_you_mean(name, known) or f"known: {', '.join(known)}"
                yield BAD_REFERENCE.at(where, message, help)


def _known_early(scope: Scope) -> tuple[str, ...]:
    """The names that some call knows before a function has computed a size."""
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


def _missing_sources(place: Callable[..., Where], op: OpSpec, folder: Path) -> Iterator[Diagnostic]:
    for kernel in op.kernels:
        for n, source in enumerate(kernel.sources or ()):
            if not (folder / source).is_file():
                where = place(*kernel.path, "sources", n)
                message = f"there is no {source} in {folder.name}/"
                yield MISSING_SOURCE.at(where, message)
