"""PyTorch's own ops on the stand-in run on the CPU, since the stand-in cannot run CUDA kernels.

`install()` replaces the CUDA kernel of each op. The replacement copies the tensors to the CPU, and
the results back, on the current stream. In a CUDA graph it runs at each replay. Ops that only
create, view or copy memory are not replaced.
"""

from __future__ import annotations

import ctypes
import re
import warnings
from collections import Counter
from dataclasses import dataclass

import torch
from torch.utils._pytree import tree_flatten, tree_map

from tests.cuda_stand_in.libraries import CUDART
from tests.cuda_stand_in.paths import LIBRARIES

# Ops that are not replaced: they launch no kernel of PyTorch, or need a library that is missing.
NATIVE = re.compile(
    r"aten::(empty|empty_strided|as_strided|view|_reshape_alias|reshape|set_|resize_|record_stream"
    r"|is_pinned|_pin_memory|_local_scalar_dense|is_set_to|_efficientzerotensor|unfold|view_as_real"
    r"|view_as_complex|alias|detach|expand|_to_copy|to|clone|zero_|is_nonzero|item"
    r"|_has_compatible_shallow_copy_type|copy_|_cuda.*|_cudnn.*|_nested.*|_sparse.*|cudnn.*"
    r"|miopen.*|.*_sparse_.*|.*_copy|lift.*)(\.|$)"
)
DEFAULT_KIND = 4  # cudaMemcpyDefault

counts: Counter[str] = Counter()
_runtime = ctypes.CDLL(str(LIBRARIES / CUDART))
_memcpy = _runtime.cudaMemcpyAsync
_memcpy.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
_registered: list[torch.library.Library] = []
_kept: list[object] = []  # functions that graphs call at replay


def install() -> None:
    """Register the replacements. Further calls do nothing."""
    if _registered:
        return
    warnings.filterwarnings("ignore", ".*Overriding a previously registered kernel.*")
    library = torch.library.Library("aten", "IMPL")
    _registered.append(library)
    native = torch.library.get_kernel("aten::copy_", "CUDA")

    def copy_(keys, to, of, non_blocking=False):
        if _plain(to, of):
            return native.call_boxed(keys, to, of, non_blocking)
        if _strided(to, of):
            return _rearrange(to, of.expand(to.shape))
        counts["copy_"] += 1
        source = _on_cpu(of) if of.is_cuda else of
        if not to.is_cuda:
            return to.copy_(source)
        changed = _on_cpu(to).copy_(source)
        _write_back(to, changed)
        return to

    library.impl("copy_", copy_, "CUDA", with_keyset=True)
    for name in torch._C._dispatch_get_all_op_names():
        if not name.startswith("aten::") or NATIVE.match(name):
            continue
        if torch._C._dispatch_has_kernel_for_dispatch_key(name, "CUDA"):
            base, _, overload = name.removeprefix("aten::").partition(".")
            op = getattr(getattr(torch.ops.aten, base), overload or "default", None)
            if op is not None:
                library.impl(name, on_the_cpu(op), "CUDA")


def on_the_cpu(op):
    return lambda *args, **kwargs: _Call(op).run(args, kwargs)


class _Call:
    """A call of an op that is computed on the CPU."""

    def __init__(self, op) -> None:
        self.op = op
        self.device: torch.device | None = None
        self.moved: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def run(self, args, kwargs):
        counts[self.op._schema.name] += 1
        if torch.cuda.is_current_stream_capturing():
            return self.recorded(args, kwargs)
        given, named = tree_map(self.away, (list(args), dict(kwargs)))
        results = self.op(*given, **named)
        for n, argument in enumerate(self.op._schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                value = args[n] if n < len(args) else kwargs.get(argument.name)
                for x in value if isinstance(value, (list, tuple)) else [value]:
                    if id(x) in self.moved:
                        _write_back(*self.moved[id(x)])
        return tree_map(self.home, results)

    def recorded(self, args, kwargs):
        """Return empty results of an op during graph capture.

        Each replay of the graph computes them.
        """
        given: list[torch.Tensor] = []

        def number(x):
            """Replace a tensor on the device by a `_Place`, and a device by the CPU."""
            if isinstance(x, torch.Tensor) and x.is_cuda:
                given.append(x)
                return _Place(len(given) - 1)
            return torch.device("cpu") if isinstance(x, torch.device) else x

        places = tree_map(number, (list(args), dict(kwargs)))
        named, more = tree_map(lambda x: _meta(given[x.at]) if isinstance(x, _Place) else x, places)
        results = self.op(*named, **more)
        changed = any(a.alias_info and a.alias_info.is_write for a in self.op._schema.arguments)
        if changed:
            made, inputs = args[0], 0
        else:
            on, inputs = given[0].device, len(given)
            made = tree_map(lambda y: _empty_like(y, on, given), results)

        def compute(opened) -> None:
            xs = [_at(opened[n], x) for n, x in enumerate(given)]
            named, more = tree_map(lambda x: xs[x.at] if isinstance(x, _Place) else x, places)
            found = self.op(*named, **more)
            if not changed:
                ys = [y for y in tree_flatten(found)[0] if isinstance(y, torch.Tensor)]
                for to, y in zip(xs[inputs:], ys, strict=True):
                    to.copy_(y)

        _give(compute, given, inputs)
        return made

    def away(self, x):
        """Return a copy of an argument on the CPU.

        The results will be on the first argument's device.
        """
        if isinstance(x, torch.Tensor) and x.is_cuda:
            self.device = self.device or x.device
            if id(x) not in self.moved:
                self.moved[id(x)] = (x, _on_cpu(x))
            return self.moved[id(x)][1]
        if isinstance(x, torch.device) and x.type == "cuda":
            index = torch.cuda.current_device() if x.index is None else x.index
            self.device = self.device or torch.device("cuda", index)
            return torch.device("cpu")
        return x

    def home(self, y):
        """Return a copy of a result on the device, or the argument itself if the op returned it."""
        if not isinstance(y, torch.Tensor):
            return y
        for x, copy in self.moved.values():
            if y is copy:
                return x
        device = self.device or torch.device("cuda", torch.cuda.current_device())
        if not torch.ops.aten.is_non_overlapping_and_dense(y):
            y = y.contiguous()
        made = torch.empty_strided(y.shape, y.stride(), dtype=y.dtype, device=device)
        if y.numel():
            _copy(made.data_ptr(), y.data_ptr(), y.nbytes, device)
        return made


@dataclass
class _Place:
    """The index of a tensor among those of a captured op."""

    at: int


def _meta(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")


def _empty_like(y, device: torch.device, given: list[torch.Tensor]):
    """Return an uninitialized result, and append it to the tensors of the captured op."""
    if not isinstance(y, torch.Tensor):
        return y
    given.append(torch.empty_strided(y.shape, y.stride(), dtype=y.dtype, device=device))
    return given[-1]


def _at(address: int, x: torch.Tensor) -> torch.Tensor:
    """Return a CPU tensor over the memory at `address`, which is accessible while the op runs."""
    if x.numel() == 0:
        return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype)
    memory = (ctypes.c_char * _extent(x)).from_address(address)
    return torch.frombuffer(memory, dtype=x.dtype).as_strided(x.shape, x.stride())


def _extent(x: torch.Tensor) -> int:
    last = sum((n - 1) * stride for n, stride in zip(x.shape, x.stride()))
    return (last + 1) * x.element_size() if x.numel() else 0


def _give(compute, tensors: list[torch.Tensor], inputs: int) -> None:
    """Let the current stream run `compute` with the memory of `tensors`.

    It reads the first `inputs` tensors and writes the others.
    """
    call = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))(compute)
    _kept.append(call)
    count = len(tensors)
    pointers = (ctypes.c_void_p * count)(*(x.data_ptr() for x in tensors))
    sizes = (ctypes.c_size_t * count)(*map(_extent, tensors))
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    error = _runtime.standInCompute(call, pointers, sizes, count, inputs, stream)
    if error:
        raise RuntimeError(f"CUDA error {error}: an op of PyTorch's")


def _copy(to: int, of: int, size: int, device: torch.device) -> None:
    with torch.cuda.device(device):
        stream = torch.cuda.current_stream().cuda_stream
        error = _memcpy(to, of, size, DEFAULT_KIND, stream)
    if error:
        raise RuntimeError(f"CUDA error {error}: a copy for an op of PyTorch's")


def _on_cpu(x: torch.Tensor) -> torch.Tensor:
    """Return the tensor on the CPU, as a view of a copy of its whole storage."""
    storage = x.untyped_storage()
    kept = torch.UntypedStorage(storage.nbytes())
    if storage.nbytes():
        _copy(kept.data_ptr(), storage.data_ptr(), storage.nbytes(), x.device)
    return torch.empty(0, dtype=x.dtype).set_(kept, x.storage_offset(), x.shape, x.stride())


def _write_back(x: torch.Tensor, changed: torch.Tensor) -> None:
    if changed.shape != x.shape:
        x.resize_(changed.shape)
    of, to = changed.untyped_storage(), x.untyped_storage()
    if of.nbytes() and of.nbytes() == to.nbytes():
        _copy(to.data_ptr(), of.data_ptr(), of.nbytes(), x.device)
    elif of.nbytes():
        dense = changed.contiguous()
        _copy(x.data_ptr(), dense.data_ptr(), dense.nbytes, x.device)


def _strided(to: torch.Tensor, of: torch.Tensor) -> bool:
    """Return True if only the order of elements differs, so that PyTorch would copy by a kernel."""
    same = to.dtype == of.dtype and to.device == of.device
    return same and to.is_conj() == of.is_conj() and to.is_neg() == of.is_neg()


def _rearrange(to: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """Copy elements on the device's current stream without waiting, as PyTorch's kernel does."""
    if to.numel():
        dims = ctypes.c_int64 * max(to.ndim, 1)
        strides = (dims(*x.stride()) for x in (to, of))
        with torch.cuda.device(to.device):
            stream = torch.cuda.current_stream().cuda_stream
            where = (ctypes.c_void_p(x.data_ptr()) for x in (to, of))
            sizes = (dims(*to.shape), *strides)
            error = _runtime.standInCopy(
                *where, to.ndim, *sizes, ctypes.c_size_t(to.element_size()), ctypes.c_void_p(stream)
            )
        if error:
            raise RuntimeError(f"CUDA error {error}: a copy of PyTorch's")
    return to


def _plain(to: torch.Tensor, of: torch.Tensor) -> bool:
    """Return True if PyTorch would copy by one call of cudaMemcpyAsync."""
    if to.dtype != of.dtype or to.shape != of.shape:
        return False
    if of.is_conj() or of.is_neg() or to.is_conj() or to.is_neg():
        return False
    if to.is_contiguous() and of.is_contiguous():
        return True
    return to.stride() == of.stride() and torch.ops.aten.is_non_overlapping_and_dense(to)
