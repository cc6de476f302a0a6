// The rms_layer_norm family's handlers for XLA's FFI.
// Rendered by opgen from rms_layer_norm.toml.
#include "opgen/jax_given.h"

#include "rms_layer_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error rms_layer_norm_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                           xla::ffi::RemainingArgs operands,
                                           xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rms_layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const RmsLayerNormCall call(
        x_.buffer, weight_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.maybe<double>("eps"), given.attr<double>("offset"), given.attr<bool>("cast_first"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    rstd_.expect(call.rstd_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(rstd_.buffer);
    const RmsLayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &rstd_, &x_, &weight_}, [&] {
      const RmsLayerNormArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_layer_norm_cpu(&args);
    });
  });
}

xla::ffi::Error rms_layer_norm_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_layer_norm", 0x4ff940a0e514, attrs);
}

xla::ffi::Error rms_layer_norm_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rms_layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const RmsLayerNormBwdCall call(dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer,
                                   given.attr<double>("eps"), given.attr<double>("offset"),
                                   given.attr<bool>("cast_first"));
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dx_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    const auto part_grad_ = call.part_grad_present() ? opgen::jax::HostWorkspace(call.part_grad_())
                                                     : opgen::jax::HostWorkspace();
    const RmsLayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dweight_, &dy_, &x_, &rstd_, &weight_}, [&] {
      const RmsLayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                     dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer};
      return generated_rms_layer_norm_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error rms_layer_norm_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_layer_norm_bwd", 0xaf12313d2c53, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_cpu_ffi,
                              generated::rms_layer_norm_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_cpu_ffi_made,
                              generated::rms_layer_norm_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_bwd_cpu_ffi,
                              generated::rms_layer_norm_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_bwd_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_bwd_cpu_ffi_made,
                              generated::rms_layer_norm_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error rms_layer_norm_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rms_layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const RmsLayerNormCall call(
        x_.buffer, weight_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.maybe<double>("eps"), given.attr<double>("offset"), given.attr<bool>("cast_first"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    rstd_.expect(call.rstd_());
    const RmsLayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &rstd_, &x_, &weight_}, [&] {
      const RmsLayerNormArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_layer_norm_cuda(&args);
    });
  });
}

xla::ffi::Error rms_layer_norm_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_layer_norm", 0x4ff940a0e514, attrs);
}

xla::ffi::Error rms_layer_norm_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rms_layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const RmsLayerNormBwdCall call(dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer,
                                   given.attr<double>("eps"), given.attr<double>("offset"),
                                   given.attr<bool>("cast_first"));
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    const auto part_grad_ = call.part_grad_present() ? opgen::jax::DeviceWorkspace(
                                                           call.part_grad_(), scratch)
                                                     : opgen::jax::DeviceWorkspace();
    const RmsLayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dweight_, &dy_, &x_, &rstd_, &weight_}, [&] {
      const RmsLayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                     dy_.buffer, x_.buffer, rstd_.buffer, weight_.buffer};
      return generated_rms_layer_norm_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error rms_layer_norm_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_layer_norm_bwd", 0xaf12313d2c53, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_cuda_ffi,
                              generated::rms_layer_norm_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_cuda_ffi_made,
                              generated::rms_layer_norm_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_bwd_cuda_ffi,
                              generated::rms_layer_norm_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_layer_norm_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_layer_norm_bwd_cuda_ffi_made,
                              generated::rms_layer_norm_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
