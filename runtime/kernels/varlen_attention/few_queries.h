// Attention of few queries on the CPU, as in a decode step. It computes row by row, because matrix
// products would be mostly padding. Keys and values are read once, in place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "opgen/vector.h"
#include "varlen_attention/chunks.h"

namespace generated::cpu {

/// A chunk of at most `most` columns, and its keys and values.
template <class View>
class FewQueries {
  using Acc = typename Attention<View>::Acc;
  using Vector = typename Attention<View>::Vector;
  using T = typename Attention<View>::T;
  static constexpr int64_t width = opgen::lanes<Acc>, keys = at_a_time<Acc>;

 public:
  static constexpr int64_t most = 12;

  FewQueries(const View& op, const Chunk<View>& chunk) noexcept : op_(op), chunk_(chunk) {
    for (int64_t c = 0; c < chunk.columns; ++c) {
      const T* const row = op.q.data + chunk.row_of(c, op.desc.d);
      for (int64_t i = 0; i < op.desc.d; ++i) query_[c][i] = static_cast<Acc>(row[i]);
      std::fill_n(sum_[c], op.desc.e, Acc{0});
      most_[c] = std::numeric_limits<Acc>::lowest();
    }
  }

  /// Computes the attention. `factors` is scratch memory for dropout's factors of a block of keys.
  void attend(Acc* factors) noexcept {
    const auto& desc = op_.desc;
    for (int64_t key = chunk_.seen.begin; key < chunk_.seen.end; key += keys) {
      const int64_t count = std::min(keys, chunk_.seen.end - key);
      chunk_.all.each_run(op_.k.data, desc.d, chunk_.sequence, chunk_.key_head, key, count,
                          [&](int64_t first, int64_t run, const T* row, int64_t step) {
        for (int64_t j = 0; j < run; ++j) {
          for (int64_t c = 0; c < chunk_.columns; ++c) {
            score_[c][first + j] = product(query_[c], row + j * step);
          }
        }
      });
      if (desc.dropout > 0) chunk_.keep(key, count, factors);
      for (int64_t c = 0; c < chunk_.columns; ++c) {
        const auto seen = seen_by(c, key, count);
        if (seen.begin < seen.end) share(c, key, seen, factors);
      }
      chunk_.all.each_run(op_.v.data, desc.e, chunk_.sequence, chunk_.key_head, key, count,
                          [&](int64_t first, int64_t run, const T* row, int64_t step) {
        for (int64_t c = 0; c < chunk_.columns; ++c) {
          const auto seen = seen_by(c, key, count);
          const int64_t begin = std::max(first, seen.begin), end = std::min(first + run, seen.end);
          if (begin < end) add(c, begin, end, row - first * step, step);
        }
      });
    }
    for (int64_t c = 0; c < chunk_.columns; ++c) store(c);
  }

 private:
  struct Range {
    int64_t begin, end;
  };

  /// The keys of [key, key + count) that a column sees, relative to `key`.
  Range seen_by(int64_t c, int64_t key, int64_t count) const noexcept {
    return {std::clamp(chunk_.low[c] - key, int64_t{0}, count),
            std::clamp(chunk_.high[c] - key, int64_t{0}, count)};
  }

  Acc product(const Acc* query, const T* row) const noexcept {
    return opgen::sum<Acc>(op_.desc.d, [=](auto v) { return v.load(query) * v.load(row); });
  }

  /// Converts the products of a column to shares, and updates the column's sum block by block.
  void share(int64_t c, int64_t key, Range seen, const Acc* factors) noexcept {
    Acc* const score = score_[c];
    const Acc scale = static_cast<Acc>(op_.desc.scale), slope = chunk_.slope[c];
    const Acc place = static_cast<Acc>(chunk_.place[c] - key);
    Acc peak = most_[c];
    for (int64_t j = seen.begin; j < seen.end; ++j) {
      score[j] *= scale;
      if (op_.alibi.present()) score[j] -= slope * std::abs(place - static_cast<Acc>(j));
      if (score[j] > peak) peak = score[j];
    }
    const Acc before = most_[c];
    opgen::each_vector<Acc>(seen.begin, seen.end, opgen::Streamed{}, [=](auto v) {
      v.store(score, opgen::exp_as_factor<Acc>(v.load(score) - peak));
    });
    const Acc* const first = score + seen.begin;
    const Acc added = opgen::sum<Acc>(seen.end - seen.begin, [=](auto v) { return v.load(first); });
    for (int64_t j = seen.begin; op_.desc.dropout > 0 && j < seen.end; ++j) {
      score[j] *= factors[j * Chunk<View>::pitch + c];
    }
    most_[c] = peak;
    if (peak == before) {
      total_[c] += added;
      return;
    }
    const Acc shrunk = opgen::exp_of_small<Acc>(Vector{} + (before - peak))[0];
    total_[c] = total_[c] * shrunk + added;
    opgen::each_vector<Acc>(0, op_.desc.e, opgen::Streamed{}, [sum = sum_[c], shrunk](auto v) {
      v.store(sum, v.load(sum) * shrunk);
    });
  }

  /// Adds the values of the keys [begin, end), each multiplied by the key's share.
  void add(int64_t c, int64_t begin, int64_t end, const T* row, int64_t step) noexcept {
    int64_t at = 0;
    for (; at + 4 * width <= op_.desc.e; at += 4 * width)
      add_to<4, true>(c, at, width, begin, end, row, step);
    for (; at < op_.desc.e; at += width) {
      const int64_t left = op_.desc.e - at;
      if (left >= width) {
        add_to<1, true>(c, at, width, begin, end, row, step);
      } else {
        add_to<1, false>(c, at, left, begin, end, row, step);
      }
    }
  }

  template <int vectors, bool whole>
  __attribute__((flatten)) void add_to(int64_t c, int64_t at, int64_t count, int64_t begin,
                                       int64_t end, const T* row, int64_t step) noexcept {
    const auto lanes = [=](int i) { return opgen::Lanes<Acc, whole>{at + i * width, count}; };
    Vector sum[vectors];
    for (int i = 0; i < vectors; ++i) sum[i] = lanes(i).load(sum_[c]);
    for (int64_t j = begin; j < end; ++j) {
      const Vector by = Vector{} + score_[c][j];
      for (int i = 0; i < vectors; ++i) {
        sum[i] = opgen::multiply_add<Acc>(by, lanes(i).load(row + j * step), sum[i]);
      }
    }
    for (int i = 0; i < vectors; ++i) lanes(i).store(sum_[c], sum[i]);
  }

  void store(int64_t c) const noexcept {
    const Acc total = total_[c], by = total == 0 ? Acc{1} : total;
    opgen::each_vector<Acc>(0, op_.desc.e, opgen::Streamed{},
                            [sum = sum_[c], by, to = op_.out.data + chunk_.row_of(c, op_.desc.e)](
                                auto v) { v.store(to, v.load(sum) / by); });
    if (!op_.lse.present()) return;
    const Acc rest = total == 0 ? std::numeric_limits<Acc>::infinity() : std::log(total);
    op_.lse.data[chunk_.head(c) * op_.desc.tq + chunk_.token(c)] = most_[c] + rest;
  }

  const View& op_;
  const Chunk<View>& chunk_;
  alignas(64) Acc query_[most][most_head], sum_[most][most_head], score_[most][keys];
  Acc most_[most], total_[most] = {};
};

}  // namespace generated::cpu
