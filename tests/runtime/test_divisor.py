"""`opgen/divisor.h` gives exact quotients of small, very large and random numbers."""

from __future__ import annotations

PROGRAM = r"""
#include <cstdio>
#include <random>
#include "opgen/divisor.h"

int main() {
  std::mt19937_64 random(std::random_device{}());
  const auto any = [&] { return static_cast<int64_t>(random() >> (1 + random() % 63)); };
  for (int i = 0; i < 200000; ++i) {
    const int64_t by = i < 1000 ? i + 1 : any() + (i % 2 == 0);
    if (by < 1) continue;
    const opgen::Divisor divide(by);
    const int64_t whole = INT64_MAX / by * by, near = any() / by * by;
    for (const int64_t n : {int64_t{0}, by - 1, by, INT64_MAX, whole, whole - 1, near, any()}) {
      if (n < 0 || divide(n) == n / by) continue;
      std::printf("%lld / %lld", static_cast<long long>(n), static_cast<long long>(by));
      return 0;
    }
  }
}
"""


def test_divisor(run_cpp) -> None:
    assert run_cpp(PROGRAM, "-O1") == ""
