// Images as factors of matrix products, for convolutions and their gradients on CUDA.
//
// A window is a column of such a matrix, and a tap of a channel is a row. The matrix is not in
// memory: its elements are read from the image, and are 0 outside of the image.
#pragma once

#include <cstdint>

#include "opgen/cuda_matmul.h"
#include "opgen/divisor.h"

namespace generated::cuda {

using opgen::Divisor;
using opgen::cuda::Pack;

/// One axis of an image. Tap `tap` of window `at` is at `at * stride + tap * dilation + offset`.
struct Axis {
  int64_t size, stride, dilation, offset;

  __device__ int64_t place(int64_t at, int64_t tap) const {
    return at * stride + tap * dilation + offset;
  }
  __device__ bool holds(int64_t place) const { return place >= 0 && place < size; }
};

/// A number of three digits, such as image, row and column of a window.
struct Places {
  int64_t first, second, third;
};

/// Divides a number into three digits. `third` is below `thirds`, and the second and third digit
/// together have `both` values.
struct Digits {
  Divisor both, thirds;

  Digits() noexcept = default;
  Digits(int64_t second, int64_t third) noexcept : both(second * third), thirds(third) {}

  __device__ Places operator()(int64_t number) const {
    const int64_t first = both(number), rest = number - first * both.by();
    const int64_t second = thirds(rest);
    return {first, second, rest - second * thirds.by()};
  }
};

/// The windows over the images of one group.
struct Windows {
  Axis rows, columns;
  Digits taps;            // channel, row and column of a tap
  Digits windows;         // image, row and column of a window
  int64_t images, image;  // the number of images, and the distance between them, in elements
  int64_t channel;        // the number of elements of a channel
  int64_t channels;       // the number of channels of this group

  __device__ int64_t all_taps() const { return channels * taps.both.by(); }
  __device__ int64_t all_windows() const { return images * windows.both.by(); }
};

/// The matrix of windows and taps as a factor. Its terms are the windows or the taps. Neighbours in
/// a pack are windows.
template <class T, bool sums_windows>
struct WindowFactor {
  using Element = T;
  static constexpr bool inner_first = sums_windows;

  const Windows& of;
  const T* data;  // the group's part of the first image
  int64_t outer, inner;

  __device__ WindowFactor(const Windows& windows, const T* from, int64_t terms)
      : of(windows),
        data(from),
        outer(sums_windows ? windows.all_taps() : windows.all_windows()),
        inner(terms) {}

  __device__ Pack<T> operator()(int64_t at, int64_t term) const {
    Pack<T> found = {};
    if (at >= outer || term >= inner) return found;
    const Places tap = of.taps(sums_windows ? at : term);
    Places window = of.windows(sums_windows ? term : at);
    const int64_t left = (sums_windows ? inner - term : outer - at);
    const T* const channel = data + tap.first * of.channel;
#pragma unroll
    for (int i = 0; i < Pack<T>::width; ++i) {
      const int64_t row = of.rows.place(window.second, tap.second);
      const int64_t column = of.columns.place(window.third, tap.third);
      if (i < left && of.rows.holds(row) && of.columns.holds(column)) {
        found.items[i] = channel[window.first * of.image + row * of.columns.size + column];
      }
      if (++window.third < of.windows.thirds.by()) continue;
      window.third = 0;
      if ((++window.second) * of.windows.thirds.by() < of.windows.both.by()) continue;
      window.second = 0;
      ++window.first;
    }
    return found;
  }
};

}  // namespace generated::cuda
