// The choices family's handlers for XLA's FFI.
// Rendered by opgen from choices.toml.
#include "opgen/jax.h"

#include "choices_call.h"

namespace language_ops {
namespace {

xla::ffi::Error row_sums_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                     int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                     xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("row_sums", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const RowSumsCall call(x_.buffer);
    opgen::jax::CpuContext ctx(threads);
    ctx.kernel = language_ops_row_sums_cpu_kernels.choose(
        [&] { return call.kernel(ctx.platform); },
        [&](const auto& takes) {
          const RowSumsDescriptor desc = call.descriptor();
          const RowSumsArgs args{&desc, &ctx, {}, x_.buffer};
          return takes(&args);
        },
        [&](int32_t each) { return call.unmet(ctx.platform, each); }, 0);
    if (language_ops_row_sums_cpu_kernels.unsure(ctx.kernel)) {
      opgen::takes(op, ctx.kernel, call.unmet(ctx.platform, ctx.kernel),
                   language_ops_row_sums_cpu_kernels.asked());
    }
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const RowSumsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const RowSumsArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return language_ops_row_sums_cpu(&args);
    });
  });
}

xla::ffi::Error row_sums_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("row_sums", 0x3b179a685452, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_row_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_row_sums_cpu_ffi, language_ops::row_sums_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_row_sums_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_row_sums_cpu_ffi_made,
                              language_ops::row_sums_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
