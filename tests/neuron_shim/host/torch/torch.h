// The part of PyTorch's torch/torch.h that shape functions and kernels of custom operators use.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

namespace torch {
using namespace at;  // as torch/types.h does
}
