"""Approximations of functions like `exp` have bounded errors over the whole range of every dtype.

Errors are in ulps, units in the last place. The tests cover every CPU level that this machine
supports (such as x86-64-v3), and the CUDA code compiled for the host. `pytest -s` on this file
prints the largest errors.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import ml_dtypes
import mpmath
import numpy as np
import pytest

from opgen.build.runtime_files import include_dir

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FLAGS = "-std=c++17 -O3 -mprefer-vector-width=512 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -w"
BUILDS = {
    "x86-64": "-march=x86-64",
    "x86-64-v3": "-march=x86-64-v3",
    "x86-64-v4": "-march=x86-64-v4",
    "cuda": f"-x c++ -DOPGEN_CUDA_KERNELS -I{HERE / 'cuda_emulation'}",
}
DTYPES = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
}
PI = "3.14159265358979323846264338327950288"
HALF = 0.51  # ulps of 16-bit results: computed in f32, rounded once


def shares(x):
    """Return sigmoid(x) and sigmoid(-x). Neither is computed by a subtraction."""
    small = np.exp(-abs(x))
    less, more = small / (1 + small), 1 / (1 + small)
    return np.where(x < 0, less, more), np.where(x < 0, more, less)


def silu(x):
    return x * shares(x)[0]


def silu_slope(x):
    share, rest = shares(x)
    return share * (1 + x * rest)


def silu_slope_terms(x):
    share, rest = shares(x)
    return share * (1 + abs(x) * rest)


def precise_silu_slope(x):
    share = 1 / (1 + mpmath.exp(-x))
    return share * (1 + x * (1 - share))


def gelu(x):
    return x * below(x)[0]


def gelu_slope(x):
    share, density = below(x)
    return np.where(share == 0, -(x - x) - share, share + x * density)


def gelu_slope_terms(x):
    share, density = below(x)
    return share + abs(x) * density


def below(x):
    """Return the cumulative probability and the density of the normal distribution at x."""
    z = np.minimum(abs(x), 200)  # beyond 200, the tail and the density are 0
    head = z.astype(np.float32).astype(x.dtype)  # the square of `head` is exact
    power = np.exp(-head * head / 2) * np.exp((head - z) * (head + z) / 2)
    density = power / np.sqrt(2 * np.longdouble(PI))
    fraction, series, term = z, z, z
    for k in range(1000, 0, -1):
        fraction = z + k / fraction
    for k in range(3, 101, 2):
        term = term * z * z / k
        series = series + term
    tail = np.where(z < 1, np.longdouble(0.5) - density * series, density / fraction)
    return np.where(x < 0, tail, 1 - tail), density


def bent(x):
    """Return `2 sqrt(2/pi) (x + 0.044715 x^3)`, the argument of the sigmoid, and its derivative."""
    factor, cubic = np.sqrt(8 / np.longdouble(PI)), np.longdouble("0.044715")
    return factor * x * (1 + cubic * x * x), factor * (1 + 3 * cubic * x * x)


def gelu_tanh(x):
    return x * shares(bent(x)[0])[0]


def gelu_tanh_terms(x):
    """Return the size of the terms of `gelu_tanh`, with the error of the exponential's argument."""
    v, _ = bent(x)
    share, rest = shares(v)
    return x * share * (1 + times(abs(v), rest))


def gelu_tanh_slope(x):
    v, steep = bent(x)
    share, rest = shares(v)
    return np.where(share == 0, -(x - x) - share, share + x * times(steep, share * rest))


def gelu_tanh_slope_terms(x):
    v, steep = bent(x)
    share, rest = shares(v)
    both = abs(x) * times(steep * (1 + abs(v)), share * rest)
    return share * (1 + times(abs(v), rest)) + both


def times(large, small):
    """Return `large * small`, and 0 where `small` is 0 even if `large` is infinite."""
    return np.where(small == 0, 0, large) * small


def precise_gelu_tanh(x):
    v = mpmath.sqrt(8 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)
    return x / (1 + mpmath.exp(-v))


@dataclass(frozen=True)
class Function:
    """A function in long double (`exact`) and in mpmath (`precise`).

    If `exact` is a sum of terms that cancel, `terms` returns their size, and errors are in ulps of
    this size.
    """

    exact: Callable
    precise: Callable
    terms: Callable | None = None
    most: float = np.inf  # largest argument
    # The function is 0 for arguments below this number, which differs between f32 and f64.
    least: tuple[float, float] = (-np.inf, -np.inf)


NORMAL = tuple(np.log(np.finfo(x).tiny.astype(np.longdouble)) for x in (np.float32, np.float64))
EXP = Function(np.exp, mpmath.exp)
FUNCTIONS = {
    "exp": EXP,
    "exp_of": EXP,
    "exp_of_small": Function(np.exp, mpmath.exp, most=60.0, least=NORMAL),
    "exp_as_factor": Function(np.exp, mpmath.exp, most=60.0, least=(-70.0, -560.0)),
    "quick_exp": Function(np.exp, mpmath.exp, lambda x: np.exp(x) * (1 + abs(x) / 2), most=0.0),
    "silu": Function(silu, lambda x: x / (1 + mpmath.exp(-x))),
    "silu'": Function(silu_slope, precise_silu_slope, silu_slope_terms),
    "gelu": Function(gelu, lambda x: x * mpmath.ncdf(x)),
    "gelu'": Function(gelu_slope, lambda x: mpmath.ncdf(x) + x * mpmath.npdf(x), gelu_slope_terms),
    "gelu_tanh": Function(gelu_tanh, precise_gelu_tanh, gelu_tanh_terms),
    "gelu_tanh'": Function(
        gelu_tanh_slope, lambda x: mpmath.diff(precise_gelu_tanh, x), gelu_tanh_slope_terms
    ),
}
# Allowed errors in ulps, in f32 and f64: without fused multiply-add, and with it.
ALLOWED = {
    "exp": (2, 1),
    "exp_of": (2, 1),
    "exp_of_small": (2, 1),
    "exp_as_factor": (2, 1),
    "quick_exp": (3, 3),
    "silu": (5, 3),
    "silu'": (20, 20),
    "gelu": (7, 7),
    "gelu'": (7, 7),
    "gelu_tanh": (4, 4),
    "gelu_tanh'": (4, 4),
}


@cache
def arguments(dtype: np.dtype) -> np.ndarray:
    """Return the arguments to test: all numbers of a 16-bit dtype, a sample of a wider dtype.

    Most of the sample is in the range where e^x or e^(-x^2/2) is finite. It includes the neighbours
    of the arguments at which e^x or e^-x overflows, becomes subnormal or becomes 0.
    """
    count, bits = 50_000, 8 * dtype.itemsize
    if bits == 16:
        return np.arange(2**16, dtype=np.uint16).view(dtype)
    rng, info = np.random.default_rng(), np.finfo(dtype)
    integer = np.dtype(f"u{dtype.itemsize}")
    ends = np.log(np.array([info.max, info.tiny, info.smallest_subnormal], dtype))
    widest = 1.05 * np.max(np.abs(ends))
    dense = rng.uniform(-widest, widest, count).astype(dtype)
    borders = np.concatenate([ends, -ends]).view(integer)[:, None]
    borders = (borders + np.arange(-300, 300).astype(integer)).ravel().view(dtype)
    normal = rng.normal(0, np.sqrt(widest), count).astype(dtype)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, info.max, -info.max], dtype)
    everything = rng.integers(0, 2**bits, count, integer, endpoint=False).view(dtype)
    return np.concatenate([dense, normal, borders, special, everything])


@cache
def table(name: str, dtype: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return arguments of a function, its exact values, and the sizes whose ulps count.

    Values and sizes are in long double.
    """
    function, x = FUNCTIONS[name], arguments(DTYPES[dtype])
    x = x[~(x > function.most)]
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
        exact = np.where(wide < function.least[dtype == "f64"], 0, function.exact(wide))
        return x, exact, exact if function.terms is None else function.terms(wide)


def ulps(got: np.ndarray, exact: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the errors of `got` in units in the last place of `size`.

    An infinite number counts as the next number after the largest finite one. The error is infinite
    if only one of the numbers is NaN, or if a 0 has the wrong sign.
    """
    info = ml_dtypes.finfo(got.dtype)
    end = np.ldexp(np.longdouble(1), info.maxexp)
    wide = np.clip(got.astype(np.longdouble), -end, end)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.clip(abs(size), info.smallest_normal, np.longdouble(info.max)))
        spacing = np.ldexp(np.longdouble(info.eps), exponent - 1)
        error = np.abs(wide - np.clip(exact, -end, end)) / spacing
    error = np.where(np.isnan(got) & np.isnan(exact), 0, error)
    error = np.where((got == 0) & (np.signbit(wide) != np.signbit(exact)), np.inf, error)
    return np.where(np.isnan(error), np.inf, error)


def kinds(exact: np.ndarray, dtype: np.dtype) -> dict[str, np.ndarray]:
    """Return masks of the results that are zero, subnormal, normal, infinite and NaN."""
    info = ml_dtypes.finfo(dtype)
    size, tiny = abs(exact), np.longdouble(info.smallest_normal)
    half = tiny * np.longdouble(info.eps) / 2
    large = np.longdouble(info.max) * (1 + np.longdouble(info.eps) / 4)
    return {
        "zero": size <= half,
        "subnormal": (half < size) & (size < tiny),
        "normal": (tiny <= size) & (size < large),
        "infinite": size >= large,
        "nan": np.isnan(size),
    }


@pytest.fixture(scope="module", params=BUILDS)
def build(request, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of a build, and its compiled program."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    if request.param.startswith("x86-64-v") and not runs(request.param):
        pytest.skip(f"this machine has no {request.param}")
    program = tmp_path_factory.mktemp("approximations") / "program"
    places = [include_dir(), ROOT / "runtime" / "kernels", ROOT / "generated" / "cpp"]
    command = [compiler, *FLAGS.split(), *BUILDS[request.param].split()]
    command += [*(f"-I{place}" for place in places), str(HERE / "approximations.cpp")]
    built = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:4000]
    return request.param, program


def runs(level: str) -> bool:
    """Return True if the machine can run code compiled for this CPU level."""
    needed = {"x86-64-v3": {"avx2", "fma"}, "x86-64-v4": {"avx512f", "avx512dq"}}
    found = Path("/proc/cpuinfo").read_text().split()
    return needed.get(level, set()) <= set(found)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_error_in_ulps(name: str, dtype: str, build: tuple[str, Path]) -> None:
    level, program = build
    x, exact, size = table(name, dtype)
    ran = subprocess.run([program, name, dtype], input=x.tobytes(), capture_output=True)
    if ran.returncode == 1:
        pytest.skip(f"{level} has another {name}")
    assert ran.returncode == 0
    got = np.frombuffer(ran.stdout, x.dtype)
    errors = ulps(got, exact, size)
    worst = {k: errors[at].max() for k, at in kinds(exact, x.dtype).items() if at.any()}
    figures = "  ".join(f"{kind} {error:.2f}" for kind, error in worst.items())
    print(f"\n{name:12} {dtype:4} {level:9}  {figures}", end="")
    fused = level in ("x86-64-v3", "x86-64-v4")
    allowed = HALF if x.dtype.itemsize == 2 else ALLOWED[name][fused]
    at = np.argmax(errors)
    assert errors[at] <= allowed, f"{name}({x[at]}) = {got[at]}, exactly {exact[at]}"


@pytest.mark.parametrize(
    "name", ["exp", "silu", "silu'", "gelu", "gelu'", "gelu_tanh", "gelu_tanh'"]
)
def test_the_table_is_exact(name: str) -> None:
    """The long-double values differ from mpmath's by at most 0.01 ulps of f64."""
    function = FUNCTIONS[name]
    rng = np.random.default_rng()
    x = np.concatenate([rng.uniform(-745, 709, 300), rng.uniform(-38, 38, 300)])
    wide = x.astype(np.longdouble)
    exact = function.exact(wide)
    size = exact if function.terms is None else function.terms(wide)
    with mpmath.workprec(200):
        for one, value, terms in zip(x, exact, size):
            error = in_mpmath(value) - function.precise(mpmath.mpf(one))
            spacing = np.spacing(float(abs(terms)))
            assert abs(error) <= mpmath.mpf("0.01") * mpmath.mpf(spacing), one


def in_mpmath(value: np.longdouble) -> mpmath.mpf:
    fraction, exponent = np.frexp(value)
    return mpmath.ldexp(mpmath.mpf(int(np.ldexp(fraction, 120))), int(exponent) - 120)


LOOP = """
#include "opgen/exp.h"
void each(TYPE* x, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) x[i] = opgen::exp(x[i]);
}
"""


@pytest.mark.parametrize("type", ["float", "double"])
@pytest.mark.parametrize("level", [name for name in BUILDS if name != "cuda"])
def test_exp_is_vectorised(level: str, type: str, tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    (tmp_path / "loop.cpp").write_text(LOOP.replace("TYPE", type))
    command = [compiler, *FLAGS.split(), BUILDS[level], f"-I{include_dir()}"]
    said = subprocess.run(
        [*command, "-fopt-info-vec-optimized", "-c", "loop.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"loop.cpp:5:\d+: optimized: loop vectorized", said.stderr)
