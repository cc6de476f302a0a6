// The seeds family's handlers for XLA's FFI.
// Rendered by opgen from seeds.toml.
#include "opgen/jax.h"

#include "seeds_call.h"

namespace language_ops {
namespace {

xla::ffi::Error masked_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                   int64_t /*op_hash*/, double p_in, xla::ffi::AnyBuffer x_in,
                                   xla::ffi::AnyBuffer seed_in,
                                   xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("masked", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand seed_(op, "seed", seed_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const MaskedCall call(x_.buffer, seed_.buffer, p_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const MaskedDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &seed_}, [&] {
      const MaskedArgs args{&desc, &ctx, y_.buffer, x_.buffer, seed_.buffer};
      return language_ops_masked_cpu(&args);
    });
  });
}

xla::ffi::Error masked_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("masked", 0xf35c55daf6c9, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_masked_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_masked_cpu_ffi, language_ops::masked_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("p")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // seed
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_masked_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_masked_cpu_ffi_made,
                              language_ops::masked_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
