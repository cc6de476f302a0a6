// rms_norm's kernels as people bind them to PyTorch by hand: pybind11, ops of the dispatcher, and a
// torch::autograd::Function. For f32.
#include <torch/extension.h>

#include <tuple>

#include "rms_norm.h"

namespace {

using torch::Tensor;

opgen::Buffer buffer(const Tensor& tensor) {
  return {tensor.data_ptr(), tensor.sizes().data(), tensor.strides().data(),
          static_cast<int32_t>(tensor.dim()), opgen::ElementType::F32};
}

void check(const Tensor& x, const Tensor& weight) {
  TORCH_CHECK(x.scalar_type() == torch::kFloat && weight.scalar_type() == torch::kFloat,
              "expected float32");
  TORCH_CHECK(weight.dim() == 1 && x.dim() >= 1 && x.size(-1) == weight.size(0),
              "expected a weight for each column of x");
}

template <class Descriptor>
Descriptor describe(const Tensor& x, double eps) {
  const int32_t n = static_cast<int32_t>(x.size(-1));
  return {static_cast<int32_t>(x.numel()) / n,
          n,
          eps,
          opgen::ElementType::F32,
          opgen::ElementType::F32,
          16};
}

std::tuple<Tensor, Tensor> forward(const Tensor& x_, const Tensor& weight_, double eps) {
  check(x_, weight_);
  const Tensor x = x_.contiguous(), weight = weight_.contiguous();
  const Tensor y = at::empty_like(x),
               invvar = at::empty(x.sizes().slice(0, x.dim() - 1), x.options());
  const auto desc = describe<generated::RmsNormDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormArgs args{&desc,          &ctx,      buffer(y),
                                    buffer(invvar), buffer(x), buffer(weight)};
  TORCH_CHECK(generated::generated_rms_norm_cpu(&args) == opgen::Status::ok);
  return {y, invvar};
}

std::tuple<Tensor, Tensor> backward(const Tensor& dy_, const Tensor& invvar, const Tensor& x_,
                                    const Tensor& weight_, double eps) {
  check(x_, weight_);
  const Tensor dy = dy_.contiguous(), x = x_.contiguous(), weight = weight_.contiguous();
  const Tensor dx = at::empty_like(x), dweight = at::empty_like(weight);
  const Tensor part_grad = at::empty({16, weight.size(0)}, x.options());
  const auto desc = describe<generated::RmsNormBwdDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormBwdArgs args{
      &desc,      &ctx,           buffer(dx), buffer(dweight), buffer(part_grad),
      buffer(dy), buffer(invvar), buffer(x),  buffer(weight)};
  TORCH_CHECK(generated::generated_rms_norm_bwd_cpu(&args) == opgen::Status::ok);
  return {dx, dweight};
}

template <class Function>
auto op(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Function>();
}

struct Norm : torch::autograd::Function<Norm> {
  static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& x,
                        const Tensor& weight, double eps) {
    static const auto call = op<decltype(::forward)>("by_hand::forward");
    at::AutoDispatchBelowADInplaceOrView guard;
    auto [y, invvar] = call.call(x, weight, eps);
    ctx->save_for_backward({invvar, x, weight});
    ctx->saved_data["eps"] = eps;
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    static const auto call = op<decltype(::backward)>("by_hand::backward");
    const auto saved = ctx->get_saved_variables();
    const double eps = ctx->saved_data["eps"].toDouble();
    auto [dx, dweight] = call.call(grads[0], saved[0], saved[1], saved[2], eps);
    return {dx, dweight, Tensor()};
  }
};

Tensor norm(const Tensor& x, const Tensor& weight, double eps) {
  return std::get<0>(forward(x, weight, eps));
}

Tensor norm_autograd(const Tensor& x, const Tensor& weight, double eps) {
  return Norm::apply(x, weight, eps);
}

}  // namespace

TORCH_LIBRARY(by_hand, m) {
  m.def("norm(Tensor x, Tensor weight, float eps) -> Tensor");
  m.def("forward(Tensor x, Tensor weight, float eps) -> (Tensor, Tensor)");
  m.def("registered(Tensor x, Tensor weight, float eps) -> (Tensor, Tensor)");
  m.def(
      "backward(Tensor dy, Tensor invvar, Tensor x, Tensor weight, float eps) -> (Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(by_hand, CPU, m) {
  m.impl("norm", &norm);
  m.impl("forward", &forward);
  m.impl("registered", &forward);
  m.impl("backward", &backward);
}

TORCH_LIBRARY_IMPL(by_hand, Autograd, m) { m.impl("norm", &norm_autograd); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
  m.def("backward", &backward);
}
