// Shapes: `Sizes` is a view of sizes that another object owns, and `Shape` owns its sizes.
#pragma once

#include <cstdint>
#include <ostream>

#include "opgen/element_type.h"
#include "opgen/int.h"
#include "opgen/refused.h"

namespace opgen {

/// The most dims that a tensor may have.
constexpr int32_t max_rank = 64;

/// A view of numbers that another object owns. As in Python, a negative index counts from the end.
template <class T, class Value>
class Span {
 public:
  Span() = default;
  Span(const T* data, int64_t count) : data_(data), count_(count) {}

  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  int64_t size() const { return count_; }

  /// True if this is a view of numbers, even of zero numbers.
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

  /// Prints like a Python tuple.
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

/// A shape that owns its sizes.
class Shape {
 public:
  // Every call creates shapes, so only the sizes in use are written and copied.
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

}  // namespace opgen
