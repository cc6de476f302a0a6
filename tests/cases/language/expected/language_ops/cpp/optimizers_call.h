// What the arguments of a call say about everything else.
// Rendered by opgen from optimizers.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "optimizers.h"

namespace language_ops {

/// A call of `momentum_`, checked: sizes, results, workspace, descriptor.
struct Momentum_Call {
  static constexpr const char* op = "momentum_";

  opgen::ArgumentList params;   // T: *s[i]
  opgen::ArgumentList grads;    // T: *s[i]
  opgen::ArgumentList momenta;  // T: *s[i]
  opgen::Argument lr;           // f32: scalar
  double momentum;
  opgen::ElementType T;
  opgen::Int n;
  std::vector<opgen::Sizes> s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Momentum_Call(const opgen::BufferList& params_, const opgen::BufferList& grads_,
                         const opgen::BufferList& momenta_, const opgen::Buffer& lr_,
                         double momentum_)
      : params(op, "params", "*s[i]", params_), grads(op, "grads", "*s[i]", grads_),
        momenta(op, "momenta", "*s[i]", momenta_), lr(op, "lr", "", lr_), momentum(momentum_) {
    opgen::at_least(op, "momentum", momentum, 0.0);

    T = params.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    grads.dtype_is(T, ", the dtype of params");
    momenta.dtype_is(T, ", the dtype of params");
    lr.dtype_is(opgen::ElementType::F32, "");

    n = params.count;
    for (int64_t i = 0; i < params.count; ++i) s.push_back(params[i].take(0, 0));
    lr.rank_is(0);

    grads.count_is(n, ", n of params");
    momenta.count_is(n, ", n of params");
    for (int64_t i = 0; i < grads.count; ++i) {
      grads[i].shape_is(opgen::Shape() << s[i], ", s of params");
    }
    for (int64_t i = 0; i < momenta.count; ++i) {
      momenta[i].shape_is(opgen::Shape() << s[i], ", s of params");
    }
  }

  Momentum_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Momentum_Descriptor>();
    fill(desc.momentum, "momentum", momentum);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
