// Shows in a profiler of PyTorch which kernel of a list ran.
#pragma once

#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdint>
#include <string>

// Weak, because profilerEnabled is not in the stable ABI, and PyTorch does not promise to keep the
// other functions. If a PyTorch lacks one of them, libraries still load, and profilers show only
// the op.
namespace torch::profiler::impl {
__attribute__((weak)) bool profilerEnabled();
}
extern "C" {
__attribute__((weak)) decltype(aoti_record_function_start) aoti_record_function_start;
__attribute__((weak)) decltype(aoti_record_function_end) aoti_record_function_end;
}

namespace opgen::torch {

/// A profiler range with the name `op: kernel`, inside the range of the op. It does nothing if no
/// profiler is active.
class Range {
 public:
  template <class Kernels>
  Range(const char* op, const Kernels& kernels, int32_t chosen) {
    using ::torch::profiler::impl::profilerEnabled;
    if (__builtin_expect(profilerEnabled == nullptr || !profilerEnabled(), 1)) return;
    begin(std::string(op) + ": " + kernels.name(chosen));
  }
  Range(const Range&) = delete;
  ~Range() {
    if (range_ != nullptr) aoti_record_function_end(range_);
  }

 private:
  void begin(const std::string& name) {
    if (aoti_record_function_start == nullptr || aoti_record_function_end == nullptr) return;
    if (aoti_record_function_start(name.c_str(), nullptr, nullptr, 0, &range_) !=
        AOTI_TORCH_SUCCESS) {
      range_ = nullptr;  // an error here must not stop the call
    }
  }

  AtenRecordFunctionHandle range_ = nullptr;
};

}  // namespace opgen::torch
