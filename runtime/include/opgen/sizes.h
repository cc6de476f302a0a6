// Shapes: `Sizes` looks at somebody's sizes, `Shape` holds its own, `TensorSpec` adds a dtype.
#pragma once

#include <cstdint>
#include <ostream>

#include "opgen/element_type.h"
#include "opgen/int.h"
#include "opgen/refused.h"

namespace opgen {

/// The most dims that a tensor may have.
constexpr int32_t max_rank = 64;

/// Some numbers that somebody else owns; an index below 0 counts from the end, as in Python.
template <class T, class Value>
class Span {
 public:
  Span() = default;
  Span(const T* data, int64_t count) : data_(data), count_(count) {}

  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  int64_t size() const { return count_; }

  /// Whether they were given at all: also of no numbers.
  bool bound() const { return data_ != nullptr; }

  Value operator[](Int i) const {
    const int64_t at = i.value() < 0 ? i.value() + count_ : i.value();
    if (at < 0 || at >= count_) refuse("there is no element ", i, " among ", count_);
    return data_[at];
  }

  friend bool operator==(Span a, Span b) {
    if (a.count_ != b.count_) return false;
    for (int64_t i = 0; i < a.count_; ++i) {
      if (a.data_[i] != b.data_[i]) return false;
    }
    return true;
  }
  friend bool operator!=(Span a, Span b) { return !(a == b); }

  /// As Python prints a tuple.
  friend std::ostream& operator<<(std::ostream& out, Span span) {
    out << '(';
    for (int64_t i = 0; i < span.count_; ++i) out << (i ? ", " : "") << span.data_[i];
    return out << (span.count_ == 1 ? ",)" : ")");
  }

 private:
  const T* data_ = nullptr;
  int64_t count_ = 0;
};

/// The sizes of some dims: a group, an `int[]` attribute.
using Sizes = Span<int64_t, Int>;

/// A `float[]` attribute.
using Floats = Span<double, double>;

inline Int prod(Sizes sizes) {
  Int product = 1;
  for (int64_t size : sizes) product = product * size;
  return product;
}

inline Int sum(Sizes sizes) {
  Int total = 0;
  for (int64_t size : sizes) total = total + size;
  return total;
}

inline double sum(Floats values) {
  double total = 0;
  for (double value : values) total += value;
  return total;
}

template <class T, class Value>
Int len(Span<T, Value> span) {
  return span.size();
}

/// A shape of its own.
class Shape {
 public:
  // Made in every call: only the sizes in use are written and copied.
  Shape() {}
  Shape(const Shape& other) : rank_(other.rank_) {
    for (int32_t i = 0; i < rank_; ++i) sizes_[i] = other.sizes_[i];
  }
  Shape& operator=(const Shape&) = delete;

  Shape& operator<<(Int size) {
    if (size < 0) refuse("a size came out as ", size);
    if (rank_ == max_rank) refuse("a tensor has at most ", max_rank, " dims");
    sizes_[rank_++] = size.value();
    return *this;
  }
  Shape& operator<<(Sizes group) {
    for (int64_t size : group) *this << Int(size);
    return *this;
  }

  int32_t rank() const { return rank_; }
  const int64_t* data() const { return sizes_; }
  operator Sizes() const { return Sizes(sizes_, rank_); }

 private:
  int64_t sizes_[max_rank];
  int32_t rank_ = 0;
};

/// The terms of a shape from the slowest in memory to the fastest, by their places in the shape;
/// term `group`, if it is not negative, stands for as many dims as are left over. Without terms: as
/// the shape has them, row-major.
struct Order {
  int8_t terms[max_rank] = {};
  int32_t count = 0;
  int32_t group = -1;
};

/// Dtype and shape of a tensor that is to be made, and how it lies in memory: in which order, and
/// at multiples of how many bytes (0: of as many as the framework likes).
struct TensorSpec {
  ElementType dtype = ElementType::F32;
  Shape shape;
  Order order = {};
  int64_t align = 0;
};

/// Writes the strides, in elements, of a contiguous tensor with `sizes` to `strides`.
inline void contiguous_strides(Sizes sizes, int64_t* strides) {
  int64_t stride = 1;
  for (int64_t i = sizes.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= sizes.begin()[i] > 1 ? sizes.begin()[i] : 1;
  }
}

/// Writes the strides, in elements, of a tensor with `sizes` that lies in `order` without gaps.
inline void dense_strides(Sizes sizes, const Order& order, int64_t* strides) {
  if (order.count == 0) return contiguous_strides(sizes, strides);
  const int64_t width = order.group < 0 ? 1 : sizes.size() - (order.count - 1);
  int64_t stride = 1;
  for (int32_t at = order.count - 1; at >= 0; --at) {
    const int32_t term = order.terms[at];
    const bool is_group = term == order.group;
    const int64_t first = order.group >= 0 && term > order.group ? term + width - 1 : term;
    for (int64_t dim = first + (is_group ? width : 1) - 1; dim >= first; --dim) {
      strides[dim] = stride;
      stride *= sizes.begin()[dim] > 1 ? sizes.begin()[dim] : 1;
    }
  }
}

}  // namespace opgen
