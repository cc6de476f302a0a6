// The checks of a call: every one names the op, the argument, what was expected and what came.
#pragma once

#include <cstdint>
#include <string_view>

#include "opgen/buffer.h"
#include "opgen/int.h"
#include "opgen/refused.h"
#include "opgen/sizes.h"

namespace opgen {

/// A set of element types, as bits.
template <class... Types>
constexpr uint32_t types(Types... members) noexcept {
  static_assert(element_type_count <= 32, "one bit for each type");
  return ((uint32_t{1} << static_cast<int32_t>(members)) | ... | 0u);
}

/// One tensor argument of a call under way: `shape` is its shape as the spec writes it.
struct Argument {
  const char* op;
  const char* name;
  const char* shape;
  const Buffer& buffer;

  Sizes sizes() const { return Sizes(buffer.sizes, buffer.rank); }

  /// Checks that it is there, and one of `allowed`; returns its dtype.
  ElementType dtype_in(uint32_t allowed) const {
    if (!(allowed >> static_cast<int32_t>(buffer.dtype) & 1u)) wrong_dtype_of(allowed);
    return buffer.dtype;
  }

  /// Checks that its dtype is `expected`, which the spec calls `variable`.
  void dtype_is(ElementType expected, const char* variable) const {
    if (buffer.dtype != expected) {
      refuse(op, ": argument '", name, "' has dtype ", opgen::name(buffer.dtype), ", expected ",
             opgen::name(expected), " (", variable, ")");
    }
  }

  void rank_is(int64_t expected) const {
    if (buffer.rank != expected) wrong_rank(expected, "");
  }

  void rank_at_least(int64_t expected) const {
    if (buffer.rank < expected) wrong_rank(expected, "at least ");
  }

  /// The sizes between the first `before` and the last `after` dims.
  Sizes take(int64_t before, int64_t after) const {
    return Sizes(buffer.sizes + before, buffer.rank - before - after);
  }

  /// The size x for which `factor*x + offset` is that of dim `dim`; `term` is what the spec writes.
  Int solve(int64_t dim, Int factor, Int offset, const char* term) const {
    const Int rest = Int(buffer.sizes[dim]) - offset;
    if (factor == 0 || rest % factor != 0 || rest / factor < 0) {
      refuse(op, ": argument '", name, "' has size ", buffer.sizes[dim], " in dim ", dim,
             ", which is no possible ", term, " (its shape is ", shape, ", got ", sizes(), ")");
    }
    return rest / factor;
  }

  /// Checks one size against the value of its term; `owner` is the argument that the value is from.
  void size_is(int64_t dim, Int expected, const char* term, const char* owner) const {
    if (expected != buffer.sizes[dim]) {
      refuse(op, ": argument '", name, "' has size ", buffer.sizes[dim], " in dim ", dim,
             ", expected ", term, " = ", expected, " as in '", owner, "' (its shape is ", shape,
             ", got ", sizes(), ")");
    }
  }

  /// Checks the sizes from dim `before` on against those of a group.
  void group_is(int64_t before, Sizes expected, const char* group, const char* owner) const {
    const Sizes got(buffer.sizes + before, expected.size());
    if (got != expected) {
      refuse(op, ": argument '", name, "' has ", group, " = ", got, ", expected ", expected,
             " as in '", owner, "' (its shape is ", shape, ", got ", sizes(), ")");
    }
  }

 private:
  [[noreturn]] __attribute__((noinline, cold)) void wrong_rank(int64_t expected,
                                                               const char* least) const {
    refuse(op, ": argument '", name, "' has ", buffer.rank, " dims, expected ", least, expected,
           " (its shape is ", shape, ", got ", sizes(), ")");
  }

  [[noreturn]] __attribute__((noinline, cold)) void wrong_dtype_of(uint32_t allowed) const {
    std::string list;
    for (int32_t code = 0; code < element_type_count; ++code) {
      if (!(allowed >> code & 1u)) continue;
      if (!list.empty()) list += ", ";
      list += opgen::name(static_cast<ElementType>(code));
    }
    refuse(op, ": argument '", name, "' has dtype ", opgen::name(buffer.dtype),
           ", expected one of ", list);
  }
};

/// Checks an attribute against its least value; a NaN is below everything.
template <class T, class U>
void at_least(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value >= limit)) refuse(op, ": ", attr, " is ", value, ", expected at least ", limit);
}

/// Checks an attribute against its largest value; a NaN is above everything.
template <class T, class U>
void at_most(const char* op, const char* attr, const T& value, const U& limit) {
  if (!(value <= limit)) refuse(op, ": ", attr, " is ", value, ", expected at most ", limit);
}

/// The position of `value` in `choices`, which are what the spec allows.
template <class T, class... Choices>
int64_t choice(const char* op, const char* attr, const T& value, const Choices&... choices) {
  int64_t position = -1, at = 0;
  ((position = position < 0 && value == choices ? at : position, ++at), ...);
  if (position < 0) {
    std::ostringstream list;
    ((list << ", " << choices), ...);
    refuse(op, ": ", attr, " is ", value, ", expected one of ", list.str().substr(2));
  }
  return position;
}

/// Checks a condition of the spec; `message` is the spec's, or the condition itself.
inline void require(bool condition, const char* op, const char* message) {
  if (!condition) refuse(op, ": requires ", message);
}

}  // namespace opgen
