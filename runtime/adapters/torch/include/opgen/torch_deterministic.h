// The choice among several kernels under `torch.use_deterministic_algorithms`.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "opgen/call.h"
#include "opgen/kernels.h"
#include "opgen/torch.h"

// `at::globalContext()` and its functions `deterministicAlgorithms()` and
// `deterministicAlgorithmsWarnOnly()`, which the stable ABI lacks. They are weak. With a torch that
// no longer has them, the setting is ignored.
extern "C" {
__attribute__((weak)) const void* opgen_torch_context() noexcept __asm__("_ZN2at13globalContextEv");
__attribute__((weak)) bool opgen_torch_deterministic(const void* context) noexcept
    __asm__("_ZNK2at7Context23deterministicAlgorithmsEv");
__attribute__((weak)) bool opgen_torch_warns_only(const void* context) noexcept
    __asm__("_ZNK2at7Context31deterministicAlgorithmsWarnOnlyEv");
}

namespace opgen::torch {

inline bool deterministic_algorithms() {
  return opgen_torch_context != nullptr && opgen_torch_deterministic != nullptr &&
         opgen_torch_deterministic(opgen_torch_context());
}

inline bool warns_only() {
  return opgen_torch_warns_only != nullptr && opgen_torch_warns_only(opgen_torch_context());
}

/// Handles a call that only a nondeterministic kernel accepts. Throws `Refused`, or warns if
/// PyTorch only warns for its own ops. `unmet` returns why the other kernels do not accept the
/// call.
template <class Args, class Unmet>
__attribute__((noinline, cold)) int32_t undetermined(const char* op, const Kernels<Args>& kernels,
                                                     int32_t kernel, const Unmet& unmet) {
  if (kernel < 0) return kernel;  // no kernel, or none with the other requested guarantees
  const std::string lacking = unmet(kernels.unkept);
  const char *const opened = lacking.empty() ? "" : " (", *const closed =
                                                              lacking.empty() ? "" : ")";
  const auto message = [&](const char* set) {
    return text(op, ": does not have a deterministic implementation that takes this call", opened,
                lacking, closed, ", but you set 'torch.use_deterministic_algorithms(True", set,
                ")'");
  };
  if (!warns_only()) {
    throw std::runtime_error(
        message("") +
        ". You can turn off determinism just for this operation, or you can use the "
        "'warn_only=True' option, if that's acceptable for your application.");
  }
  aoti_torch_warn(op, "torch_deterministic.h", __LINE__, message(", warn_only=True").c_str());
  return kernel;
}

/// Calls `Kernels::choose`, and requests a deterministic kernel if PyTorch's setting requires it.
/// `unmet(n)` returns why kernel n does not accept this call.
template <class Args, class Own, class Takes, class Unmet>
int32_t choose(const char* op, const Kernels<Args>& kernels, const Own& own, const Takes& takes,
               const Unmet& unmet) {
  const uint32_t also = deterministic_algorithms() ? guarantee::deterministic : 0;
  const int32_t chosen = kernels.choose(own, takes, unmet, also);
  if (__builtin_expect(chosen != kernels.unkept || also == 0, 1)) return chosen;
  return undetermined(op, kernels, kernels.choose(own, takes, unmet, 0), unmet);
}

}  // namespace opgen::torch
