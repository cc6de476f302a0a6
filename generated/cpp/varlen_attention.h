// The common declarations for kernels and adapters of the varlen_attention family.
// Rendered by opgen from varlen_attention.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `varlen_attention`: 208 bytes, padding is zero.
struct VarlenAttentionDescriptor {
  int64_t tq;           // tq
  int64_t hk;           // hk
  int64_t g;            // g
  int64_t d;            // d
  int64_t nb;           // nb
  int64_t bs;           // bs
  int64_t tk;           // tk
  int64_t e;            // e
  int64_t b;            // b
  int64_t mb;           // mb
  int64_t max_q;        // max_q
  int64_t max_k;        // max_k
  double scale;         // scale
  int64_t causal;       // causal
  int64_t window[8];    // window
  int64_t window_rank;  // len(window)
  double dropout;       // dropout
  int64_t T;            // T
  int64_t Acc;          // Acc
};
static_assert(sizeof(VarlenAttentionDescriptor) == 208);
static_assert(offsetof(VarlenAttentionDescriptor, tq) == 0);
static_assert(offsetof(VarlenAttentionDescriptor, hk) == 8);
static_assert(offsetof(VarlenAttentionDescriptor, g) == 16);
static_assert(offsetof(VarlenAttentionDescriptor, d) == 24);
static_assert(offsetof(VarlenAttentionDescriptor, nb) == 32);
static_assert(offsetof(VarlenAttentionDescriptor, bs) == 40);
static_assert(offsetof(VarlenAttentionDescriptor, tk) == 48);
static_assert(offsetof(VarlenAttentionDescriptor, e) == 56);
static_assert(offsetof(VarlenAttentionDescriptor, b) == 64);
static_assert(offsetof(VarlenAttentionDescriptor, mb) == 72);
static_assert(offsetof(VarlenAttentionDescriptor, max_q) == 80);
static_assert(offsetof(VarlenAttentionDescriptor, max_k) == 88);
static_assert(offsetof(VarlenAttentionDescriptor, scale) == 96);
static_assert(offsetof(VarlenAttentionDescriptor, causal) == 104);
static_assert(offsetof(VarlenAttentionDescriptor, window) == 112);
static_assert(offsetof(VarlenAttentionDescriptor, window_rank) == 176);
static_assert(offsetof(VarlenAttentionDescriptor, dropout) == 184);
static_assert(offsetof(VarlenAttentionDescriptor, T) == 192);
static_assert(offsetof(VarlenAttentionDescriptor, Acc) == 200);

/// The arguments of a kernel of `varlen_attention`: outputs, residuals, workspace, inputs.
struct VarlenAttentionArgs {
  const VarlenAttentionDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer out;          // T: tq hk*g e
  opgen::Buffer lse;          // Acc: hk*g tq
  opgen::Buffer q;            // T: tq hk*g d
  opgen::Buffer k;            // T: nb bs hk d or tk hk d
  opgen::Buffer v;            // T: nb bs hk e or tk hk e
  opgen::Buffer cu_q;         // i32: b+1
  opgen::Buffer cu_k;         // i32: b+1
  opgen::Buffer block_table;  // i32: b mb
  opgen::Buffer alibi;        // f32: hk*g or b hk*g
  opgen::Buffer seed;         // i64: scalar
  opgen::Buffer offset;       // i64: scalar
};

/// `VarlenAttentionArgs` with types, as a kernel of `varlen_attention` takes it.
template <class T>
struct VarlenAttentionView {
  using Acc = opgen::accum_t<T>;

  const VarlenAttentionDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> out;                      // tq hk*g e
  opgen::Tensor<Acc> lse;                    // hk*g tq
  opgen::Tensor<const T> q;                  // tq hk*g d
  opgen::Tensor<const T> k;                  // nb bs hk d or tk hk d
  opgen::Tensor<const T> v;                  // nb bs hk e or tk hk e
  opgen::Tensor<const int32_t> cu_q;         // b+1
  opgen::Tensor<const int32_t> cu_k;         // b+1
  opgen::Tensor<const int32_t> block_table;  // b mb
  opgen::Tensor<const float> alibi;          // hk*g or b hk*g
  opgen::Tensor<const int64_t> seed;         // scalar
  opgen::Tensor<const int64_t> offset;       // scalar

  explicit VarlenAttentionView(const VarlenAttentionArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), out(args.out), lse(args.lse), q(args.q), k(args.k),
        v(args.v), cu_q(args.cu_q), cu_k(args.cu_k), block_table(args.block_table),
        alibi(args.alibi), seed(args.seed), offset(args.offset) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_varlen_attention_cpu(
    const VarlenAttentionArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_varlen_attention_cuda(
    const VarlenAttentionArgs*) noexcept;

/// The facts of a call for a kernel of `varlen_attention_bwd`: 184 bytes, padding is zero.
struct VarlenAttentionBwdDescriptor {
  int64_t tq;           // tq
  int64_t hk;           // hk
  int64_t g;            // g
  int64_t e;            // e
  int64_t d;            // d
  int64_t tk;           // tk
  int64_t b;            // b
  int64_t max_q;        // max_q
  int64_t max_k;        // max_k
  double scale;         // scale
  int64_t causal;       // causal
  int64_t window[8];    // window
  int64_t window_rank;  // len(window)
  double dropout;       // dropout
  int64_t T;            // T
  int64_t Acc;          // Acc
};
static_assert(sizeof(VarlenAttentionBwdDescriptor) == 184);
static_assert(offsetof(VarlenAttentionBwdDescriptor, tq) == 0);
static_assert(offsetof(VarlenAttentionBwdDescriptor, hk) == 8);
static_assert(offsetof(VarlenAttentionBwdDescriptor, g) == 16);
static_assert(offsetof(VarlenAttentionBwdDescriptor, e) == 24);
static_assert(offsetof(VarlenAttentionBwdDescriptor, d) == 32);
static_assert(offsetof(VarlenAttentionBwdDescriptor, tk) == 40);
static_assert(offsetof(VarlenAttentionBwdDescriptor, b) == 48);
static_assert(offsetof(VarlenAttentionBwdDescriptor, max_q) == 56);
static_assert(offsetof(VarlenAttentionBwdDescriptor, max_k) == 64);
static_assert(offsetof(VarlenAttentionBwdDescriptor, scale) == 72);
static_assert(offsetof(VarlenAttentionBwdDescriptor, causal) == 80);
static_assert(offsetof(VarlenAttentionBwdDescriptor, window) == 88);
static_assert(offsetof(VarlenAttentionBwdDescriptor, window_rank) == 152);
static_assert(offsetof(VarlenAttentionBwdDescriptor, dropout) == 160);
static_assert(offsetof(VarlenAttentionBwdDescriptor, T) == 168);
static_assert(offsetof(VarlenAttentionBwdDescriptor, Acc) == 176);

/// The arguments of a kernel of `varlen_attention_bwd`: outputs, residuals, workspace, inputs.
struct VarlenAttentionBwdArgs {
  const VarlenAttentionBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dq;      // T: tq hk*g d
  opgen::Buffer dk;      // T: tk hk d
  opgen::Buffer dv;      // T: tk hk e
  opgen::Buffer sums;    // f32: tk hk d+e
  opgen::Buffer dout;    // T: tq hk*g e
  opgen::Buffer q;       // T: tq hk*g d
  opgen::Buffer k;       // T: tk hk d
  opgen::Buffer v;       // T: tk hk e
  opgen::Buffer out;     // T: tq hk*g e
  opgen::Buffer lse;     // Acc: hk*g tq
  opgen::Buffer cu_q;    // i32: b+1
  opgen::Buffer cu_k;    // i32: b+1
  opgen::Buffer alibi;   // f32: hk*g or b hk*g
  opgen::Buffer seed;    // i64: scalar
  opgen::Buffer offset;  // i64: scalar
};

/// `VarlenAttentionBwdArgs` with types, as a kernel of `varlen_attention_bwd` takes it.
template <class T>
struct VarlenAttentionBwdView {
  using Acc = opgen::accum_t<T>;

  const VarlenAttentionBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dq;                  // tq hk*g d
  opgen::Tensor<T> dk;                  // tk hk d
  opgen::Tensor<T> dv;                  // tk hk e
  opgen::Tensor<float> sums;            // tk hk d+e
  opgen::Tensor<const T> dout;          // tq hk*g e
  opgen::Tensor<const T> q;             // tq hk*g d
  opgen::Tensor<const T> k;             // tk hk d
  opgen::Tensor<const T> v;             // tk hk e
  opgen::Tensor<const T> out;           // tq hk*g e
  opgen::Tensor<const Acc> lse;         // hk*g tq
  opgen::Tensor<const int32_t> cu_q;    // b+1
  opgen::Tensor<const int32_t> cu_k;    // b+1
  opgen::Tensor<const float> alibi;     // hk*g or b hk*g
  opgen::Tensor<const int64_t> seed;    // scalar
  opgen::Tensor<const int64_t> offset;  // scalar

  explicit VarlenAttentionBwdView(const VarlenAttentionBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dq(args.dq), dk(args.dk), dv(args.dv), sums(args.sums),
        dout(args.dout), q(args.q), k(args.k), v(args.v), out(args.out), lse(args.lse),
        cu_q(args.cu_q), cu_k(args.cu_k), alibi(args.alibi), seed(args.seed), offset(args.offset) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_varlen_attention_bwd_cpu(
    const VarlenAttentionBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_varlen_attention_bwd_cuda(
    const VarlenAttentionBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT int64_t generated_varlen_attention_bwd_cuda_workspace(
    const VarlenAttentionBwdDescriptor* desc, opgen::DeviceProperties device) noexcept;

}  // namespace generated
