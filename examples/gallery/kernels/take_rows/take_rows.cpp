#include "take_rows.h"

#include <algorithm>

namespace gallery_ops::cpu {

template <class T>
opgen::Status take_rows(const TakeRowsView<T>& op) noexcept {
  const int64_t rows = op.desc.rows, d = op.desc.d;
  for (int64_t i = 0; i < op.desc.n; ++i) {
    const int64_t row = op.indices.data[i];
    if (row < 0 || row >= rows) return op.ctx.bad_index("indices", op.indices, i, row, 0, rows);
    std::copy_n(op.table.data + row * d, d, op.y.data + i * d);
  }
  return opgen::Status::ok;
}

}  // namespace gallery_ops::cpu
