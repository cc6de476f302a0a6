// Stores that bypass the caches. In the caches, a large result would only replace data that is
// still needed. And a cache line that is written in parts would first be read from memory.
#pragma once

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace opgen {

/// Stores `size` bytes to `to` and bypasses the caches. `size` is a power of two, and the address
/// is a multiple of `size` or of 64.
template <size_t size>
inline void stream(void* to, const void* from) noexcept {
#if defined(__SSE2__)
  constexpr size_t widest =
#if defined(__AVX512F__)
      64;
#elif defined(__AVX__)
      32;
#else
      16;
#endif
  constexpr size_t step = size < widest ? size : widest;
  if constexpr (step >= 16) {
    auto* out = static_cast<char*>(to);
    const auto* in = static_cast<const char*>(from);
    for (size_t at = 0; at < size; at += step) {
#if defined(__AVX512F__)
      if constexpr (step == 64) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(out + at), _mm512_loadu_si512(in + at));
        continue;
      }
#endif
#if defined(__AVX__)
      if constexpr (step == 32) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(out + at),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + at)));
        continue;
      }
#endif
      _mm_stream_si128(reinterpret_cast<__m128i*>(out + at),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + at)));
    }
    return;
  }
#endif
  std::memcpy(to, from, size);
}

/// The decision whether rows of results are streamed (bypass the caches), and the number of
/// elements before the first whole vector that may be streamed.
struct Streamed {
  bool on = false;
  int64_t head = 0;
};

/// Decides for one range of rows whether results are streamed. At the end of its lifetime, it makes
/// the streamed values visible to later readers.
class Streaming {
 public:
  /// `bytes` is the size of all rows of the results.
  explicit Streaming(int64_t bytes) noexcept : on_(bytes >= threshold()) {}
  Streaming(const Streaming&) = delete;
  ~Streaming() {
#if defined(__SSE2__)
    if (on_) _mm_sfence();
#endif
  }

  /// Decides for these rows, which must all have the same alignment. Their elements are computed
  /// `width` at a time.
  template <class T, class... More>
  Streamed to(int64_t width, const T* row, const More*... more) const noexcept {
    if (!on_) return {};
    const int64_t head = head_of(width, row);
    if (((head_of(width, more) != head) || ...)) return {};
    return {head >= 0, head};
  }

 private:
  template <class T>
  static int64_t head_of(int64_t width, const T* row) noexcept {
    const auto vector = static_cast<uintptr_t>(width) * sizeof(T);
    const uintptr_t past = reinterpret_cast<uintptr_t>(row) % vector;
    if (past % sizeof(T) != 0) return -1;
    return past == 0 ? 0 : static_cast<int64_t>((vector - past) / sizeof(T));
  }

  /// Half of the last-level cache that processors share, or OPGEN_STREAM_FROM if a test defines it.
  static int64_t threshold() noexcept {
#if defined(OPGEN_STREAM_FROM)
    return OPGEN_STREAM_FROM;
#else
    static const int64_t bytes = last_cache() / 2;
    return bytes;
#endif
  }

  /// Reads the size from Linux. On AMD processors, the C library returns the sum of all caches of a
  /// socket.
  static int64_t last_cache() noexcept {
    int64_t kilobytes = 0;
#if defined(__linux__)
    const int file = open("/sys/devices/system/cpu/cpu0/cache/index3/size", O_RDONLY | O_CLOEXEC);
    char text[16] = {};  // 32768K
    if (file >= 0) {
      if (read(file, text, sizeof text - 1) > 0) kilobytes = std::atoll(text);
      close(file);
    }
#endif
    return kilobytes > 0 ? kilobytes << 10 : int64_t{16} << 20;
  }

  bool on_;
};

}  // namespace opgen
