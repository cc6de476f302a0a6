"""Checks a library of custom operators in a process of its own.

`python operators.py <module of build.py or of my_ops> <namespace>`: a `build` module is built,
which loads the library as well; a `my_ops` module loads what was built before.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "neuron_shim" / "python")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch._subclasses import FakeTensorMode  # noqa: E402

from opgen.config import load_config  # noqa: E402
from opgen.expr.evaluate import evaluate  # noqa: E402
from opgen.ir import Op, Project  # noqa: E402
from opgen.pipeline import load  # noqa: E402
from opgen.runtime import include_dir  # noqa: E402
from opgen.targets.neuron.libraries import libraries  # noqa: E402
from opgen.testing import oracle  # noqa: E402
from opgen.testing.arrays import LAYOUTS, from_torch, to_torch  # noqa: E402
from opgen.testing.cases import Case, cases, draw, environment, shape_in  # noqa: E402
from opgen.testing.subject import Subject  # noqa: E402


def project() -> Project:
    """The project of this repository."""
    config, *_ = load_config(ROOT)
    found, problems, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    assert found is not None, problems
    return found


def accepted(op: Op, case: Case) -> bool:
    """Whether the kernel for Neuron says that it takes the case."""
    values = environment(op, case)
    values |= {t.name: shape_in(t, values) for t in op.inputs}
    requirements = op.kernel("neuron").require
    return all(evaluate(r.condition, values) for r in requirements)


def check(subject: Subject, operator, case: Case) -> None:
    """Values against the reference, shape function against kernel, in every layout."""
    arrays = draw(subject.op, case)
    keywords = list(oracle.all_attributes(subject, case).values())
    given = [to_torch(array) for array in arrays]
    y = operator(*given, *keywords)
    if subject.reference is not None:
        (wanted,) = oracle.results(subject, case, arrays)
        oracle.close(from_torch(y), np.asarray(wanted), case, what=f"{subject.name} {case}")  # fmt: skip
    for layout in LAYOUTS.values():
        views = [laid_out(x, layout) for x in given]
        assert torch.equal(operator(*views, *keywords), y), f"{subject.name} {case}"
    with FakeTensorMode() as mode:
        fake = operator(*map(mode.from_tensor, given), *keywords)
    assert (fake.shape, fake.dtype) == (y.shape, y.dtype), f"{subject.name} {case}"


def laid_out(x: torch.Tensor, layout) -> torch.Tensor:
    """The same values with the strides that `layout` gives an array of this shape."""
    pattern = layout(np.zeros(x.shape, np.int8))
    y = torch.empty_strided(x.shape, pattern.strides, dtype=x.dtype)
    return y.copy_(x)


def main(module: str, namespace: str) -> None:
    found = importlib.import_module(module)
    if module.endswith(".build"):
        found.build(ROOT / "runtime" / "kernels", include_dir())
    everything = project()
    (library,) = libraries(everything)
    checked = refused = 0
    for each in library.operators:
        subject = Subject(each.op, everything)
        operator = getattr(getattr(torch.ops, namespace), each.op.name)
        for case in cases(each.op):
            if accepted(each.op, case):
                check(subject, operator, case)
                checked += 1
                continue
            refused += 1
            try:
                operator(*map(to_torch, draw(each.op, case)))
            except (RuntimeError, ValueError) as error:
                assert str(error).startswith(f"{each.op.name}: "), error
            else:
                raise AssertionError(f"{each.op.name} took {case}")
    print(f"{len(library.operators)} operators, {checked} cases, {refused} refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
