"""Candidates in Python that cheat `opgen judge`, each in a different way."""

import ctypes
import gc
import os
import sys
import threading
import time

import numpy as np

KEPT = {}
CALLS = [0]


def right(x, *, scale):
    """Compute the op correctly."""
    with np.errstate(all="ignore"):
        return x.dtype.type(scale) * x / (1 + np.abs(x))


def zeros(x, *, scale):
    return np.zeros_like(x)


def kept_by_shape(x, *, scale):
    key = (x.shape, x.dtype, scale)
    return KEPT.setdefault(key, right(x, scale=scale))


def kept_by_address(x, *, scale):
    key = (x.ctypes.data, x.shape, x.dtype, scale)
    return KEPT.setdefault(key, right(x, scale=scale))


def writes_its_input(x, *, scale):
    x[...] = right(x, scale=scale)
    return x


def computes_in_half(x, *, scale):
    if x.dtype != np.float32:
        return right(x, scale=scale)
    with np.errstate(all="ignore"):
        return right(x.astype(np.float16), scale=scale).astype(np.float32)


def patches_the_timer(x, *, scale):
    time.perf_counter = time.monotonic = lambda: 0.0
    time.sleep(0.002)
    return right(x, scale=scale)


def patches_the_checks(x, *, scale):
    for module in [m for n, m in sys.modules.items() if n.startswith("opgen.")]:
        for name in ("wrong_results", "departure", "_put", "close", "examined", "faults"):
            if hasattr(module, name):
                setattr(module, name, lambda *_, **__: iter(()))
    return np.zeros_like(x)


def answers_for_its_process(x, *, scale):
    for number in range(3, 20):
        try:
            os.write(number, b'{"status": 0}\n')
        except OSError:
            pass
    return np.zeros_like(x)


def finds_the_reference(x, *, scale):
    for each in gc.get_objects():
        if isinstance(each, np.ndarray) and each is not x and each.shape == x.shape:
            if each.dtype == np.float64 and np.isfinite(each).all():
                return each.astype(x.dtype)
    return np.zeros_like(x)


def of_another_dtype(x, *, scale):
    return right(x.astype(np.float64), scale=scale)


def of_another_shape(x, *, scale):
    return right(x, scale=scale).reshape(-1)


def refuses_odd_sizes(x, *, scale):
    if x.size > 2**12:
        raise ValueError("too large")
    return right(x, scale=scale)


def draws(x, *, scale):
    y = right(x, scale=scale)
    return np.where(np.random.default_rng().random(x.shape) < 0.5, y, np.nextafter(y, y + 1))


def leaves_a_thread(x, *, scale):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return right(x, scale=scale)


def leaves_a_process(x, *, scale):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
    return right(x, scale=scale)


def leaves(x, *, scale):
    os._exit(0)


def takes_all_memory(x, *, scale):
    KEPT["memory"] = np.ones(2**31, np.float64)
    return right(x, scale=scale)


def writes_a_file(x, *, scale):
    with open(f"kept-{x.size}", "wb") as file:
        file.write(right(x, scale=scale).tobytes())
    return right(x, scale=scale)


def is_right_at_first(x, *, scale):
    CALLS[0] += 1
    return right(x, scale=scale) if CALLS[0] < 60 else np.zeros_like(x)


def is_right_until_timed(x, *, scale):
    CALLS[0] += x.size == 8192
    return right(x, scale=scale) if CALLS[0] < 60 or x.size == 8192 else np.zeros_like(x)


def crashes(x, *, scale):
    return ctypes.string_at(0)
