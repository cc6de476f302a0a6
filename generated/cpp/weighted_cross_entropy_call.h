// The checked calls of the weighted_cross_entropy family: dtypes, sizes and results from the
// arguments.
// Rendered by opgen from weighted_cross_entropy.toml.
#pragma once

#include <string_view>

#include "opgen/call.h"
#include "weighted_cross_entropy.h"

namespace generated {

/// A call of `weighted_cross_entropy`, checked: sizes, results, workspace, descriptor.
struct WeightedCrossEntropyCall {
  static constexpr const char* op = "weighted_cross_entropy";

  opgen::Argument logits_;     // T: *batch c or n c *d
  opgen::Argument labels_;     // I: *batch or n *d
  opgen::Argument weight_;     // Acc: c
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  // The dim of `logits` that holds the classes. In PyTorch's function it is the second.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::Int ignore_index_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int c_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WeightedCrossEntropyCall(const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
                                    const opgen::Buffer& weight_in, double label_smoothing_in,
                                    std::string_view reduction_in, std::string_view classes_in,
                                    opgen::Int ignore_index_in)
      : logits_(op, "logits", "*batch c or n c *d", logits_in),
        labels_(op, "labels", "*batch or n *d", labels_in), weight_(op, "weight", "c", weight_in),
        label_smoothing_(label_smoothing_in), reduction_(reduction_in), classes_(classes_in),
        ignore_index_(ignore_index_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) c_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) c_ = logits_.size(1);
    if ((classes_ == "last")) labels_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) labels_.rank_is(opgen::len(d_) + 1);
    if (weight_.present()) weight_.rank_is(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << c_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << c_ << d_);
    if ((classes_ == "last")) labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << c_, ", c of logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ != "none" ? opgen::Shape()
                                       : reduction_ == "none" && classes_ == "last" ? opgen::Shape()
                                                                                          << batch_
                                       : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec top_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec mass_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  bool count_present() const { return reduction_ == "mean"; }

  opgen::TensorSpec count_() const {
    return {Acc_, opgen::Shape()};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  WeightedCrossEntropyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WeightedCrossEntropyDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", c_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    return desc;
  }
};

/// A call of `weighted_cross_entropy_bwd`, checked: sizes, results, workspace, descriptor.
struct WeightedCrossEntropyBwdCall {
  static constexpr const char* op = "weighted_cross_entropy_bwd";

  opgen::Argument dloss_;      // Acc: scalar or *batch or n *d
  opgen::Argument logits_;     // T: *batch c or n c *d
  opgen::Argument labels_;     // I: *batch or n *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument rest_;       // Acc: *batch or n *d
  opgen::Argument mass_;       // Acc: *batch or n *d
  opgen::Argument count_;      // Acc: scalar
  opgen::Argument weight_;     // Acc: c
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  // The dim of `logits` that holds the classes. In PyTorch's function it is the second.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::Int ignore_index_;
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes d_;
  opgen::Int n_;
  opgen::Int c_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WeightedCrossEntropyBwdCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& mass_in,
      const opgen::Buffer& count_in, const opgen::Buffer& weight_in, double label_smoothing_in,
      std::string_view reduction_in, std::string_view classes_in, opgen::Int ignore_index_in)
      : dloss_(op, "dloss", " or *batch or n *d", dloss_in),
        logits_(op, "logits", "*batch c or n c *d", logits_in),
        labels_(op, "labels", "*batch or n *d", labels_in),
        top_(op, "top", "*batch or n *d", top_in), rest_(op, "rest", "*batch or n *d", rest_in),
        mass_(op, "mass", "*batch or n *d", mass_in), count_(op, "count", "", count_in),
        weight_(op, "weight", "c", weight_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in), classes_(classes_in), ignore_index_(ignore_index_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(logits.dtype)");
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    rest_.dtype_is(Acc_, ", accum(logits.dtype)");
    mass_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    bool d_known = false;
    bool n_known = false;
    if ((reduction_ != "none")) dloss_.rank_is(0);
    if ((reduction_ == "none" && classes_ == "last")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.rank_at_least(1);
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      d_ = dloss_.take(1, 0);
      d_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      n_ = dloss_.size(0);
      n_known = true;
    }
    if ((classes_ == "last") && batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if ((classes_ == "last") && !batch_known) logits_.rank_at_least(1);
    if ((classes_ == "last") && !batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    if ((classes_ == "last")) c_ = logits_.size(-1);
    if (!(classes_ == "last") && d_known) logits_.rank_is(opgen::len(d_) + 2);
    if (!(classes_ == "last") && !d_known) logits_.rank_at_least(2);
    if (!(classes_ == "last") && !d_known) {
      d_ = logits_.take(2, 0);
      d_known = true;
    }
    if (!(classes_ == "last") && !n_known) {
      n_ = logits_.size(0);
      n_known = true;
    }
    if (!(classes_ == "last")) c_ = logits_.size(1);
    if ((classes_ == "last")) labels_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) labels_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) rest_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) rest_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) mass_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) mass_.rank_is(opgen::len(d_) + 1);
    if (count_.present()) count_.rank_is(0);
    if (weight_.present()) weight_.rank_is(1);

    if ((reduction_ != "none")) dloss_.shape_is(opgen::Shape());
    if ((reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << c_, ", batch of dloss");
    if (!(classes_ == "last")) {
      logits_.shape_is(opgen::Shape() << n_ << c_ << d_, ", n of dloss, d of dloss");
    }
    if ((classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << c_, ", c of logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec dlogits_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << c_ : opgen::Shape() << n_ << c_ << d_};
  }

  WeightedCrossEntropyBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WeightedCrossEntropyBwdDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", c_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    return desc;
  }
};

/// A call of `soft_cross_entropy`, checked: sizes, results, workspace, descriptor.
struct SoftCrossEntropyCall {
  static constexpr const char* op = "soft_cross_entropy";

  opgen::Argument logits_;     // T: *batch c or n c *d
  opgen::Argument target_;     // T: *batch c or n c *d
  opgen::Argument weight_;     // Acc: c
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  // The dim of `logits` that holds the classes. In PyTorch's function it is the second.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int c_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SoftCrossEntropyCall(const opgen::Buffer& logits_in, const opgen::Buffer& target_in,
                                const opgen::Buffer& weight_in, double label_smoothing_in,
                                std::string_view reduction_in, std::string_view classes_in)
      : logits_(op, "logits", "*batch c or n c *d", logits_in),
        target_(op, "target", "*batch c or n c *d", target_in),
        weight_(op, "weight", "c", weight_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in), classes_(classes_in) {
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    target_.dtype_is(T_, ", the dtype of logits");
    Acc_ = opgen::accum(T_);
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) c_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) c_ = logits_.size(1);
    if ((classes_ == "last")) target_.rank_is(opgen::len(batch_) + 1);
    if (!(classes_ == "last")) target_.rank_is(opgen::len(d_) + 2);
    if (weight_.present()) weight_.rank_is(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << c_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << c_ << d_);
    if ((classes_ == "last")) {
      target_.shape_is(opgen::Shape() << batch_ << c_, ", batch of logits, c of logits");
    }
    if (!(classes_ == "last")) {
      target_.shape_is(opgen::Shape() << n_ << c_ << d_, ", n of logits, c of logits, d of logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << c_, ", c of logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ != "none" ? opgen::Shape()
                                       : reduction_ == "none" && classes_ == "last" ? opgen::Shape()
                                                                                          << batch_
                                       : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec top_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec mass_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  SoftCrossEntropyDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SoftCrossEntropyDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", c_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.divisor, "divisor", reduction_ == "mean" ? opgen::numel(logits_) / c_ : 1);
    return desc;
  }
};

/// A call of `soft_cross_entropy_bwd`, checked: sizes, results, workspace, descriptor.
struct SoftCrossEntropyBwdCall {
  static constexpr const char* op = "soft_cross_entropy_bwd";

  opgen::Argument dloss_;      // Acc: scalar or *batch or n *d
  opgen::Argument logits_;     // T: *batch c or n c *d
  opgen::Argument target_;     // T: *batch c or n c *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument rest_;       // Acc: *batch or n *d
  opgen::Argument mass_;       // Acc: *batch or n *d
  opgen::Argument weight_;     // Acc: c
  opgen::Int positions_;       // The number of positions on all shards, by which a mean divides.
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  // The dim of `logits` that holds the classes. In PyTorch's function it is the second.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes d_;
  opgen::Int n_;
  opgen::Int c_;
  int64_t wanted;              // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SoftCrossEntropyBwdCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& target_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& mass_in,
      const opgen::Buffer& weight_in, opgen::Int positions_in, double label_smoothing_in,
      std::string_view reduction_in, std::string_view classes_in, int64_t asked = -1)
      : dloss_(op, "dloss", " or *batch or n *d", dloss_in),
        logits_(op, "logits", "*batch c or n c *d", logits_in),
        target_(op, "target", "*batch c or n c *d", target_in),
        top_(op, "top", "*batch or n *d", top_in), rest_(op, "rest", "*batch or n *d", rest_in),
        mass_(op, "mass", "*batch or n *d", mass_in), weight_(op, "weight", "c", weight_in),
        positions_(positions_in), label_smoothing_(label_smoothing_in), reduction_(reduction_in),
        classes_(classes_in), wanted(asked) {
    opgen::at_least(op, "positions", positions_, 1);
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    target_.dtype_is(T_, ", the dtype of logits");
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(logits.dtype)");
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    rest_.dtype_is(Acc_, ", accum(logits.dtype)");
    mass_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    bool d_known = false;
    bool n_known = false;
    if ((reduction_ != "none")) dloss_.rank_is(0);
    if ((reduction_ == "none" && classes_ == "last")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.rank_at_least(1);
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      d_ = dloss_.take(1, 0);
      d_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      n_ = dloss_.size(0);
      n_known = true;
    }
    if ((classes_ == "last") && batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if ((classes_ == "last") && !batch_known) logits_.rank_at_least(1);
    if ((classes_ == "last") && !batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    if ((classes_ == "last")) c_ = logits_.size(-1);
    if (!(classes_ == "last") && d_known) logits_.rank_is(opgen::len(d_) + 2);
    if (!(classes_ == "last") && !d_known) logits_.rank_at_least(2);
    if (!(classes_ == "last") && !d_known) {
      d_ = logits_.take(2, 0);
      d_known = true;
    }
    if (!(classes_ == "last") && !n_known) {
      n_ = logits_.size(0);
      n_known = true;
    }
    if (!(classes_ == "last")) c_ = logits_.size(1);
    if ((classes_ == "last")) target_.rank_is(opgen::len(batch_) + 1);
    if (!(classes_ == "last")) target_.rank_is(opgen::len(d_) + 2);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) rest_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) rest_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) mass_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) mass_.rank_is(opgen::len(d_) + 1);
    if (weight_.present()) weight_.rank_is(1);

    if ((reduction_ != "none")) dloss_.shape_is(opgen::Shape());
    if ((reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << c_, ", batch of dloss");
    if (!(classes_ == "last")) {
      logits_.shape_is(opgen::Shape() << n_ << c_ << d_, ", n of dloss, d of dloss");
    }
    if ((classes_ == "last")) {
      target_.shape_is(opgen::Shape() << batch_ << c_, ", batch of dloss or logits, c of logits");
    }
    if (!(classes_ == "last")) {
      target_.shape_is(opgen::Shape() << n_ << c_ << d_,
                       ", n of dloss or logits, c of logits, d of dloss or logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << c_, ", c of logits");

    opgen::require(c_ > 0, op, "at least one class", "c", c_);
  }

  bool dlogits_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dlogits_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << c_ : opgen::Shape() << n_ << c_ << d_};
  }

  bool dtarget_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dtarget_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << c_ : opgen::Shape() << n_ << c_ << d_};
  }

  SoftCrossEntropyBwdDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SoftCrossEntropyBwdDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", c_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.divisor, "divisor", reduction_ == "mean" ? positions_ : 1);
    return desc;
  }
};

/// A call of `class_top`, checked: sizes, results, workspace, descriptor.
struct ClassTopCall {
  static constexpr const char* op = "class_top";

  opgen::Argument logits_;   // T: *batch v or n v *d
  std::string_view classes_;
  int64_t classes_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;   // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ClassTopCall(const opgen::Buffer& logits_in, std::string_view classes_in)
      : logits_(op, "logits", "*batch v or n v *d", logits_in), classes_(classes_in) {
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) v_ = logits_.size(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << v_ << d_);

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec top_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  ClassTopDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ClassTopDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    return desc;
  }
};

/// A call of `class_total`, checked: sizes, results, workspace, descriptor.
struct ClassTotalCall {
  static constexpr const char* op = "class_total";

  opgen::Argument logits_;   // T: *batch v or n v *d
  opgen::Argument top_;      // Acc: *batch or n *d
  std::string_view classes_;
  int64_t classes_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;   // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit ClassTotalCall(const opgen::Buffer& logits_in, const opgen::Buffer& top_in,
                          std::string_view classes_in)
      : logits_(op, "logits", "*batch v or n v *d", logits_in),
        top_(op, "top", "*batch or n *d", top_in), classes_(classes_in) {
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << v_ << d_);
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec total_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  ClassTotalDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<ClassTotalDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    return desc;
  }
};

/// A call of `soft_cross_entropy_part`, checked: sizes, results, workspace, descriptor.
struct SoftCrossEntropyPartCall {
  static constexpr const char* op = "soft_cross_entropy_part";

  opgen::Argument logits_;     // T: *batch v or n v *d
  opgen::Argument target_;     // T: *batch v or n v *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument total_;      // Acc: *batch or n *d
  opgen::Argument weight_;     // Acc: v
  opgen::Int c_;               // The number of classes on all shards.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SoftCrossEntropyPartCall(
      const opgen::Buffer& logits_in, const opgen::Buffer& target_in, const opgen::Buffer& top_in,
      const opgen::Buffer& total_in, const opgen::Buffer& weight_in, opgen::Int c_in,
      std::string_view classes_in, double label_smoothing_in, std::string_view reduction_in)
      : logits_(op, "logits", "*batch v or n v *d", logits_in),
        target_(op, "target", "*batch v or n v *d", target_in),
        top_(op, "top", "*batch or n *d", top_in), total_(op, "total", "*batch or n *d", total_in),
        weight_(op, "weight", "v", weight_in), c_(c_in), classes_(classes_in),
        label_smoothing_(label_smoothing_in), reduction_(reduction_in) {
    opgen::at_least(op, "c", c_, 1);
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    target_.dtype_is(T_, ", the dtype of logits");
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    total_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) target_.rank_is(opgen::len(batch_) + 1);
    if (!(classes_ == "last")) target_.rank_is(opgen::len(d_) + 2);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) total_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) total_.rank_is(opgen::len(d_) + 1);
    if (weight_.present()) weight_.rank_is(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << v_ << d_);
    if ((classes_ == "last")) {
      target_.shape_is(opgen::Shape() << batch_ << v_, ", batch of logits, v of logits");
    }
    if (!(classes_ == "last")) {
      target_.shape_is(opgen::Shape() << n_ << v_ << d_, ", n of logits, v of logits, d of logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) total_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      total_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << v_, ", v of logits");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ != "none" ? opgen::Shape()
                                       : reduction_ == "none" && classes_ == "last" ? opgen::Shape()
                                                                                          << batch_
                                       : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec mass_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  SoftCrossEntropyPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SoftCrossEntropyPartDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.classes, "classes", c_);
    fill(desc.divisor, "divisor", reduction_ == "mean" ? opgen::numel(logits_) / v_ : 1);
    return desc;
  }
};

/// A call of `soft_cross_entropy_bwd_part`, checked: sizes, results, workspace, descriptor.
struct SoftCrossEntropyBwdPartCall {
  static constexpr const char* op = "soft_cross_entropy_bwd_part";

  opgen::Argument dloss_;      // Acc: scalar or *batch or n *d
  opgen::Argument logits_;     // T: *batch v or n v *d
  opgen::Argument target_;     // T: *batch v or n v *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument rest_;       // Acc: *batch or n *d
  opgen::Argument mass_;       // Acc: *batch or n *d
  opgen::Argument weight_;     // Acc: v
  opgen::Int c_;               // The number of classes on all shards.
  opgen::Int positions_;       // The number of positions on all shards, by which a mean divides.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes d_;
  opgen::Int n_;
  opgen::Int v_;
  int64_t wanted;              // bit i: whether result i is asked for

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit SoftCrossEntropyBwdPartCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& target_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& mass_in,
      const opgen::Buffer& weight_in, opgen::Int c_in, opgen::Int positions_in,
      std::string_view classes_in, double label_smoothing_in, std::string_view reduction_in,
      int64_t asked = -1)
      : dloss_(op, "dloss", " or *batch or n *d", dloss_in),
        logits_(op, "logits", "*batch v or n v *d", logits_in),
        target_(op, "target", "*batch v or n v *d", target_in),
        top_(op, "top", "*batch or n *d", top_in), rest_(op, "rest", "*batch or n *d", rest_in),
        mass_(op, "mass", "*batch or n *d", mass_in), weight_(op, "weight", "v", weight_in),
        c_(c_in), positions_(positions_in), classes_(classes_in),
        label_smoothing_(label_smoothing_in), reduction_(reduction_in), wanted(asked) {
    opgen::at_least(op, "c", c_, 1);
    opgen::at_least(op, "positions", positions_, 1);
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    target_.dtype_is(T_, ", the dtype of logits");
    Acc_ = opgen::accum(T_);
    dloss_.dtype_is(Acc_, ", accum(logits.dtype)");
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    rest_.dtype_is(Acc_, ", accum(logits.dtype)");
    mass_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    bool d_known = false;
    bool n_known = false;
    if ((reduction_ != "none")) dloss_.rank_is(0);
    if ((reduction_ == "none" && classes_ == "last")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.rank_at_least(1);
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      d_ = dloss_.take(1, 0);
      d_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      n_ = dloss_.size(0);
      n_known = true;
    }
    if ((classes_ == "last") && batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if ((classes_ == "last") && !batch_known) logits_.rank_at_least(1);
    if ((classes_ == "last") && !batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last") && d_known) logits_.rank_is(opgen::len(d_) + 2);
    if (!(classes_ == "last") && !d_known) logits_.rank_at_least(2);
    if (!(classes_ == "last") && !d_known) {
      d_ = logits_.take(2, 0);
      d_known = true;
    }
    if (!(classes_ == "last") && !n_known) {
      n_ = logits_.size(0);
      n_known = true;
    }
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) target_.rank_is(opgen::len(batch_) + 1);
    if (!(classes_ == "last")) target_.rank_is(opgen::len(d_) + 2);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) rest_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) rest_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) mass_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) mass_.rank_is(opgen::len(d_) + 1);
    if (weight_.present()) weight_.rank_is(1);

    if ((reduction_ != "none")) dloss_.shape_is(opgen::Shape());
    if ((reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_, ", batch of dloss");
    if (!(classes_ == "last")) {
      logits_.shape_is(opgen::Shape() << n_ << v_ << d_, ", n of dloss, d of dloss");
    }
    if ((classes_ == "last")) {
      target_.shape_is(opgen::Shape() << batch_ << v_, ", batch of dloss or logits, v of logits");
    }
    if (!(classes_ == "last")) {
      target_.shape_is(opgen::Shape() << n_ << v_ << d_,
                       ", n of dloss or logits, v of logits, d of dloss or logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << v_, ", v of logits");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  bool dlogits_present() const { return (wanted >> 0 & 1) != 0; }

  opgen::TensorSpec dlogits_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << v_ : opgen::Shape() << n_ << v_ << d_};
  }

  bool dtarget_present() const { return (wanted >> 1 & 1) != 0; }

  opgen::TensorSpec dtarget_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << v_ : opgen::Shape() << n_ << v_ << d_};
  }

  SoftCrossEntropyBwdPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<SoftCrossEntropyBwdPartDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.classes, "classes", c_);
    fill(desc.divisor, "divisor", reduction_ == "mean" ? positions_ : 1);
    return desc;
  }
};

/// A call of `weighted_cross_entropy_total`, checked: sizes, results, workspace, descriptor.
struct WeightedCrossEntropyTotalCall {
  static constexpr const char* op = "weighted_cross_entropy_total";

  opgen::Argument logits_;     // T: *batch v or n v *d
  opgen::Argument labels_;     // I: *batch or n *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument first_;      // i64: scalar
  opgen::Argument weight_;     // Acc: v
  opgen::Int c_;               // The number of classes on all shards.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::Int ignore_index_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WeightedCrossEntropyTotalCall(
      const opgen::Buffer& logits_in, const opgen::Buffer& labels_in, const opgen::Buffer& top_in,
      const opgen::Buffer& first_in, const opgen::Buffer& weight_in, opgen::Int c_in,
      std::string_view classes_in, opgen::Int ignore_index_in, std::string_view reduction_in)
      : logits_(op, "logits", "*batch v or n v *d", logits_in),
        labels_(op, "labels", "*batch or n *d", labels_in),
        top_(op, "top", "*batch or n *d", top_in), first_(op, "first", "", first_in),
        weight_(op, "weight", "v", weight_in), c_(c_in), classes_(classes_in),
        ignore_index_(ignore_index_in), reduction_(reduction_in) {
    opgen::at_least(op, "c", c_, 1);
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) labels_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) labels_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    first_.rank_is(0);
    if (weight_.present()) weight_.rank_is(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << v_ << d_);
    if ((classes_ == "last")) labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << v_, ", v of logits");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec total_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  bool count_present() const { return reduction_ == "mean"; }

  opgen::TensorSpec count_() const {
    return {Acc_, opgen::Shape()};
  }

  WeightedCrossEntropyTotalDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WeightedCrossEntropyTotalDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", 0.0);
    fill(desc.classes, "classes", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    return desc;
  }
};

/// A call of `weighted_cross_entropy_part`, checked: sizes, results, workspace, descriptor.
struct WeightedCrossEntropyPartCall {
  static constexpr const char* op = "weighted_cross_entropy_part";

  opgen::Argument logits_;     // T: *batch v or n v *d
  opgen::Argument labels_;     // I: *batch or n *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument total_;      // Acc: *batch or n *d
  opgen::Argument first_;      // i64: scalar
  opgen::Argument count_;      // Acc: scalar
  opgen::Argument weight_;     // Acc: v
  opgen::Int c_;               // The number of classes on all shards.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Int v_;
  opgen::Sizes d_;
  opgen::Int n_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WeightedCrossEntropyPartCall(
      const opgen::Buffer& logits_in, const opgen::Buffer& labels_in, const opgen::Buffer& top_in,
      const opgen::Buffer& total_in, const opgen::Buffer& first_in, const opgen::Buffer& count_in,
      const opgen::Buffer& weight_in, opgen::Int c_in, std::string_view classes_in,
      opgen::Int ignore_index_in, double label_smoothing_in, std::string_view reduction_in)
      : logits_(op, "logits", "*batch v or n v *d", logits_in),
        labels_(op, "labels", "*batch or n *d", labels_in),
        top_(op, "top", "*batch or n *d", top_in), total_(op, "total", "*batch or n *d", total_in),
        first_(op, "first", "", first_in), count_(op, "count", "", count_in),
        weight_(op, "weight", "v", weight_in), c_(c_in), classes_(classes_in),
        ignore_index_(ignore_index_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in) {
    opgen::at_least(op, "c", c_, 1);
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");
    opgen::at_least(op, "label_smoothing", label_smoothing_, 0.0);
    opgen::at_most(op, "label_smoothing", label_smoothing_, 1.0);
    reduction_position = opgen::choice(op, "reduction", reduction_, "none", "mean", "sum");

    count_.present_when(reduction_ == "mean", "reduction == 'mean'");

    T_ = logits_.dtype_in(opgen::types(opgen::ElementType::F32, opgen::ElementType::BF16,
                                       opgen::ElementType::F16, opgen::ElementType::F64));
    I_ = labels_.dtype_in(opgen::types(opgen::ElementType::I64, opgen::ElementType::I32));
    first_.dtype_is(opgen::ElementType::I64, "");
    Acc_ = opgen::accum(T_);
    top_.dtype_is(Acc_, ", accum(logits.dtype)");
    total_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    if ((classes_ == "last")) logits_.rank_at_least(1);
    if ((classes_ == "last")) batch_ = logits_.take(0, 1);
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last")) logits_.rank_at_least(2);
    if (!(classes_ == "last")) d_ = logits_.take(2, 0);
    if (!(classes_ == "last")) n_ = logits_.size(0);
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) labels_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) labels_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) total_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) total_.rank_is(opgen::len(d_) + 1);
    first_.rank_is(0);
    if (count_.present()) count_.rank_is(0);
    if (weight_.present()) weight_.rank_is(1);

    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_);
    if (!(classes_ == "last")) logits_.shape_is(opgen::Shape() << n_ << v_ << d_);
    if ((classes_ == "last")) labels_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) total_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    if (!(classes_ == "last")) {
      total_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << v_, ", v of logits");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec loss_() const {
    return {Acc_, reduction_ != "none" ? opgen::Shape()
                                       : reduction_ == "none" && classes_ == "last" ? opgen::Shape()
                                                                                          << batch_
                                       : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec rest_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  opgen::TensorSpec mass_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  bool losses_present() const { return reduction_ != "none"; }

  opgen::TensorSpec losses_() const {
    return {Acc_, classes_ == "last" ? opgen::Shape() << batch_ : opgen::Shape() << n_ << d_};
  }

  WeightedCrossEntropyPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WeightedCrossEntropyPartDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.classes, "classes", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    return desc;
  }
};

/// A call of `weighted_cross_entropy_bwd_part`, checked: sizes, results, workspace, descriptor.
struct WeightedCrossEntropyBwdPartCall {
  static constexpr const char* op = "weighted_cross_entropy_bwd_part";

  opgen::Argument dloss_;      // Acc: scalar or *batch or n *d
  opgen::Argument logits_;     // T: *batch v or n v *d
  opgen::Argument labels_;     // I: *batch or n *d
  opgen::Argument top_;        // Acc: *batch or n *d
  opgen::Argument rest_;       // Acc: *batch or n *d
  opgen::Argument mass_;       // Acc: *batch or n *d
  opgen::Argument first_;      // i64: scalar
  opgen::Argument count_;      // Acc: scalar
  opgen::Argument weight_;     // Acc: v
  opgen::Int c_;               // The number of classes on all shards.
  std::string_view classes_;
  int64_t classes_position;    // among its choices
  opgen::Int ignore_index_;
  double label_smoothing_;
  std::string_view reduction_;
  int64_t reduction_position;  // among its choices
  opgen::ElementType T_;
  opgen::ElementType I_;
  opgen::ElementType Acc_;     // accum(T)
  opgen::Sizes batch_;
  opgen::Sizes d_;
  opgen::Int n_;
  opgen::Int v_;

  /// Throws opgen::Refused, which names op, argument, expected and got.
  explicit WeightedCrossEntropyBwdPartCall(
      const opgen::Buffer& dloss_in, const opgen::Buffer& logits_in, const opgen::Buffer& labels_in,
      const opgen::Buffer& top_in, const opgen::Buffer& rest_in, const opgen::Buffer& mass_in,
      const opgen::Buffer& first_in, const opgen::Buffer& count_in, const opgen::Buffer& weight_in,
      opgen::Int c_in, std::string_view classes_in, opgen::Int ignore_index_in,
      double label_smoothing_in, std::string_view reduction_in)
      : dloss_(op, "dloss", " or *batch or n *d", dloss_in),
        logits_(op, "logits", "*batch v or n v *d", logits_in),
        labels_(op, "labels", "*batch or n *d", labels_in),
        top_(op, "top", "*batch or n *d", top_in), rest_(op, "rest", "*batch or n *d", rest_in),
        mass_(op, "mass", "*batch or n *d", mass_in), first_(op, "first", "", first_in),
        count_(op, "count", "", count_in), weight_(op, "weight", "v", weight_in), c_(c_in),
        classes_(classes_in), ignore_index_(ignore_index_in), label_smoothing_(label_smoothing_in),
        reduction_(reduction_in) {
    opgen::at_least(op, "c", c_, 1);
    classes_position = opgen::choice(op, "classes", classes_, "last", "second");
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
    mass_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (count_.present()) count_.dtype_is(Acc_, ", accum(logits.dtype)");
    if (weight_.present()) weight_.dtype_is(Acc_, ", accum(logits.dtype)");

    bool batch_known = false;
    bool d_known = false;
    bool n_known = false;
    if ((reduction_ != "none")) dloss_.rank_is(0);
    if ((reduction_ == "none" && classes_ == "last")) {
      batch_ = dloss_.take(0, 0);
      batch_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.rank_at_least(1);
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      d_ = dloss_.take(1, 0);
      d_known = true;
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      n_ = dloss_.size(0);
      n_known = true;
    }
    if ((classes_ == "last") && batch_known) logits_.rank_is(opgen::len(batch_) + 1);
    if ((classes_ == "last") && !batch_known) logits_.rank_at_least(1);
    if ((classes_ == "last") && !batch_known) {
      batch_ = logits_.take(0, 1);
      batch_known = true;
    }
    if ((classes_ == "last")) v_ = logits_.size(-1);
    if (!(classes_ == "last") && d_known) logits_.rank_is(opgen::len(d_) + 2);
    if (!(classes_ == "last") && !d_known) logits_.rank_at_least(2);
    if (!(classes_ == "last") && !d_known) {
      d_ = logits_.take(2, 0);
      d_known = true;
    }
    if (!(classes_ == "last") && !n_known) {
      n_ = logits_.size(0);
      n_known = true;
    }
    if (!(classes_ == "last")) v_ = logits_.size(1);
    if ((classes_ == "last")) labels_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) labels_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) top_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) top_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) rest_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) rest_.rank_is(opgen::len(d_) + 1);
    if ((classes_ == "last")) mass_.rank_is(opgen::len(batch_));
    if (!(classes_ == "last")) mass_.rank_is(opgen::len(d_) + 1);
    first_.rank_is(0);
    if (count_.present()) count_.rank_is(0);
    if (weight_.present()) weight_.rank_is(1);

    if ((reduction_ != "none")) dloss_.shape_is(opgen::Shape());
    if ((reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << batch_, ", batch of logits");
    }
    if (!(reduction_ != "none") && !(reduction_ == "none" && classes_ == "last")) {
      dloss_.shape_is(opgen::Shape() << n_ << d_, ", n of logits, d of logits");
    }
    if ((classes_ == "last")) logits_.shape_is(opgen::Shape() << batch_ << v_, ", batch of dloss");
    if (!(classes_ == "last")) {
      logits_.shape_is(opgen::Shape() << n_ << v_ << d_, ", n of dloss, d of dloss");
    }
    if ((classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      labels_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) top_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    if (!(classes_ == "last")) {
      top_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      rest_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if ((classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << batch_, ", batch of dloss or logits");
    }
    if (!(classes_ == "last")) {
      mass_.shape_is(opgen::Shape() << n_ << d_, ", n of dloss or logits, d of dloss or logits");
    }
    if (weight_.present()) weight_.shape_is(opgen::Shape() << v_, ", v of logits");

    opgen::require(v_ > 0, op, "at least one class", "v", v_);
  }

  opgen::TensorSpec dlogits_() const {
    return {T_,
            classes_ == "last" ? opgen::Shape() << batch_ << v_ : opgen::Shape() << n_ << v_ << d_};
  }

  WeightedCrossEntropyBwdPartDescriptor descriptor() const {
    const opgen::Fill fill{op};
    auto desc = opgen::zeroed<WeightedCrossEntropyBwdPartDescriptor>();
    fill(desc.outer, "outer", classes_ == "last" ? opgen::prod(batch_) : n_);
    fill(desc.c, "c", v_);
    fill(desc.inner, "inner", classes_ == "last" ? 1 : opgen::prod(d_));
    fill(desc.smoothing, "smoothing", label_smoothing_);
    fill(desc.classes, "classes", c_);
    fill(desc.ignore_index, "ignore_index", ignore_index_);
    return desc;
  }
};

}  // namespace generated
