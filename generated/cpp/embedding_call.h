// What the arguments of a call say about everything else.
// Rendered by opgen from embedding.toml.
#pragma once

#include <optional>

#include "opgen/call.h"
#include "embedding.h"

namespace generated {

/// A call of `embedding`, checked: sizes, results, workspace, descriptor.
struct EmbeddingCall {
  static constexpr const char* op = "embedding";

  opgen::Argument weight;                 // T: rows d
  opgen::Argument indices;                // I: *s
  // A row that gets no gradient; below 0 it counts from the end.
  std::optional<opgen::Int> padding_idx;
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Int rows;
  opgen::Int d;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingCall(const opgen::Buffer& weight_, const opgen::Buffer& indices_,
                         std::optional<opgen::Int> padding_idx_)
      : weight(op, "weight", "rows d", weight_), indices(op, "indices", "*s", indices_),
        padding_idx(padding_idx_) {
    T = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    weight.rank_is(2);
    rows = weight.size(0);
    d = weight.size(1);
    s = indices.take(0, 0);

    opgen::require(
        padding_idx.has_value() ? -rows <= (*padding_idx) && (*padding_idx) < rows : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx, "rows", rows);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s << d};
  }

  EmbeddingDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.rows, "rows", rows);
    fill(desc.d, "d", d);
    fill(desc.padding, "padding", padding_idx.has_value() ? ((*padding_idx) >= 0 ? (*padding_idx)
                                                                                 : rows +
                                                                                   (*padding_idx))
                                                          : -1);
    return desc;
  }
};

/// A call of `embedding_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdCall {
  static constexpr const char* op = "embedding_bwd";

  opgen::Argument dy;       // T: *s d
  opgen::Argument indices;  // I: *s
  opgen::Int rows;
  std::optional<opgen::Int> padding_idx;
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Sizes s;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdCall(const opgen::Buffer& dy_, const opgen::Buffer& indices_,
                            opgen::Int rows_, std::optional<opgen::Int> padding_idx_)
      : dy(op, "dy", "*s d", dy_), indices(op, "indices", "*s", indices_), rows(rows_),
        padding_idx(padding_idx_) {
    opgen::at_least(op, "rows", rows, 0);

    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    dy.rank_at_least(1);
    s = dy.take(0, 1);
    d = dy.size(-1);
    indices.rank_is(len(s));

    indices.shape_is(opgen::Shape() << s, ", s of dy");

    opgen::require(
        padding_idx.has_value() ? -rows <= (*padding_idx) && (*padding_idx) < rows : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx, "rows", rows);
  }

  opgen::TensorSpec dweight() const {
    return {T, opgen::Shape() << rows << d};
  }

  opgen::TensorSpec ends() const {
    return {opgen::ElementType::I64, opgen::Shape() << rows};
  }

  opgen::TensorSpec order() const {
    return {opgen::ElementType::I64, opgen::Shape() << opgen::prod(s)};
  }

  EmbeddingBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.rows, "rows", rows);
    fill(desc.d, "d", d);
    fill(desc.padding, "padding", padding_idx.has_value() ? ((*padding_idx) >= 0 ? (*padding_idx)
                                                                                 : rows +
                                                                                   (*padding_idx))
                                                          : -1);
    return desc;
  }
};

/// A call of `embedding_bwd_bwd`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdBwdCall {
  static constexpr const char* op = "embedding_bwd_bwd";

  opgen::Argument ddweight;  // T: rows d
  opgen::Argument indices;   // I: *s
  std::optional<opgen::Int> padding_idx;
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Int rows;
  opgen::Int d;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdBwdCall(const opgen::Buffer& ddweight_, const opgen::Buffer& indices_,
                               std::optional<opgen::Int> padding_idx_)
      : ddweight(op, "ddweight", "rows d", ddweight_), indices(op, "indices", "*s", indices_),
        padding_idx(padding_idx_) {
    T = ddweight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));

    ddweight.rank_is(2);
    rows = ddweight.size(0);
    d = ddweight.size(1);
    s = indices.take(0, 0);

    opgen::require(
        padding_idx.has_value() ? -rows <= (*padding_idx) && (*padding_idx) < rows : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx, "rows", rows);
  }

  opgen::TensorSpec ddy() const {
    return {T, opgen::Shape() << s << d};
  }

  EmbeddingBwdBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdBwdDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.rows, "rows", rows);
    fill(desc.d, "d", d);
    fill(desc.padding, "padding", padding_idx.has_value() ? ((*padding_idx) >= 0 ? (*padding_idx)
                                                                                 : rows +
                                                                                   (*padding_idx))
                                                          : -1);
    return desc;
  }
};

/// A call of `embedding_rows`, checked: sizes, results, workspace, descriptor.
struct EmbeddingRowsCall {
  static constexpr const char* op = "embedding_rows";

  opgen::Argument weight;   // T: n d
  opgen::Argument indices;  // I: *s
  opgen::Argument first;    // i64: scalar
  opgen::Int rows;          // How many rows there are in all.
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Int n;
  opgen::Int d;
  opgen::Sizes s;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingRowsCall(const opgen::Buffer& weight_, const opgen::Buffer& indices_,
                             const opgen::Buffer& first_, opgen::Int rows_)
      : weight(op, "weight", "n d", weight_), indices(op, "indices", "*s", indices_),
        first(op, "first", "", first_), rows(rows_) {
    opgen::at_least(op, "rows", rows, 1);

    T = weight.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first.dtype_is(opgen::ElementType::I64, "");

    weight.rank_is(2);
    n = weight.size(0);
    d = weight.size(1);
    s = indices.take(0, 0);
    first.rank_is(0);

    opgen::require(n > 0, op, "n > 0", "n", n);
  }

  opgen::TensorSpec y() const {
    return {T, opgen::Shape() << s << d};
  }

  EmbeddingRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingRowsDescriptor>();
    fill(desc.n, "n", n);
    fill(desc.d, "d", d);
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.s_rank, "s_rank", opgen::len(s));
    fill(desc.rows, "rows", rows);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    return desc;
  }
};

/// A call of `embedding_bwd_rows`, checked: sizes, results, workspace, descriptor.
struct EmbeddingBwdRowsCall {
  static constexpr const char* op = "embedding_bwd_rows";

  opgen::Argument dy;       // T: *s d
  opgen::Argument indices;  // I: *s
  opgen::Argument first;    // i64: scalar
  opgen::Int n;             // How many rows `dweight` has.
  opgen::Int rows;          // How many rows there are in all.
  std::optional<opgen::Int> padding_idx;
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::Sizes s;
  opgen::Int d;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit EmbeddingBwdRowsCall(const opgen::Buffer& dy_, const opgen::Buffer& indices_,
                                const opgen::Buffer& first_, opgen::Int n_, opgen::Int rows_,
                                std::optional<opgen::Int> padding_idx_)
      : dy(op, "dy", "*s d", dy_), indices(op, "indices", "*s", indices_),
        first(op, "first", "", first_), n(n_), rows(rows_), padding_idx(padding_idx_) {
    opgen::at_least(op, "n", n, 0);
    opgen::at_least(op, "rows", rows, 1);

    T = dy.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                 opgen::ElementType::F16, opgen::ElementType::F64));
    I = indices.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first.dtype_is(opgen::ElementType::I64, "");

    dy.rank_at_least(1);
    s = dy.take(0, 1);
    d = dy.size(-1);
    indices.rank_is(len(s));
    first.rank_is(0);

    indices.shape_is(opgen::Shape() << s, ", s of dy");

    opgen::require(
        padding_idx.has_value() ? -rows <= (*padding_idx) && (*padding_idx) < rows : true, op,
        "a padding_idx among the rows", "padding_idx", padding_idx, "rows", rows);
  }

  opgen::TensorSpec dweight() const {
    return {T, opgen::Shape() << n << d};
  }

  opgen::TensorSpec ends() const {
    return {opgen::ElementType::I64, opgen::Shape() << n};
  }

  opgen::TensorSpec order() const {
    return {opgen::ElementType::I64, opgen::Shape() << opgen::prod(s)};
  }

  EmbeddingBwdRowsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<EmbeddingBwdRowsDescriptor>();
    fill(desc.s, "s", opgen::prod(s));
    fill(desc.rows, "rows", rows);
    fill(desc.d, "d", d);
    fill(desc.padding, "padding", padding_idx.has_value() ? ((*padding_idx) >= 0 ? (*padding_idx)
                                                                                 : rows +
                                                                                   (*padding_idx))
                                                          : -1);
    fill(desc.n, "n", n);
    return desc;
  }
};

}  // namespace generated
