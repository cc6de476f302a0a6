// What the arguments of a call say about everything else.
// Rendered by opgen from adamw.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "adamw.h"

namespace generated {

/// A call of `adamw_`, checked: sizes, results, workspace, descriptor.
struct Adamw_Call {
  static constexpr const char* op = "adamw_";

  opgen::ArgumentList params;           // T: *s[i]
  opgen::ArgumentList grads;            // G: *s[i]
  opgen::ArgumentList exp_avgs;         // M: *s[i]
  opgen::ArgumentList exp_avg_sqs;      // M: *s[i]
  opgen::Argument step;                 // f32: scalar
  opgen::Argument lr;                   // Acc: scalar
  opgen::ArgumentList max_exp_avg_sqs;  // M: *s[i]
  double beta1;
  double beta2;
  double eps;
  double weight_decay;
  bool amsgrad;
  bool maximize;
  opgen::ElementType T;
  opgen::ElementType G;
  opgen::ElementType M;
  opgen::ElementType Acc;               // accum(T)
  opgen::Int n;
  std::vector<opgen::Sizes> s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Adamw_Call(const opgen::BufferList& params_, const opgen::BufferList& grads_,
                      const opgen::BufferList& exp_avgs_, const opgen::BufferList& exp_avg_sqs_,
                      const opgen::Buffer& step_, const opgen::Buffer& lr_,
                      const opgen::BufferList& max_exp_avg_sqs_, double beta1_, double beta2_,
                      double eps_, double weight_decay_, bool amsgrad_, bool maximize_)
      : params(op, "params", "*s[i]", params_), grads(op, "grads", "*s[i]", grads_),
        exp_avgs(op, "exp_avgs", "*s[i]", exp_avgs_),
        exp_avg_sqs(op, "exp_avg_sqs", "*s[i]", exp_avg_sqs_), step(op, "step", "", step_),
        lr(op, "lr", "", lr_), max_exp_avg_sqs(op, "max_exp_avg_sqs", "*s[i]", max_exp_avg_sqs_),
        beta1(beta1_), beta2(beta2_), eps(eps_), weight_decay(weight_decay_), amsgrad(amsgrad_),
        maximize(maximize_) {
    opgen::at_least(op, "beta1", beta1, 0.0);
    opgen::at_most(op, "beta1", beta1, 1.0);
    opgen::at_least(op, "beta2", beta2, 0.0);
    opgen::at_most(op, "beta2", beta2, 1.0);
    opgen::at_least(op, "eps", eps, 0.0);
    opgen::at_least(op, "weight_decay", weight_decay, 0.0);

    max_exp_avg_sqs.present_when(amsgrad, "amsgrad");

    T = params.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    G = grads.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                    opgen::ElementType::F16, opgen::ElementType::F64));
    M = exp_avgs.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F64));
    exp_avg_sqs.dtype_is(M, ", the dtype of exp_avgs");
    step.dtype_is(opgen::ElementType::F32, "");
    if (max_exp_avg_sqs.present()) max_exp_avg_sqs.dtype_is(M, ", the dtype of exp_avgs");
    Acc = opgen::accum(T);
    lr.dtype_is(Acc, ", accum(params.dtype)");

    n = params.count;
    for (int64_t i = 0; i < params.count; ++i) s.push_back(params[i].take(0, 0));
    step.rank_is(0);
    lr.rank_is(0);

    grads.count_is(n, ", n of params");
    exp_avgs.count_is(n, ", n of params");
    exp_avg_sqs.count_is(n, ", n of params");
    if (max_exp_avg_sqs.present()) max_exp_avg_sqs.count_is(n, ", n of params");
    for (int64_t i = 0; i < grads.count; ++i) {
      grads[i].shape_is(opgen::Shape() << s[i], ", s of params");
    }
    for (int64_t i = 0; i < exp_avgs.count; ++i) {
      exp_avgs[i].shape_is(opgen::Shape() << s[i], ", s of params");
    }
    for (int64_t i = 0; i < exp_avg_sqs.count; ++i) {
      exp_avg_sqs[i].shape_is(opgen::Shape() << s[i], ", s of params");
    }
    if (max_exp_avg_sqs.present()) {
      for (int64_t i = 0; i < max_exp_avg_sqs.count; ++i) {
        max_exp_avg_sqs[i].shape_is(opgen::Shape() << s[i], ", s of params");
      }
    }

    opgen::require(G == T || G == opgen::ElementType::F32, op, "G == T or G == f32", "G", G, "T",
                   T);
    opgen::require(M == opgen::ElementType::F32 || M == T, op, "M == f32 or M == T", "M", M, "T",
                   T);
  }

  Adamw_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Adamw_Descriptor>();
    fill(desc.beta1, "beta1", beta1);
    fill(desc.beta2, "beta2", beta2);
    fill(desc.eps, "eps", eps);
    fill(desc.weight_decay, "weight_decay", weight_decay);
    fill(desc.amsgrad, "amsgrad", amsgrad);
    fill(desc.maximize, "maximize", maximize);
    fill(desc.T, "T", T);
    fill(desc.G, "G", G);
    fill(desc.M, "M", M);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

}  // namespace generated
