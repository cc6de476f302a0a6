// What the arguments of a call say about everything else.
// Rendered by opgen from cross_entropy.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "cross_entropy.h"

namespace generated {

/// A call of `cross_entropy`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyCall {
  static constexpr const char* op = "cross_entropy";

  opgen::Argument logits;      // T: *batch c
  opgen::Argument labels;      // I: *batch
  opgen::Int ignore_index;
  double label_smoothing;
  std::string_view reduction;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::ElementType Acc;      // accum(T)
  opgen::Sizes batch;
  opgen::Int c;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyCall(const opgen::Buffer& logits_, const opgen::Buffer& labels_,
                            opgen::Int ignore_index_, double label_smoothing_,
                            std::string_view reduction_)
      : logits(op, "logits", "*batch c", logits_), labels(op, "labels", "*batch", labels_),
        ignore_index(ignore_index_), label_smoothing(label_smoothing_), reduction(reduction_) {
    opgen::at_least(op, "label_smoothing", label_smoothing, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction, "none", "mean", "sum");

    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = labels.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc = opgen::accum(T);

    logits.rank_at_least(1);
    batch = logits.take(0, 1);
    c = logits.size(-1);
    labels.rank_is(len(batch));

    labels.shape_is(opgen::Shape() << batch, ", batch of logits");

    opgen::require(c > 0, op, "at least one class", "c", c);
  }

  opgen::TensorSpec loss() const {
    return {Acc, reduction == "none" ? opgen::Shape() << batch : opgen::Shape()};
  }

  opgen::TensorSpec top() const {
    return {Acc, opgen::Shape() << batch};
  }

  opgen::TensorSpec rest() const {
    return {Acc, opgen::Shape() << batch};
  }

  bool has_count() const { return reduction == "mean"; }

  opgen::TensorSpec count() const {
    return {Acc, opgen::Shape()};
  }

  bool has_losses() const { return reduction != "none"; }

  opgen::TensorSpec losses() const {
    return {Acc, opgen::Shape() << batch};
  }

  CrossEntropyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.c, "c", c);
    fill(desc.ignore_index, "ignore_index", ignore_index);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `cross_entropy_bwd`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyBwdCall {
  static constexpr const char* op = "cross_entropy_bwd";

  opgen::Argument dloss;       // Acc: *batch or scalar
  opgen::Argument logits;      // T: *batch c
  opgen::Argument labels;      // I: *batch
  opgen::Argument top;         // Acc: *batch
  opgen::Argument rest;        // Acc: *batch
  opgen::Argument count;       // Acc: scalar
  opgen::Int ignore_index;
  double label_smoothing;
  std::string_view reduction;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::ElementType Acc;      // accum(T)
  opgen::Sizes batch;
  opgen::Int c;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyBwdCall(
      const opgen::Buffer& dloss_, const opgen::Buffer& logits_, const opgen::Buffer& labels_,
      const opgen::Buffer& top_, const opgen::Buffer& rest_, const opgen::Buffer& count_,
      opgen::Int ignore_index_, double label_smoothing_, std::string_view reduction_)
      : dloss(op, "dloss", "*batch or ", dloss_), logits(op, "logits", "*batch c", logits_),
        labels(op, "labels", "*batch", labels_), top(op, "top", "*batch", top_),
        rest(op, "rest", "*batch", rest_), count(op, "count", "", count_),
        ignore_index(ignore_index_), label_smoothing(label_smoothing_), reduction(reduction_) {
    opgen::at_least(op, "label_smoothing", label_smoothing, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction, "none", "mean", "sum");

    count.present_when(reduction == "mean", "reduction == 'mean'");

    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = labels.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc = opgen::accum(T);
    dloss.dtype_is(Acc, ", accum(logits.dtype)");
    top.dtype_is(Acc, ", accum(logits.dtype)");
    rest.dtype_is(Acc, ", accum(logits.dtype)");
    if (count.present()) count.dtype_is(Acc, ", accum(logits.dtype)");

    bool batch_is_known = false;
    if ((reduction == "none")) {
      batch = dloss.take(0, 0);
      batch_is_known = true;
    }
    if (!(reduction == "none")) dloss.rank_is(0);
    if (batch_is_known) logits.rank_is(len(batch) + 1);
    if (!batch_is_known) logits.rank_at_least(1);
    if (!batch_is_known) {
      batch = logits.take(0, 1);
      batch_is_known = true;
    }
    c = logits.size(-1);
    labels.rank_is(len(batch));
    top.rank_is(len(batch));
    rest.rank_is(len(batch));
    if (count.present()) count.rank_is(0);

    if ((reduction == "none")) dloss.shape_is(opgen::Shape() << batch);
    if (!(reduction == "none")) dloss.shape_is(opgen::Shape());
    logits.shape_is(opgen::Shape() << batch << c, ", batch of dloss");
    labels.shape_is(opgen::Shape() << batch, ", batch of dloss");
    top.shape_is(opgen::Shape() << batch, ", batch of dloss");
    rest.shape_is(opgen::Shape() << batch, ", batch of dloss");

    opgen::require(c > 0, op, "at least one class", "c", c);
  }

  opgen::TensorSpec dlogits() const {
    return {T, opgen::Shape() << batch << c};
  }

  CrossEntropyBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyBwdDescriptor>();
    if (batch.bound()) fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.c, "c", c);
    fill(desc.ignore_index, "ignore_index", ignore_index);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `cross_entropy_top`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyTopCall {
  static constexpr const char* op = "cross_entropy_top";

  opgen::Argument logits;  // T: *batch v
  opgen::ElementType T;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;
  opgen::Int v;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyTopCall(const opgen::Buffer& logits_)
      : logits(op, "logits", "*batch v", logits_) {
    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    Acc = opgen::accum(T);

    logits.rank_at_least(1);
    batch = logits.take(0, 1);
    v = logits.size(-1);

    opgen::require(v > 0, op, "at least one class", "v", v);
  }

  opgen::TensorSpec top() const {
    return {Acc, opgen::Shape() << batch};
  }

  CrossEntropyTopDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyTopDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.v, "v", v);
    fill(desc.T, "T", T);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `cross_entropy_terms`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyTermsCall {
  static constexpr const char* op = "cross_entropy_terms";

  opgen::Argument logits;  // T: *batch v
  opgen::Argument labels;  // I: *batch
  opgen::Argument top;     // Acc: *batch
  opgen::Argument first;   // i64: scalar
  opgen::Int c;            // How many classes there are in all.
  opgen::Int ignore_index;
  double label_smoothing;
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::ElementType Acc;  // accum(T)
  opgen::Sizes batch;
  opgen::Int v;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyTermsCall(const opgen::Buffer& logits_, const opgen::Buffer& labels_,
                                 const opgen::Buffer& top_, const opgen::Buffer& first_,
                                 opgen::Int c_, opgen::Int ignore_index_, double label_smoothing_)
      : logits(op, "logits", "*batch v", logits_), labels(op, "labels", "*batch", labels_),
        top(op, "top", "*batch", top_), first(op, "first", "", first_), c(c_),
        ignore_index(ignore_index_), label_smoothing(label_smoothing_) {
    opgen::at_least(op, "c", c, 1);
    opgen::at_least(op, "label_smoothing", label_smoothing, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing, 1.0);

    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = labels.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first.dtype_is(opgen::ElementType::I64, "");
    Acc = opgen::accum(T);
    top.dtype_is(Acc, ", accum(logits.dtype)");

    logits.rank_at_least(1);
    batch = logits.take(0, 1);
    v = logits.size(-1);
    labels.rank_is(len(batch));
    top.rank_is(len(batch));
    first.rank_is(0);

    labels.shape_is(opgen::Shape() << batch, ", batch of logits");
    top.shape_is(opgen::Shape() << batch, ", batch of logits");
  }

  opgen::TensorSpec total() const {
    return {Acc, opgen::Shape() << batch};
  }

  opgen::TensorSpec missed() const {
    return {Acc, opgen::Shape() << batch};
  }

  bool has_below() const { return label_smoothing > 0.0; }

  opgen::TensorSpec below() const {
    return {Acc, opgen::Shape() << batch};
  }

  CrossEntropyTermsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyTermsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.v, "v", v);
    fill(desc.c, "c", c);
    fill(desc.ignore_index, "ignore_index", ignore_index);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `cross_entropy_loss`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyLossCall {
  static constexpr const char* op = "cross_entropy_loss";

  opgen::Argument logits;      // T: *batch v
  opgen::Argument labels;      // I: *batch
  opgen::Argument total;       // Acc: *batch
  opgen::Argument missed;      // Acc: *batch
  opgen::Argument below;       // Acc: *batch
  opgen::Int ignore_index;
  double label_smoothing;
  std::string_view reduction;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::ElementType Acc;      // accum(T)
  opgen::Sizes batch;
  opgen::Int v;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyLossCall(const opgen::Buffer& logits_, const opgen::Buffer& labels_,
                                const opgen::Buffer& total_, const opgen::Buffer& missed_,
                                const opgen::Buffer& below_, opgen::Int ignore_index_,
                                double label_smoothing_, std::string_view reduction_)
      : logits(op, "logits", "*batch v", logits_), labels(op, "labels", "*batch", labels_),
        total(op, "total", "*batch", total_), missed(op, "missed", "*batch", missed_),
        below(op, "below", "*batch", below_), ignore_index(ignore_index_),
        label_smoothing(label_smoothing_), reduction(reduction_) {
    opgen::at_least(op, "label_smoothing", label_smoothing, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction, "none", "mean", "sum");

    below.present_when(label_smoothing > 0.0, "label_smoothing > 0.0");

    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = labels.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc = opgen::accum(T);
    total.dtype_is(Acc, ", accum(logits.dtype)");
    missed.dtype_is(Acc, ", accum(logits.dtype)");
    if (below.present()) below.dtype_is(Acc, ", accum(logits.dtype)");

    logits.rank_at_least(1);
    batch = logits.take(0, 1);
    v = logits.size(-1);
    labels.rank_is(len(batch));
    total.rank_is(len(batch));
    missed.rank_is(len(batch));
    if (below.present()) below.rank_is(len(batch));

    labels.shape_is(opgen::Shape() << batch, ", batch of logits");
    total.shape_is(opgen::Shape() << batch, ", batch of logits");
    missed.shape_is(opgen::Shape() << batch, ", batch of logits");
    if (below.present()) below.shape_is(opgen::Shape() << batch, ", batch of logits");
  }

  opgen::TensorSpec loss() const {
    return {Acc, reduction == "none" ? opgen::Shape() << batch : opgen::Shape()};
  }

  opgen::TensorSpec rest() const {
    return {Acc, opgen::Shape() << batch};
  }

  bool has_count() const { return reduction == "mean"; }

  opgen::TensorSpec count() const {
    return {Acc, opgen::Shape()};
  }

  bool has_losses() const { return reduction != "none"; }

  opgen::TensorSpec losses() const {
    return {Acc, opgen::Shape() << batch};
  }

  CrossEntropyLossDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyLossDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.v, "v", v);
    fill(desc.ignore_index, "ignore_index", ignore_index);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

/// A call of `cross_entropy_bwd_part`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyBwdPartCall {
  static constexpr const char* op = "cross_entropy_bwd_part";

  opgen::Argument dloss;       // Acc: *batch or scalar
  opgen::Argument logits;      // T: *batch v
  opgen::Argument labels;      // I: *batch
  opgen::Argument top;         // Acc: *batch
  opgen::Argument rest;        // Acc: *batch
  opgen::Argument first;       // i64: scalar
  opgen::Argument count;       // Acc: scalar
  opgen::Int c;                // How many classes there are in all.
  opgen::Int ignore_index;
  double label_smoothing;
  std::string_view reduction;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T;
  opgen::ElementType I;
  opgen::ElementType Acc;      // accum(T)
  opgen::Sizes batch;
  opgen::Int v;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyBwdPartCall(
      const opgen::Buffer& dloss_, const opgen::Buffer& logits_, const opgen::Buffer& labels_,
      const opgen::Buffer& top_, const opgen::Buffer& rest_, const opgen::Buffer& first_,
      const opgen::Buffer& count_, opgen::Int c_, opgen::Int ignore_index_, double label_smoothing_,
      std::string_view reduction_)
      : dloss(op, "dloss", "*batch or ", dloss_), logits(op, "logits", "*batch v", logits_),
        labels(op, "labels", "*batch", labels_), top(op, "top", "*batch", top_),
        rest(op, "rest", "*batch", rest_), first(op, "first", "", first_),
        count(op, "count", "", count_), c(c_), ignore_index(ignore_index_),
        label_smoothing(label_smoothing_), reduction(reduction_) {
    opgen::at_least(op, "c", c, 1);
    opgen::at_least(op, "label_smoothing", label_smoothing, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction, "none", "mean", "sum");

    count.present_when(reduction == "mean", "reduction == 'mean'");

    T = logits.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                     opgen::ElementType::F16, opgen::ElementType::F64));
    I = labels.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first.dtype_is(opgen::ElementType::I64, "");
    Acc = opgen::accum(T);
    dloss.dtype_is(Acc, ", accum(logits.dtype)");
    top.dtype_is(Acc, ", accum(logits.dtype)");
    rest.dtype_is(Acc, ", accum(logits.dtype)");
    if (count.present()) count.dtype_is(Acc, ", accum(logits.dtype)");

    bool batch_is_known = false;
    if ((reduction == "none")) {
      batch = dloss.take(0, 0);
      batch_is_known = true;
    }
    if (!(reduction == "none")) dloss.rank_is(0);
    if (batch_is_known) logits.rank_is(len(batch) + 1);
    if (!batch_is_known) logits.rank_at_least(1);
    if (!batch_is_known) {
      batch = logits.take(0, 1);
      batch_is_known = true;
    }
    v = logits.size(-1);
    labels.rank_is(len(batch));
    top.rank_is(len(batch));
    rest.rank_is(len(batch));
    first.rank_is(0);
    if (count.present()) count.rank_is(0);

    if ((reduction == "none")) dloss.shape_is(opgen::Shape() << batch);
    if (!(reduction == "none")) dloss.shape_is(opgen::Shape());
    logits.shape_is(opgen::Shape() << batch << v, ", batch of dloss");
    labels.shape_is(opgen::Shape() << batch, ", batch of dloss");
    top.shape_is(opgen::Shape() << batch, ", batch of dloss");
    rest.shape_is(opgen::Shape() << batch, ", batch of dloss");
  }

  opgen::TensorSpec dlogits() const {
    return {T, opgen::Shape() << batch << v};
  }

  CrossEntropyBwdPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyBwdPartDescriptor>();
    if (batch.bound()) fill(desc.batch, "batch", opgen::prod(batch));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch));
    fill(desc.v, "v", v);
    fill(desc.c, "c", c);
    fill(desc.ignore_index, "ignore_index", ignore_index);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T);
    fill(desc.I, "I", I);
    fill(desc.Acc, "Acc", Acc);
    return desc;
  }
};

}  // namespace generated
