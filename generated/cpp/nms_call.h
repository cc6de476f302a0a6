// The checked calls of the nms family: dtypes, sizes and results from the arguments.
// Rendered by opgen from nms.toml.
#pragma once

#include "opgen/call.h"
#include "nms.h"

namespace generated {

/// A call of `nms`, checked: sizes, results, workspace, descriptor.
struct NmsCall {
  static constexpr const char* op = "nms";

  opgen::Argument boxes_;   // f32: n 4
  opgen::Argument scores_;  // f32: n
  double iou_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit NmsCall(const opgen::Buffer& boxes_in, const opgen::Buffer& scores_in, double iou_in)
      : boxes_(op, "boxes", "n 4", boxes_in), scores_(op, "scores", "n", scores_in), iou_(iou_in) {
    opgen::at_least(op, "iou", iou_, 0.0);
    opgen::at_most(op, "iou", iou_, 1.0);

    boxes_.dtype_is(opgen::ElementType::F32, "");
    scores_.dtype_is(opgen::ElementType::F32, "");

    boxes_.rank_is(2);
    n_ = boxes_.size(0);
    scores_.rank_is(1);

    boxes_.shape_is(opgen::Shape() << n_ << opgen::Int(4));
    scores_.shape_is(opgen::Shape() << n_, ", n of boxes");
  }

  opgen::TensorSpec keep_() const {
    return {opgen::ElementType::I64, opgen::Shape() << n_};
  }

  opgen::TensorSpec count_() const {
    return {opgen::ElementType::I64, opgen::Shape()};
  }

  opgen::TensorSpec sorted_() const {
    return {opgen::ElementType::F32, opgen::Shape() << opgen::Int(5) << n_};
  }

  opgen::TensorSpec dropped_() const {
    return {opgen::ElementType::I32, opgen::Shape() << n_};
  }

  NmsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<NmsDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.iou, "iou", iou_);
    return desc;
  }
};

}  // namespace generated
