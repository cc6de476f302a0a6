// Neuron's custom operators as plain PyTorch operators on the host, for any op.
#pragma once

#include <torch/library.h>
#include <torch/torch.h>

namespace opgen::neuron {

/// A shape function as a kernel for PyTorch's meta device. It runs with tensors that have no data.
template <auto shape>
struct Meta;

template <class... Args, torch::Tensor (*shape)(Args...)>
struct Meta<shape> {
  static torch::Tensor run(Args... args) {
    const torch::Tensor y = shape(args...);
    return torch::empty(y.sizes(), y.options().device(torch::kMeta));
  }
};

/// A kernel that runs only if its shape function accepts the call, as on the device.
template <auto shape, auto compute>
struct Checked;

template <class... Args, torch::Tensor (*shape)(Args...), torch::Tensor (*compute)(Args...)>
struct Checked<shape, compute> {
  static torch::Tensor run(Args... args) {
    shape(args...);
    return compute(args...);
  }
};

}  // namespace opgen::neuron
