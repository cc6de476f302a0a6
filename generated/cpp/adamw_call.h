// The checked calls of the adamw family: dtypes, sizes and results from the arguments.
// Rendered by opgen from adamw.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "adamw.h"

namespace generated {

/// A call of `adamw_`, checked: sizes, results, workspace, descriptor.
struct Adamw_Call {
  static constexpr const char* op = "adamw_";

  opgen::ArgumentList params_;           // T: *s[i]
  opgen::ArgumentList grads_;            // G: *s[i]
  opgen::ArgumentList exp_avgs_;         // M: *s[i]
  opgen::ArgumentList exp_avg_sqs_;      // M: *s[i]
  opgen::Argument step_;                 // f32: scalar
  opgen::Argument lr_;                   // Acc: scalar
  opgen::ArgumentList max_exp_avg_sqs_;  // M: *s[i]
  double beta1_;                         // Below 1.
  double beta2_;                         // Below 1.
  double eps_;
  double weight_decay_;
  bool amsgrad_;
  bool maximize_;
  opgen::ElementType T_;
  opgen::ElementType G_;
  opgen::ElementType M_;
  opgen::ElementType Acc_;               // accum(T)
  opgen::Int n_;
  std::vector<opgen::Sizes> s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Adamw_Call(const opgen::BufferList& params_in, const opgen::BufferList& grads_in,
                      const opgen::BufferList& exp_avgs_in, const opgen::BufferList& exp_avg_sqs_in,
                      const opgen::Buffer& step_in, const opgen::Buffer& lr_in,
                      const opgen::BufferList& max_exp_avg_sqs_in, double beta1_in, double beta2_in,
                      double eps_in, double weight_decay_in, bool amsgrad_in, bool maximize_in)
      : params_(op, "params", "*s[i]", params_in), grads_(op, "grads", "*s[i]", grads_in),
        exp_avgs_(op, "exp_avgs", "*s[i]", exp_avgs_in),
        exp_avg_sqs_(op, "exp_avg_sqs", "*s[i]", exp_avg_sqs_in), step_(op, "step", "", step_in),
        lr_(op, "lr", "", lr_in),
        max_exp_avg_sqs_(op, "max_exp_avg_sqs", "*s[i]", max_exp_avg_sqs_in), beta1_(beta1_in),
        beta2_(beta2_in), eps_(eps_in), weight_decay_(weight_decay_in), amsgrad_(amsgrad_in),
        maximize_(maximize_in) {
    opgen::at_least(op, "beta1", beta1_, 0.0);
    opgen::at_least(op, "beta2", beta2_, 0.0);
    opgen::at_least(op, "eps", eps_, 0.0);
    opgen::at_least(op, "weight_decay", weight_decay_, 0.0);

    max_exp_avg_sqs_.present_when(amsgrad_, "amsgrad");

    T_ = params_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    G_ = grads_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                      opgen::ElementType::F16, opgen::ElementType::F64));
    M_ = exp_avgs_.dtype_in(
        opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16, opgen::ElementType::F64));
    exp_avg_sqs_.dtype_is(M_, ", the dtype of exp_avgs");
    step_.dtype_is(opgen::ElementType::F32, "");
    if (max_exp_avg_sqs_.present()) max_exp_avg_sqs_.dtype_is(M_, ", the dtype of exp_avgs");
    Acc_ = opgen::accum(T_);
    lr_.dtype_is(Acc_, ", accum(params.dtype)");

    n_ = params_.count;
    for (int64_t i = 0; i < params_.count; ++i) s_.push_back(params_[i].take(0, 0));
    step_.rank_is(0);
    lr_.rank_is(0);

    grads_.count_is(n_, ", n of params");
    exp_avgs_.count_is(n_, ", n of params");
    exp_avg_sqs_.count_is(n_, ", n of params");
    if (max_exp_avg_sqs_.present()) max_exp_avg_sqs_.count_is(n_, ", n of params");
    for (int64_t i = 0; i < grads_.count; ++i) {
      grads_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
    }
    for (int64_t i = 0; i < exp_avgs_.count; ++i) {
      exp_avgs_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
    }
    for (int64_t i = 0; i < exp_avg_sqs_.count; ++i) {
      exp_avg_sqs_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
    }
    if (max_exp_avg_sqs_.present()) {
      for (int64_t i = 0; i < max_exp_avg_sqs_.count; ++i) {
        max_exp_avg_sqs_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
      }
    }

    opgen::require(G_ == T_ || G_ == opgen::ElementType::F32, op, "G == T or G == f32", "G", G_,
                   "T", T_);
    opgen::require(M_ == opgen::ElementType::F32 || M_ == T_ ||
                   (M_ == opgen::ElementType::BF16 && T_ == opgen::ElementType::F32), op,
                   "M == f32 or M == T or M == bf16 and T == f32", "M", M_, "T", T_);
    opgen::require(beta1_ < 1.0, op, "beta1 < 1.0", "beta1", beta1_);
    opgen::require(beta2_ < 1.0, op, "beta2 < 1.0", "beta2", beta2_);
  }

  Adamw_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Adamw_Descriptor>();
    fill(desc.beta1, "beta1", beta1_);
    fill(desc.beta2, "beta2", beta2_);
    fill(desc.eps, "eps", eps_);
    fill(desc.weight_decay, "weight_decay", weight_decay_);
    fill(desc.amsgrad, "amsgrad", amsgrad_);
    fill(desc.maximize, "maximize", maximize_);
    fill(desc.T, "T", T_);
    fill(desc.G, "G", G_);
    fill(desc.M, "M", M_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
