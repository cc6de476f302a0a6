"""What a project's specs need beside them: reference files, kernel sources, file names.

Checked when a project is rendered; `opgen lint` looks at the specs alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from opgen.diagnostics import Diagnostic, Where, did_you_mean, unique
from opgen.families import LikeError, origin, whole_op
from opgen.reading import BAD_FILE_NAME, BAD_REFERENCE, MISSING_SOURCE
from opgen.source import SourceFile
from opgen.spec import Spec

_FAMILY = re.compile(r"[a-z][a-z0-9_]*")


def check_files(
    specs: Mapping[str, Spec], kernels: Path, sources: dict[str, SourceFile]
) -> list[Diagnostic]:
    """What is missing or wrong; `kernels` is the folder of the kernels' sources.

    Reference files that hold a mistake are added to `sources`.
    """
    found = list(_file_names(specs))
    for file, spec in specs.items():
        for name in spec.ops:
            try:
                op = whole_op(spec.document, name)
            except LikeError:
                continue  # lint has said so
            place = partial(_place, file, spec.document, name)
            found += _reference(place("reference"), op.get("reference"), sources)
            found += _missing_sources(place, op.get("kernels"), kernels)
    return unique(found)


def _place(file: str, document: Mapping, op: str, *path: str | int) -> Where:
    return Where(file, origin(document, op, path))


def _file_names(specs: Mapping[str, Spec]) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for file in specs:
        family = Path(file).stem
        where = Where(file, absolute=True, start=0, end=0)
        if not _FAMILY.fullmatch(family):
            message = f"`{Path(file).name}` cannot name a family"
            help = "use lower-case letters, digits and `_`: rms_norm.toml"
            yield BAD_FILE_NAME.at(where, message, help)
        if first.setdefault(family, file) != file:
            message = f"the family `{family}` is also {first[family]}"
            yield BAD_FILE_NAME.at(where, message, "rename one of the files")


def _reference(
    where: Where, reference: object, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    if not isinstance(reference, str):
        return
    file, _, function = reference.partition(":")
    source = SourceFile.read(Path(where.file).parent / file)
    if source.problem is not None:
        message = f"the reference {file}: {source.problem.message}"
        yield BAD_REFERENCE.at(where, message)
        return
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        sources[source.path] = source
        line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1  # fmt: skip
        at = sum(len(text) + 1 for text in source.lines[: line - 1]) + column - 1
        place = Where(source.path, start=at, end=at, absolute=True)
        yield BAD_REFERENCE.at(place, f"the reference is not Python: {error}")
        return
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if function not in functions:
        message = f"{file} has no function `{function}`"
        yield BAD_REFERENCE.at(where, message, did_you_mean(function, functions))


def _missing_sources(
    place: Callable[..., Where], given: object, folder: Path
) -> Iterator[Diagnostic]:
    for platform, kernel in given.items() if isinstance(given, dict) else ():
        listed = kernel.get("sources", []) if isinstance(kernel, dict) else []
        for n, source in enumerate(listed):
            if not (folder / source).is_file():
                where = place("kernels", platform, "sources", n)
                message = f"there is no {source} in {folder.name}/"
                yield MISSING_SOURCE.at(where, message)
