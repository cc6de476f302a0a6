// The tensor_add family's handlers for XLA's FFI.
// Rendered by opgen from tensor_add.toml.
#include "opgen/jax.h"

#include "tensor_add_call.h"

namespace generated {
namespace {

xla::ffi::Error tensor_add_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, xla::ffi::AnyBuffer a_in,
    xla::ffi::AnyBuffer b_in, xla::ffi::Result<xla::ffi::AnyBuffer> c_in) {
  return opgen::jax::guarded("tensor_add", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand b_(op, "b", b_in, batch_dims);
    opgen::jax::Operand c_(op, "c", c_in, batch_dims);
    const TensorAddCall call(a_.buffer, b_.buffer);
    opgen::jax::CpuContext ctx(threads);
    c_.expect(call.c_());
    opgen::prefer_huge_pages(c_.buffer);
    const TensorAddDescriptor desc = call.descriptor();
    ctx.start(call.launch(ctx.platform));
    opgen::jax::each_slice(op, ctx.reported, {&c_, &a_, &b_}, [&] {
      const TensorAddArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer};
      return generated_tensor_add_cpu(&args);
    });
  });
}

xla::ffi::Error tensor_add_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("tensor_add", 0x5e1dc20cb8bf, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cpu_ffi, generated::tensor_add_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cpu_ffi_made,
                              generated::tensor_add_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error tensor_add_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, xla::ffi::AnyBuffer a_in,
    xla::ffi::AnyBuffer b_in, xla::ffi::Result<xla::ffi::AnyBuffer> c_in) {
  return opgen::jax::guarded("tensor_add", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand b_(op, "b", b_in, batch_dims);
    opgen::jax::Operand c_(op, "c", c_in, batch_dims);
    const TensorAddCall call(a_.buffer, b_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    c_.expect(call.c_());
    const TensorAddDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&c_, &a_, &b_}, [&] {
      const TensorAddArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer};
      return generated_tensor_add_cuda(&args);
    });
  });
}

xla::ffi::Error tensor_add_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("tensor_add", 0x5e1dc20cb8bf, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cuda_ffi, generated::tensor_add_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cuda_ffi_made,
                              generated::tensor_add_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
