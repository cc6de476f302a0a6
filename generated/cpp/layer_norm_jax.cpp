// The layer_norm family's handlers for XLA's FFI.
// Rendered by opgen from layer_norm.toml.
#include "opgen/jax_given.h"

#include "layer_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error layer_norm_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                               xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand bias = given.input("bias");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand mean = given.result("mean");
    opgen::jax::Operand rstd = given.result("rstd");
    const LayerNormCall call(
        x.buffer, weight.buffer, bias.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    mean.expect(call.mean());
    rstd.expect(call.rstd());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(mean.buffer);
    opgen::prefer_huge_pages(rstd.buffer);
    const LayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &mean, &rstd, &x, &weight, &bias}, [&] {
      const LayerNormArgs args{&desc, &ctx, y.buffer, mean.buffer, rstd.buffer, x.buffer,
                               weight.buffer, bias.buffer};
      return generated_layer_norm_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                   xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand dx = given.result("dx");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dbias = given.result("dbias");
    const LayerNormBwdCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer,
                                given.attr<double>("eps"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.has_dx()) dx.expect(call.dx());
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dbias()) dbias.expect(call.dbias());
    opgen::prefer_huge_pages(dx.buffer);
    opgen::prefer_huge_pages(dweight.buffer);
    opgen::prefer_huge_pages(dbias.buffer);
    const auto parts =
        call.has_parts() ? opgen::jax::HostWorkspace(call.parts()) : opgen::jax::HostWorkspace();
    const LayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx, &dweight, &dbias, &dy, &x, &mean, &rstd, &weight}, [&] {
      const LayerNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer,
                                  parts.buffer, dy.buffer, x.buffer, mean.buffer, rstd.buffer,
                                  weight.buffer};
      return generated_layer_norm_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_mean_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                    xla::ffi::Span<const int64_t> normalized_shape_,
                                    xla::ffi::AnyBuffer x_,
                                    xla::ffi::Result<xla::ffi::AnyBuffer> mean_) {
  return opgen::jax::guarded("layer_norm_mean", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand mean(op, "mean", mean_, batch_dims);
    const LayerNormMeanCall call(x.buffer, opgen::jax::sizes(normalized_shape_));
    const opgen::jax::CpuContext ctx(threads);
    mean.expect(call.mean());
    opgen::prefer_huge_pages(mean.buffer);
    const LayerNormMeanDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&mean, &x}, [&] {
      const LayerNormMeanArgs args{&desc, &ctx, mean.buffer, x.buffer};
      return generated_layer_norm_mean_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_variance_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                        xla::ffi::Span<const int64_t> normalized_shape_,
                                        xla::ffi::AnyBuffer x_, xla::ffi::AnyBuffer mean_,
                                        xla::ffi::Result<xla::ffi::AnyBuffer> variance_) {
  return opgen::jax::guarded("layer_norm_variance", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand mean(op, "mean", mean_, batch_dims);
    opgen::jax::Operand variance(op, "variance", variance_, batch_dims);
    const LayerNormVarianceCall call(x.buffer, mean.buffer, opgen::jax::sizes(normalized_shape_));
    const opgen::jax::CpuContext ctx(threads);
    variance.expect(call.variance());
    opgen::prefer_huge_pages(variance.buffer);
    const LayerNormVarianceDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&variance, &x, &mean}, [&] {
      const LayerNormVarianceArgs args{&desc, &ctx, variance.buffer, x.buffer, mean.buffer};
      return generated_layer_norm_variance_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_scale_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                     xla::ffi::RemainingArgs operands,
                                     xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_scale", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand variance = given.input("variance");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand bias = given.input("bias");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand rstd = given.result("rstd");
    const LayerNormScaleCall call(
        x.buffer, mean.buffer, variance.buffer, weight.buffer, bias.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    rstd.expect(call.rstd());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(rstd.buffer);
    const LayerNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &rstd, &x, &mean, &variance, &weight, &bias}, [&] {
      const LayerNormScaleArgs args{&desc, &ctx, y.buffer, rstd.buffer, x.buffer, mean.buffer,
                                    variance.buffer, weight.buffer, bias.buffer};
      return generated_layer_norm_scale_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_means_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                         xla::ffi::RemainingArgs operands,
                                         xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_means", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand g_mean = given.result("g_mean");
    opgen::jax::Operand gh_mean = given.result("gh_mean");
    const LayerNormBwdMeansCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer);
    const opgen::jax::CpuContext ctx(threads);
    g_mean.expect(call.g_mean());
    gh_mean.expect(call.gh_mean());
    opgen::prefer_huge_pages(g_mean.buffer);
    opgen::prefer_huge_pages(gh_mean.buffer);
    const LayerNormBwdMeansDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&g_mean, &gh_mean, &dy, &x, &mean, &rstd, &weight}, [&] {
      const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean.buffer, gh_mean.buffer, dy.buffer,
                                       x.buffer, mean.buffer, rstd.buffer, weight.buffer};
      return generated_layer_norm_bwd_means_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_apply_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                         xla::ffi::RemainingArgs operands,
                                         xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand g_mean = given.input("g_mean");
    opgen::jax::Operand gh_mean = given.input("gh_mean");
    opgen::jax::Operand dx = given.result("dx");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dbias = given.result("dbias");
    const LayerNormBwdApplyCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer,
                                     g_mean.buffer, gh_mean.buffer, given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.has_dx()) dx.expect(call.dx());
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dbias()) dbias.expect(call.dbias());
    opgen::prefer_huge_pages(dx.buffer);
    opgen::prefer_huge_pages(dweight.buffer);
    opgen::prefer_huge_pages(dbias.buffer);
    const auto parts =
        call.has_parts() ? opgen::jax::HostWorkspace(call.parts()) : opgen::jax::HostWorkspace();
    const LayerNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dx, &dweight, &dbias, &dy, &x, &mean, &rstd, &weight, &g_mean, &gh_mean}, [&] {
      const LayerNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer,
                                       parts.buffer, dy.buffer, x.buffer, mean.buffer, rstd.buffer,
                                       weight.buffer, g_mean.buffer, gh_mean.buffer};
      return generated_layer_norm_bwd_apply_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cpu_ffi, generated::layer_norm_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cpu_ffi, generated::layer_norm_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cpu_ffi, generated::layer_norm_mean_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // mean
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cpu_ffi,
                              generated::layer_norm_variance_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // mean
                                  .Ret<xla::ffi::AnyBuffer>()  // variance
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cpu_ffi, generated::layer_norm_scale_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cpu_ffi,
                              generated::layer_norm_bwd_means_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cpu_ffi,
                              generated::layer_norm_bwd_apply_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error layer_norm_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                                xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                                xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand bias = given.input("bias");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand mean = given.result("mean");
    opgen::jax::Operand rstd = given.result("rstd");
    const LayerNormCall call(
        x.buffer, weight.buffer, bias.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    mean.expect(call.mean());
    rstd.expect(call.rstd());
    const LayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &mean, &rstd, &x, &weight, &bias}, [&] {
      const LayerNormArgs args{&desc, &ctx, y.buffer, mean.buffer, rstd.buffer, x.buffer,
                               weight.buffer, bias.buffer};
      return generated_layer_norm_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand dx = given.result("dx");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dbias = given.result("dbias");
    const LayerNormBwdCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer,
                                given.attr<double>("eps"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.has_dx()) dx.expect(call.dx());
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dbias()) dbias.expect(call.dbias());
    const auto parts = call.has_parts() ? opgen::jax::DeviceWorkspace(call.parts(), scratch)
                                        : opgen::jax::DeviceWorkspace();
    const LayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx, &dweight, &dbias, &dy, &x, &mean, &rstd, &weight}, [&] {
      const LayerNormBwdArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer,
                                  parts.buffer, dy.buffer, x.buffer, mean.buffer, rstd.buffer,
                                  weight.buffer};
      return generated_layer_norm_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_mean_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    xla::ffi::Span<const int64_t> normalized_shape_, xla::ffi::AnyBuffer x_,
    xla::ffi::Result<xla::ffi::AnyBuffer> mean_) {
  return opgen::jax::guarded("layer_norm_mean", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand mean(op, "mean", mean_, batch_dims);
    const LayerNormMeanCall call(x.buffer, opgen::jax::sizes(normalized_shape_));
    const opgen::jax::CudaContext ctx(stream, device);
    mean.expect(call.mean());
    const LayerNormMeanDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&mean, &x}, [&] {
      const LayerNormMeanArgs args{&desc, &ctx, mean.buffer, x.buffer};
      return generated_layer_norm_mean_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_variance_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    xla::ffi::Span<const int64_t> normalized_shape_, xla::ffi::AnyBuffer x_,
    xla::ffi::AnyBuffer mean_, xla::ffi::Result<xla::ffi::AnyBuffer> variance_) {
  return opgen::jax::guarded("layer_norm_variance", [&](const char* op) {
    opgen::jax::Operand x(op, "x", x_, batch_dims);
    opgen::jax::Operand mean(op, "mean", mean_, batch_dims);
    opgen::jax::Operand variance(op, "variance", variance_, batch_dims);
    const LayerNormVarianceCall call(x.buffer, mean.buffer, opgen::jax::sizes(normalized_shape_));
    const opgen::jax::CudaContext ctx(stream, device);
    variance.expect(call.variance());
    const LayerNormVarianceDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&variance, &x, &mean}, [&] {
      const LayerNormVarianceArgs args{&desc, &ctx, variance.buffer, x.buffer, mean.buffer};
      return generated_layer_norm_variance_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_scale_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_scale", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand variance = given.input("variance");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand bias = given.input("bias");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand rstd = given.result("rstd");
    const LayerNormScaleCall call(
        x.buffer, mean.buffer, variance.buffer, weight.buffer, bias.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    rstd.expect(call.rstd());
    const LayerNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &rstd, &x, &mean, &variance, &weight, &bias}, [&] {
      const LayerNormScaleArgs args{&desc, &ctx, y.buffer, rstd.buffer, x.buffer, mean.buffer,
                                    variance.buffer, weight.buffer, bias.buffer};
      return generated_layer_norm_scale_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_means_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_means", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand g_mean = given.result("g_mean");
    opgen::jax::Operand gh_mean = given.result("gh_mean");
    const LayerNormBwdMeansCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    g_mean.expect(call.g_mean());
    gh_mean.expect(call.gh_mean());
    const LayerNormBwdMeansDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&g_mean, &gh_mean, &dy, &x, &mean, &rstd, &weight}, [&] {
      const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean.buffer, gh_mean.buffer, dy.buffer,
                                       x.buffer, mean.buffer, rstd.buffer, weight.buffer};
      return generated_layer_norm_bwd_means_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_apply_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand x = given.input("x");
    opgen::jax::Operand mean = given.input("mean");
    opgen::jax::Operand rstd = given.input("rstd");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand g_mean = given.input("g_mean");
    opgen::jax::Operand gh_mean = given.input("gh_mean");
    opgen::jax::Operand dx = given.result("dx");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dbias = given.result("dbias");
    const LayerNormBwdApplyCall call(dy.buffer, x.buffer, mean.buffer, rstd.buffer, weight.buffer,
                                     g_mean.buffer, gh_mean.buffer, given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.has_dx()) dx.expect(call.dx());
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dbias()) dbias.expect(call.dbias());
    const auto parts = call.has_parts() ? opgen::jax::DeviceWorkspace(call.parts(), scratch)
                                        : opgen::jax::DeviceWorkspace();
    const LayerNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dx, &dweight, &dbias, &dy, &x, &mean, &rstd, &weight, &g_mean, &gh_mean}, [&] {
      const LayerNormBwdApplyArgs args{&desc, &ctx, dx.buffer, dweight.buffer, dbias.buffer,
                                       parts.buffer, dy.buffer, x.buffer, mean.buffer, rstd.buffer,
                                       weight.buffer, g_mean.buffer, gh_mean.buffer};
      return generated_layer_norm_bwd_apply_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cuda_ffi, generated::layer_norm_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cuda_ffi, generated::layer_norm_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cuda_ffi, generated::layer_norm_mean_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // mean
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cuda_ffi,
                              generated::layer_norm_variance_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // mean
                                  .Ret<xla::ffi::AnyBuffer>()  // variance
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cuda_ffi, generated::layer_norm_scale_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cuda_ffi,
                              generated::layer_norm_bwd_means_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cuda_ffi,
                              generated::layer_norm_bwd_apply_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
