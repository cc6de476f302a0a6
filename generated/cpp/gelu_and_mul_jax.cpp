// The gelu_and_mul family's handlers for XLA's FFI.
// Rendered by opgen from gelu_and_mul.toml.
#include "opgen/jax.h"

#include "gelu_and_mul_call.h"

namespace generated {
namespace {

xla::ffi::Error gelu_and_mul_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                         int64_t /*op_hash*/, std::string_view approximate_in,
                                         xla::ffi::AnyBuffer x_in,
                                         xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("gelu_and_mul", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const GeluAndMulCall call(x_.buffer, approximate_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const GeluAndMulDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const GeluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_gelu_and_mul_cpu(&args);
    });
  });
}

xla::ffi::Error gelu_and_mul_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("gelu_and_mul", 0x783b0262a404, attrs);
}

xla::ffi::Error gelu_and_mul_bwd_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                             int64_t /*op_hash*/, std::string_view approximate_in,
                                             xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer x_in,
                                             xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("gelu_and_mul_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const GeluAndMulBwdCall call(dy_.buffer, x_.buffer, approximate_in);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const GeluAndMulBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &x_}, [&] {
      const GeluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
      return generated_gelu_and_mul_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error gelu_and_mul_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("gelu_and_mul_bwd", 0xc91ee9305dfe, attrs);
}

xla::ffi::Error geglu_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                  int64_t /*op_hash*/, std::string_view approximate_in,
                                  xla::ffi::AnyBuffer gate_in, xla::ffi::AnyBuffer up_in,
                                  xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("geglu", [&](const char* op) {
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const GegluCall call(gate_.buffer, up_.buffer, approximate_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const GegluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &gate_, &up_}, [&] {
      const GegluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
      return generated_geglu_cpu(&args);
    });
  });
}

xla::ffi::Error geglu_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("geglu", 0x16c3be59a421, attrs);
}

xla::ffi::Error geglu_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    std::string_view approximate_in, xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer gate_in,
    xla::ffi::AnyBuffer up_in, xla::ffi::Result<xla::ffi::AnyBuffer> dgate_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dup_in) {
  return opgen::jax::guarded("geglu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand dgate_(op, "dgate", dgate_in, batch_dims);
    opgen::jax::Operand dup_(op, "dup", dup_in, batch_dims);
    const GegluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer, approximate_in);
    const opgen::jax::CpuContext ctx(threads);
    dgate_.expect(call.dgate_());
    dup_.expect(call.dup_());
    opgen::prefer_huge_pages(dgate_.buffer);
    opgen::prefer_huge_pages(dup_.buffer);
    const GegluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dgate_, &dup_, &dy_, &gate_, &up_}, [&] {
      const GegluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                              up_.buffer};
      return generated_geglu_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error geglu_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("geglu_bwd", 0x936101ff8a61, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_cpu_ffi, generated::gelu_and_mul_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_cpu_ffi_made,
                              generated::gelu_and_mul_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_bwd_cpu_ffi,
                              generated::gelu_and_mul_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_bwd_cpu_ffi_made,
                              generated::gelu_and_mul_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_cpu_ffi, generated::geglu_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_cpu_ffi_made, generated::geglu_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_bwd_cpu_ffi, generated::geglu_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // dgate
                                  .Ret<xla::ffi::AnyBuffer>()  // dup
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_bwd_cpu_ffi_made,
                              generated::geglu_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error gelu_and_mul_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                          int64_t /*op_hash*/, std::string_view approximate_in,
                                          xla::ffi::AnyBuffer x_in,
                                          xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("gelu_and_mul", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const GeluAndMulCall call(x_.buffer, approximate_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const GeluAndMulDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const GeluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_gelu_and_mul_cuda(&args);
    });
  });
}

xla::ffi::Error gelu_and_mul_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("gelu_and_mul", 0x783b0262a404, attrs);
}

xla::ffi::Error gelu_and_mul_bwd_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                              int64_t /*op_hash*/, std::string_view approximate_in,
                                              xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer x_in,
                                              xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("gelu_and_mul_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const GeluAndMulBwdCall call(dy_.buffer, x_.buffer, approximate_in);
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    const GeluAndMulBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &x_}, [&] {
      const GeluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
      return generated_gelu_and_mul_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error gelu_and_mul_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("gelu_and_mul_bwd", 0xc91ee9305dfe, attrs);
}

xla::ffi::Error geglu_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                   int64_t /*op_hash*/, std::string_view approximate_in,
                                   xla::ffi::AnyBuffer gate_in, xla::ffi::AnyBuffer up_in,
                                   xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("geglu", [&](const char* op) {
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const GegluCall call(gate_.buffer, up_.buffer, approximate_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const GegluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &gate_, &up_}, [&] {
      const GegluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
      return generated_geglu_cuda(&args);
    });
  });
}

xla::ffi::Error geglu_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("geglu", 0x16c3be59a421, attrs);
}

xla::ffi::Error geglu_bwd_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    std::string_view approximate_in, xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer gate_in,
    xla::ffi::AnyBuffer up_in, xla::ffi::Result<xla::ffi::AnyBuffer> dgate_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dup_in) {
  return opgen::jax::guarded("geglu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand dgate_(op, "dgate", dgate_in, batch_dims);
    opgen::jax::Operand dup_(op, "dup", dup_in, batch_dims);
    const GegluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer, approximate_in);
    const opgen::jax::CudaContext ctx(stream, device);
    dgate_.expect(call.dgate_());
    dup_.expect(call.dup_());
    const GegluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dgate_, &dup_, &dy_, &gate_, &up_}, [&] {
      const GegluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                              up_.buffer};
      return generated_geglu_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error geglu_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("geglu_bwd", 0x936101ff8a61, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_cuda_ffi, generated::gelu_and_mul_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_cuda_ffi_made,
                              generated::gelu_and_mul_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_bwd_cuda_ffi,
                              generated::gelu_and_mul_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_gelu_and_mul_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_gelu_and_mul_bwd_cuda_ffi_made,
                              generated::gelu_and_mul_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_cuda_ffi, generated::geglu_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_cuda_ffi_made, generated::geglu_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_bwd_cuda_ffi, generated::geglu_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("approximate")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // dgate
                                  .Ret<xla::ffi::AnyBuffer>()  // dup
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_geglu_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_geglu_bwd_cuda_ffi_made,
                              generated::geglu_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
