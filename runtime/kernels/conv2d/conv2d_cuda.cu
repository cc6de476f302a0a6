// Convolutions of images, and their gradients, on CUDA, as products of matrices.
//
// Dumoulin and Visin, A Guide to Convolution Arithmetic, 2016; chapter 4 for gradients.
#include "conv2d.h"

#include <algorithm>
#include <numeric>

#include "conv2d/cuda_windows.h"
#include "opgen/cuda_groups.h"

namespace generated::cuda {

using opgen::cuda::Factor;
using opgen::cuda::load;
using opgen::cuda::tile_side;
using opgen::cuda::tile_threads;
using opgen::cuda::tiles_along;

namespace {

/// How blocks divide the groups of a call into tiles.
struct Tiles {
  Divisor rows, columns;  // tiles of a group along each side
  int64_t count;

  Tiles(int64_t groups, int64_t height, int64_t width) noexcept
      : rows(std::max<int64_t>(1, tiles_along(height))),
        columns(std::max<int64_t>(1, tiles_along(width))),
        count(groups * rows.by() * columns.by()) {}

  struct Tile {
    int64_t group, row, column;
  };
  /// Consecutive tiles are in the same column of tiles, because they read the same windows.
  __device__ Tile operator[](int64_t at) const {
    const int64_t column = rows(at), group = columns(column);
    return {group, (at - column * rows.by()) * tile_side,
            (column - group * columns.by()) * tile_side};
  }
};

/// Starts a kernel with a block for every tile of each of `parts` parts.
template <class... Parameters, class... Arguments>
opgen::Status start(const opgen::Context& ctx, const Tiles& tiles, int64_t parts,
                    void (*kernel)(Parameters...), const Arguments&... arguments) noexcept {
  if (tiles.count * parts >= int64_t{1} << 31) return opgen::Status::unsupported;
  return opgen::cuda::launch(ctx, kernel, static_cast<unsigned>(tiles.count * parts), tile_threads,
                             tiles, arguments...);
}

/// Returns the windows over images of x for a call with this descriptor.
template <class Descriptor>
Windows windows_of(const Descriptor& op) noexcept {
  return {{op.h, op.stride[0], op.dilation[0], -op.padding[0]},
          {op.w, op.stride[1], op.dilation[1], -op.padding[1]},
          {op.r, op.s},
          {op.p, op.q},
          op.n,
          op.groups * op.cg * op.h * op.w,
          op.h * op.w,
          op.cg};
}

template <bool packed, class T>
__global__ void
__launch_bounds__(tile_threads)
convolve(Tiles tiles, Windows windows, int64_t filters, int64_t all_filters,
         const T* x,       // n groups*cg h w
         const T* weight,  // k cg r s
         const T* bias,    // k, or null
         T* y) {           // n k p q
  const auto tile = tiles[blockIdx.x];
  const int64_t taps = windows.all_taps(), first = tile.group * filters;
  const int64_t pixels = windows.windows.both.by();
  const Factor<T, true, packed> left{weight + first * taps, taps, filters, taps};
  const WindowFactor<T, false> right(windows, x + tile.group * windows.channels * windows.channel,
                                     taps);
  opgen::cuda::multiply_tile(left, right, tile.row, tile.column, 0, taps,
                             [&](int64_t row, int64_t column, auto sum) {
    const int64_t filter = first + row, image = windows.windows.both(column);
    if (bias != nullptr) sum += static_cast<decltype(sum)>(bias[filter]);
    y[(image * all_filters + filter) * pixels + column - image * pixels] = static_cast<T>(sum);
  });
}

/// The phases of one axis in the gradient of x. Pixels at a distance of `stride` are one phase:
/// they receive terms from the same taps. These taps are `step` apart, so that `step * dilation` is
/// a multiple of the stride. From one of these taps to the next, the window moves by `shift`.
struct Phases {
  int64_t stride, padding, dilation, size, taps, step, shift;
  int64_t most_pixels, most_taps;  // of one phase

  Phases(int64_t its_stride, int64_t its_padding, int64_t its_dilation, int64_t its_size,
         int64_t its_taps) noexcept
      : stride(its_stride), padding(its_padding), dilation(its_dilation), size(its_size),
        taps(its_taps) {
    const int64_t common = std::gcd(stride, dilation);
    step = stride / common;
    shift = dilation / common;
    most_pixels = (size + stride - 1) / stride;
    most_taps = (taps + step - 1) / step;
  }

  int64_t count() const noexcept { return std::min(stride, size); }

  struct Phase {
    int64_t tap, taps;  // the first tap, and the number of taps, which may be 0
    Axis axis;
  };
  __device__ Phase operator()(int64_t pixel, int64_t windows) const {
    const int64_t place = pixel + padding;
    for (int64_t tap = 0; tap < step && tap < taps; ++tap) {
      const int64_t window = place - tap * dilation;
      if (window % stride != 0) continue;
      return {tap, (taps - tap + step - 1) / step, {windows, 1, -shift, window / stride}};
    }
    return {0, 0, {windows, 1, 0, 0}};
  }
};

/// The arguments of `gradients_of_images`, except for the tensors.
struct ImageGradient {
  Phases rows, columns;
  Divisor column_phases;
  Digits taps[2][2];  // by axis: for phases with the most taps, and with one less
  Digits pixels;
  int64_t n, groups, cg, k, r, s, p, q;
};

/// The filters of a group, with the taps of one phase, as a matrix of channels by filters and taps.
template <class T>
struct FilterFactor {
  using Element = T;
  static constexpr bool inner_first = true;

  const T* data;  // the group's first filter, at the phase's first tap
  Digits taps;
  int64_t outer, inner, filter, channel, row, column;  // strides, in elements

  __device__ Pack<T> operator()(int64_t at, int64_t term) const {
    Pack<T> found = {};
    if (at >= outer || term >= inner) return found;
    Places tap = taps(term);
#pragma unroll
    for (int i = 0; i < Pack<T>::width; ++i) {
      if (term + i < inner) {
        found.items[i] =
            data[tap.first * filter + at * channel + tap.second * row + tap.third * column];
      }
      if (++tap.third < taps.thirds.by()) continue;
      tap.third = 0;
      if ((++tap.second) * taps.thirds.by() < taps.both.by()) continue;
      tap.second = 0;
      ++tap.first;
    }
    return found;
  }
};

/// dx for the pixels of one phase. It is a convolution of dy, without the zeros that a stride would
/// insert between the pixels of dy.
template <class T>
__global__ void __launch_bounds__(tile_threads)
gradients_of_images(Tiles tiles, ImageGradient of,
                    const T* dy,      // n k p q
                    const T* weight,  // k cg r s
                    T* dx) {          // n groups*cg h w
  const int64_t phase = blockIdx.x / tiles.count;
  const auto tile = tiles[blockIdx.x - phase * tiles.count];
  const int64_t top = of.column_phases(phase), left_most = phase - top * of.column_phases.by();
  const auto rows = of.rows(top, of.p), columns = of.columns(left_most, of.q);
  const bool none = rows.taps == 0 || columns.taps == 0;
  const Digits taps = of.taps[rows.taps < of.rows.most_taps][columns.taps < of.columns.most_taps];
  const int64_t filters = of.k / of.groups, area = of.r * of.s;
  const int64_t terms = none ? 0 : filters * rows.taps * columns.taps;
  const FilterFactor<T> left{
      weight + tile.group * filters * of.cg * area + rows.tap * of.s + columns.tap,
      taps,
      of.cg,
      terms,
      of.cg * area,
      area,
      of.rows.step * of.s,
      of.columns.step};
  const Windows windows{rows.axis, columns.axis, taps,    of.pixels, of.n, of.k * of.p * of.q,
                        of.p * of.q, filters};
  const WindowFactor<T, false> right(windows, dy + tile.group * filters * of.p * of.q, terms);
  opgen::cuda::multiply_tile(left, right, tile.row, tile.column, 0, terms,
                             [&](int64_t row, int64_t column, auto sum) {
    const Places pixel = of.pixels(column);
    const int64_t y = top + pixel.second * of.rows.stride;
    const int64_t x = left_most + pixel.third * of.columns.stride;
    if (y >= of.rows.size || x >= of.columns.size) return;
    const int64_t channel = (pixel.first * of.groups + tile.group) * of.cg + row;
    dx[(channel * of.rows.size + y) * of.columns.size + x] = static_cast<T>(sum);
  });
}

/// dy of a group, as a matrix of filters by the windows of all images.
template <class T>
struct GradientFactor {
  using Element = T;
  static constexpr bool inner_first = true;

  const T* data;  // the group's first filter
  const Divisor& pixels;
  int64_t outer, inner, image;  // elements from one image to the next
  bool packed;

  __device__ Pack<T> operator()(int64_t at, int64_t term) const {
    Pack<T> found = {};
    if (at >= outer || term >= inner) return found;
    const int64_t first = pixels(term);
    int64_t pixel = term - first * pixels.by();
    const T* from = data + first * image + at * pixels.by();
    if (packed) return load<Pack<T>::width>(from + pixel, 0);
#pragma unroll
    for (int i = 0; i < Pack<T>::width; ++i) {
      if (term + i < inner) found.items[i] = from[pixel];
      if (++pixel < pixels.by()) continue;
      pixel = 0;
      from += image;
    }
    return found;
  }
};

/// dweight. Each part is summed over `each` windows, and written separately if there are several.
template <class T, class Out>
__global__ void __launch_bounds__(tile_threads)
gradients_of_filters(Tiles tiles, Windows windows, int64_t filters, int64_t groups, int64_t each,
                     bool packed,
                     const T* dy,  // n k p q
                     const T* x,   // n groups*cg h w
                     Out* sums) {  // parts k cg r s
  const int64_t part = blockIdx.x / tiles.count;
  const auto tile = tiles[blockIdx.x - part * tiles.count];
  const int64_t pixels = windows.windows.both.by(), taps = windows.all_taps();
  const int64_t all = windows.all_windows(), begin = part * each;
  const int64_t end = begin + each < all ? begin + each : all;
  const GradientFactor<T> left{dy + tile.group * filters * pixels, windows.windows.both, filters,
                               end, groups * filters * pixels, packed};
  const WindowFactor<T, true> right(windows, x + tile.group * windows.channels * windows.channel,
                                    end);
  Out* const to = sums + (part * groups + tile.group) * filters * taps;
  opgen::cuda::multiply_tile(left, right, tile.row, tile.column, begin, end,
                             [=](int64_t row, int64_t column, auto sum) {
    to[row * taps + column] = static_cast<Out>(sum);
  });
}

/// dbias. Each block computes one filter.
template <class T>
__global__ void __launch_bounds__(opgen::cuda::narrow_block)
gradients_of_biases(int64_t windows, Divisor pixels, int64_t filters,
                    const T* dy,  // n filters pixels
                    T* dbias) {   // filters
  opgen::accum_t<T> total = 0;
  for (int64_t at = threadIdx.x; at < windows; at += blockDim.x) {
    const int64_t image = pixels(at);
    const int64_t row = image * filters + blockIdx.x;
    total += static_cast<opgen::accum_t<T>>(dy[row * pixels.by() + at - image * pixels.by()]);
  }
  total = opgen::cuda::over_row(total);
  if (threadIdx.x == 0) dbias[blockIdx.x] = static_cast<T>(total);
}

/// The division of the sum over all windows of all images among blocks. It does not depend on the
/// GPU, so all GPUs give the same bits.
struct Parts {
  int64_t count, each;

  explicit Parts(const Conv2dWgradDescriptor& op) noexcept {
    constexpr int64_t wanted_blocks = 512, least = 512, round = 64;
    const int64_t tiles =
        op.groups * tiles_along(op.k / op.groups) * tiles_along(op.cg * op.r * op.s);
    const int64_t windows = op.n * op.p * op.q;
    const int64_t wanted = std::min(wanted_blocks / std::max<int64_t>(tiles, 1), windows / least);
    each = (windows / std::max<int64_t>(wanted, 1) + round) / round * round;
    count = std::max<int64_t>(1, (windows + each - 1) / each);
  }
};

}  // namespace

template <class T>
opgen::Status conv2d(const Conv2dView<T>& op) noexcept {
  const auto& desc = op.desc;
  const int64_t filters = desc.k / desc.groups, taps = desc.cg * desc.r * desc.s;
  const Tiles tiles(desc.groups, filters, desc.n * desc.p * desc.q);
  return start(op.ctx, tiles, 1,
               opgen::cuda::packs_fit(op.weight.data, taps) ? convolve<true, T>
                                                            : convolve<false, T>,
               windows_of(desc), filters, desc.k, op.x.data, op.weight.data, op.bias.data,
               op.y.data);
}

template <class T>
opgen::Status conv2d_dgrad(const Conv2dDgradView<T>& op) noexcept {
  const auto& desc = op.desc;
  const Phases rows(desc.stride[0], desc.padding[0], desc.dilation[0], desc.h, desc.r);
  const Phases columns(desc.stride[1], desc.padding[1], desc.dilation[1], desc.w, desc.s);
  const auto taps = [&](int64_t fewer_rows, int64_t fewer_columns) -> Digits {
    return {std::max<int64_t>(1, rows.most_taps - fewer_rows),
            std::max<int64_t>(1, columns.most_taps - fewer_columns)};
  };
  const ImageGradient gradient{rows,
                               columns,
                               Divisor(columns.count()),
                               {{taps(0, 0), taps(0, 1)}, {taps(1, 0), taps(1, 1)}},
                               {rows.most_pixels, columns.most_pixels},
                               desc.n,
                               desc.groups,
                               desc.cg,
                               desc.k,
                               desc.r,
                               desc.s,
                               desc.p,
                               desc.q};
  const Tiles tiles(desc.groups, desc.cg, desc.n * rows.most_pixels * columns.most_pixels);
  return start(op.ctx, tiles, rows.count() * columns.count(), gradients_of_images<T>, gradient,
               op.dy.data, op.weight.data, op.dx.data);
}

/// The number of bytes for the parts of dweight, if it is summed in several parts.
int64_t conv2d_wgrad_workspace(const Conv2dWgradDescriptor& op,
                               opgen::DeviceProperties) noexcept {
  const int64_t parts = Parts(op).count;
  const bool wide = op.T == static_cast<int64_t>(opgen::ElementType::F64);
  const int64_t size = wide ? sizeof(double) : sizeof(float);
  return parts == 1 ? 0 : parts * op.k * op.cg * op.r * op.s * size;
}

template <class T>
opgen::Status conv2d_wgrad(const Conv2dWgradView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const auto& desc = op.desc;
  const int64_t filters = desc.k / desc.groups, taps = desc.cg * desc.r * desc.s;
  const int64_t pixels = desc.p * desc.q;
  if (op.dweight.numel() > 0) {
    const Parts parts(desc);
    const Tiles tiles(desc.groups, filters, taps);
    const bool packed = opgen::cuda::packs_fit(op.dy.data, pixels);
    const auto sum = [&](auto* to) {
      return start(op.ctx, tiles, parts.count, gradients_of_filters<T, std::remove_pointer_t<decltype(to)>>,
                   windows_of(desc), filters, desc.groups, parts.each, packed, op.dy.data,
                   op.x.data, to);
    };
    Acc* const workspace = static_cast<Acc*>(op.ctx.workspace);
    const auto status = parts.count == 1 ? sum(op.dweight.data) : sum(workspace);
    if (status != opgen::Status::ok) return status;
    if (parts.count > 1) {
      const auto summed = opgen::cuda::sum_columns(op.ctx, parts.count, desc.k * taps,
                                                   static_cast<const Acc*>(workspace),
                                                   op.dweight.data);
      if (summed != opgen::Status::ok) return summed;
    }
  }
  if (op.dbias.numel() == 0) return opgen::Status::ok;
  if (desc.k >= int64_t{1} << 31) return opgen::Status::unsupported;
  return opgen::cuda::launch(op.ctx, gradients_of_biases<T>, static_cast<unsigned>(desc.k),
                             opgen::cuda::narrow_block, desc.n * pixels, Divisor(pixels), desc.k,
                             op.dy.data, op.dbias.data);
}

}  // namespace generated::cuda
