"""The kinds of kernels that opgen does not compile from C++ sources, such as Triton.

One key of a kernel's table in the spec, such as `triton`, names the kernel's function. The package
in `opgen.targets` that defines this key also defines the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from opgen.ir.nodes import Code, Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.language.scope import Scope
from opgen.source.diagnostics import Diagnostic, Where
from opgen.source.parse_rules import ReadingRule
from opgen.source.source_file import SourceFile
from opgen.spec.extensions import extensions, imported
from opgen.spec.models.kernels import KernelSpec

# The keys of kernels that are compiled from sources.
COMPILED_KEYS = ("symbol", "dispatch", "index", "grid", "block", "scratch")


class Written(NamedTuple):
    """A kernel as written in a spec. `rows` has the combinations of dtypes for the variables
    `dispatch`.

    `read` takes a file name, and returns the text of the file.
    """

    scope: Scope
    kernel: KernelSpec
    dispatch: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    read: Callable[[str], str]


class Files(NamedTuple):
    """A kernel to check, and the folder with its files. `Kind.check` adds the text of each file
    with a finding to `sources`.
    """

    place: Callable[..., Where]
    scope: Scope
    kernel: KernelSpec
    folder: Path
    sources: dict[str, SourceFile]


class Kind:
    """A kind of kernel, such as Triton or Pallas.

    Each module that `Extension.kernels` lists has an object `KIND` of this class.
    """

    # The class of the kernels' code; None if they have no code.
    code: type[Code] | None = None
    # True if a kernel has separate code for each combination of dtypes; False if one function
    # serves all.
    dispatched = False
    # True if the launch grid may use tuned values.
    tunes_grid = False
    # The keys of a spec's kernel table that kernels of this kind must not have.
    excludes: tuple[str, ...] = ()
    # The lint rule that reports findings about the kernels' files.
    rule: ReadingRule | None = None

    def function(self, named: str) -> str:
        """Return the name of the kernel's function: the part of `named` after the last colon."""
        return named.rpartition(":")[2]

    def resolve(self, written: Written) -> Code | None:
        """Return the `Code` of a kernel, or None if this kind of kernel does not need one."""
        return None

    def requires(self, scope: Scope) -> Iterable[Expr]:
        """Return the conditions that every call of a kernel of this kind must meet."""
        return ()

    def sizes(self, op: Op, kernel: Kernel) -> Mapping[str, Expr]:
        """Return the size arguments that Python passes to the kernel: an expression for each name."""
        return {}

    def check(self, files: Files) -> Iterator[Diagnostic]:
        """Yield findings for the files of a kernel."""
        yield from ()


def kinds() -> Mapping[str, Kind]:
    """Return all kinds of kernels, by the key of a kernel's table in the spec, such as `triton`."""
    found = {key: _kind(key) for each in extensions().values() for key in each.kernels}
    return {key: kind for key, kind in found.items() if kind is not None}


def kind_of(kernel: KernelSpec | Kernel) -> Kind | None:
    """Return the kind of a kernel.

    Return None if the kernel is compiled from sources, or if its key `call` names a C function.
    """
    return _kind(kernel.kind) if kernel.kind else None


@cache
def _kind(key: str) -> Kind | None:
    """Import and return the kind of kernel for a key of the spec. The import is slow."""
    for name, extension in extensions().items():
        if key in extension.kernels:
            return cast("Kind", imported(extension.kernels[key], name).KIND)
    return None
