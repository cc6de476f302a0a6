"""Check a library of custom operators in a separate process.

`python operators.py MODULE NAMESPACE`, in which MODULE is a rendered `build` module or `my_ops`
module. A `build` module builds the library and loads it. A `my_ops` module loads a library that was
built before.
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

from opgen.build.runtime_files import include_dir  # noqa: E402
from opgen.compiler.pipeline import load  # noqa: E402
from opgen.ir.op import Op  # noqa: E402
from opgen.ir.project import Project  # noqa: E402
from opgen.language.expr.evaluate import evaluate  # noqa: E402
from opgen.spec.config import load_config  # noqa: E402
from opgen.targets.neuron.libraries import library_of  # noqa: E402
from opgen.testing import oracle  # noqa: E402
from opgen.testing.arrays import from_torch, to_torch  # noqa: E402
from opgen.testing.cases import cases
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest  # noqa: E402
from opgen.testing.torch_checks import draw  # noqa: E402


def project() -> Project:
    """Return the project of this repository."""
    config, *_ = load_config(ROOT)
    found, problems, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    assert found is not None, problems
    return found


def accepted(op: Op, case: Case, arrays: list[np.ndarray]) -> bool:
    """Return whether the kernel for Neuron accepts the case."""
    shapes = {t.name: array.shape for t, array in zip(op.inputs, arrays)}
    values = {**dict(case.dtypes), **shapes}
    return all(evaluate(r.condition, values) for r in op.kernel("neuron").require)


def check(subject: OpUnderTest, operator, case: Case, arrays: list[np.ndarray]) -> None:
    """Check values against the reference, and the shape function, in every memory layout."""
    keywords = list(oracle.all_attributes(subject, case).values())
    given = [to_torch(array) for array in arrays]
    what = f"{subject.name} {case}"
    y = operator(*given, *keywords)
    if subject.reference is not None:
        (wanted,) = oracle.results(subject, case, arrays)
        oracle.close(from_torch(y), np.asarray(wanted), case, what=what)
    for layout in (transposed, scattered):
        assert torch.equal(operator(*map(layout, given), *keywords), y), what
    with FakeTensorMode() as mode:
        fake = operator(*map(mode.from_tensor, given), *keywords)
    assert (fake.shape, fake.dtype) == (y.shape, y.dtype), what


def transposed(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor with the same values and the reversed memory order."""
    order = [*reversed(range(x.ndim))]
    return x.permute(order).contiguous().permute(order)


def scattered(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor with the same values, as every second element of a wider tensor."""
    return torch.stack([x, x], -1)[..., 0]


def main(module: str, namespace: str) -> None:
    found = importlib.import_module(module)
    if module.endswith(".build"):
        found.build(ROOT / "runtime" / "kernels", include_dir())
    everything = project()
    library = library_of(everything)
    assert library is not None
    checked = refused = 0
    for each in library.operators:
        subject = OpUnderTest(each.op, everything)
        operator = getattr(getattr(torch.ops, namespace), each.op.name)
        for case in cases(each.op):
            arrays = draw(each.op, case)
            if accepted(each.op, case, arrays):
                check(subject, operator, case, arrays)
                checked += 1
                continue
            refused += 1
            try:
                operator(*map(to_torch, arrays))
            except (RuntimeError, ValueError) as error:
                assert str(error).startswith(f"{each.op.name}: "), error
            else:
                raise AssertionError(f"{each.op.name} took {case}")
    print(f"{len(library.operators)} operators, {checked} cases, {refused} refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
