// The windows family's handlers for XLA's FFI.
// Rendered by opgen from windows.toml.
#include "opgen/jax.h"

#include "windows_call.h"

namespace language_ops {
namespace {

xla::ffi::Error window_sums_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t width_in,
    int64_t step_in, xla::ffi::AnyBuffer x_in, xla::ffi::Result<xla::ffi::AnyBuffer> sums_in) {
  return opgen::jax::guarded("window_sums", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand sums_(op, "sums", sums_in, batch_dims);
    const WindowSumsCall call(x_.buffer, width_in, step_in);
    const opgen::jax::CpuContext ctx(threads);
    sums_.expect(call.sums_());
    opgen::prefer_huge_pages(sums_.buffer);
    const WindowSumsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&sums_, &x_}, [&] {
      const WindowSumsArgs args{&desc, &ctx, sums_.buffer, x_.buffer};
      return language_ops_window_sums_cpu(&args);
    });
  });
}

xla::ffi::Error window_sums_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("window_sums", 0x02c2169a23e4, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_window_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_window_sums_cpu_ffi,
                              language_ops::window_sums_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("width")
                                  .Attr<int64_t>("step")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // sums
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_window_sums_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_window_sums_cpu_ffi_made,
                              language_ops::window_sums_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
