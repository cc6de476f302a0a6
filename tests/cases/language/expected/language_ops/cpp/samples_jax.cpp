// The samples family's handlers for XLA's FFI.
// Rendered by opgen from samples.toml.
#include "opgen/jax.h"

#include "samples_call.h"

namespace language_ops {
namespace {

xla::ffi::Error swap_bytes_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                               xla::ffi::AnyBuffer x_, xla::ffi::Result<xla::ffi::AnyBuffer> y_) {
  return opgen::jax::guarded("swap_bytes", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    const SwapBytesCall call(x.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    opgen::prefer_huge_pages(y.buffer);
    const SwapBytesDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &x}, [&] {
      const SwapBytesArgs args{&desc, &ctx, y.buffer, x.buffer};
      return language_ops_swap_bytes_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_swap_bytes_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_swap_bytes_cpu_ffi, language_ops::swap_bytes_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);
