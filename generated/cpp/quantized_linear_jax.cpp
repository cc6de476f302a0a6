// The quantized_linear family's handlers for XLA's FFI.
// Rendered by opgen from quantized_linear.toml.
#include "opgen/jax_given.h"

#include "quantized_linear_call.h"

namespace generated {
namespace {

xla::ffi::Error int8_linear_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                        int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
                                        xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer scale_in,
                                        xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("int8_linear", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const Int8LinearCall call(x_.buffer, weight_.buffer, scale_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const Int8LinearDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &scale_}, [&] {
      const Int8LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer};
      return generated_int8_linear_cpu(&args);
    });
  });
}

xla::ffi::Error int8_linear_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int8_linear", 0xaeda32eb6992, attrs);
}

xla::ffi::Error int8_linear_dgrad_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer scale_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("int8_linear_dgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const Int8LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const Int8LinearDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_, &scale_}, [&] {
      const Int8LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer,
                                     scale_.buffer};
      return generated_int8_linear_dgrad_cpu(&args);
    });
  });
}

xla::ffi::Error int8_linear_dgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int8_linear_dgrad", 0x3153801a7a4e, attrs);
}

xla::ffi::Error int4_linear_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                        xla::ffi::RemainingArgs operands,
                                        xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("int4_linear", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand zero_ = given.input("zero");
    opgen::jax::Operand y_ = given.result("y");
    const Int4LinearCall call(x_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const Int4LinearDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &scale_, &zero_}, [&] {
      const Int4LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer,
                                zero_.buffer};
      return generated_int4_linear_cpu(&args);
    });
  });
}

xla::ffi::Error int4_linear_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int4_linear", 0xd7f0f1b21fd3, attrs);
}

xla::ffi::Error int4_linear_dgrad_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("int4_linear_dgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand zero_ = given.input("zero");
    opgen::jax::Operand dx_ = given.result("dx");
    const Int4LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    opgen::prefer_huge_pages(dx_.buffer);
    const Int4LinearDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_, &scale_, &zero_}, [&] {
      const Int4LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer,
                                     scale_.buffer, zero_.buffer};
      return generated_int4_linear_dgrad_cpu(&args);
    });
  });
}

xla::ffi::Error int4_linear_dgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int4_linear_dgrad", 0xf8646e1735e1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_cpu_ffi, generated::int8_linear_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // scale
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_cpu_ffi_made,
                              generated::int8_linear_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_dgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_dgrad_cpu_ffi,
                              generated::int8_linear_dgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // scale
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_dgrad_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_dgrad_cpu_ffi_made,
                              generated::int8_linear_dgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_cpu_ffi, generated::int4_linear_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_cpu_ffi_made,
                              generated::int4_linear_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_dgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_dgrad_cpu_ffi,
                              generated::int4_linear_dgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_dgrad_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_dgrad_cpu_ffi_made,
                              generated::int4_linear_dgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error int8_linear_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer scale_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("int8_linear", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const Int8LinearCall call(x_.buffer, weight_.buffer, scale_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    y_.expect(call.y_());
    const Int8LinearDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &scale_}, [&] {
      const Int8LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer};
      return generated_int8_linear_cuda(&args);
    });
  });
}

xla::ffi::Error int8_linear_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int8_linear", 0xaeda32eb6992, attrs);
}

xla::ffi::Error int8_linear_dgrad_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer scale_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in) {
  return opgen::jax::guarded("int8_linear_dgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand scale_(op, "scale", scale_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    const Int8LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    dx_.expect(call.dx_());
    const Int8LinearDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_, &scale_}, [&] {
      const Int8LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer,
                                     scale_.buffer};
      return generated_int8_linear_dgrad_cuda(&args);
    });
  });
}

xla::ffi::Error int8_linear_dgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int8_linear_dgrad", 0x3153801a7a4e, attrs);
}

xla::ffi::Error int4_linear_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                         xla::ffi::RemainingArgs operands,
                                         xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("int4_linear", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand zero_ = given.input("zero");
    opgen::jax::Operand y_ = given.result("y");
    const Int4LinearCall call(x_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    y_.expect(call.y_());
    const Int4LinearDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &x_, &weight_, &scale_, &zero_}, [&] {
      const Int4LinearArgs args{&desc, &ctx, y_.buffer, x_.buffer, weight_.buffer, scale_.buffer,
                                zero_.buffer};
      return generated_int4_linear_cuda(&args);
    });
  });
}

xla::ffi::Error int4_linear_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int4_linear", 0xd7f0f1b21fd3, attrs);
}

xla::ffi::Error int4_linear_dgrad_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("int4_linear_dgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand scale_ = given.input("scale");
    opgen::jax::Operand zero_ = given.input("zero");
    opgen::jax::Operand dx_ = given.result("dx");
    const Int4LinearDgradCall call(dy_.buffer, weight_.buffer, scale_.buffer, zero_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    dx_.expect(call.dx_());
    const Int4LinearDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dy_, &weight_, &scale_, &zero_}, [&] {
      const Int4LinearDgradArgs args{&desc, &ctx, dx_.buffer, dy_.buffer, weight_.buffer,
                                     scale_.buffer, zero_.buffer};
      return generated_int4_linear_dgrad_cuda(&args);
    });
  });
}

xla::ffi::Error int4_linear_dgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("int4_linear_dgrad", 0xf8646e1735e1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_cuda_ffi, generated::int8_linear_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // scale
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_cuda_ffi_made,
                              generated::int8_linear_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_dgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_dgrad_cuda_ffi,
                              generated::int8_linear_dgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // scale
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int8_linear_dgrad_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int8_linear_dgrad_cuda_ffi_made,
                              generated::int8_linear_dgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_cuda_ffi, generated::int4_linear_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_cuda_ffi_made,
                              generated::int4_linear_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_dgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_dgrad_cuda_ffi,
                              generated::int4_linear_dgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_int4_linear_dgrad_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_int4_linear_dgrad_cuda_ffi_made,
                              generated::int4_linear_dgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
