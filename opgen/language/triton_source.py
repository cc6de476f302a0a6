"""Triton as it is written: its dtypes, and the functions of a file, which is not imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

# What Triton calls dtypes; it has no others.
DTYPES = {
    "bf16": "bf16",
    "f16": "fp16",
    "f32": "fp32",
    "f64": "fp64",
    "i8": "i8",
    "i16": "i16",
    "i32": "i32",
    "i64": "i64",
    "u8": "u8",
    "u16": "u16",
    "u32": "u32",
    "u64": "u64",
    "bool": "i1",
    "f8e4m3": "fp8e4nv",
    "f8e5m2": "fp8e5",
}
# What fields of a descriptor are to Triton, and in C++: as Triton has it, a float has 32 bits.
PASSED = {
    "i32": ("i32", "int32_t"),
    "i64": ("i64", "int64_t"),
    "f32": ("fp32", "float"),
    "f64": ("fp32", "float"),
    "bool": ("i1", "bool"),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, and where it is written: line from 1, column from 0."""

    name: str
    constexpr: bool
    default: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class TritonFunction:
    """A function: `decorators` are the last names of what it is decorated with.

    `gathered`: its parameters `*args` and `**kwargs`, as they are written.
    """

    name: str
    parameters: tuple[Parameter, ...]
    gathered: tuple[str, ...]
    decorators: tuple[str, ...]
    line: int
    column: int


def functions_in(text: str) -> dict[str, TritonFunction]:
    """The functions that a Python file defines. Raises what `ast.parse` does."""
    return {
        node.name: TritonFunction(
            node.name,
            tuple(_parameters(node.args)),
            tuple(_gathered(node.args)),
            tuple(map(_decorator, node.decorator_list)),
            node.lineno,
            node.col_offset + len("def "),
        )
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


def _parameters(args: ast.arguments) -> Iterator[Parameter]:
    by_place = (*args.posonlyargs, *args.args)
    first = len(by_place) - len(args.defaults)
    defaults = [n >= first for n in range(len(by_place))]
    defaults += [default is not None for default in args.kw_defaults]
    for arg, default in zip((*by_place, *args.kwonlyargs), defaults):
        written = ast.unparse(arg.annotation) if arg.annotation else ""
        constexpr = written.strip("'\"").rpartition(".")[2] == "constexpr"
        yield Parameter(arg.arg, constexpr, default, arg.lineno, arg.col_offset)


def _gathered(args: ast.arguments) -> Iterator[str]:
    yield from [f"*{args.vararg.arg}"] if args.vararg else []
    yield from [f"**{args.kwarg.arg}"] if args.kwarg else []


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]
