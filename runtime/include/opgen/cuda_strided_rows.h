// The start of each row of a tensor. The last dim is contiguous, and other dims have any strides.
#pragma once

#include <cstdint>
#include <numeric>

#include "opgen/buffer.h"
#include "opgen/cuda.h"

namespace opgen::cuda {

/// The offset of each row, in elements. Neighbouring dims are merged if they form one dim with a
/// single stride, as in a slice of a contiguous tensor.
class RowOffsets {
 public:
  static constexpr int most_dims = 8;

  template <class T>
  explicit RowOffsets(const Tensor<T>& tensor) noexcept {
    for (int32_t dim = 0; dim + 1 < tensor.rank; ++dim) {
      const int64_t size = tensor.size(dim), stride = tensor.stride(dim);
      if (size == 1) continue;
      if (dims_ > 0 && strides_[dims_ - 1] == size * stride) {
        sizes_[dims_ - 1] *= size;
        strides_[dims_ - 1] = stride;
      } else if (dims_ < most_dims) {
        sizes_[dims_] = size;
        strides_[dims_++] = stride;
      } else {
        fits_ = false;
      }
    }
  }

  /// True if this object can describe all dims of the tensor.
  bool fits() const noexcept { return fits_; }

  /// A common divisor of all offsets; 0 if all are 0.
  int64_t step() const noexcept {
    int64_t step = 0;
    for (int dim = 0; dim < dims_; ++dim) step = std::gcd(step, strides_[dim]);
    return step;
  }

  __device__ int64_t operator()(int64_t row) const {
    int64_t offset = 0;
    for (int dim = dims_ - 1; dim > 0; --dim) {
      offset += row % sizes_[dim] * strides_[dim];
      row /= sizes_[dim];
    }
    return dims_ > 0 ? offset + row * strides_[0] : 0;
  }

 private:
  int dims_ = 0;
  bool fits_ = true;
  int64_t sizes_[most_dims], strides_[most_dims];
};

}  // namespace opgen::cuda
