// Floating-point arithmetic as IEEE 754 has it, for as long as a kernel runs.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace opgen::jax {

/// XLA flushes subnormals to zero on its threads; PyTorch does not. Kernels run in one mode, so
/// that the same buffers give the same bits in both. Puts back on destruction what it found.
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
