// -x as a custom operator of Neuron.
#include <torch/torch.h>

#include "compute.h"
#include "opgen/neuron_elementwise.h"

template <class T>
static void negate(torch::Tensor& y, const torch::Tensor& x) {
  opgen::neuron::each<T>([](T& out, const T& in) { out = -in; }, y, x);
}

torch::Tensor tensor_negate_compute(const torch::Tensor& x) {
  torch::Tensor y = torch::empty(x.sizes(), x.scalar_type());
  switch (x.scalar_type()) {
    case torch::kFloat: negate<float>(y, x); break;
    case torch::kChar: negate<int8_t>(y, x); break;
    default: break;  // the shape function has rejected other dtypes
  }
  return y;
}
