// residual += x, and the RMS normalization of the sum, optionally quantised to fp8, on CUDA.
//
// Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. The sum is rounded to
// the residual's dtype, and the rounded sum is normalised. A row stays in registers if it fits.
#include "fused_add_rms_norm.h"

#include "opgen/cuda_rows.h"
#include "opgen/cuda_strided_rows.h"
#include "opgen/float8_narrow.h"

namespace generated::cuda {

using opgen::cuda::Pack;

/// This thread's packs of one row of sums. The constructor also stores them in `residual`.
template <class T, int width, int held>
class AddedRow {
 public:
  __device__ AddedRow(const T* x, T* residual, int64_t packs) : residual_(residual) {
    using Acc = opgen::accum_t<T>;
    opgen::cuda::each_pack<held>(packs, [&](int k, int64_t at) {
      const Pack<T, width> xs = opgen::cuda::load<width>(x, at);
      Pack<T, width> sums = opgen::cuda::load<width>(residual, at);
#pragma unroll
      for (int i = 0; i < width; ++i) {
        sums.items[i] = static_cast<Acc>(sums.items[i]) + static_cast<Acc>(xs.items[i]);
      }
      opgen::cuda::store(residual, at, sums);
      if constexpr (held > 0) kept_[k] = sums;
    });
  }

  __device__ Pack<T, width> operator()(int k, int64_t at) const {
    if constexpr (held > 0) {
      return kept_[k];
    } else {
      return opgen::cuda::load<width>(residual_, at);
    }
  }

 private:
  const T* residual_;
  Pack<T, width> kept_[held > 0 ? held : 1];
};

/// 1 / sqrt(mean(r**2) + eps) of a row.
template <int width, int held, class Acc, class Row>
__device__ Acc inverse_rms(const Row& row, int64_t present, int64_t columns, Acc eps) {
  Acc squares = 0;
  opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
    const auto rs = row(k, at);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const Acc value = static_cast<Acc>(rs.items[i]);
      squares += value * value;
    }
  });
  return 1 / std::sqrt(opgen::cuda::over_row(squares) / static_cast<Acc>(columns) + eps);
}

template <class T, int width, int held>
__global__ void
__launch_bounds__(opgen::cuda::most_threads)
add_rms_norm_rows(int64_t rows, int64_t columns, opgen::accum_t<T> eps,
                  opgen::cuda::RowOffsets offsets,  // of the rows of x
                  const T* x,                       // rows columns, as `offsets` says
                  T* residual,                      // rows columns
                  const T* weight,                  // columns
                  T* y) {                           // rows columns
  using Acc = opgen::accum_t<T>;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? columns / width : 0;
    const AddedRow<T, width, held> sums(x + offsets(row), residual + row * columns, present);
    const Acc scale = inverse_rms<width, held>(sums, present, columns, eps);
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<T, width> rs = sums(k, at), weights = opgen::cuda::load<width>(weight, at);
      Pack<T, width> ys;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        ys.items[i] = static_cast<Acc>(rs.items[i]) * scale * static_cast<Acc>(weights.items[i]);
      }
      opgen::cuda::store(y + row * columns, at, ys);
    });
  });
}

/// If `y_scale` is not null, every row has a separate scale, which is written to `y_scale`. It is
/// max(abs(y)) / limit, but at most `*scale_ub` and at least 1 / (512 * limit). Otherwise `*scale`
/// is the scale of all rows.
template <class T, class Q, int width, int held>
__global__ void __launch_bounds__(opgen::cuda::most_threads)
add_rms_norm_quant_rows(int64_t rows, int64_t columns, opgen::accum_t<T> eps,
                        opgen::cuda::RowOffsets offsets,  // of the rows of x
                        const T* x,                       // rows columns, as `offsets` says
                        T* residual,                      // rows columns
                        const T* weight,                  // columns
                        const float* scale,               // scalar, or null
                        const float* scale_ub,            // scalar, or null
                        Q* y,                             // rows columns
                        float* y_scale) {                 // rows, or null
  using Acc = opgen::accum_t<T>;
  const Acc limit = opgen::Float8<Q>::limit;
  opgen::cuda::each_row(rows, [&](int64_t row) {
    const int64_t present = row < rows ? columns / width : 0;
    const AddedRow<T, width, held> sums(x + offsets(row), residual + row * columns, present);
    const Acc inverse = inverse_rms<width, held>(sums, present, columns, eps);
    const auto normal = [&](int k, int64_t at) {
      const Pack<T, width> rs = sums(k, at), weights = opgen::cuda::load<width>(weight, at);
      Pack<Acc, width> values;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        values.items[i] =
            static_cast<Acc>(rs.items[i]) * inverse * static_cast<Acc>(weights.items[i]);
      }
      return values;
    };
    Acc of_row;
    if (y_scale == nullptr) {
      of_row = static_cast<Acc>(*scale);
    } else {
      Acc top = 0;
      opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
        const Pack<Acc, width> values = normal(k, at);
#pragma unroll
        for (int i = 0; i < width; ++i) top = opgen::cuda::Largest()(top, std::abs(values.items[i]));
      });
      of_row = opgen::cuda::over_row(top, opgen::cuda::Largest()) / limit;
      if (scale_ub != nullptr && of_row > *scale_ub) of_row = static_cast<Acc>(*scale_ub);
      if (of_row < 1 / (512 * limit)) of_row = 1 / (512 * limit);
      if (row < rows && threadIdx.x == 0) y_scale[row] = static_cast<float>(of_row);
    }
    opgen::cuda::each_pack<held>(present, [&](int k, int64_t at) {
      const Pack<Acc, width> values = normal(k, at);
      Pack<Q, width> qs;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        qs.items[i] = opgen::Float8<Q>::saturated(static_cast<float>(values.items[i] / of_row));
      }
      opgen::cuda::store(y + row * columns, at, qs);
    });
  });
}

template <class T>
opgen::Status fused_add_rms_norm(const FusedAddRmsNormView<T>& op) noexcept {
  const int64_t rows = op.desc.batch, columns = op.desc.d;
  const opgen::cuda::RowOffsets offsets(op.x);
  if (!offsets.fits()) return opgen::Status::unsupported;
  return opgen::cuda::by_path(columns, offsets.step(), [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, add_rms_norm_rows<T, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.eps, offsets, op.x.data,
                               op.residual.data, op.weight.data, op.y.data);
  }, op.x.data, op.residual.data, op.weight.data, op.y.data);
}

template <class T, class Q>
opgen::Status fused_add_rms_norm_quant(const FusedAddRmsNormQuantView<T, Q>& op) noexcept {
  const int64_t rows = op.desc.batch, columns = op.desc.d;
  float* const y_scale = op.desc.dynamic != 0 ? op.y_scale.data : nullptr;
  const opgen::cuda::RowOffsets offsets(op.x);
  if (!offsets.fits()) return opgen::Status::unsupported;
  return opgen::cuda::by_path(columns, offsets.step(), [&](auto path) {
    constexpr int width = decltype(path)::width, held = decltype(path)::held;
    return opgen::cuda::launch(op.ctx, add_rms_norm_quant_rows<T, Q, width, held>, path.grid(rows),
                               path.block, rows, columns, op.desc.eps, offsets, op.x.data,
                               op.residual.data, op.weight.data, op.scale.data, op.scale_ub.data,
                               op.y.data, y_scale);
    // Packs have the width for T. y is narrower, so its packs have fewer bytes.
  }, op.x.data, op.residual.data, op.weight.data, reinterpret_cast<const T*>(op.y.data));
}

}  // namespace generated::cuda
