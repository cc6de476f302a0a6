// Arguments and errors of functions that tvm-ffi calls. opgen wrote this file.
#pragma once

#include <exception>
#include <optional>

#include "opgen/call.h"
#include "opgen/tvm_ffi.h"

namespace opgen {
namespace exported {

using tvm_ffi::Any;
using tvm_ffi::DLTensor;

/// The size of TVMFFIObject. In a tensor object, a DLTensor follows it.
constexpr int32_t tensor_object = 70, object_header = 24;

/// Returns opgen's dtype for a DLPack dtype.
inline ElementType element_type(const char* op, const char* name, tvm_ffi::DataType type) {
  for (int32_t code = 0; code < element_type_count; ++code) {
    const auto known = tvm_ffi::data_type(static_cast<ElementType>(code));
    if (known.bits != 0 && known.code == type.code && known.bits == type.bits && type.lanes == 1) {
      return static_cast<ElementType>(code);
    }
  }
  refuse(op, ": ", name, ": DLPack's dtype ", int(type.code), " of ", int(type.bits),
         " bits is unknown");
}

/// A tensor argument, which must be row-major and on the CPU. None stands for an absent tensor.
class Tensor {
 public:
  Tensor(const char* op, const char* name, const Any& any) : op_(op), name_(name) {
    if (any.type == Any::none) return;
    if (any.type != Any::tensor && any.type != tensor_object) {
      refuse(op, ": ", name, ": expected a tensor");
    }
    const char* const at = static_cast<const char*>(any.pointer);
    const auto& tensor =
        *reinterpret_cast<const DLTensor*>(any.type == Any::tensor ? at : at + object_header);
    if (tensor.device.type != tvm_ffi::cpu) refuse(op, ": ", name, ": expected memory of the CPU");
    if (tensor.rank > max_rank) refuse(op, ": ", name, ": expected at most ", max_rank, " dims");
    buffer.data = static_cast<char*>(tensor.data) + tensor.offset;
    buffer.sizes = tensor.sizes;
    buffer.rank = tensor.rank;
    buffer.dtype = element_type(op, name, tensor.dtype);
    int64_t step = 1;
    bool dense = true;
    for (int32_t dim = tensor.rank - 1; dim >= 0; --dim) {
      strides_[dim] = step;
      if (tensor.strides != nullptr && tensor.sizes[dim] > 1) dense &= tensor.strides[dim] == step;
      step *= tensor.sizes[dim];
    }
    if (!dense && step > 0) refuse(op, ": ", name, ": expected a row-major tensor");
    buffer.strides = strides_;
  }
  Tensor(const Tensor&) = delete;

  /// Rejects a result with a different dtype or shape.
  void expect(const TensorSpec& spec) const {
    const Sizes got(buffer.sizes, buffer.rank), expected = spec.shape;
    if (!buffer.present() || buffer.dtype != spec.dtype || got != expected) {
      refuse(op_, ": ", name_, ": expected a result ", opgen::name(spec.dtype), expected, ", got ",
             buffer.present() ? opgen::name(buffer.dtype) : "none", got);
    }
  }

  Buffer buffer;

 private:
  const char* op_;
  const char* name_;
  int64_t strides_[max_rank];
};

/// A numeric argument. None stands for the default.
template <class T>
T number(const char* op, const char* name, const Any& any, std::optional<T> otherwise = {}) {
  if (any.type == Any::none && otherwise) return *otherwise;
  if (any.type == Any::boolean && std::is_same_v<T, bool>) return any.whole != 0;
  if (any.type == Any::integer && !std::is_same_v<T, bool>) return static_cast<T>(any.whole);
  if (any.type == Any::real && std::is_floating_point_v<T>) return static_cast<T>(any.number);
  refuse(op, ": ", name, ": expected ",
         std::is_same_v<T, bool>       ? "a bool"
         : std::is_floating_point_v<T> ? "a number"
                                       : "an int");
}

inline void counted(const char* op, int32_t got, int32_t expected) {
  if (got != expected) refuse(op, ": expected ", expected, " arguments, got ", got);
}

/// Runs `work`, and raises its exceptions as tvm-ffi errors.
template <class Work>
int guarded(const char* op, const Work& work) noexcept {
  const auto raise = [](const char* kind, const char* text) {
    using Raise = void(const char* kind, const char* text);
    static auto* const set = tvm_ffi::detail::function<Raise>("TVMFFIErrorSetRaisedFromCStr");
    if (set != nullptr) set(kind, text);
    return -1;
  };
  try {
    work(op);
    return 0;
  } catch (const Refused& error) {
    return raise("ValueError", error.what());
  } catch (const OutOfMemory& error) {
    return raise("MemoryError", error.what());
  } catch (const std::exception& error) {
    return raise("RuntimeError", error.what());
  }
}

}  // namespace exported
}  // namespace opgen
