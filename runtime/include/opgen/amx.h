// Products of pairs of bf16 with Intel's AMX, which has registers of 16 rows by 64 bytes.
//
// At run time, this code checks whether the processor has AMX, and asks Linux for permission to use
// it. Sums are floats. Subnormal numbers count as 0.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__AVX512BW__) && defined(__x86_64__) && defined(__linux__)
#define OPGEN_HAS_AMX 1
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace opgen {

#if defined(OPGEN_HAS_AMX)

/// True if the processor has AMX and this process may use it.
inline bool amx_is_there() noexcept {
  static const bool there = [] {
    constexpr long ask_for = 0x1023, contents_of_tiles = 18;  // ARCH_REQ_XCOMP_PERM
    return __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16") &&
           syscall(SYS_arch_prctl, ask_for, contents_of_tiles) == 0;
  }();
  return there;
}

namespace detail::amx {

constexpr int64_t side = 16;  // rows, columns and pairs of a register

/// The part of each register that is used, in the processor's format. Registers 0 to 3 hold c, as
/// two by two blocks. Registers 4 and 5 hold rows of a, and registers 6 and 7 columns of b.
struct alignas(64) Shape {
  uint8_t palette = 1, start = 0, unused[14] = {};
  uint16_t bytes[16] = {};
  uint8_t rows[16] = {};

  Shape(int64_t upper, int64_t lower, int64_t pairs) noexcept {
    for (const int i : {0, 1, 4}) set(i, upper, i == 4 ? pairs : side);
    for (const int i : {2, 3, 5}) set(i, lower, i == 5 ? pairs : side);
    for (const int i : {6, 7}) set(i, pairs, side);
  }

  void set(int i, int64_t down, int64_t across) noexcept {
    if (down == 0) return;  // the processor rejects an empty register
    rows[i] = static_cast<uint8_t>(down);
    bytes[i] = static_cast<uint16_t>(across * sizeof(float));
  }
};

// These functions are in assembly, because the compiler's target level does not include AMX.
// Compilers keep no values in these registers.
inline void use(const Shape& shape) noexcept { asm volatile("ldtilecfg %0" ::"m"(shape)); }
inline void release() noexcept { asm volatile("tilerelease"); }

template <int to>
void zero() noexcept {
  asm volatile("tilezero %%tmm%c0" ::"i"(to));
}

template <int to, class T>
void load(const T* from, int64_t row) noexcept {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(row * sizeof(T)), "i"(to)
               : "memory");
}

template <int from>
void store(float* to, int64_t row) noexcept {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(row * sizeof(float)), "i"(from)
               : "memory");
}

template <int sum, int a, int b>
void add_products() noexcept {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sum), "i"(a), "i"(b));
}

/// c += a b, or c = a b if `add` is false, for up to 16 rows and 32 columns. If `two` is true, 16
/// more rows follow. The inner dim has `pairs` pairs, of which `step` are multiplied at a time.
template <bool two>
void multiply(int64_t pairs, int64_t step, const uint32_t* a, int64_t a_row, const uint32_t* b,
              int64_t b_row, float* c, int64_t c_row, bool add) noexcept {
  float* const below = c + side * c_row;
  if (add) {
    load<0>(c, c_row);
    load<1>(c + side, c_row);
    if constexpr (two) load<2>(below, c_row);
    if constexpr (two) load<3>(below + side, c_row);
  } else {
    zero<0>();
    zero<1>();
    if constexpr (two) zero<2>();
    if constexpr (two) zero<3>();
  }
  for (int64_t p = 0; p < pairs; p += step) {
    load<6>(b + p * b_row, b_row);
    load<4>(a + p, a_row);
    add_products<0, 4, 6>();
    load<7>(b + p * b_row + side, b_row);
    add_products<1, 4, 7>();
    if constexpr (two) {
      load<5>(a + side * a_row + p, a_row);
      add_products<2, 5, 6>();
      add_products<3, 5, 7>();
    }
  }
  store<0>(c, c_row);
  store<1>(c + side, c_row);
  if constexpr (two) store<2>(below, c_row);
  if constexpr (two) store<3>(below + side, c_row);
}

}  // namespace detail::amx

/// c += a b, or c = a b if `add` is false. `a` has `rows` rows of `pairs` contiguous pairs, and `b`
/// is a panel of 32 columns.
inline void multiply_panel_in_amx(int64_t rows, int64_t pairs, const uint32_t* a, int64_t a_row,
                                  const uint32_t* b, int64_t b_row, float* c, int64_t c_row,
                                  bool add) noexcept {
  using detail::amx::side;
  for (int64_t p = 0; p < pairs;) {
    // All whole steps together, then the shorter last step.
    const int64_t step = std::min(side, pairs - p), together = (pairs - p) / step * step;
    for (int64_t i = 0; i < rows; i += 2 * side) {
      const int64_t upper = std::min(side, rows - i), lower = std::min(side, rows - i - upper);
      if (i == 0 || lower < side) detail::amx::use({upper, lower, step});
      const auto multiply = lower > 0 ? detail::amx::multiply<true> : detail::amx::multiply<false>;
      multiply(together, step, a + i * a_row + p, a_row, b + p * b_row, b_row, c + i * c_row, c_row,
               add);
    }
    p += together;
    add = true;
  }
  detail::amx::release();
}

#else

inline bool amx_is_there() noexcept { return false; }

#endif

}  // namespace opgen
