// Measures the best rates of this machine: copying, reading, multiply-adds, exponentials.
//
// Each function divides its work equally among `threads` threads, and returns when all of them
// have finished. Buffers must be several times larger than the caches, must have been touched, and
// must be aligned to 64 bytes.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

#if defined(__AVX512F__)
constexpr int kBytes = 64;
#elif defined(__AVX__)
constexpr int kBytes = 32;
#else
constexpr int kBytes = 16;
#endif
constexpr int64_t kLanes = kBytes / 4;
using Floats = float __attribute__((vector_size(kBytes)));
using Ints = int32_t __attribute__((vector_size(kBytes)));

template <class Part>
void each(int64_t n, int threads, Part part) {
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t)
    others.emplace_back(part, t, n * t / threads, n * (t + 1) / threads);
  part(0, 0, n / threads);
  for (std::thread& other : others) other.join();
}

float total(Floats v) {
  float sum = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane) sum += v[lane];
  return sum;
}

/// Each chain begins with a different value, because equal chains would be computed once.
template <int64_t chains>
void start(Floats (&a)[chains]) {
  for (int64_t j = 0; j < chains; ++j) a[j] = Floats{} + static_cast<float>(j) / chains;
}

/// Returns exp of each lane, to a few units in the last place: 2^k * e^r, |r| <= ln(2) / 2.
Floats exponential(Floats x) {
  const Floats shifted = x * 1.44269504f + 12582912.f;  // 1.5 * 2^23: rounds to an integer
  const Floats k = shifted - 12582912.f;
  const Floats r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
  Floats p = r * 1.98412698e-4f + 1.38888889e-3f;
  p = p * r + 8.33333333e-3f;
  p = p * r + 4.16666667e-2f;
  p = p * r + 1.66666667e-1f;
  p = p * r + 0.5f;
  p = p * r + 1.f;
  p = p * r + 1.f;
  return reinterpret_cast<Floats>(reinterpret_cast<Ints>(p) +
                                  (reinterpret_cast<Ints>(shifted) << 23));
}

}  // namespace

extern "C" {

void probe_copy(char* to, const char* from, int64_t bytes, int threads) {
  each(bytes, threads, [=](int, int64_t begin, int64_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

/// Copies with stores that bypass the caches if the processor has them, so that `to` is not read
/// first. `bytes` must be a multiple of 4096 for each thread.
void probe_stream(char* to, const char* from, int64_t bytes, int threads) {
#if defined(__SSE2__)
  each(bytes / 4096, threads, [=](int, int64_t begin, int64_t end) {
    for (int64_t i = begin * 4096; i < end * 4096; i += kBytes) {
#if defined(__AVX512F__)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
#elif defined(__AVX__)
      _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i),
                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
#else
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
#endif
    }
    _mm_sfence();
  });
#else
  probe_copy(to, from, bytes, threads);
#endif
}

/// Adds up `n` floats.
float probe_read(const float* from, int64_t n, int threads) {
  std::vector<float> sums(threads);
  each(n, threads, [from, &sums](int t, int64_t begin, int64_t end) {
    Floats sum[8] = {};
    for (int64_t i = begin; i + 8 * kLanes <= end; i += 8 * kLanes) {
      for (int64_t j = 0; j < 8; ++j) {
        Floats v;
        std::memcpy(&v, from + i + j * kLanes, sizeof v);
        sum[j] += v;
      }
    }
    for (const Floats& each : sum) sums[t] += total(each);
  });
  float sum = 0;
  for (float each : sums) sum += each;
  return sum;
}

/// Computes `n` multiply-adds.
float probe_fma(int64_t n, int threads) {
  constexpr int64_t kChains = 12;  // latency times throughput, and there are registers for as many
  std::vector<float> sums(threads);
  each(n, threads, [&sums](int t, int64_t begin, int64_t end) {
    Floats a[kChains];
    start(a);
    const Floats scale = Floats{} + 0.5f;
    const Floats shift = Floats{} + 1.f;
    for (int64_t i = begin; i < end; i += kChains * kLanes) {
      for (int64_t j = 0; j < kChains; ++j) a[j] = a[j] * scale + shift;
    }
    for (const Floats& each : a) sums[t] += total(each);
  });
  float sum = 0;
  for (float each : sums) sum += each;
  return sum;
}

/// Computes `n` exponentials of numbers that stay in registers.
float probe_exp(int64_t n, int threads) {
  constexpr int64_t kChains = 8;
  std::vector<float> sums(threads);
  each(n, threads, [&sums](int t, int64_t begin, int64_t end) {
    Floats a[kChains];
    start(a);
    for (int64_t i = begin; i < end; i += kChains * kLanes) {
      for (int64_t j = 0; j < kChains; ++j) a[j] = exponential(-a[j]);
    }
    for (const Floats& each : a) sums[t] += total(each);
  });
  float sum = 0;
  for (float each : sums) sum += each;
  return sum;
}

/// Computes `to[i] = exp(from[i])` with the same formula, for a test. `n` must be a multiple of 16.
void probe_exp_values(float* to, const float* from, int64_t n) {
  for (int64_t i = 0; i + kLanes <= n; i += kLanes) {
    Floats v;
    std::memcpy(&v, from + i, sizeof v);
    v = exponential(v);
    std::memcpy(to + i, &v, sizeof v);
  }
}

}  // extern "C"
