"""The op under test: its IR, and the rendered package that contains it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from opgen.ir.gradients import kept_only
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.frozen import dataclass
from opgen.targets.bundles import function_of
from opgen.testing.apart import refuse_crashed
from opgen.testing.environment import Case, differentiable


@dataclass(frozen=True)
class OpUnderTest:
    """An op and the package that was rendered for it. If the op has several CPU kernels, `kernel`
    selects one.

    `library` replaces the kernel library of the package. `caller` runs the kernel outside this
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
        """Import `<package>.<part>`, for example `generated.torch`."""
        return importlib.import_module(f"{self.project.package}.{part}")

    @cached_property
    def core(self) -> Any:
        """Return the framework-free wrapper of the op."""
        return getattr(self.module("core"), self.name)

    def wrapper(self, framework: str) -> Any:
        """Return the function that users call; bundles are passed tensor by tensor.

        `framework` is `torch` or `jax`.
        """
        refuse_crashed(self.project.package, self.name)
        return getattr(self.module(f"{framework}._{self.name}"), function_of(self.op))

    def peer(self, name: str) -> OpUnderTest:
        """Return another op of the same package, for example a backward."""
        return OpUnderTest(self.project.op(name), self.project)

    def differentiable(self, case: Case) -> bool:
        """Return whether rules define the gradient of this call."""
        rules = all(grad.kind == "rules" for grad in self.op.grad.values())
        return rules and differentiable(self.op, case)

    @property
    def forward_mode(self) -> bool:
        """Return whether all results have tangents: from a reference that may read all inputs."""
        kept = kept_only(self.project.ops, self.op)
        return self.op.reference is not None and not any(
            t.name in kept and t.floating for t in self.op.inputs
        )

    @cached_property
    def reference(self) -> Any:
        """Return the reference function, or None. A backward uses autodiff of its forward instead."""
        if self.op.reference is None:
            return None
        file, _, function = self.op.reference.partition(":")
        module = self.module(f"reference.{Path(file).stem}")
        return getattr(module, function)

    def results_of(self, given: object) -> tuple[Any, ...]:
        """Return the results from a reference's return value, which may also contain residuals."""
        given = given if isinstance(given, tuple) else (given,)
        return given[: len(self.op.results)]

    def filled(self, results: Sequence[Any]) -> list[Any]:
        """Return the results. If a result has a `length`, return only its filled part, because the
        rest is undefined.
        """
        given = dict(zip((tensor.name for tensor in self.op.results), results))
        return [
            y[: int(given[t.length])] if t.length and y is not None else y
            for t, y in zip(self.op.results, results)
        ]


def load(test_file: str, op: str, *, package: str, namespace: str) -> OpUnderTest:
    """Load the op under test of the rendered file `test_file`, from the specs in the same package.

    If the package is not on the path yet, make it importable.
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
    """Return the project of the specs with these modification times. The files of all ops share it."""
    from opgen.compiler.pipeline import load
    from opgen.spec.config import Config

    config = Config(root, package=package, namespace=namespace)
    project, found, _ = load([path for path, _ in written], config)
    if project is None:
        raise ValueError(f"{found[0].where.file}: {found[0].message}")
    return project
