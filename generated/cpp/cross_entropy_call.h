// The checked calls of the cross_entropy family: dtypes, sizes and results from the arguments.
// Rendered by opgen from cross_entropy.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "cross_entropy.h"

namespace generated {

/// A call of `cross_entropy`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyCall {
  static constexpr const char* op = "cross_entropy";

  opgen::Argument logits_;     // T: *batch c
  opgen::Argument labels_;     // I: *batch
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int c_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyCall(const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
                            opgen::Int ignore_index_in, double label_smoothing_in,
                            std::string_view reduction_in)
      : logits_(op, "logits", "*batch c", logits_in), labels_(op, "labels", "*batch", labels_in),
        ignore_index_(ignore_index_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);

    logits_.rank_at_least(1);
    batch_ = logits_.take(0, 1);
    c_ = logits_.size(-1);
    labels_.rank_is(opgen::len(batch_));

    labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ == "none" ? opgen::Shape() << batch_ : opgen::Shape()};
  }

  opgen::TensorSpec top_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  bool count_present() const { return reduction_ == "mean"; }

  opgen::TensorSpec count_() const {
    return {Acc_, opgen::Shape()};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  CrossEntropyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `cross_entropy_bwd`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyBwdCall {
  static constexpr const char* op = "cross_entropy_bwd";

  opgen::Argument dloss_;      // Acc: *batch or scalar
  opgen::Argument logits_;     // T: *batch c
  opgen::Argument labels_;     // I: *batch
  opgen::Argument top_;        // Acc: *batch
  opgen::Argument rest_;       // Acc: *batch
  opgen::Argument count_;      // Acc: scalar
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int c_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyBwdCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& count_in,
      opgen::Int ignore_index_in, double label_smoothing_in, std::string_view reduction_in)
      : dloss_(op, "dloss", "*batch or ", dloss_in), logits_(op, "logits", "*batch c", logits_in),
        labels_(op, "labels", "*batch", labels_in), top_(op, "top", "*batch", top_in),
        rest_(op, "rest", "*batch", rest_in), count_(op, "count", "", count_in),
        ignore_index_(ignore_index_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(logits.dtype)");
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    rest_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    if ((reduction_ == "none")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ == "none")) dloss_.rank_is(0);
    if (batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if (!batch_known) logits_.rank_at_least(1);
    if (!batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    c_ = logits_.size(-1);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    rest_.rank_is(opgen::len(batch_));
    if (count_.present()) count_.rank_is(0);

    if ((reduction_ == "none")) dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(reduction_ == "none")) dloss_.shape_is(opgen::Shape());
    logits_.shape_is(opgen::Shape() << batch_ << c_, ", batch of dloss");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec dlogits_() const {
    return {T_, opgen::Shape() << batch_ << c_};
  }

  CrossEntropyBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyBwdDescriptor>();
    if (batch_.bound()) fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `cross_entropy_top`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyTopCall {
  static constexpr const char* op = "cross_entropy_top";

  opgen::Argument logits_;  // T: *batch v
  opgen::ElementType T_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyTopCall(const opgen::Buffer& logits_in)
      : logits_(op, "logits", "*batch v", logits_in) {
    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);

    logits_.rank_at_least(1);
    batch_ = logits_.take(0, 1);
    v_ = logits_.size(-1);

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec top_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  CrossEntropyTopDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyTopDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.v, "v", v_);
    fill(desc.T, "T", T_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `cross_entropy_terms`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyTermsCall {
  static constexpr const char* op = "cross_entropy_terms";

  opgen::Argument logits_;  // T: *batch v
  opgen::Argument labels_;  // I: *batch
  opgen::Argument top_;     // Acc: *batch
  opgen::Argument first_;   // i64: scalar
  opgen::Int c_;            // The number of classes on all shards.
  opgen::Int ignore_index_;
  double label_smoothing_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyTermsCall(const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
                                 const opgen::Buffer& top_in, const opgen::Buffer& first_in,
                                 opgen::Int c_in, opgen::Int ignore_index_in,
                                 double label_smoothing_in)
      : logits_(op, "logits", "*batch v", logits_in), labels_(op, "labels", "*batch", labels_in),
        top_(op, "top", "*batch", top_in), first_(op, "first", "", first_in), c_(c_in),
        ignore_index_(ignore_index_in), label_smoothing_(label_smoothing_in) {
    opgen::at_least(op, "c", c_, 1);
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(logits.dtype)");

    logits_.rank_at_least(1);
    batch_ = logits_.take(0, 1);
    v_ = logits_.size(-1);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    first_.rank_is(0);

    labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    top_.shape_is(opgen::Shape() << batch_, ", batch of logits");
  }

  opgen::TensorSpec total_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec missed_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  bool below_present() const { return label_smoothing_ > 0.0; }

  opgen::TensorSpec below_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  CrossEntropyTermsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyTermsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.v, "v", v_);
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `cross_entropy_loss`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyLossCall {
  static constexpr const char* op = "cross_entropy_loss";

  opgen::Argument logits_;     // T: *batch v
  opgen::Argument labels_;     // I: *batch
  opgen::Argument total_;      // Acc: *batch
  opgen::Argument missed_;     // Acc: *batch
  opgen::Argument below_;      // Acc: *batch
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyLossCall(const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
                                const opgen::Buffer& total_in, const opgen::Buffer& missed_in,
                                const opgen::Buffer& below_in, opgen::Int ignore_index_in,
                                double label_smoothing_in, std::string_view reduction_in)
      : logits_(op, "logits", "*batch v", logits_in), labels_(op, "labels", "*batch", labels_in),
        total_(op, "total", "*batch", total_in), missed_(op, "missed", "*batch", missed_in),
        below_(op, "below", "*batch", below_in), ignore_index_(ignore_index_in),
        label_smoothing_(label_smoothing_in), reduction_(reduction_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    below_.present_when(label_smoothing_ > 0.0, "label_smoothing > 0.0");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    total_.dtype_is(Acc_, ", accum(logits.dtype)");
    missed_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (below_.present()) below_.dtype_is(Acc_, ", accum(logits.dtype)");

    logits_.rank_at_least(1);
    batch_ = logits_.take(0, 1);
    v_ = logits_.size(-1);
    labels_.rank_is(opgen::len(batch_));
    total_.rank_is(opgen::len(batch_));
    missed_.rank_is(opgen::len(batch_));
    if (below_.present()) below_.rank_is(opgen::len(batch_));

    labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    total_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    missed_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (below_.present()) below_.shape_is(opgen::Shape() << batch_, ", batch of logits");
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ == "none" ? opgen::Shape() << batch_ : opgen::Shape()};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  bool count_present() const { return reduction_ == "mean"; }

  opgen::TensorSpec count_() const {
    return {Acc_, opgen::Shape()};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  CrossEntropyLossDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyLossDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.v, "v", v_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `cross_entropy_bwd_part`, checked: sizes, results, workspace, descriptor.
struct CrossEntropyBwdPartCall {
  static constexpr const char* op = "cross_entropy_bwd_part";

  opgen::Argument dloss_;      // Acc: *batch or scalar
  opgen::Argument logits_;     // T: *batch v
  opgen::Argument labels_;     // I: *batch
  opgen::Argument top_;        // Acc: *batch
  opgen::Argument rest_;       // Acc: *batch
  opgen::Argument first_;      // i64: scalar
  opgen::Argument count_;      // Acc: scalar
  opgen::Int c_;               // The number of classes on all shards.
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit CrossEntropyBwdPartCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& first_in,
      const opgen::Buffer& count_in, opgen::Int c_in, opgen::Int ignore_index_in,
      double label_smoothing_in, std::string_view reduction_in)
      : dloss_(op, "dloss", "*batch or ", dloss_in), logits_(op, "logits", "*batch v", logits_in),
        labels_(op, "labels", "*batch", labels_in), top_(op, "top", "*batch", top_in),
        rest_(op, "rest", "*batch", rest_in), first_(op, "first", "", first_in),
        count_(op, "count", "", count_in), c_(c_in), ignore_index_(ignore_index_in),
        label_smoothing_(label_smoothing_in), reduction_(reduction_in) {
    opgen::at_least(op, "c", c_, 1);
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(logits.dtype)");
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    rest_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    if ((reduction_ == "none")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ == "none")) dloss_.rank_is(0);
    if (batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if (!batch_known) logits_.rank_at_least(1);
    if (!batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    v_ = logits_.size(-1);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    rest_.rank_is(opgen::len(batch_));
    first_.rank_is(0);
    if (count_.present()) count_.rank_is(0);

    if ((reduction_ == "none")) dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(reduction_ == "none")) dloss_.shape_is(opgen::Shape());
    logits_.shape_is(opgen::Shape() << batch_ << v_, ", batch of dloss");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
  }

  opgen::TensorSpec dlogits_() const {
    return {T_, opgen::Shape() << batch_ << v_};
  }

  CrossEntropyBwdPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<CrossEntropyBwdPartDescriptor>();
    if (batch_.bound()) fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.v, "v", v_);
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
