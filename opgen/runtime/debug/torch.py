"""Shadowed calls in PyTorch, between autograd and the kernels.

The environment variable `OPGEN_SHADOW` enables this module. It registers a function for the
dispatch key BackendSelect, which sees every call to the package's ops. This covers forwards and
backwards of eager, compiled and transformed programs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import array_api_compat.torch
import numpy as np
import torch
from torch import Tensor

from ..core.project import LAYOUT, LIBRARIES, NAMESPACE, PACKAGE, PACKAGE_HASH
from ..torch.call import CALLS, attr_of, bare
from ..torch.dtypes import DTYPES, NAMES
from ..torch.elements import KEY, checker
from ..torch.kinds import tensors_in
from ..torch.library import find_op, library
from ..torch.references import pull_back
from . import shadow
from .expected import mapped
from .replay_file import Record, Stored, Value
from .shadow import GUARD, Result

_BELOW = torch._C._dispatch_keyset_full_after(KEY)
_guards = ctypes.CDLL(str(LIBRARIES / f"lib{NAMESPACE}_torch-{PACKAGE_HASH}.so"))
_guards.opgen_guard.argtypes, _guards.opgen_guard.restype = (ctypes.c_int64,), None
_guards.opgen_guard_broken.restype = ctypes.c_uint64


class _Engine:
    """The engine that computes references in PyTorch, on the CPU."""

    xp = array_api_compat.torch

    def array(self, values: np.ndarray) -> Tensor:
        return torch.from_numpy(np.array(values))

    def values(self, array: Any) -> np.ndarray:
        tensor = torch.as_tensor(array).detach().resolve_conj().resolve_neg()
        return _widened(tensor).numpy()

    def decode(self, stored: Stored) -> np.ndarray:
        return _widened(_tensor(stored)).numpy()

    def pull_back(self, function: Callable[..., Any], xs: Sequence[Any], dys: Sequence[Any]) -> Any:
        return pull_back(function, [*xs], dys)


ENGINE = _Engine()


def watch(name: str) -> bool:
    """If `OPGEN_SHADOW` requests calls of an op, shadow these calls, and check the elements of
    inputs in all of its calls.

    Return whether `OPGEN_SHADOW` requests calls of the op.
    """
    chosen = shadow.sampler(name)
    if chosen is None:
        return False
    for overload in ("default", "out"):
        if overload in getattr(getattr(torch.ops, NAMESPACE), name).overloads():
            qualified = name if overload == "default" else f"{name}.{overload}"
            kernel = _kernel(name, find_op(name, overload), chosen)
            library.impl(qualified, kernel, KEY.name, with_keyset=True)
    return True


def _kernel(name: str, op: torch._ops.OpOverload, chosen: Callable[[], bool]) -> Callable[..., Any]:
    written = [a.name for a in op._schema.arguments if a.kwarg_only and a.is_write]
    check = None if written else checker(CALLS[name])

    def kernel(keys: torch._C.DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        if check is not None:
            check(args, kwargs)

        def run() -> Any:
            return op.redispatch(keys & _BELOW, *args, **kwargs)

        if not chosen():
            return run()
        given = {n: kwargs[n] for n in kwargs if n not in written}
        with torch._C._AutoDispatchBelowAutograd():
            record = _record(name, args, given)
        if record is None:
            return run()
        results, found = _run(name, run, record.platform)
        made = {n: kwargs.get(n) for n in written} if written else _named(name, results)
        with torch._C._AutoDispatchBelowAutograd():
            result = _result(record, args, given, made, found)
            if result is not None:
                shadow.apart(lambda: shadow.examine(ENGINE, record, result))
        return results

    return kernel


def _record(name: str, args: Sequence[Any], kwargs: Any) -> Record | None:
    """Record a call before it runs. Return None if it cannot be stored."""
    try:
        call = CALLS[name]
        values = call.bind(args, kwargs)
        device = call.device(values)
        tensors = [t for n in call.inputs for t in tensors_in(values[n])]
        if device.type == "cuda" and torch.cuda.is_current_stream_capturing():
            return None
        if device.type == "meta" or not all(shadow.captured(NAMES[t.dtype]) for t in tensors):
            return None
        bits = values.pop("wanted", None)
        asked = [n for i, n in enumerate(call.written) if bits is not None and bits >> i & 1]
        return Record(
            package=PACKAGE,
            layout=LAYOUT,
            op=name,
            framework="torch",
            platform=device.type,
            inputs={n: _stored(values.pop(n)) for n in call.inputs},
            attrs={n: attr_of(value) for n, value in values.items()},
            wanted=tuple(n for n in call.on_request if n in asked) if call.on_request else None,
        )
    except Exception as error:  # the program must continue
        shadow.once((name, "kept"), f"{name}: a call was not kept: {error!r}")
        return None


def _run(name: str, run: Callable[[], Any], platform: str) -> tuple[Any, list[tuple[str, str]]]:
    """Run a call with `run`. Return its results, and a problem for each result whose memory the
    kernel overran.

    Such writes are detected only on the CPU. On the CPU, the results are copied to new memory after
    the call.
    """
    if platform != "cpu":
        return run(), []
    with _guarded():
        results = run()
    broken = _guards.opgen_guard_broken()
    with torch._C._AutoDispatchBelowAutograd():
        named = _named(name, results)
        made = bare([mapped(_released, result) for result in named.values()])
    lists = any(isinstance(result, list) for result in named.values())
    places = ["its results"] if lists else [n for n, x in named.items() if x is not None]
    mask = (1 << 63) - 1 if lists else 1
    found = [label for bit, label in enumerate(places) if broken & mask << bit]
    if broken >> 63:
        found.append("its workspace")
    return made, [("wrote outside of", label) for label in found]


def _named(name: str, results: Any) -> dict[str, Any]:
    """Return the results of op `name` as a dict. For a call with `out=`, the dict is empty."""
    names = CALLS[name].written
    if results is None:
        return {}
    return dict(zip(names, results if len(names) > 1 else [results]))


@contextmanager
def _guarded() -> Iterator[None]:
    """Return a context that puts known bytes before and after each result that a kernel of this
    thread allocates.
    """
    _guards.opgen_guard(GUARD)
    try:
        yield
    finally:
        _guards.opgen_guard(0)


def _released(result: Tensor) -> Tensor:
    """Copy a result to memory without guard bytes around it, if enough memory is free."""
    options: dict[str, Any] = {"dtype": result.dtype, "device": result.device}
    try:
        return torch.empty_strided(result.shape, result.stride(), **options).copy_(result)
    except RuntimeError:
        return result


def _result(
    record: Record,
    args: Sequence[Any],
    kwargs: Any,
    results: Mapping[str, Any],
    found: Sequence[Any],
) -> Result | None:
    """Return the results of a call and its problems: those in `found`, and one for each input that
    the call changed.

    Return None if the results cannot be stored.
    """
    try:
        call = CALLS[record.op]
        values = {name: _stored(value) for name, value in results.items()}
        after = call.bind(args, kwargs)
        seen = [*found]
        for name in call.inputs:
            now = _stored(after[name])
            if name in call.updated:
                values[name] = now
            elif not _same(now, record.inputs[name]):
                seen.append(("changed its input", name))
        return Result(values, tuple(seen))
    except Exception as error:  # the program must continue
        shadow.once((record.op, "kept"), f"{record.op}: a call was not kept: {error!r}")
        return None


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return all(map(_same, a, b))
    if isinstance(a, Stored) and isinstance(b, Stored):
        return np.array_equal(a.data, b.data)
    return a is b


def _stored(value: Any) -> Value:
    """Store a tensor, or each tensor of a list, with its memory layout."""
    if isinstance(value, (list, tuple)):
        return [_stored(each) for each in value]  # type: ignore[misc]
    if value is None:
        return None
    tensor = value.detach().resolve_conj().resolve_neg()
    data = _bytes(tensor.cpu()).numpy()
    address = value.data_ptr() % 256
    return Stored(NAMES[value.dtype], (*value.shape,), data.copy(), (*value.stride(),), address)


def _bytes(tensor: Tensor) -> Tensor:
    """Return the bytes of a tensor, in row-major order."""
    rows = torch.empty(tensor.numel(), dtype=tensor.dtype, device=tensor.device)
    return rows.copy_(tensor.reshape(-1)).view(torch.uint8)


def _tensor(stored: Stored) -> Tensor:
    if not stored.data.size:
        return torch.empty(stored.shape, dtype=DTYPES[stored.dtype])
    return torch.from_numpy(stored.data).view(DTYPES[stored.dtype]).reshape(stored.shape)


def _widened(tensor: Tensor) -> Tensor:
    if tensor.is_complex():
        return tensor.to(torch.complex128)
    return tensor.double() if tensor.is_floating_point() else tensor


def placed(stored: Stored, device: str) -> Tensor:
    """Return a tensor in the recorded memory layout: the same strides, and the same address modulo
    256.
    """
    values = _tensor(stored).to(device)
    strides = stored.strides or values.stride()
    once = [slice(0, 1) if stride == 0 else slice(None) for stride in strides]
    part = values[tuple(once)]
    extent = 1 + sum((n - 1) * s for n, s in zip(part.shape, strides)) if part.numel() else 0
    size = values.element_size()
    room = torch.empty(extent + 512 // size, dtype=values.dtype, device=device)
    offset = ((stored.address or 0) - room.data_ptr()) % 256 // size
    made = room.as_strided(part.shape, strides, offset)
    made.copy_(part)
    if not torch.equal(_bytes(made), _bytes(part)):
        return values  # elements overlap in an unusual way
    return made.as_strided(stored.shape, strides, offset)


def rerun(record: Record) -> list[tuple[str, str, Any]]:
    """Rerun a recorded call. Return the differences from the reference, the worst first.

    Each difference is a tuple: the kind of error, its location, and the `Departure` or None.
    """
    call = CALLS[record.op]
    values: dict[str, Any] = {
        name: mapped(lambda s: placed(s, record.platform), value)
        for name, value in record.inputs.items()
    }
    for name in call.defaults:
        if name == "wanted":
            values[name] = call.bits(record.wanted or ())
        elif name not in values:
            values[name] = _argument(record, name)
    ordered = [values[name] for name in call.defaults]
    op = find_op(record.op)
    names = [call.names[a.name] for a in op._schema.arguments if not a.kwarg_only]
    keywords = {n: values[n] for n in values if n not in names}
    positional = [values[n] for n in names] if keywords else ordered
    with torch.no_grad():
        results, found = _run(record.op, lambda: op(*positional, **keywords), record.platform)
    made = _named(record.op, results)
    result = _result(record, positional, keywords, made, found)
    return [] if result is None else shadow.findings(ENGINE, record, result)


def _argument(record: Record, name: str) -> Any:
    """Return an attr in the form that the op accepts."""
    value, kind = record.attrs[name], CALLS[record.op].facts.attrs[name]
    if isinstance(value, str) and kind.removesuffix("?") == "dtype":
        return DTYPES[value]
    return list(value) if isinstance(value, tuple) else value
