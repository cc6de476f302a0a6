// Compares the emulated sort of opgen/cuda_sort.h with std::stable_sort.
#include "opgen/cuda_sort.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "opgen/cuda_order.h"

namespace {

/// Returns floats with many equal values and some special values.
std::vector<float> draw(int64_t n, unsigned seed) {
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -NAN, 1e-45f, -1e-45f};
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(n));
  for (float& value : values) {
    const unsigned drawn = random() % 500;
    value = drawn < 8 ? special[drawn] : (static_cast<float>(drawn) - 250) * 0.37f;
  }
  return values;
}

bool sorts(int64_t n, unsigned seed) {
  const std::vector<float> values = draw(n, seed);
  std::vector<uint64_t> keys;
  std::vector<int64_t> wanted;
  for (int64_t i = 0; i < n; ++i) {
    keys.push_back(opgen::cuda::ranked(values[i], i));
    wanted.push_back(i);
  }
  std::stable_sort(wanted.begin(), wanted.end(), [&](int64_t a, int64_t b) {
    return values[a] > values[b] || (std::isnan(values[b]) && !std::isnan(values[a]));
  });
  if (opgen::cuda::sort_keys(opgen::Context(), n, keys.data()) != opgen::Status::ok) return false;
  for (int64_t i = 0; i < n; ++i) {
    const float value = values[wanted[i]], found = opgen::cuda::float_of(keys[i]);
    if (opgen::cuda::index_of(keys[i]) != wanted[i]) return false;
    if (found != value && !(std::isnan(found) && std::isnan(value))) return false;
  }
  return true;
}

}  // namespace

int main() {
  // The sort works in chunks of 2048 keys. The sizes include parts of a chunk, whole chunks, and
  // numbers of chunks that are not a power of two.
  for (const int64_t n : {0, 1, 2, 3, 100, 2047, 2048, 2049, 4096, 5000, 8192, 8193, 20001}) {
    for (unsigned seed = 0; seed < 2; ++seed) {
      if (sorts(n, seed)) continue;
      std::printf("%lld keys, seed %u, are not sorted\n", static_cast<long long>(n), seed);
      return 1;
    }
  }
}
