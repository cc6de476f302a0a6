// The checked calls of the embedding family: dtypes, sizes and results from the arguments.
// Rendered by opgen from embedding.toml.
#pragma once

#include <optional>

#include "opgen/call.h"
#include "embedding.h"

namespace generated {

/// A call of `embedding`, checked: sizes, results, workspace, descriptor.
struct EmbeddingCall {
  static constexpr const char* op = "embedding";

  opgen::Argument weight_;                 // T: rows d
  opgen::Argument indices_;                // I: *s
  // A row that gets no gradient. A negative number counts from the end.
  std::optional<opgen::Int> padding_idx_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int rows_;
  opgen::Int d_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingCall(const opgen::Buffer& weight_in, const opgen::Buffer& indices_in,
                         std::optional<opgen::Int> padding_idx_in)
      : weight_(op, "weight", "rows d", weight_in), indices_(op, "indices", "*s", indices_in),
        padding_idx_(padding_idx_in) {
    T_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    weight_.rank_is(2);
    rows_ = weight_.size(0);
    d_ = weight_.size(1);
    s_ = indices_.take(0, 0);

    opgen::require(
        padding_idx_.has_value() ? -rows_ <= (*padding_idx_) && (*padding_idx_) < rows_ : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx_, "rows", rows_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_ << d_};
  }

  EmbeddingDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.rows, "rows", rows_);
    fill(desc.d, "d", d_);
    fill(desc.padding, "padding", padding_idx_.has_value() ? ((*padding_idx_) >= 0
                                                                  ? (*padding_idx_)
                                                                  : rows_ + (*padding_idx_))
                                                           : -1);
    return desc;
  }
};

/// A call of `embedding_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdCall {
  static constexpr const char* op = "embedding_bwd";

  opgen::Argument dy_;       // T: *s d
  opgen::Argument indices_;  // I: *s
  opgen::Int rows_;
  std::optional<opgen::Int> padding_idx_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Sizes s_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdCall(const opgen::Buffer& dy_in, const opgen::Buffer& indices_in,
                            opgen::Int rows_in, std::optional<opgen::Int> padding_idx_in)
      : dy_(op, "dy", "*s d", dy_in), indices_(op, "indices", "*s", indices_in), rows_(rows_in),
        padding_idx_(padding_idx_in) {
    opgen::at_least(op, "rows", rows_, 0);

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    dy_.rank_at_least(1);
    s_ = dy_.take(0, 1);
    d_ = dy_.size(-1);
    indices_.rank_is(opgen::len(s_));

    indices_.shape_is(opgen::Shape() << s_, ", s of dy");

    opgen::require(
        padding_idx_.has_value() ? -rows_ <= (*padding_idx_) && (*padding_idx_) < rows_ : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx_, "rows", rows_);
  }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << rows_ << d_};
  }

  opgen::TensorSpec ends_() const {
    return {opgen::ElementType::I64, opgen::Shape() << rows_};
  }

  opgen::TensorSpec order_() const {
    return {opgen::ElementType::I64, opgen::Shape() << opgen::prod(s_)};
  }

  EmbeddingBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.rows, "rows", rows_);
    fill(desc.d, "d", d_);
    fill(desc.padding, "padding", padding_idx_.has_value() ? ((*padding_idx_) >= 0
                                                                  ? (*padding_idx_)
                                                                  : rows_ + (*padding_idx_))
                                                           : -1);
    return desc;
  }
};

/// A call of `embedding_bwd_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdBwdCall {
  static constexpr const char* op = "embedding_bwd_bwd";

  opgen::Argument ddweight_;  // T: rows d
  opgen::Argument indices_;   // I: *s
  std::optional<opgen::Int> padding_idx_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int rows_;
  opgen::Int d_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdBwdCall(const opgen::Buffer& ddweight_in, const opgen::Buffer& indices_in,
                               std::optional<opgen::Int> padding_idx_in)
      : ddweight_(op, "ddweight", "rows d", ddweight_in), indices_(op, "indices", "*s", indices_in),
        padding_idx_(padding_idx_in) {
    T_ = ddweight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                         opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    ddweight_.rank_is(2);
    rows_ = ddweight_.size(0);
    d_ = ddweight_.size(1);
    s_ = indices_.take(0, 0);

    opgen::require(
        padding_idx_.has_value() ? -rows_ <= (*padding_idx_) && (*padding_idx_) < rows_ : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx_, "rows", rows_);
  }

  opgen::TensorSpec ddy_() const {
    return {T_, opgen::Shape() << s_ << d_};
  }

  EmbeddingBwdBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.rows, "rows", rows_);
    fill(desc.d, "d", d_);
    fill(desc.padding, "padding", padding_idx_.has_value() ? ((*padding_idx_) >= 0
                                                                  ? (*padding_idx_)
                                                                  : rows_ + (*padding_idx_))
                                                           : -1);
    return desc;
  }
};

/// A call of `embedding_rows`, checked: sizes, results, workspace, descriptor.
struct EmbeddingRowsCall {
  static constexpr const char* op = "embedding_rows";

  opgen::Argument weight_;   // T: n d
  opgen::Argument indices_;  // I: *s
  opgen::Argument first_;    // i64: scalar
  opgen::Int rows_;          // The number of rows on all shards.
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Int n_;
  opgen::Int d_;
  opgen::Sizes s_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingRowsCall(const opgen::Buffer& weight_in, const opgen::Buffer& indices_in,
                             const opgen::Buffer& first_in, opgen::Int rows_in)
      : weight_(op, "weight", "n d", weight_in), indices_(op, "indices", "*s", indices_in),
        first_(op, "first", "", first_in), rows_(rows_in) {
    opgen::at_least(op, "rows", rows_, 1);

    T_ = weight_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");

    weight_.rank_is(2);
    n_ = weight_.size(0);
    d_ = weight_.size(1);
    s_ = indices_.take(0, 0);
    first_.rank_is(0);

    opgen::require(n_ > 0, op, "n > 0", "n", n_);
  }

  opgen::TensorSpec y_() const {
    return {T_, opgen::Shape() << s_ << d_};
  }

  EmbeddingRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingRowsDescriptor>();
    fill(desc.n, "n", n_);
    fill(desc.d, "d", d_);
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.s_rank, "s_rank", opgen::len(s_));
    fill(desc.rows, "rows", rows_);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    return desc;
  }
};

/// A call of `embedding_bwd_rows`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdRowsCall {
  static constexpr const char* op = "embedding_bwd_rows";

  opgen::Argument dy_;       // T: *s d
  opgen::Argument indices_;  // I: *s
  opgen::Argument first_;    // i64: scalar
  opgen::Int n_;             // The number of rows of `dweight`.
  opgen::Int rows_;          // The number of rows on all shards.
  std::optional<opgen::Int> padding_idx_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::Sizes s_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdRowsCall(const opgen::Buffer& dy_in, const opgen::Buffer& indices_in,
                                const opgen::Buffer& first_in, opgen::Int n_in, opgen::Int rows_in,
                                std::optional<opgen::Int> padding_idx_in)
      : dy_(op, "dy", "*s d", dy_in), indices_(op, "indices", "*s", indices_in),
        first_(op, "first", "", first_in), n_(n_in), rows_(rows_in), padding_idx_(padding_idx_in) {
    opgen::at_least(op, "n", n_, 0);
    opgen::at_least(op, "rows", rows_, 1);

    T_ = dy_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                   opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = indices_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");

    dy_.rank_at_least(1);
    s_ = dy_.take(0, 1);
    d_ = dy_.size(-1);
    indices_.rank_is(opgen::len(s_));
    first_.rank_is(0);

    indices_.shape_is(opgen::Shape() << s_, ", s of dy");

    opgen::require(
        padding_idx_.has_value() ? -rows_ <= (*padding_idx_) && (*padding_idx_) < rows_ : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx_, "rows", rows_);
  }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec ends_() const {
    return {opgen::ElementType::I64, opgen::Shape() << n_};
  }

  opgen::TensorSpec order_() const {
    return {opgen::ElementType::I64, opgen::Shape() << opgen::prod(s_)};
  }

  EmbeddingBwdRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdRowsDescriptor>();
    fill(desc.s, "s", opgen::prod(s_));
    fill(desc.rows, "rows", rows_);
    fill(desc.d, "d", d_);
    fill(desc.padding, "padding", padding_idx_.has_value() ? ((*padding_idx_) >= 0
                                                                  ? (*padding_idx_)
                                                                  : rows_ + (*padding_idx_))
                                                           : -1);
    fill(desc.n, "n", n_);
    return desc;
  }
};

}  // namespace generated
