// The fused_add_rms_norm family's handlers for XLA's FFI.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "opgen/jax_given.h"

#include "fused_add_rms_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error fused_add_rms_norm_cpu(
    xla::ffi::ThreadPool threads, int64_t batch_dims, double eps_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer /*residual*/, xla::ffi::AnyBuffer weight_,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_, xla::ffi::Result<xla::ffi::AnyBuffer> residual_) {
  return opgen::jax::guarded("fused_add_rms_norm", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand residual(op, "residual", residual_, batch_dims);
    const FusedAddRmsNormCall call(x.buffer, residual.buffer, weight.buffer, eps_);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    opgen::prefer_huge_pages(y.buffer);
    const FusedAddRmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &residual, &x, &weight}, [&] {
      const FusedAddRmsNormArgs args{&desc, &ctx, y.buffer, x.buffer, residual.buffer,
                                     weight.buffer};
      return generated_fused_add_rms_norm_cpu(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_quant_cpu(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("fused_add_rms_norm_quant", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    given.input("residual");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand scale = given.input("scale");
    opgen::jax::Operand scale_ub = given.input("scale_ub");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand y_scale = given.result("y_scale");
    opgen::jax::Operand residual = given.result("residual");
    const FusedAddRmsNormQuantCall call(x.buffer, residual.buffer, weight.buffer, scale.buffer,
                                        scale_ub.buffer, given.attr<double>("eps"),
                                        given.attr<bool>("dynamic"),
                                        opgen::jax::dtype(given.attr<int64_t>("out_dtype")));
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    y_scale.expect(call.y_scale());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(y_scale.buffer);
    const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &y_scale, &residual, &x, &weight, &scale, &scale_ub}, [&] {
      const FusedAddRmsNormQuantArgs args{&desc, &ctx, y.buffer, y_scale.buffer, x.buffer,
                                          residual.buffer, weight.buffer, scale.buffer,
                                          scale_ub.buffer};
      return generated_fused_add_rms_norm_quant_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cpu_ffi,
                              generated::fused_add_rms_norm_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // residual
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // residual
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cpu_ffi,
                              generated::fused_add_rms_norm_quant_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error fused_add_rms_norm_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    double eps_, xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer /*residual*/,
    xla::ffi::AnyBuffer weight_, xla::ffi::Result<xla::ffi::AnyBuffer> y_,
    xla::ffi::Result<xla::ffi::AnyBuffer> residual_) {
  return opgen::jax::guarded("fused_add_rms_norm", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand residual(op, "residual", residual_, batch_dims);
    const FusedAddRmsNormCall call(x.buffer, residual.buffer, weight.buffer, eps_);
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    const FusedAddRmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &residual, &x, &weight}, [&] {
      const FusedAddRmsNormArgs args{&desc, &ctx, y.buffer, x.buffer, residual.buffer,
                                     weight.buffer};
      return generated_fused_add_rms_norm_cuda(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_quant_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("fused_add_rms_norm_quant", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    given.input("residual");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand scale = given.input("scale");
    opgen::jax::Operand scale_ub = given.input("scale_ub");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand y_scale = given.result("y_scale");
    opgen::jax::Operand residual = given.result("residual");
    const FusedAddRmsNormQuantCall call(x.buffer, residual.buffer, weight.buffer, scale.buffer,
                                        scale_ub.buffer, given.attr<double>("eps"),
                                        given.attr<bool>("dynamic"),
                                        opgen::jax::dtype(given.attr<int64_t>("out_dtype")));
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    y_scale.expect(call.y_scale());
    const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &y_scale, &residual, &x, &weight, &scale, &scale_ub}, [&] {
      const FusedAddRmsNormQuantArgs args{&desc, &ctx, y.buffer, y_scale.buffer, x.buffer,
                                          residual.buffer, weight.buffer, scale.buffer,
                                          scale_ub.buffer};
      return generated_fused_add_rms_norm_quant_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cuda_ffi,
                              generated::fused_add_rms_norm_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // residual
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // residual
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cuda_ffi,
                              generated::fused_add_rms_norm_quant_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
