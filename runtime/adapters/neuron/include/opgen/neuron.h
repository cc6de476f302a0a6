// Support for shape functions of Neuron's custom operators, for any op. They read only sizes and
// dtypes of tensors, never data. This header is for the host's compiler, in C++17.
//
// Limits: AWS Neuron, "Neuron Custom C++ Operators Developer Guide", Kernel Function.
#pragma once

#include <torch/torch.h>

#include <cstdint>

#include "opgen/call.h"

namespace opgen::neuron {

/// A tensor has up to 8 dims of up to 65535, or up to 4 of up to 4294967295.
constexpr int64_t most_dims = 8;
constexpr int64_t most_large_dims = 4;
constexpr int64_t largest_size = 65535;
constexpr int64_t largest_size_of_few = 4294967295;

/// The dtypes of the custom operators' tensor library, with PyTorch's names.
constexpr struct {
  ElementType type;
  torch::ScalarType scalar;
} dtypes[] = {
    {ElementType::F32, torch::kFloat}, {ElementType::BF16, torch::kBFloat16},
    {ElementType::F16, torch::kHalf},  {ElementType::I64, torch::kLong},
    {ElementType::I32, torch::kInt},   {ElementType::I16, torch::kShort},
    {ElementType::I8, torch::kChar},   {ElementType::U8, torch::kByte},
};

/// Throws `Refused` if the device does not support tensors of these sizes.
inline void check_limits(const char* op, const char* name, Sizes sizes) {
  if (sizes.size() > most_dims) {
    refuse(op, ": ", name, ": Neuron takes at most ", most_dims, " dims, got shape ", sizes);
  }
  const bool few = sizes.size() <= most_large_dims;
  const int64_t most = few ? largest_size_of_few : largest_size;
  for (int64_t size : sizes) {
    if (size > most) {
      refuse(op, ": ", name, ": Neuron takes sizes up to ", most, " with ", sizes.size(),
             " dims, got shape ", sizes);
    }
  }
}

/// An input in the form that calls check: its sizes and dtype, with the strides of a contiguous
/// tensor.
class Input {
 public:
  Input(const char* op, const char* name, const torch::Tensor& tensor) {
    for (int64_t size : tensor.sizes()) shape_ << Int(size);
    check_limits(op, name, shape_);
    contiguous_strides(shape_, strides_);
    buffer.sizes = shape_.data();
    buffer.strides = strides_;
    buffer.rank = shape_.rank();
    for (const auto& known : dtypes) {
      if (known.scalar != tensor.scalar_type()) continue;
      buffer.dtype = known.type;
      return;
    }
    refuse(op, ": ", name, ": Neuron has no tensors of dtype ",
           c10::toString(tensor.scalar_type()));
  }
  Input(const Input&) = delete;

  Buffer buffer;

 private:
  Shape shape_;
  int64_t strides_[max_rank];
};

/// Throws `Refused` unless the kernel's own requirement holds.
template <class... Values>
void require(bool holds, const char* op, const char* text, const Values&... values) {
  if (!holds) refuse(op, ": the kernel for Neuron requires ", unmet(text, values...));
}

/// Returns a tensor with the shape and dtype of a result. Its data is never read.
inline torch::Tensor empty(const char* op, const char* name, const TensorSpec& spec) {
  check_limits(op, name, spec.shape);
  for (const auto& known : dtypes) {
    if (known.type == spec.dtype) {
      return torch::empty(torch::IntArrayRef(spec.shape.data(), spec.shape.rank()), known.scalar);
    }
  }
  refuse(op, ": ", name, ": Neuron has no tensors of dtype ", opgen::name(spec.dtype));
}

}  // namespace opgen::neuron
