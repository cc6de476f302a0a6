// Non-maximum suppression on the CPU.
//
// Boxes are processed by descending score, 64 at a time. One thread finds which of these 64 boxes
// are kept. All threads then find the later boxes that the kept boxes suppress. So the work grows
// with the number of kept boxes, and not with the number of all pairs.
#include "nms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "opgen/rows.h"

namespace generated {
namespace cpu {

/// The corners and areas of boxes by descending score, and whether each is suppressed: 0 or -1.
struct SortedBoxes {
  const float *x1, *y1, *x2, *y2, *area;
  int32_t* dropped;

  /// Returns a mask of the boxes that overlap box `i` by more than `iou` of the union of both
  /// boxes.
  template <class Lanes>
  auto overlap(Lanes v, int64_t i, float iou) const noexcept {
    using Vector = opgen::Vector<float>;
    const auto side = [=](const float* low, const float* high) {
      const Vector from = v.load(low), to = v.load(high), all = {};
      const Vector least = all + low[i], most = all + high[i];
      const Vector shared = (to < most ? to : most) - (from > least ? from : least);
      return shared > 0 ? shared : all;
    };
    const Vector shared = side(x1, x2) * side(y1, y2);
    return shared > iou * (v.load(area) + area[i] - shared);
  }

  /// Drops each box of [begin, end) that overlaps one of the `count` boxes in `kept`.
  void drop(int64_t begin, int64_t end, const int64_t* kept, int64_t count,
            float iou) const noexcept {
    opgen::each_vector<float>(begin, end, opgen::Streamed{}, [&](auto v) {
      opgen::Vector<int32_t, opgen::lanes<float>> found = {};
      for (int64_t k = 0; k < count; ++k) found |= overlap(v, kept[k], iou);
      for (int64_t lane = 0; lane < v.count; ++lane) dropped[v.at + lane] |= found[lane];
    });
  }
};

}  // namespace cpu

extern "C" opgen::Status nms(const NmsArgs* args) noexcept {
  constexpr int64_t block = 64;
  const int64_t n = args->desc->n;
  const float iou = static_cast<float>(args->desc->iou);
  const auto* scores = static_cast<const float*>(args->scores.data);  // n
  const auto* corners = static_cast<const float*>(args->boxes.data);  // n 4
  auto* order = static_cast<int64_t*>(args->keep.data);               // n
  auto* sorted = static_cast<float*>(args->sorted.data);              // 5 n
  auto* dropped = static_cast<int32_t*>(args->dropped.data);          // n
  std::iota(order, order + n, int64_t{0});
  std::sort(order, order + n, [=](int64_t a, int64_t b) {
    if (scores[a] > scores[b] || scores[b] > scores[a]) return scores[a] > scores[b];
    const bool first = std::isnan(scores[a]), other = std::isnan(scores[b]);
    return first == other ? a < b : first;  // a NaN comes before all numbers, as in torchvision
  });
  for (int64_t i = 0; i < n; ++i) {
    const float* box = corners + 4 * order[i];
    for (int64_t side = 0; side < 4; ++side) sorted[side * n + i] = box[side];
    sorted[4 * n + i] = (box[2] - box[0]) * (box[3] - box[1]);
    dropped[i] = 0;
  }
  const cpu::SortedBoxes boxes = {sorted,         sorted + n,     sorted + 2 * n,
                                  sorted + 3 * n, sorted + 4 * n, dropped};

  int64_t count = 0;
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t end = std::min(n, begin + block);
    int64_t kept[block], here = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (dropped[i]) continue;
      kept[here++] = i;
      boxes.drop(i + 1, end, &i, 1, iou);
    }
    opgen::parallel(*args->ctx, n - end, 1 + opgen::elements_of_a_thread / block,
                    [&boxes, &kept, here, end, iou](int64_t first, int64_t last) {
      boxes.drop(end + first, end + last, kept, here, iou);
    });
    for (int64_t k = 0; k < here; ++k) order[count++] = order[kept[k]];  // count <= kept[k]
  }
  std::fill(order + count, order + n, int64_t{-1});
  *static_cast<int64_t*>(args->count.data) = count;
  return opgen::Status::ok;
}

}  // namespace generated
