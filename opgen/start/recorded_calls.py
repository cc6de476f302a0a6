"""Record the calls of a PyTorch library's ops while the tests of a project run."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.start.torch_ops import full, has_kernel

# The number of calls to record for each op, and the number of recorded calls to run again. The
# second run of a call shows which of the written arguments the op also reads.
KEPT, REPEATED = 200, 3


def run(calls: Sequence[str]) -> str:
    """Run tests with pytest, or run a script. Describe failed tests, or return an empty string."""
    if Path(calls[0].partition("::")[0]).name.startswith("test") or Path(calls[0]).is_dir():
        import pytest

        code = pytest.main([*calls, "-q", "-p", "no:cacheprovider"])
        return "" if code == 0 else "some tests failed" if code == 1 else "the tests did not run"
    sys.argv = list(calls)
    runpy.run_path(calls[0], run_name="__main__")
    return ""


def recorder(space: str) -> Any:
    import torch
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Recorder(TorchDispatchMode):
        """A dispatch mode that records calls of ops: shapes, dtypes, strides and values."""

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.calls: dict[str, list[dict[str, Any]]] = {}
            self.read: dict[str, set[str]] = {}
            self._tried: dict[str, set[str]] = {}
            self.composite = Composite(self)

        def unread(self, name: str) -> set[str]:
            """Return the arguments that the op writes without reading their old content."""
            return self._tried.get(name, set()) - self.read.get(name, set())

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if not func._schema.name.startswith(f"{space}::"):
                return func(*args, **kwargs)
            return self.keep(func, args, kwargs)

        def keep(self, func: Any, args: Any, kwargs: Any) -> Any:
            """Run an op of the library's namespace, and record the call."""
            schema = func._schema
            kept = self.calls.setdefault(full(schema), [])
            if len(kept) >= KEPT:
                return func(*args, **kwargs)
            given = _bound(schema, args, kwargs)
            told = {name: _told(value) for name, value in given.items()}
            written = [a.name for a in schema.arguments if a.is_write]
            written = [n for n in written if isinstance(given[n], torch.Tensor)]
            with torch.no_grad():
                before = {n: _copied(v) for n, v in given.items()} if written else {}
            result = func(*args, **kwargs)
            results = result if isinstance(result, tuple) else (result,)
            kept.append({"arguments": told, "results": [_told(each) for each in results]})
            if len(kept) <= REPEATED:
                for name in written:
                    with torch.no_grad():
                        self._try_without(func, name, before, given, results)
            return result

        def _try_without(
            self, func: Any, name: str, before: Any, given: Any, results: Sequence[Any]
        ) -> None:
            again = {n: _copied(v) for n, v in before.items()}
            # An index of 0 is in range for any indexed tensor.
            number = torch.nan if again[name].is_floating_point() else float(not again[name].any())
            again[name].fill_(number)
            got = func(**again)
            same = all(
                _equal(again[a.name], given[a.name]) for a in func._schema.arguments if a.is_write
            ) and all(
                map(_equal, got if isinstance(got, tuple) else (got,), results),
            )
            (self._tried if same else self.read).setdefault(full(func._schema), set()).add(name)

    class Composite(TorchFunctionMode):
        """Records calls of ops that consist of other ops. Dispatch modes do not see these calls."""

        def __init__(self, recorder: Recorder) -> None:
            super().__init__()
            self._recorder = recorder

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            op = func
            if isinstance(func, torch._ops.OpOverloadPacket):
                name = func._qualified_op_name
                if name.startswith(f"{space}::"):
                    overload = torch._C._jit_resolve_packet(name, *args, **kwargs)
                    op = getattr(func, overload or "default")
            if (
                isinstance(op, torch._ops.OpOverload)
                and op.namespace == space
                and has_kernel(full(op._schema), ["CompositeImplicitAutograd"])
            ):
                return self._recorder.keep(op, args, kwargs)
            return func(*args, **kwargs)

    return Recorder()


def _bound(schema: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    names = [each.name for each in schema.arguments]
    given = {each.name: each.default_value for each in schema.arguments}
    return {**given, **dict(zip(names, args)), **kwargs}


def _copied(value: Any) -> Any:
    import torch

    if isinstance(value, (list, tuple)):
        return [_copied(each) for each in value]
    return value.clone() if isinstance(value, torch.Tensor) else value


def _equal(a: Any, b: Any) -> bool:
    import torch

    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return a is None and b is None
    return torch.allclose(a, b, rtol=0, atol=0, equal_nan=True)


def _told(value: Any) -> Any:
    """Return a value that JSON can represent. A tensor becomes its shape, dtype and strides."""
    import torch

    if isinstance(value, torch.Tensor):
        return {
            "shape": list(map(int, value.shape)),
            "dtype": str(value.dtype).removeprefix("torch."),
            "strides": None if value.is_contiguous() else list(map(int, value.stride())),
        }
    if isinstance(value, (list, tuple)):
        return [_told(each) for each in value]
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    return value if isinstance(value, (bool, int, float, str)) else None


# Results of fake kernels
