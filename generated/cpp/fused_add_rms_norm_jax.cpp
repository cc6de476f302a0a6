// The fused_add_rms_norm family's handlers for XLA's FFI.
// Rendered by opgen from fused_add_rms_norm.toml.
#include "opgen/jax_given.h"

#include "fused_add_rms_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error fused_add_rms_norm_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer /*residual*/, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> residual_in) {
  return opgen::jax::guarded("fused_add_rms_norm", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand residual_(op, "residual", residual_in, batch_dims);
    const FusedAddRmsNormCall call(x_.buffer, residual_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const FusedAddRmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &residual_, &x_, &weight_}, [&] {
      const FusedAddRmsNormArgs args{&desc, &ctx, y_.buffer, x_.buffer, residual_.buffer,
                                     weight_.buffer};
      return generated_fused_add_rms_norm_cpu(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("fused_add_rms_norm", 0xa3d1d1e55bc0, attrs);
}

xla::ffi::Error fused_add_rms_norm_quant_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("fused_add_rms_norm_quant", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    given.input("residual");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand scale_ub_ = given.input("scale_ub");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand y_scale_ = given.result("y_scale");
    opgen::jax::Operand residual_ = given.result("residual");
    const FusedAddRmsNormQuantCall call(x_.buffer, residual_.buffer, weight_.buffer, scale_.buffer,
                                        scale_ub_.buffer,
                                        opgen::jax::dtype(given.attr<int64_t>("out_dtype")),
                                        given.attr<double>("eps"), given.attr<bool>("dynamic"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    y_scale_.expect(call.y_scale_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(y_scale_.buffer);
    const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &y_scale_, &residual_, &x_, &weight_, &scale_, &scale_ub_}, [&] {
      const FusedAddRmsNormQuantArgs args{&desc, &ctx, y_.buffer, y_scale_.buffer, x_.buffer,
                                          residual_.buffer, weight_.buffer, scale_.buffer,
                                          scale_ub_.buffer};
      return generated_fused_add_rms_norm_quant_cpu(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_quant_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("fused_add_rms_norm_quant", 0x5086c0d1b4e5, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cpu_ffi,
                              generated::fused_add_rms_norm_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // residual
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // residual
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cpu_ffi_made,
                              generated::fused_add_rms_norm_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cpu_ffi,
                              generated::fused_add_rms_norm_quant_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cpu_ffi_made,
                              generated::fused_add_rms_norm_quant_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error fused_add_rms_norm_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer /*residual*/, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> residual_in) {
  return opgen::jax::guarded("fused_add_rms_norm", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand residual_(op, "residual", residual_in, batch_dims);
    const FusedAddRmsNormCall call(x_.buffer, residual_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const FusedAddRmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &residual_, &x_, &weight_}, [&] {
      const FusedAddRmsNormArgs args{&desc, &ctx, y_.buffer, x_.buffer, residual_.buffer,
                                     weight_.buffer};
      return generated_fused_add_rms_norm_cuda(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("fused_add_rms_norm", 0xa3d1d1e55bc0, attrs);
}

xla::ffi::Error fused_add_rms_norm_quant_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("fused_add_rms_norm_quant", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    given.input("residual");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand scale_ub_ = given.input("scale_ub");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand y_scale_ = given.result("y_scale");
    opgen::jax::Operand residual_ = given.result("residual");
    const FusedAddRmsNormQuantCall call(x_.buffer, residual_.buffer, weight_.buffer, scale_.buffer,
                                        scale_ub_.buffer,
                                        opgen::jax::dtype(given.attr<int64_t>("out_dtype")),
                                        given.attr<double>("eps"), given.attr<bool>("dynamic"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    y_scale_.expect(call.y_scale_());
    const FusedAddRmsNormQuantDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &y_scale_, &residual_, &x_, &weight_, &scale_, &scale_ub_}, [&] {
      const FusedAddRmsNormQuantArgs args{&desc, &ctx, y_.buffer, y_scale_.buffer, x_.buffer,
                                          residual_.buffer, weight_.buffer, scale_.buffer,
                                          scale_ub_.buffer};
      return generated_fused_add_rms_norm_quant_cuda(&args);
    });
  });
}

xla::ffi::Error fused_add_rms_norm_quant_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("fused_add_rms_norm_quant", 0x5086c0d1b4e5, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cuda_ffi,
                              generated::fused_add_rms_norm_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // residual
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // residual
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_cuda_ffi_made,
                              generated::fused_add_rms_norm_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cuda_ffi,
                              generated::fused_add_rms_norm_quant_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_fused_add_rms_norm_quant_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_fused_add_rms_norm_quant_cuda_ffi_made,
                              generated::fused_add_rms_norm_quant_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
