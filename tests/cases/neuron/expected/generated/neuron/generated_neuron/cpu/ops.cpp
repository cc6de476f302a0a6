// generated_neuron on the CPU: the same kernels as plain PyTorch operators.
// Rendered by opgen.
#include <torch/torch.h>

#include "compute.h"
#include "opgen/neuron.h"
#include "opgen/neuron_twin.h"
#include "soft_scale_call.h"
#include "soft_scale/soft_scale_neuron.cpp"

namespace {

/// signs: T[*s] x -> T[*s] y.
torch::Tensor signs_shape(const torch::Tensor& x_in) {
  const opgen::neuron::Input x_("signs", "x", x_in);
  const generated::SignsCall call(x_.buffer);
  return opgen::neuron::empty("signs", "y", call.y_());
}

}  // namespace

TORCH_LIBRARY(generated_neuron_cpu, m) {
  m.def("signs(Tensor x) -> (Tensor y)");
}

TORCH_LIBRARY_IMPL(generated_neuron_cpu, CPU, m) {
  m.impl("signs", &opgen::neuron::Checked<&signs_shape, &signs_compute>::run);
}

TORCH_LIBRARY_IMPL(generated_neuron_cpu, Meta, m) {
  m.impl("signs", &opgen::neuron::Meta<&signs_shape>::run);
}
