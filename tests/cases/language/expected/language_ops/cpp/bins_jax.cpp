// The bins family's handlers for XLA's FFI.
// Rendered by opgen from bins.toml.
#include "opgen/jax.h"

#include "bins_call.h"

namespace language_ops {
namespace {

xla::ffi::Error bin_sums_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                     int64_t /*op_hash*/, int64_t bins_in, xla::ffi::AnyBuffer x_in,
                                     xla::ffi::AnyBuffer bin_in,
                                     xla::ffi::Result<xla::ffi::AnyBuffer> sums_in,
                                     xla::ffi::Result<xla::ffi::AnyBuffer> counts_in) {
  return opgen::jax::guarded("bin_sums", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand bin_(op, "bin", bin_in, batch_dims);
    opgen::jax::Operand sums_(op, "sums", sums_in, batch_dims);
    opgen::jax::Operand counts_(op, "counts", counts_in, batch_dims);
    const BinSumsCall call(x_.buffer, bin_.buffer, bins_in);
    opgen::jax::CpuContext ctx(threads);
    opgen::takes(op, call.unmet(ctx.platform));
    sums_.expect(call.sums_());
    counts_.expect(call.counts_());
    opgen::prefer_huge_pages(sums_.buffer);
    opgen::prefer_huge_pages(counts_.buffer);
    const BinSumsDescriptor desc = call.descriptor();
    const opgen::jax::HostWorkspace memory(
        opgen::scratch(op, language_ops_bin_sums_cpu_workspace(&desc, ctx.properties())));
    ctx.use(memory.buffer);
    opgen::jax::each_slice(op, ctx.reported, {&sums_, &counts_, &x_, &bin_}, [&] {
      opgen::aligned(op, "x", x_.buffer, 16);
      ctx.fill(counts_.buffer, call.counts_init());
      const BinSumsArgs args{&desc, &ctx, sums_.buffer, counts_.buffer, x_.buffer, bin_.buffer};
      return language_ops_bin_sums_cpu(&args);
    });
  });
}

xla::ffi::Error bin_sums_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("bin_sums", 0x46eb9c313033, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_bin_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_bin_sums_cpu_ffi, language_ops::bin_sums_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("bins")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // bin
                                  .Ret<xla::ffi::AnyBuffer>()  // sums
                                  .Ret<xla::ffi::AnyBuffer>()  // counts
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_bin_sums_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_bin_sums_cpu_ffi_made,
                              language_ops::bin_sums_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
