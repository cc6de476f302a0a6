// The rotary family's handlers for XLA's FFI.
// Rendered by opgen from rotary.toml.
#include "opgen/jax_given.h"

#include "rotary_call.h"

namespace generated {
namespace {

xla::ffi::Error rotary_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                   xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand positions_ = given.input("positions");
    opgen::jax::Operand cos_sin_ = given.input("cos_sin");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand q_out_ = given.result("q_out");
    opgen::jax::Operand k_out_ = given.result("k_out");
    const RotaryCall call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer,
                          given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CpuContext ctx(threads);
    q_out_.expect(call.q_out_());
    if (call.k_out_present()) k_out_.expect(call.k_out_());
    opgen::prefer_huge_pages(q_out_.buffer);
    opgen::prefer_huge_pages(k_out_.buffer);
    const RotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&q_out_, &k_out_, &q_, &positions_, &cos_sin_, &k_}, [&] {
      const RotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, positions_.buffer,
                            cos_sin_.buffer, k_.buffer};
      return generated_rotary_cpu(&args);
    });
  });
}

xla::ffi::Error rotary_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rotary", 0x1b0473da29a2, attrs);
}

xla::ffi::Error rotary__cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.input("q");
    opgen::jax::Operand positions_ = given.input("positions");
    opgen::jax::Operand cos_sin_ = given.input("cos_sin");
    given.input("k");
    opgen::jax::Operand q_ = given.result("q");
    opgen::jax::Operand k_ = given.result("k");
    const Rotary_Call call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer,
                           given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CpuContext ctx(threads);
    const Rotary_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_, &k_, &positions_, &cos_sin_}, [&] {
      const Rotary_Args args{&desc, &ctx, q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer};
      return generated_rotary__cpu(&args);
    });
  });
}

xla::ffi::Error rotary__cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rotary_", 0x4ff765ad3d0c, attrs);
}

xla::ffi::Error apply_rotary_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    std::string_view order_in, std::string_view style_in, bool inverse_in, xla::ffi::AnyBuffer q_in,
    xla::ffi::AnyBuffer k_in, xla::ffi::AnyBuffer cos_in, xla::ffi::AnyBuffer sin_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> q_out_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> k_out_in) {
  return opgen::jax::guarded("apply_rotary", [&](const char* op) {
    opgen::jax::Operand q_(op, "q", q_in, batch_dims);
    opgen::jax::Operand k_(op, "k", k_in, batch_dims);
    opgen::jax::Operand cos_(op, "cos", cos_in, batch_dims);
    opgen::jax::Operand sin_(op, "sin", sin_in, batch_dims);
    opgen::jax::Operand q_out_(op, "q_out", q_out_in, batch_dims);
    opgen::jax::Operand k_out_(op, "k_out", k_out_in, batch_dims);
    const ApplyRotaryCall call(q_.buffer, k_.buffer, cos_.buffer, sin_.buffer, order_in, style_in,
                               inverse_in);
    const opgen::jax::CpuContext ctx(threads);
    q_out_.expect(call.q_out_());
    k_out_.expect(call.k_out_());
    opgen::prefer_huge_pages(q_out_.buffer);
    opgen::prefer_huge_pages(k_out_.buffer);
    const ApplyRotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_out_, &k_out_, &q_, &k_, &cos_, &sin_}, [&] {
      const ApplyRotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, k_.buffer,
                                 cos_.buffer, sin_.buffer};
      return generated_apply_rotary_cpu(&args);
    });
  });
}

xla::ffi::Error apply_rotary_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("apply_rotary", 0xe8b043873416, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cpu_ffi, generated::rotary_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cpu_ffi_made, generated::rotary_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cpu_ffi, generated::rotary__cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cpu_ffi_made, generated::rotary__cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_apply_rotary_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_apply_rotary_cpu_ffi, generated::apply_rotary_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("order")
                                  .Attr<std::string_view>("style")
                                  .Attr<bool>("inverse")
                                  .Arg<xla::ffi::AnyBuffer>()  // q
                                  .Arg<xla::ffi::AnyBuffer>()  // k
                                  .Arg<xla::ffi::AnyBuffer>()  // cos
                                  .Arg<xla::ffi::AnyBuffer>()  // sin
                                  .Ret<xla::ffi::AnyBuffer>()  // q_out
                                  .Ret<xla::ffi::AnyBuffer>()  // k_out
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_apply_rotary_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_apply_rotary_cpu_ffi_made,
                              generated::apply_rotary_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error rotary_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand positions_ = given.input("positions");
    opgen::jax::Operand cos_sin_ = given.input("cos_sin");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand q_out_ = given.result("q_out");
    opgen::jax::Operand k_out_ = given.result("k_out");
    const RotaryCall call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer,
                          given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CudaContext ctx(stream, device);
    q_out_.expect(call.q_out_());
    if (call.k_out_present()) k_out_.expect(call.k_out_());
    const RotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&q_out_, &k_out_, &q_, &positions_, &cos_sin_, &k_}, [&] {
      const RotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, positions_.buffer,
                            cos_sin_.buffer, k_.buffer};
      return generated_rotary_cuda(&args);
    });
  });
}

xla::ffi::Error rotary_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rotary", 0x1b0473da29a2, attrs);
}

xla::ffi::Error rotary__cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                     xla::ffi::RemainingArgs operands,
                                     xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.input("q");
    opgen::jax::Operand positions_ = given.input("positions");
    opgen::jax::Operand cos_sin_ = given.input("cos_sin");
    given.input("k");
    opgen::jax::Operand q_ = given.result("q");
    opgen::jax::Operand k_ = given.result("k");
    const Rotary_Call call(q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer,
                           given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CudaContext ctx(stream, device);
    const Rotary_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_, &k_, &positions_, &cos_sin_}, [&] {
      const Rotary_Args args{&desc, &ctx, q_.buffer, positions_.buffer, cos_sin_.buffer, k_.buffer};
      return generated_rotary__cuda(&args);
    });
  });
}

xla::ffi::Error rotary__cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rotary_", 0x4ff765ad3d0c, attrs);
}

xla::ffi::Error apply_rotary_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    std::string_view order_in, std::string_view style_in, bool inverse_in, xla::ffi::AnyBuffer q_in,
    xla::ffi::AnyBuffer k_in, xla::ffi::AnyBuffer cos_in, xla::ffi::AnyBuffer sin_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> q_out_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> k_out_in) {
  return opgen::jax::guarded("apply_rotary", [&](const char* op) {
    opgen::jax::Operand q_(op, "q", q_in, batch_dims);
    opgen::jax::Operand k_(op, "k", k_in, batch_dims);
    opgen::jax::Operand cos_(op, "cos", cos_in, batch_dims);
    opgen::jax::Operand sin_(op, "sin", sin_in, batch_dims);
    opgen::jax::Operand q_out_(op, "q_out", q_out_in, batch_dims);
    opgen::jax::Operand k_out_(op, "k_out", k_out_in, batch_dims);
    const ApplyRotaryCall call(q_.buffer, k_.buffer, cos_.buffer, sin_.buffer, order_in, style_in,
                               inverse_in);
    const opgen::jax::CudaContext ctx(stream, device);
    q_out_.expect(call.q_out_());
    k_out_.expect(call.k_out_());
    const ApplyRotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_out_, &k_out_, &q_, &k_, &cos_, &sin_}, [&] {
      const ApplyRotaryArgs args{&desc, &ctx, q_out_.buffer, k_out_.buffer, q_.buffer, k_.buffer,
                                 cos_.buffer, sin_.buffer};
      return generated_apply_rotary_cuda(&args);
    });
  });
}

xla::ffi::Error apply_rotary_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("apply_rotary", 0xe8b043873416, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cuda_ffi, generated::rotary_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cuda_ffi_made, generated::rotary_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cuda_ffi, generated::rotary__cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cuda_ffi_made, generated::rotary__cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_apply_rotary_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_apply_rotary_cuda_ffi, generated::apply_rotary_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("order")
                                  .Attr<std::string_view>("style")
                                  .Attr<bool>("inverse")
                                  .Arg<xla::ffi::AnyBuffer>()  // q
                                  .Arg<xla::ffi::AnyBuffer>()  // k
                                  .Arg<xla::ffi::AnyBuffer>()  // cos
                                  .Arg<xla::ffi::AnyBuffer>()  // sin
                                  .Ret<xla::ffi::AnyBuffer>()  // q_out
                                  .Ret<xla::ffi::AnyBuffer>()  // k_out
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_apply_rotary_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_apply_rotary_cuda_ffi_made,
                              generated::apply_rotary_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
