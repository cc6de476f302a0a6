// The parts family's handlers for XLA's FFI.
// Rendered by opgen from parts.toml.
#include "opgen/jax.h"

#include "parts_call.h"

namespace language_ops {
namespace {

xla::ffi::Error column_totals_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t parts_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::Result<xla::ffi::AnyBuffer> y_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> sums_in) {
  return opgen::jax::guarded("column_totals", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand sums_(op, "sums", sums_in, batch_dims);
    const ColumnTotalsCall call(x_.buffer, parts_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    sums_.expect(call.sums_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(sums_.buffer);
    const ColumnTotalsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &sums_, &x_}, [&] {
      const ColumnTotalsArgs args{&desc, &ctx, y_.buffer, sums_.buffer, x_.buffer};
      return language_ops_column_totals_cpu(&args);
    });
  });
}

xla::ffi::Error column_totals_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("column_totals", 0x97402f70af07, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_column_totals_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_column_totals_cpu_ffi,
                              language_ops::column_totals_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("parts")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // sums
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_column_totals_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_column_totals_cpu_ffi_made,
                              language_ops::column_totals_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
