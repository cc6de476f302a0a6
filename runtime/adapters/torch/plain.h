// Checks whether PyTorch's dispatcher would only run the device's kernel for a call.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/record_function.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace opgen {

using c10::DispatchKey;
using c10::DispatchKeySet;

constexpr DispatchKeySet in_place_or_view = DispatchKeySet(DispatchKey::ADInplaceOrView);

// True if no mode, transform, tracer, autocast or profiler is on in this thread. Recording of
// gradients and inference mode are not checked.
inline bool nothing_is_on() {
  const c10::impl::LocalDispatchKeySet local = c10::impl::tls_local_dispatch_key_set();
  const DispatchKeySet gradients = c10::autograd_dispatch_keyset | in_place_or_view;
  return (local.included_ | in_place_or_view) == c10::default_included_set &&
         (local.excluded_ - gradients) == c10::default_excluded_set &&
         !at::getStepCallbacksUnlessEmpty(at::RecordScope::FUNCTION).has_value();
}

// The dispatch keys of a dense tensor without the keys for gradients and autocast. If only the
// device's key is left, the dispatcher has nothing else to do.
inline DispatchKeySet device_keys(const at::TensorBase& tensor) {
  constexpr DispatchKeySet layers =
      c10::autograd_dispatch_keyset | c10::autocast_dispatch_keyset | in_place_or_view;
  return tensor.key_set() - layers;
}

}  // namespace opgen
