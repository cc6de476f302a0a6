"""Run Triton kernels on the CPU in a separate process.

Triton decides at import whether to use its interpreter, and this process may already have imported
Triton without it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from typing import Any

import numpy as np

from opgen.testing.arrays import from_torch, to_torch


def run(file: str, function: str, grid: tuple[int, ...], arguments: dict[str, Any]) -> Any:
    """Run a kernel. Return, by name, the arrays in `arguments` as they are after the run."""
    return _process().submit(_run, file, function, grid, arguments).result()


@cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_interpret)


def _interpret() -> None:
    os.environ["TRITON_INTERPRET"] = "1"


def _run(file: str, function: str, grid: tuple[int, ...], arguments: dict[str, Any]) -> Any:
    given = {n: to_torch(a) if isinstance(a, np.ndarray) else a for n, a in arguments.items()}
    getattr(_module(file), function)[grid](**given)
    arrays = (name for name, value in arguments.items() if isinstance(value, np.ndarray))
    return {name: from_torch(given[name]) for name in arrays}


@cache
def _module(file: str) -> Any:
    name = f"interpreted_{hashlib.sha256(file.encode()).hexdigest()[:8]}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None, file
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
