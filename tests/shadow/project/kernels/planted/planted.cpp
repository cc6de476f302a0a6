// Kernels that are wrong on request: `fault` selects the error.
#include "planted.h"

#include <cmath>

namespace shadowed::cpu {
namespace {

enum Fault : int64_t {
  none = 0,
  wrong = 1,      // the last element is off by a tenth
  nan = 2,        // the last element is NaN
  beyond = 3,     // one element too many is written
  before = 4,     // one element before the first is written
  stale = 5,      // the last element is not written
  input = 6,      // the input is changed
  workspace = 7,  // one element too many of the workspace is written
};

template <class T>
void plant(int64_t fault, T* y, int64_t count) {
  if (fault == wrong) y[count - 1] = static_cast<T>(static_cast<float>(y[count - 1]) * 1.1f + 0.1f);
  if (fault == nan) y[count - 1] = static_cast<T>(std::nanf(""));
  if (fault == beyond) y[count] = static_cast<T>(1.0f);
  if (fault == before) y[-1] = static_cast<T>(1.0f);
}

}  // namespace

template <class T>
opgen::Status planted(const PlantedView<T>& op) noexcept {
  const int64_t fault = op.desc.fault, n = op.x.size(op.x.rank - 1), count = op.x.numel();
  for (int64_t i = 0; i < n; ++i) op.sums.data[i] = 0.0f;
  if (fault == workspace) op.sums.data[n] = 0.0f;
  for (int64_t i = 0; i < count - (fault == stale); ++i) {
    const float x = static_cast<float>(op.x.data[i]);
    op.y.data[i] = static_cast<T>(x * x * x);
  }
  plant(fault, op.y.data, count);
  if (fault == input) const_cast<T*>(op.x.data)[0] = static_cast<T>(7.0f);
  return opgen::Status::ok;
}

template <class T>
opgen::Status planted_bwd(const PlantedBwdView<T>& op) noexcept {
  const int64_t count = op.x.numel();
  for (int64_t i = 0; i < count; ++i) {
    const float x = static_cast<float>(op.x.data[i]), dy = static_cast<float>(op.dy.data[i]);
    op.dx.data[i] = static_cast<T>(3.0f * x * x * dy);
  }
  plant(op.desc.fault, op.dx.data, count);
  return opgen::Status::ok;
}

template <class T>
opgen::Status planted_(const Planted_View<T>& op) noexcept {
  const float step = op.desc.fault == wrong ? 2.0f : 1.0f;
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    op.x.data[i] = static_cast<T>(static_cast<float>(op.x.data[i]) + step);
  }
  return opgen::Status::ok;
}

}  // namespace shadowed::cpu
