// max(x, 0) and its gradient as custom operators of Neuron.
#include <torch/torch.h>

#include "compute.h"
#include "opgen/neuron_elementwise.h"

template <class T>
static void relu(torch::Tensor& y, const torch::Tensor& x) {
  const T zero(0);
  opgen::neuron::each<T>([zero](T& out, const T& in) { out = in < zero ? zero : in; }, y, x);
}

template <class F>
static void relu_bwd(torch::Tensor& dx, const torch::Tensor& dy, const torch::Tensor& y) {
  const F zero(0);
  opgen::neuron::each<F>([zero](F& out, const F& cotangent, const F& result) {
    out = result <= zero ? zero : cotangent;
  }, dx, dy, y);
}

torch::Tensor relu_compute(const torch::Tensor& x) {
  torch::Tensor y = torch::empty(x.sizes(), x.scalar_type());
  switch (x.scalar_type()) {
    case torch::kFloat: relu<float>(y, x); break;
    case torch::kBFloat16: relu<c10::BFloat16>(y, x); break;
    case torch::kHalf: relu<c10::Half>(y, x); break;
    case torch::kChar: relu<int8_t>(y, x); break;
    default: break;  // the shape function has rejected other dtypes
  }
  return y;
}

torch::Tensor relu_bwd_compute(const torch::Tensor& dy, const torch::Tensor& y) {
  torch::Tensor dx = torch::empty(y.sizes(), y.scalar_type());
  switch (y.scalar_type()) {
    case torch::kFloat: relu_bwd<float>(dx, dy, y); break;
    case torch::kBFloat16: relu_bwd<c10::BFloat16>(dx, dy, y); break;
    case torch::kHalf: relu_bwd<c10::Half>(dx, dy, y); break;
    default: break;  // the shape function has rejected other dtypes
  }
  return dx;
}
