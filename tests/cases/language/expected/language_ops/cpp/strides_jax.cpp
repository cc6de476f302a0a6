// The strides family's handlers for XLA's FFI.
// Rendered by opgen from strides.toml.
#include "opgen/jax_given.h"

#include "strides_call.h"

namespace language_ops {
namespace {

xla::ffi::Error square_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                   int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                   xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("square", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SquareCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const SquareDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const SquareArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return language_ops_square_cpu(&args);
    });
  });
}

xla::ffi::Error square_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("square", 0xa2e7304d0098, attrs);
}

xla::ffi::Error head_norms_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                       int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                       xla::ffi::Result<xla::ffi::AnyBuffer> norms_in) {
  return opgen::jax::guarded("head_norms", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand norms_(op, "norms", norms_in, batch_dims);
    x_.lay_out(opgen::Order{{0, 1, 2}, 3, -1, 1});
    const HeadNormsCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    norms_.expect(call.norms_());
    opgen::prefer_huge_pages(norms_.buffer);
    const HeadNormsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&norms_, &x_}, [&] {
      const HeadNormsArgs args{&desc, &ctx, norms_.buffer, x_.buffer};
      return language_ops_head_norms_cpu(&args);
    });
  });
}

xla::ffi::Error head_norms_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("head_norms", 0x6d2d1e6ebdd9, attrs);
}

xla::ffi::Error scale_all_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("scale_all", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::OperandList xs_ = given.inputs("xs");
    opgen::jax::Operand factor_ = given.input("factor");
    opgen::jax::OperandList ys_ = given.results("ys");
    const ScaleAllCall call(xs_.buffer, factor_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    ys_.expect(call.ys_());
    const ScaleAllDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&ys_, &xs_, &factor_}, [&] {
      const ScaleAllArgs args{&desc, &ctx, ys_.buffer, xs_.buffer, factor_.buffer};
      return language_ops_scale_all_cpu(&args);
    });
  });
}

xla::ffi::Error scale_all_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("scale_all", 0xbccfe8016c04, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_square_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_square_cpu_ffi, language_ops::square_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_square_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_square_cpu_ffi_made,
                              language_ops::square_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_head_norms_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_head_norms_cpu_ffi, language_ops::head_norms_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // norms
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_head_norms_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_head_norms_cpu_ffi_made,
                              language_ops::head_norms_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_scale_all_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_scale_all_cpu_ffi, language_ops::scale_all_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_scale_all_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_scale_all_cpu_ffi_made,
                              language_ops::scale_all_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
