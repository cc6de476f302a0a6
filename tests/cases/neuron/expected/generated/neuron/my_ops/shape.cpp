// What Neuron's compiler asks of my_ops: the shape and dtype of every result, from
// those of the arguments alone. Compiled for the host. Rendered by opgen.
#include <torch/torch.h>

#include "opgen/neuron.h"
#include "soft_scale_call.h"
#include "torchneuron/register.h"

/// soft_scale: T[*batch d] x, T[d] weight -> T[*batch count*d] y.
torch::Tensor soft_scale_shape(const torch::Tensor& x, const torch::Tensor& weight, double scale,
                               int64_t count) {
  const opgen::neuron::Input x_("soft_scale", "x", x);
  const opgen::neuron::Input weight_("soft_scale", "weight", weight);
  const generated::SoftScaleCall call(x_.buffer, weight_.buffer, scale, count);
  opgen::neuron::require(call.d <= 4096, "soft_scale", "d <= 4096", "d", call.d);
  return opgen::neuron::empty("soft_scale", "y", call.y());
}

/// affine: T[*s] x, T[*s] b -> T[*s] y.
torch::Tensor affine_shape(const torch::Tensor& x, const torch::Tensor& b, double factor) {
  const opgen::neuron::Input x_("affine", "x", x);
  const opgen::neuron::Input b_("affine", "b", b);
  const generated::AffineCall call(x_.buffer, b_.buffer, factor);
  return opgen::neuron::empty("affine", "y", call.y());
}

NEURON_LIBRARY(my_ops, m) {
  m.def("soft_scale", &soft_scale_shape, "soft_scale_forward");
  m.def("affine", &affine_shape, "affine_compute");
}
