// The checked calls of the in_place family: dtypes, sizes and results from the arguments.
// Rendered by opgen from in_place.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "in_place.h"

namespace language_ops {

/// A call of `average_`, checked: sizes, results, workspace, descriptor.
struct Average_Call {
  static constexpr const char* op = "average_";

  opgen::ArgumentList averages_;  // T: *s[i]
  opgen::ArgumentList values_;    // T: *s[i]
  double rate_;
  opgen::ElementType T_;
  opgen::Int n_;
  std::vector<opgen::Sizes> s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Average_Call(const opgen::BufferList& averages_in, const opgen::BufferList& values_in,
                        double rate_in)
      : averages_(op, "averages", "*s[i]", averages_in), values_(op, "values", "*s[i]", values_in),
        rate_(rate_in) {
    opgen::at_least(op, "rate", rate_, 0.0);
    opgen::at_most(op, "rate", rate_, 1.0);

    T_ = averages_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    values_.dtype_is(T_, ", the dtype of averages");

    n_ = averages_.count;
    for (int64_t i = 0; i < averages_.count; ++i) s_.push_back(averages_[i].take(0, 0));

    values_.count_is(n_, ", n of averages");
    for (int64_t i = 0; i < values_.count; ++i) {
      values_[i].shape_is(opgen::Shape() << s_[i], ", s of averages");
    }
  }

  Average_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Average_Descriptor>();
    fill(desc.rate, "rate", rate_);
    fill(desc.T, "T", T_);
    return desc;
  }
};

}  // namespace language_ops
