// Attention over packed sequences on the CPU.
//
// The kernel never has all scores in memory. It goes through blocks of keys, and keeps a maximum
// and a sum for each column. Dao et al., FlashAttention, 2022; Milakov and Gimelshein, Online
// Normalizer Calculation for Softmax, 2018.
#include "varlen_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "varlen_attention/chunks.h"
#include "varlen_attention/few_queries.h"

namespace generated::cpu {
namespace {

/// Computes the attention. Factors of scores are packed as `Score`, and shares and values as
/// `Share`.
template <class Score, class Share, class T>
opgen::Status attend(const VarlenAttentionView<T>& op) noexcept {
  using Of = Attention<VarlenAttentionView<T>>;
  using Acc = typename Of::Acc;
  using Vector = typename Of::Vector;
  constexpr int64_t width = opgen::lanes<Acc>, keys = at_a_time<Acc>, most_columns = keys;
  constexpr int64_t pitch = generated::cpu::pitch<Acc>;
  const auto* const table = op.block_table.present() ? &op.block_table : nullptr;
  const Of all{op, table, op.desc.nb, op.desc.bs};
  if (const auto bad = all.check(); bad != opgen::Status::ok) return bad;
  const int64_t d = op.desc.d, e = op.desc.e, g = op.desc.g;
  const bool drops = op.desc.dropout > 0;

  const auto parts = [&all, g](int64_t sequence) {
    return (all.queries(sequence) * g + most_columns - 1) / most_columns;
  };
  const int64_t columns =
      std::min(most_columns, 1 + op.desc.tq * g / std::max<int64_t>(1, op.desc.b));
  each_part(op.ctx, op.desc.b, op.desc.hk, all.of_a_thread(columns), parts,
            [&, d, e, drops](int64_t sequence, int64_t head, int64_t part) {
    alignas(64) Acc rows[keys * most_head], panels[most_head * pitch];
    alignas(64) Acc scores[keys * pitch], sums[most_head * pitch];
    alignas(64) Acc factors[keys * pitch];
    alignas(64) Acc most[most_columns], total[most_columns];
    const Chunk<VarlenAttentionView<T>> chunk(all, sequence, head, part * most_columns);
    if (chunk.columns <= FewQueries<VarlenAttentionView<T>>::most) {
      return FewQueries<VarlenAttentionView<T>>(op, chunk).attend(factors);
    }
    chunk.template lay<Score>(op.q.data, d, rows, panels);
    std::fill(most, most + most_columns, std::numeric_limits<Acc>::lowest());
    std::fill(total, total + most_columns, Acc{0});
    std::fill(sums, sums + e * pitch, Acc{0});
    for (int64_t key = chunk.seen.begin; key < chunk.seen.end; key += keys) {
      const int64_t count = std::min(keys, chunk.seen.end - key);
      all.template lay_keys<Score>(op.k.data, d, sequence, head, key, count, rows);
      chunk.template score<Score>(key, count, d, rows, panels, scores);
      if (drops) chunk.keep(key, count, factors);
      for (int64_t c = 0; c < chunk.padded; c += width) {
        const opgen::Lanes<Acc, true> v{c};
        const auto seen = chunk.seen_by(c, key, count);
        const Vector before = v.load(most);
        const Scores score(chunk, c, key, count);
        const auto raise = [&](int64_t j, Vector& most_so_far) {
          Acc* const at = scores + j * pitch;
          const Vector value = score(j, v.load(at));
          most_so_far = value > most_so_far ? value : most_so_far;
          v.store(at, value);
        };
        // Two maxima at a time, to hide latency.
        Vector peak = before, second = before, added = {};
        int64_t row = seen.begin;
        for (; row + 2 <= seen.end; row += 2) {
          raise(row, peak);
          raise(row + 1, second);
        }
        if (row < seen.end) raise(row, peak);
        peak = second > peak ? second : peak;
        const Vector shrunk = opgen::exp_of_small<Acc>(before - peak);
        for (int64_t j = seen.begin; j < seen.end; ++j) {
          Acc* const at = scores + j * pitch;
          Vector share = opgen::exp_as_factor<Acc>(v.load(at) - peak);
          added += share;
          if (drops) share *= v.load(factors + j * pitch);
          v.store(at, chunk.template packed<Share>(share));
        }
        v.store(most, peak);
        v.store(total, v.load(total) * shrunk + added);
        if (std::memcmp(&before, &peak, sizeof peak) == 0) continue;  // the factor is 1
        for (int64_t i = 0; i < e; ++i) {
          Acc* const at = sums + i * pitch;
          v.store(at, v.load(at) * shrunk);
        }
      }
      const auto values =
          all.template lay_turned<Share>(op.v.data, e, sequence, head, key, count, rows);
      chunk.add_up(key, count, e, values, scores, sums);
    }
    for (int64_t c = 0; c < chunk.padded; c += width) {
      const opgen::Lanes<Acc, true> v{c};
      const Vector whole = v.load(total), by = whole == 0 ? Vector{} + 1 : whole;
      for (int64_t i = 0; i < e; ++i) {
        Acc* const at = sums + i * pitch;
        v.store(at, v.load(at) / by);
      }
    }
    chunk.store(sums, e, rows, op.out.data);
    if (!op.lse.present()) return;
    for (int64_t c = 0; c < chunk.columns; ++c) {  // infinite if no key is seen, for shares of 0
      const Acc whole = total[c] == 0 ? std::numeric_limits<Acc>::infinity() : std::log(total[c]);
      op.lse.data[chunk.head(c) * op.desc.tq + chunk.token(c)] = most[c] + whole;
    }
  });
  return opgen::Status::ok;
}

}  // namespace

template <class T>
opgen::Status varlen_attention(const VarlenAttentionView<T>& op) noexcept {
  if constexpr (opgen::has_pairs && std::is_same_v<T, opgen::bf16>) {
    if (opgen::amx_is_there()) return attend<opgen::Pair, opgen::Split>(op);
  }
  using Acc = opgen::accum_t<T>;
  return attend<Acc, Acc>(op);
}

}  // namespace generated::cpu
