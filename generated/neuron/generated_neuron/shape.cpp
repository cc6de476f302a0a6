// The shape functions of generated_neuron for Neuron's compiler. They compute the shape and dtype
// of every result from those of the arguments. Compiled for the host. Rendered by opgen.
#include <torch/torch.h>

#include "opgen/neuron.h"
#include "relu_call.h"
#include "tensor_negate_call.h"
#include "torchneuron/register.h"

/// relu: T[*s] x -> T[*s] y.
torch::Tensor relu_shape(const torch::Tensor& x_in) {
  const opgen::neuron::Input x_("relu", "x", x_in);
  const generated::ReluCall call(x_.buffer);
  opgen::neuron::require(call.T_ != opgen::ElementType::F64, "relu", "T != f64", "T", call.T_);
  opgen::neuron::require(call.T_ != opgen::ElementType::I32, "relu", "T != i32", "T", call.T_);
  opgen::neuron::require(opgen::rank(call.x_) >= 1, "relu", "rank(x) >= 1");
  return opgen::neuron::empty("relu", "y", call.y_());
}

/// relu_bwd: F[*s] dy, F[*s] y -> F[*s] dx.
torch::Tensor relu_bwd_shape(const torch::Tensor& dy_in, const torch::Tensor& y_in) {
  const opgen::neuron::Input dy_("relu_bwd", "dy", dy_in);
  const opgen::neuron::Input y_("relu_bwd", "y", y_in);
  const generated::ReluBwdCall call(dy_.buffer, y_.buffer);
  opgen::neuron::require(call.F_ != opgen::ElementType::F64, "relu_bwd", "F != f64", "F", call.F_);
  opgen::neuron::require(opgen::rank(call.y_) >= 1, "relu_bwd", "rank(y) >= 1");
  return opgen::neuron::empty("relu_bwd", "dx", call.dx_());
}

/// tensor_negate: T[*s] x -> T[*s] y.
torch::Tensor tensor_negate_shape(const torch::Tensor& x_in) {
  const opgen::neuron::Input x_("tensor_negate", "x", x_in);
  const generated::TensorNegateCall call(x_.buffer);
  opgen::neuron::require(call.T_ != opgen::ElementType::F64, "tensor_negate", "T != f64", "T",
                         call.T_);
  opgen::neuron::require(opgen::rank(call.x_) >= 1, "tensor_negate", "rank(x) >= 1");
  return opgen::neuron::empty("tensor_negate", "y", call.y_());
}

NEURON_LIBRARY(generated_neuron, m) {
  m.def("relu", &relu_shape, "relu_compute");
  m.def("relu_bwd", &relu_bwd_shape, "relu_bwd_compute");
  m.def("tensor_negate", &tensor_negate_shape, "tensor_negate_compute");
}
