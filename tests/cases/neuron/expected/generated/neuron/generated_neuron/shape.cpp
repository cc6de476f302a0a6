// The shape functions of generated_neuron for Neuron's compiler. They compute the shape and dtype
// of every result from those of the arguments. Compiled for the host. Rendered by opgen.
#include <torch/torch.h>

#include "opgen/neuron.h"
#include "soft_scale_call.h"
#include "torchneuron/register.h"

/// soft_scale: T[*batch d] x, T[d] weight -> T[*batch count*d] y.
torch::Tensor soft_scale_shape(const torch::Tensor& x_in, const torch::Tensor& weight_in,
                               double scale_in, int64_t count_in) {
  const opgen::neuron::Input x_("soft_scale", "x", x_in);
  const opgen::neuron::Input weight_("soft_scale", "weight", weight_in);
  const generated::SoftScaleCall call(x_.buffer, weight_.buffer, scale_in, count_in);
  opgen::neuron::require(call.d_ <= 4096, "soft_scale", "d <= 4096", "d", call.d_);
  return opgen::neuron::empty("soft_scale", "y", call.y_());
}

/// affine: T[*s] x, T[*s] b -> T[*s] y.
torch::Tensor affine_shape(const torch::Tensor& x_in, const torch::Tensor& b_in, double factor_in) {
  const opgen::neuron::Input x_("affine", "x", x_in);
  const opgen::neuron::Input b_("affine", "b", b_in);
  const generated::AffineCall call(x_.buffer, b_.buffer, factor_in);
  return opgen::neuron::empty("affine", "y", call.y_());
}

/// signs: T[*s] x -> T[*s] y.
torch::Tensor signs_shape(const torch::Tensor& x_in) {
  const opgen::neuron::Input x_("signs", "x", x_in);
  const generated::SignsCall call(x_.buffer);
  return opgen::neuron::empty("signs", "y", call.y_());
}

NEURON_LIBRARY(generated_neuron, m) {
  m.def("soft_scale", &soft_scale_shape, "soft_scale_forward");
  m.def("affine", &affine_shape, "affine_compute");
  m.def("signs", &signs_shape, "signs_compute");
}
