// What the arguments of a call say about everything else.
// Rendered by opgen from grouped_gemm.toml.
#pragma once

#include "opgen/call.h"
#include "grouped_gemm.h"

namespace generated {

/// A call of `grouped_gemm`, checked: sizes, results, workspace, descriptor.
struct GroupedGemmCall {
  static constexpr const char* op = "grouped_gemm";

  opgen::Argument a;        // T: m k
  opgen::Argument b;        // T: g n k or g k n
  opgen::Argument offsets;  // i32: g+1
  bool trans_b;
  opgen::ElementType T;
  opgen::Int m;
  opgen::Int k;
  opgen::Int g;
  opgen::Int n;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GroupedGemmCall(const opgen::Buffer& a_, const opgen::Buffer& b_,
                           const opgen::Buffer& offsets_, bool trans_b_)
      : a(op, "a", "m k", a_), b(op, "b", "g n k or g k n", b_),
        offsets(op, "offsets", "g+1", offsets_), trans_b(trans_b_) {
    T = a.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));
    b.dtype_is(T, ", the dtype of a");
    offsets.dtype_is(opgen::ElementType::I32, "");

    a.rank_is(2);
    m = a.size(0);
    k = a.size(1);
    if (trans_b) b.rank_is(3);
    if (trans_b) g = b.size(0);
    if (trans_b) n = b.size(1);
    if (!trans_b) b.rank_is(3);
    if (!trans_b) g = b.size(0);
    if (!trans_b) n = b.size(2);
    offsets.rank_is(1);

    if (trans_b) b.shape_is(opgen::Shape() << g << n << k, ", k of a");
    if (!trans_b) b.shape_is(opgen::Shape() << g << k << n, ", k of a");
    offsets.shape_is(opgen::Shape() << g + 1, ", g of b");
  }

  opgen::TensorSpec c() const {
    return {T, opgen::Shape() << m << n};
  }

  GroupedGemmDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GroupedGemmDescriptor>();
    fill(desc.m, "m", m);
    fill(desc.k, "k", k);
    fill(desc.g, "g", g);
    fill(desc.n, "n", n);
    fill(desc.trans_b, "trans_b", trans_b);
    fill(desc.T, "T", T);
    return desc;
  }
};

/// A call of `grouped_gemm_wgrad`, checked: sizes, results, workspace, descriptor.
struct GroupedGemmWgradCall {
  static constexpr const char* op = "grouped_gemm_wgrad";

  opgen::Argument a;        // T: m k
  opgen::Argument dc;       // T: m n
  opgen::Argument offsets;  // i32: g+1
  bool trans_b;
  opgen::ElementType T;
  opgen::Int m;
  opgen::Int k;
  opgen::Int n;
  opgen::Int g;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit GroupedGemmWgradCall(const opgen::Buffer& a_, const opgen::Buffer& dc_,
                                const opgen::Buffer& offsets_, bool trans_b_)
      : a(op, "a", "m k", a_), dc(op, "dc", "m n", dc_), offsets(op, "offsets", "g+1", offsets_),
        trans_b(trans_b_) {
    T = a.dtype_in(
        opgen::types(opgen::ElementType::BF16, opgen::ElementType::F16, opgen::ElementType::F32));
    dc.dtype_is(T, ", the dtype of a");
    offsets.dtype_is(opgen::ElementType::I32, "");

    a.rank_is(2);
    m = a.size(0);
    k = a.size(1);
    dc.rank_is(2);
    n = dc.size(1);
    offsets.rank_is(1);
    g = offsets.solve(offsets.size(0), 1, 1, "g + 1", "g");

    dc.shape_is(opgen::Shape() << m << n, ", m of a");
    offsets.shape_is(opgen::Shape() << g + 1);
  }

  opgen::TensorSpec db() const {
    return {T, trans_b ? opgen::Shape() << g << n << k : opgen::Shape() << g << k << n};
  }

  GroupedGemmWgradDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<GroupedGemmWgradDescriptor>();
    fill(desc.m, "m", m);
    fill(desc.k, "k", k);
    fill(desc.n, "n", n);
    fill(desc.g, "g", g);
    fill(desc.trans_b, "trans_b", trans_b);
    fill(desc.T, "T", T);
    return desc;
  }
};

}  // namespace generated
