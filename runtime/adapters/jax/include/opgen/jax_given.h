// The operands of a custom call, some of which may be absent.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "opgen/jax.h"

namespace opgen::jax {

/// A list of operands or results.
class OperandList final : public Sliced {
 public:
  OperandList(const char* op, const char* name, const std::vector<ffi::AnyBuffer>& given,
              int64_t batch_dims)
      : op_(op), name_(name) {
    for (const ffi::AnyBuffer& each : given) items_.emplace_back(op, name, each, batch_dims);
    for (const Operand& each : items_) buffers_.push_back(each.buffer);
    buffer.items = buffers_.data();
    buffer.count = static_cast<int64_t>(buffers_.size());
  }
  OperandList(const OperandList&) = delete;

  bool present() const override { return buffer.count > 0; }

  Sizes batch() const override { return items_.front().batch(); }

  /// Checks that results, which XLA has allocated, have the shapes and dtypes that the call
  /// computed.
  void expect(const std::vector<TensorSpec>& specs) {
    for (size_t i = 0; i < items_.size() && i < specs.size(); ++i) items_[i].expect(specs[i]);
    if (items_.size() != specs.size()) {
      refuse(op_, ": ", name_, ": expected ", specs.size(), " results, got ", items_.size());
    }
  }

  /// Sets the memory order of each tensor's dims, which is the order that XLA was asked for.
  template <class OrderOf>
  void lay_out(const OrderOf& order) {
    for (size_t i = 0; i < items_.size(); ++i) items_[i].lay_out(order(static_cast<int64_t>(i)));
  }

  void fits(Sizes batch) const override {
    for (const Operand& each : items_) each.fits(batch);
  }

  void seek(int64_t slice, Sizes batch) override {
    for (size_t i = 0; i < items_.size(); ++i) {
      items_[i].seek(slice, batch);
      buffers_[i] = items_[i].buffer;
    }
  }

  BufferList buffer;

 private:
  const char* op_;
  const char* name_;
  std::deque<Operand> items_;
  std::vector<Buffer> buffers_;
};

/// Returns the operands of one call, in the order of the op's inputs and results.
///
/// The attribute `given` has a number for each input and then for each result: 1 if it is present,
/// 0 if it is absent, or the length of a list. An attribute that is None is absent too.
class Given {
 public:
  Given(const char* op, const ffi::Dictionary& attrs, const ffi::RemainingArgs& args,
        const ffi::RemainingRets& rets)
      : op_(op),
        attrs_(attrs),
        args_(args),
        rets_(rets),
        batch_dims_(attr<int64_t>("batch_dims")),
        given_(attr<ffi::Span<const int64_t>>("given")) {}

  Operand input(const char* name) {
    if (next() == 0) return Operand(op_, name);
    return Operand(op_, name, value(args_.get<ffi::AnyBuffer>(arg_++)), batch_dims_);
  }

  Operand result(const char* name) {
    if (next_result() == 0) return Operand(op_, name);
    return Operand(op_, name, *value(rets_.get<ffi::AnyBuffer>(ret_++)), batch_dims_);
  }

  /// Returns an input for which the call decides whether it is written.
  std::optional<ffi::AnyBuffer> read() {
    if (next() == 0) return std::nullopt;
    return value(args_.get<ffi::AnyBuffer>(arg_++));
  }

  /// Returns the operand for that input: the result that reuses the input's memory, or the input
  /// itself if it is not written.
  Operand updated(const char* name, const std::optional<ffi::AnyBuffer>& read) {
    const bool written = next_result() > 0;
    if (!written && !read) return Operand(op_, name);
    if (!written) return Operand(op_, name, *read, batch_dims_);
    return Operand(op_, name, *value(rets_.get<ffi::AnyBuffer>(ret_++)), batch_dims_);
  }

  OperandList inputs(const char* name) { return OperandList(op_, name, reads(), batch_dims_); }

  /// Returns a list for which the call decides whether its tensors are written.
  std::vector<ffi::AnyBuffer> reads() {
    std::vector<ffi::AnyBuffer> found;
    for (int64_t left = next(); left > 0; --left) {
      found.push_back(value(args_.get<ffi::AnyBuffer>(arg_++)));
    }
    return found;
  }

  /// Returns the operands for that list: the results that reuse its memory, or the list itself if
  /// it is not written.
  OperandList updated(const char* name, const std::vector<ffi::AnyBuffer>& read) {
    const int64_t count = next_result();
    return OperandList(op_, name, count > 0 ? made(count) : read, batch_dims_);
  }

  OperandList results(const char* name) {
    return OperandList(op_, name, made(next_result()), batch_dims_);
  }

  /// Mask of the present results that can be absent: bit i stands for the i-th.
  int64_t wanted() const { return wanted_; }

  template <class T>
  T attr(const char* name) const {
    return value(attrs_.get<T>(name));
  }

  template <class T>
  std::optional<T> maybe(const char* name) const {
    if (!attrs_.contains(name)) return std::nullopt;
    return attr<T>(name);
  }

 private:
  std::vector<ffi::AnyBuffer> made(int64_t count) {
    std::vector<ffi::AnyBuffer> found;
    for (; count > 0; --count) found.push_back(*value(rets_.get<ffi::AnyBuffer>(ret_++)));
    return found;
  }

  int64_t next() {
    if (at_ >= given_.size()) refuse(op_, ": the attribute 'given' is too short");
    return given_.begin()[at_++];
  }

  int64_t next_result() {
    const int64_t count = next();
    wanted_ |= int64_t{count > 0} << results_++;
    return count;
  }

  template <class T>
  static T value(ffi::ErrorOr<T> found) {
    if (found.has_error()) throw std::invalid_argument(found.error().message());
    return *found;
  }

  const char* op_;
  const ffi::Dictionary& attrs_;
  const ffi::RemainingArgs& args_;
  const ffi::RemainingRets& rets_;
  int64_t batch_dims_;
  ffi::Span<const int64_t> given_;
  size_t at_ = 0, arg_ = 0, ret_ = 0;
  int64_t wanted_ = 0, results_ = 0;
};

}  // namespace opgen::jax
