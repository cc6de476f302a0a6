// The kernels of my_ops, to be written by hand in C++14 without exceptions.
// Rendered by opgen.
#pragma once

#include <torch/torch.h>

#include <cstdint>

/// soft_scale: T[*batch d] x, T[d] weight -> T[*batch count*d] y.
torch::Tensor soft_scale_forward(const torch::Tensor& x, const torch::Tensor& weight, double scale,
                                 int64_t count);

/// affine: T[*s] x, T[*s] b -> T[*s] y.
torch::Tensor affine_compute(const torch::Tensor& x, const torch::Tensor& b, double factor);
