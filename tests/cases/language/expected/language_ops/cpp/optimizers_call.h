// The checked calls of the optimizers family: dtypes, sizes and results from the arguments.
// Rendered by opgen from optimizers.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "optimizers.h"

namespace language_ops {

/// A call of `momentum_`, checked: sizes, results, workspace, descriptor.
struct Momentum_Call {
  static constexpr const char* op = "momentum_";

  opgen::ArgumentList params_;   // T: *s[i]
  opgen::ArgumentList grads_;    // T: *s[i]
  opgen::ArgumentList momenta_;  // T: *s[i]
  opgen::Argument lr_;           // f32: scalar
  double momentum_;
  opgen::ElementType T_;
  opgen::Int n_;
  std::vector<opgen::Sizes> s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Momentum_Call(const opgen::BufferList& params_in, const opgen::BufferList& grads_in,
                         const opgen::BufferList& momenta_in, const opgen::Buffer& lr_in,
                         double momentum_in)
      : params_(op, "params", "*s[i]", params_in), grads_(op, "grads", "*s[i]", grads_in),
        momenta_(op, "momenta", "*s[i]", momenta_in), lr_(op, "lr", "", lr_in),
        momentum_(momentum_in) {
    opgen::at_least(op, "momentum", momentum_, 0.0);

    T_ = params_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    grads_.dtype_is(T_, ", the dtype of params");
    momenta_.dtype_is(T_, ", the dtype of params");
    lr_.dtype_is(opgen::ElementType::F32, "");

    n_ = params_.count;
    for (int64_t i = 0; i < params_.count; ++i) s_.push_back(params_[i].take(0, 0));
    lr_.rank_is(0);

    grads_.count_is(n_, ", n of params");
    momenta_.count_is(n_, ", n of params");
    for (int64_t i = 0; i < grads_.count; ++i) {
      grads_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
    }
    for (int64_t i = 0; i < momenta_.count; ++i) {
      momenta_[i].shape_is(opgen::Shape() << s_[i], ", s of params");
    }
  }

  Momentum_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Momentum_Descriptor>();
    fill(desc.momentum, "momentum", momentum_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
