// The paged_cache_write family's handlers for XLA's FFI.
// Rendered by opgen from paged_cache_write.toml.
#include "opgen/jax_given.h"

#include "paged_cache_write_call.h"

namespace generated {
namespace {

xla::ffi::Error paged_cache_write_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("paged_cache_write", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    given.input("k_cache");
    given.input("v_cache");
    opgen::jax::Operand slots_ = given.input("slots");
    opgen::jax::Operand k_scale_ = given.input("k_scale");
    opgen::jax::Operand v_scale_ = given.input("v_scale");
    opgen::jax::Operand k_cache_ = given.result("k_cache");
    opgen::jax::Operand v_cache_ = given.result("v_cache");
    const PagedCacheWriteCall call(k_.buffer, v_.buffer, k_cache_.buffer, v_cache_.buffer,
                                   slots_.buffer, k_scale_.buffer, v_scale_.buffer,
                                   given.attr<std::string_view>("order"));
    const opgen::jax::CpuContext ctx(threads);
    const PagedCacheWriteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&k_cache_, &v_cache_, &k_, &v_, &slots_, &k_scale_, &v_scale_}, [&] {
      const PagedCacheWriteArgs args{&desc, &ctx, k_.buffer, v_.buffer, k_cache_.buffer,
                                     v_cache_.buffer, slots_.buffer, k_scale_.buffer,
                                     v_scale_.buffer};
      return generated_paged_cache_write_cpu(&args);
    });
  });
}

xla::ffi::Error paged_cache_write_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("paged_cache_write", 0x27ea5b7cbd64, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_paged_cache_write_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_paged_cache_write_cpu_ffi,
                              generated::paged_cache_write_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_paged_cache_write_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_paged_cache_write_cpu_ffi_made,
                              generated::paged_cache_write_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error paged_cache_write_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("paged_cache_write", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    given.input("k_cache");
    given.input("v_cache");
    opgen::jax::Operand slots_ = given.input("slots");
    opgen::jax::Operand k_scale_ = given.input("k_scale");
    opgen::jax::Operand v_scale_ = given.input("v_scale");
    opgen::jax::Operand k_cache_ = given.result("k_cache");
    opgen::jax::Operand v_cache_ = given.result("v_cache");
    const PagedCacheWriteCall call(k_.buffer, v_.buffer, k_cache_.buffer, v_cache_.buffer,
                                   slots_.buffer, k_scale_.buffer, v_scale_.buffer,
                                   given.attr<std::string_view>("order"));
    const opgen::jax::CudaContext ctx(stream, device);
    const PagedCacheWriteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&k_cache_, &v_cache_, &k_, &v_, &slots_, &k_scale_, &v_scale_}, [&] {
      const PagedCacheWriteArgs args{&desc, &ctx, k_.buffer, v_.buffer, k_cache_.buffer,
                                     v_cache_.buffer, slots_.buffer, k_scale_.buffer,
                                     v_scale_.buffer};
      return generated_paged_cache_write_cuda(&args);
    });
  });
}

xla::ffi::Error paged_cache_write_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("paged_cache_write", 0x27ea5b7cbd64, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_paged_cache_write_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_paged_cache_write_cuda_ffi,
                              generated::paged_cache_write_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_paged_cache_write_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_paged_cache_write_cuda_ffi_made,
                              generated::paged_cache_write_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
