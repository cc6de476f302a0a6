// The tensors that kernels receive: `Buffer` without a static element type, `Tensor<T>` with one,
// and lists of them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "opgen/element_type.h"

namespace opgen {

/// One tensor. `strides` are in elements. An absent tensor has no data and rank -1.
struct Buffer {
  void* data = nullptr;
  const int64_t* sizes = nullptr;
  const int64_t* strides = nullptr;
  int32_t rank = -1;
  ElementType dtype = ElementType::F32;

  /// False if the tensor is optional and the caller left it out.
  bool present() const noexcept { return rank >= 0; }

  /// The size of a dim.
  int64_t size(int32_t dim) const noexcept { return sizes[dim]; }

  /// The number of elements, 0 for an absent tensor.
  int64_t numel() const noexcept {
    if (rank < 0) return 0;
    int64_t count = 1;
    for (int32_t dim = 0; dim < rank; ++dim) count *= sizes[dim];
    return count;
  }
};

/// True if the elements fill one range of memory without gaps or overlaps, in any order of dims.
inline bool is_dense(const Buffer& tensor) noexcept {
  int32_t left = 0;  // the number of dims that are not found yet
  for (int32_t dim = 0; dim < tensor.rank; ++dim) {
    if (tensor.sizes[dim] == 0) return true;
    left += tensor.sizes[dim] > 1;
  }
  for (int64_t stride = 1; left > 0; --left) {
    int32_t next = 0;
    while (next < tensor.rank && (tensor.sizes[next] == 1 || tensor.strides[next] != stride))
      ++next;
    if (next == tensor.rank) return false;
    stride *= tensor.sizes[next];
  }
  return true;
}

/// Returns the number of elements from the first to the last in memory, including gaps.
inline int64_t extent(const Buffer& tensor) noexcept {
  if (tensor.numel() == 0) return 0;
  int64_t last = 0;
  for (int32_t dim = 0; dim < tensor.rank; ++dim) {
    last += (tensor.sizes[dim] - 1) * tensor.strides[dim];
  }
  return last + 1;
}

/// A `Buffer` whose elements are of type T; `Tensor<const T>` is read only.
template <class T>
struct Tensor {
  T* data = nullptr;
  const int64_t* sizes = nullptr;
  const int64_t* strides = nullptr;
  int32_t rank = -1;

  Tensor() = default;
  explicit Tensor(const Buffer& buffer) noexcept
      : data(static_cast<T*>(buffer.data)),
        sizes(buffer.sizes),
        strides(buffer.strides),
        rank(buffer.rank) {}

  /// False if the tensor is optional and the caller left it out.
  bool present() const noexcept { return rank >= 0; }

  /// The size of a dim.
  int64_t size(int32_t dim) const noexcept { return sizes[dim]; }

  /// Returns the stride of a dim, in elements.
  int64_t stride(int32_t dim) const noexcept { return strides[dim]; }

  /// The number of elements, 0 for an absent tensor.
  int64_t numel() const noexcept {
    if (rank < 0) return 0;
    int64_t count = 1;
    for (int32_t dim = 0; dim < rank; ++dim) count *= sizes[dim];
    return count;
  }
};

/// A list of tensors without a static type; an absent one is empty.
struct BufferList {
  const Buffer* items = nullptr;
  int64_t count = 0;
};

/// A list of tensors of type T.
template <class T>
struct List {
  const Buffer* items = nullptr;
  int64_t count = 0;

  List() = default;
  explicit List(const BufferList& list) noexcept : items(list.items), count(list.count) {}

  /// The i-th tensor of `count`.
  Tensor<T> operator[](int64_t i) const noexcept { return Tensor<T>(items[i]); }
};

/// A tensor, or the tensors of a list.
struct Tensors {
  const Buffer* items;
  int64_t count;

  Tensors(const Buffer* tensor) noexcept : items(tensor), count(1) {}
  Tensors(const BufferList* list) noexcept : items(list->items), count(list->count) {}
};

/// The dtype of the first present tensor, or `otherwise`. So an entry finds the value of a dtype
/// variable.
inline ElementType dtype_of(std::initializer_list<Tensors> carriers,
                            ElementType otherwise = ElementType::F32) noexcept {
  for (const Tensors& tensors : carriers) {
    if (tensors.count > 0 && tensors.items->present()) return tensors.items->dtype;
  }
  return otherwise;
}

/// True if all of the tensors are empty.
inline bool all_empty(std::initializer_list<Tensors> written) noexcept {
  for (const Tensors& tensors : written) {
    for (int64_t i = 0; i < tensors.count; ++i) {
      if (tensors.items[i].numel() != 0) return false;
    }
  }
  return true;
}

}  // namespace opgen
