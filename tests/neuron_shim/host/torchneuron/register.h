// NEURON_LIBRARY on a host without the Neuron SDK. See tests/neuron_shim/README.md.
//
// The library is registered with PyTorch: the shape function as the Meta kernel, the compute
// function as the CPU kernel. As on the device, the shape function is called first.
#pragma once

#include <dlfcn.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <stdexcept>
#include <string>
#include <typeinfo>

namespace torchneuron {

/// Returns the compute function `name` with the signature `Signature`, from the library that
/// contains `beside`. (Mangled names in the Itanium C++ ABI do not contain the return type, void.)
template <class Signature>
void* find(const void* beside, const std::string& name) {
  const std::string type = typeid(Signature).name();  // F v parameters E
  const std::string symbol =
      "_Z" + std::to_string(name.size()) + name + type.substr(2, type.size() - 3);
  Dl_info here;
  if (dladdr(beside, &here) == 0) throw std::runtime_error("the library cannot be found");
  void* library = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void* function = dlsym(library, symbol.c_str());
  dlclose(library);
  if (function == nullptr) {
    throw std::runtime_error("no compute function " + name +
                             " has the signature of its shape function: " + symbol);
  }
  return function;
}

class Library {
 public:
  explicit Library(const char* name) : library_(torch::Library::DEF, name, {}, __FILE__, 0) {}

  template <class... Args>
  void def(const char* op, torch::Tensor (*shape)(Args...), const char* compute_name) {
    using Compute = torch::Tensor (*)(Args...);
    const auto compute = reinterpret_cast<Compute>(
        find<void(Args...)>(reinterpret_cast<const void*>(shape), compute_name));
    library_.def(op, torch::dispatch(c10::DispatchKey::CPU, [shape, compute](Args... args) {
      const torch::Tensor expected = shape(args...);
      const torch::Tensor y = compute(args...);
      if (y.sizes() != expected.sizes() || y.scalar_type() != expected.scalar_type()) {
        throw std::runtime_error("shape function and kernel do not agree");
      }
      return y;
    }));
    library_.impl(op, torch::dispatch(c10::DispatchKey::Meta, [shape](Args... args) {
      const torch::Tensor y = shape(args...);
      return torch::empty(y.sizes(), y.options().device(torch::kMeta));
    }));
  }

 private:
  torch::Library library_;
};

struct Definition {
  Definition(const char* name, void (*define)(Library&)) : library(name) { define(library); }
  Library library;
};

}  // namespace torchneuron

#define NEURON_LIBRARY(name, m)                                                                 \
  static void neuron_library_##name(torchneuron::Library&);                                     \
  static const torchneuron::Definition neuron_definition_##name(#name, &neuron_library_##name); \
  static void neuron_library_##name(torchneuron::Library& m)
