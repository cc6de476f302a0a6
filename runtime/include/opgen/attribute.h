// The checks of attributes and requirements: every one names the op, what was expected, what came.
#pragma once

#include <cstdint>
#include <ostream>
#include <sstream>

#include "opgen/element_type.h"
#include "opgen/refused.h"

namespace opgen {

inline std::ostream& operator<<(std::ostream& out, ElementType type) { return out << name(type); }

/// Checks an attribute against its least value; a NaN is below everything.
template <class T, class U>
void at_least(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value >= limit)) refuse(op, ": ", attr, ": expected at least ", limit, ", got ", value);
}

/// Checks an attribute against its largest value; a NaN is above everything.
template <class T, class U>
void at_most(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value <= limit)) refuse(op, ": ", attr, ": expected at most ", limit, ", got ", value);
}

/// The position of `value` in `choices`, which are what the spec allows.
template <class T, class... Choices>
int64_t choice(const char* op, const char* attr, const T& value, const Choices&... choices) {
  int64_t position = -1, at = 0;
  ((position = position < 0 && value == choices ? at : position, ++at), ...);
  if (position < 0) {
    std::ostringstream list;
    ((list << ", " << choices), ...);
    refuse(op, ": ", attr, ": expected one of ", list.str().substr(2), ", got ", value);
  }
  return position;
}

/// Checks a condition of the spec; `text` is the spec's message, or the condition itself.
inline void require(bool holds, const char* op, const char* text) {
  if (!holds) refuse(op, ": requires ", text);
}

}  // namespace opgen
