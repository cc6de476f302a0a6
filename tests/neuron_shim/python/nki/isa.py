"""The functions of `nki.isa` that our kernels use, over NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nki import language
from nki.language import NkiTensor, Refused


def iota(
    dst: NkiTensor, pattern: list[list[int]], offset: int = 0, channel_multiplier: int = 0
) -> None:
    """Write `offset`, plus a number per partition, plus a step per position in the free dim."""
    ((step, count),) = pattern
    partitions = np.arange(dst.shape[0])[:, None]
    dst.put(offset + channel_multiplier * partitions + step * np.arange(count))


def tensor_tensor(dst: NkiTensor, data1: NkiTensor, data2: NkiTensor, op: Callable) -> None:
    dst.put(op(data1, data2).array)


def tensor_copy(dst: NkiTensor, src: NkiTensor) -> None:
    dst.put(language.copy(src).array)


def memset(dst: NkiTensor, value: float) -> None:
    dst.put(np.full(dst.shape, value))


def tensor_tensor_scan(
    dst: NkiTensor,
    data0: NkiTensor,
    data1: NkiTensor,
    initial: NkiTensor,
    op0: Callable,
    op1: Callable,
) -> None:
    """Write `op1(op0(data0[i], result[i - 1]), data1[i])` along the free dim, in f32."""
    last, columns = language.copy(initial, dtype=language.float32), []
    for n in range(dst.shape[1]):
        one, every = slice(n, n + 1), slice(0, dst.shape[0])
        last = op1(op0(data0[every, one], last), data1[every, one], dtype=language.float32)
        columns.append(last.array)
    dst.put(np.concatenate(columns, 1))


def dma_copy(dst: NkiTensor, src: NkiTensor) -> None:
    if "psum" in (dst.buffer, src.buffer):
        raise Refused("dma_copy: between HBM and SBUF; copy what is in PSUM first")
    if not src.written.all():
        raise Refused(f"a {src.shape} tensor is read before it is written")
    dst.put(src.array)


def core_barrier(data: NkiTensor, cores: Sequence[int], **_: Any) -> None:
    """Wait until every program has reached this call."""
    if data.buffer != language.shared_hbm or tuple(cores) != (0, 1):
        raise Refused("core_barrier: of shared HBM, for the cores (0, 1)")
    if language.num_programs() != len(cores):
        raise Refused("core_barrier: only where two programs run")
    language._here.launch.barrier.wait(timeout=60)
