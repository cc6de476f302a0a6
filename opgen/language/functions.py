"""The Python functions beside a spec: what a file defines, and those that compute sizes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SizeFunction:
    """A Python function that computes a size; `text` is all of `file`.

    Its parameters are names that a call knows once its inputs' sizes are learnt.
    """

    file: str
    name: str
    parameters: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"

    def __call__(self, values: Mapping[str, object]) -> object:
        """The size in a call whose names have `values`; an absent one is None."""
        module: dict[str, Any] = {"__name__": self.file.removesuffix(".py")}
        exec(compile(self.text, self.file, "exec"), module)
        return module[self.name](*map(values.get, self.parameters))


def functions_of(text: str) -> dict[str, tuple[str, ...]]:
    """The functions that a Python file defines, and their parameters.

    Raises what `ast.parse` does.
    """
    return {
        node.name: tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
