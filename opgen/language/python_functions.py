"""Python functions next to a spec: kernels and references, found without an import, and sizes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a Python function, with its location: line from 1, column from 0.

    If `by_place` is set, a caller may pass the parameter by position. `constexpr` is set if the
    annotation of the parameter is `constexpr`, as for Triton's constants.
    """

    name: str
    by_place: bool
    constexpr: bool
    default: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class PythonFunction:
    """A function in a Python file. `decorators` are the last parts of its decorators' names.

    `gathered` lists its parameters `*args` and `**kwargs`, as written.
    """

    name: str
    parameters: tuple[Parameter, ...]
    gathered: tuple[str, ...]
    decorators: tuple[str, ...]
    line: int
    column: int

    @property
    def names_by_place(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters if p.by_place)


@dataclass(frozen=True, slots=True)
class SizeFunction:
    """A Python function that computes a size. `text` is the content of `file`.

    Its parameters are names whose values are known once a call has bound the sizes of its inputs.
    """

    file: str
    name: str
    parameters: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"

    def __call__(self, values: Mapping[str, object]) -> object:
        """Compute the size for a call. `values` maps names to values; an absent value is None."""
        module: dict[str, Any] = {"__name__": self.file.removesuffix(".py")}
        exec(compile(self.text, self.file, "exec"), module)
        return module[self.name](*map(values.get, self.parameters))


@lru_cache(maxsize=8)
def python_file(text: str) -> ast.Module:
    """Parse a Python file, once for all callers. Raises the same errors as `ast.parse`."""
    return ast.parse(text)


def functions_in(text: str) -> dict[str, PythonFunction]:
    """Return the functions that a Python file defines. Raises the same errors as `ast.parse`."""
    return {
        node.name: PythonFunction(
            node.name,
            tuple(_parameters(node.args)),
            tuple(_gathered(node.args)),
            tuple(map(_decorator, node.decorator_list)),
            node.lineno,
            node.col_offset + len("def "),
        )
        for node in python_file(text).body
        if isinstance(node, ast.FunctionDef)
    }


def _parameters(args: ast.arguments) -> Iterator[Parameter]:
    by_place = (*args.posonlyargs, *args.args)
    first = len(by_place) - len(args.defaults)
    defaults = [n >= first for n in range(len(by_place))]
    defaults += [default is not None for default in args.kw_defaults]
    for n, (arg, default) in enumerate(zip((*by_place, *args.kwonlyargs), defaults)):
        written = ast.unparse(arg.annotation) if arg.annotation else ""
        constexpr = written.strip("'\"").rpartition(".")[2] == "constexpr"
        yield Parameter(arg.arg, n < len(by_place), constexpr, default, arg.lineno, arg.col_offset)


def _gathered(args: ast.arguments) -> Iterator[str]:
    yield from [f"*{args.vararg.arg}"] if args.vararg else []
    yield from [f"**{args.kwarg.arg}"] if args.kwarg else []


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]
