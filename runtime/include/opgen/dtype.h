// Element types as C++ types: `element_type_v<T>` and back, `accum_t`, `promote_t`, `real_t`.
#pragma once

#include <complex>
#include <cstdint>

#include "opgen/element_type.h"
#include "opgen/float8.h"
#include "opgen/half.h"

namespace opgen {

namespace detail {

template <ElementType type>
struct Native;
template <class T>
struct Code;

template <ElementType code>
struct CodeOf {
  static constexpr ElementType value = code;
};

#define OPGEN_NATIVE(code, type)                       \
  template <>                                          \
  struct Native<ElementType::code> { using T = type; }; \
  template <>                                          \
  struct Code<type> : CodeOf<ElementType::code> {}

OPGEN_NATIVE(BF16, bf16);
OPGEN_NATIVE(F16, f16);
OPGEN_NATIVE(F32, float);
OPGEN_NATIVE(F64, double);
OPGEN_NATIVE(I8, int8_t);
OPGEN_NATIVE(I16, int16_t);
OPGEN_NATIVE(I32, int32_t);
OPGEN_NATIVE(I64, int64_t);
OPGEN_NATIVE(U8, uint8_t);
OPGEN_NATIVE(U16, uint16_t);
OPGEN_NATIVE(U32, uint32_t);
OPGEN_NATIVE(U64, uint64_t);
OPGEN_NATIVE(BOOL, bool);
OPGEN_NATIVE(F8E4M3, f8e4m3);
OPGEN_NATIVE(F8E5M2, f8e5m2);
OPGEN_NATIVE(F8E4M3FNUZ, f8e4m3fnuz);
OPGEN_NATIVE(F8E5M2FNUZ, f8e5m2fnuz);
OPGEN_NATIVE(F8E8M0, f8e8m0);
OPGEN_NATIVE(F4E2M1, f4e2m1);
OPGEN_NATIVE(C64, std::complex<float>);
OPGEN_NATIVE(C128, std::complex<double>);

#undef OPGEN_NATIVE

}  // namespace detail

/// The code of a C++ element type.
template <class T>
inline constexpr ElementType element_type_v = detail::Code<T>::value;

/// The C++ type of a code.
template <ElementType type>
using native_t = typename detail::Native<type>::T;

template <class T>
using accum_t = native_t<accum(element_type_v<T>)>;

template <class A, class B>
using promote_t = native_t<promote(element_type_v<A>, element_type_v<B>)>;

template <class T>
using real_t = native_t<real(element_type_v<T>)>;

}  // namespace opgen
