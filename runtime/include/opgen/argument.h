// Checks of tensor arguments. Each error message names the op, the argument, and the expected and
// the actual value.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

#include "opgen/arithmetic.h"
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

/// One tensor argument of the current call. `shape` is its shape in the spec's notation.
struct Argument : Buffer {
  const char* op;
  Label name;
  const char* shape;

  Argument(const char* op, Label name, const char* shape, const Buffer& buffer)
      : Buffer(buffer), op(op), name(name), shape(shape) {}

  /// Checks that its dtype is one of `allowed`, and returns it.
  ElementType dtype_in(uint32_t allowed) const {
    if (!(allowed >> static_cast<int32_t>(dtype) & 1u)) wrong_dtype(allowed, "");
    return dtype;
  }

  /// Checks that the dtype is `expected`. `reason` explains this requirement in the message.
  void dtype_is(ElementType expected, const char* reason) const {
    if (dtype != expected) wrong_dtype(types(expected), reason);
  }

  /// Throws `Refused` for a present tensor if its dtype is not `known`, because it follows from
  /// `of` and that is absent.
  void has_dtype(bool known, const char* of) const {
    if (known) return;
    refuse(op, ": ", name, ": expected None: no dtype follows from ", of, "; got ",
           opgen::name(dtype));
  }

  void rank_is(Int expected) const {
    if (expected != rank) wrong_rank(expected, "");
  }

  void rank_at_least(Int expected) const {
    if (expected > rank) wrong_rank(expected, "at least ");
  }

  /// The sizes between the first `before` and the last `after` dims.
  Sizes take(Int before, Int after) const {
    static constexpr int64_t none = 0;  // stands for the sizes of a scalar, which has none
    const int64_t* first = sizes == nullptr ? &none : sizes + before.value();
    return Sizes(first, rank - before.value() - after.value());
  }

  /// The size of dim `dim`. A negative `dim` counts from the end.
  Int size(Int dim) const { return sizes_of(*this)[dim]; }

  /// Returns the value of dim `name` for which `factor*name + offset` is `size`. `term` is this
  /// expression as in the spec.
  Int solve(Int size, Int factor, Int offset, const char* term, const char* name) const {
    const Int rest = size - offset;
    if (factor == 0 || rest % factor != 0 || rest / factor < 0) {
      refuse(op, ": ", this->name, ": expected a size of the form `", term, "` with an integer ",
             name, " >= 0, got ", size);
    }
    return rest / factor;
  }

  /// Checks that the shape is `expected`. `origins` names the arguments that determined the dims.
  void shape_is(const Shape& expected, const char* origins = "") const {
    if (sizes_of(*this) != Sizes(expected)) {
      refuse(op, ": ", name, ": expected shape ", Sizes(expected), " (`", shape, "`", origins,
             "), got ", sizes_of(*this));
    }
  }

  /// Returns the index of its rank in a list of ranks, one for each possible shape.
  template <class... Ranks>
  int32_t form(Ranks... ranks) const {
    int32_t found = -1, at = 0;
    ((found = found < 0 && Int(ranks) == rank ? at : found, ++at), ...);
    if (found < 0) {
      refuse(op, ": ", name, ": expected `", shape, "`, got shape ", sizes_of(*this));
    }
    return found;
  }

  /// Checks that the argument is present if `holds`, and absent otherwise. `condition` is the
  /// spec's condition, for the message.
  void present_when(bool holds, const char* condition) const {
    if (holds == present()) return;
    if (holds) refuse(op, ": ", name, ": expected a tensor where ", condition, ", got None");
    refuse(op, ": ", name, ": expected None unless ", condition, ", got a tensor");
  }

 private:
  [[noreturn]] __attribute__((noinline, cold)) void wrong_rank(Int expected,
                                                               const char* least) const {
    refuse(op, ": ", name, ": expected ", least, expected, " dims (`", shape, "`), got ", rank,
           ": shape ", sizes_of(*this));
  }

  [[noreturn]] __attribute__((noinline, cold)) void wrong_dtype(uint32_t allowed,
                                                                const char* reason) const {
    std::string list;
    for (int32_t code = 0; code < element_type_count; ++code) {
      if (!(allowed >> code & 1u)) continue;
      if (!list.empty()) list += " or ";
      list += opgen::name(static_cast<ElementType>(code));
    }
    refuse(op, ": ", name, ": expected dtype ", list, reason, ", got ", opgen::name(dtype));
  }
};

/// An argument that is a list of tensors of one dtype; an absent one is empty.
struct ArgumentList : BufferList {
  const char* op;
  const char* name;
  const char* shape;

  ArgumentList(const char* op, const char* name, const char* shape, const BufferList& list)
      : BufferList(list), op(op), name(name), shape(shape) {}

  bool present() const { return count > 0; }

  Argument operator[](int64_t i) const { return Argument(op, Label{name, i}, shape, items[i]); }

  /// Checks that all tensors have the same dtype, one of `allowed`, and returns it.
  ElementType dtype_in(uint32_t allowed) const {
    if (count == 0) refuse(op, ": ", name, ": expected a list of tensors, got an empty one");
    const ElementType dtype = (*this)[0].dtype_in(allowed);
    for (int64_t i = 1; i < count; ++i) (*this)[i].dtype_is(dtype, ", the dtype of the first");
    return dtype;
  }

  void dtype_is(ElementType expected, const char* reason) const {
    for (int64_t i = 0; i < count; ++i) (*this)[i].dtype_is(expected, reason);
  }

  void has_dtype(bool known, const char* of) const {
    for (int64_t i = 0; i < count; ++i) (*this)[i].has_dtype(known, of);
  }

  void rank_is(Int expected) const {
    for (int64_t i = 0; i < count; ++i) (*this)[i].rank_is(expected);
  }

  void rank_at_least(Int expected) const {
    for (int64_t i = 0; i < count; ++i) (*this)[i].rank_at_least(expected);
  }

  /// Checks the length of the list. `reason` explains why this length is required, for the message.
  void count_is(Int expected, const char* reason) const {
    if (expected != count) {
      refuse(op, ": ", name, ": expected ", expected, " tensors", reason, ", got ", count);
    }
  }

  /// Checks that the argument is present if `holds`, and absent otherwise. `condition` is the
  /// spec's condition, for the message.
  void present_when(bool holds, const char* condition) const {
    if (holds == present()) return;
    if (holds) refuse(op, ": ", name, ": expected tensors where ", condition, ", got none");
    refuse(op, ": ", name, ": expected none unless ", condition, ", got ", count, " tensors");
  }
};

inline Int len(const BufferList& list) { return list.count; }

inline Int numel(const BufferList& list) {
  Int total = 0;
  for (int64_t i = 0; i < list.count; ++i) total = total + numel(list.items[i]);
  return total;
}

}  // namespace opgen
