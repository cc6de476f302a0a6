// `a * b + c`, in the fastest way that the processor offers.
#pragma once

namespace opgen {

/// `a * b + c`, rounded once if the processor has a fast fused multiply-add, and otherwise twice.
template <class T>
inline T multiply_add(T a, T b, T c) noexcept {
#ifdef __FMA__
  if constexpr (sizeof(T) == sizeof(float)) return __builtin_fmaf(a, b, c);
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace opgen
