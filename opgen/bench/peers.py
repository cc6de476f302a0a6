"""What ops are compared with, beside their references: a project's own table of peers.

A Python file, named by `peers` in `[tool.opgen.bench]`, with any of:

    def torch_peers(): ...      # {op: {name: function}}; called where PyTorch is measured
    def jax_peers(): ...        # the same for JAX
    def sizes(): ...            # {op: f(rows, columns) -> {dim or group: size}}

A peer takes what the op takes: tensors by position, every attr by keyword.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

Functions = Mapping[str, Callable[..., object]]

# What the op itself is called among its peers.
OWN = "opgen"


class PeersError(Exception):
    """A table of peers that cannot be used, in one sentence."""


@dataclass(frozen=True)
class Peers:
    """A project's table; all of it may be missing."""

    module: ModuleType | None = None
    path: Path = field(default=Path())

    def functions(self, framework: str, op: str) -> Functions:
        """The op's peers in a framework, by name. Raises `PeersError`."""
        found: Functions = self._table(f"{framework}_peers").get(op, {})
        return found

    def sizes(self, op: str) -> Callable[[int, int], Mapping[str, object]] | None:
        """The sizes of a call of so many rows and columns, where the project gives them."""
        return self._table("sizes").get(op)

    def _table(self, name: str) -> Mapping[str, Any]:
        function = getattr(self.module, name, None)
        if function is None:
            return {}
        table = function()
        if not isinstance(table, Mapping):
            raise PeersError(f"{self.path}: {name}() gives {type(table).__name__}, not a dict")
        return table


def load_peers(path: Path | None, ops: Mapping[str, object]) -> Peers:
    """The table in the file `path`; names of ops that do not exist are refused.

    Raises `PeersError`; what the file itself raises passes through.
    """
    if path is None:
        return Peers()
    if not path.is_file():
        raise PeersError(f"there is no {path}, which `[tool.opgen.bench]` names")
    spec = importlib.util.spec_from_file_location("opgen_bench_peers", path)
    if spec is None or spec.loader is None:
        raise PeersError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    peers = Peers(module, path)
    for op in peers._table("sizes"):
        if op not in ops:
            raise PeersError(f"{path}: sizes(): there is no op `{op}`")
    return peers
