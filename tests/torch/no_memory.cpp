// An op whose kernel gets PyTorch's error for a device without free memory.
#include "opgen/torch_function.h"

namespace {

opgen::torch::Owned f(opgen::torch::Tensor) {
  throw opgen::OutOfMemory("CUDA out of memory. Tried to allocate 2.00 GiB.");
}

}  // namespace

STABLE_TORCH_LIBRARY(no_memory, m) { m.def("f(Tensor x) -> Tensor"); }

STABLE_TORCH_LIBRARY_IMPL(no_memory, CPU, m) {
  opgen::torch::implement(m, opgen::Platform::cpu, "f", opgen::torch::ways<&f>);
}
