// AMD's devices for adapters, through HIP, which is opened at its first use.
#include "opgen/device.h"
#include "opgen/hip_driver.h"

namespace {

template <class Word>
Word word_of(const opgen::Element& value) noexcept {
  Word word;
  std::memcpy(&word, value.bytes, sizeof word);
  return word;
}

}  // namespace

opgen::DeviceProperties OPGEN_HIP_PROPERTIES(int32_t device) noexcept {
  return {opgen::hip::Hip::architecture(device),
          opgen::hip::attribute(opgen::hip::multiprocessor_count, device)};
}

opgen::DeviceName OPGEN_HIP_NAME(int32_t device) noexcept {
  const opgen::hip::Properties found = opgen::hip::properties(device);
  opgen::DeviceName name;
  std::strncpy(name.text, found.name, sizeof name.text - 1);
  return name;
}

opgen::Status OPGEN_HIP_FILL(const opgen::Context* ctx, const opgen::Buffer* tensor,
                             const opgen::Element* value) noexcept {
  if (tensor->numel() <= 0) return opgen::Status::ok;
  const opgen::hip::Current current(ctx->device);
  if (!current.valid) return opgen::Status::launch_failed;
  const opgen::hip::Api& hip = opgen::hip::api();
  const auto count = static_cast<size_t>(opgen::extent(*tensor));
  const auto size = static_cast<size_t>(value->size);
  int result = 0;
  if (value->uniform()) {
    const auto bytes = static_cast<size_t>(size_of(tensor->dtype, opgen::extent(*tensor)));
    result = hip.fill_8(tensor->data, value->bytes[0], bytes, ctx->stream);
  } else if (size == 2) {
    result = hip.fill_16(tensor->data, word_of<uint16_t>(*value), count, ctx->stream);
  } else if (size == 4) {
    result = hip.fill_32(tensor->data, word_of<int32_t>(*value), count, ctx->stream);
  } else {
    // Elements are rows. Each call fills a column of one byte.
    for (size_t n = 0; n < size && result == 0; ++n) {
      char* const at = static_cast<char*>(tensor->data) + n;
      result = hip.fill_rows(at, size, value->bytes[n], 1, count, ctx->stream);
    }
  }
  return result == 0 ? opgen::Status::ok : opgen::Status::launch_failed;
}
