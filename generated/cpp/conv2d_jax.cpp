// The conv2d family's handlers for XLA's FFI.
// Rendered by opgen from conv2d.toml.
#include "opgen/jax_given.h"

#include "conv2d_call.h"

namespace generated {
namespace {

xla::ffi::Error conv2d_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                   xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("conv2d", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    const Conv2dCall call(x_.buffer, weight_.buffer, bias_.buffer,
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("stride")),
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("padding")),
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("dilation")),
                          given.attr<int64_t>("groups"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const Conv2dDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &bias_}, [&] {
      const Conv2dArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, bias_.buffer};
      return generated_conv2d_cpu(&args);
    });
  });
}

xla::ffi::Error conv2d_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d", 0xbd8242533d41, attrs);
}

xla::ffi::Error conv2d_dgrad_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t h_in,
    int64_t w_in, xla::ffi::Span<const int64_t> stride_in, xla::ffi::Span<const int64_t> padding_in,
    xla::ffi::Span<const int64_t> dilation_in, int64_t groups_in, xla::ffi::AnyBuffer dy_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("conv2d_dgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const Conv2dDgradCall call(dy_.buffer, weight_.buffer, h_in, w_in, opgen::jax::sizes(stride_in),
                               opgen::jax::sizes(padding_in), opgen::jax::sizes(dilation_in),
                               groups_in);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const auto sums_ =
        call.sums_present() ? opgen::jax::HostWorkspace(call.sums_()) : opgen::jax::HostWorkspace();
    const Conv2dDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_}, [&] {
      const Conv2dDgradArgs args{&desc, &ctx, dx_.buffer, sums_.buffer, dy_.buffer, weight_.buffer};
      return generated_conv2d_dgrad_cpu(&args);
    });
  });
}

xla::ffi::Error conv2d_dgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d_dgrad", 0xe85bac496adf, attrs);
}

xla::ffi::Error conv2d_wgrad_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                         xla::ffi::RemainingArgs operands,
                                         xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("conv2d_wgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const Conv2dWgradCall call(
        dy_.buffer, x_.buffer, given.attr<int64_t>("r"), given.attr<int64_t>("s"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("stride")),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("padding")),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("dilation")),
        given.attr<int64_t>("groups"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    opgen::prefer_huge_pages(dweight_.buffer);
    opgen::prefer_huge_pages(dbias_.buffer);
    const Conv2dWgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dbias_, &dy_, &x_}, [&] {
      const Conv2dWgradArgs args{&desc, &ctx, dweight_.buffer, dbias_.buffer, dy_.buffer,
                                 x_.buffer};
      return generated_conv2d_wgrad_cpu(&args);
    });
  });
}

xla::ffi::Error conv2d_wgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d_wgrad", 0x67dd022ef593, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_cpu_ffi, generated::conv2d_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_cpu_ffi_made, generated::conv2d_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_dgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_dgrad_cpu_ffi, generated::conv2d_dgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("h")
                                  .Attr<int64_t>("w")
                                  .Attr<xla::ffi::Span<const int64_t>>("stride")
                                  .Attr<xla::ffi::Span<const int64_t>>("padding")
                                  .Attr<xla::ffi::Span<const int64_t>>("dilation")
                                  .Attr<int64_t>("groups")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_dgrad_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_dgrad_cpu_ffi_made,
                              generated::conv2d_dgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_wgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_wgrad_cpu_ffi, generated::conv2d_wgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_wgrad_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_wgrad_cpu_ffi_made,
                              generated::conv2d_wgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error conv2d_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("conv2d", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    const Conv2dCall call(x_.buffer, weight_.buffer, bias_.buffer,
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("stride")),
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("padding")),
                          opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("dilation")),
                          given.attr<int64_t>("groups"));
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    y_.expect(call.y_());
    const Conv2dDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &bias_}, [&] {
      const Conv2dArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, bias_.buffer};
      return generated_conv2d_cuda(&args);
    });
  });
}

xla::ffi::Error conv2d_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d", 0xbd8242533d41, attrs);
}

xla::ffi::Error conv2d_dgrad_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    int64_t /*op_hash*/, int64_t h_in, int64_t w_in, xla::ffi::Span<const int64_t> stride_in,
    xla::ffi::Span<const int64_t> padding_in, xla::ffi::Span<const int64_t> dilation_in,
    int64_t groups_in, xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("conv2d_dgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const Conv2dDgradCall call(dy_.buffer, weight_.buffer, h_in, w_in, opgen::jax::sizes(stride_in),
                               opgen::jax::sizes(padding_in), opgen::jax::sizes(dilation_in),
                               groups_in);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    dx_.expect(call.dx_());
    const auto sums_ = call.sums_present() ? opgen::jax::DeviceWorkspace(call.sums_(), scratch)
                                           : opgen::jax::DeviceWorkspace();
    const Conv2dDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_}, [&] {
      const Conv2dDgradArgs args{&desc, &ctx, dx_.buffer, sums_.buffer, dy_.buffer, weight_.buffer};
      return generated_conv2d_dgrad_cuda(&args);
    });
  });
}

xla::ffi::Error conv2d_dgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d_dgrad", 0xe85bac496adf, attrs);
}

xla::ffi::Error conv2d_wgrad_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("conv2d_wgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const Conv2dWgradCall call(
        dy_.buffer, x_.buffer, given.attr<int64_t>("r"), given.attr<int64_t>("s"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("stride")),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("padding")),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("dilation")),
        given.attr<int64_t>("groups"), given.wanted());
    opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    const Conv2dWgradDescriptor desc = call.descriptor();
    const opgen::jax::DeviceWorkspace memory(
        opgen::scratch(op, generated_conv2d_wgrad_cuda_workspace(&desc, ctx.properties())),
        scratch);
    ctx.use(memory.buffer);
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dbias_, &dy_, &x_}, [&] {
      const Conv2dWgradArgs args{&desc, &ctx, dweight_.buffer, dbias_.buffer, dy_.buffer,
                                 x_.buffer};
      return generated_conv2d_wgrad_cuda(&args);
    });
  });
}

xla::ffi::Error conv2d_wgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("conv2d_wgrad", 0x67dd022ef593, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_cuda_ffi, generated::conv2d_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_cuda_ffi_made, generated::conv2d_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_dgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_dgrad_cuda_ffi, generated::conv2d_dgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("h")
                                  .Attr<int64_t>("w")
                                  .Attr<xla::ffi::Span<const int64_t>>("stride")
                                  .Attr<xla::ffi::Span<const int64_t>>("padding")
                                  .Attr<xla::ffi::Span<const int64_t>>("dilation")
                                  .Attr<int64_t>("groups")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_dgrad_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_dgrad_cuda_ffi_made,
                              generated::conv2d_dgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_wgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_wgrad_cuda_ffi, generated::conv2d_wgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_conv2d_wgrad_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_conv2d_wgrad_cuda_ffi_made,
                              generated::conv2d_wgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
