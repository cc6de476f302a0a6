"""The C++ dispatch table runs the kernel instance of the call's dtypes."""

from __future__ import annotations

from tests.runtime.conftest import Run

PROGRAM = """
#include <cstdio>

#include "opgen/dispatch.h"

template <class A, class B>
struct Sizes {
  explicit Sizes(int given) : given(given) {}
  int given;
};

template <class A, class B>
opgen::Status print(const Sizes<A, B>& sizes) {
  std::printf("%d %d %d\\n", int(sizeof(A)), int(sizeof(B)), sizes.given);
  return opgen::Status::unsupported;
}

int main() {
  using opgen::ElementType;
  using Table = opgen::Table<opgen::Row<float, double>, opgen::Row<opgen::bf16, float>>;
  const uint64_t numbers[] = {opgen::row(ElementType::F32, ElementType::F64),
                              opgen::row(ElementType::BF16, ElementType::F32),
                              opgen::row(ElementType::F64, ElementType::F32)};
  for (uint64_t number : numbers) {
    const opgen::Status status = Table::dispatch(
        number, [&](auto row) { return print(opgen::view<Sizes>(row, 7)); });
    std::printf("%d %d\\n", int(status), int(Table::find(number)));
  }
}
"""


def test_the_instance_of_a_row_runs(run_cpp: Run) -> None:
    lines = run_cpp(PROGRAM).splitlines()
    # The status is that of `print`, or 1 (`no_kernel`) if the table has no such row.
    assert lines == ["4 8 7", "4 0", "2 4 7", "4 1", "1 -1"]
