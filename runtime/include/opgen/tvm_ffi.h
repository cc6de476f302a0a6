// Calls functions through tvm-ffi. Arguments are DLPack tensors and plain numbers. This header
// declares the necessary part of tvm-ffi's C ABI, so the build needs neither its headers nor its
// library.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "opgen/context.h"

namespace opgen {
namespace tvm_ffi {

/// DLDataType, DLDevice and DLTensor of DLPack.
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Device {
  int32_t type = 1;
  int32_t id = 0;
};
struct DLTensor {
  void* data = nullptr;
  Device device;
  int32_t rank = 0;
  DataType dtype{};
  const int64_t* sizes = nullptr;
  const int64_t* strides = nullptr;
  uint64_t offset = 0;
};
static_assert(sizeof(DLTensor) == 48, "the layout is DLPack's");

/// TVMFFIAny: the type of an argument, and its value.
struct Any {
  enum Type : int32_t { none = 0, integer = 1, boolean = 2, real = 3, dtype = 5, tensor = 7 };
  static constexpr int32_t first_object = 64;

  int32_t type = none;
  uint32_t padding = 0;
  union {
    int64_t whole = 0;
    double number;
    DataType data_type;
    const void* pointer;
  };
};
static_assert(sizeof(Any) == 16, "the layout is tvm-ffi's");

using Function = int(void* self, const Any* args, int32_t count, Any* result);
constexpr int32_t cpu = 1, cuda = 2;  // kDLCPU, kDLCUDA

/// DLPack's name of a dtype.
constexpr DataType data_type(ElementType type) noexcept {
  switch (type) {
    case ElementType::BF16: return {4, 16, 1};
    case ElementType::F16: return {2, 16, 1};
    case ElementType::F32: return {2, 32, 1};
    case ElementType::F64: return {2, 64, 1};
    case ElementType::I8: return {0, 8, 1};
    case ElementType::I16: return {0, 16, 1};
    case ElementType::I32: return {0, 32, 1};
    case ElementType::I64: return {0, 64, 1};
    case ElementType::U8: return {1, 8, 1};
    case ElementType::U16: return {1, 16, 1};
    case ElementType::U32: return {1, 32, 1};
    case ElementType::U64: return {1, 64, 1};
    case ElementType::BOOL: return {6, 8, 1};
    case ElementType::F8E4M3: return {10, 8, 1};
    case ElementType::F8E5M2: return {12, 8, 1};
    case ElementType::F8E4M3FNUZ: return {11, 8, 1};
    case ElementType::F8E5M2FNUZ: return {13, 8, 1};
    case ElementType::F8E8M0: return {14, 8, 1};
    case ElementType::C64: return {5, 64, 1};
    case ElementType::C128: return {5, 128, 1};
    default: return {};
  }
}

namespace detail {

/// Returns a function of libtvm_ffi.so. The library of the called function has already loaded it.
template <class F>
F* function(const char* name) noexcept {
  static void* const library = dlopen("libtvm_ffi.so", RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(library, name));
}

inline void release(void* object) noexcept {
  static auto* const decrease = function<int(void*)>("TVMFFIObjectDecRef");
  if (object != nullptr && decrease != nullptr) decrease(object);
}

/// Returns the message of the error that a function has raised. It is valid until the next error of
/// this thread.
inline const char* raised() noexcept {
  struct Bytes {
    const char* data;
    size_t size;
  };
  struct Error {  // TVMFFIObject, then TVMFFIErrorCell
    char header[24];
    Bytes kind, message;
  };
  static auto* const take = function<void(void**)>("TVMFFIErrorMoveFromRaised");
  thread_local std::string text;
  void* object = nullptr;
  if (take != nullptr) take(&object);
  if (object == nullptr) return nullptr;
  const Error& error = *static_cast<const Error*>(object);
  text.assign(error.message.data, error.message.size);
  release(object);
  return text.c_str();
}

/// Sets the stream that functions on a device use during a call.
class Stream {
 public:
  Stream(Device device, void* stream) noexcept : device_(device) {
    static auto* const set = function<Set>("TVMFFIEnvSetStream");
    if (device.type == cpu || set == nullptr) return;
    set_ = set;
    set_(device_.type, device_.id, stream, &before_);
  }
  ~Stream() {
    if (set_ != nullptr) set_(device_.type, device_.id, before_, nullptr);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

 private:
  using Set = int(int32_t type, int32_t id, void* stream, void** before);
  Device device_;
  Set* set_ = nullptr;
  void* before_ = nullptr;
};

inline void put(Any& any, DLTensor& tensor, Device device, const Buffer& buffer) noexcept {
  if (!buffer.present()) return;  // none
  tensor = {buffer.data,    device, buffer.rank, data_type(buffer.dtype), buffer.sizes,
            buffer.strides, 0};
  any.type = Any::tensor;
  any.pointer = &tensor;
}

inline void put(Any& any, DLTensor&, Device, ElementType type) noexcept {
  any.type = Any::dtype;
  any.data_type = data_type(type);
}

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void put(Any& any, DLTensor&, Device, T value) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    any.type = Any::real;
    any.number = static_cast<double>(value);
  } else {
    any.type = std::is_same_v<T, bool> ? Any::boolean : Any::integer;
    any.whole = static_cast<int64_t>(value);
  }
}

}  // namespace detail

/// Calls `run` with tensors, numbers and dtypes, on the context's stream. If `run` raises an error,
/// the context's failure report gets its message.
template <class... Given>
Status call(const Context& ctx, int32_t device_type, Function& run,
            const Given&... given) noexcept {
  constexpr size_t count = sizeof...(Given);
  const Device device{device_type, device_type == cpu ? 0 : ctx.device};
  DLTensor tensors[count + 1];
  Any args[count + 1], result;
  size_t n = 0;
  ((detail::put(args[n], tensors[n], device, given), ++n), ...);
  const detail::Stream stream(device, ctx.stream);
  if (run(nullptr, args, static_cast<int32_t>(count), &result) == 0) {
    if (result.type >= Any::first_object) detail::release(const_cast<void*>(result.pointer));
    return Status::ok;
  }
  const char* text = detail::raised();
  if (ctx.failure != nullptr) ctx.failure->argument = text;
  return Status::raised;
}

}  // namespace tvm_ffi
}  // namespace opgen
