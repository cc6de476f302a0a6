// One axis of a convolution of images, for the CPU.
#pragma once

#include <algorithm>
#include <cstdint>

namespace generated::cpu {

/// One axis of an image: window `at` has its tap at `at * stride + tap * dilation - padding`.
struct Axis {
  int64_t size, windows, taps, stride, dilation, padding;

  int64_t place(int64_t at, int64_t tap) const noexcept {
    return at * stride + tap * dilation - padding;
  }
  bool plain() const noexcept {
    return taps == 1 && stride == 1 && padding == 0 && size == windows;
  }

  /// The windows, of `run` from `first` on, that have their tap in the image: [begin, end) of them.
  struct Inside {
    int64_t begin, end;
  };
  Inside inside(int64_t first, int64_t run, int64_t tap) const noexcept {
    const auto windows_before = [=](int64_t at) {  // those from `first` on whose tap is before it
      const int64_t left = at - place(first, tap);
      // Once for each row of each panel, a division would take as long as the row.
      return std::clamp(stride == 1 ? left : (left + stride - 1) / stride, int64_t{0}, run);
    };
    return {windows_before(0), windows_before(size)};
  }
};

}  // namespace generated::cpu
