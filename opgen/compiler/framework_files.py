"""The framework files of a family: Python files such as `<family>_torch.py` next to the spec.

opgen finds these files by their names, and reads them without running them. The rendered package
contains a copy of each file, and exports the names in the file's `__all__`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

from opgen.compiler.discovery import framework_files_of
from opgen.compiler.python_kernel_files import place_in
from opgen.ir.project import FrameworkFile
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.frozen import dataclass
from opgen.source.parse_rules import BAD_FRAMEWORK_FILE
from opgen.source.source_file import SourceFile
from opgen.spec.extensions import extensions

RULE = BAD_FRAMEWORK_FILE
_FROM = re.compile(r"from[\s\\]+([\w.]+)")
# The errors that `ast.parse` raises.
UNPARSED = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Import:
    """A statement `from MODULE import NAMES`. `at` is the span of MODULE in the text."""

    module: str
    names: tuple[str, ...]
    at: tuple[int, int]
    line: int


@dataclass(frozen=True)
class Read:
    """The content of a framework file. The file's name determines `target` and `library`."""

    source: SourceFile
    name: str
    target: str
    library: str
    package: str

    @property
    def folder(self) -> str:
        """Return the folder of the rendered package that holds the copy of this file."""
        return "/".join(filter(None, (self.target, self.library)))

    @cached_property
    def starts(self) -> list[int]:
        """Return the offset of each line in the text."""
        return [0, *accumulate(len(line) + 1 for line in self.source.lines)]

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree of the file. Raises the same errors as `ast.parse`."""
        return ast.parse(self.source.text)

    @cached_property
    def all_imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Return all import statements of the file."""
        return [n for n in ast.walk(self.tree) if isinstance(n, ast.Import | ast.ImportFrom)]

    @cached_property
    def own_imports(self) -> tuple[Import, ...]:
        """Return the statements that import from the rendered package to which the file belongs."""
        nodes = (node for node in self.all_imports if isinstance(node, ast.ImportFrom))
        return tuple(
            Import(
                str(node.module), tuple(a.name for a in node.names), self._module(node), node.lineno
            )
            for node in nodes
            if not node.level and _below(str(node.module), self.package)
        )

    @property
    def offered(self) -> ast.expr | None:
        """Return the expression that the file assigns to `__all__`; None if it assigns none."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and any(map(_is_all, node.targets)):
                return node.value
            if isinstance(node, ast.AnnAssign) and _is_all(node.target):
                return node.value
        return None

    @property
    def offers(self) -> tuple[str, ...]:
        """Return the names in `__all__`; () if its value is not a list or tuple of strings."""
        return tuple(map(str, _strings(self.offered) or ()))

    def copy(self) -> FrameworkFile:
        """Return the copy of this file for the rendered package.

        In the copy, imports from the package are relative, so that users can rename the package.
        """
        here = (*self.package.split("."), *self.folder.split("/"))
        pieces, done = [], 0
        for each in sorted(self.own_imports, key=lambda each: each.at):
            start, end = each.at
            pieces += [self.source.text[done:start], _relative(here, each.module.split("."))]
            done = end
        text = "".join([*pieces, self.source.text[done:]])
        imports = tuple(name for each in self.own_imports for name in each.names)
        return FrameworkFile(self.name, self.target, self.library, text, imports, self.offers)

    def _module(self, node: ast.ImportFrom) -> tuple[int, int]:
        """Return the start and end, in the text, of the module name of an import."""
        line = self.source.lines[node.lineno - 1].encode()
        start = self.starts[node.lineno - 1] + len(line[: node.col_offset].decode())
        found = _FROM.match(self.source.text, start)
        return found.span(1) if found else (start, start)


def read(spec: str | Path, package: str) -> Iterator[Read]:
    """Yield the framework files of a spec; `package` is the name of the rendered package."""
    for name, target, library in framework_files_of(spec):
        source = SourceFile.named(Path(spec).parent, name)
        yield Read(source, name, target, library, package)


def copies(spec: str | Path, package: str) -> Iterator[FrameworkFile]:
    """Yield the copies of a spec's framework files, except files that are not valid Python."""
    for file in read(spec, package):
        with suppress(*UNPARSED):
            yield file.copy()


def imported(spec: str | Path, package: str) -> Iterator[str]:
    """Yield the names of ops that the framework files of a spec import from the package."""
    for file in copies(spec, package):
        own = extensions()[file.target].offers
        yield from (name for name in file.imports if name not in own)


# -- checks --------------------------------------------------------------------------------


def check_framework_files(
    specs: Iterable[str], package: str, ops: Iterable[str], sources: dict[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield findings for the framework files of `specs`; `ops` are all ops of the project.

    Files with a finding are added to `sources`.
    """
    ops = dict.fromkeys(ops)
    taken: dict[tuple[str, str], str] = {}
    for spec in specs:
        for file in read(spec, package):
            found = list(_check(file, ops, taken))
            if found:
                sources[file.source.path] = file.source
            yield from found


def _check(
    file: Read, ops: Mapping[str, None], taken: dict[tuple[str, str], str]
) -> Iterator[Diagnostic]:
    if file.source.problem is not None:
        yield RULE.at(file.source.problem.where, file.source.problem.message)
        return
    try:
        found = file.tree
    except UNPARSED as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        where = place_in(file.source, line, column - 1, 0)
        yield RULE.at(where, f"the file is not Python: {error}")
        return
    module = file.name.removesuffix(".py")
    for name in {module if not file.library else file.library} & ops.keys():
        message = f"the op `{name}` has the name of a module that this file makes"
        yield RULE.at(_line(file, 1), message, "rename the op")
    yield from _imports(file, ops)
    yield from _offers(file, found, ops, taken)


def _line(file: Read, line: int) -> Where:
    start, end = file.starts[line - 1 : line + 1]
    return Where(file.source.path, start=start, end=end - 1, absolute=True)


def _imports(file: Read, ops: Mapping[str, None]) -> Iterator[Diagnostic]:
    for node in file.all_imports:
        if isinstance(node, ast.ImportFrom) and node.level:
            help = f"write `from {file.package}.{file.target} import ...`"
            yield RULE.at(_line(file, node.lineno), "a relative import leads elsewhere here", help)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _below(alias.name, file.package):
                    message = f"`import {alias.name}` names the package as it is called now"
                    help = f"write `from {alias.name} import ...`: the copy has it relatively"
                    yield RULE.at(_line(file, node.lineno), message, help)
    offered = extensions()[file.target].offers
    for each in file.own_imports:
        for name in each.names if each.module == f"{file.package}.{file.target}" else ():
            where = _line(file, each.line)
            if name in offered and (taken := next((n for n in offered if n in ops), "")):
                message = f"`{taken}` is an op of this project, and a function of the package"
                yield RULE.at(where, message, "rename the op")
            elif name not in ops and name not in offered:
                help = did_you_mean(name, [*ops, *offered])
                yield RULE.at(where, f"`{each.module}` has no `{name}`", help)


def _offers(
    file: Read, tree: ast.Module, ops: Mapping[str, None], taken: dict[tuple[str, str], str]
) -> Iterator[Diagnostic]:
    value = file.offered
    if value is None:
        help = 'write `__all__ = ["Name"]`, or `__all__ = []`'
        yield RULE.at(_line(file, 1), "it does not say what the package offers of it", help)
        return
    where = _line(file, value.lineno)
    if _strings(value) is None:
        yield RULE.at(where, "`__all__` is a list of names", 'write it as `["Name"]`')
        return
    defined = set(_defined(tree))
    for name in file.offers:
        other = taken.setdefault((file.folder, name), file.name)
        if name in ops and not file.library:
            yield RULE.at(where, f"`{name}` is an op of this project", "choose another name")
        elif name in extensions()[file.target].offers and not file.library:
            yield RULE.at(where, f"`{name}` is opgen's own in a package", "choose another name")
        elif other != file.name:
            yield RULE.at(where, f"{other} offers a `{name}` too", "rename one of them")
        elif name not in defined:
            yield RULE.at(where, f"it defines no `{name}`", did_you_mean(name, defined))


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file defines, imports or assigns at its top level or in an `if`."""
    below: list[ast.stmt] = [*tree.body]
    while below:
        node = below.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            below += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
        else:
            stored = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            yield from (name.id for name in stored if isinstance(name.ctx, ast.Store))


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"


def _strings(value: ast.expr | None) -> list[str] | None:
    """Return the strings of a list or tuple expression; None for any other expression."""
    if not isinstance(value, ast.List | ast.Tuple):
        return None
    found = [e.value for e in value.elts if isinstance(e, ast.Constant) and type(e.value) is str]
    return found if len(found) == len(value.elts) else None


def _below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _relative(here: Iterable[str], to: list[str]) -> str:
    """Return the module name `to` as a relative import from the package `here`."""
    above = [*here]
    common = len(os.path.commonprefix([above, to]))
    return "." * (len(above) - common + 1) + ".".join(to[common:])
