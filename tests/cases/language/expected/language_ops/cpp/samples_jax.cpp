// The samples family's handlers for XLA's FFI.
// Rendered by opgen from samples.toml.
#include "opgen/jax.h"

#include "samples_call.h"

namespace language_ops {
namespace {

xla::ffi::Error swap_bytes_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                       int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                       xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("swap_bytes", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SwapBytesCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const SwapBytesDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const SwapBytesArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return language_ops_swap_bytes_cpu(&args);
    });
  });
}

xla::ffi::Error swap_bytes_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("swap_bytes", 0x6069f464351d, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_swap_bytes_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_swap_bytes_cpu_ffi, language_ops::swap_bytes_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_swap_bytes_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_swap_bytes_cpu_ffi_made,
                              language_ops::swap_bytes_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
