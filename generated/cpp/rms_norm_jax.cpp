// The rms_norm family's handlers for XLA's FFI.
// Rendered by opgen from rms_norm.toml.
#include "opgen/jax.h"

#include "rms_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error rms_norm_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims, double eps_,
                             xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_,
                             xla::ffi::Result<xla::ffi::AnyBuffer> y_,
                             xla::ffi::Result<xla::ffi::AnyBuffer> invvar_) {
  return opgen::jax::guarded("rms_norm", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    const RmsNormCall call(x.buffer, weight.buffer, eps_);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    invvar.expect(call.invvar());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(invvar.buffer);
    const RmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &invvar, &x, &weight}, [&] {
      const RmsNormArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer};
      return generated_rms_norm_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_cpu(
    xla::ffi::ThreadPool threads, int64_t batch_dims, double eps_, xla::ffi::AnyBuffer dy_,
    xla::ffi::AnyBuffer invvar_, xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_, xla::ffi::Result<xla::ffi::AnyBuffer> dweight_) {
  return opgen::jax::guarded("rms_norm_bwd", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand dx(op, "dx", dx_, batch_dims);
    opgen::jax::Operand dweight(op, "dweight", dweight_, batch_dims);
    const RmsNormBwdCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer, eps_);
    const opgen::jax::CpuContext ctx(threads);
    dx.expect(call.dx());
    dweight.expect(call.dweight());
    opgen::prefer_huge_pages(dx.buffer);
    opgen::prefer_huge_pages(dweight.buffer);
    const opgen::jax::HostWorkspace part_grad(call.part_grad());
    const RmsNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx, &dweight, &dy, &invvar, &x, &weight}, [&] {
      const RmsNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer, dy.buffer,
                                invvar.buffer, x.buffer, weight.buffer};
      return generated_rms_norm_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_squares_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                     xla::ffi::Span<const int64_t> norm_, xla::ffi::AnyBuffer x_,
                                     xla::ffi::Result<xla::ffi::AnyBuffer> squares_) {
  return opgen::jax::guarded("rms_norm_squares", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand squares(op, "squares", squares_, batch_dims);
    const RmsNormSquaresCall call(x.buffer, opgen::jax::sizes(norm_));
    const opgen::jax::CpuContext ctx(threads);
    squares.expect(call.squares());
    opgen::prefer_huge_pages(squares.buffer);
    const RmsNormSquaresDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&squares, &x}, [&] {
      const RmsNormSquaresArgs args{&desc, &ctx, squares.buffer, x.buffer};
      return generated_rms_norm_squares_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_scale_cpu(
    xla::ffi::ThreadPool threads, int64_t batch_dims, double eps_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer squares_,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_) {
  return opgen::jax::guarded("rms_norm_scale", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand squares(op, "squares", squares_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    const RmsNormScaleCall call(x.buffer, weight.buffer, squares.buffer, eps_);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    invvar.expect(call.invvar());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(invvar.buffer);
    const RmsNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &invvar, &x, &weight, &squares}, [&] {
      const RmsNormScaleArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer,
                                  squares.buffer};
      return generated_rms_norm_scale_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_products_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                          xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer invvar_,
                                          xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_,
                                          xla::ffi::Result<xla::ffi::AnyBuffer> products_) {
  return opgen::jax::guarded("rms_norm_bwd_products", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand products(op, "products", products_, batch_dims);
    const RmsNormBwdProductsCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer);
    const opgen::jax::CpuContext ctx(threads);
    products.expect(call.products());
    opgen::prefer_huge_pages(products.buffer);
    const RmsNormBwdProductsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&products, &dy, &invvar, &x, &weight}, [&] {
      const RmsNormBwdProductsArgs args{&desc, &ctx, products.buffer, dy.buffer, invvar.buffer,
                                        x.buffer, weight.buffer};
      return generated_rms_norm_bwd_products_cpu(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_apply_cpu(
    xla::ffi::ThreadPool threads, int64_t batch_dims, xla::ffi::AnyBuffer dy_,
    xla::ffi::AnyBuffer invvar_, xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_,
    xla::ffi::AnyBuffer products_, xla::ffi::Result<xla::ffi::AnyBuffer> dx_,
    xla::ffi::Result<xla::ffi::AnyBuffer> dweight_) {
  return opgen::jax::guarded("rms_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand products(op, "products", products_, batch_dims);
    opgen::jax::Operand dx(op, "dx", dx_, batch_dims);
    opgen::jax::Operand dweight(op, "dweight", dweight_, batch_dims);
    const RmsNormBwdApplyCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                   products.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dx.expect(call.dx());
    dweight.expect(call.dweight());
    opgen::prefer_huge_pages(dx.buffer);
    opgen::prefer_huge_pages(dweight.buffer);
    const opgen::jax::HostWorkspace part_grad(call.part_grad());
    const RmsNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx, &dweight, &dy, &invvar, &x, &weight, &products}, [&] {
      const RmsNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer,
                                     dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                     products.buffer};
      return generated_rms_norm_bwd_apply_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cpu_ffi, generated::rms_norm_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cpu_ffi, generated::rms_norm_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cpu_ffi, generated::rms_norm_squares_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("norm")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // squares
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cpu_ffi, generated::rms_norm_scale_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // squares
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cpu_ffi,
                              generated::rms_norm_bwd_products_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // products
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cpu_ffi,
                              generated::rms_norm_bwd_apply_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // products
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error rms_norm_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                              int64_t batch_dims, double eps_, xla::ffi::AnyBuffer x_,
                              xla::ffi::AnyBuffer weight_, xla::ffi::Result<xla::ffi::AnyBuffer> y_,
                              xla::ffi::Result<xla::ffi::AnyBuffer> invvar_) {
  return opgen::jax::guarded("rms_norm", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    const RmsNormCall call(x.buffer, weight.buffer, eps_);
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    invvar.expect(call.invvar());
    const RmsNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &invvar, &x, &weight}, [&] {
      const RmsNormArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer};
      return generated_rms_norm_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    double eps_, xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer invvar_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer weight_, xla::ffi::Result<xla::ffi::AnyBuffer> dx_,
    xla::ffi::Result<xla::ffi::AnyBuffer> dweight_) {
  return opgen::jax::guarded("rms_norm_bwd", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand dx(op, "dx", dx_, batch_dims);
    opgen::jax::Operand dweight(op, "dweight", dweight_, batch_dims);
    const RmsNormBwdCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer, eps_);
    const opgen::jax::CudaContext ctx(stream, device);
    dx.expect(call.dx());
    dweight.expect(call.dweight());
    const opgen::jax::DeviceWorkspace part_grad(call.part_grad(), scratch);
    const RmsNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dx, &dweight, &dy, &invvar, &x, &weight}, [&] {
      const RmsNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer, dy.buffer,
                                invvar.buffer, x.buffer, weight.buffer};
      return generated_rms_norm_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_squares_cuda(void* stream, int32_t device,
                                      xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
                                      xla::ffi::Span<const int64_t> norm_, xla::ffi::AnyBuffer x_,
                                      xla::ffi::Result<xla::ffi::AnyBuffer> squares_) {
  return opgen::jax::guarded("rms_norm_squares", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand squares(op, "squares", squares_, batch_dims);
    const RmsNormSquaresCall call(x.buffer, opgen::jax::sizes(norm_));
    const opgen::jax::CudaContext ctx(stream, device);
    squares.expect(call.squares());
    const RmsNormSquaresDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&squares, &x}, [&] {
      const RmsNormSquaresArgs args{&desc, &ctx, squares.buffer, x.buffer};
      return generated_rms_norm_squares_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_scale_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    double eps_, xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer squares_,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_, xla::ffi::Result<xla::ffi::AnyBuffer> invvar_) {
  return opgen::jax::guarded("rms_norm_scale", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand squares(op, "squares", squares_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    const RmsNormScaleCall call(x.buffer, weight.buffer, squares.buffer, eps_);
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    invvar.expect(call.invvar());
    const RmsNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &invvar, &x, &weight, &squares}, [&] {
      const RmsNormScaleArgs args{&desc, &ctx, y.buffer, invvar.buffer, x.buffer, weight.buffer,
                                  squares.buffer};
      return generated_rms_norm_scale_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_products_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer invvar_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer weight_, xla::ffi::Result<xla::ffi::AnyBuffer> products_) {
  return opgen::jax::guarded("rms_norm_bwd_products", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand products(op, "products", products_, batch_dims);
    const RmsNormBwdProductsCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    products.expect(call.products());
    const RmsNormBwdProductsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&products, &dy, &invvar, &x, &weight}, [&] {
      const RmsNormBwdProductsArgs args{&desc, &ctx, products.buffer, dy.buffer, invvar.buffer,
                                        x.buffer, weight.buffer};
      return generated_rms_norm_bwd_products_cuda(&args);
    });
  });
}

xla::ffi::Error rms_norm_bwd_apply_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    xla::ffi::AnyBuffer dy_, xla::ffi::AnyBuffer invvar_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer products_,
    xla::ffi::Result<xla::ffi::AnyBuffer> dx_, xla::ffi::Result<xla::ffi::AnyBuffer> dweight_) {
  return opgen::jax::guarded("rms_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Operand dy(op, "dy", dy_, batch_dims);
    opgen::jax::Operand invvar(op, "invvar", invvar_, batch_dims);
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand products(op, "products", products_, batch_dims);
    opgen::jax::Operand dx(op, "dx", dx_, batch_dims);
    opgen::jax::Operand dweight(op, "dweight", dweight_, batch_dims);
    const RmsNormBwdApplyCall call(dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                   products.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dx.expect(call.dx());
    dweight.expect(call.dweight());
    const opgen::jax::DeviceWorkspace part_grad(call.part_grad(), scratch);
    const RmsNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx, &dweight, &dy, &invvar, &x, &weight, &products}, [&] {
      const RmsNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, part_grad.buffer,
                                     dy.buffer, invvar.buffer, x.buffer, weight.buffer,
                                     products.buffer};
      return generated_rms_norm_bwd_apply_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_cuda_ffi, generated::rms_norm_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_cuda_ffi, generated::rms_norm_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_squares_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_squares_cuda_ffi, generated::rms_norm_squares_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("norm")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // squares
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_scale_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_scale_cuda_ffi, generated::rms_norm_scale_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<double>("eps")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // squares
                                  .Ret<xla::ffi::AnyBuffer>()  // y
                                  .Ret<xla::ffi::AnyBuffer>()  // invvar
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_products_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_products_cuda_ffi,
                              generated::rms_norm_bwd_products_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Ret<xla::ffi::AnyBuffer>()  // products
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rms_norm_bwd_apply_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rms_norm_bwd_apply_cuda_ffi,
                              generated::rms_norm_bwd_apply_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // invvar
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // products
                                  .Ret<xla::ffi::AnyBuffer>()  // dx
                                  .Ret<xla::ffi::AnyBuffer>()  // dweight
);
#endif
