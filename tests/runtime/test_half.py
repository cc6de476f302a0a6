"""Conversions of 16-bit floats equal those of NumPy and ml_dtypes for all values, including ties.

The tests convert single values, and vectors at every CPU level that this machine supports. They
also run with subnormals flushed to zero, as in XLA.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_approximations import runs

pytestmark = pytest.mark.slow

LEVELS = ("x86-64", "x86-64-v3", "x86-64-v4")

PROGRAM = r"""
#include <cstdio>
#include <vector>
#include "opgen/vector.h"

// Reads floats, writes their bits as HALF; then all 65536 values of HALF as floats. All of it
// again with subnormals flushed.
int main() {
  std::vector<float> values(COUNT);
  std::FILE* in = std::fopen("IN", "rb");
  if (std::fread(values.data(), 4, COUNT, in) != COUNT) return 1;
  std::vector<opgen::HALF> narrow(COUNT), every(65536);
  std::vector<float> wide(65536);
  for (int i = 0; i < 65536; ++i) every[i].bits = static_cast<uint16_t>(i);
  std::FILE* out = std::fopen("OUT", "wb");
  for (bool flushed : {false, true}) {
    if (flushed) _mm_setcsr(_mm_getcsr() | 0x8040);
#ifdef BY_VECTORS
    opgen::each_vector<float>(0, COUNT, {}, [&](auto v) { v.store(narrow.data(), v.load(values.data())); });
    opgen::each_vector<float>(0, 65536, {}, [&](auto v) { v.store(wide.data(), v.load(every.data())); });
#else
    for (size_t i = 0; i < COUNT; ++i) narrow[i] = opgen::HALF(values[i]);
    for (int i = 0; i < 65536; ++i) wide[i] = static_cast<float>(every[i]);
#endif
    std::fwrite(narrow.data(), 2, COUNT, out);
    std::fwrite(wide.data(), 4, 65536, out);
  }
  std::fclose(out);
}
"""


WAYS = {"alone": ["-O2"]} | {level: ["-O3", "-DBY_VECTORS", f"-march={level}"] for level in LEVELS}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name, dtype", [("bf16", ml_dtypes.bfloat16), ("f16", np.float16)])
def test_conversions(run_cpp, tmp_path, name: str, dtype, way: str) -> None:
    if not runs(way):
        pytest.skip(f"this machine has no {way}")
    every = np.arange(65536, dtype=np.uint16).view(dtype).astype(np.float32)
    finite = np.sort(every[np.isfinite(every)])
    ties = (finite[:-1].astype(np.float64) + finite[1:]) / 2
    near = np.concatenate(
        [np.nextafter(np.float32(ties), way) for way in (np.float32(-np.inf), np.float32(np.inf))]
    )
    rng = np.random.default_rng(0)
    anything = rng.integers(0, 2**32, 100_000, dtype=np.uint32).view(np.float32)
    special = np.float32([65519, 65520, 65536, 3.4e38, np.inf, -np.inf, 1e-45, -0.0])
    values = np.concatenate([every, np.float32(ties), near, anything, special])
    values.tofile(tmp_path / "in")
    program = PROGRAM.replace("HALF", name).replace("COUNT", str(len(values)))
    program = program.replace('"IN"', f'"{tmp_path}/in"').replace('"OUT"', f'"{tmp_path}/out"')
    run_cpp(program, *WAYS[way])
    data = (tmp_path / "out").read_bytes()
    with np.errstate(all="ignore"):
        expected = values.astype(dtype).view(np.uint16)
    is_nan = np.isnan(values)
    for run in (data[: len(data) // 2], data[len(data) // 2 :]):
        narrow = np.frombuffer(run[: 2 * len(values)], np.uint16)
        wide = np.frombuffer(run[2 * len(values) :], np.float32)
        np.testing.assert_array_equal(narrow[~is_nan], expected[~is_nan])
        assert np.isnan(narrow[is_nan].view(dtype).astype(np.float32)).all()
        np.testing.assert_array_equal(
            wide.view(np.uint32)[~np.isnan(every)], every.view(np.uint32)[~np.isnan(every)]
        )
        assert np.isnan(wide[np.isnan(every)]).all()
