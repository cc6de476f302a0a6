// The checked calls of the linear_cross_entropy family: dtypes, sizes and results from the
// arguments.
// Rendered by opgen from linear_cross_entropy.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "linear_cross_entropy.h"

namespace generated {

/// A call of `linear_cross_entropy`, checked: sizes, results, workspace, descriptor.
struct LinearCrossEntropyCall {
  static constexpr const char* op = "linear_cross_entropy";

  opgen::Argument hidden_;     // T: *batch d
  opgen::Argument weight_;     // T: c d
  opgen::Argument labels_;     // I: *batch
  opgen::Int ignore_index_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int d_;
  opgen::Int c_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCrossEntropyCall(const opgen::Buffer& hidden_in, const opgen::Buffer& weight_in,
                                  const opgen::Buffer& labels_in, opgen::Int ignore_index_in,
                                  std::string_view reduction_in)
      : hidden_(op, "hidden", "*batch d", hidden_in), weight_(op, "weight", "c d", weight_in),
        labels_(op, "labels", "*batch", labels_in), ignore_index_(ignore_index_in),
        reduction_(reduction_in) {
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = hidden_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of hidden");
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);

    hidden_.rank_at_least(1);
    batch_ = hidden_.take(0, 1);
    d_ = hidden_.size(-1);
    weight_.rank_is(2);
    c_ = weight_.size(0);
    labels_.rank_is(opgen::len(batch_));

    weight_.shape_is(opgen::Shape() << c_ << d_, ", d of hidden");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of hidden");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ == "none" ? opgen::Shape() << batch_ : opgen::Shape()};
  }

  opgen::TensorSpec top_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec log_sum_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  bool count_present() const { return reduction_ == "mean"; }

  opgen::TensorSpec count_() const {
    return {Acc_, opgen::Shape()};
  }

  opgen::TensorSpec parts_() const {
    return {Acc_, opgen::Shape() << opgen::Int(3) << opgen::Int(16) << opgen::prod(batch_)};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  LinearCrossEntropyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearCrossEntropyDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `linear_cross_entropy_bwd`, checked: sizes, results, workspace, descriptor.
struct LinearCrossEntropyBwdCall {
  static constexpr const char* op = "linear_cross_entropy_bwd";

  opgen::Argument dloss_;      // Acc: *batch or scalar
  opgen::Argument hidden_;     // T: *batch d
  opgen::Argument weight_;     // T: c d
  opgen::Argument labels_;     // I: *batch
  opgen::Argument top_;        // Acc: *batch
  opgen::Argument log_sum_;    // Acc: *batch
  opgen::Argument count_;      // Acc: scalar
  opgen::Int ignore_index_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int d_;
  opgen::Int c_;
  int64_t wanted;              // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCrossEntropyBwdCall(const opgen::Buffer& dloss_in, const opgen::Buffer& hidden_in,
                                     const opgen::Buffer& weight_in, const opgen::Buffer& labels_in,
                                     const opgen::Buffer& top_in, const opgen::Buffer& log_sum_in,
                                     const opgen::Buffer& count_in, opgen::Int ignore_index_in,
                                     std::string_view reduction_in, int64_t asked = -1)
      : dloss_(op, "dloss", "*batch or ", dloss_in), hidden_(op, "hidden", "*batch d", hidden_in),
        weight_(op, "weight", "c d", weight_in), labels_(op, "labels", "*batch", labels_in),
        top_(op, "top", "*batch", top_in), log_sum_(op, "log_sum", "*batch", log_sum_in),
        count_(op, "count", "", count_in), ignore_index_(ignore_index_in), reduction_(reduction_in),
        wanted(asked) {
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = hidden_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of hidden");
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(hidden.dtype)");
    top_.dtype_is(Acc_, ", accum(hidden.dtype)");
    log_sum_.dtype_is(Acc_, ", accum(hidden.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(hidden.dtype)");

    bool batch_known = false;
    if ((reduction_ == "none")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ == "none")) dloss_.rank_is(0);
    if (batch_known) hidden_.rank_is(opgen::len(batch_) + 1);
    if (!batch_known) hidden_.rank_at_least(1);
    if (!batch_known) {
      batch_ = hidden_.take(0, 1);
      batch_known = true;
    }
    d_ = hidden_.size(-1);
    weight_.rank_is(2);
    c_ = weight_.size(0);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    log_sum_.rank_is(opgen::len(batch_));
    if (count_.present()) count_.rank_is(0);

    if ((reduction_ == "none")) dloss_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
    if (!(reduction_ == "none")) dloss_.shape_is(opgen::Shape());
    hidden_.shape_is(opgen::Shape() << batch_ << d_, ", batch of dloss");
    weight_.shape_is(opgen::Shape() << c_ << d_, ", d of hidden");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");
    top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");
    log_sum_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  bool dhidden_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dhidden_() const {
    return {Acc_, opgen::Shape() << batch_ << d_};
  }

  bool dweight_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << c_ << d_};
  }

  opgen::TensorSpec dlogits_() const {
    return {Acc_, opgen::Shape() << opgen::prod(batch_) << opgen::min(c_, opgen::Int(1024))};
  }

  LinearCrossEntropyBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearCrossEntropyBwdDescriptor>();
    if (batch_.bound()) fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.c, "c", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `linear_cross_entropy_terms`, checked: sizes, results, workspace, descriptor.
struct LinearCrossEntropyTermsCall {
  static constexpr const char* op = "linear_cross_entropy_terms";

  opgen::Argument hidden_;  // T: *batch d
  opgen::Argument weight_;  // T: v d
  opgen::Argument labels_;  // I: *batch
  opgen::Argument first_;   // i64: scalar
  opgen::Int c_;            // The number of classes on all shards.
  opgen::Int ignore_index_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;  // accum(T)
  opgen::Sizes batch_;
  opgen::Int d_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCrossEntropyTermsCall(
      const opgen::Buffer& hidden_in, const opgen::Buffer& weight_in,
      const opgen::Buffer& labels_in, const opgen::Buffer& first_in, opgen::Int c_in,
      opgen::Int ignore_index_in)
      : hidden_(op, "hidden", "*batch d", hidden_in), weight_(op, "weight", "v d", weight_in),
        labels_(op, "labels", "*batch", labels_in), first_(op, "first", "", first_in), c_(c_in),
        ignore_index_(ignore_index_in) {
    opgen::at_least(op, "c", c_, 1);

    T_ = hidden_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of hidden");
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);

    hidden_.rank_at_least(1);
    batch_ = hidden_.take(0, 1);
    d_ = hidden_.size(-1);
    weight_.rank_is(2);
    v_ = weight_.size(0);
    labels_.rank_is(opgen::len(batch_));
    first_.rank_is(0);

    weight_.shape_is(opgen::Shape() << v_ << d_, ", d of hidden");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of hidden");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec top_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec total_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec at_label_() const {
    return {Acc_, opgen::Shape() << batch_};
  }

  opgen::TensorSpec parts_() const {
    return {Acc_, opgen::Shape() << opgen::Int(3) << opgen::Int(16) << opgen::prod(batch_)};
  }

  LinearCrossEntropyTermsDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearCrossEntropyTermsDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.v, "v", v_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.c, "c", c_);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `linear_cross_entropy_loss`, checked: sizes, results, workspace, descriptor.
struct LinearCrossEntropyLossCall {
  static constexpr const char* op = "linear_cross_entropy_loss";

  opgen::Argument hidden_;     // T: *batch d
  opgen::Argument labels_;     // I: *batch
  opgen::Argument top_;        // Acc: *batch
  opgen::Argument total_;      // Acc: *batch
  opgen::Argument at_label_;   // Acc: *batch
  opgen::Int ignore_index_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int d_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCrossEntropyLossCall(
      const opgen::Buffer& hidden_in, const opgen::Buffer& labels_in, const opgen::Buffer& top_in,
      const opgen::Buffer& total_in, const opgen::Buffer& at_label_in, opgen::Int ignore_index_in,
      std::string_view reduction_in)
      : hidden_(op, "hidden", "*batch d", hidden_in), labels_(op, "labels", "*batch", labels_in),
        top_(op, "top", "*batch", top_in), total_(op, "total", "*batch", total_in),
        at_label_(op, "at_label", "*batch", at_label_in), ignore_index_(ignore_index_in),
        reduction_(reduction_in) {
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = hidden_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(hidden.dtype)");
    total_.dtype_is(Acc_, ", accum(hidden.dtype)");
    at_label_.dtype_is(Acc_, ", accum(hidden.dtype)");

    hidden_.rank_at_least(1);
    batch_ = hidden_.take(0, 1);
    d_ = hidden_.size(-1);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    total_.rank_is(opgen::len(batch_));
    at_label_.rank_is(opgen::len(batch_));

    labels_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
    top_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
    total_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
    at_label_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ == "none" ? opgen::Shape() << batch_ : opgen::Shape()};
  }

  opgen::TensorSpec log_sum_() const {
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

  LinearCrossEntropyLossDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearCrossEntropyLossDescriptor>();
    fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

/// A call of `linear_cross_entropy_bwd_part`, checked: sizes, results, workspace, descriptor.
struct LinearCrossEntropyBwdPartCall {
  static constexpr const char* op = "linear_cross_entropy_bwd_part";

  opgen::Argument dloss_;      // Acc: *batch or scalar
  opgen::Argument hidden_;     // T: *batch d
  opgen::Argument weight_;     // T: v d
  opgen::Argument labels_;     // I: *batch
  opgen::Argument top_;        // Acc: *batch
  opgen::Argument log_sum_;    // Acc: *batch
  opgen::Argument first_;      // i64: scalar
  opgen::Argument count_;      // Acc: scalar
  opgen::Int c_;               // The number of classes on all shards.
  opgen::Int ignore_index_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int d_;
  opgen::Int v_;
  int64_t wanted;              // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit LinearCrossEntropyBwdPartCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& hidden_in, const opgen::Buffer& weight_in,
      const opgen::Buffer& labels_in, const opgen::Buffer& top_in, const opgen::Buffer& log_sum_in,
      const opgen::Buffer& first_in, const opgen::Buffer& count_in, opgen::Int c_in,
      opgen::Int ignore_index_in, std::string_view reduction_in, int64_t asked = -1)
      : dloss_(op, "dloss", "*batch or ", dloss_in), hidden_(op, "hidden", "*batch d", hidden_in),
        weight_(op, "weight", "v d", weight_in), labels_(op, "labels", "*batch", labels_in),
        top_(op, "top", "*batch", top_in), log_sum_(op, "log_sum", "*batch", log_sum_in),
        first_(op, "first", "", first_in), count_(op, "count", "", count_in), c_(c_in),
        ignore_index_(ignore_index_in), reduction_(reduction_in), wanted(asked) {
    opgen::at_least(op, "c", c_, 1);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = hidden_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    weight_.dtype_is(T_, ", the dtype of hidden");
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(hidden.dtype)");
    top_.dtype_is(Acc_, ", accum(hidden.dtype)");
    log_sum_.dtype_is(Acc_, ", accum(hidden.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(hidden.dtype)");

    bool batch_known = false;
    if ((reduction_ == "none")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ == "none")) dloss_.rank_is(0);
    if (batch_known) hidden_.rank_is(opgen::len(batch_) + 1);
    if (!batch_known) hidden_.rank_at_least(1);
    if (!batch_known) {
      batch_ = hidden_.take(0, 1);
      batch_known = true;
    }
    d_ = hidden_.size(-1);
    weight_.rank_is(2);
    v_ = weight_.size(0);
    labels_.rank_is(opgen::len(batch_));
    top_.rank_is(opgen::len(batch_));
    log_sum_.rank_is(opgen::len(batch_));
    first_.rank_is(0);
    if (count_.present()) count_.rank_is(0);

    if ((reduction_ == "none")) dloss_.shape_is(opgen::Shape() << batch_, ", batch of hidden");
    if (!(reduction_ == "none")) dloss_.shape_is(opgen::Shape());
    hidden_.shape_is(opgen::Shape() << batch_ << d_, ", batch of dloss");
    weight_.shape_is(opgen::Shape() << v_ << d_, ", d of hidden");
    labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");
    top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");
    log_sum_.shape_is(opgen::Shape() << batch_, ", batch of dloss or hidden");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  bool dhidden_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dhidden_() const {
    return {Acc_, opgen::Shape() << batch_ << d_};
  }

  bool dweight_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dweight_() const {
    return {T_, opgen::Shape() << v_ << d_};
  }

  opgen::TensorSpec dlogits_() const {
    return {Acc_, opgen::Shape() << opgen::prod(batch_) << opgen::min(v_, opgen::Int(1024))};
  }

  LinearCrossEntropyBwdPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<LinearCrossEntropyBwdPartDescriptor>();
    if (batch_.bound()) fill(desc.batch, "batch", opgen::prod(batch_));
    fill(desc.batch_rank, "batch_rank", opgen::len(batch_));
    fill(desc.d, "d", d_);
    fill(desc.v, "v", v_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    fill(desc.c, "c", c_);
    fill(desc.reduction, "reduction", reduction_position);
    fill(desc.T, "T", T_);
    fill(desc.I, "I", I_);
    fill(desc.Acc, "Acc", Acc_);
    return desc;
  }
};

}  // namespace generated
