"""Check that the files of Python kernels exist and define the named functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from opgen.compiler.discovery import shown
from opgen.compiler.project_sources import kernel_file
from opgen.language.python_functions import PythonFunction, functions_in
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.inside import Outside
from opgen.source.parse_rules import ReadingRule
from opgen.source.source_file import SourceFile

Check = Callable[[SourceFile, PythonFunction], Iterator[Diagnostic]]


def check_function(
    where: Where,
    named: str,
    rule: ReadingRule,
    check: Check,
    kernels: Path,
    sources: dict[str, SourceFile],
) -> Iterator[Diagnostic]:
    """Yield findings for the kernel `named` (`folder/file.py:function`) in the folder `kernels`.

    `check` finds mistakes in the function itself. Files with a mistake are added to `sources`.
    """
    file, _, name = named.partition(":")
    try:
        source = SourceFile.read(shown(kernel_file(kernels, Path(where.file).parent, file)))
    except Outside as error:
        yield rule.at(where, f"{kernels.name}/{file}: {error}")
        return
    if source.problem is not None:
        yield rule.at(where, f"{kernels.name}/{file}: {source.problem.message}")
        return
    try:
        functions = functions_in(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        sources[source.path] = source
        line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
        yield rule.at(place_in(source, line, column - 1, 1), f"the file is not Python: {error}")
        return
    if name not in functions:
        message = f"{file} has no function `{name}`"
        yield rule.at(where, message, did_you_mean(name, functions))
        return
    found = list(check(source, functions[name]))
    if any(each.where.file == source.path for each in found):
        sources[source.path] = source
    yield from found


def place_in(source: SourceFile, line: int, column: int, length: int) -> Where:
    """Return a location in a file. Lines count from 1, columns from 0."""
    start = sum(len(text) + 1 for text in source.lines[: line - 1]) + column
    return Where(source.path, start=start, end=start + length, absolute=True)
