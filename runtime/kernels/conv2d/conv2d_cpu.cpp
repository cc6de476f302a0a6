// Convolutions of images, and their gradients, on the CPU, as products of matrices.
//
// The windows of an image are the columns of a matrix. The kernel copies them one panel at a time,
// when a product needs them, and never all at once. Dumoulin and Visin, A Guide to Convolution
// Arithmetic, 2016; chapter 4 for gradients.
#include "conv2d.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "axis.h"
#include "depthwise.h"
#include "opgen/matmul.h"

namespace generated::cpu {

/// The windows over one group of channels of an image: a matrix of channels and taps by windows.
template <class T>
class Windows {
 public:
  using Acc = opgen::accum_t<T>;

  Windows(Axis rows, Axis columns) noexcept : rows_(rows), columns_(columns) {
    if (!rows.plain() || !columns.plain()) return;
    columns_.size = columns_.windows = columns.size * rows.size;  // one long row
    rows_.size = rows_.windows = 1;
  }

  int64_t count() const noexcept { return rows_.windows * columns_.windows; }
  int64_t channel() const noexcept { return rows_.size * columns_.size; }
  int64_t taps() const noexcept { return rows_.taps * columns_.taps; }

  /// Copies `wanted` rows of the matrix from `first` on, with `windows` windows from `window` on,
  /// to rows of `to_row` numbers of type Acc or T.
  template <class To>
  void lay(const T* image, int64_t first, int64_t wanted, int64_t window, int64_t windows, To* to,
           int64_t to_row) const noexcept {
#if defined(__AVX512BW__)
    if constexpr (std::is_same_v<To, T>) {
      if (columns_.stride == 1) {
        return lay_vectors(image, first, wanted, window, windows, to, to_row);
      }
    }
#endif
    int64_t channel_at = first / taps(), tap = first % taps();
    int64_t row_tap = tap / columns_.taps, column_tap = tap % columns_.taps;
    const Start start = start_at(window);
    for (int64_t i = 0; i < wanted; ++i, to += to_row) {
      const T* const from = image + channel_at * channel();
      each_run(start, row_tap, windows, [=](int64_t at, int64_t row, int64_t column, int64_t run) {
        if (row < 0 || row >= rows_.size) {
          std::fill(to + at, to + at + run, To{});
        } else {
          lay_run(from + row * columns_.size, column, run, column_tap, to + at);
        }
      });
      if (++column_tap < columns_.taps) continue;
      column_tap = 0;
      if (++row_tap < rows_.taps) continue;
      row_tap = 0;
      ++channel_at;
    }
  }

  /// Adds the values of `windows` windows from `window` on, at one tap, to a channel of the image.
  void add(const Acc* from, int64_t tap, int64_t window, int64_t windows,
           Acc* channel) const noexcept {
    each_run(start_at(window), tap / columns_.taps, windows,
             [=](int64_t at, int64_t row, int64_t column, int64_t run) {
      if (row < 0 || row >= rows_.size) return;
      add_run(from + at, column, run, tap % columns_.taps, channel + row * columns_.size);
    });
  }

 private:
  struct Start {
    int64_t row, column;
  };
  Start start_at(int64_t window) const noexcept {
    return {window / columns_.windows, window % columns_.windows};
  }

  /// Calls `function(at, row, column, run)` for runs of windows in the same row of windows. `at` is
  /// the number of windows before the run. The run starts at `column`, and its tap is in `row` of
  /// the image.
  template <class Function>
  void each_run(Start start, int64_t tap, int64_t windows,
                const Function& function) const noexcept {
    auto [row, column] = start;
    for (int64_t at = 0; at < windows; ++row, column = 0) {
      const int64_t run = std::min(windows - at, columns_.windows - column);
      function(at, rows_.place(row, tap), column, run);
      at += run;
    }
  }

#if defined(__AVX512BW__)
  /// The bits [begin, end).
  static uint32_t bits(int64_t begin, int64_t end) noexcept {
    return static_cast<uint32_t>((uint64_t{1} << end) - (uint64_t{1} << begin));
  }

  /// Returns `value`, with the lanes in `mask` loaded from the address `from`. Other lanes may be
  /// outside of the array.
  static __m512i load_some(__m512i value, uint32_t mask, uintptr_t from) noexcept {
    const auto* there = reinterpret_cast<const void*>(from);
    if constexpr (sizeof(T) == 2) {
      return _mm512_mask_loadu_epi16(value, mask, there);
    } else if constexpr (sizeof(T) == 4) {
      return _mm512_mask_loadu_epi32(value, static_cast<__mmask16>(mask), there);
    } else {
      return _mm512_mask_loadu_epi64(value, static_cast<__mmask8>(mask), there);
    }
  }

  /// Does the same as `lay` for a stride of 1 along columns. A vector is composed of runs of
  /// windows. Their positions in a channel depend only on the tap.
  void lay_vectors(const T* image, int64_t first, int64_t wanted, int64_t window, int64_t windows,
                   T* to, int64_t to_row) const noexcept {
    constexpr int64_t width = 64 / sizeof(T);
    struct Run {
      int64_t from;
      uint32_t mask;
    } runs[width];
    for (int64_t at = 0; at < windows; at += width) {
      const int64_t together = std::min(width, windows - at);
      const Start start = start_at(window + at);
      for (int64_t i = 0; i < std::min(taps(), wanted); ++i) {
        const int64_t tap = (first + i) % taps(), column_tap = tap % columns_.taps;
        int64_t count = 0;
        each_run(start, tap / columns_.taps, together,
                 [&](int64_t before, int64_t row, int64_t column, int64_t run) {
          if (row < 0 || row >= rows_.size) return;
          const auto [begin, end] = columns_.inside(column, run, column_tap);
          if (begin >= end) return;
          const int64_t from = row * columns_.size + columns_.place(column, column_tap) - before;
          runs[count++] = {from * int64_t{sizeof(T)}, bits(before + begin, before + end)};
        });
        auto from = reinterpret_cast<uintptr_t>(image + (first + i) / taps() * channel());
        T* row = to + i * to_row + at;
        for (int64_t j = i; j < wanted; j += taps()) {
          __m512i value = _mm512_setzero_si512();
          for (int64_t r = 0; r < count; ++r) {
            value = load_some(value, runs[r].mask, from + static_cast<uintptr_t>(runs[r].from));
          }
          if (together == width) {
            std::memcpy(row, &value, sizeof value);
          } else {
            std::memcpy(row, &value, static_cast<size_t>(together) * sizeof(T));
          }
          from += static_cast<uintptr_t>(channel()) * sizeof(T);
          row += taps() * to_row;
        }
      }
    }
  }
#endif

  template <class To>
  void lay_run(const T* row, int64_t window, int64_t run, int64_t tap, To* to) const noexcept {
    const auto [begin, end] = columns_.inside(window, run, tap);
    const int64_t place = columns_.place(window, tap), stride = columns_.stride;
    std::fill(to, to + begin, To{});
    if (stride != 1) {
      for (int64_t i = begin; i < end; ++i) to[i] = static_cast<To>(row[place + i * stride]);
    } else if constexpr (std::is_same_v<To, T>) {
      if (begin < end) std::copy_n(row + place + begin, end - begin, to + begin);
    } else {
      opgen::each_vector<Acc>(begin, end, opgen::Streamed{}, [=](auto v) {
        v.at += place;
        const auto values = v.load(row);
        v.at -= place;
        v.store(to, values);
      });
    }
    std::fill(to + end, to + run, To{});
  }

  void add_run(const Acc* from, int64_t window, int64_t run, int64_t tap, Acc* row) const noexcept {
    const auto [begin, end] = columns_.inside(window, run, tap);
    const int64_t place = columns_.place(window, tap), stride = columns_.stride;
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<Acc, float>) {
      // Most runs end within a vector. A copy with a size known only at run time would be the
      // slowest part.
      for (int64_t i = begin; stride == 1 && i < end; i += 16) {
        const auto mask = static_cast<__mmask16>(end - i < 16 ? (1 << (end - i)) - 1 : 0xffff);
        float* const to = row + place + i;
        const __m512 sum = _mm512_maskz_add_ps(0xffff, _mm512_maskz_loadu_ps(mask, to),
                                               _mm512_maskz_loadu_ps(mask, from + i));
        _mm512_mask_storeu_ps(to, mask, sum);
      }
      if (stride == 1) return;
    }
#endif
    if (stride == 1) {
      opgen::each_vector<Acc>(begin, end, opgen::Streamed{}, [=](auto v) {
        const auto values = v.load(from);
        v.at += place;
        v.store(row, v.load(row) + values);
      });
    } else {
      for (int64_t i = begin; i < end; ++i) row[place + i * stride] += from[i];
    }
  }

  Axis rows_, columns_;
};

/// The windows from `window` on, as the right factor of a tile.
template <class T>
struct WindowColumns {
  using Acc = opgen::accum_t<T>;
  using Blocks = opgen::Blocks<Acc>;
  Windows<T> windows;
  const T* image;
  int64_t window;

  opgen::Matrix<Acc> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                                Acc* panel) const noexcept {
    windows.lay(image, first, count, window + column, columns, panel, Blocks::columns);
    return {panel, Blocks::columns, 1};
  }

  template <class Pair, class = opgen::if_paired<Pair, T>>
  opgen::Matrix<Pair> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                                 Pair* panel) const noexcept {
    alignas(64) T rows[2 * Blocks::inner * Blocks::columns];
    windows.lay(image, first, count, window + column, columns, rows, Blocks::columns);
    pair_rows(rows, Blocks::columns, count, columns, panel);
    return {panel, Blocks::columns, 1};
  }
};

/// Returns the windows for a call with this descriptor.
template <class T, class Descriptor>
Windows<T> windows_of(const Descriptor& op) noexcept {
  return {{op.h, op.p, op.r, op.stride[0], op.dilation[0], op.padding[0]},
          {op.w, op.q, op.s, op.stride[1], op.dilation[1], op.padding[1]}};
}

template <class T>
opgen::Status conv2d(const Conv2dView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const auto& desc = op.desc;
  if (const Depthwise<Acc> depthwise(desc); depthwise.fits()) {
    depthwise.forward(op);
    return opgen::Status::ok;
  }
  const auto windows = windows_of<T>(desc);
  const int64_t filters = desc.k / desc.groups, inner = desc.cg * windows.taps();
  const int64_t pixels = windows.count();
  // Two threads share one small image. Then the windows are copied twice.
  const int64_t groups = desc.groups, wanted = desc.n * groups == 1 ? 2 : 1;
  const opgen::Tiles<Acc> tiles(filters, pixels, wanted);
  const int64_t each = tiles.count();
  opgen::parallel(op.ctx, desc.n * groups * each, tiles.of_a_thread(inner),
                  [=, &op](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t image = at / each / groups, group = at / each % groups;
      const auto tile = tiles[at % each];
      const int64_t filter = group * filters + tile.row;
      const T* const x = op.x.data + (image * desc.groups + group) * desc.cg * windows.channel();
      T* const y = op.y.data + (image * desc.k + filter) * pixels + tile.column;
      const T* const bias = op.bias.present() ? op.bias.data + filter : nullptr;
      const opgen::Matrix<T> weight{op.weight.data + filter * inner, inner, 1};
      opgen::multiply_tile<Acc>(
          tile.rows, tile.columns, inner, opgen::rows_of<Acc>(weight, tile.rows),
          WindowColumns<T>{windows, x, tile.column}, [=](int64_t i, auto v, auto values) {
        if (bias != nullptr) values += static_cast<Acc>(bias[i]);
        v.store(y + i * pixels, values);
      });
    }
  });
  return opgen::Status::ok;
}

/// The gradient of the image. Adds the contribution of each window, for each channel and tap, at
/// the tap's position in the image. So no zeros between windows are multiplied if there is a
/// stride. Each thread computes some channels of an image.
template <class T>
opgen::Status conv2d_dgrad(const Conv2dDgradView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Blocks = opgen::Blocks<Acc>;
  const auto& desc = op.desc;
  if (const Depthwise<Acc> depthwise(desc); depthwise.fits()) {
    depthwise.gradient(op);
    return opgen::Status::ok;
  }
  const auto windows = windows_of<T>(desc);
  const int64_t filters = desc.k / desc.groups, taps = windows.taps(), pixels = windows.count();
  const int64_t size = windows.channel(), cg = desc.cg, images = desc.n * desc.groups;
  const int64_t most = std::max<int64_t>(1, std::min(Blocks::most_rows / taps, images * cg / 12));
  const int64_t blocks = (cg + most - 1) / most;
  Acc* sums;
  if constexpr (std::is_same_v<T, Acc>) {
    sums = op.dx.data;
  } else {
    sums = op.sums.data;
  }
  const int64_t grain = 1 + (int64_t{1} << 20) / (1 + most * taps * pixels * filters);
  opgen::parallel(op.ctx, images * blocks, grain, [=, &op](int64_t begin, int64_t end) {
    alignas(64) Acc products[Blocks::most_rows * Blocks::most_columns];
    for (int64_t at = begin; at < end; ++at) {
      const int64_t image = at / blocks, first = at % blocks * most;
      const int64_t channels = std::min(most, cg - first), to = (image * cg + first) * size;
      const T* const weight = op.weight.data + (image % desc.groups * filters * cg + first) * taps;
      const T* const dy = op.dy.data + image * filters * pixels;
      std::fill_n(sums + to, channels * size, Acc{0});
      const opgen::Tiles<Acc> tiles(channels * taps, pixels);
      for (int64_t i = 0; i < tiles.count(); ++i) {
        const auto tile = tiles[i];
        const opgen::Matrix<T> left{weight + tile.row, 1, cg * taps};
        const opgen::Matrix<T> right{dy + tile.column, pixels, 1};
        opgen::multiply_to<Acc>(products, tile.rows, tile.columns, filters,
                                opgen::rows_of<Acc>(left, tile.rows),
                                opgen::columns_of<Acc>(right, tile.rows));
        for (int64_t row = 0; row < tile.rows; ++row) {
          const int64_t channel = (tile.row + row) / taps, tap = (tile.row + row) % taps;
          windows.add(products + row * Blocks::most_columns, tap, tile.column, tile.columns,
                      sums + to + channel * size);
        }
      }
      if constexpr (!std::is_same_v<T, Acc>) {
        opgen::each_vector<Acc>(to, to + channels * size, opgen::Streamed{},
                                [=, dx = op.dx.data](auto v) { v.store(dx, v.load(sums)); });
      }
    }
  });
  return opgen::Status::ok;
}

/// The positions that dweight sums over: the pixels of one image after the other. For each image,
/// their number is padded to an even number if pairs are multiplied.
class Places {
 public:
  Places(int64_t images, int64_t pixels, bool paired) noexcept
      : images_(images), pixels_(pixels), places_(paired ? pixels + pixels % 2 : pixels) {}

  int64_t count() const noexcept { return images_ * places_; }

  /// Calls `function(image, pixel, at, run)` for runs of pixels of the same image, in the positions
  /// [first, first + count). `at` is the number of positions before the run.
  template <class Function>
  void each_run(int64_t first, int64_t count, const Function& function) const noexcept {
    for (int64_t done = 0; done < count;) {
      const int64_t image = (first + done) / places_, pixel = (first + done) % places_;
      const int64_t run = std::min(count - done, places_ - pixel);
      function(image, pixel, done, std::min(run, pixels_ - pixel));
      done += run;
    }
  }

 private:
  int64_t images_, pixels_, places_;
};

/// The windows of all images of a group, for channels and taps from `row` on, as the left factor of
/// a tile with positions as terms.
template <class T, class View>
struct WindowRows {
  using Acc = opgen::accum_t<T>;
  using Blocks = opgen::Blocks<Acc>;
  const View& op;
  Windows<T> windows;
  Places places;
  int64_t group, row, rows;

  template <class To>
  void lay(int64_t image, int64_t pixel, int64_t run, To* to, int64_t to_row) const noexcept {
    const int64_t channel = (image * op.desc.groups + group) * op.desc.cg;
    windows.lay(op.x.data + channel * windows.channel(), row, rows, pixel, run, to, to_row);
  }

  opgen::Matrix<Acc> operator()(int64_t first, int64_t count, Acc* scratch) const noexcept {
    constexpr int64_t across = Blocks::inner;
    places.each_run(first, count, [&](int64_t image, int64_t pixel, int64_t at, int64_t run) {
      lay(image, pixel, run, scratch + at, across);
    });
    return {scratch, across, 1};
  }

  template <class Pair, class = opgen::if_paired<Pair, T>>
  opgen::Matrix<Pair> operator()(int64_t first, int64_t count, Pair* scratch) const noexcept {
    constexpr int64_t across = 2 * Blocks::inner;
    T* const terms = reinterpret_cast<T*>(scratch);
    places.each_run(first, count, [&](int64_t image, int64_t pixel, int64_t at, int64_t run) {
      lay(image, pixel, run, terms + at, across);
      for (int64_t i = 0; run % 2 != 0 && i < rows; ++i) terms[at + run + i * across] = T{};
    });
    return {scratch, Blocks::inner, 1};
  }
};

/// dy of the filters from `filter` on, as the right factor of such a tile.
template <class T, class View>
struct GradientColumns {
  using Acc = opgen::accum_t<T>;
  static constexpr int64_t across = opgen::Blocks<Acc>::columns;
  const View& op;
  Places places;
  int64_t pixels, filter;

  opgen::Matrix<T> filters(int64_t image, int64_t column, int64_t pixel) const noexcept {
    return {op.dy.data + (image * op.desc.k + filter + column) * pixels + pixel, 1, pixels};
  }

  opgen::Matrix<Acc> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                                Acc* panel) const noexcept {
    places.each_run(first, count, [&](int64_t image, int64_t pixel, int64_t at, int64_t run) {
      const auto dy = filters(image, column, pixel);
      opgen::lay_rows<Acc>(dy, run, columns, across, panel + at * across, across);
    });
    return {panel, across, 1};
  }

  template <class Pair, class = opgen::if_paired<Pair, T>>
  opgen::Matrix<Pair> operator()(int64_t first, int64_t count, int64_t column, int64_t columns,
                                 Pair* panel) const noexcept {
    places.each_run(first, count, [&](int64_t image, int64_t pixel, int64_t at, int64_t run) {
      const auto dy = filters(image, column, pixel);
      lay_pairs_of_columns(dy, run, columns, panel + at / 2 * across);
    });
    return {panel, across, 1};
  }
};

/// dweight, as a matrix of channels and taps by filters: the product of windows and dy, summed over
/// all pixels of all images.
template <class T>
opgen::Status conv2d_wgrad(const Conv2dWgradView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using View = Conv2dWgradView<T>;
  const auto& desc = op.desc;
  const auto windows = windows_of<T>(desc);
  const int64_t filters = desc.k / desc.groups, groups = desc.groups, pixels = windows.count();
  const bool paired = std::is_same_v<T, opgen::bf16> && opgen::pairs_are_fast();
  const Places places(desc.n, pixels, paired);
  const int64_t inner = places.count(), taps = desc.cg * windows.taps();
  if (const Depthwise<Acc> depthwise(desc); depthwise.fits() && op.dweight.present()) {
    depthwise.weight_gradient(op);
  } else if (op.dweight.present()) {
    const opgen::Tiles<Acc> tiles(taps, filters, 12);
    const int64_t each = tiles.count();
    const auto some = [=, &op](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end; ++at) {
        const int64_t group = at / each;
        const auto tile = tiles[at % each];
        const int64_t filter = group * filters + tile.column;
        opgen::multiply_tile<Acc>(
            tile.rows, tile.columns, inner,
            WindowRows<T, View>{op, windows, places, group, tile.row, tile.rows},
            GradientColumns<T, View>{op, places, pixels, filter},
            [=, &op](int64_t i, auto v, auto values) {
          T* const to = op.dweight.data + (filter + v.at) * taps + tile.row + i;
          for (int64_t lane = 0; lane < v.count; ++lane) {
            to[lane * taps] = static_cast<T>(values[lane]);
          }
        });
      }
    };
    opgen::parallel(op.ctx, groups * each, tiles.of_a_thread(inner), some);
  }
  if (op.dbias.present()) {
    const auto some = [=, &op](int64_t begin, int64_t end) {
      for (int64_t filter = begin; filter < end; ++filter) {
        double total = 0;
        for (int64_t image = 0; image < desc.n; ++image) {
          const T* const dy = op.dy.data + (image * desc.k + filter) * pixels;
          total +=
              static_cast<double>(opgen::sum<Acc>(pixels, [dy](auto v) { return v.load(dy); }));
        }
        op.dbias.data[filter] = static_cast<T>(static_cast<Acc>(total));
      }
    };
    opgen::parallel(op.ctx, desc.k, opgen::rows_of_a_thread(inner), some);
  }
  return opgen::Status::ok;
}

}  // namespace generated::cpu
