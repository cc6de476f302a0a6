// The silu_and_mul family's handlers for XLA's FFI.
// Rendered by opgen from silu_and_mul.toml.
#include "opgen/jax.h"

#include "silu_and_mul_call.h"

namespace generated {
namespace {

xla::ffi::Error silu_and_mul_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                         int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                         xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("silu_and_mul", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SiluAndMulCall call(x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const SiluAndMulDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const SiluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_silu_and_mul_cpu(&args);
    });
  });
}

xla::ffi::Error silu_and_mul_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("silu_and_mul", 0xead29c8a917b, attrs);
}

xla::ffi::Error silu_and_mul_bwd_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                             int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in,
                                             xla::ffi::AnyBuffer x_in,
                                             xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("silu_and_mul_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const SiluAndMulBwdCall call(dy_.buffer, x_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const SiluAndMulBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &x_}, [&] {
      const SiluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
      return generated_silu_and_mul_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error silu_and_mul_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("silu_and_mul_bwd", 0xd1d2a079bbf4, attrs);
}

xla::ffi::Error swiglu_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                   int64_t /*op_hash*/, xla::ffi::AnyBuffer gate_in,
                                   xla::ffi::AnyBuffer up_in,
                                   xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("swiglu", [&](const char* op) {
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SwigluCall call(gate_.buffer, up_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const SwigluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &gate_, &up_}, [&] {
      const SwigluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
      return generated_swiglu_cpu(&args);
    });
  });
}

xla::ffi::Error swiglu_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("swiglu", 0xaf2a03abd8a6, attrs);
}

xla::ffi::Error swiglu_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer gate_in, xla::ffi::AnyBuffer up_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dgate_in, xla::ffi::Result<xla::ffi::AnyBuffer> dup_in) {
  return opgen::jax::guarded("swiglu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand dgate_(op, "dgate", dgate_in, batch_dims);
    opgen::jax::Operand dup_(op, "dup", dup_in, batch_dims);
    const SwigluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dgate_.expect(call.dgate_());
    dup_.expect(call.dup_());
    opgen::prefer_huge_pages(dgate_.buffer);
    opgen::prefer_huge_pages(dup_.buffer);
    const SwigluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dgate_, &dup_, &dy_, &gate_, &up_}, [&] {
      const SwigluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                               up_.buffer};
      return generated_swiglu_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error swiglu_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("swiglu_bwd", 0x639e659b9c7f, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_cpu_ffi, generated::silu_and_mul_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_cpu_ffi_made,
                              generated::silu_and_mul_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_bwd_cpu_ffi,
                              generated::silu_and_mul_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_bwd_cpu_ffi_made,
                              generated::silu_and_mul_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_cpu_ffi, generated::swiglu_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_cpu_ffi_made, generated::swiglu_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_bwd_cpu_ffi, generated::swiglu_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // dgate
                                  .Ret<xla::ffi::AnyBuffer>()  // dup
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_bwd_cpu_ffi_made,
                              generated::swiglu_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error silu_and_mul_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                          int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                          xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("silu_and_mul", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SiluAndMulCall call(x_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const SiluAndMulDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_}, [&] {
      const SiluAndMulArgs args{&desc, &ctx, y_.buffer, x_.buffer};
      return generated_silu_and_mul_cuda(&args);
    });
  });
}

xla::ffi::Error silu_and_mul_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("silu_and_mul", 0xead29c8a917b, attrs);
}

xla::ffi::Error silu_and_mul_bwd_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                              int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in,
                                              xla::ffi::AnyBuffer x_in,
                                              xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("silu_and_mul_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const SiluAndMulBwdCall call(dy_.buffer, x_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    const SiluAndMulBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &x_}, [&] {
      const SiluAndMulBwdArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, x_.buffer};
      return generated_silu_and_mul_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error silu_and_mul_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("silu_and_mul_bwd", 0xd1d2a079bbf4, attrs);
}

xla::ffi::Error swiglu_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                    int64_t /*op_hash*/, xla::ffi::AnyBuffer gate_in,
                                    xla::ffi::AnyBuffer up_in,
                                    xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("swiglu", [&](const char* op) {
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const SwigluCall call(gate_.buffer, up_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const SwigluDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &gate_, &up_}, [&] {
      const SwigluArgs args{&desc, &ctx, y_.buffer, gate_.buffer, up_.buffer};
      return generated_swiglu_cuda(&args);
    });
  });
}

xla::ffi::Error swiglu_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("swiglu", 0xaf2a03abd8a6, attrs);
}

xla::ffi::Error swiglu_bwd_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer gate_in, xla::ffi::AnyBuffer up_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dgate_in, xla::ffi::Result<xla::ffi::AnyBuffer> dup_in) {
  return opgen::jax::guarded("swiglu_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand gate_(op, "gate", gate_in, batch_dims);
    opgen::jax::Operand up_(op, "up", up_in, batch_dims);
    opgen::jax::Operand dgate_(op, "dgate", dgate_in, batch_dims);
    opgen::jax::Operand dup_(op, "dup", dup_in, batch_dims);
    const SwigluBwdCall call(dy_.buffer, gate_.buffer, up_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dgate_.expect(call.dgate_());
    dup_.expect(call.dup_());
    const SwigluBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dgate_, &dup_, &dy_, &gate_, &up_}, [&] {
      const SwigluBwdArgs args{&desc, &ctx, dgate_.buffer, dup_.buffer, dy_.buffer, gate_.buffer,
                               up_.buffer};
      return generated_swiglu_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error swiglu_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("swiglu_bwd", 0x639e659b9c7f, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_cuda_ffi, generated::silu_and_mul_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_cuda_ffi_made,
                              generated::silu_and_mul_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_bwd_cuda_ffi,
                              generated::silu_and_mul_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_silu_and_mul_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_silu_and_mul_bwd_cuda_ffi_made,
                              generated::silu_and_mul_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_cuda_ffi, generated::swiglu_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_cuda_ffi_made, generated::swiglu_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_bwd_cuda_ffi, generated::swiglu_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // gate
                                  .Arg<xla::ffi::AnyBuffer>()  // up
                                  .Ret<xla::ffi::AnyBuffer>()  // dgate
                                  .Ret<xla::ffi::AnyBuffer>()  // dup
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_swiglu_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_swiglu_bwd_cuda_ffi_made,
                              generated::swiglu_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
