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
#include <optional>
#include <type_traits>

#include "varlen_attention/chunks.h"
#include "varlen_attention/few_queries.h"

namespace generated::cpu {
namespace {

/// A chunk of queries, and its sums over the keys that were read. Factors of scores are packed as
/// `Score`, and shares and values as `Share`.
template <class Score, class Share, class View>
class ChunkSums {
  using Of = Attention<View>;
  using Acc = typename Of::Acc;
  using Vector = typename Of::Vector;
  static constexpr int64_t width = opgen::lanes<Acc>, most_columns = at_a_time<Acc>;
  static constexpr int64_t pitch = generated::cpu::pitch<Acc>;

 public:
  const Chunk<View> chunk;

  /// `queries` has room for d rows of columns, `sums` for e rows, and `rows` for most_columns by d.
  ChunkSums(const View& op, const Chunk<View>& its_chunk, Acc* queries, Acc* sums,
            Acc* rows) noexcept
      : chunk(its_chunk), op_(op), queries_(queries), sums_(sums) {
    chunk.template lay<Score>(op.q.data, op.desc.d, rows, queries);
    std::fill(most_, most_ + most_columns, std::numeric_limits<Acc>::lowest());
    std::fill(total_, total_ + most_columns, Acc{0});
    std::fill(sums, sums + op.desc.e * pitch, Acc{0});
  }

  /// Adds the values of the keys [key, key + count). `scores` and `factors` are scratch memory.
  void add(int64_t key, int64_t count, const Acc* key_rows, opgen::Matrix<Share> values,
           Acc* scores, Acc* factors) noexcept {
    if (key >= chunk.seen.end || key + count <= chunk.seen.begin) return;
    const bool drops = op_.desc.dropout > 0;
    chunk.template score<Score>(key, count, op_.desc.d, key_rows, queries_, scores);
    if (drops) chunk.keep(key, count, factors);
    for (int64_t c = 0; c < chunk.padded; c += width) {
      const opgen::Lanes<Acc, true> v{c};
      const auto seen = chunk.seen_by(c, key, count);
      const Scores score(chunk, c, key, count);
      const auto raise = [&](int64_t j, Vector& most) {
        Acc* const at = scores + j * pitch;
        const Vector value = score(j, v.load(at));
        most = value > most ? value : most;
        v.store(at, value);
      };
      // Two maxima at a time, to hide latency.
      const Vector before = v.load(most_);
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
      v.store(most_, peak);
      v.store(total_, v.load(total_) * shrunk + added);
      if (std::memcmp(&before, &peak, sizeof peak) == 0) continue;  // the factor is 1
      for (int64_t i = 0; i < op_.desc.e; ++i) {
        Acc* const at = sums_ + i * pitch;
        v.store(at, v.load(at) * shrunk);
      }
    }
    chunk.add_up(key, count, op_.desc.e, values, scores, sums_);
  }

  /// Writes the results. `rows` is scratch memory for most_columns by e numbers.
  void store(Acc* rows) noexcept {
    for (int64_t c = 0; c < chunk.padded; c += width) {
      const opgen::Lanes<Acc, true> v{c};
      const Vector whole = v.load(total_), by = whole == 0 ? Vector{} + 1 : whole;
      for (int64_t i = 0; i < op_.desc.e; ++i) {
        Acc* const at = sums_ + i * pitch;
        v.store(at, v.load(at) / by);
      }
    }
    chunk.store(sums_, op_.desc.e, rows, op_.out.data);
    if (!op_.lse.present()) return;
    for (int64_t c = 0; c < chunk.columns; ++c) {  // infinite if no key is seen, for shares of 0
      const Acc whole = total_[c] == 0 ? std::numeric_limits<Acc>::infinity() : std::log(total_[c]);
      op_.lse.data[chunk.head(c) * op_.desc.tq + chunk.token(c)] = most_[c] + whole;
    }
  }

 private:
  const View& op_;
  Acc *queries_, *sums_;
  alignas(64) Acc most_[most_columns], total_[most_columns];
};

template <class Score, class Share, class T>
opgen::Status attend(const VarlenAttentionView<T>& op) noexcept {
  using View = VarlenAttentionView<T>;
  using Acc = typename Attention<View>::Acc;
  constexpr int64_t keys = at_a_time<Acc>, most_columns = keys, pitch = generated::cpu::pitch<Acc>;
  constexpr int64_t most_together = 4;
  const auto* const table = op.block_table.present() ? &op.block_table : nullptr;
  const Attention<View> all{op, table, op.desc.nb, op.desc.bs};
  if (const auto bad = all.check(); bad != opgen::Status::ok) return bad;
  const int64_t d = op.desc.d, e = op.desc.e, g = op.desc.g;

  const auto chunks = [&all, g](int64_t sequence) {
    return (all.queries(sequence) * g + most_columns - 1) / most_columns;
  };
  // Keys and values are packed once for several chunks, if there are enough chunks for all threads.
  // Blocks of keys start at multiples of `keys`, so this number does not change the bits.
  int64_t count_chunks = 0;
  for (int64_t b = 0; b < op.desc.b; ++b) count_chunks += chunks(b) * op.desc.hk;
  const int64_t fitting = std::min(most_together, most_head / std::max({d, e, int64_t{1}}));
  const int64_t together = std::clamp(count_chunks / (4 * op.ctx.threads), int64_t{1}, fitting);
  const auto parts = [&chunks, together](int64_t sequence) {
    return (chunks(sequence) + together - 1) / together;
  };
  const int64_t columns =
      std::min(most_columns, 1 + op.desc.tq * g / std::max<int64_t>(1, op.desc.b));
  each_part(op.ctx, op.desc.b, op.desc.hk, all.of_a_thread(columns * together), parts,
            [&, d, e, together](int64_t sequence, int64_t head, int64_t part) {
    alignas(64) Acc key_rows[keys * most_head], value_rows[keys * most_head];
    alignas(64) Acc queries[most_head * pitch], sums[most_head * pitch];
    alignas(64) Acc scores[keys * pitch], factors[keys * pitch];
    std::optional<ChunkSums<Score, Share, View>> sums_of_chunks[most_together];
    int64_t count_sums = 0, begin = std::numeric_limits<int64_t>::max(), end = 0;
    const int64_t past = std::min(chunks(sequence), (part + 1) * together);
    for (int64_t i = part * together; i < past; ++i) {
      const Chunk<View> chunk(all, sequence, head, i * most_columns);
      if (chunk.columns <= FewQueries<View>::most) {
        FewQueries<View>(op, chunk).attend(factors);
        continue;
      }
      sums_of_chunks[count_sums].emplace(op, chunk, queries + count_sums * d * pitch,
                                         sums + count_sums * e * pitch, key_rows);
      begin = std::min(begin, chunk.seen.begin / keys * keys);
      end = std::max(end, chunk.seen.end);
      ++count_sums;
    }
    for (int64_t key = begin; key < end; key += keys) {
      const int64_t count = std::min(keys, end - key);
      all.template lay_keys<Score>(op.k.data, d, sequence, head, key, count, key_rows);
      const auto values =
          all.template lay_turned<Share>(op.v.data, e, sequence, head, key, count, value_rows);
      for (int64_t i = 0; i < count_sums; ++i) {
        sums_of_chunks[i]->add(key, count, key_rows, values, scores, factors);
      }
    }
    for (int64_t i = 0; i < count_sums; ++i) sums_of_chunks[i]->store(key_rows);
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
