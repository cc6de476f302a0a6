// The grouped_gemm family's handlers for XLA's FFI.
// Rendered by opgen from grouped_gemm.toml.
#include "opgen/jax.h"

#include "grouped_gemm_call.h"

namespace generated {
namespace {

xla::ffi::Error grouped_gemm_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, bool trans_b_in,
    xla::ffi::AnyBuffer a_in, xla::ffi::AnyBuffer b_in, xla::ffi::AnyBuffer offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> c_in) {
  return opgen::jax::guarded("grouped_gemm", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand b_(op, "b", b_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand c_(op, "c", c_in, batch_dims);
    const GroupedGemmCall call(a_.buffer, b_.buffer, offsets_.buffer, trans_b_in);
    const opgen::jax::CpuContext ctx(threads);
    c_.expect(call.c_());
    opgen::prefer_huge_pages(c_.buffer);
    const GroupedGemmDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&c_, &a_, &b_, &offsets_}, [&] {
      const GroupedGemmArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer, offsets_.buffer};
      return generated_grouped_gemm_cpu(&args);
    });
  });
}

xla::ffi::Error grouped_gemm_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("grouped_gemm", 0xf1c6450ab988, attrs);
}

xla::ffi::Error grouped_gemm_wgrad_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, bool trans_b_in,
    xla::ffi::AnyBuffer a_in, xla::ffi::AnyBuffer dc_in, xla::ffi::AnyBuffer offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> db_in) {
  return opgen::jax::guarded("grouped_gemm_wgrad", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand dc_(op, "dc", dc_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand db_(op, "db", db_in, batch_dims);
    const GroupedGemmWgradCall call(a_.buffer, dc_.buffer, offsets_.buffer, trans_b_in);
    const opgen::jax::CpuContext ctx(threads);
    db_.expect(call.db_());
    opgen::prefer_huge_pages(db_.buffer);
    const GroupedGemmWgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&db_, &a_, &dc_, &offsets_}, [&] {
      const GroupedGemmWgradArgs args{&desc, &ctx, db_.buffer, a_.buffer, dc_.buffer,
                                      offsets_.buffer};
      return generated_grouped_gemm_wgrad_cpu(&args);
    });
  });
}

xla::ffi::Error grouped_gemm_wgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("grouped_gemm_wgrad", 0x1ab6f41f4a44, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_cpu_ffi, generated::grouped_gemm_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<bool>("trans_b")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Arg<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_cpu_ffi_made,
                              generated::grouped_gemm_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_wgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_wgrad_cpu_ffi,
                              generated::grouped_gemm_wgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<bool>("trans_b")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // dc
                                  .Arg<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // db
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_wgrad_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_wgrad_cpu_ffi_made,
                              generated::grouped_gemm_wgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error grouped_gemm_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, bool trans_b_in,
    xla::ffi::AnyBuffer a_in, xla::ffi::AnyBuffer b_in, xla::ffi::AnyBuffer offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> c_in) {
  return opgen::jax::guarded("grouped_gemm", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand b_(op, "b", b_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand c_(op, "c", c_in, batch_dims);
    const GroupedGemmCall call(a_.buffer, b_.buffer, offsets_.buffer, trans_b_in);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    c_.expect(call.c_());
    const GroupedGemmDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&c_, &a_, &b_, &offsets_}, [&] {
      const GroupedGemmArgs args{&desc, &ctx, c_.buffer, a_.buffer, b_.buffer, offsets_.buffer};
      return generated_grouped_gemm_cuda(&args);
    });
  });
}

xla::ffi::Error grouped_gemm_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("grouped_gemm", 0xf1c6450ab988, attrs);
}

xla::ffi::Error grouped_gemm_wgrad_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, bool trans_b_in,
    xla::ffi::AnyBuffer a_in, xla::ffi::AnyBuffer dc_in, xla::ffi::AnyBuffer offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> db_in) {
  return opgen::jax::guarded("grouped_gemm_wgrad", [&](const char* op) {
    opgen::jax::Operand a_(op, "a", a_in, batch_dims);
    opgen::jax::Operand dc_(op, "dc", dc_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand db_(op, "db", db_in, batch_dims);
    const GroupedGemmWgradCall call(a_.buffer, dc_.buffer, offsets_.buffer, trans_b_in);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    db_.expect(call.db_());
    const GroupedGemmWgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&db_, &a_, &dc_, &offsets_}, [&] {
      const GroupedGemmWgradArgs args{&desc, &ctx, db_.buffer, a_.buffer, dc_.buffer,
                                      offsets_.buffer};
      return generated_grouped_gemm_wgrad_cuda(&args);
    });
  });
}

xla::ffi::Error grouped_gemm_wgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("grouped_gemm_wgrad", 0x1ab6f41f4a44, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_cuda_ffi, generated::grouped_gemm_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<bool>("trans_b")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // b
                                  .Arg<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // c
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_cuda_ffi_made,
                              generated::grouped_gemm_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_wgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_wgrad_cuda_ffi,
                              generated::grouped_gemm_wgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<bool>("trans_b")
                                  .Arg<xla::ffi::AnyBuffer>()  // a
                                  .Arg<xla::ffi::AnyBuffer>()  // dc
                                  .Arg<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // db
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_grouped_gemm_wgrad_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_grouped_gemm_wgrad_cuda_ffi_made,
                              generated::grouped_gemm_wgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
