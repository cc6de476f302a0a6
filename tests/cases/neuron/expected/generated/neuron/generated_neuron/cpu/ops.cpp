// generated_neuron on the CPU: the same kernels as plain PyTorch operators.
// Rendered by opgen.
#include <torch/torch.h>

#include "compute.h"
#include "opgen/neuron.h"
#include "opgen/neuron_twin.h"
#include "soft_scale_call.h"
#include "soft_scale/soft_scale_neuron.cpp"

namespace {

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

}  // namespace

TORCH_LIBRARY(generated_neuron_cpu, m) {
  m.def("soft_scale(Tensor x, Tensor weight, float scale=0.5, SymInt count=2) -> (Tensor y)");
  m.def("affine(Tensor x, Tensor b, float factor) -> (Tensor y)");
  m.def("signs(Tensor x) -> (Tensor y)");
}

TORCH_LIBRARY_IMPL(generated_neuron_cpu, CPU, m) {
  m.impl("soft_scale", &opgen::neuron::Checked<&soft_scale_shape, &soft_scale_forward>::run);
  m.impl("affine", &opgen::neuron::Checked<&affine_shape, &affine_compute>::run);
  m.impl("signs", &opgen::neuron::Checked<&signs_shape, &signs_compute>::run);
}

TORCH_LIBRARY_IMPL(generated_neuron_cpu, Meta, m) {
  m.impl("soft_scale", &opgen::neuron::Meta<&soft_scale_shape>::run);
  m.impl("affine", &opgen::neuron::Meta<&affine_shape>::run);
  m.impl("signs", &opgen::neuron::Meta<&signs_shape>::run);
}
