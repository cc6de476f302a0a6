// CUDA devices for adapters, through the driver alone, for projects without a kernel that needs
// nvcc.
#include "opgen/driver.h"

#include <cstring>

#include "opgen/device.h"

namespace {

template <class Word>
Word word_of(const opgen::Element& value, int n) noexcept {
  Word word;
  std::memcpy(&word, value.bytes + n * sizeof word, sizeof word);
  return word;
}

}  // namespace

opgen::DeviceProperties OPGEN_CUDA_PROPERTIES(int32_t device) noexcept {
  return {opgen::driver::architecture(device),
          opgen::driver::attribute(opgen::driver::multiprocessor_count, device)};
}

opgen::DeviceName OPGEN_CUDA_NAME(int32_t device) noexcept {
  const opgen::driver::Api& driver = opgen::driver::api();
  opgen::DeviceName name;
  opgen::driver::Device of = 0;
  constexpr int size = sizeof name.text;
  const bool told = driver.there && driver.device_get(&of, device) == 0 &&
                    driver.device_name(name.text, size, of) == 0;
  return told ? name : opgen::DeviceName{};
}

opgen::Status OPGEN_CUDA_FILL(const opgen::Context* ctx, const opgen::Buffer* tensor,
                              const opgen::Element* value) noexcept {
  if (tensor->numel() <= 0) return opgen::Status::ok;
  const opgen::driver::Current current(ctx->device);
  if (!current.valid) return opgen::Status::launch_failed;
  const opgen::driver::Api& driver = opgen::driver::api();
  const auto at = reinterpret_cast<uint64_t>(tensor->data);
  const auto count = static_cast<size_t>(opgen::extent(*tensor));
  int result = 0;
  if (value->uniform()) {
    const auto bytes = static_cast<size_t>(size_of(tensor->dtype, opgen::extent(*tensor)));
    result = driver.fill_8(at, value->bytes[0], bytes, ctx->stream);
  } else if (value->size == 2) {
    result = driver.fill_16(at, word_of<uint16_t>(*value, 0), count, ctx->stream);
  } else {
    // Elements are rows. Each call fills a column of 4 bytes.
    for (int n = 0; 4 * n < value->size && result == 0; ++n) {
      const auto size = static_cast<size_t>(value->size);
      const auto word = word_of<uint32_t>(*value, n);
      result = driver.fill_32(at + 4 * n, size, word, 1, count, ctx->stream);
    }
  }
  return result == 0 ? opgen::Status::ok : opgen::Status::launch_failed;
}
