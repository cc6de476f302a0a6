"""The peers of a project: functions that its ops are compared with.

They are in the Python file that `peers` in `[tool.opgen.bench]` names. Each of these functions is
optional:

    def torch_peers(): ...      # {op: {name: function}}; called where PyTorch is measured
    def jax_peers(): ...        # the same for JAX
    def sizes(): ...            # {op: f(rows, columns) -> {dim, group or attr: value}, or {call: f}}
    def inputs(): ...           # {op: f(*inputs) -> inputs}

A function in `sizes` converts a number of rows and columns to sizes and attrs of the op. An op that
can be called in several ways has one such function for each kind of call. A peer must accept the
op's arguments: tensors by position, and every attr by keyword.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import ModuleType
from typing import Any

from opgen.bench.errors import BenchError
from opgen.source.frozen import dataclass

Functions = Mapping[str, Callable[..., object]]
Sizes = Callable[[int, int], Mapping[str, object]]
Inputs = Callable[..., Sequence[Any]]

# The name of the op itself among its peers.
OWN = "opgen"


@dataclass(frozen=True)
class Peers:
    """A project's table of peers. Each part of the table may be missing."""

    module: ModuleType | None = None
    path: Path = field(default=Path())

    def functions(self, framework: str, op: str) -> Functions:
        """Return the op's peers in a framework, by name. Raises `BenchError` if one is invalid."""
        found: Functions = self._table(f"{framework}_peers").get(op, {})
        return found

    def sizes(self, op: str) -> Mapping[str, Sizes]:
        """Return a mapping from each kind of call to its function of rows and columns."""
        found = self._table("sizes").get(op, {})
        return found if isinstance(found, Mapping) else {"": found}

    def inputs(self, op: str) -> Inputs:
        """Return the function that makes an op's random inputs realistic."""
        found: Inputs = self._table("inputs").get(op, lambda *drawn: drawn)
        return found

    def _table(self, name: str) -> Mapping[str, Any]:
        function = getattr(self.module, name, None)
        if function is None:
            return {}
        table = function()
        if not isinstance(table, Mapping):
            raise BenchError(f"{self.path}: {name}() gives {type(table).__name__}, not a dict")
        return table


def load_peers(path: Path | None, ops: Mapping[str, object]) -> Peers:
    """Load the table in the file `path`.

    Raises `BenchError` if the table is invalid or names an op that is not in `ops`. Errors that the
    file itself raises are not caught.
    """
    if path is None:
        return Peers()
    if not path.is_file():
        raise BenchError(f"there is no {path}, which `[tool.opgen.bench]` names")
    spec = importlib.util.spec_from_file_location("opgen_bench_peers", path)
    if spec is None or spec.loader is None:
        raise BenchError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    peers = Peers(module, path)
    for table in ("sizes", "inputs"):
        for op in peers._table(table):
            if op not in ops:
                raise BenchError(f"{path}: {table}(): there is no op `{op}`")
    return peers
