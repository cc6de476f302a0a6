// The tensor_negate family's handlers for XLA's FFI.
// Rendered by opgen from tensor_negate.toml.
#include "opgen/jax.h"

#include "tensor_negate_call.h"

namespace generated {
namespace {

xla::ffi::Error tensor_negate_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                          int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                          xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("tensor_negate", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const TensorNegateCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const TensorNegateDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const TensorNegateArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_tensor_negate_cpu(&args);
    });
  });
}

xla::ffi::Error tensor_negate_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("tensor_negate", 0x5694dbe8e755, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_negate_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_negate_cpu_ffi, generated::tensor_negate_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_negate_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_negate_cpu_ffi_made,
                              generated::tensor_negate_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error tensor_negate_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                           int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                           xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("tensor_negate", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const TensorNegateCall call(x_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const TensorNegateDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const TensorNegateArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_tensor_negate_cuda(&args);
    });
  });
}

xla::ffi::Error tensor_negate_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("tensor_negate", 0x5694dbe8e755, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_negate_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_negate_cuda_ffi,
                              generated::tensor_negate_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_negate_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_negate_cuda_ffi_made,
                              generated::tensor_negate_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
