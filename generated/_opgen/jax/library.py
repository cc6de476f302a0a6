"""The library with the kernels' XLA FFI handlers."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import re
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax

from ..core import libraries
from ..core.project import LIBRARIES, NAMESPACE

# XLA's names of the platforms that kernels are written for.
PLATFORMS = {"cpu": "cpu", "cuda": "CUDA", "hip": "ROCM"}


@functools.cache
def load() -> ctypes.CDLL:
    """Load this package's library for JAX. Raises ImportError if the library is missing."""

    def read(path: str) -> None:
        _refuse_newer(LIBRARIES)
        ctypes.CDLL(path)

    return libraries.load("jax", read)


def _refuse_newer(folder: Path) -> None:
    """Raise ImportError if the library was built with a newer FFI of XLA than this jaxlib has.

    XLA would reject the handlers, and the first call would report that no handlers exist.
    """
    record, header = folder / "BUILD.json", Path(jax.ffi.include_dir(), "xla/ffi/api/c_api.h")
    if not record.is_file() or not header.is_file():
        return
    found = dict(re.findall(r"#define XLA_FFI_API_(MAJOR|MINOR) (\d+)", header.read_text()))
    built = _ffi_of(record)
    if built is None or not found:
        return
    here = int(found["MAJOR"]), int(found["MINOR"])
    if built > here:
        raise ImportError(
            f"{NAMESPACE} was built with the headers of a newer jaxlib (XLA's FFI "
            f"{built[0]}.{built[1]}) than the one that runs (jaxlib {version('jaxlib')}, "
            f"{here[0]}.{here[1]}): run `opgen build` with the oldest jaxlib that is to load it, "
            "or install a newer one"
        )


def _ffi_of(record: Path) -> tuple[int, int] | None:
    """Return the version of XLA's FFI in a build's record, or None if it cannot be parsed."""
    try:
        major, minor = json.loads(record.read_text())["ffi"].split(".")
        return int(major), int(minor)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


@functools.cache
def register(op: str, platforms: tuple[str, ...]) -> tuple[str, ...]:
    """Register the handlers of `op` with XLA, and return the platforms that the library
    supports.
    """
    built = []
    for platform in filter(PLATFORMS.__contains__, platforms):
        handler = getattr(load(), f"{NAMESPACE}_{op}_{platform}_ffi", None)
        if handler is not None:
            if os.environ.get("OPGEN_SHADOW"):
                debug: Any = import_module("..debug.jax", __package__)
                handler = debug.watched(op, platform, handler)
            stages = {
                "instantiate": getattr(load(), f"{NAMESPACE}_{op}_{platform}_ffi_made"),
                "execute": handler,
            }
            capsules = {stage: jax.ffi.pycapsule(each) for stage, each in stages.items()}
            target = f"{NAMESPACE}.{op}"
            jax.ffi.register_ffi_target(target, capsules, platform=PLATFORMS[platform])
            built.append(platform)
    return tuple(built)
