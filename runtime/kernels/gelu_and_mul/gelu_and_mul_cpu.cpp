// gelu(a) * b and its gradient on the CPU. a and b are the halves of each row of x, or two tensors.
//
// Hendrycks and Gimpel, Gaussian Error Linear Units, 2016; Shazeer, GLU Variants Improve
// Transformer, 2020: GEGLU without its matrix products.
#include "gelu_and_mul.h"

#include "opgen/activations.h"
#include "opgen/gated.h"

namespace generated::cpu {

namespace {

/// y = gelu(a) * b. `approximate` selects the formula of gelu.
template <class T, class View>
opgen::Status product(const View& op, const opgen::GatedRows& rows, const T* a,
                      const T* b) noexcept {
  using Acc = opgen::accum_t<T>;
  if (op.desc.approximate == 0) {
    opgen::gated<opgen::GeluOf<T>, Acc>(op.ctx, rows, a, b, op.y.data);
  } else {
    opgen::gated<opgen::GeluTanh<Acc>, Acc>(op.ctx, rows, a, b, op.y.data);
  }
  return opgen::Status::ok;
}

/// The gradients da and db.
template <class T, class View>
opgen::Status gradients(const View& op, const opgen::GatedRows& rows, const T* a, const T* b, T* da,
                        T* db) noexcept {
  using Acc = opgen::accum_t<T>;
  if (op.desc.approximate == 0) {
    opgen::gated_bwd<opgen::GeluOf<T>, Acc>(op.ctx, rows, op.dy.data, a, b, da, db);
  } else {
    opgen::gated_bwd<opgen::GeluTanh<Acc>, Acc>(op.ctx, rows, op.dy.data, a, b, da, db);
  }
  return opgen::Status::ok;
}

}  // namespace

template <class T>
opgen::Status gelu_and_mul(const GeluAndMulView<T>& op) noexcept {
  const auto rows = opgen::GatedRows::halves(op.desc.batch, op.desc.d);
  return product(op, rows, op.x.data, op.x.data + op.desc.d);
}

template <class T>
opgen::Status gelu_and_mul_bwd(const GeluAndMulBwdView<T>& op) noexcept {
  const int64_t d = op.desc.d;
  return gradients(op, opgen::GatedRows::halves(op.desc.batch, d), op.x.data, op.x.data + d,
                   op.dx.data, op.dx.data + d);
}

template <class T>
opgen::Status geglu(const GegluView<T>& op) noexcept {
  return product(op, opgen::GatedRows::pairs(op.y.numel()), op.gate.data, op.up.data);
}

template <class T>
opgen::Status geglu_bwd(const GegluBwdView<T>& op) noexcept {
  return gradients(op, opgen::GatedRows::pairs(op.dy.numel()), op.gate.data, op.up.data,
                   op.dgate.data, op.dup.data);
}

}  // namespace generated::cpu
