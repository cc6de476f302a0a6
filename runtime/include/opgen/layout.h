// The memory layout of tensors: orders of dims, strides, and `TensorSpec`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "opgen/buffer.h"
#include "opgen/element_type.h"
#include "opgen/int.h"
#include "opgen/sizes.h"

namespace opgen {

/// The memory order of a shape: the indices of its terms, from the slowest-varying to the fastest.
/// Term `group`, if not negative, stands for all dims that the other terms leave over. The caller
/// chooses the strides of the first `open` terms. Without terms, the order is row-major.
struct Order {
  int8_t terms[max_rank] = {};
  int32_t count = 0;
  int32_t group = -1;
  int32_t open = 0;
};

/// A kernel's requirement for a tensor's memory. `last` means that the last dim is contiguous.
/// `dense` means that there are no gaps, in any order of the dims. `strided` allows any strides.
enum class Layout { contiguous, last, dense, strided };

/// A kernel's requirement for a tensor's memory in one of several cases.
struct Wish {
  Layout layout = Layout::contiguous;
  Order order = {};

  Wish(Layout layout) : layout(layout) {}
  Wish(const Order& order) : order(order) {}
};

/// Dtype and shape of a tensor to allocate, with its memory order and its alignment in bytes. An
/// alignment of 0 leaves the choice to the framework.
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

/// The memory order of a tensor: its dims, from the slowest-varying to the fastest. The caller
/// chooses the strides of the first `open` dims.
struct Dims {
  int8_t order[max_rank];
  int64_t rank;
  int64_t open = 0;
};

/// Returns the memory order `order` in terms of a tensor's dims. If the tensor has fewer dims than
/// `order` requires, the result is row-major.
inline Dims dims_in(const Order& order, int64_t rank) {
  Dims dims;
  dims.rank = rank;
  const int64_t width = order.group < 0 ? 1 : rank - (order.count - 1);
  if (order.count == 0 || width < 0 || (order.group < 0 && order.count != rank)) {
    for (int64_t dim = 0; dim < rank; ++dim) dims.order[dim] = static_cast<int8_t>(dim);
    return dims;
  }
  int64_t found = 0;
  for (int32_t at = 0; at < order.count; ++at) {
    const int32_t term = order.terms[at];
    const int64_t first = order.group >= 0 && term > order.group ? term + width - 1 : term;
    const int64_t count = term == order.group ? width : 1;
    for (int64_t i = 0; i < count; ++i) dims.order[found++] = static_cast<int8_t>(first + i);
    if (at < order.open) dims.open = found;
  }
  return dims;
}

/// Writes the strides, in elements, of a tensor with `sizes` in memory order `order`, without gaps.
inline void dense_strides(Sizes sizes, const Order& order, int64_t* strides) {
  if (order.count == 0) return contiguous_strides(sizes, strides);
  const Dims dims = dims_in(order, sizes.size());
  int64_t stride = 1;
  for (int64_t at = dims.rank - 1; at >= 0; --at) {
    const int32_t dim = dims.order[at];
    strides[dim] = stride;
    stride *= sizes.begin()[dim] > 1 ? sizes.begin()[dim] : 1;
  }
}

/// The number of elements in the memory of a tensor to allocate.
inline Int room(const TensorSpec& spec) { return prod(spec.shape); }

/// Writes the strides, in elements, of a tensor to allocate.
inline void strides_of(const TensorSpec& spec, int64_t* strides) {
  dense_strides(spec.shape, spec.order, strides);
}

/// Converts an order of terms to an order of dims. Term i stands for `widths[i]` dims. A term of
/// width -1 stands for all dims that are left over.
inline Order spread(const Order& order, std::initializer_list<Int> widths) {
  Order dims;
  int64_t first[max_rank + 1] = {};
  int32_t term = 0;
  for (const Int width : widths) {
    if (width < 0) dims.group = static_cast<int32_t>(first[term]);
    first[term + 1] = (first[term] + (width < 0 ? Int(1) : width)).value();
    if (first[++term] > max_rank) refuse("a tensor has at most ", max_rank, " dims");
  }
  for (int32_t at = 0; at < order.count; ++at) {
    const int32_t place = order.terms[at];
    for (int64_t dim = first[place]; dim < first[place + 1]; ++dim) {
      dims.terms[dims.count++] = static_cast<int8_t>(dim);
    }
    if (at < order.open) dims.open = dims.count;
  }
  return dims;
}

/// Returns the memory order that PyTorch keeps for a new tensor like this one. Of two dims with
/// equal strides, the longer dim varies more slowly. A dim with stride 0 keeps its position.
inline Order order_of(const Buffer& tensor) {
  Order order;
  if (tensor.rank > max_rank) return order;           // the call rejects the tensor
  const auto is_slower = [&](int32_t a, int32_t b) {  // 1: a is slower than b, -1: faster, 0: equal
    const int64_t left = tensor.strides[a], right = tensor.strides[b];
    if (left == 0 || right == 0) return 0;
    if (left != right) return left > right ? 1 : -1;
    return tensor.sizes[a] > tensor.sizes[b] ? 1 : 0;
  };
  // Insert dims from the fastest on. `is_slower` is not a strict order, so the steps must be
  // the same as in PyTorch.
  int8_t dims[max_rank];
  for (int32_t n = 0; n < tensor.rank; ++n) {
    dims[n] = static_cast<int8_t>(tensor.rank - 1 - n);
    int32_t at = n;
    for (int32_t before = n - 1; before >= 0; --before) {
      const int found = is_slower(dims[before], dims[at]);
      if (found < 0) break;
      if (found == 0) continue;
      std::swap(dims[before], dims[at]);
      at = before;
    }
  }
  order.count = tensor.rank > 0 ? tensor.rank : 0;
  for (int32_t n = 0; n < order.count; ++n) order.terms[n] = dims[order.count - 1 - n];
  return order;
}

}  // namespace opgen
