// Checks of attributes and requirements. Each error message names the op, and the expected and the
// actual value.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "opgen/element_type.h"
#include "opgen/refused.h"

namespace opgen {

inline std::ostream& operator<<(std::ostream& out, ElementType type) { return out << name(type); }

/// Checks that an attribute is at least its minimum. A NaN is rejected.
template <class T, class U>
void at_least(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value >= limit)) refuse(op, ": ", attr, ": expected at least ", limit, ", got ", value);
}

/// Checks that an attribute is at most its maximum. A NaN is rejected.
template <class T, class U>
void at_most(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value <= limit)) refuse(op, ": ", attr, ": expected at most ", limit, ", got ", value);
}

/// Returns the index of `value` in `choices`, the values that the spec allows.
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

/// A value as Python shows it.
template <class T>
const T& shown(const T& value) {
  return value;
}
inline const char* shown(const bool& value) { return value ? "True" : "False"; }
/// The sizes of the tensors of a list.
template <class T>
std::string shown(const std::vector<T>& values) {
  std::ostringstream text;
  text << '(';
  for (size_t i = 0; i < values.size(); ++i) text << (i ? ", " : "") << values[i];
  text << (values.size() == 1 ? ",)" : ")");
  return text.str();
}
template <class T>
std::string shown(const std::optional<T>& value) {
  if (!value) return "None";
  std::ostringstream text;
  text << shown(*value);
  return text.str();
}

/// Checks the length of a list.
template <class List>
void count_is(const char* op, const char* attr, const List& list, int64_t count) {
  const int64_t got = static_cast<int64_t>(list.size());
  if (got == count) return;
  refuse(op, ": ", attr, ": expected ", count, " values, got ", got, ": ",
         shown(std::vector(list.begin(), list.end())));
}

/// Returns a value that frameworks pass as two parts, such as a complex number.
template <class T, class Parts>
T of_parts(const Parts& parts, const char* op, const char* attr) {
  count_is(op, attr, parts, 2);
  return {parts.begin()[0], parts.begin()[1]};
}
template <class T, class Parts>
std::optional<T> of_parts(const std::optional<Parts>& parts, const char* op, const char* attr) {
  if (!parts) return std::nullopt;
  return of_parts<T>(*parts, op, attr);
}

/// Writes `name = value` for each pair of arguments.
template <class Value, class... More>
void write_values(std::ostream& out, const char* name, const Value& value, const More&... more) {
  out << name << " = " << shown(value);
  if constexpr (sizeof...(more) > 0) {
    out << ", ";
    write_values(out, more...);
  }
}

/// Returns a message about a condition that a call does not meet. `text` is the spec's message, or
/// the condition itself. `values` are the names in the condition, each followed by its value.
template <class... Values>
__attribute__((noinline, cold)) std::string unmet(const char* text, const Values&... values) {
  std::ostringstream message;
  message << text;
  if constexpr (sizeof...(values) > 0) {
    message << ", got ";
    write_values(message, values...);
  }
  return message.str();
}

/// Throws `Refused` if a condition of the spec does not hold.
template <class... Values>
void require(bool holds, const char* op, const char* text, const Values&... values) {
  if (!holds) refuse(op, ": requires ", unmet(text, values...));
}

}  // namespace opgen
