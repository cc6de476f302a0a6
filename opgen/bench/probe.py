"""Measure the speed of the machine itself. opgen does this between the measurements of ops.

`probe.cpp` is compiled once per machine and compiler, into the user's cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from opgen.bench.errors import BenchError
from opgen.build.machine import NO_COMPILER, cpp_compiler
from opgen.source.frozen import dataclass
from opgen.source.user_cache import cache_folder

SOURCE = Path(__file__).with_name("probe.cpp")
# -march=native gives the best rates of this machine. -ffast-math is not used, because it would
# remove operations from the measured loops.
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-fno-math-errno")
# Linux's flags and the vendors' names for the widest registers of a processor, the widest first.
EXTENSIONS = {
    "amx_bf16": "AMX",
    "avx512_bf16": "AVX-512 BF16",
    "avx512f": "AVX-512",
    "avx2": "AVX2",
}
MIB = 2**20
BUFFER = 64 * MIB
OPERATIONS = 2**26


@dataclass(frozen=True)
class Rate:
    """A rate of the machine. One run of `call` processes `amount` bytes or operations."""

    name: str
    unit: str
    amount: float
    call: Callable[[], object]


def rates(threads: int) -> Mapping[str, Rate]:
    """Return the rates to measure: memcpy, stream, read (bytes), fma (operations), exp (calls).

    For a copy, the read and the written bytes are added, and a multiply-add counts as two
    floating-point operations. stream is a copy that bypasses the caches when it writes. Raises
    `BenchError` if the probe cannot be compiled.
    """
    probe = library()
    source, target = (_aligned(BUFFER) for _ in range(2))
    floats = source.view(np.float32)

    def copy() -> None:
        probe.probe_copy(target.ctypes.data, source.ctypes.data, BUFFER, threads)

    def stream() -> None:
        probe.probe_stream(target.ctypes.data, source.ctypes.data, BUFFER, threads)

    def read() -> float:
        return float(probe.probe_read(floats.ctypes.data, floats.size, threads))

    found = (
        Rate("memcpy", "B/s", 2 * BUFFER, copy),
        Rate("stream", "B/s", 2 * BUFFER, stream),
        Rate("read", "B/s", BUFFER, read),
        Rate(
            "fma",
            "FLOP/s",
            2 * OPERATIONS * threads,
            lambda: probe.probe_fma(OPERATIONS * threads, threads),
        ),
        Rate(
            "exp",
            "exp/s",
            OPERATIONS * threads // 8,
            lambda: probe.probe_exp(OPERATIONS * threads // 8, threads),
        ),
    )
    return {rate.name: rate for rate in found}


def _aligned(size: int) -> np.ndarray:
    """Return an array of bytes that begins on a cache line, with all pages already in memory."""
    whole = np.ones(size + 64, np.uint8)
    begin = -whole.ctypes.data % 64
    return whole[begin : begin + size]


def library() -> ctypes.CDLL:
    """Return the compiled probe."""
    probe = ctypes.CDLL(os.fspath(_compiled()))
    pointer, count, threads = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int
    for name, result, arguments in (
        ("probe_copy", None, (pointer, pointer, count, threads)),
        ("probe_stream", None, (pointer, pointer, count, threads)),
        ("probe_read", ctypes.c_float, (pointer, count, threads)),
        ("probe_fma", ctypes.c_float, (count, threads)),
        ("probe_exp", ctypes.c_float, (count, threads)),
        ("probe_exp_values", None, (pointer, pointer, count)),
    ):
        function = getattr(probe, name)
        function.restype, function.argtypes = result, arguments
    return probe


def _compiled() -> Path:
    compiler = cpp_compiler()
    if not compiler:
        raise BenchError(NO_COMPILER)
    key = hashlib.sha256(repr((SOURCE.read_bytes(), FLAGS, compiler, cpu())).encode()).hexdigest()[
        :12
    ]
    cache = cache_folder()
    if cache is None:
        raise BenchError(
            "the user's cache folder cannot be used: others own it, or may write to it"
        )
    place = cache / f"probe-{key}.so"
    if place.is_file():
        return place
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        draft = Path(folder, place.name)
        command = [*compiler, *FLAGS, str(SOURCE), "-o", str(draft)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchError(f"the probe did not compile:\n{done.stderr}")
        os.replace(draft, place)
    return place


def cpu(file: Path = Path("/proc/cpuinfo")) -> str:
    """Return the name of the processor, and the name of its widest registers.

    The processor's name alone is not enough, because clouds use one name for several processors.
    """
    try:
        text = file.read_text()
    except OSError:
        text = ""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    flags = fields.get("flags", "").split()
    widest = [name for flag, name in EXTENSIONS.items() if flag in flags][:1]
    return ", ".join([fields.get("model name", "unknown processor"), *widest])


def last_level_cache() -> int:
    """Return the size of the largest cache in bytes, or 32 MiB if the system does not report it."""
    sizes = []
    for file in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = file.read_text().strip()
        if text.endswith("K") and text[:-1].isdigit():
            sizes.append(int(text[:-1]) * 1024)
    return max(sizes, default=32 * MIB)
