// The shape functions of generated_neuron for Neuron's compiler. They compute the shape and dtype
// of every result from those of the arguments. Compiled for the host. Rendered by opgen.
#include <torch/torch.h>

#include "opgen/neuron.h"
#include "soft_scale_call.h"
#include "torchneuron/register.h"

/// signs: T[*s] x -> T[*s] y.
torch::Tensor signs_shape(const torch::Tensor& x_in) {
  const opgen::neuron::Input x_("signs", "x", x_in);
  const generated::SignsCall call(x_.buffer);
  return opgen::neuron::empty("signs", "y", call.y_());
}

NEURON_LIBRARY(generated_neuron, m) {
  m.def("signs", &signs_shape, "signs_compute");
}
