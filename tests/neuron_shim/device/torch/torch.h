// Declarations of the tensor library for Neuron's custom operators: the part of its API reference
// that our kernels use. For C++14 without exceptions; nothing can be linked with it.
//
// `dim`, `sizes` and `scalar_type` are members of PyTorch's class. The reference states that the
// class has PyTorch's members, but does not list these three.
#pragma once

#if __cplusplus > 201402L
#error "the device's compiler is one of C++14"
#endif
#ifdef __cpp_exceptions
#error "the device has no exceptions"
#endif

#include <cstddef>
#include <cstdint>

namespace c10 {

struct BFloat16 {
  BFloat16() = default;
  BFloat16(float value);
  operator float() const;
  uint16_t bits;
};

struct Half {
  Half() = default;
  Half(float value);
  operator float() const;
  uint16_t bits;
};

}  // namespace c10

namespace torch {

enum ScalarType { kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kBFloat16 };

class IntArrayRef {
 public:
  const int64_t& operator[](size_t i) const;
};

struct TensorOptions {
  TensorOptions(ScalarType dtype);
};

template <class T, size_t N, bool read_only>
class TensorAccessor {
 public:
  TensorAccessor<T, N - 1, read_only> operator[](int64_t i);
};

template <class T>
class TensorAccessor<T, 1, true> {
 public:
  const T& operator[](int64_t i);
};

template <class T>
class TensorAccessor<T, 1, false> {
 public:
  T& operator[](int64_t i);
};

class Tensor {
 public:
  int64_t dim() const;
  int64_t numel() const;
  IntArrayRef sizes() const;
  ScalarType scalar_type() const;
  template <class T, size_t N>
  TensorAccessor<T, N, true> accessor() const&;
  template <class T, size_t N>
  TensorAccessor<T, N, false> accessor() &;
};

Tensor empty(IntArrayRef size, TensorOptions options);
Tensor zeros(IntArrayRef size, TensorOptions options);

}  // namespace torch
