// gelu(a) * b and its gradient on CUDA. a and b are the halves of each row of x, or two tensors.
//
// Hendrycks and Gimpel, Gaussian Error Linear Units, 2016; Shazeer, GLU Variants Improve
// Transformer, 2020: GEGLU without its matrix products. The kernel computes in f32 (f64 for f64).
#include "gelu_and_mul.h"

#include "opgen/cuda_activations.h"
#include "opgen/cuda_gated.h"

namespace generated::cuda {

using opgen::cuda::GatedRows;

namespace {

/// y = gelu(a) * b. `approximate` selects the formula of gelu.
template <class T, class View>
opgen::Status product(const View& op, const GatedRows& rows, const T* a, const T* b) noexcept {
  using Acc = opgen::accum_t<T>;
  if (op.desc.approximate == 0) {
    return opgen::cuda::gated<opgen::cuda::Gelu<Acc>>(op.ctx, rows, a, b, op.y.data);
  }
  return opgen::cuda::gated<opgen::cuda::GeluTanh<Acc>>(op.ctx, rows, a, b, op.y.data);
}

/// The gradients da and db.
template <class T, class View>
opgen::Status gradients(const View& op, const GatedRows& rows, const T* a, const T* b, T* da,
                        T* db) noexcept {
  using Acc = opgen::accum_t<T>;
  const T* dy = op.dy.data;
  if (op.desc.approximate == 0) {
    return opgen::cuda::gated_bwd<opgen::cuda::Gelu<Acc>>(op.ctx, rows, dy, a, b, da, db);
  }
  return opgen::cuda::gated_bwd<opgen::cuda::GeluTanh<Acc>>(op.ctx, rows, dy, a, b, da, db);
}

}  // namespace

template <class T>
opgen::Status gelu_and_mul(const GeluAndMulView<T>& op) noexcept {
  const auto rows = GatedRows::halves(op.desc.batch, op.desc.d);
  return product(op, rows, op.x.data, op.x.data + op.desc.d);
}

template <class T>
opgen::Status gelu_and_mul_bwd(const GeluAndMulBwdView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  return gradients(op, GatedRows::halves(op.desc.batch, d), op.x.data, op.x.data + d, op.dx.data,
                   op.dx.data + d);
}

template <class T>
opgen::Status geglu(const GegluView<T>& op) noexcept {
  return product(op, GatedRows::pairs(op.y.numel()), op.gate.data, op.up.data);
}

template <class T>
opgen::Status geglu_bwd(const GegluBwdView<T>& op) noexcept {
  return gradients(op, GatedRows::pairs(op.dy.numel()), op.gate.data, op.up.data, op.dgate.data,
                   op.dup.data);
}

}  // namespace generated::cuda
