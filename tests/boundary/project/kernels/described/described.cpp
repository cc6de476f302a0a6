#include "described.h"

namespace boundary::cpu {

/// `y` is an untyped buffer, since an attr of the call gives its dtype.
template <class T>
opgen::Status described(const DescribedView<T>& op) noexcept {
  const auto& desc = op.desc;
  for (int64_t i = 0; i < desc.m; ++i) {
    for (int64_t j = 0; j < desc.n; ++j) {
      const T value = op.x.data[i * desc.x_stride_m + j * desc.x_stride_n];
      const int64_t at = i * desc.n + j;
      if (op.y.dtype == opgen::ElementType::F32) {
        static_cast<float*>(op.y.data)[at] = static_cast<float>(value);
      } else {
        static_cast<double*>(op.y.data)[at] = static_cast<double>(value);
      }
    }
  }
  const double fields[] = {
      double(desc.x_stride_m),    double(desc.x_stride_n), double(desc.rows_stride_m),
      double(desc.rows_stride_k), double(desc.b_stride_m), double(desc.b_stride_n),
      double(desc.turned),        double(desc.count),      desc.scale,
      double(desc.exact),         double(desc.out_dtype)};
  for (int i = 0; i < 11; ++i) op.seen.data[i] = fields[i];
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
