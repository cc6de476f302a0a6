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

// The numbers of torch's dtypes. They are weak, because older versions of torch lack some dtypes.
#define OPGEN_DECLARED(type, name, code, bits, kind, native, torch, ...) \
  extern "C" __attribute__((weak)) int32_t aoti_torch_dtype_##torch();
OPGEN_ELEMENT_TYPES(OPGEN_DECLARED)
#undef OPGEN_DECLARED

// The message of torch's last failure in this thread. It is weak, because it exists from 2.13 on.
extern "C" __attribute__((weak)) const char* torch_exception_get_what_without_backtrace();

namespace opgen::torch {

/// Throws the exception of `ok`, with torch's own message if torch provides one.
[[noreturn]] __attribute__((noinline, cold)) inline void failed(const char* what) {
  const bool words = torch_exception_get_what_without_backtrace != nullptr;
  const std::string reason = words ? torch_exception_get_what_without_backtrace() : "";
  const std::string message = text("torch failed to ", what, reason.empty() ? "" : ": ", reason);
  if (reason.find("out of memory") != std::string::npos) throw OutOfMemory(message);
  throw std::runtime_error(message);
}

/// Throws `OutOfMemory` or a std::runtime_error if torch reports a failure.
inline void ok(AOTITorchError error, const char* what) {
  if (error != AOTI_TORCH_SUCCESS) failed(what);
}

/// The number of each element type in the loaded version of torch. It is -1 if torch lacks the
/// type, or if dims of torch's type count bytes, as for types of four bits.
inline const std::array<int32_t, element_type_count>& torch_dtypes() {
#define OPGEN_NUMBER(type, name, code, bits, kind, native, torch, ...) \
  bits < 8 || aoti_torch_dtype_##torch == nullptr ? -1 : aoti_torch_dtype_##torch(),
  static const std::array<int32_t, element_type_count> numbers = {
      OPGEN_ELEMENT_TYPES(OPGEN_NUMBER)};
#undef OPGEN_NUMBER
  return numbers;
}

/// Returns torch's number of an element type. Throws `Refused` if there is none.
inline int32_t to_torch(ElementType type) {
  const int32_t number = torch_dtypes()[static_cast<int32_t>(type)];
  if (number < 0) refuse("PyTorch has no tensors of dtype ", name(type));
  return number;
}

/// Returns the element type for torch's dtype number. Throws `Refused` if there is none.
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

/// A dtype attribute, as torch's number of the dtype.
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

/// A tensor that the caller owns.
struct Tensor {
  AtenTensorHandle handle;
};

/// A tensor that this object owns, until it is released to a caller. It may be empty.
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

/// A result of type `Tensor?` in the schema.
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
