// The quantize_fp8 family's handlers for XLA's FFI.
// Rendered by opgen from quantize_fp8.toml.
#include "opgen/jax.h"

#include "quantize_fp8_call.h"

namespace generated {
namespace {

xla::ffi::Error quantize_fp8_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t out_dtype_in,
    int64_t block_in, bool column_major_in, double floor_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> q_in, xla::ffi::Result<xla::ffi::AnyBuffer> scale_in) {
  return opgen::jax::guarded("quantize_fp8", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand q_(op, "q", q_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    const QuantizeFp8Call call(x_.buffer, opgen::jax::dtype(out_dtype_in), block_in,
                               column_major_in, floor_in);
    const opgen::jax::CpuContext ctx(threads);
    q_.expect(call.q_());
    scale_.expect(call.scale_());
    opgen::prefer_huge_pages(q_.buffer);
    opgen::prefer_huge_pages(scale_.buffer);
    const QuantizeFp8Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_, &scale_, &x_}, [&] {
      const QuantizeFp8Args args{&desc, &ctx, q_.buffer, scale_.buffer, x_.buffer};
      return generated_quantize_fp8_cpu(&args);
    });
  });
}

xla::ffi::Error quantize_fp8_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("quantize_fp8", 0x471e2d5a4d18, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_quantize_fp8_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_quantize_fp8_cpu_ffi, generated::quantize_fp8_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("out_dtype")
                                  .Attr<int64_t>("block")
                                  .Attr<bool>("column_major")
                                  .Attr<double>("floor")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // q
                                  .Ret<xla::ffi::AnyBuffer>()  // scale
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_quantize_fp8_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_quantize_fp8_cpu_ffi_made,
                              generated::quantize_fp8_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error quantize_fp8_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, int64_t out_dtype_in,
    int64_t block_in, bool column_major_in, double floor_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> q_in, xla::ffi::Result<xla::ffi::AnyBuffer> scale_in) {
  return opgen::jax::guarded("quantize_fp8", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand q_(op, "q", q_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    const QuantizeFp8Call call(x_.buffer, opgen::jax::dtype(out_dtype_in), block_in,
                               column_major_in, floor_in);
    const opgen::jax::CudaContext ctx(stream, device);
    q_.expect(call.q_());
    scale_.expect(call.scale_());
    const QuantizeFp8Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_, &scale_, &x_}, [&] {
      const QuantizeFp8Args args{&desc, &ctx, q_.buffer, scale_.buffer, x_.buffer};
      return generated_quantize_fp8_cuda(&args);
    });
  });
}

xla::ffi::Error quantize_fp8_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("quantize_fp8", 0x471e2d5a4d18, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_quantize_fp8_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_quantize_fp8_cuda_ffi, generated::quantize_fp8_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("out_dtype")
                                  .Attr<int64_t>("block")
                                  .Attr<bool>("column_major")
                                  .Attr<double>("floor")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // q
                                  .Ret<xla::ffi::AnyBuffer>()  // scale
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_quantize_fp8_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_quantize_fp8_cuda_ffi_made,
                              generated::quantize_fp8_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
