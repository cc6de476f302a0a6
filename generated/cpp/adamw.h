// The common declarations for kernels and adapters of the adamw family.
// Rendered by opgen from adamw.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `adamw_`: 80 bytes, padding is zero.
struct Adamw_Descriptor {
  double beta1;         // beta1
  double beta2;         // beta2
  double eps;           // eps
  double weight_decay;  // weight_decay
  int64_t amsgrad;      // amsgrad
  int64_t maximize;     // maximize
  int64_t T;            // T
  int64_t G;            // G
  int64_t M;            // M
  int64_t Acc;          // Acc
};
static_assert(sizeof(Adamw_Descriptor) == 80);
static_assert(offsetof(Adamw_Descriptor, beta1) == 0);
static_assert(offsetof(Adamw_Descriptor, beta2) == 8);
static_assert(offsetof(Adamw_Descriptor, eps) == 16);
static_assert(offsetof(Adamw_Descriptor, weight_decay) == 24);
static_assert(offsetof(Adamw_Descriptor, amsgrad) == 32);
static_assert(offsetof(Adamw_Descriptor, maximize) == 40);
static_assert(offsetof(Adamw_Descriptor, T) == 48);
static_assert(offsetof(Adamw_Descriptor, G) == 56);
static_assert(offsetof(Adamw_Descriptor, M) == 64);
static_assert(offsetof(Adamw_Descriptor, Acc) == 72);

/// The arguments of a kernel of `adamw_`: outputs, residuals, workspace, inputs.
struct Adamw_Args {
  const Adamw_Descriptor* desc;
  const opgen::Context* ctx;
  opgen::BufferList params;           // T: *s[i]
  opgen::BufferList grads;            // G: *s[i]
  opgen::BufferList exp_avgs;         // M: *s[i]
  opgen::BufferList exp_avg_sqs;      // M: *s[i]
  opgen::Buffer step;                 // f32: scalar
  opgen::Buffer lr;                   // Acc: scalar
  opgen::BufferList max_exp_avg_sqs;  // M: *s[i]
};

/// `Adamw_Args` with types, as a kernel of `adamw_` takes it.
template <class T, class G, class M>
struct Adamw_View {
  using Acc = opgen::accum_t<T>;

  const Adamw_Descriptor& desc;
  const opgen::Context& ctx;
  opgen::List<T> params;           // *s[i]
  opgen::List<const G> grads;      // *s[i]
  opgen::List<M> exp_avgs;         // *s[i]
  opgen::List<M> exp_avg_sqs;      // *s[i]
  opgen::Tensor<float> step;       // scalar
  opgen::Tensor<const Acc> lr;     // scalar
  opgen::List<M> max_exp_avg_sqs;  // *s[i]

  explicit Adamw_View(const Adamw_Args& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), params(args.params), grads(args.grads),
        exp_avgs(args.exp_avgs), exp_avg_sqs(args.exp_avg_sqs), step(args.step), lr(args.lr),
        max_exp_avg_sqs(args.max_exp_avg_sqs) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_adamw__cpu(const Adamw_Args*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_adamw__cuda(const Adamw_Args*) noexcept;

}  // namespace generated
