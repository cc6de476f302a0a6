// The dropout family's handlers for XLA's FFI.
// Rendered by opgen from dropout.toml.
#include "opgen/jax_given.h"

#include "dropout_call.h"

namespace generated {
namespace {

xla::ffi::Error dropout_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("dropout", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand y_ = given.result("y");
    const DropoutCall call(x_.buffer, seed_.buffer, offset_.buffer, given.attr<double>("p"));
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

xla::ffi::Error dropout_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("dropout", 0x965ced2f0459, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cpu_ffi, generated::dropout_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cpu_ffi_made, generated::dropout_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error dropout_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                     xla::ffi::RemainingArgs operands,
                                     xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("dropout", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand y_ = given.result("y");
    const DropoutCall call(x_.buffer, seed_.buffer, offset_.buffer, given.attr<double>("p"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const DropoutDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &seed_, &offset_}, [&] {
      const DropoutArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer, offset_.buffer};
      return generated_dropout_cuda(&args);
    });
  });
}

xla::ffi::Error dropout_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("dropout", 0x965ced2f0459, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cuda_ffi, generated::dropout_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_dropout_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_dropout_cuda_ffi_made, generated::dropout_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
