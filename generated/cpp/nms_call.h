// What the arguments of a call say about everything else.
// Rendered by opgen from nms.toml.
#pragma once

#include "opgen/call.h"
#include "nms.h"

namespace generated {

/// A call of `nms`, checked: sizes, results, workspace, descriptor.
struct NmsCall {
  static constexpr const char* op = "nms";

  opgen::Argument boxes;   // f32: n 4
  opgen::Argument scores;  // f32: n
  double iou;
  opgen::Int n;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit NmsCall(const opgen::Buffer& boxes_, const opgen::Buffer& scores_, double iou_)
      : boxes(op, "boxes", "n 4", boxes_), scores(op, "scores", "n", scores_), iou(iou_) {
    opgen::at_least(op, "iou", iou, 0.0);
    opgen::at_most(op, "iou", iou, 1.0);

    boxes.dtype_is(opgen::ElementType::F32, "");
    scores.dtype_is(opgen::ElementType::F32, "");

    boxes.rank_is(2);
    n = boxes.size(0);
    scores.rank_is(1);

    boxes.shape_is(opgen::Shape() << n << opgen::Int(4));
    scores.shape_is(opgen::Shape() << n, ", n of boxes");
  }

  opgen::TensorSpec keep() const {
    return {opgen::ElementType::I64, opgen::Shape() << n};
  }

  opgen::TensorSpec count() const {
    return {opgen::ElementType::I64, opgen::Shape()};
  }

  opgen::TensorSpec mask() const {
    return {opgen::ElementType::U64, opgen::Shape() << n << opgen::ceildiv(n, 64)};
  }

  NmsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<NmsDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.iou, "iou", iou);
    return desc;
  }
};

}  // namespace generated
