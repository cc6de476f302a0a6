"""Go to definition: from a name in a spec to the function, op or declaration that it refers to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from opgen.compiler.project_sources import kernel_file, kernel_sources
from opgen.compiler.reference_checks import Module
from opgen.lint.op_context import OpContext
from opgen.lsp.cursor import Cursor
from opgen.source.diagnostics import Where
from opgen.source.inside import Outside, inside
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.keys import types_at
from opgen.spec.models.strings import Function, OpName, PythonFile
from opgen.spec.tables import TENSOR_TABLES


class Target(NamedTuple):
    """The location of a definition: the characters `start` to `end` of a file."""

    source: SourceFile
    start: int
    end: int


def definitions(
    cursor: Cursor, config: Config, find_op: Callable[[str], Target | None]
) -> Iterator[Target]:
    """Yield the definitions of the name at the cursor. `find_op` finds an op by its name."""
    types, op = types_at(cursor.path), cursor.op
    folder = Path(cursor.source.path).parent
    if cursor.part == "value" and (Function in types or PythonFile in types):
        file, _, function = cursor.text.strip("\"'").partition(":")
        if PythonFile in types:
            try:
                found = kernel_file(config.kernels_dir, folder, file)
            except Outside:
                return
            folder, file = found.parent, found.name
        yield from _python(folder, file, function)
    elif op is not None and "kernels" in cursor.path[2:3] and len(cursor.path) > 3:
        yield from _kernels(cursor, op, config)
    elif OpName in types and (target := find_op(cursor.word)):
        yield target
    elif op is not None and (where := _declaration(op, cursor.word)):
        yield Target(cursor.source, *cursor.source.resolve(where))


def _python(folder: Path, file: str, name: str) -> Iterator[Target]:
    module = Module.read(folder, file)
    if function := module.functions.get(name):
        start = module.source.line_starts[function.line - 1] + function.column
        yield Target(module.source, start, start + len(name))


def _kernels(cursor: Cursor, op: OpContext, config: Config) -> Iterator[Target]:
    """Yield the kernel functions that the key or value at the cursor describes."""
    family = Path(cursor.source.path).stem
    here = cursor.path[2:]
    for kernel in op.spec.kernels:
        if here[: len(kernel.path)] != kernel.path and kernel.path[: len(here)] != here:
            continue
        own = kernel_sources(config.kernels_dir, family).get(kernel.platform, ())
        for name in own:
            source = SourceFile.read(inside(config.kernels_dir, name))
            for symbol in [*kernel.symbol.values()] or [op.name]:
                if found := re.search(rf"\b{symbol}\b(?=\s*(?:<[^;{{]*>)?\s*\()", source.text):
                    yield Target(source, *found.span())


def _declaration(op: OpContext, name: str) -> Where | None:
    """Return the location that declares the tensor, attr, dim or dtype variable `name`, or None."""
    for table in (*TENSOR_TABLES, "attrs", "dims", "let"):
        if name in getattr(op.spec, table):
            return op.at((table, name), "key")
    if name in op.spec.own_dtypes:
        return op.at(("dtypes", name), "key")
    if name in op.spec.dtypes:
        return Where(op.file, ("dtypes", name), "key")
    try:
        return op.first_use(name) if name in op.scope.bound else None
    except SyntaxError:  # an earlier shape is invalid
        return None
