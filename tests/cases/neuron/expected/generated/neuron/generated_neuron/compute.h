// The kernels of generated_neuron. You write them by hand, in C++14 without exceptions.
// Rendered by opgen.
#pragma once

#include <torch/torch.h>

#include <cstdint>

/// soft_scale: T[*batch d] x, T[d] weight -> T[*batch count*d] y.
torch::Tensor soft_scale_forward(const torch::Tensor& x_in, const torch::Tensor& weight_in,
                                 double scale_in, int64_t count_in);

/// affine: T[*s] x, T[*s] b -> T[*s] y.
torch::Tensor affine_compute(const torch::Tensor& x_in, const torch::Tensor& b_in,
                             double factor_in);

/// signs: T[*s] x -> T[*s] y.
torch::Tensor signs_compute(const torch::Tensor& x_in);
