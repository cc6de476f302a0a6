#include "seeded.h"

namespace boundary::cpu {

namespace {

int64_t factor(int64_t seed, const int64_t* stream) {
  return 1 + (seed + (stream ? *stream : 0)) % 1000;
}

}  // namespace

template <class T>
opgen::Status seeded(const SeededView<T>& op) noexcept {
  const T by = T(factor(op.seed.data[0], op.stream.data));
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.y.data[i] = op.x.data[i] * by + (op.shift.data ? op.shift.data[0] : T(0));
  }
  op.used.data[0] = op.seed.data[0];
  return opgen::Status::ok;
}

template <class T>
opgen::Status seeded_bwd(const SeededBwdView<T>& op) noexcept {
  const T by = T(factor(op.seed.data[0], op.stream.data));
  for (int64_t i = 0; i < op.dy.numel(); ++i) op.dx.data[i] = op.dy.data[i] * by;
  return opgen::Status::ok;
}

template <class T>
opgen::Status thinned(const ThinnedView<T>& op) noexcept {
  const bool kept = !op.seed.present() || *op.seed.data % 2 == 0;
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = kept ? op.x.data[i] : T(0);
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
