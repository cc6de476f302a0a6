// The bins family's handlers for XLA's FFI.
// Rendered by opgen from bins.toml.
#include "opgen/jax.h"

#include "bins_call.h"

namespace language_ops {
namespace {

xla::ffi::Error bin_sums_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t bins_,
                             xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer bin_,
                             xla::ffi::Result<xla::ffi::AnyBuffer> sums_,
                             xla::ffi::Result<xla::ffi::AnyBuffer> counts_) {
  return opgen::jax::guarded("bin_sums", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand bin(op, "bin", bin_, batch_dims);
    opgen::jax::Operand sums(op, "sums", sums_, batch_dims);
    opgen::jax::Operand counts(op, "counts", counts_, batch_dims);
    const BinSumsCall call(x.buffer, bin.buffer, bins_);
    opgen::jax::CpuContext ctx(threads);
    opgen::takes(op, call.unmet(ctx.platform));
    sums.expect(call.sums());
    counts.expect(call.counts());
    opgen::prefer_huge_pages(sums.buffer);
    opgen::prefer_huge_pages(counts.buffer);
    const BinSumsDescriptor desc = call.descriptor();
    const opgen::jax::HostWorkspace memory(
        opgen::scratch(op, language_ops_bin_sums_cpu_workspace(&desc, ctx.properties())));
    ctx.use(memory.buffer);
    opgen::jax::each_slice(op, ctx.reported, {&sums, &counts, &x, &bin}, [&] {
      opgen::aligned(op, "x", x.buffer, 16);
      ctx.fill(counts.buffer, call.counts_init());
      const BinSumsArgs args{&desc, &ctx, sums.buffer, counts.buffer, x.buffer, bin.buffer};
      return language_ops_bin_sums_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_bin_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_bin_sums_cpu_ffi, language_ops::bin_sums_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("bins")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // bin
                                  .Ret<xla::ffi::AnyBuffer>()  // sums
                                  .Ret<xla::ffi::AnyBuffer>()  // counts
);
