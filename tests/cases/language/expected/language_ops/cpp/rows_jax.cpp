// The rows family's handlers for XLA's FFI.
// Rendered by opgen from rows.toml.
#include "opgen/jax.h"

#include "rows_call.h"

namespace language_ops {
namespace {

xla::ffi::Error unit_rows_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::Result<xla::ffi::AnyBuffer> y_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> length_in) {
  return opgen::jax::guarded("unit_rows", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand length_(op, "length", length_in, batch_dims);
    const UnitRowsCall call(x_.buffer, weight_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    length_.expect(call.length_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(length_.buffer);
    const UnitRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &length_, &x_, &weight_}, [&] {
      const UnitRowsArgs args{&desc, &ctx, y_.buffer, length_.buffer, x_.buffer, weight_.buffer};
      return language_ops_unit_rows_cpu(&args);
    });
  });
}

xla::ffi::Error unit_rows_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("unit_rows", 0x9383b06ae0c7, attrs);
}

xla::ffi::Error unit_rows_dx_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::AnyBuffer length_in, xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("unit_rows_dx", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand length_(op, "length", length_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const UnitRowsDxCall call(dy_.buffer, x_.buffer, weight_.buffer, length_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const UnitRowsDxDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &x_, &weight_, &length_}, [&] {
      const UnitRowsDxArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer, weight_.buffer,
                                length_.buffer};
      return language_ops_unit_rows_dx_cpu(&args);
    });
  });
}

xla::ffi::Error unit_rows_dx_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("unit_rows_dx", 0x3d8400d2e750, attrs);
}

xla::ffi::Error unit_rows_dw_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                         int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in,
                                         xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer length_in,
                                         xla::ffi::Result<xla::ffi::AnyBuffer> dweight_in) {
  return opgen::jax::guarded("unit_rows_dw", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand length_(op, "length", length_in, batch_dims);
    opgen::jax::Operand dweight_(op, "dweight", dweight_in, batch_dims);
    const UnitRowsDwCall call(dy_.buffer, x_.buffer, length_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dweight_.buffer);
    const UnitRowsDwDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dy_, &x_, &length_}, [&] {
      const UnitRowsDwArgs args{&desc, &ctx, dweight_.buffer, dy_.buffer, x_.buffer,
                                length_.buffer};
      return language_ops_unit_rows_dw_cpu(&args);
    });
  });
}

xla::ffi::Error unit_rows_dw_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("unit_rows_dw", 0x3a1694f7e637, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_cpu_ffi, language_ops::unit_rows_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // length
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_cpu_ffi_made,
                              language_ops::unit_rows_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dx_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dx_cpu_ffi,
                              language_ops::unit_rows_dx_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // length
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dx_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dx_cpu_ffi_made,
                              language_ops::unit_rows_dx_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dw_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dw_cpu_ffi,
                              language_ops::unit_rows_dw_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // length
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dw_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dw_cpu_ffi_made,
                              language_ops::unit_rows_dw_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
