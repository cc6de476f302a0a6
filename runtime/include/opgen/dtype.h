// Conversions between element types and C++ types, and `accum_t`, `promote_t`, `real_t`.
#pragma once

#include <complex>
#include <cstdint>

#include "opgen/element_type.h"
#include "opgen/half.h"
#include "opgen/narrow_types.h"
#include "opgen/numeric_limits.h"  // a kernel may ask for those of any T

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

#define OPGEN_NATIVE(type, name, code, bits, kind, native, ...) \
  template <>                                                   \
  struct Native<ElementType::type> {                            \
    using T = native;                                           \
  };                                                            \
  template <>                                                   \
  struct Code<native> : CodeOf<ElementType::type> {};

OPGEN_ELEMENT_TYPES(OPGEN_NATIVE)

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
