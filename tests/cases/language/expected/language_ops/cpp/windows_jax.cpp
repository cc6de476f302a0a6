// The windows family's handlers for XLA's FFI.
// Rendered by opgen from windows.toml.
#include "opgen/jax.h"

#include "windows_call.h"

namespace language_ops {
namespace {

xla::ffi::Error window_sums_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t width_,
                                int64_t step_, xla::ffi::AnyBuffer x_,
                                xla::ffi::Result<xla::ffi::AnyBuffer> sums_) {
  return opgen::jax::guarded("window_sums", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand sums(op, "sums", sums_, batch_dims);
    const WindowSumsCall call(x.buffer, width_, step_);
    const opgen::jax::CpuContext ctx(threads);
    sums.expect(call.sums());
    opgen::prefer_huge_pages(sums.buffer);
    const WindowSumsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&sums, &x}, [&] {
      const WindowSumsArgs args{&desc, &ctx, sums.buffer, x.buffer};
      return language_ops_window_sums_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_window_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_window_sums_cpu_ffi, language_ops::window_sums_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("width")
                                  .Attr<int64_t>("step")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // sums
);
