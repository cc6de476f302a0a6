// The tensor_add family's handlers for XLA's FFI.
// Rendered by opgen from tensor_add.toml.
#include "opgen/jax.h"

#include "tensor_add_call.h"

namespace generated {
namespace {

xla::ffi::Error tensor_add_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                               xla::ffi::AnyBuffer a_, xla::ffi::AnyBuffer b_,
                               xla::ffi::Result<xla::ffi::AnyBuffer> c_) {
  return opgen::jax::guarded("tensor_add", [&](const char* op) {
    opgen::jax::Operand a(op, "a", a_, batch_dims);
    opgen::jax::Operand b(op, "b", b_, batch_dims);
    opgen::jax::Operand c(op, "c", c_, batch_dims);
    const TensorAddCall call(a.buffer, b.buffer);
    opgen::jax::CpuContext ctx(threads);
    c.expect(call.c());
    opgen::prefer_huge_pages(c.buffer);
    const TensorAddDescriptor desc = call.descriptor();
    ctx.start(call.launch(ctx.platform));
    opgen::jax::each_slice(op, ctx.reported, {&c, &a, &b}, [&] {
      const TensorAddArgs args{&desc, &ctx, c.buffer, a.buffer, b.buffer};
      return generated_tensor_add_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cpu_ffi, generated::tensor_add_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error tensor_add_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                                int64_t batch_dims, xla::ffi::AnyBuffer a_, xla::ffi::AnyBuffer b_,
                                xla::ffi::Result<xla::ffi::AnyBuffer> c_) {
  return opgen::jax::guarded("tensor_add", [&](const char* op) {
    opgen::jax::Operand a(op, "a", a_, batch_dims);
    opgen::jax::Operand b(op, "b", b_, batch_dims);
    opgen::jax::Operand c(op, "c", c_, batch_dims);
    const TensorAddCall call(a.buffer, b.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    c.expect(call.c());
    const TensorAddDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&c, &a, &b}, [&] {
      const TensorAddArgs args{&desc, &ctx, c.buffer, a.buffer, b.buffer};
      return generated_tensor_add_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_tensor_add_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_tensor_add_cuda_ffi, generated::tensor_add_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);
#endif
