// Functions exported with tvm-ffi, as users write them. The test that needs them builds them.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <cstdint>
#include <cstring>

namespace {

using tvm::ffi::Optional;
using tvm::ffi::TensorView;

float load(const void* data, int64_t at, bool wide) {
  if (wide) return static_cast<const float*>(data)[at];
  const uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t*>(data)[at]) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void store(void* data, int64_t at, bool wide, float value) {
  if (wide) {
    static_cast<float*>(data)[at] = value;
    return;
  }
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits += 0x7fff + (bits >> 16 & 1);
  static_cast<uint16_t*>(data)[at] = static_cast<uint16_t>(bits >> 16);
}

void scaled(TensorView y, TensorView x, Optional<TensorView> bias, double by, bool negate,
            int64_t d, DLDataType dtype) {
  if (by == 0) TVM_FFI_THROW(ValueError) << "by is " << by << ", and x would be lost";
  if (x.device().device_type != kDLCPU) TVM_FFI_THROW(RuntimeError) << "not on the CPU";
  if (x.size(x.ndim() - 1) != d || x.stride(x.ndim() - 1) != 1)
    TVM_FFI_THROW(RuntimeError) << "rows of " << d << " elements were expected";
  if (x.dtype() != dtype)
    TVM_FFI_THROW(RuntimeError) << "another dtype";
  const bool wide = dtype.bits == 32;
  for (int64_t at = 0; at < x.numel(); ++at) {
    float value = load(x.data_ptr(), at, wide) * static_cast<float>(negate ? -by : by);
    if (bias.has_value()) value += load(bias.value().data_ptr(), at % d, true);
    store(y.data_ptr(), at, wide, value);
  }
}

void doubled(TensorView x, TensorView y, int64_t by) {
  for (int64_t at = 0; at < x.numel(); ++at) {
    store(y.data_ptr(), at, true, load(x.data_ptr(), at, true) * static_cast<float>(by));
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scaled, scaled)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(doubled, doubled)
