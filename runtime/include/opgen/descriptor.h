// Fills a descriptor: every value is checked against the range of its field.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "opgen/dtype.h"
#include "opgen/int.h"
#include "opgen/refused.h"
#include "opgen/sizes.h"

namespace opgen {

/// Returns a descriptor in which all bytes are zero, including padding.
template <class Descriptor>
Descriptor zeroed() {
  static_assert(std::is_trivially_copyable_v<Descriptor>);
  Descriptor descriptor;
  std::memset(static_cast<void*>(&descriptor), 0, sizeof descriptor);
  return descriptor;
}

/// Fills the fields of the descriptor of `op`.
struct Fill {
  const char* op;

  template <class T, class V>
  void operator()(T& field, const char* name, const V& value) const {
    if constexpr (std::is_same_v<T, V>) {
      field = value;
    } else if constexpr (std::is_same_v<V, ElementType> || std::is_same_v<V, bool>) {
      field = static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, float>) {
      narrow(field, name, static_cast<double>(value));
    } else if constexpr (std::is_same_v<T, double>) {
      field = static_cast<double>(value);
    } else {
      integer(field, name, Int(value));
    }
  }

  /// Fills an array with all given values. The remaining elements stay zero.
  template <class T, size_t room, class U, class V>
  void operator()(T (&field)[room], const char* name, Span<U, V> values) const {
    if (values.size() > static_cast<int64_t>(room)) {
      refuse(op, ": ", name, ": at most ", room, " values fit the field, got ", values.size());
    }
    for (int64_t i = 0; i < values.size(); ++i) (*this)(field[i], name, values[i]);
  }

  /// Throws `Refused` if a value is beyond the limits of its field.
  template <class T, class V>
  [[noreturn]] void misfit(const char* name, const V& value) const {
    refuse(op, ": ", name, ": ", value, " does not fit ", opgen::name(element_type_v<T>),
           ", whose limits are ", std::numeric_limits<T>::min(), " and ",
           std::numeric_limits<T>::max());
  }

 private:
  template <class T>
  void integer(T& field, const char* name, Int value) const {
    using Limits = std::numeric_limits<T>;
    if (value < Limits::min() || value > Limits::max()) misfit<T>(name, value);
    field = static_cast<T>(value.value());
  }

  void narrow(float& field, const char* name, double value) const {
    field = static_cast<float>(value);
    if (std::isinf(field) && !std::isinf(value)) {
      refuse(op, ": ", name, ": ", value, " does not fit f32, whose limit is ",
             std::numeric_limits<float>::max());
    }
  }
};

}  // namespace opgen
