// The relu family's handlers for XLA's FFI.
// Rendered by opgen from relu.toml.
#include "opgen/jax.h"

#include "relu_call.h"

namespace generated {
namespace {

xla::ffi::Error relu_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                 int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                 xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("relu", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const ReluCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const ReluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const ReluArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_relu_cpu(&args);
    });
  });
}

xla::ffi::Error relu_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("relu", 0xc315609f345c, attrs);
}

xla::ffi::Error relu_bwd_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                     int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in,
                                     xla::ffi::AnyBuffer y_in,
                                     xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("relu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const ReluBwdCall call(dy_.buffer, y_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const ReluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &y_}, [&] {
      const ReluBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, y_.buffer};
      return generated_relu_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error relu_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("relu_bwd", 0x3a00e308b7c1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_cpu_ffi, generated::relu_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_cpu_ffi_made, generated::relu_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_bwd_cpu_ffi, generated::relu_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_bwd_cpu_ffi_made, generated::relu_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error relu_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                  int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                  xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("relu", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const ReluCall call(x_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const ReluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const ReluArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_relu_cuda(&args);
    });
  });
}

xla::ffi::Error relu_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("relu", 0xc315609f345c, attrs);
}

xla::ffi::Error relu_bwd_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                      int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in,
                                      xla::ffi::AnyBuffer y_in,
                                      xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("relu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const ReluBwdCall call(dy_.buffer, y_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    const ReluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &y_}, [&] {
      const ReluBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, y_.buffer};
      return generated_relu_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error relu_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("relu_bwd", 0x3a00e308b7c1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_cuda_ffi, generated::relu_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_cuda_ffi_made, generated::relu_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_bwd_cuda_ffi, generated::relu_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_relu_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_relu_bwd_cuda_ffi_made,
                              generated::relu_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
