// Products of groups of rows with a matrix for each group, and their gradient, on the CPU.
//
// The tiles of all groups are divided equally among the threads, for any sizes of the groups.
#include "grouped_gemm.h"

#include <algorithm>
#include <cstdint>

#include "opgen/matmul.h"

namespace generated::cpu {

/// Calls `multiply(group, tile)` for all tiles of all groups. `tiles(group)` returns a group's
/// tiles.
template <class Groups, class Multiply>
void each_tile(const opgen::Context& ctx, int64_t groups, int64_t grain, const Groups& tiles,
               const Multiply& multiply) noexcept {
  int64_t count = 0;
  for (int64_t group = 0; group < groups; ++group) count += tiles(group).count();
  opgen::parallel(ctx, count, grain, [=](int64_t begin, int64_t end) {
    int64_t before = 0;
    for (int64_t group = 0; before < end; ++group) {
      const auto divided = tiles(group);
      const int64_t last = std::min(end - before, divided.count());
      for (int64_t i = std::max<int64_t>(0, begin - before); i < last; ++i) {
        multiply(group, divided[i]);
      }
      before += divided.count();
    }
  });
}

/// Checks that `offsets` ascend from 0 to m.
template <class View>
opgen::Status check_groups(const View& op) noexcept {
  const int64_t groups = op.desc.g, rows = op.desc.m;
  const int32_t* offsets = op.offsets.data;  // groups+1
  for (int64_t group = 0; group <= groups; ++group) {
    const int64_t least = group == groups ? rows : group == 0 ? 0 : offsets[group - 1];
    const int64_t most = group == 0 ? 0 : rows;
    if (offsets[group] >= least && offsets[group] <= most) continue;
    return op.ctx.bad_index("offsets", op.offsets, group, offsets[group], least, most + 1);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status grouped_gemm(const GroupedGemmView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Tiles = opgen::Tiles<Acc>;
  if (const auto bad = check_groups(op); bad != opgen::Status::ok) return bad;
  if (op.c.numel() == 0) return opgen::Status::ok;
  const int64_t n = op.desc.n, k = op.desc.k;
  const int32_t* offsets = op.offsets.data;                            // g+1
  const opgen::Matrix<T> a{op.a.data, k, 1};                           // m k
  const opgen::Matrix<T> b = op.desc.trans_b                           //
                                 ? opgen::Matrix<T>{op.b.data, 1, k}   // g n k
                                 : opgen::Matrix<T>{op.b.data, n, 1};  // g k n
  T* c = op.c.data;                                                    // m n
  const auto tiles = [=](int64_t group) { return Tiles(offsets[group + 1] - offsets[group], n); };
  const int64_t grain = Tiles(op.desc.m / op.desc.g, n).of_a_thread(k);
  each_tile(op.ctx, op.desc.g, grain, tiles, [=](int64_t group, auto tile) {
    const int64_t row = offsets[group] + tile.row;
    const opgen::Matrix<T> left{a.at(row, 0), a.row, a.column};
    const opgen::Matrix<T> right{b.at(0, tile.column) + group * k * n, b.row, b.column};
    opgen::multiply_tile<Acc>(tile.rows, tile.columns, k, opgen::rows_of<Acc>(left, tile.rows),
                              opgen::columns_of<Acc>(right, tile.rows),
                              [to = c + row * n + tile.column, n](int64_t i, auto v, auto values) {
      v.store(to + i * n, values);
    });
  });
  return opgen::Status::ok;
}

/// For the rows of each group, db = a^T dc, or db = dc^T a if `b` is transposed.
template <class T>
opgen::Status grouped_gemm_wgrad(const GroupedGemmWgradView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  using Tiles = opgen::Tiles<Acc>;
  if (const auto bad = check_groups(op); bad != opgen::Status::ok) return bad;
  if (op.db.numel() == 0) return opgen::Status::ok;
  const bool turned = op.desc.trans_b;
  const int64_t rows = turned ? op.desc.n : op.desc.k, columns = turned ? op.desc.k : op.desc.n;
  const int32_t* offsets = op.offsets.data;          // g+1
  const T* left = turned ? op.dc.data : op.a.data;   // m rows
  const T* right = turned ? op.a.data : op.dc.data;  // m columns
  T* db = op.db.data;                                // g rows columns
  const Tiles tiles(rows, columns);
  const int64_t grain = tiles.of_a_thread(op.desc.m / op.desc.g);
  each_tile(op.ctx, op.desc.g, grain, [=](int64_t) { return tiles; },
            [=](int64_t group, auto tile) {
    const int64_t first = offsets[group];
    const opgen::Matrix<T> a{left + first * rows + tile.row, 1, rows};
    const opgen::Matrix<T> b{right + first * columns + tile.column, columns, 1};
    opgen::multiply_tile<Acc>(
        tile.rows, tile.columns, offsets[group + 1] - first, opgen::rows_of<Acc>(a, tile.rows),
        opgen::columns_of<Acc>(b, tile.rows),
        [to = db + (group * rows + tile.row) * columns + tile.column, columns](
            int64_t i, auto v, auto values) { v.store(to + i * columns, values); });
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
