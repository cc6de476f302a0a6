// Launches code that Triton compiled ahead of time.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>
#include <initializer_list>
#include <mutex>

#include "opgen/arithmetic.h"
#include "opgen/context.h"
#include "opgen/driver.h"
#include "opgen/int.h"
#include "opgen/status.h"

namespace opgen::triton {

/// Code (a cubin, PTX or hsaco) for devices with `arch` in [first, last], the bytes of shared
/// memory that it needs, and the number of threads of a block.
struct Image {
  int32_t first;
  int32_t last;
  int32_t shared;
  int32_t threads;
  const void* data;
};

/// The loaded code of a variant on a device; `function` is null until then.
struct Loaded {
  std::atomic<driver::Handle> function{nullptr};
  const Image* image = nullptr;
};

/// A kernel for one choice of dtypes, constants and alignment, with its `images` in order of
/// preference. It is loaded on a device when it first runs there.
struct Variant {
  const char* name;
  const Image* images;
  int32_t count;
  Loaded loaded[driver::devices] = {};
};

/// Returns the index of the smallest of `values` (in ascending order) that is at least `value()`.
/// Returns -1 if there is none, or no value.
template <class Value>
int32_t at_least(std::initializer_list<int64_t> values, const Value& value) noexcept {
  try {
    const int64_t wanted = Int(value()).value();
    int32_t n = 0;
    for (const int64_t each : values) {
      if (each >= wanted) return n;
      ++n;
    }
  } catch (...) {  // the value does not fit in 64 bits
  }
  return -1;
}

/// Returns the index of a value in the list of its allowed values; -1 if it is not in the list.
inline int32_t place(std::initializer_list<int64_t> values, int64_t value) noexcept {
  int32_t n = 0;
  for (const int64_t each : values) {
    if (each == value) return n;
    ++n;
  }
  return -1;
}

/// Returns an extent of a grid; -1 if it does not fit in 64 bits.
template <class Value>
int64_t extent(const Value& value) noexcept {
  try {
    return Int(value()).value();
  } catch (...) {
    return -1;
  }
}

/// True if addresses and integers are multiples of 16.
inline bool multiples_of_16(std::initializer_list<const void*> addresses,
                            std::initializer_list<int64_t> integers) noexcept {
  bool all = true;
  for (const void* each : addresses) all = all && reinterpret_cast<uintptr_t>(each) % 16 == 0;
  for (const int64_t each : integers) all = all && each % 16 == 0;
  return all;
}

/// Loads a variant on the current device. Returns false if there is no code for the device, or if
/// the driver rejects the code.
template <class Driver>
bool load(Variant& variant, int device) noexcept {
  static std::mutex loading;
  const std::lock_guard<std::mutex> lock(loading);
  Loaded& loaded = variant.loaded[device];
  const int32_t arch = Driver::architecture(device);
  for (int32_t n = 0; n < variant.count && loaded.function == nullptr; ++n) {
    const Image& image = variant.images[n];
    if (arch < image.first || arch > image.last) continue;
    const driver::Handle function = Driver::load(image.data, variant.name, image.shared);
    if (function == nullptr) return false;
    loaded.image = &image;
    loaded.function.store(function, std::memory_order_release);
  }
  return loaded.function != nullptr;
}

/// Starts variant `n` of `code` with these arguments, in the context's grid and on its stream.
/// `code` is null if Triton was not available when the library was built.
template <class Driver = driver::Cuda, class... Arguments>
Status launch(const Context& ctx, Variant* code, int64_t n, Arguments... arguments) noexcept {
  if (code == nullptr || n < 0) return Status::no_kernel;
  const typename Driver::Current current(ctx.device);
  if (!current.valid || current.device >= driver::devices) return Status::launch_failed;
  for (const int64_t extent : ctx.grid) {
    if (extent == 0) return Status::ok;
    if (extent < 0 || extent > INT_MAX) return Status::launch_failed;
  }
  Variant& variant = code[n];
  const Loaded& loaded = variant.loaded[current.device];
  if (loaded.function.load(std::memory_order_acquire) == nullptr &&
      !load<Driver>(variant, current.device)) {
    return Status::no_kernel;
  }
  // Triton adds up to two parameters for addresses of scratch memory. They are null here, so
  // kernels that need scratch memory are not supported.
  void* scratch = nullptr;
  void* parameters[] = {&arguments..., &scratch, &scratch};
  const auto extent = [&](int axis) { return static_cast<unsigned>(ctx.grid[axis]); };
  const driver::Result result =
      Driver::launch(loaded.function.load(), {extent(0), extent(1), extent(2)},
                     static_cast<unsigned>(loaded.image->threads),
                     static_cast<unsigned>(loaded.image->shared), ctx.stream, parameters);
  return result == 0 ? Status::ok : Status::launch_failed;
}

}  // namespace opgen::triton
