"""Schemas of other libraries that an op replaces. The op is written in Python, so nothing is built."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

torch = pytest.importorskip("torch")
RUNTIME = Path(__file__).parent.parent.parent / "opgen/runtime/torch"


@pytest.fixture(scope="module")
def replacing() -> Any:
    """Return a package module whose op `scaled(x, factor) -> (y, kept)` has a residual."""
    own = torch.library.Library("replacing_test", "DEF")
    own.define("scaled(Tensor x, float factor=2.0) -> (Tensor y, Tensor kept)")
    own.impl("scaled", lambda x, factor=2.0: (x * factor, x + 1), "CompositeImplicitAutograd")
    package, library, out = (
        ModuleType(f"replacing_package{part}") for part in ("", ".library", ".out")
    )
    package.__path__ = []
    library.find_op = lambda name: getattr(torch.ops.replacing_test, name).default  # type: ignore[attr-defined]
    out.OUTS = {}  # type: ignore[attr-defined]
    for each in (package, library, out):
        sys.modules[each.__name__] = each
    spec = importlib.util.spec_from_file_location(
        "replacing_package.replacing", RUNTIME / "replacing.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.own = own  # type: ignore[attr-defined]
    return module


def test_results_that_callers_allocate(replacing: Any) -> None:
    schema = (
        "replaced_test::scale(Tensor(a!) result, Tensor input, *, float by=3.0, str mode='') -> ()"
    )
    replacing.replace("scaled", schema, {"x": "input", "y": "result", "factor": "by"})
    x, result = torch.ones(3, requires_grad=True), torch.empty(3)
    assert torch.ops.replaced_test.scale(result, x) is None and result.tolist() == [3, 3, 3]
    torch.ops.replaced_test.scale(result, input=x, by=4.0)
    result.sum().backward()
    assert result.tolist() == [4, 4, 4] and x.grad is not None and x.grad.tolist() == [4, 4, 4]
    with pytest.raises(NotImplementedError, match="scaled has nothing like `mode`"):
        torch.ops.replaced_test.scale(result, x, mode="fast")


def test_results_that_are_returned(replacing: Any) -> None:
    replacing.replace("scaled", "replaced_test::twice(Tensor x) -> Tensor", {})
    assert torch.ops.replaced_test.twice(torch.ones(2)).tolist() == [2, 2]
    replacing.replace("scaled", "replaced_test::into(Tensor x, Tensor(a!) y) -> Tensor(a!)", {})
    y = torch.empty(2)
    assert torch.ops.replaced_test.into(torch.ones(2), y) is y and y.tolist() == [2, 2]


def test_a_library_that_is_loaded_stays(replacing: Any) -> None:
    old = torch.library.Library("replaced_loaded", "DEF")
    old.define("f(Tensor x) -> Tensor")
    old.impl("f", lambda x: x - 1, "CPU")
    replacing.replace("scaled", "replaced_loaded::f(Tensor x) -> Tensor", {})
    assert torch.ops.replaced_loaded.f(torch.ones(2)).tolist() == [0, 0]
