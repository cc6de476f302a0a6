"""The op under test: its IR, and the rendered package it lives in."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from opgen.ir.gradients import kept_only
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.bundles import function_of
from opgen.testing.apart import refuse_crashed
from opgen.testing.environment import Case, differentiable


@dataclass(frozen=True)
class OpUnderTest:
    """An op and the package that was rendered for it; `kernel` names one of its list for the CPU.

    `library` holds the kernel instead of the package's, and `caller` runs it elsewhere than in this
    process (`hostile/poisoned_call.py`).
    """

    op: Op
    project: Project
    kernel: str | None = None
    library: Any = None
    caller: Any = None

    @property
    def name(self) -> str:
        return self.op.name

    def module(self, part: str) -> ModuleType:
        """`<package>.<part>`, for example `generated.torch`."""
        return importlib.import_module(f"{self.project.package}.{part}")

    @cached_property
    def core(self) -> Any:
        """The framework-free wrapper of the op."""
        return getattr(self.module("core"), self.name)

    def wrapper(self, framework: str) -> Any:
        """The function that users call, or to which their bundles are passed tensor by tensor.

        `framework` is `torch` or `jax`.
        """
        refuse_crashed(self.project.package, self.name)
        return getattr(self.module(f"{framework}._{self.name}"), function_of(self.op))

    def peer(self, name: str) -> OpUnderTest:
        """Another op of the same package: a backward, say."""
        return OpUnderTest(self.project.op(name), self.project)

    def differentiable(self, case: Case) -> bool:
        """True if rules give the gradient of this call."""
        rules = all(grad.kind == "rules" for grad in self.op.grad.values())
        return rules and differentiable(self.op, case)

    @property
    def forward_mode(self) -> bool:
        """True if its results certainly get tangents: from a reference that may read all inputs."""
        kept = kept_only(self.project.ops, self.op)
        return self.op.reference is not None and not any(
            t.name in kept and t.floating for t in self.op.inputs
        )

    @cached_property
    def reference(self) -> Any:
        """The reference function, or None: a backward has its forward's autodiff instead."""
        if self.op.reference is None:
            return None
        file, _, function = self.op.reference.partition(":")
        module = self.module(f"reference.{Path(file).stem}")
        return getattr(module, function)

    def results_of(self, given: object) -> tuple[Any, ...]:
        """The results in what a reference gives: residuals may follow them."""
        given = given if isinstance(given, tuple) else (given,)
        return given[: len(self.op.results)]

    def filled(self, results: Sequence[Any]) -> list[Any]:
        """The results, of those with a `length` as much as that says: what follows is anything."""
        given = dict(zip((tensor.name for tensor in self.op.results), results))
        return [
            y[: int(given[t.length])] if t.length and y is not None else y
            for t, y in zip(self.op.results, results)
        ]


def load(test_file: str, op: str, *, package: str, namespace: str) -> OpUnderTest:
    """Load the subject of the rendered file `test_file`, from the specs in the same package.

    Makes the package importable if it is not on the path yet.
    """
    folder = Path(test_file).resolve().parent
    root = folder.parents[package.count(".") + 1]
    if importlib.util.find_spec(package.partition(".")[0]) is None:
        sys.path.insert(0, str(root))
    specs = sorted((folder.parent / "reference").glob("*.toml"))
    written = tuple((path, path.stat().st_mtime_ns) for path in specs)
    project = _project(root, package, namespace, written)
    return OpUnderTest(project.op(op), project)


@lru_cache
def _project(
    root: Path, package: str, namespace: str, written: tuple[tuple[Path, int], ...]
) -> Project:
    """The project of the specs written at these times: the same one for the files of all ops."""
    from opgen.compiler.pipeline import load
    from opgen.spec.config import Config

    config = Config(root, package=package, namespace=namespace)
    project, found, _ = load([path for path, _ in written], config)
    if project is None:
        raise ValueError(f"{found[0].where.file}: {found[0].message}")
    return project
