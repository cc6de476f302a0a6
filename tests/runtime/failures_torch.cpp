// Checks the PyTorch adapter with fake torch functions that fail. With WITH_WORDS, torch gives a
// message.
#include "failures.h"

#include "opgen/torch.h"

extern "C" {
AOTITorchError torch_get_num_threads(uint32_t* count) {
  *count = 2;
  return AOTI_TORCH_SUCCESS;
}
AOTITorchError torch_parallel_for(int64_t, int64_t, int64_t, void (*)(int64_t, int64_t, void*),
                                  void*) {
  return AOTI_TORCH_FAILURE;
}
#ifdef WITH_WORDS
const char* said = "CUDA out of memory. Tried to allocate 2.00 GiB.";
const char* torch_exception_get_what_without_backtrace() { return said; }
#endif
}

int main() {
  // A kernel must not throw, so a failure of its threads is reported after the kernel.
  const opgen::torch::CpuContext ctx(opgen::torch::Device{});
  const auto kernel = [&]() noexcept {
    parallel(ctx, 100, 1, [](int64_t, int64_t) {});
    return opgen::Status::ok;
  };
  HOLDS(thrown<std::runtime_error>([&] { check(kernel(), "f", ctx.reported); }) ==
        "f: the framework failed to run the kernel on its threads");

  const auto fail = [] { opgen::torch::ok(AOTI_TORCH_FAILURE, "allocate a tensor"); };
#ifdef WITH_WORDS
  HOLDS(thrown<opgen::OutOfMemory>(fail) ==
        "torch failed to allocate a tensor: CUDA out of memory. Tried to allocate 2.00 GiB.");
  said = "DefaultCPUAllocator: can't allocate memory";
  HOLDS(thrown<std::runtime_error>(fail) ==
        "torch failed to allocate a tensor: DefaultCPUAllocator: can't allocate memory");
#else
  HOLDS(thrown<std::runtime_error>(fail) == "torch failed to allocate a tensor");
#endif
  return failures != 0;
}
