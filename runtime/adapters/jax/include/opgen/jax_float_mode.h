// Floating-point arithmetic as in IEEE 754, while a kernel runs.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace opgen::jax {

/// Disables the flushing of subnormals to zero, and restores the previous mode on destruction. XLA
/// flushes them on its threads, and PyTorch does not. So the same inputs give the same bits in
/// both.
class IeeeFloats {
 public:
#if defined(__SSE__)
  IeeeFloats() : found_(_mm_getcsr()) {
    if (found_ & flushing) _mm_setcsr(found_ & ~flushing);
  }
  ~IeeeFloats() {
    if (found_ & flushing) _mm_setcsr(found_);
  }

 private:
  static constexpr uint32_t flushing = 0x8040;  // flush to zero, denormals are zero
  uint32_t found_;
#elif defined(__aarch64__)
  IeeeFloats() {
    asm volatile("mrs %0, fpcr" : "=r"(found_));
    if (found_ & flushing) asm volatile("msr fpcr, %0" ::"r"(found_ & ~flushing));
  }
  ~IeeeFloats() {
    if (found_ & flushing) asm volatile("msr fpcr, %0" ::"r"(found_));
  }

 private:
  static constexpr uint64_t flushing = uint64_t{1} << 24;
  uint64_t found_;
#else
  IeeeFloats() {}
#endif

 public:
  IeeeFloats(const IeeeFloats&) = delete;
};

}  // namespace opgen::jax
