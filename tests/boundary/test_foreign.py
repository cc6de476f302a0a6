"""A kernel may be a function of an existing shared library, which the build does not change."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
ATTRS = [{}, {"alpha": -2.5}, {"margins": (1, 2)}, {"negate": True, "margins": (0, 1)}]


def expected(x, z=None, alpha=1.0, margins=(0, 0), negate=False) -> np.ndarray:
    y = alpha * x + (0 if z is None else z)
    y = -y if negate else y
    y[..., : margins[0]] = 0
    y[..., x.shape[-1] - margins[1] :] = 0
    return y


@pytest.mark.parametrize("attrs", ATTRS, ids=str)
@pytest.mark.parametrize("z", [None, 10 * X], ids=["alone", "with z"])
def test_torch(boundary: ModuleType, attrs, z) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import axpz

    given = [torch.from_numpy(a) for a in (X, z) if a is not None]
    np.testing.assert_array_equal(axpz(*given, **attrs), expected(X, z, **attrs))
    turned = [each.transpose(0, 1) for each in given]
    np.testing.assert_array_equal(axpz(*turned, **attrs).transpose(0, 1), expected(X, z, **attrs))


@pytest.mark.parametrize("attrs", ATTRS, ids=str)
@pytest.mark.parametrize("z", [None, 10 * X], ids=["alone", "with z"])
def test_jax(boundary: ModuleType, attrs, z) -> None:
    jax = pytest.importorskip("jax")
    from boundary.jax import axpz

    np.testing.assert_array_equal(axpz(X, z, **attrs), expected(X, z, **attrs))
    given = [a for a in (X, z) if a is not None]
    y = jax.vmap(lambda *a: axpz(*a, **attrs), in_axes=1, out_axes=1)(*given)
    np.testing.assert_array_equal(y, expected(X, z, **attrs))


def test_another_function_and_its_dtypes(boundary: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    from boundary.torch import total

    for dtype in (torch.float32, torch.float64):
        y = total(torch.arange(10, dtype=dtype))
        assert y.dtype == dtype and y.item() == 45


def test_the_library_lies_beside_those_that_were_built(project: Path) -> None:
    """The build copies an existing library next to the built ones, under its SONAME."""
    lib = project / "boundary" / "lib"
    record = json.loads((lib / "BUILD.json").read_text())
    assert "libstranger.so.2" in record["libraries"]
    assert (lib / "libstranger.so.2").is_file()
