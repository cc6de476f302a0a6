"""The C++ headers and `opgen.language.dtypes` agree on every element type."""

from __future__ import annotations

import os
from pathlib import Path

from opgen.language.dtypes import DTYPES, accum, promote, real
from opgen.targets.cpp import element_types

HEADER = Path(__file__).parents[2] / "runtime/include/opgen/element_types.h"
NAMES = list(DTYPES)

PROGRAM = r"""
#include <cstdio>
#include "opgen/dtype.h"
using namespace opgen;

template <int32_t code>
void type_of_code() {
  using T = native_t<static_cast<ElementType>(code)>;
  static_assert(element_type_v<T> == static_cast<ElementType>(code));
  static_assert(sizeof(T) == size_of(element_type_v<T>));
  static_assert(element_type_v<accum_t<T>> == accum(element_type_v<T>));
  if constexpr (code + 1 < element_type_count) type_of_code<code + 1>();
}

int main() {
  type_of_code<0>();
  for (int a = 0; a < element_type_count; ++a) {
    const auto type = static_cast<ElementType>(a);
    std::printf("%s %d %s %s", name(type), int(bits(type)), name(accum(type)), name(real(type)));
    for (int b = 0; b < element_type_count; ++b) {
      std::printf(" %s", name(promote(type, static_cast<ElementType>(b))));
    }
    std::printf("\n");
  }
}
"""


def test_the_header_is_up_to_date() -> None:
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        HEADER.write_text(element_types.header())
    assert HEADER.read_text() == element_types.header()


def test_headers_agree_with_the_table(run_cpp) -> None:
    lines = run_cpp(PROGRAM).splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    for line in lines:
        name, bits, wide, part, *pairs = line.split()
        assert [int(bits), wide, part] == [DTYPES[name].bits, accum(name), real(name)]
        for other, got in zip(NAMES, pairs, strict=True):
            assert got == promote(name, other), (name, other)
