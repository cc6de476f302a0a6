// Dtypes, attributes and devices of PyTorch, through its stable ABI (2.10 and later).
#pragma once

#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "opgen/call.h"

// The numbers of torch's dtypes. Weak: which of them there are depends on the torch that is loaded.
#define OPGEN_DECLARED(type, name, code, bits, kind, native, torch, ...) \
  extern "C" __attribute__((weak)) int32_t aoti_torch_dtype_##torch();
OPGEN_ELEMENT_TYPES(OPGEN_DECLARED)
#undef OPGEN_DECLARED

// Text of torch's last failure in this thread. Weak: it exists from 2.13 on.
extern "C" __attribute__((weak)) const char* torch_exception_get_what_without_backtrace();

namespace opgen::torch {

/// Throws what `ok` does: a failure of torch with its own words, where it gives them.
[[noreturn]] __attribute__((noinline, cold)) inline void failed(const char* what) {
  const bool words = torch_exception_get_what_without_backtrace != nullptr;
  const std::string reason = words ? torch_exception_get_what_without_backtrace() : "";
  const std::string message = text("torch failed to ", what, reason.empty() ? "" : ": ", reason);
  if (reason.find("out of memory") != std::string::npos) throw OutOfMemory(message);
  throw std::runtime_error(message);
}

/// Throws `OutOfMemory` or a std::runtime_error where torch reports a failure.
inline void ok(AOTITorchError error, const char* what) {
  if (error != AOTI_TORCH_SUCCESS) failed(what);
}

/// Torch's number of each element type, as the torch that is loaded gives it; -1: it has none, or
/// none whose dims count elements (its types of four bits count bytes).
inline const std::array<int32_t, element_type_count>& torch_dtypes() {
#define OPGEN_NUMBER(type, name, code, bits, kind, native, torch, ...) \
  bits < 8 || aoti_torch_dtype_##torch == nullptr ? -1 : aoti_torch_dtype_##torch(),
  static const std::array<int32_t, element_type_count> numbers = {
      OPGEN_ELEMENT_TYPES(OPGEN_NUMBER)};
#undef OPGEN_NUMBER
  return numbers;
}

/// Torch's number of an element type; throws `Refused` where there is none.
inline int32_t to_torch(ElementType type) {
  const int32_t number = torch_dtypes()[static_cast<int32_t>(type)];
  if (number < 0) refuse("PyTorch has no tensors of dtype ", name(type));
  return number;
}

/// The element type of torch's dtype number; throws `Refused` where there is none.
inline ElementType from_torch(int32_t number, const char* op, const Label& argument) {
  static const std::array<int8_t, 128> codes = [] {
    std::array<int8_t, 128> table;
    table.fill(-1);
    for (int32_t code = 0; code < element_type_count; ++code) {
      const int32_t at = torch_dtypes()[code];
      if (at >= 0 && at < 128) table[at] = static_cast<int8_t>(code);
    }
    return table;
  }();
  const int8_t code = number >= 0 && number < 128 ? codes[number] : -1;
  if (code < 0) refuse(op, ": argument '", argument, "' has a dtype that no kernel takes");
  return static_cast<ElementType>(code);
}

/// A dtype attribute: torch's number of it.
struct DType {
  int32_t number;
};

inline ElementType from_torch(DType type, const char* op, const char* attr) {
  return from_torch(type.number, op, attr);
}

inline std::optional<ElementType> from_torch(const std::optional<DType>& type, const char* op,
                                             const char* attr) {
  if (!type) return std::nullopt;
  return from_torch(*type, op, attr);
}

/// A tensor of the caller's.
struct Tensor {
  AtenTensorHandle handle;
};

/// A tensor of ours, to keep or to give away; may be none.
class Owned {
 public:
  Owned() = default;
  explicit Owned(AtenTensorHandle handle) noexcept : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(other.release()) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) aoti_torch_delete_tensor_object(handle_);
  }

  AtenTensorHandle get() const noexcept { return handle_; }
  AtenTensorHandle release() noexcept { return std::exchange(handle_, nullptr); }

 private:
  AtenTensorHandle handle_ = nullptr;
};

/// A result that the schema calls `Tensor?`.
struct OptionalOwned : Owned {
  OptionalOwned(Owned&& tensor) noexcept : Owned(std::move(tensor)) {}
};

/// Arguments that are lists.
template <class T>
using List = ::torch::headeronly::HeaderOnlyArrayRef<T>;

inline Sizes sizes(List<int64_t> values) {
  return Sizes(values.data(), static_cast<int64_t>(values.size()));
}

inline Floats floats(List<double> values) {
  return Floats(values.data(), static_cast<int64_t>(values.size()));
}

inline std::optional<Sizes> sizes(const std::optional<List<int64_t>>& values) {
  if (!values) return std::nullopt;
  return sizes(*values);
}

inline std::optional<Floats> floats(const std::optional<List<double>>& values) {
  if (!values) return std::nullopt;
  return floats(*values);
}

struct Device {
  int32_t type = 0;
  int32_t index = 0;

  Device() = default;
  explicit Device(AtenTensorHandle tensor) {
    ok(aoti_torch_get_device_type(tensor, &type), "tell a tensor's device");
    ok(aoti_torch_get_device_index(tensor, &index), "tell a tensor's device");
  }
  bool on_host() const { return type == aoti_torch_device_type_cpu(); }
  bool operator!=(const Device& other) const { return type != other.type || index != other.index; }
};

}  // namespace opgen::torch
