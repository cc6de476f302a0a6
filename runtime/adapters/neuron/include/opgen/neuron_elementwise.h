// Elementwise kernels for Neuron's custom operators, through tensor accessors, for any op. This
// header is for the device's compiler: C++14 without exceptions.
//
// Accessors: AWS Neuron, "Custom Operators API Reference Guide", Tensor Accessors.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>

namespace opgen {
namespace neuron {

/// Calls a function for every element of some accessors. They have `rank` dims and the same shape.
template <size_t rank>
struct Elements {
  template <class Function, class Sizes, class... Accessors>
  static void each(Function function, Sizes sizes, size_t dim, Accessors... accessors) {
    const int64_t size = sizes[dim];
    for (int64_t i = 0; i < size; ++i) {
      Elements<rank - 1>::each(function, sizes, dim + 1, accessors[i]...);
    }
  }
};

template <>
struct Elements<1> {
  template <class Function, class Sizes, class... Accessors>
  static void each(Function function, Sizes sizes, size_t dim, Accessors... accessors) {
    const int64_t size = sizes[dim];
    for (int64_t i = 0; i < size; ++i) function(accessors[i]...);
  }
};

/// Calls `function(y, x...)` for every element of tensors with the same shape and element type T.
/// They have 1 to 8 dims.
template <class T, class Function, class... Tensors>
void each(Function function, torch::Tensor& y, const Tensors&... x) {
  switch (y.dim()) {
#define OPGEN_NEURON_RANK(rank)                                         \
  case rank:                                                            \
    Elements<rank>::each(function, y.sizes(), 0, y.accessor<T, rank>(), \
                         x.template accessor<T, rank>()...);            \
    break;
    OPGEN_NEURON_RANK(1)
    OPGEN_NEURON_RANK(2)
    OPGEN_NEURON_RANK(3)
    OPGEN_NEURON_RANK(4)
    OPGEN_NEURON_RANK(5)
    OPGEN_NEURON_RANK(6)
    OPGEN_NEURON_RANK(7)
    OPGEN_NEURON_RANK(8)
#undef OPGEN_NEURON_RANK
  }
}

}  // namespace neuron
}  // namespace opgen
