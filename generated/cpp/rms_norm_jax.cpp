// The rms_norm family's handlers for XLA's FFI.
// Rendered by opgen from rms_norm.toml.
#include "opgen/jax.h"

#include "rms_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error rms_norm_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_in) {
  return opgen::jax::guarded("rms_norm", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    const RmsNormCall call(x_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    invvar_.expect(call.invvar_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(invvar_.buffer);
    const RmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_norm_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm", 0x76b58e2008b2, attrs);
}

xla::ffi::Error rms_norm_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::Result<xla::ffi::AnyBuffer> dx_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dweight_in) {
  return opgen::jax::guarded("rms_norm_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    opgen::jax::Operand dweight_(op, "dweight", dweight_in, batch_dims);
    const RmsNormBwdCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dx_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace part_grad_(call.part_grad_());
    const RmsNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dweight_, &dy_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_norm_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd", 0x750cf41eb976, attrs);
}

xla::ffi::Error rms_norm_squares_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> norm_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> squares_in) {
  return opgen::jax::guarded("rms_norm_squares", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand squares_(op, "squares", squares_in, batch_dims);
    const RmsNormSquaresCall call(x_.buffer, opgen::jax::sizes(norm_in));
    const opgen::jax::CpuContext ctx(threads);
    squares_.expect(call.squares_());
    opgen::prefer_huge_pages(squares_.buffer);
    const RmsNormSquaresDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&squares_, &x_}, [&] {
      const RmsNormSquaresArgs args{&desc, &ctx, squares_.buffer, x_.buffer};
      return generated_rms_norm_squares_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_squares_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_squares", 0xe17b3b94c4a9, attrs);
}

xla::ffi::Error rms_norm_scale_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer squares_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_in) {
  return opgen::jax::guarded("rms_norm_scale", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand squares_(op, "squares", squares_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    const RmsNormScaleCall call(x_.buffer, weight_.buffer, squares_.buffer, eps_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    invvar_.expect(call.invvar_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(invvar_.buffer);
    const RmsNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &invvar_, &x_, &weight_, &squares_}, [&] {
      const RmsNormScaleArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                  squares_.buffer};
      return generated_rms_norm_scale_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_scale_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_scale", 0xbd0c905bfee0, attrs);
}

xla::ffi::Error rms_norm_bwd_products_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::Result<xla::ffi::AnyBuffer> products_in) {
  return opgen::jax::guarded("rms_norm_bwd_products", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand products_(op, "products", products_in, batch_dims);
    const RmsNormBwdProductsCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    products_.expect(call.products_());
    opgen::prefer_huge_pages(products_.buffer);
    const RmsNormBwdProductsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&products_, &dy_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormBwdProductsArgs args{&desc, &ctx, products_.buffer, dy_.buffer, invvar_.buffer,
                                        x_.buffer, weight_.buffer};
      return generated_rms_norm_bwd_products_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_products_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd_products", 0xad2c06c05493, attrs);
}

xla::ffi::Error rms_norm_bwd_apply_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer products_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in, xla::ffi::Result<xla::ffi::AnyBuffer> dweight_in) {
  return opgen::jax::guarded("rms_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand products_(op, "products", products_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    opgen::jax::Operand dweight_(op, "dweight", dweight_in, batch_dims);
    const RmsNormBwdApplyCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                   products_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx_.expect(call.dx_());
    dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dx_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace part_grad_(call.part_grad_());
    const RmsNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx_, &dweight_, &dy_, &invvar_, &x_, &weight_, &products_}, [&] {
      const RmsNormBwdApplyArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                     dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                     products_.buffer};
      return generated_rms_norm_bwd_apply_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_apply_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd_apply", 0x9f24b09559f8, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cpu_ffi, generated::rms_norm_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cpu_ffi_made, generated::rms_norm_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cpu_ffi, generated::rms_norm_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cpu_ffi_made,
                              generated::rms_norm_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cpu_ffi,
                              generated::rms_norm_squares_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("norm")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // squares
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cpu_ffi_made,
                              generated::rms_norm_squares_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cpu_ffi,
                              generated::rms_norm_scale_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // squares
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cpu_ffi_made,
                              generated::rms_norm_scale_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cpu_ffi,
                              generated::rms_norm_bwd_products_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // products
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cpu_ffi_made,
                              generated::rms_norm_bwd_products_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cpu_ffi,
                              generated::rms_norm_bwd_apply_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // products
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cpu_ffi_made,
                              generated::rms_norm_bwd_apply_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error rms_norm_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_in) {
  return opgen::jax::guarded("rms_norm", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    const RmsNormCall call(x_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    invvar_.expect(call.invvar_());
    const RmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_norm_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm", 0x76b58e2008b2, attrs);
}

xla::ffi::Error rms_norm_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    int64_t /*op_hash*/, double eps_in, xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in, xla::ffi::Result<xla::ffi::AnyBuffer> dweight_in) {
  return opgen::jax::guarded("rms_norm_bwd", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    opgen::jax::Operand dweight_(op, "dweight", dweight_in, batch_dims);
    const RmsNormBwdCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer, eps_in);
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    dweight_.expect(call.dweight_());
    const opgen::jax::DeviceWorkspace part_grad_(call.part_grad_(), scratch);
    const RmsNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx_, &dweight_, &dy_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer};
      return generated_rms_norm_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd", 0x750cf41eb976, attrs);
}

xla::ffi::Error rms_norm_squares_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> norm_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> squares_in) {
  return opgen::jax::guarded("rms_norm_squares", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand squares_(op, "squares", squares_in, batch_dims);
    const RmsNormSquaresCall call(x_.buffer, opgen::jax::sizes(norm_in));
    const opgen::jax::CudaContext ctx(stream, device);
    squares_.expect(call.squares_());
    const RmsNormSquaresDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&squares_, &x_}, [&] {
      const RmsNormSquaresArgs args{&desc, &ctx, squares_.buffer, x_.buffer};
      return generated_rms_norm_squares_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_squares_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_squares", 0xe17b3b94c4a9, attrs);
}

xla::ffi::Error rms_norm_scale_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, double eps_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer squares_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_in) {
  return opgen::jax::guarded("rms_norm_scale", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand squares_(op, "squares", squares_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    const RmsNormScaleCall call(x_.buffer, weight_.buffer, squares_.buffer, eps_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    invvar_.expect(call.invvar_());
    const RmsNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &invvar_, &x_, &weight_, &squares_}, [&] {
      const RmsNormScaleArgs args{&desc, &ctx, y_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                  squares_.buffer};
      return generated_rms_norm_scale_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_scale_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_scale", 0xbd0c905bfee0, attrs);
}

xla::ffi::Error rms_norm_bwd_products_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::Result<xla::ffi::AnyBuffer> products_in) {
  return opgen::jax::guarded("rms_norm_bwd_products", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand products_(op, "products", products_in, batch_dims);
    const RmsNormBwdProductsCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    products_.expect(call.products_());
    const RmsNormBwdProductsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&products_, &dy_, &invvar_, &x_, &weight_}, [&] {
      const RmsNormBwdProductsArgs args{&desc, &ctx, products_.buffer, dy_.buffer, invvar_.buffer,
                                        x_.buffer, weight_.buffer};
      return generated_rms_norm_bwd_products_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_products_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd_products", 0xad2c06c05493, attrs);
}

xla::ffi::Error rms_norm_bwd_apply_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    int64_t /*op_hash*/, xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer invvar_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer products_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_in, xla::ffi::Result<xla::ffi::AnyBuffer> dweight_in) {
  return opgen::jax::guarded("rms_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand invvar_(op, "invvar", invvar_in, batch_dims);
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand products_(op, "products", products_in, batch_dims);
    opgen::jax::Operand dx_(op, "dx", dx_in, batch_dims);
    opgen::jax::Operand dweight_(op, "dweight", dweight_in, batch_dims);
    const RmsNormBwdApplyCall call(dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                   products_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dx_.expect(call.dx_());
    dweight_.expect(call.dweight_());
    const opgen::jax::DeviceWorkspace part_grad_(call.part_grad_(), scratch);
    const RmsNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx_, &dweight_, &dy_, &invvar_, &x_, &weight_, &products_}, [&] {
      const RmsNormBwdApplyArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, part_grad_.buffer,
                                     dy_.buffer, invvar_.buffer, x_.buffer, weight_.buffer,
                                     products_.buffer};
      return generated_rms_norm_bwd_apply_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_apply_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("rms_norm_bwd_apply", 0x9f24b09559f8, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cuda_ffi, generated::rms_norm_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cuda_ffi_made,
                              generated::rms_norm_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cuda_ffi, generated::rms_norm_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cuda_ffi_made,
                              generated::rms_norm_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cuda_ffi,
                              generated::rms_norm_squares_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("norm")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // squares
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cuda_ffi_made,
                              generated::rms_norm_squares_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cuda_ffi,
                              generated::rms_norm_scale_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // squares
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cuda_ffi_made,
                              generated::rms_norm_scale_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cuda_ffi,
                              generated::rms_norm_bwd_products_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // products
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cuda_ffi_made,
                              generated::rms_norm_bwd_products_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cuda_ffi,
                              generated::rms_norm_bwd_apply_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // products
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cuda_ffi_made,
                              generated::rms_norm_bwd_apply_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
