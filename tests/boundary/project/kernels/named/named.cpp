#include "named.h"

namespace boundary::cpu {

template <class Tensor>
opgen::Status offsetof_(const OffsetofView<Tensor>& op) noexcept {
  const int64_t columns = op.desc.v_;
  for (int64_t i = 0; i < op.o.numel(); ++i) {
    const Tensor more = op.type.data ? op.type.data[i % columns] : Tensor(0);
    op.o.data[i] = (op.v.data[i] + more) * Tensor(op.desc.sum);
  }
  op.call.data[0] = double(op.desc.bytes + op.desc.np + op.desc.len);
  return opgen::Status::ok;
}

template <class T, class Module>
opgen::Status new_(const NewView<T, Module>& op) noexcept {
  const auto& desc = op.desc;
  for (int64_t i = 0; i < desc.double_; ++i) {
    for (int64_t j = 0; j < desc.Case; ++j) {
      op.Context.data[i * desc.Case + j] = op.Output.data[i * desc.Case + j] + op.delete_.data[j];
    }
    op.desc_.data[i] = double(desc.errno_) + desc.std_ + double(desc.ctx_[1]);
    op.EOF_.data[i] = 1;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status int_(const IntView<T>& op) noexcept {
  const auto& desc = op.desc;
  for (int64_t j = 0; j < desc.this_; ++j) op.ddelete.data[j] = T(desc.DESCRIPTOR_ - 7);
  for (int64_t i = 0; i < desc.args_; ++i) {
    for (int64_t j = 0; j < desc.this_; ++j) {
      const T value =
          op.dContext.data[i * desc.this_ + j] * T(op.EOF_.data[i] * (op.desc_.data[i] == 4));
      op.dOutput.data[i * desc.this_ + j] = value;
      op.ddelete.data[j] += value;
    }
  }
  return opgen::Status::ok;
}

template <class Tensor>
opgen::Status device(const DeviceView<Tensor>& op) noexcept {
  const double times = op.desc.mode_ * double(1 + op.desc.mode) * (op.desc.device ? 1 : 0);
  for (int64_t i = 0; i < op.desc.results; ++i) {
    op.each.data[i] += Tensor(times * op.TensorSpec.data[i]) + Tensor(op.desc.ctx_);
  }
  return opgen::Status::ok;
}

template <class Tensor>
opgen::Status sum(const SumView<Tensor>& op) noexcept {
  const auto& desc = op.desc;
  const int64_t step = op.error.rank > 0;
  for (int64_t i = 0; i < desc.prod; ++i) {
    const double more = desc.ValueError ? 0 : desc.type;
    op.saved.data[i] = Tensor(op.jnp.data[i] * op.error.data[i * step] * desc.float_ + more);
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu

namespace boundary {

extern "C" opgen::Status twice_cpu(const TwiceArgs* args) noexcept {
  const auto* x = static_cast<const float*>(args->x.data);
  auto* y = static_cast<float*>(args->y.data);
  for (int64_t i = 0; i < args->desc->n; ++i) y[i] = 2 * x[i];
  return opgen::Status::ok;
}

}  // namespace boundary
