// The gradient of attention over packed sequences, on the CPU.
#include "varlen_attention.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "varlen_attention/chunks.h"

namespace generated::cpu {
namespace {

/// With p = exp(score - lse), dropout's factors z, and s = sum(dout out) for each column:
///   dv = (p z)^T dout, dp = dout v^T, dscore = p (dp z - s), dq = scale dscore k,
///   dk = scale dscore^T q.
/// One thread computes all keys of a sequence for one head. The factors of scores and of dp are
/// packed as `Score`, and those of the other products as `Share`.
template <class Score, class Share, class T>
opgen::Status pull(const VarlenAttentionBwdView<T>& op) noexcept {
  using Of = Attention<VarlenAttentionBwdView<T>>;
  using Acc = typename Of::Acc;
  using Vector = typename Of::Vector;
  constexpr int64_t width = opgen::lanes<Acc>, across = opgen::Blocks<Acc>::columns,
                    keys = at_a_time<Acc>, most_columns = keys;
  constexpr int64_t pitch = generated::cpu::pitch<Acc>;
  const Of all{op};
  if (const auto bad = all.check(); bad != opgen::Status::ok) return bad;
  const int64_t d = op.desc.d, e = op.desc.e, hk = op.desc.hk, tk = op.desc.tk;
  const Acc scale = static_cast<Acc>(op.desc.scale);
  const bool drops = op.desc.dropout > 0;
  // Sums over the queries. They are in the results, or in the workspace if the results have too few
  // bits.
  Acc *dk, *dv;
  if constexpr (std::is_same_v<T, Acc>) {
    dk = op.dk.data;
    dv = op.dv.data;
  } else {
    dk = static_cast<Acc*>(op.sums.data);
    dv = dk + tk * hk * d;
  }

  const auto one = [](int64_t) { return int64_t{1}; };
  const int64_t grain = all.of_a_thread(op.desc.tq / op.desc.b * op.desc.g);
  each_part(op.ctx, op.desc.b, hk, grain, one,
            [&, d, e, hk, tk, dk, dv, drops](int64_t sequence, int64_t head, int64_t) {
    alignas(64) Acc k_rows[keys * most_head], v_rows[keys * most_head];
    alignas(64) Acc q_rows[most_columns * most_head], q_panels[most_head * pitch];
    alignas(64) Acc g_rows[most_columns * most_head], g_panels[most_head * pitch];
    alignas(64) Acc shares[keys * pitch], dshares[keys * pitch];
    alignas(64) Acc factors[keys * pitch], sums[most_head * pitch];
    alignas(64) Acc lse[most_columns], delta[most_columns] = {};
    const int64_t first_key = op.cu_k.data[sequence], count_keys = all.keys(sequence);
    const auto row = [=](int64_t key, int64_t size) {
      return ((first_key + key) * hk + head) * size;
    };
    // In the workspace, the sums of a head are contiguous.
    const auto sum = [=](int64_t key, int64_t size) {
      if constexpr (std::is_same_v<T, Acc>) return row(key, size);
      return (head * tk + first_key + key) * size;
    };
    for (int64_t key = 0; key < count_keys; ++key) {
      std::fill_n(dk + sum(key, d), d, Acc{0});
      std::fill_n(dv + sum(key, e), e, Acc{0});
    }
    for (int64_t first = 0; first < all.queries(sequence) * op.desc.g; first += most_columns) {
      const Chunk<VarlenAttentionBwdView<T>> chunk(all, sequence, head, first);
      chunk.template lay<Score>(op.out.data, e, q_rows, q_panels);
      chunk.template lay<Score>(op.dout.data, e, g_rows, g_panels);
      for (int64_t c = 0; c < most_columns; ++c) {
        lse[c] = std::numeric_limits<Acc>::infinity();
        if (c < chunk.columns) lse[c] = op.lse.data[chunk.head(c) * op.desc.tq + chunk.token(c)];
      }
      chunk.template dot<Score>(e, q_rows, q_panels, g_panels, delta);
      chunk.template lay<Score>(op.q.data, d, q_rows, q_panels);
      const auto q = chunk.template lay_right<Share>(op.q.data, d, q_rows);
      const auto dout = chunk.template lay_right<Share>(op.dout.data, e, g_rows);
      std::fill(sums, sums + d * pitch, Acc{0});
      for (int64_t key = chunk.seen.begin; key < chunk.seen.end; key += keys) {
        const int64_t count = std::min(keys, chunk.seen.end - key);
        all.template lay_keys<Score>(op.k.data, d, sequence, head, key, count, k_rows);
        all.template lay_keys<Score>(op.v.data, e, sequence, head, key, count, v_rows);
        chunk.template score<Score>(key, count, d, k_rows, q_panels, shares);
        chunk.template score<Score>(key, count, e, v_rows, g_panels, dshares);
        if (drops) chunk.keep(key, count, factors);
        for (int64_t c = 0; c < chunk.padded; c += width) {
          const opgen::Lanes<Acc, true> v{c};
          const auto seen = chunk.seen_by(c, key, count);
          const Scores score(chunk, c, key, count);
          const Vector of_column = v.load(lse), from = v.load(delta);
          const auto clear = [&](int64_t j) {
            v.store(shares + j * pitch, Vector{});
            v.store(dshares + j * pitch, Vector{});
          };
          for (int64_t j = 0; j < seen.begin; ++j) clear(j);
          for (int64_t j = seen.end; j < count; ++j) clear(j);
          for (int64_t j = seen.begin; j < seen.end; ++j) {
            Acc* const share = shares + j * pitch;
            Acc* const dshare = dshares + j * pitch;
            const Vector value = score(j, v.load(share)), under = value - of_column;
            // A share is at most 1, even if `lse` was rounded down.
            const Vector p = opgen::exp_as_factor<Acc>(under > 0 ? Vector{} : under);
            Vector dp = v.load(dshare), pz = p;
            if (drops) {
              const Vector z = v.load(factors + j * pitch);
              pz *= z;
              dp = z == 0 ? Vector{} : dp * z;
            }
            const auto unseen = value == -std::numeric_limits<Acc>::infinity();
            const Vector ds = unseen ? Vector{} : p * (dp - from) * scale;
            v.store(share, chunk.template packed<Share>(pz));
            v.store(dshare, chunk.template packed<Share>(ds));
          }
        }
        const auto add = [&](const Acc* left, opgen::Matrix<Share> right, int64_t size, Acc* to) {
          alignas(64) Acc part[keys * across];
          for (int64_t first = 0; first < size; first += across) {
            const int64_t columns = std::min(across, size - first);
            opgen::multiply_panel<Acc>(count, chunk.columns, chunk.template as<Share>(left, pitch),
                                       opgen::Matrix<Share>{right.at(0, first), right.row, 1}, part,
                                       across, false);
            for (int64_t j = 0; j < count; ++j) {
              Acc* const at = to + sum(key + j, size) + first;
              opgen::each_vector<Acc>(0, columns, opgen::Streamed{},
                                      [at, from = part + j * across](auto v) {
                v.store(at, v.load(at) + v.load(from));
              });
            }
          }
        };
        add(shares, dout, e, dv);
        add(dshares, q, d, dk);
        const auto turned =
            all.template lay_turned<Share>(op.k.data, d, sequence, head, key, count, k_rows);
        chunk.add_up(key, count, d, turned, dshares, sums);
      }
      chunk.store(sums, d, q_rows, op.dq.data);
    }
    if constexpr (!std::is_same_v<T, Acc>) {
      for (int64_t key = 0; key < count_keys; ++key) {
        opgen::each_vector<Acc>(0, d, opgen::Streamed{},
                                [to = op.dk.data + row(key, d), from = dk + sum(key, d)](auto v) {
          v.store(to, v.load(from));
        });
        opgen::each_vector<Acc>(0, e, opgen::Streamed{},
                                [to = op.dv.data + row(key, e), from = dv + sum(key, e)](auto v) {
          v.store(to, v.load(from));
        });
      }
    }
  });
  return opgen::Status::ok;
}

}  // namespace

template <class T>
opgen::Status varlen_attention_bwd(const VarlenAttentionBwdView<T>& op) noexcept {
  if constexpr (opgen::has_pairs && std::is_same_v<T, opgen::bf16>) {
    if (opgen::amx_is_there()) return pull<opgen::Pair, opgen::Split>(op);
  }
  using Acc = opgen::accum_t<T>;
  return pull<Acc, Acc>(op);
}

}  // namespace generated::cpu
