// The kernels of generated_neuron. You write them by hand, in C++14 without exceptions.
// Rendered by opgen.
#pragma once

#include <torch/torch.h>

#include <cstdint>

/// signs: T[*s] x -> T[*s] y.
torch::Tensor signs_compute(const torch::Tensor& x_in);
