"""Check the project files that specs name: references, kernel sources and file names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from opgen.compiler.discovery import family_of
from opgen.compiler.framework_files import check_framework_files
from opgen.compiler.python_kernel_files import check_function as check_kernel
from opgen.compiler.reference_checks import (
    Module,
    check_reference,
    check_size_functions,
)
from opgen.ir.kinds import Files, kind_of
from opgen.language.scope import scope_of
from opgen.source.diagnostics import Diagnostic, Where, unique
from opgen.source.parse_rules import BAD_FILE_NAME, MISSING_SOURCE
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.extensions import platforms
from opgen.spec.models.ops import OpSpec
from opgen.spec.spec import Spec

_FAMILY = re.compile(r"[a-z][a-z0-9_]*")
# opgen renders a C++ header named after each family. The header must not hide a system header.
_SYSTEM_HEADERS = frozenset(
    "alloca assert complex ctype dirent dlfcn endian errno fcntl features fenv float"
    " inttypes libgen limits locale malloc math memory netdb poll pthread pwd regex sched"
    " search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint"
    " stdio stdlib string strings syslog termios tgmath threads time uchar ulimit unistd"
    " utime values wait wchar wctype".split()
)


def check_files(
    specs: Mapping[str, Spec],
    config: Config,
    sources: dict[str, SourceFile],
    elsewhere: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """Return findings for missing or wrong files of `specs`.

    `elsewhere` names the ops in other specs. Python files with a mistake are added to `sources`.
    """
    kernels = config.kernels_dir
    found = list(_file_names(specs))
    read_from = cache(Module.read)  # several ops may share a file
    for path, spec in specs.items():
        read = partial(read_from, os.path.dirname(path))
        for name, op in spec.ops.items():
            place = partial(spec.place, name)
            found += check_reference(place("reference"), op, read, sources)
            if name not in spec.broken:
                scope = scope_of(op)
                found += check_size_functions(place, scope, read, sources)
                for kernel in op.kernels:
                    if (kind := kind_of(kernel)) is not None:
                        found += kind.check(Files(place, scope, kernel, kernels, sources))
                found += _named_files(place, op, kernels, sources)
    ops = [*elsewhere, *(name for spec in specs.values() for name in spec.ops)]
    found += check_framework_files(specs, config.package, ops, sources)
    return unique(found)


def _file_names(specs: Mapping[str, Spec]) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for file in specs:
        family = family_of(file)
        where = Where(file, absolute=True, start=0, end=0)
        if not _FAMILY.fullmatch(family):
            message = f"`{os.path.basename(file)}` cannot name a family"
            help = "use lower-case letters, digits and `_`: rms_norm.toml"
            yield BAD_FILE_NAME.at(where, message, help)
        if family in _SYSTEM_HEADERS:
            message = f"{family}.h is a header of the C library, and of this family"
            yield BAD_FILE_NAME.at(where, message, f"choose another name: {family}_ops")
        if first.setdefault(family, file) != file:
            message = f"the family `{family}` is also {first[family]}"
            yield BAD_FILE_NAME.at(where, message, "rename one of the files")


def _named_files(
    place: Callable[..., Where], op: OpSpec, folder: Path, sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for files of Python kernels without a kernel kind, such as Triton."""
    for kernel in op.kernels:
        key = platforms()[kernel.platform].function
        named = kernel.options[key] or ""
        if ".py:" in named and kind_of(kernel) is None:
            where = place(*kernel.path, key)
            yield from check_kernel(
                where, named, MISSING_SOURCE, lambda *_: iter(()), folder, sources
            )
