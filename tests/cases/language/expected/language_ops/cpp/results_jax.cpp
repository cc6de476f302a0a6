// The results family's handlers for XLA's FFI.
// Rendered by opgen from results.toml.
#include "opgen/jax_given.h"

#include "results_call.h"

namespace language_ops {
namespace {

xla::ffi::Error moments_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("moments", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.result("mean");
    opgen::jax::Operand variance_ = given.result("variance");
    const MomentsCall call(x_.buffer, given.attr<bool>("spread"));
    opgen::jax::CpuContext ctx(threads);
    mean_.expect(call.mean_());
    if (call.variance_present()) variance_.expect(call.variance_());
    opgen::prefer_huge_pages(mean_.buffer);
    opgen::prefer_huge_pages(variance_.buffer);
    const MomentsDescriptor desc = call.descriptor();
    ctx.symbol = call.symbol(ctx.platform);
    opgen::jax::each_slice(op, ctx.reported, {&mean_, &variance_, &x_}, [&] {
      const MomentsArgs args{&desc, &ctx, mean_.buffer, variance_.buffer, x_.buffer};
      return language_ops_moments_cpu(&args);
    });
  });
}

xla::ffi::Error moments_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moments", 0x9990ad3dcd36, attrs);
}

xla::ffi::Error split_rows_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("split_rows", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::OperandList parts_ = given.results("parts");
    const SplitRowsCall call(x_.buffer,
                             opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("sizes")));
    const opgen::jax::CpuContext ctx(threads);
    parts_.expect(call.parts_());
    const SplitRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&parts_, &x_}, [&] {
      const SplitRowsArgs args{&desc, &ctx, parts_.buffer, x_.buffer};
      return language_ops_split_rows_cpu(&args);
    });
  });
}

xla::ffi::Error split_rows_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("split_rows", 0x03d1b6e7d548, attrs);
}

xla::ffi::Error accumulate_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("accumulate", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    const auto total_read = given.read();
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand sum_ = given.result("sum");
    opgen::jax::Operand total_ = given.updated("total", total_read);
    const AccumulateCall call(total_.buffer, x_.buffer, given.attr<bool>("in_place"));
    const opgen::jax::CpuContext ctx(threads);
    sum_.expect(call.sum_());
    opgen::prefer_huge_pages(sum_.buffer);
    const AccumulateDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&sum_, &total_, &x_}, [&] {
      const AccumulateArgs args{&desc, &ctx, sum_.buffer, total_.buffer, x_.buffer};
      return language_ops_accumulate_cpu(&args);
    });
  });
}

xla::ffi::Error accumulate_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("accumulate", 0x693bd32960af, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_moments_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_moments_cpu_ffi, language_ops::moments_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_moments_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_moments_cpu_ffi_made,
                              language_ops::moments_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_split_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_split_rows_cpu_ffi, language_ops::split_rows_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_split_rows_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_split_rows_cpu_ffi_made,
                              language_ops::split_rows_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_accumulate_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_accumulate_cpu_ffi, language_ops::accumulate_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_accumulate_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_accumulate_cpu_ffi_made,
                              language_ops::accumulate_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
