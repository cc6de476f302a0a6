// Layer normalization and its gradient on CUDA.
//
// Ba, Kiros and Hinton, Layer Normalization, 2016, equations 3 and 4. A row is one element of
// *batch. It is read once if it fits into the registers of its threads. The variance is the mean of
// squared differences from the mean. Sums are in Acc: f32 for 16-bit types. The same input gives
// the same bits.
#include "layer_norm.h"

#include "opgen/cuda_rows.h"

namespace generated::cuda {

using opgen::cuda::Pack;
using opgen::cuda::Row;

/// A pack of an optional tensor with one element per column. If the tensor is absent, all elements
/// are `otherwise`.
template <class A, int width, class W>
__device__ Pack<A, width> column_values(const W* data, int64_t at, A otherwise) {
  Pack<A, width> values;
  if (data == nullptr) {
#pragma unroll
    for (int i = 0; i < width; ++i) values.items[i] = otherwise;
  } else {
    const Pack<W, width> pack = opgen::cuda::load<width>(data, at);
#pragma unroll
    for (int i = 0; i < width; ++i) values.items[i] = static_cast<A>(pack.items[i]);
  }
  return values;
}

/// The mean of a row of `present` packs. All threads of the block must call this function, and also
/// `variance_of`.
template <int held, class T, int width>
__device__ opgen::accum_t<T> mean_of(const Row<T, width, held>& xr, int64_t present,
                                     int64_t columns) {
  using Acc = opgen::accum_t<T>;
  Acc sum = 0;
  opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
    const Pack<T, width> xs = xr(k, at);
#pragma unroll
    for (int i = 0; i < width; ++i) sum += static_cast<Acc>(xs.items[i]);
  });
  return opgen::cuda::over_row(sum) / static_cast<Acc>(columns);
}

template <int held, class T, int width>
__device__ opgen::accum_t<T> variance_of(const Row<T, width, held>& xr, int64_t present,
                                         int64_t columns, opgen::accum_t<T> mean) {
  using Acc = opgen::accum_t<T>;
  Acc squares = 0;
  opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
    const Pack<T, width> xs = xr(k, at);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const Acc centred = static_cast<Acc>(xs.items[i]) - mean;
      squares += centred * centred;
    }
  });
  return opgen::cuda::over_row(squares) / static_cast<Acc>(columns);
}

/// Computes y and rstd. Unless means and variances are `given`, it computes both and writes the
/// means.
template <bool given, class T, class W, int width, int held>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
layer_norm_rows(int64_t rows, int64_t columns, opgen::accum_t<T> eps,
                const T* x,                          // rows columns
                const W* weight,                     // columns, or null
                const W* bias,                       // columns, or null
                const opgen::accum_t<T>* means,      // rows, or null
                const opgen::accum_t<T>* variances,  // rows, or null
                T* y,                                // rows columns
                opgen::accum_t<T>* mean,             // rows, or null
                opgen::accum_t<T>* rstd) {           // rows
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    Acc middle = 0, variance = 0;
    if constexpr (given) {
      if (row < rows) middle = means[row], variance = variances[row];
    } else {
      middle = mean_of(xr, present, columns);
      variance = variance_of(xr, present, columns, middle);
    }
    const Acc scale = 1 / std::sqrt(variance + eps);
    if (row < rows && threadIdx.x == 0) {
      if constexpr (!given) mean[row] = middle;
      rstd[row] = scale;
    }
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at);
      const Pack<Acc, width> weights = column_values<Acc, width>(weight, at, Acc(1));
      const Pack<Acc, width> biases = column_values<Acc, width>(bias, at, Acc(0));
      Pack<T, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc normal = (static_cast<Acc>(xs.items[i]) - middle) * scale;
        ys.items[i] = normal * weights.items[i] + biases.items[i];
      }
      opgen::cuda::store(y + row * columns, at, ys);
    });
  });
}

template <bool given, class T, class W, class View>
opgen::Status scale_rows(const View& op, const opgen::accum_t<T>* means,
                         const opgen::accum_t<T>* variances, opgen::accum_t<T>* mean) noexcept {
  const int64_t rows = op.rstd.numel(), columns = rows > 0 ? op.x.numel() / rows : 0;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, layer_norm_rows<given, T, W, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.eps, op.x.data, op.weight.data,
                               op.bias.data, means, variances, op.y.data, mean, op.rstd.data);
  }, op.x.data, op.weight.data, op.bias.data, op.y.data);
}

template <class T, class W>
opgen::Status layer_norm(const LayerNormView<T, W>& op) noexcept {
  return scale_rows<false, T, W>(op, nullptr, nullptr, op.mean.data);
}

template <class T, class W>
opgen::Status layer_norm_scale(const LayerNormScaleView<T, W>& op) noexcept {
  return scale_rows<true, T, W>(op, op.mean.data, op.variance.data, nullptr);
}

/// The mean of each row or, if `means` is not null, the mean of squared differences from it.
template <class T, int width, int held>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
moment_rows(int64_t rows, int64_t columns,
            const T* x,                      // rows columns
            const opgen::accum_t<T>* means,  // rows, or null
            opgen::accum_t<T>* found) {      // rows
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    const auto moment = means == nullptr
                            ? mean_of(xr, present, columns)
                            : variance_of(xr, present, columns, means[row < rows ? row : 0]);
    if (row < rows && threadIdx.x == 0) found[row] = moment;
  });
}

template <class T, class View>
opgen::Status find_moments(const View& op, const opgen::accum_t<T>* means,
                           opgen::accum_t<T>* found) noexcept {
  const int64_t rows = op.mean.numel(), columns = rows > 0 ? op.x.numel() / rows : 0;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, moment_rows<T, width, held>, path.grid(rows), path.block,
                               rows, columns, op.x.data, means, found);
  }, op.x.data);
}

template <class T>
opgen::Status layer_norm_mean(const LayerNormMeanView<T>& op) noexcept {
  return find_moments<T>(op, nullptr, op.mean.data);
}

template <class T>
opgen::Status layer_norm_variance(const LayerNormVarianceView<T>& op) noexcept {
  return find_moments<T>(op, op.mean.data, op.variance.data);
}

/// The number of threads of a row in the backward. They keep two rows, and two rows of sums, in
/// registers.
constexpr int bwd_threads = 512;

/// With h = (x - mean) * rstd and g = dy * weight:
///   dx = rstd * (g - mean(g) - h * mean(g * h)),  dweight = sum over rows of dy * h,
///   dbias = sum over rows of dy.
/// Every block sums its rows' part of dweight in one row of `dweights`, and of dbias in one row of
/// `dbiases`. A result is not requested if its pointer is null. The means are computed unless they
/// are `given`.
template <bool given, class T, class W, int width, int held>
__global__ void __launch_bounds__(bwd_threads)
layer_norm_bwd_rows(int64_t rows, int64_t columns,
                    const T* dy,                    // rows columns
                    const T* x,                     // rows columns
                    const opgen::accum_t<T>* mean,  // rows
                    const opgen::accum_t<T>* rstd,  // rows
                    const W* weight,                // columns, or null
                    const opgen::accum_t<T>* g_means,   // rows, or null
                    const opgen::accum_t<T>* gh_means,  // rows, or null
                    T* dx,                          // rows columns, or null
                    opgen::accum_t<T>* dweights,    // blocks columns, or null
                    opgen::accum_t<T>* dbiases) {   // blocks columns, or null
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::ColumnTotals<Acc, width, held> dweight(dweights, columns), dbias(dbiases, columns);
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Row<T, width, held> xr(x + row * columns, present);
    const Row<T, width, held> dyr(dy + row * columns, present);
    const Acc middle = row < rows ? mean[row] : Acc(0), scale = row < rows ? rstd[row] : Acc(0);
    Acc sum = 0, products = 0;
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at), dys = dyr(k, at);
      const Pack<Acc, width> weights = column_values<Acc, width>(weight, at, Acc(1));
      Pack<Acc, width> terms, ds;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc h = (static_cast<Acc>(xs.items[i]) - middle) * scale;
        const Acc d = static_cast<Acc>(dys.items[i]), g = d * weights.items[i];
        sum += g;
        products += g * h;
        terms.items[i] = d * h;
        ds.items[i] = d;
      }
      dweight.add(k, at, terms);
      dbias.add(k, at, ds);
    });
    if (dx == nullptr) return;
    Acc mean_g = 0, mean_gh = 0;
    if constexpr (given) {
      if (row < rows) mean_g = g_means[row], mean_gh = gh_means[row];
    } else {
      mean_g = opgen::cuda::over_row(sum) / static_cast<Acc>(columns);
      mean_gh = opgen::cuda::over_row(products) / static_cast<Acc>(columns);
    }
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> xs = xr(k, at), dys = dyr(k, at);
      const Pack<Acc, width> weights = column_values<Acc, width>(weight, at, Acc(1));
      Pack<T, width> dxs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc h = (static_cast<Acc>(xs.items[i]) - middle) * scale;
        const Acc g = static_cast<Acc>(dys.items[i]) * weights.items[i];
        dxs.items[i] = scale * (g - mean_g - h * mean_gh);
      }
      opgen::cuda::store(dx + row * columns, at, dxs);
    });
  });
  dweight.finish();
  dbias.finish();
}

template <bool given, class T, class W, class View>
opgen::Status gradients(const View& op, const opgen::accum_t<T>* g_means,
                        const opgen::accum_t<T>* gh_means) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t rows = op.desc.batch, columns = op.desc.norm;
  const bool sums = op.parts.present();
  const int64_t most = sums ? op.parts.size(1) : rows;  // parts: 2 most columns
  Acc* const dweights = op.dweight.present() ? op.parts.data : nullptr;
  Acc* const dbiases = op.dbias.present() ? op.parts.data + most * columns : nullptr;
  int64_t parts = 0;
  auto status = opgen::Status::ok;
  if (rows > 0 && columns > 0) {
    status = opgen::cuda::by_path<bwd_threads>(columns, [&](auto path) {
      constexpr int width = decltype(path)::width, held = decltype(path)::held;
      parts = std::min<int64_t>(path.grid(rows), most);
      return opgen::cuda::launch(op.ctx, layer_norm_bwd_rows<given, T, W, width, held>,
                                 static_cast<unsigned>(parts), path.block, rows, columns,
                                 op.dy.data, op.x.data, op.mean.data, op.rstd.data, op.weight.data,
                                 g_means, gh_means, op.dx.data, dweights, dbiases);
    }, op.dy.data, op.x.data, op.weight.data, op.dx.data, dweights, dbiases);
  }
  if (status == opgen::Status::ok && op.dweight.present()) {
    status = opgen::cuda::sum_columns(op.ctx, parts, columns, dweights, op.dweight.data);
  }
  if (status == opgen::Status::ok && op.dbias.present()) {
    status = opgen::cuda::sum_columns(op.ctx, parts, columns, dbiases, op.dbias.data);
  }
  return status;
}

template <class T, class W>
opgen::Status layer_norm_bwd(const LayerNormBwdView<T, W>& op) noexcept {
  return gradients<false, T, W>(op, nullptr, nullptr);
}

template <class T, class W>
opgen::Status layer_norm_bwd_apply(const LayerNormBwdApplyView<T, W>& op) noexcept {
  return gradients<true, T, W>(op, op.g_mean.data, op.gh_mean.data);
}

template <class T, class W, int width, int held>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
bwd_mean_rows(int64_t rows, int64_t columns,
              const T* dy,                    // rows columns
              const T* x,                     // rows columns
              const opgen::accum_t<T>* mean,  // rows
              const opgen::accum_t<T>* rstd,  // rows
              const W* weight,                // columns, or null
              opgen::accum_t<T>* g_means,     // rows
              opgen::accum_t<T>* gh_means) {  // rows
  using Acc = opgen::accum_t<T>;
  const int64_t packs = columns / width;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? packs : 0;
    const Acc middle = row < rows ? mean[row] : Acc(0), scale = row < rows ? rstd[row] : Acc(0);
    Acc sum = 0, products = 0;
    opgen::cuda::each_pack<held>(present, [&](int, int64_t at) {
      const Pack<T, width> xs = opgen::cuda::load<width>(x + row * columns, at);
      const Pack<T, width> dys = opgen::cuda::load<width>(dy + row * columns, at);
      const Pack<Acc, width> weights = column_values<Acc, width>(weight, at, Acc(1));
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const Acc g = static_cast<Acc>(dys.items[i]) * weights.items[i];
        sum += g;
        products += g * ((static_cast<Acc>(xs.items[i]) - middle) * scale);
      }
    });
    sum = opgen::cuda::over_row(sum);
    products = opgen::cuda::over_row(products);
    if (row >= rows || threadIdx.x > 0) return;
    g_means[row] = sum / static_cast<Acc>(columns);
    gh_means[row] = products / static_cast<Acc>(columns);
  });
}

template <class T, class W>
opgen::Status layer_norm_bwd_means(const LayerNormBwdMeansView<T, W>& op) noexcept {
  const int64_t rows = op.mean.numel(), columns = op.desc.norm;
  return opgen::cuda::by_path(columns, [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, bwd_mean_rows<T, W, width, held>, path.grid(rows),
                               path.block, rows, columns, op.dy.data, op.x.data, op.mean.data,
                               op.rstd.data, op.weight.data, op.g_mean.data, op.gh_mean.data);
  }, op.dy.data, op.x.data, op.weight.data);
}

}  // namespace generated::cuda
