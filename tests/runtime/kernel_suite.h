// Helpers for the files in kernels/, which call the kernels of one family each: tensors of unusual
// numbers, a pool of threads, and a line of output for each call.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <vector>

#include "opgen/call.h"
#include "opgen/kernel.h"

namespace suite {

using opgen::Buffer;
using opgen::ElementType;

/// A tested shape: `rows` rows of `columns` elements. The data of tensors start `offset` elements
/// after the start of their memory.
struct Shape {
  int64_t rows, columns, offset;
};

/// Registers a family: the program calls `run` for every shape.
struct Family {
  Family(const char* name, void (*run)(const Shape&));
};

/// The context of every call. The first argument of the program is its number of threads.
extern opgen::Context context;

struct Made;

/// Prints the name of an op, the status of its call, and a checksum of the bits of every result.
void show(const char* op, opgen::Status status, std::initializer_list<const Made*> results);

/// Negates 2^31 + 77 elements and prints whether the result is right. The argument `large` runs it.
int negate_more_than_an_int_counts();

inline constexpr ElementType floats[] = {ElementType::F32, ElementType::BF16, ElementType::F16,
                                         ElementType::F64};

/// A tensor whose data end at the end of their allocation, so that a sanitizer detects an access to
/// the next element. A tensor that is created from a TensorSpec, for a result, is filled with 0xa5.
struct Made {
  Buffer buffer;
  std::vector<int64_t> sizes, strides;
  std::unique_ptr<char[]> memory;
  int64_t bytes;

  Made(std::vector<int64_t> shape, ElementType dtype, int64_t offset = 0)
      : sizes(std::move(shape)), strides(sizes.size()) {
    const opgen::Sizes whole(sizes.data(), static_cast<int64_t>(sizes.size()));
    opgen::contiguous_strides(whole, strides.data());
    bytes = opgen::prod(whole).value() * opgen::size_of(dtype);
    const int64_t skipped = offset * opgen::size_of(dtype);
    memory.reset(new char[static_cast<size_t>(bytes + skipped)]);
    buffer = {memory.get() + skipped, sizes.data(), strides.data(),
              static_cast<int32_t>(sizes.size()), dtype};
  }
  explicit Made(const opgen::TensorSpec& spec)
      : Made({spec.shape.data(), spec.shape.data() + spec.shape.rank()}, spec.dtype) {
    std::memset(buffer.data, 0xa5, static_cast<size_t>(bytes));
  }

  void set(int64_t i, double value);
  /// Fills the tensor with ordinary numbers, zeros of both signs, infinities, NaN and subnormals.
  Made& fill(unsigned seed);
};

}  // namespace suite
