"""`opgen::exp` is within its ulps of e^x, at every level of the CPU that this machine has."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.runtime import include_dir

PROGRAM = """
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
#include "opgen/exp.h"

// The error of `got` in ulps of `exact`.
template <class T>
long double ulps(T got, long double exact) {
  const T rounded = std::fabs(static_cast<T>(exact));
  const T above = std::nextafter(rounded, std::numeric_limits<T>::infinity());
  return std::fabs((got - exact) / (static_cast<long double>(above) - rounded));
}

template <class T>
void check(double low, double high, int64_t count) {
  std::vector<T> x(count), y(count);
  for (int64_t i = 0; i < count; ++i) x[i] = low + (high - low) * i / (count - 1);
  // Small ones, of either sign, too.
  for (int64_t i = 0; i < count; i += 4) x[i] = std::ldexp(x[i] / high, -(i % 40));
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] = opgen::exp(x[i]);
  long double worst = 0;
  for (int64_t i = 0; i < count; ++i) worst = std::max(worst, ulps(y[i], expl(x[i])));
  const T inf = std::numeric_limits<T>::infinity(), nan = std::nan("5");
  const T odd[] = {0, -T(0), inf, -inf, T(2 * high), T(2 * low), T(1e30), T(-1e30)};
  std::printf("%.3Lf", worst);
  for (T value : odd) std::printf(" %g", static_cast<double>(opgen::exp(value)));
  std::printf(" %d\\n", std::isnan(opgen::exp(nan)) && std::isnan(opgen::exp(-nan)));
}

int main() {
  check<float>(-87.3365, 88.369, 4000000);
  check<double>(-708.39, 709.429, 1000000);
}
"""
LOOP = """
#include "opgen/exp.h"
void each(TYPE* x, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) x[i] = opgen::exp(x[i]);
}
"""
FLAGS = ["-O3", "-fopenmp-simd", "-ffp-contract=off", "-fno-trapping-math"]
LEVELS = {"x86-64": 2.0, "x86-64-v3": 1.0, "x86-64-v4": 1.0}


def runs(level: str) -> bool:
    """Whether the machine runs what is compiled for this level."""
    needed = {"x86-64-v3": {"avx2", "fma"}, "x86-64-v4": {"avx512f", "avx512dq"}}
    found = Path("/proc/cpuinfo").read_text().split()
    return needed.get(level, set()) <= set(found)


@pytest.mark.parametrize("level", LEVELS)
def test_error_in_ulps(level: str, run_cpp) -> None:
    if not runs(level):
        pytest.skip(f"this machine has no {level}")
    for line in run_cpp(PROGRAM, *FLAGS, f"-march={level}").splitlines():
        worst, *odd = line.split()
        assert 0.4 < float(worst) <= LEVELS[level], line
        assert odd == ["1", "1", "inf", "0", "inf", "0", "inf", "0", "1"]


@pytest.mark.parametrize("type", ["float", "double"])
@pytest.mark.parametrize("level", LEVELS)
def test_is_vectorised(level: str, type: str, tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    (tmp_path / "loop.cpp").write_text(LOOP.replace("TYPE", type))
    command = [compiler, "-std=c++17", *FLAGS, f"-march={level}", f"-I{include_dir()}"]
    said = subprocess.run(
        [*command, "-fopt-info-vec-optimized", "-c", "loop.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"loop.cpp:5:\d+: optimized: loop vectorized", said.stderr)
