"""The random words of `opgen/philox.h` equal those of Philox on Python integers."""

from __future__ import annotations

import pytest

from tests.references import philox
from tests.runtime.conftest import Run
from tests.runtime.test_approximations import runs

# Prints 64 words from the index `first` on, three times: 64, 32 and 4 words at once.
PROGRAM = """
#include <cstdio>

#include "opgen/philox.h"

template <size_t words>
void print(const opgen::Philox& philox, uint64_t first) {
  uint32_t found[words];
  for (size_t at = 0; at < 64; at += words) {
    philox.fill(first + at, found);
    for (uint32_t word : found) std::printf("%u ", word);
  }
}

int main() {
  long long seed, offset;
  unsigned long long first;
  while (std::scanf("%lld %lld %llu", &seed, &offset, &first) == 3) {
    const opgen::Philox philox(seed, offset);
    print<64>(philox, first);
    print<32>(philox, first);
    print<4>(philox, first);
    std::printf("\\n");
  }
}
"""

# Includes seeds and offsets of more than 32 bits, and counters that carry into their next word.
PLACES = [
    (seed, offset, first)
    for seed, offset in [(0, 0), (-1, -1), (2**62 + 5, 3), (7, 2**40 + 1)]
    for first in (0, 64, 4 * (2**32 - 5), 2**62)
]


@pytest.mark.parametrize("level", ["x86-64", "x86-64-v3"])
def test_words(run_cpp: Run, level: str) -> None:
    if not runs(level):
        pytest.skip(f"this machine has no {level}")
    given = "\n".join(" ".join(map(str, place)) for place in PLACES)
    found = run_cpp(PROGRAM, "-fopenmp-simd", f"-march={level}", given=given).splitlines()
    for (seed, offset, first), line in zip(PLACES, found, strict=True):
        words = [philox.word(seed, offset, first + place) for place in range(64)]
        assert [*map(int, line.split())] == words * 3, (seed, offset, first)
