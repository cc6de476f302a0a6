// silu(a) * b and its gradient on the CPU. a and b are the halves of each row of x, or two tensors.
//
// Shazeer, GLU Variants Improve Transformer, 2020: SwiGLU without its matrix products.
#include "silu_and_mul.h"

#include "opgen/activations.h"
#include "opgen/gated.h"

namespace generated::cpu {

template <class T>
opgen::Status silu_and_mul(const SiluAndMulView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t d = op.desc.d;
  opgen::gated<opgen::Silu<Acc>, Acc>(op.ctx, opgen::GatedRows::halves(op.desc.batch, d), op.x.data,
                                      op.x.data + d, op.y.data);
  return opgen::Status::ok;
}

template <class T>
opgen::Status silu_and_mul_bwd(const SiluAndMulBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t d = op.desc.d;
  opgen::gated_bwd<opgen::Silu<Acc>, Acc>(op.ctx, opgen::GatedRows::halves(op.desc.batch, d),
                                          op.dy.data, op.x.data, op.x.data + d, op.dx.data,
                                          op.dx.data + d);
  return opgen::Status::ok;
}

template <class T>
opgen::Status swiglu(const SwigluView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  opgen::gated<opgen::Silu<Acc>, Acc>(op.ctx, opgen::GatedRows::pairs(op.y.numel()), op.gate.data,
                                      op.up.data, op.y.data);
  return opgen::Status::ok;
}

template <class T>
opgen::Status swiglu_bwd(const SwigluBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  opgen::gated_bwd<opgen::Silu<Acc>, Acc>(op.ctx, opgen::GatedRows::pairs(op.dy.numel()),
                                          op.dy.data, op.gate.data, op.up.data, op.dgate.data,
                                          op.dup.data);
  return opgen::Status::ok;
}

}  // namespace generated::cpu
