// What the arguments of a call say about everything else.
// Rendered by opgen from in_place.toml.
#pragma once

#include <vector>

#include "opgen/call.h"
#include "in_place.h"

namespace language_ops {

/// A call of `average_`, checked: sizes, results, workspace, descriptor.
struct Average_Call {
  static constexpr const char* op = "average_";

  opgen::ArgumentList averages;  // T: *s[i]
  opgen::ArgumentList values;    // T: *s[i]
  double rate;
  opgen::ElementType T;
  opgen::Int n;
  std::vector<opgen::Sizes> s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit Average_Call(const opgen::BufferList& averages_, const opgen::BufferList& values_,
                        double rate_)
      : averages(op, "averages", "*s[i]", averages_), values(op, "values", "*s[i]", values_),
        rate(rate_) {
    opgen::at_least(op, "rate", rate, 0.0);
    opgen::at_most(op, "rate", rate, 1.0);

    T = averages.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::F64));
    values.dtype_is(T, ", the dtype of averages");

    n = averages.count;
    for (int64_t i = 0; i < averages.count; ++i) s.push_back(averages[i].take(0, 0));

    values.count_is(n, ", n of averages");
    for (int64_t i = 0; i < values.count; ++i) {
      values[i].shape_is(opgen::Shape() << s[i], ", s of averages");
    }
  }

  Average_Descriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<Average_Descriptor>();
    fill(desc.rate, "rate", rate);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace language_ops
