// One axis of a convolution of images, for the CPU.
#pragma once

#include <algorithm>
#include <cstdint>

namespace generated::cpu {

/// One axis of an image. Tap `tap` of window `at` is at `at * stride + tap * dilation - padding`.
struct Axis {
  int64_t size, windows, taps, stride, dilation, padding;

  int64_t place(int64_t at, int64_t tap) const noexcept {
    return at * stride + tap * dilation - padding;
  }
  bool plain() const noexcept {
    return taps == 1 && stride == 1 && padding == 0 && size == windows;
  }

  /// Of `run` windows from `first` on, those [begin, end) for which the tap is in the image.
  struct Inside {
    int64_t begin, end;
  };
  Inside inside(int64_t first, int64_t run, int64_t tap) const noexcept {
    const auto windows_before = [=](int64_t at) {  // windows from `first` on with a tap before `at`
      const int64_t left = at - place(first, tap);
      // This runs for each row of each panel, where a division would take as long as the row.
      return std::clamp(stride == 1 ? left : (left + stride - 1) / stride, int64_t{0}, run);
    };
    return {windows_before(0), windows_before(size)};
  }
};

}  // namespace generated::cpu
