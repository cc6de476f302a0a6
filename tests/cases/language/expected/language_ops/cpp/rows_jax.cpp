// The rows family's handlers for XLA's FFI.
// Rendered by opgen from rows.toml.
#include "opgen/jax.h"

#include "rows_call.h"

namespace language_ops {
namespace {

xla::ffi::Error unit_rows_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                              xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_,
                              xla::ffi::Result<xla::ffi::AnyBuffer> y_,
                              xla::ffi::Result<xla::ffi::AnyBuffer> length_) {
  return opgen::jax::guarded("unit_rows", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand length(op, "length", length_, batch_dims);
    const UnitRowsCall call(x.buffer, weight.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    length.expect(call.length());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(length.buffer);
    const UnitRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &length, &x, &weight}, [&] {
      const UnitRowsArgs args{&desc, &ctx, y.buffer, length.buffer, x.buffer, weight.buffer};
      return language_ops_unit_rows_cpu(&args);
    });
  });
}

xla::ffi::Error unit_rows_dx_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                 xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer x_,
                                 xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer length_,
                                 xla::ffi::Result<xla::ffi::AnyBuffer> dx_) {
  return opgen::jax::guarded("unit_rows_dx", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand length(op, "length", length_, batch_dims);
    opgen::jax::Operand dx(op, "dx", dx_, batch_dims);
    const UnitRowsDxCall call(dy.buffer, x.buffer, weight.buffer, length.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx.expect(call.dx());
    opgen::prefer_huge_pages(dx.buffer);
    const UnitRowsDxDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx, &dy, &x, &weight, &length}, [&] {
      const UnitRowsDxArgs args{&desc, &ctx, dx.buffer, dy.buffer, x.buffer, weight.buffer,
                                length.buffer};
      return language_ops_unit_rows_dx_cpu(&args);
    });
  });
}

xla::ffi::Error unit_rows_dw_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                 xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer x_,
                                 xla::ffi::AnyBuffer length_,
                                 xla::ffi::Result<xla::ffi::AnyBuffer> dweight_) {
  return opgen::jax::guarded("unit_rows_dw", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand length(op, "length", length_, batch_dims);
    opgen::jax::Operand dweight(op, "dweight", dweight_, batch_dims);
    const UnitRowsDwCall call(dy.buffer, x.buffer, length.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dweight.expect(call.dweight());
    opgen::prefer_huge_pages(dweight.buffer);
    const UnitRowsDwDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dy, &x, &length}, [&] {
      const UnitRowsDwArgs args{&desc, &ctx, dweight.buffer, dy.buffer, x.buffer, length.buffer};
      return language_ops_unit_rows_dw_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_cpu_ffi, language_ops::unit_rows_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // length
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dx_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dx_cpu_ffi, language_ops::unit_rows_dx_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // length
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_unit_rows_dw_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_unit_rows_dw_cpu_ffi, language_ops::unit_rows_dw_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // length
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);
