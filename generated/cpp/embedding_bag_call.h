// What the arguments of a call say about everything else.
// Rendered by opgen from embedding_bag.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "embedding_bag.h"

namespace generated {

/// A call of `embedding_bag`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBagCall {
  static constexpr const char* op = "embedding_bag";

  opgen::Argument weight;          // T: rows d
  opgen::Argument indices;         // I: n
  opgen::Argument offsets;         // I: b+1
  opgen::Argument sample_weights;  // T: n
  std::string_view mode;
  int64_t mode_position;           // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Int rows;
  opgen::Int d;
  opgen::Int n;
  opgen::Int b;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBagCall(const opgen::Buffer& weight_, const opgen::Buffer& indices_,
                            const opgen::Buffer& offsets_, const opgen::Buffer& sample_weights_,
                            std::string_view mode_)
      : weight(op, "weight", "rows d", weight_), indices(op, "indices", "n", indices_),
        offsets(op, "offsets", "b+1", offsets_),
        sample_weights(op, "sample_weights", "n", sample_weights_), mode(mode_) {
    mode_position = opgen::choice(op, "mode", mode, "sum", "mean", "max");

    T = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    offsets.dtype_is(I, ", the dtype of indices");
    if (sample_weights.present()) sample_weights.dtype_is(T, ", the dtype of weight");

    weight.rank_is(2);
    rows = weight.size(0);
    d = weight.size(1);
    indices.rank_is(1);
    n = indices.size(0);
    offsets.rank_is(1);
    b = offsets.solve(offsets.size(0), 1, 1, "b + 1", "b");
    if (sample_weights.present()) sample_weights.rank_is(1);

    offsets.shape_is(opgen::Shape() << b + 1);
    if (sample_weights.present()) sample_weights.shape_is(opgen::Shape() << n, ", n of indices");

    opgen::require(mode == "sum" || !sample_weights.present(), op, "sample_weights need mode 'sum'",
                   "mode", mode);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << b << d};
  }

  bool has_argmax() const { return mode == "max"; }

  opgen::TensorSpec argmax() const {
    return {I, opgen::Shape() << b << d};
  }

  EmbeddingBagDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBagDescriptor>();
    fill(desc.rows, "rows", rows);
    fill(desc.d, "d", d);
    fill(desc.n, "n", n);
    fill(desc.b, "b", b);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    return desc;
  }
};

/// A call of `embedding_bag_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBagBwdCall {
  static constexpr const char* op = "embedding_bag_bwd";

  opgen::Argument dy;              // T: b d
  opgen::Argument indices;         // I: n
  opgen::Argument offsets;         // I: b+1
  opgen::Argument sample_weights;  // T: n
  opgen::Argument argmax;          // I: b d
  opgen::Argument weight;          // T: rows d
  opgen::Int rows;
  std::string_view mode;
  int64_t mode_position;           // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Int b;
  opgen::Int d;
  opgen::Int n;
  int64_t wanted;                  // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBagBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& indices_,
                               const opgen::Buffer& offsets_, const opgen::Buffer& sample_weights_,
                               const opgen::Buffer& argmax_, const opgen::Buffer& weight_,
                               opgen::Int rows_, std::string_view mode_, int64_t wanted_ = -1)
      : dy(op, "dy", "b d", dy_), indices(op, "indices", "n", indices_),
        offsets(op, "offsets", "b+1", offsets_),
        sample_weights(op, "sample_weights", "n", sample_weights_),
        argmax(op, "argmax", "b d", argmax_), weight(op, "weight", "rows d", weight_), rows(rows_),
        mode(mode_), wanted(wanted_) {
    mode_position = opgen::choice(op, "mode", mode, "sum", "mean", "max");

    argmax.present_when(mode == "max", "mode == 'max'");
    weight.present_when(has_dsample_weights(), "present(dsample_weights)");

    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    offsets.dtype_is(I, ", the dtype of indices");
    if (sample_weights.present()) sample_weights.dtype_is(T, ", the dtype of dy");
    if (argmax.present()) argmax.dtype_is(I, ", the dtype of indices");
    if (weight.present()) weight.dtype_is(T, ", the dtype of dy");

    dy.rank_is(2);
    b = dy.size(0);
    d = dy.size(1);
    indices.rank_is(1);
    n = indices.size(0);
    offsets.rank_is(1);
    if (sample_weights.present()) sample_weights.rank_is(1);
    if (argmax.present()) argmax.rank_is(2);
    if (weight.present()) weight.rank_is(2);

    offsets.shape_is(opgen::Shape() << b + 1, ", b of dy");
    if (sample_weights.present()) sample_weights.shape_is(opgen::Shape() << n, ", n of indices");
    if (argmax.present()) argmax.shape_is(opgen::Shape() << b << d, ", b of dy, d of dy");
    if (weight.present()) weight.shape_is(opgen::Shape() << rows << d, ", d of dy");

    opgen::require(rows >= 0, op, "rows >= 0", "rows", rows);
  }

  bool has_dweight() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dweight() const {
    return {T, opgen::Shape() << rows << d};
  }

  bool has_dsample_weights() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dsample_weights() const {
    return {T, opgen::Shape() << n};
  }

  opgen::TensorSpec ends() const {
    return {opgen::ElementType::I64, opgen::Shape() << rows};
  }

  opgen::TensorSpec order() const {
    return {opgen::ElementType::I64, opgen::Shape() << n};
  }

  opgen::TensorSpec bags() const {
    return {opgen::ElementType::I64, opgen::Shape() << n};
  }

  EmbeddingBagBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBagBwdDescriptor>();
    fill(desc.b, "b", b);
    fill(desc.d, "d", d);
    fill(desc.n, "n", n);
    fill(desc.rows, "rows", rows);
    fill(desc.mode, "mode", mode_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    return desc;
  }
};

}  // namespace generated
