// Version counters for ops that update inputs, so that autograd detects changes of saved tensors.
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/csrc/autograd/variable.h>

#include <vector>

namespace opgen {

// The op's kernel at the ADInplaceOrView key. It runs the op, then increments the version counter
// of every tensor that the op writes according to its schema.
class BumpVersions final : public c10::OperatorKernel {
 public:
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) const {
    const auto& arguments = op.schema().arguments();
    const size_t base = stack->size() - arguments.size();
    std::vector<at::Tensor> written;  // not lists: the call takes their items away
    for (size_t i = 0; i < arguments.size(); ++i) {
      const at::IValue& value = (*stack)[base + i];
      const c10::AliasInfo* alias = arguments[i].alias_info();
      if (alias == nullptr || !alias->isWrite()) continue;
      if (value.isTensor()) {
        written.push_back(value.toTensor());
      } else if (value.isTensorList()) {
        const auto items = value.toListRef();
        written.reserve(written.size() + items.size());
        for (const at::IValue& item : items) written.push_back(item.toTensor());
      }
    }
    {
      at::AutoDispatchBelowADInplaceOrView guard;
      op.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
    for (const at::Tensor& tensor : written) {
      if (tensor.defined()) torch::autograd::impl::bump_version(tensor);
    }
  }
};

}  // namespace opgen
