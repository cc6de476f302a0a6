// Casts a gradient to the dtype of its primal.
#pragma once

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>

#include <algorithm>

#include "plain.h"

namespace opgen {

template <class T>
at::Tensor narrowed(const at::Tensor& wide) {
  at::Tensor narrow = at::detail::empty_cpu(wide.sizes(), wide.options().dtype<T>());
  const float* const from = wide.const_data_ptr<float>();
  std::transform(from, from + wide.numel(), narrow.mutable_data_ptr<T>(),
                 [](float value) { return static_cast<T>(value); });
  return narrow;
}

// A kernel returns the gradient of a weight, a sum over rows, in a wider dtype than the weight's.
// PyTorch's engine would cast it, which takes 2 us even for a few elements. This function casts a
// few elements itself, to the same numbers.
inline void narrow(at::Tensor& gradient, at::ScalarType dtype) {
  if (gradient.scalar_type() != at::kFloat || gradient.numel() > 512) return;
  if (device_keys(gradient) != DispatchKeySet(DispatchKey::CPU) || !gradient.is_contiguous())
    return;
  if (dtype == at::kBFloat16) gradient = narrowed<at::BFloat16>(gradient);
  if (dtype == at::kHalf) gradient = narrowed<at::Half>(gradient);
}

}  // namespace opgen
