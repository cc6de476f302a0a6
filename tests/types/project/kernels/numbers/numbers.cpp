#include "numbers.h"

namespace number_types::cpu {

template <class R>
opgen::Status turned(const TurnedView<R>& op) noexcept {
  const std::complex<double> alpha = op.desc.alpha, beta = op.desc.beta;
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const std::complex<double> y = alpha * static_cast<double>(op.x.data[i]) + beta;
    op.a.data[i] = static_cast<R>(y.real());
    op.b.data[i] = static_cast<R>(y.imag());
  }
  return opgen::Status::ok;
}

template <class R>
opgen::Status turned_bwd(const TurnedBwdView<R>& op) noexcept {
  for (int64_t i = 0; i < op.dx.numel(); ++i) {
    const std::complex<double> dy(op.da.data[i], op.db.data[i]);
    op.dx.data[i] = static_cast<R>((std::conj(op.desc.alpha) * dy).real());
  }
  return opgen::Status::ok;
}

}  // namespace number_types::cpu

namespace number_types {

extern "C" opgen::Status told(const ToldArgs* args) noexcept {
  auto* y = static_cast<double*>(args->y.data);
  y[0] = args->desc->given;
  y[1] = args->desc->gamma.real();
  y[2] = args->desc->gamma.imag();
  return opgen::Status::ok;
}

}  // namespace number_types
