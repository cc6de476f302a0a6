// Lookups of rows of a table by index, and the gradient of the table, on CUDA.
//
// Rows are copied 16 bytes at a time if possible. The gradient is summed row by row, in the order
// of the indices and without atomics (opgen/cuda_scatter.h). So the same input gives the same bits.
// The host cannot check indices without waiting. So an index out of range gives zeros in a lookup,
// and is ignored in the gradient.
#include "embedding.h"

#include "opgen/cuda_rows.h"
#include "opgen/cuda_scatter.h"

namespace generated::cuda {

using opgen::cuda::Integers;

/// Copies rows of `units` units. The table has `rows` rows, from row `*first` on if `first` is not
/// null. Rows that it does not have, and row `padding`, give zeros. `padding` may be -1.
template <class I, class Unit>
__global__ void copy_rows(int64_t entries, int64_t rows, int64_t units, int64_t padding,
                          const int64_t* first,  // scalar, or null
                          const I* indices,      // entries
                          const Unit* table,     // rows units
                          Unit* y) {             // entries units
  opgen::cuda::each_row(entries, [&](int64_t entry) {
    if (entry >= entries) return;
    const int64_t row = indices[entry] - (first == nullptr ? 0 : *first);
    const bool present = row != padding && 0 <= row && row < rows;
    opgen::cuda::each_pack<0>(units, [&](int, int64_t at) {
      y[entry * units + at] = present ? table[row * units + at] : Unit{};
    });
  });
}

/// Copies the rows of `table` (rows d) that the indices of `op` name to `y` (*s d). Row `padding`
/// gives zeros. If `first` is not null, the table starts at row `*first`, and rows that it does not
/// have give zeros.
template <class View>
opgen::Status rows_at(const View& op, const opgen::Buffer& table, int64_t rows, int64_t padding,
                      const opgen::Buffer& y, const int64_t* first = nullptr) noexcept {
  using I = std::remove_cv_t<std::remove_pointer_t<decltype(op.indices.data)>>;
  const int64_t entries = op.desc.s, size = op.desc.d * opgen::size_of(y.dtype);
  const auto places = reinterpret_cast<uintptr_t>(table.data) |
                      reinterpret_cast<uintptr_t>(y.data) | static_cast<uintptr_t>(size);
  const auto start = [&](auto unit) {
    using Unit = decltype(unit);
    const int64_t units = size / static_cast<int64_t>(sizeof(Unit));
    const opgen::cuda::Path<1, 4> path(units, opgen::cuda::narrow_block);
    return opgen::cuda::launch(op.ctx, copy_rows<I, Unit>, path.cut_grid(entries, units),
                               path.block, entries, rows, units, padding, first, op.indices.data,
                               static_cast<const Unit*>(table.data), static_cast<Unit*>(y.data));
  };
  if (places % 16 == 0) return start(opgen::cuda::Pack<uint8_t>{});
  if (places % 4 == 0) return start(uint32_t{});
  return start(uint16_t{});
}

template <class I>
opgen::Status embedding(const EmbeddingView<I>& op) noexcept {
  return rows_at(op, op.weight, op.desc.rows, -1, op.y);
}

template <class I>
opgen::Status embedding_bwd_bwd(const EmbeddingBwdBwdView<I>& op) noexcept {
  return rows_at(op, op.ddweight, op.desc.rows, op.desc.padding, op.ddy);
}

template <class I>
opgen::Status embedding_rows(const EmbeddingRowsView<I>& op) noexcept {
  return rows_at(op, op.weight, op.desc.n, -1, op.y, op.first.data);
}

/// Entry n adds the n-th row of dy.
template <class T>
struct EmbeddingEntry {
  int64_t d;
  const T* dy;  // entries d

  __device__ opgen::cuda::Term<T> operator()(int64_t n) const { return {dy + n * d, 1}; }
};

/// Sums the entries for `rows` rows of the table, from `*first` on if `first` is not null.
template <class T, class View>
opgen::Status sum_rows(const View& op, int64_t rows, const int64_t* first = nullptr) noexcept {
  const EmbeddingEntry<T> entry{op.desc.d, op.dy.data};
  return opgen::cuda::scatter_rows(op.ctx, op.desc.s, rows, op.desc.d, Integers(op.indices), entry,
                                   op.dy.data, op.dweight.data, op.desc.padding, first);
}

template <class T>
opgen::Status embedding_bwd(const EmbeddingBwdCudaView<T>& op) noexcept {
  return sum_rows<T>(op, op.desc.rows);
}

template <class T>
opgen::Status embedding_bwd_rows(const EmbeddingBwdRowsCudaView<T>& op) noexcept {
  return sum_rows<T>(op, op.desc.n, op.first.data);
}

}  // namespace generated::cuda
