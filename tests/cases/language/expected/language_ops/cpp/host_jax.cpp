// The host family's handlers for XLA's FFI.
// Rendered by opgen from host.toml.
#include "opgen/jax.h"

#include "host_call.h"

namespace language_ops {
namespace {

xla::ffi::Error segment_sums_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer bounds_in, xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("segment_sums", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand bounds_(op, "bounds", bounds_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SegmentSumsCall call(x_.buffer, bounds_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const SegmentSumsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &bounds_}, [&] {
      const SegmentSumsArgs args{&desc, &ctx, y_.buffer, x_.buffer, bounds_.buffer};
      return language_ops_segment_sums_cpu(&args);
    });
  });
}

xla::ffi::Error segment_sums_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("segment_sums", 0xe120973865b7, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_segment_sums_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_segment_sums_cpu_ffi,
                              language_ops::segment_sums_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // bounds
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_segment_sums_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_segment_sums_cpu_ffi_made,
                              language_ops::segment_sums_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
