// The kernels of generated_neuron. You write them by hand, in C++14 without exceptions.
// Rendered by opgen.
#pragma once

#include <torch/torch.h>

#include <cstdint>

/// relu: T[*s] x -> T[*s] y.
torch::Tensor relu_compute(const torch::Tensor& x_in);

/// relu_bwd: F[*s] dy, F[*s] y -> F[*s] dx.
torch::Tensor relu_bwd_compute(const torch::Tensor& dy_in, const torch::Tensor& y_in);

/// tensor_negate: T[*s] x -> T[*s] y.
torch::Tensor tensor_negate_compute(const torch::Tensor& x_in);
