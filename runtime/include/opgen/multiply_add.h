// `a * b + c` as fast as the machine has it.
#pragma once

namespace opgen {

/// `a * b + c`, rounded once where the machine does that as fast as a product, else twice.
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
