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
from opgen.testing.arrays import tupled
from opgen.testing.environment import Case, differentiable


@dataclass(frozen=True)
class OpUnderTest:
    """An op and the rendered package that contains the op.

    If the op has several CPU kernels, `kernel` selects one of them. If `library` is set, it
    replaces the package's kernel library. `caller` runs the kernel outside this process (see
    `hostile/poisoned_call.py`).
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
        """Return the function that users call. Each tensor of a bundle is a separate argument.

        `framework` is `torch` or `jax`.
        """
        refuse_crashed(self.project.package, self.name)
        return getattr(self.module(f"{framework}._{self.name}"), function_of(self.op))

    def peer(self, name: str) -> OpUnderTest:
        """Return the op `name` of the same package, for example the backward of this op."""
        return OpUnderTest(self.project.op(name), self.project)

    def differentiable(self, case: Case) -> bool:
        """Return whether this call is differentiable and the spec's rules give all gradients."""
        rules = all(grad.kind == "rules" for grad in self.op.grad.values())
        return rules and differentiable(self.op, case)

    @property
    def forward_mode(self) -> bool:
        """Return whether the op supports forward-mode autodiff.

        PyTorch or JAX computes the tangents by differentiating the reference. So the op must save
        all floating-point inputs that the reference reads.
        """
        kept = kept_only(self.project.ops, self.op)
        return self.op.reference is not None and not any(
            t.name in kept and t.floating for t in self.op.inputs
        )

    @cached_property
    def reference(self) -> Any:
        """Return the op's reference function, or None. For example, most backwards have none."""
        if self.op.reference is None:
            return None
        file, _, function = self.op.reference.partition(":")
        module = self.module(f"reference.{Path(file).stem}")
        return getattr(module, function)

    def results_of(self, given: object) -> tuple[Any, ...]:
        """Return the results, without the residuals that a reference may return after them."""
        return tupled(given)[: len(self.op.results)]

    def filled(self, results: Sequence[Any]) -> list[Any]:
        """Return the results. A result that has a `length` key is cut to this length.

        The elements after this length are undefined.
        """
        given = dict(zip((tensor.name for tensor in self.op.results), results))
        return [
            y[: int(given[t.length])] if t.length and y is not None else y
            for t, y in zip(self.op.results, results)
        ]


def load(test_file: str, op: str, *, package: str, namespace: str) -> OpUnderTest:
    """Load `op` from the specs of the package that contains the rendered file `test_file`.

    If the package cannot be imported yet, add its parent folder to `sys.path`.
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
    """Load the specs. The tests of all ops share the loaded project until a spec file changes."""
    from opgen.compiler.pipeline import load
    from opgen.spec.config import Config

    config = Config(root, package=package, namespace=namespace)
    project, found, _ = load([path for path, _ in written], config)
    if project is None:
        raise ValueError(f"{found[0].where.file}: {found[0].message}")
    return project
