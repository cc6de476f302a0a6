// Depthwise convolutions on the CPU: each group has one channel and one filter.
//
// A window has only a few terms, so most of a product of matrices would be padding. A channel is
// widened and padded once. Then each tap of neighbouring windows is a run of numbers, at the same
// distance from the window for all windows, and each result is a sum over such runs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "axis.h"
#include "opgen/kernel.h"
#include "opgen/vector.h"

namespace generated::cpu {

template <class Acc>
class Depthwise {
 public:
  template <class Descriptor>
  explicit Depthwise(const Descriptor& op) noexcept
      : rows_{op.h, op.p, op.r, op.stride[0], op.dilation[0], op.padding[0]},
        columns_{op.w, op.q, op.s, op.stride[1], op.dilation[1], op.padding[1]},
        images_(op.n),
        channels_(op.k),
        one_filter_each_(op.cg == 1 && op.k == op.groups) {}

  /// Returns true if the convolution is depthwise, and a padded channel fits on the stack.
  bool fits() const noexcept {
    return one_filter_each_ && taps() <= most_taps &&
           std::max({image_plane().size(), gradient_plane().size(), window_plane().size()}) <= most;
  }

  template <class View>
  void forward(const View& op) const noexcept {
    const Plane plane = image_plane();
    const auto tap = taps_of(plane);
    each_channel(op.ctx, [&](int64_t at, int64_t channel) {
      alignas(64) Acc x[most + slack];
      plane.lay(op.x.data + at * rows_.size * columns_.size, x);
      const auto* const weight = op.weight.data + channel * taps();
      Terms terms;
      for (int64_t t = 0; t < taps(); ++t) terms.add(static_cast<Acc>(weight[t]), tap[t]);
      const Acc bias = op.bias.present() ? static_cast<Acc>(op.bias.data[channel]) : Acc{0};
      auto* const y = op.y.data + at * rows_.windows * columns_.windows;
      terms.sum_rows(
          x, rows_.stride * plane.across(), rows_.windows, columns_.windows, bias, true,
          [=](int64_t row, auto v, auto sum) { v.store(y + row * columns_.windows, sum); });
    });
  }

  /// The gradient of the image. The positions of the image that are equal modulo the strides are a
  /// phase. Each phase is a convolution of `dy` with the taps that reach this phase.
  template <class View>
  void gradient(const View& op) const noexcept {
    const Plane plane = gradient_plane();
    each_channel(op.ctx, [&](int64_t at, int64_t channel) {
      alignas(64) Acc dy[most + slack];
      const auto* const weight = op.weight.data + channel * taps();
      auto* const dx = op.dx.data + at * rows_.size * columns_.size;
      if (!std::all_of(weight, weight + taps(),
                       [](auto w) { return std::isfinite(static_cast<Acc>(w)); })) {
        return add_windows(op.dy.data + at * rows_.windows * columns_.windows, weight, dy, dx);
      }
      plane.lay(op.dy.data + at * rows_.windows * columns_.windows, dy);
      for (int64_t below = 0; below < rows_.stride; ++below) {
        for (int64_t right = 0; right < columns_.stride; ++right) {
          const Phase down(rows_, below), along(columns_, right);
          if (down.count == 0 || along.count == 0) continue;
          const Acc* const from = dy + (plane.rows.before + down.window) * plane.across() +
                                  plane.columns.before + along.window;
          Terms terms;
          for (int64_t r = 0; r < rows_.taps; ++r) {
            if (r * rows_.dilation % rows_.stride != below) continue;
            for (int64_t s = 0; s < columns_.taps; ++s) {
              if (s * columns_.dilation % columns_.stride != right) continue;
              terms.add(static_cast<Acc>(weight[r * columns_.taps + s]),
                        -(r * rows_.dilation / rows_.stride * plane.across() +
                          s * columns_.dilation / columns_.stride));
            }
          }
          auto* const to = dx + down.first * columns_.size + along.first;
          terms.sum_rows(from, plane.across(), down.count, along.count, Acc{0},
                         rows_.stride == 1 && columns_.stride == 1,
                         [=](int64_t row, auto v, auto sum) {
            auto* const line = to + row * rows_.stride * columns_.size;
            if (columns_.stride == 1) return v.store(line, sum);
            for (int64_t i = 0; i < v.count; ++i) {
              const Acc value = sum[i];
              line[(v.at + i) * columns_.stride] =
                  static_cast<std::remove_reference_t<decltype(*line)>>(value);
            }
          });
        }
      }
    });
  }

  /// The gradient of the filters, summed in `Acc` over one image and in f64 over the images.
  template <class View>
  void weight_gradient(const View& op) const noexcept {
    const Plane plane = image_plane();
    const Plane lines = window_plane();
    const auto tap = taps_of(plane);
    opgen::parallel(op.ctx, channels_, grain(images_), [&](int64_t begin, int64_t end) {
      alignas(64) Acc x[most + slack], dy[most + slack];
      for (int64_t channel = begin; channel < end; ++channel) {
        double total[most_taps] = {};
        for (int64_t image = 0; image < images_; ++image) {
          const int64_t at = image * channels_ + channel;
          plane.lay(op.x.data + at * rows_.size * columns_.size, x);
          lines.lay(op.dy.data + at * rows_.windows * columns_.windows, dy);
          int64_t t = 0;
          for (; t + 4 <= taps(); t += 4) {
            add_products<4>(dy, x, rows_.stride * plane.across(), &tap[t], total + t);
          }
          for (; t < taps(); ++t) {
            add_products<1>(dy, x, rows_.stride * plane.across(), &tap[t], total + t);
          }
        }
        auto* const to = op.dweight.data + channel * taps();
        for (int64_t t = 0; t < taps(); ++t) {
          to[t] = static_cast<std::remove_reference_t<decltype(*to)>>(static_cast<Acc>(total[t]));
        }
      }
    });
  }

 private:
  // Numbers in a padded channel, taps of a filter, and numbers in a register.
  static constexpr int64_t most = 32768, most_taps = 64, width = opgen::lanes<Acc>;
  // The count of numbers in 64 bytes. This many may be read and written after the end of a channel.
  static constexpr int64_t turn = opgen::SideBySide<Acc>::count, slack = turn;

  /// Loads a vector of a plane. No prefetch is needed, because planes are in the first-level cache.
  static opgen::Vector<Acc> loaded(const Acc* from) noexcept {
    opgen::Vector<Acc> value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }

  /// The layout of a line of `size` numbers in a plane: after `before` zeros, in `phases` runs of
  /// `pitch` numbers. A run has the positions that are equal modulo `phases`.
  struct Line {
    int64_t size, before, phases, pitch;
  };

  /// The positions of a line that equal a phase modulo the stride: the window that starts at the
  /// first of them, this first position, and their number.
  struct Phase {
    int64_t window, first, count;

    Phase(int64_t size, int64_t padding, int64_t stride, int64_t phase) noexcept
        : window(padding > phase ? (padding - phase + stride - 1) / stride : 0),
          first(window * stride + phase - padding),
          count(size > first ? (size - first + stride - 1) / stride : 0) {}
    Phase(const Axis& axis, int64_t phase) noexcept
        : Phase(axis.size, axis.padding, axis.stride, phase) {}
  };

  /// A padded channel: `rows.pitch` lines.
  struct Plane {
    Line rows, columns;

    int64_t across() const noexcept { return columns.phases * columns.pitch; }
    int64_t size() const noexcept { return rows.pitch * across(); }

    template <class T>
    void lay(const T* channel, Acc* to) const noexcept {
      const T* const end = channel + rows.size * columns.size;
      Acc* line = std::fill_n(to, rows.before * across(), Acc{0});
      for (int64_t row = 0; row < rows.size; ++row, line += across()) {
        const T* const from = channel + row * columns.size;
        if (columns.phases == 1) {
          std::fill_n(line, columns.before, Acc{0});
          widen(from, columns.size, end, line + columns.before);
        } else if (columns.phases == 2) {
          divide(from, std::integral_constant<int64_t, 2>{}, line);
        } else {
          divide(from, columns.phases, line);
        }
      }
      // A vector may be read past the last line.
      std::fill(line, to + size() + slack, Acc{0});
    }

    /// Widens a line, and writes zeros after it up to the next line. It moves whole vectors if the
    /// channel continues to `end`. Numbers that they have too many are overwritten afterwards.
    template <class T>
    void widen(const T* from, int64_t count, const T* end, Acc* to) const noexcept {
      int64_t at = 0;
      for (; at < count && end - from - at >= width; at += width) {
        const opgen::Lanes<Acc, true> v{at};
        v.store(to, v.load(from));
      }
      for (; at < count; ++at) to[at] = static_cast<Acc>(from[at]);
      const int64_t behind = columns.pitch - columns.before - count;
      for (int64_t i = 0; i < behind; i += width) {
        opgen::Lanes<Acc, true>{count + i}.store(to, opgen::Vector<Acc>{});
      }
    }

    template <class T, class Phases>
    void divide(const T* from, Phases phases, Acc* to) const noexcept {
      for (int64_t phase = 0; phase < phases; ++phase, to += columns.pitch) {
        const Phase part(columns.size, columns.before, phases, phase);
        const T* const first = from + part.first;
        std::fill_n(to, part.window, Acc{0});
        for (int64_t i = 0; i < part.count; ++i) {
          to[part.window + i] = static_cast<Acc>(first[i * phases]);
        }
        std::fill(to + part.window + part.count, to + columns.pitch, Acc{0});
      }
    }
  };

  /// The factors of a sum, and the positions of their numbers relative to a result.
  struct Terms {
    std::array<Acc, most_taps> factor;
    std::array<int64_t, most_taps> place;
    int64_t count = 0;

    void add(Acc by, int64_t at) noexcept {
      factor[count] = by;
      place[count++] = at;
    }

    /// Calls `store(row, lanes, sum)` for all results of `rows` rows, from top to bottom. If the
    /// results are `dense` (without gaps), lanes past the end of a row are stored too, before the
    /// next row.
    template <class Store>
    void sum_rows(const Acc* from, int64_t to_row, int64_t rows, int64_t columns, Acc bias,
                  bool dense, const Store& store) const noexcept {
      const bool short_rows = dense && columns < width && rows * columns >= width;
      const int64_t whole = short_rows ? (rows * columns - width) / columns + 1 : 0;
      int64_t row = 0;
      // Sums of several rows share a factor, and do not depend on each other.
      for (; row + 7 <= rows; row += 7) {
        sum_some<7>(from + row * to_row, to_row, columns, bias, whole - row,
                    [&](int64_t i, auto v, auto sum) { store(row + i, v, sum); });
      }
      for (; row + 4 <= rows; row += 4) {
        sum_some<4>(from + row * to_row, to_row, columns, bias, whole - row,
                    [&](int64_t i, auto v, auto sum) { store(row + i, v, sum); });
      }
      for (; row < rows; ++row) {
        sum_some<1>(from + row * to_row, to_row, columns, bias, whole - row,
                    [&](int64_t i, auto v, auto sum) { store(row + i, v, sum); });
      }
    }

    template <int rows, class Store>
    __attribute__((flatten)) void sum_some(const Acc* from, int64_t to_row, int64_t columns,
                                           Acc bias, int64_t whole,
                                           const Store& store) const noexcept {
      for (int64_t at = 0; at < columns; at += width) {
        opgen::Vector<Acc> sums[rows];
        for (auto& sum : sums) sum = opgen::Vector<Acc>{} + bias;
        for (int64_t t = 0; t < count; ++t) {
          const auto by = opgen::Vector<Acc>{} + factor[t];
          const Acc* const there = from + place[t];
          for (int64_t i = 0; i < rows; ++i) {
            sums[i] = opgen::multiply_add<Acc>(by, loaded(there + i * to_row + at), sums[i]);
          }
        }
        for (int64_t i = 0; i < rows; ++i) {
          if (at + width <= columns || i < whole) {
            store(i, opgen::Lanes<Acc, true>{at}, sums[i]);
          } else {
            store(i, opgen::Lanes<Acc, false>{at, columns - at}, sums[i]);
          }
        }
      }
    }
  };

  int64_t taps() const noexcept { return rows_.taps * columns_.taps; }
  /// The distance from the first to the last tap of a window.
  static int64_t reach(const Axis& axis) noexcept { return (axis.taps - 1) * axis.dilation; }
  /// The length of a row of `dy`, rounded up to a multiple of `turn`.
  int64_t row_length() const noexcept { return (columns_.windows + turn - 1) / turn * turn; }

  /// The image, padded.
  Plane image_plane() const noexcept {
    const int64_t lines = (rows_.windows - 1) * rows_.stride + reach(rows_) + 1;
    const int64_t phases = columns_.stride;
    const int64_t pitch = std::max(columns_.windows + reach(columns_) / phases + 1,
                                   (columns_.padding + columns_.size) / phases + 1);
    return {{rows_.size, rows_.padding, 1, std::max(lines, rows_.padding + rows_.size)},
            {columns_.size, columns_.padding, phases, pitch}};
  }

  /// `dy`, with each row padded to a multiple of `turn`.
  Plane window_plane() const noexcept {
    return {{rows_.windows, 0, 1, rows_.windows}, {columns_.windows, 0, 1, row_length()}};
  }

  /// `dy`, with zeros for positions of the image that no window reaches.
  Plane gradient_plane() const noexcept {
    const auto line = [](const Axis& axis) {
      const int64_t before = reach(axis) / axis.stride;
      const int64_t last = (axis.size - 1 + axis.padding) / axis.stride;
      return Line{axis.windows, before, 1, before + std::max(last + 1, axis.windows)};
    };
    return {line(rows_), line(columns_)};
  }

  int64_t grain(int64_t times) const noexcept {
    return 1 + (int64_t{1} << 18) / (1 + times * rows_.windows * columns_.windows * taps());
  }

  template <class Function>
  void each_channel(const opgen::Context& ctx, const Function& function) const noexcept {
    opgen::parallel(ctx, images_ * channels_, grain(1), [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end; ++at) function(at, at % channels_);
    });
  }

  /// The positions of a window's taps, relative to its first tap.
  std::array<int64_t, most_taps> taps_of(const Plane& plane) const noexcept {
    std::array<int64_t, most_taps> found{};
    for (int64_t t = 0; t < taps(); ++t) {
      const int64_t along = t % columns_.taps * columns_.dilation, phases = columns_.stride;
      found[t] = t / columns_.taps * rows_.dilation * plane.across() +
                 along % phases * plane.columns.pitch + along / phases;
    }
    return found;
  }

  /// The gradient of the image, window by window. A weight that is not finite must not be
  /// multiplied by the zeros around `dy`.
  template <class T>
  void add_windows(const T* dy, const T* weight, Acc* sums, T* dx) const noexcept {
    std::fill_n(sums, rows_.size * columns_.size, Acc{0});
    for (int64_t p = 0; p < rows_.windows; ++p) {
      for (int64_t q = 0; q < columns_.windows; ++q) {
        const auto by = static_cast<Acc>(dy[p * columns_.windows + q]);
        for (int64_t t = 0; t < taps(); ++t) {
          const int64_t row = rows_.place(p, t / columns_.taps);
          const int64_t column = columns_.place(q, t % columns_.taps);
          if (row < 0 || row >= rows_.size || column < 0 || column >= columns_.size) continue;
          sums[row * columns_.size + column] += by * static_cast<Acc>(weight[t]);
        }
      }
    }
    for (int64_t i = 0; i < rows_.size * columns_.size; ++i) dx[i] = static_cast<T>(sums[i]);
  }

  /// Adds the products of `dy` with some taps, in the same order on every CPU.
  template <int count>
  __attribute__((flatten)) void add_products(const Acc* dy, const Acc* x, int64_t to_row,
                                             const int64_t* tap, double* total) const noexcept {
    constexpr int64_t pieces = opgen::SideBySide<Acc>::pieces;
    const int64_t length = row_length(), last = length - turn;
    Acc place[turn];
    for (int64_t i = 0; i < turn; ++i) place[i] = static_cast<Acc>(last + i);
    const opgen::Vector<Acc> end = opgen::Vector<Acc>{} + static_cast<Acc>(columns_.windows);
    opgen::SideBySide<Acc> sums[count] = {};
    for (int64_t p = 0; p < rows_.windows; ++p, dy += length, x += to_row) {
      for (int64_t at = 0; at <= last; at += turn) {
        for (int64_t piece = 0; piece < pieces; ++piece) {
          const int64_t from = at + piece * width;
          const auto by = loaded(dy + from);
          for (int i = 0; i < count; ++i) {
            auto value = loaded(x + tap[i] + from);
            // After the last window, the image may contain an infinity.
            if (at == last)
              value = loaded(place + piece * width) < end ? value : opgen::Vector<Acc>{};
            auto& sum = sums[i].piece[piece];
            sum = opgen::multiply_add<Acc>(by, value, sum);
          }
        }
      }
    }
    for (int i = 0; i < count; ++i) total[i] += static_cast<double>(sums[i].sum());
  }

  Axis rows_, columns_;
  int64_t images_, channels_;
  bool one_filter_each_;
};

}  // namespace generated::cpu
