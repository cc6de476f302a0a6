"""Tuned values of kernels, which `opgen tune` chooses: look them up for a call, or force them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

from .kernel_choice import entry, which
from .project import LISTED, TUNED
from .runtime import DTYPES, Launch


class _DeviceName(ctypes.Structure):
    """The C++ struct `opgen::DeviceName`."""

    _fields_ = [("text", ctypes.c_char * 160)]


P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Tuned(Protocol[P, R_co]):
    """The type of an op's function if the op's kernel has values to tune."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...

    def tuned(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, int]:
        """Return the tuned values that this call's kernel receives.

        `opgen tune` chooses values for a device and for dtypes and sizes. If it has chosen none for
        this call, the values are the first ones listed in the spec.
        """


class TunedKernel(NamedTuple):
    """A kernel with values to tune: one of an op's kernels for a platform.

    `name` is the kernel's name if the spec lists several kernels, and otherwise "".
    """

    op: str
    platform: str
    name: str = ""

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the tuned values."""
        return TUNED[self.op][self.platform][self.name]

    def device_name(self, device: int = 0) -> str:
        """Return the name under which the tables of tuned values list a device."""
        function = self._entry("device")
        function.restype = _DeviceName
        return bytes(function(device).text).decode(errors="replace")

    def force(self, values: Sequence[int] | None) -> None:
        """Force these values for all calls. None restores the values of the tables. Use this only
        for measurements.
        """
        kept = None if values is None else self._struct(*values)
        self._entry("force")(None if kept is None else ctypes.byref(kept))
        _kept[self] = kept

    def values(self, launch: Launch[Any] | None, threads: int, device: int) -> dict[str, int]:
        """Return the tuned values for a call that uses `threads` threads on device `device`."""
        own = f"{self.platform}.{self.name}" if self.name else self.platform
        assert launch is not None
        dtypes, sizes = launch.tuned[own]()
        code = 0
        for dtype in dtypes:
            code = code << 5 | DTYPES[dtype].code
        found = self._struct()
        self._entry("for")(
            (ctypes.c_int64 * len(sizes))(*sizes),
            ctypes.c_uint64(code),
            ctypes.c_int32(threads),
            ctypes.c_int32(device),
            ctypes.byref(found),
        )
        return dict(zip(self.parameters, found.values, strict=True))

    def _struct(self, *values: int) -> Any:
        count = len(self.parameters)
        kind = type(
            "Values", (ctypes.Structure,), {"_fields_": [("values", ctypes.c_int64 * count)]}
        )
        return kind((ctypes.c_int64 * count)(*values)) if values else kind()

    def _entry(self, what: str) -> Any:
        own = f"{self.name}_" if self.name else ""
        return entry(self.op, self.platform, f"{own}tuned_{what}")


def values_of(
    op: str, platform: str, launch: Launch[Any] | None, threads: int, device: int
) -> dict[str, int]:
    """Return the tuned values for the kernel of a call, or {} if the kernel has none."""
    name: str | None = which(op, platform, launch).kernel if op in LISTED else ""
    if name is None or name not in TUNED.get(op, {}).get(platform, {}):
        return {}
    return TunedKernel(op, platform, name).values(launch, threads, device)


# Forced values. They must stay alive, because the libraries hold pointers to them.
_kept: dict[TunedKernel, Any] = {}
