// silu(a) * b and its gradient on CUDA. a and b are the halves of each row of x, or two tensors.
//
// Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrix products. The kernel
// computes in f32 (f64 for f64).
#include "silu_and_mul.h"

#include "opgen/cuda_activations.h"
#include "opgen/cuda_gated.h"

namespace generated::cuda {

using opgen::cuda::GatedRows;

template <class T>
using Silu = opgen::cuda::Silu<opgen::accum_t<T>>;

template <class T>
opgen::Status silu_and_mul(const SiluAndMulView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  return opgen::cuda::gated<Silu<T>>(op.ctx, GatedRows::halves(op.desc.batch, d), op.x.data,
                                     op.x.data + d, op.y.data);
}

template <class T>
opgen::Status silu_and_mul_bwd(const SiluAndMulBwdView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  return opgen::cuda::gated_bwd<Silu<T>>(op.ctx, GatedRows::halves(op.desc.batch, d), op.dy.data,
                                         op.x.data, op.x.data + d, op.dx.data, op.dx.data + d);
}

template <class T>
opgen::Status swiglu(const SwigluView<T>& op) noexcept {
  return opgen::cuda::gated<Silu<T>>(op.ctx, GatedRows::pairs(op.y.numel()), op.gate.data,
                                     op.up.data, op.y.data);
}

template <class T>
opgen::Status swiglu_bwd(const SwigluBwdView<T>& op) noexcept {
  return opgen::cuda::gated_bwd<Silu<T>>(op.ctx, GatedRows::pairs(op.dy.numel()), op.dy.data,
                                         op.gate.data, op.up.data, op.dgate.data, op.dup.data);
}

}  // namespace generated::cuda
