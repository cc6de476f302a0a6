// A gradient in the dtype of what it is the gradient of.
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

// Sums over rows leave their kernel wider than the weight whose gradient they are, and PyTorch's
// engine casts them, which takes 2 us however few they are. A few are cast here, to the same
// numbers.
inline void narrow(at::Tensor& gradient, at::ScalarType dtype) {
  if (gradient.scalar_type() != at::kFloat || gradient.numel() > 512) return;
  if (device_keys(gradient) != DispatchKeySet(DispatchKey::CPU) || !gradient.is_contiguous())
    return;
  if (dtype == at::kBFloat16) gradient = narrowed<at::BFloat16>(gradient);
  if (dtype == at::kHalf) gradient = narrowed<at::Half>(gradient);
}

}  // namespace opgen
