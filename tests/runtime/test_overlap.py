"""The runtime finds the same overlaps of arguments as a comparison of all elements' addresses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

PROGRAM = """
#include <cstdio>
#include "opgen/overlap.h"

int main() {
  alignas(8) static char memory[256];
  long long begin, rows, columns, row, column, written, count, calls;
  std::scanf("%lld", &calls);
  while (calls-- > 0) {
    opgen::Overlap overlap;
    int64_t sizes[4][2], strides[4][2];
    std::scanf("%lld", &count);
    const char* found = "apart";
    for (long long i = 0; i < count; ++i) {
      std::scanf("%lld %lld %lld %lld %lld %lld", &begin, &rows, &columns, &row, &column, &written);
      sizes[i][0] = rows, sizes[i][1] = columns, strides[i][0] = row, strides[i][1] = column;
      const opgen::Buffer buffer{memory + 4 * begin, sizes[i], strides[i], 2, opgen::ElementType::F32};
      try {
        overlap.add("f", "abcd" + i, buffer, written != 0);
      } catch (const opgen::Refused&) {
        found = "itself";
      }
    }
    try {
      overlap.check("f");
    } catch (const opgen::Refused&) {
      if (found[0] == 'a') found = "overlap";
    }
    std::puts(found);
  }
}
"""


def elements(begin, rows, columns, row, column, _):
    steps = itertools.product(range(rows), range(columns))
    return [begin + i * row + j * column for i, j in steps]


def answer(arguments) -> tuple[str, bool]:
    """Return the expected answer, and whether the runtime may miss it.

    The runtime may miss the overlap of two arguments with interleaved elements.
    """
    held = [elements(*each) for each in arguments]
    if any(a[5] and len(set(e)) < len(e) for a, e in zip(arguments, held)):
        return "itself", False
    for (a, x), (b, y) in itertools.combinations(zip(arguments, held), 2):
        if (a[5] or b[5]) and set(x) & set(y):
            dense = all(sorted(e) == list(range(min(e), min(e) + len(e))) for e in (x, y))
            return "overlap", not dense and min(x) != min(y)
    return "apart", False


def draw(rng) -> list[tuple[int, ...]]:
    def one():
        rows, columns = map(int, rng.integers(0, 4, 2))
        row, column = [(columns, 1), (columns + 2, 1), (0, 1), (1, max(rows, 1))][rng.integers(4)]
        return int(rng.integers(0, 20)), rows, columns, row, column, int(rng.integers(2))

    return [one() for _ in range(rng.integers(1, 5))]


def test_every_overlap_of_contiguous_arguments_is_found(run_cpp, tmp_path):
    calls = [draw(np.random.default_rng(seed)) for seed in range(3000)]
    flat = [f"{len(c)} " + " ".join(str(n) for each in c for n in each) for c in calls]
    (tmp_path / "calls").write_text(f"{len(calls)}\n" + "\n".join(flat))
    program = PROGRAM.replace(
        "int main() {",
        f'int main() {{\n  if (!std::freopen("{tmp_path}/calls", "r", stdin)) return 1;',
        1,
    )
    found = run_cpp(program).split()
    seen = set()
    for call, said in zip(calls, found, strict=True):
        wanted, may_miss = answer(call)
        assert said == wanted or (may_miss and said == "apart"), call
        seen.add(wanted)
    assert seen == {"apart", "itself", "overlap"}


def adamw(params, grads, first, second):
    from generated.torch import adamw_

    adamw_(params, grads, first, second, torch.tensor(1.0), torch.tensor(0.1))


def test_an_updated_tensor_must_not_be_given_twice():
    w, g, a, b = torch.randn(4, 3, 5)
    adamw([w[:2], w[2:]], [g[:2], g[2:]], [a[:2], a[2:]], [b[:2], b[2:]])
    with pytest.raises(ValueError, match=r"adamw_: params\[\d\]: shares memory with params\[\d\]"):
        adamw([w, w[1:]], [g, g[1:]], [a, a[1:].clone()], [b, b[1:].clone()])
    with pytest.raises(ValueError, match="adamw_: .* shares memory with "):
        adamw([w], [g], [a], [a])
    with pytest.raises(ValueError, match=r"adamw_: params\[0\]: shares memory with grads\[0\]"):
        adamw([w], [w], [a], [b])
