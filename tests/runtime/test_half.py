"""The 16-bit floats convert as NumPy's and ml_dtypes' do: every value, and the ties."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

PROGRAM = r"""
#include <cstdio>
#include <vector>
#include "opgen/half.h"

// Reads floats, writes their bits as HALF; then all 65536 values of HALF as floats.
int main() {
  std::vector<float> values(COUNT);
  std::FILE* in = std::fopen("IN", "rb");
  if (std::fread(values.data(), 4, COUNT, in) != COUNT) return 1;
  std::vector<uint16_t> narrow(COUNT);
  for (size_t i = 0; i < COUNT; ++i) narrow[i] = opgen::HALF(values[i]).bits;
  std::vector<float> wide(65536);
  for (int i = 0; i < 65536; ++i) {
    opgen::HALF half;
    half.bits = static_cast<uint16_t>(i);
    wide[i] = static_cast<float>(half);
  }
  std::FILE* out = std::fopen("OUT", "wb");
  std::fwrite(narrow.data(), 2, COUNT, out);
  std::fwrite(wide.data(), 4, 65536, out);
  std::fclose(out);
}
"""


@pytest.mark.parametrize("name, dtype", [("bf16", ml_dtypes.bfloat16), ("f16", np.float16)])  # fmt: skip
def test_conversions(run_cpp, tmp_path, name: str, dtype) -> None:
    every = np.arange(65536, dtype=np.uint16).view(dtype).astype(np.float32)
    finite = np.sort(every[np.isfinite(every)])
    ties = (finite[:-1].astype(np.float64) + finite[1:]) / 2
    near = np.concatenate([np.nextafter(np.float32(ties), way) for way in (np.float32(-np.inf), np.float32(np.inf))])  # fmt: skip
    rng = np.random.default_rng(0)
    anything = rng.integers(0, 2**32, 100_000, dtype=np.uint32).view(np.float32)
    special = np.float32([65519, 65520, 65536, 3.4e38, np.inf, -np.inf, 1e-45, -0.0])
    values = np.concatenate([every, np.float32(ties), near, anything, special])
    values.tofile(tmp_path / "in")
    program = PROGRAM.replace("HALF", name).replace("COUNT", str(len(values)))
    program = program.replace('"IN"', f'"{tmp_path}/in"').replace('"OUT"', f'"{tmp_path}/out"')  # fmt: skip
    run_cpp(program, "-O2")
    data = (tmp_path / "out").read_bytes()
    narrow = np.frombuffer(data[: 2 * len(values)], np.uint16)
    wide = np.frombuffer(data[2 * len(values) :], np.float32)
    with np.errstate(all="ignore"):
        expected = values.astype(dtype).view(np.uint16)
    is_nan = np.isnan(values)
    np.testing.assert_array_equal(narrow[~is_nan], expected[~is_nan])
    assert np.isnan(narrow[is_nan].view(dtype).astype(np.float32)).all()
    np.testing.assert_array_equal(
        wide.view(np.uint32)[~np.isnan(every)], every.view(np.uint32)[~np.isnan(every)]
    )
    assert np.isnan(wide[np.isnan(every)]).all()
