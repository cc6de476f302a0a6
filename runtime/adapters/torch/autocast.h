// Autocast: floating inputs are cast before the op sees them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

// Copied from ATen/autocast_mode.h, which includes all operators and takes seconds to compile.
namespace at::autocast {
TORCH_API ScalarType get_autocast_dtype(DeviceType device);
TORCH_API Tensor cached_cast(ScalarType type, const Tensor& tensor, c10::DeviceType device);
}  // namespace at::autocast

namespace opgen {

// The op's kernel at the Autocast key. It casts to the active dtype (`lower`) or to float32, and
// leaves float64 unchanged.
class Autocast final : public c10::OperatorKernel {
 public:
  Autocast(c10::DeviceType device, bool lower) : device_(device), lower_(lower) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet,
                  torch::jit::Stack* stack) const {
    c10::impl::ExcludeDispatchKeyGuard guard(device_ == at::kCPU ? c10::DispatchKey::AutocastCPU
                                                                 : c10::DispatchKey::AutocastCUDA);
    const auto dtype = lower_ ? at::autocast::get_autocast_dtype(device_) : at::kFloat;
    const auto cast = [&](const at::Tensor& tensor) {
      return at::autocast::cached_cast(dtype, tensor, device_);
    };
    for (size_t i = stack->size() - op.schema().arguments().size(); i < stack->size(); ++i) {
      at::IValue& value = (*stack)[i];
      if (value.isTensor()) {
        value = cast(value.toTensor());
      } else if (value.isTensorList()) {
        auto tensors = value.toTensorVector();
        for (at::Tensor& tensor : tensors) tensor = cast(tensor);
        value = tensors;
      }
    }
    op.callBoxed(stack);
  }

 private:
  c10::DeviceType device_;
  bool lower_;
};

}  // namespace opgen
