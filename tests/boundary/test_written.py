"""A call may pass tensors to which its results are written (`out=`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

torch = pytest.importorskip("torch")


def values(dtype: Any) -> tuple[Any, Any]:
    return torch.arange(6, dtype=dtype).reshape(2, 3) - 2, torch.tensor([0.5, -1, 3]).to(dtype)


def blank(*shape: int, dtype: Any = torch.float32) -> Any:
    return torch.full(shape, 7, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("sums", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_a_result_that_a_call_lacks_is_none(
    boundary: ModuleType, dtype: Any, sums: bool, scaled: bool
) -> None:
    from boundary.torch import spread

    torch.compiler.reset()
    x, by = values(dtype)
    wanted = spread(x, by if scaled else None, sums=sums)
    compiled = torch.compile(
        lambda x, by, out: spread(x * 1, by, sums=sums, out=out),
        fullgraph=True,
        backend="aot_eager",
    )
    wide = blank(2, 6, dtype=dtype)
    for y in (blank(2, 3, dtype=dtype), wide[:, ::2]):
        for call in (lambda x, by, out: spread(x, by, sums=sums, out=out), compiled):
            total = blank(2, dtype=torch.float64) if sums else None
            result = blank(2, 3, dtype=dtype) if scaled else None
            out = (y.fill_(7), total, result)
            found = call(x, by if scaled else None, out)
            for given, same, value in zip(out, found, wanted, strict=True):
                assert same is given
                assert given is None and value is None or torch.equal(given, value)
    assert (wide[:, 1::2] == 7).all()


def test_one_too_many_or_too_few_is_an_error(boundary: ModuleType) -> None:
    from boundary.torch import spread

    x, by = values(torch.float32)
    y, total, scaled = blank(2, 3), blank(2, dtype=torch.float64), blank(2, 3)
    words = "spread: total: expected None, since this call has no such result"
    wrong = [
        (lambda: spread(x, out=(y, total, None)), words),
        (
            lambda: spread(x, by, sums=True, out=(y, None, scaled)),
            "spread: total: expected a tensor, got None",
        ),
        (lambda: spread(x, out=(None, None, None)), "spread: y: expected a tensor, got None"),
        (
            lambda: spread(x, out=(y, None)),
            "spread: out: expected a tensor for each result, 3, got 2",
        ),
        (
            lambda: spread(x, by, out=(y, None, y)),
            "spread: (scaled|y): shares memory with (y|scaled)",
        ),
    ]
    for call, message in wrong:
        with pytest.raises((TypeError, ValueError), match=message):
            call()
        with pytest.raises((TypeError, ValueError, RuntimeError), match=message):
            torch.compile(call, fullgraph=True, backend="aot_eager")()
    grown = [torch.empty(0), None, torch.empty(0)]
    spread(x, by, out=grown)
    assert torch.equal(grown[0], 2 * x) and torch.equal(grown[2], x * by)


def test_results_on_request(boundary: ModuleType) -> None:
    from boundary.torch import spread_bwd

    x, by = values(torch.float32)
    wanted = spread_bwd(x, 2 * x, x, by)
    for names in (("dx", "dby"), ("dx",), ("dby",), ()):
        for call in (spread_bwd, torch.compile(spread_bwd, fullgraph=True, backend="aot_eager")):
            out = tuple(
                blank(*w.shape) if name in names else None
                for name, w in zip(("dx", "dby"), wanted, strict=True)
            )
            assert call(x, 2 * x, x, by, wanted=names, out=out) is out or call is not spread_bwd
            for given, value in zip(out, wanted, strict=True):
                assert given is None or torch.equal(given, value)
    with pytest.raises(ValueError, match="spread_bwd: dby: expected None"):
        spread_bwd(x, 2 * x, x, by, wanted=["dx"], out=(blank(2, 3), blank(3)))


def test_the_overload(boundary: ModuleType) -> None:
    import boundary.torch  # noqa: F401

    x, by = values(torch.float32)
    op = torch.ops.boundary.spread.out
    calls = [
        ((x,), {"y": blank(2, 3)}),
        ((x, by), {"y": blank(2, 3), "scaled": blank(2, 3)}),
        ((x,), {"sums": True, "y": blank(2, 3), "total": blank(2, dtype=torch.float64)}),
    ]
    for args, kwargs in calls:
        versions = {k: v._version for k, v in kwargs.items() if k != "sums"}
        torch.library.opcheck(op, args, kwargs)
        op(*args, **kwargs)
        assert all(kwargs[name]._version > before for name, before in versions.items())
    with pytest.raises(RuntimeError, match="spread.out: x requires a gradient"):
        op(x.requires_grad_(), y=blank(2, 3))


@pytest.mark.filterwarnings("ignore:halves")
@pytest.mark.parametrize("op", ["halves", "halves_only"])
@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("rests", [False, True])
def test_a_reference_in_place_of_the_kernel(
    boundary: ModuleType, op: str, columns: int, rests: bool
) -> None:
    import boundary.torch

    torch.compiler.reset()
    function = getattr(boundary.torch, op)
    x = torch.arange(4.0 * columns).reshape(4, columns) - 3
    by_kernel = op == "halves" and columns == 2
    compiled = torch.compile(
        lambda x, out: function(x, rests=rests, out=out), fullgraph=True, backend="aot_eager"
    )
    for call in (lambda x, out: function(x, rests=rests, out=out), compiled):
        wide = blank(4, 2 * columns)
        rest, ran = blank(4, columns) if rests else None, blank(4, dtype=torch.int32)
        call(x, (wide[:, ::2], rest, ran))
        assert torch.equal(wide[:, ::2], x / 2) and (wide[:, 1::2] == 7).all()
        assert rest is None or torch.equal(rest, x % 2)
        assert (ran == by_kernel).all()
        with pytest.raises((ValueError, RuntimeError), match=f"{op}: rest: expected"):
            call(x, (blank(4, columns), None if rests else blank(4, columns), ran))


def test_a_process_ends_in_peace(boundary: ModuleType, project: Path) -> None:
    """A process that has imported the package exits without an error.

    PyTorch unloads the wrong overloads if two have the same signature.
    """
    command = [sys.executable, "-c", "import torch; import boundary.torch"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
