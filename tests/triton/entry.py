"""Call an entry function by ctypes, in a process with a fake CUDA driver: `entry.py LIBRARY CALL`."""

from __future__ import annotations

import ctypes
import json
import sys

PLATFORM_INDEPENDENT = ctypes.c_int64 * 3


class Buffer(ctypes.Structure):
    """The C++ struct `opgen::Buffer`."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
    )


class Context(ctypes.Structure):
    """The C++ struct `opgen::Context`."""

    _fields_ = (
        ("stream", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("parallel_for", ctypes.c_void_p),
        ("threads", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("grid", PLATFORM_INDEPENDENT),
        ("block", PLATFORM_INDEPENDENT),
        ("program", PLATFORM_INDEPENDENT),
        ("workspace", ctypes.c_void_p),
        ("workspace_bytes", ctypes.c_int64),
        ("symbol", ctypes.c_int32),
        ("kernel", ctypes.c_int32),
        ("failure", ctypes.c_void_p),
    )


def buffer(address: int, shape: list[int], dtype: int) -> Buffer:
    if not address:
        return Buffer(None, None, None, -1, dtype)
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    return Buffer(address, sizes, sizes, len(shape), dtype)


def main(library: str, call: str) -> None:
    given = json.loads(call)
    buffers = [buffer(*each) for each in given["buffers"]]
    descriptor = ctypes.create_string_buffer(bytes.fromhex(given["descriptor"]))
    context = Context(threads=1, **given["context"])
    context.grid = PLATFORM_INDEPENDENT(*given["grid"])

    class Args(ctypes.Structure):
        _fields_ = (
            ("desc", ctypes.c_void_p),
            ("ctx", ctypes.c_void_p),
            ("buffers", Buffer * len(buffers)),
        )

    args = Args(
        ctypes.addressof(descriptor), ctypes.addressof(context), (Buffer * len(buffers))(*buffers)
    )
    entry = getattr(ctypes.CDLL(library), given["entry"])
    entry.argtypes = [ctypes.c_void_p]
    print([entry(ctypes.addressof(args)) for _ in range(given["times"])])


main(*sys.argv[1:])
