// The dropout family's handlers for XLA's FFI.
// Rendered by opgen from dropout.toml.
#include "opgen/jax.h"

#include "dropout_call.h"

namespace generated {
namespace {

xla::ffi::Error dropout_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims, double p_in,
                            xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer seed_in,
                            xla::ffi::AnyBuffer offset_in,
                            xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("dropout", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand seed_(op, "seed", seed_in, batch_dims);
    opgen::jax::Operand offset_(op, "offset", offset_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const DropoutCall call(x_.buffer, seed_.buffer, offset_.buffer, p_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const DropoutDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &seed_, &offset_}, [&] {
      const DropoutArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer, offset_.buffer};
      return generated_dropout_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cpu_ffi, generated::dropout_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("p")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // seed
                                  .Arg<xla::ffi::AnyBuffer>()  // offset
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error dropout_cuda(void* stream, int32_t device, int64_t batch_dims, double p_in,
                             xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer seed_in,
                             xla::ffi::AnyBuffer offset_in,
                             xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("dropout", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand seed_(op, "seed", seed_in, batch_dims);
    opgen::jax::Operand offset_(op, "offset", offset_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const DropoutCall call(x_.buffer, seed_.buffer, offset_.buffer, p_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const DropoutDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &seed_, &offset_}, [&] {
      const DropoutArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer, offset_.buffer};
      return generated_dropout_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cuda_ffi, generated::dropout_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("p")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // seed
                                  .Arg<xla::ffi::AnyBuffer>()  // offset
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);
#endif
