"""`std::numeric_limits` of bf16, f16 and the 8-bit floats agrees with ml_dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from opgen.language.dtypes import DTYPES
from opgen.testing.environment import numpy_dtype

NAMES = [n for n, d in DTYPES.items() if d.kind == "float" and 8 <= d.bits <= 16]
PROGRAM = r"""
#include <cstdio>
#include "opgen/dtype.h"

template <class T>
void print(const char* name) {
  using Limits = std::numeric_limits<T>;
  static_assert(Limits::is_specialized && Limits::is_bounded && !Limits::is_integer);
  constexpr T max = Limits::max();  // a constant expression
  std::printf("%s %d %d %d %d %d %d", name, Limits::digits, Limits::min_exponent,
              Limits::max_exponent, int(Limits::has_infinity), int(Limits::is_signed),
              int(Limits::has_denorm == std::denorm_present));
  for (T value : {max, Limits::lowest(), Limits::min(), Limits::epsilon(), Limits::round_error(),
                  Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()}) {
    std::printf(" %d", int(value.bits));
  }
  std::printf("\n");
}
static_assert(!std::numeric_limits<opgen::f4e2m1>::is_specialized, "an object holds two");

int main() {
PRINTS}
""".replace("PRINTS", "".join(f'  print<opgen::{n}>("{n}");\n' for n in NAMES))


def test_limits_are_those_of_the_numbers(run_cpp) -> None:
    lines = run_cpp(PROGRAM).splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    for line in lines:
        name, *numbers = line.split()
        digits, least, greatest, infinite, signed, denormal, *bits = map(int, numbers)
        dtype = numpy_dtype(name)
        raw = np.array(bits, np.uint64).astype(f"u{dtype.itemsize}").view(dtype)
        found = raw.astype(np.float64)
        highest, lowest, small, eps, half, tiny, infinity, nan = found
        limits = ml_dtypes.finfo(dtype)
        assert [highest, lowest] == [float(limits.max), float(limits.min)], name
        assert [small, eps] == [float(limits.smallest_normal), float(limits.eps)], name
        assert tiny == float(limits.smallest_subnormal) and half == 0.5 and np.isnan(nan), name
        assert digits == limits.nmant + 1 and 2.0 ** (least - 1) == small, name
        assert 2.0 ** (greatest - 1) <= highest < 2.0**greatest, name
        assert bool(infinite) == bool(np.isinf(np.array(np.inf).astype(dtype).astype(float))), name
        assert np.isinf(infinity) == bool(infinite), name
        assert bool(signed) == (lowest < 0) and bool(denormal) == (tiny < small), name
