// How the way in from Python hands an op its arguments where nothing of PyTorch's dispatcher is
// asked for: what both sides of it agree on.
#pragma once

#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstddef>
#include <cstdint>

namespace opgen::direct {

/// An argument, which the caller keeps alive. Which member holds it, the schema says.
struct Value {
  bool present = false;
  union {
    AtenTensorHandle tensor;
    double number;
    int64_t integer;  // also a dtype: torch's number of it
    bool flag;
    struct {
      const void* data;  // of AtenTensorHandle, int64_t or double; of char, for a text
      size_t size;
    } items;
  };
};
static_assert(sizeof(Value) == 24, "another layout: count up ABI in opgen/ir/abi_hash.py");

/// An op on one platform: arguments and results in the order of the schema. A result is the
/// caller's to delete, and null where this call does not have it. Throws as the kernel at the
/// dispatcher does.
using Function = void(const Value* arguments, AtenTensorHandle* results);

/// An op's function in a library, on the CPU (0) or a GPU (1); null: ask the dispatcher.
using Find = Function*(const char* op, int platform) noexcept;

}  // namespace opgen::direct
