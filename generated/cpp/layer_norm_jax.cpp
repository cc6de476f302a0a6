// The layer_norm family's handlers for XLA's FFI.
// Rendered by opgen from layer_norm.toml.
#include "opgen/jax_given.h"

#include "layer_norm_call.h"

namespace generated {
namespace {

xla::ffi::Error layer_norm_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand mean_ = given.result("mean");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const LayerNormCall call(
        x_.buffer, weight_.buffer, bias_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    mean_.expect(call.mean_());
    rstd_.expect(call.rstd_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(mean_.buffer);
    opgen::prefer_huge_pages(rstd_.buffer);
    const LayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &mean_, &rstd_, &x_, &weight_, &bias_}, [&] {
      const LayerNormArgs args{&desc, &ctx, y_.buffer, mean_.buffer, rstd_.buffer, x_.buffer,
                               weight_.buffer, bias_.buffer};
      return generated_layer_norm_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm", 0xef462f1f332b, attrs);
}

xla::ffi::Error layer_norm_bwd_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                           xla::ffi::RemainingArgs operands,
                                           xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const LayerNormBwdCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer,
                                given.attr<double>("eps"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dx_present()) dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    opgen::prefer_huge_pages(dx_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    opgen::prefer_huge_pages(dbias_.buffer);
    const auto parts_ = call.parts_present() ? opgen::jax::HostWorkspace(call.parts_())
                                             : opgen::jax::HostWorkspace();
    const LayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx_, &dweight_, &dbias_, &dy_, &x_, &mean_, &rstd_, &weight_}, [&] {
      const LayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer,
                                  parts_.buffer, dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                  weight_.buffer};
      return generated_layer_norm_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd", 0x97ed135a1dba, attrs);
}

xla::ffi::Error layer_norm_mean_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> normalized_shape_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> mean_in) {
  return opgen::jax::guarded("layer_norm_mean", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand mean_(op, "mean", mean_in, batch_dims);
    const LayerNormMeanCall call(x_.buffer, opgen::jax::sizes(normalized_shape_in));
    const opgen::jax::CpuContext ctx(threads);
    mean_.expect(call.mean_());
    opgen::prefer_huge_pages(mean_.buffer);
    const LayerNormMeanDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&mean_, &x_}, [&] {
      const LayerNormMeanArgs args{&desc, &ctx, mean_.buffer, x_.buffer};
      return generated_layer_norm_mean_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_mean_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_mean", 0xa409a9f209c8, attrs);
}

xla::ffi::Error layer_norm_variance_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> normalized_shape_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer mean_in, xla::ffi::Result<xla::ffi::AnyBuffer> variance_in) {
  return opgen::jax::guarded("layer_norm_variance", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand mean_(op, "mean", mean_in, batch_dims);
    opgen::jax::Operand variance_(op, "variance", variance_in, batch_dims);
    const LayerNormVarianceCall call(x_.buffer, mean_.buffer,
                                     opgen::jax::sizes(normalized_shape_in));
    const opgen::jax::CpuContext ctx(threads);
    variance_.expect(call.variance_());
    opgen::prefer_huge_pages(variance_.buffer);
    const LayerNormVarianceDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&variance_, &x_, &mean_}, [&] {
      const LayerNormVarianceArgs args{&desc, &ctx, variance_.buffer, x_.buffer, mean_.buffer};
      return generated_layer_norm_variance_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_variance_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_variance", 0x102e13954e27, attrs);
}

xla::ffi::Error layer_norm_scale_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_scale", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand variance_ = given.input("variance");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const LayerNormScaleCall call(
        x_.buffer, mean_.buffer, variance_.buffer, weight_.buffer, bias_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    rstd_.expect(call.rstd_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(rstd_.buffer);
    const LayerNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &rstd_, &x_, &mean_, &variance_, &weight_, &bias_}, [&] {
      const LayerNormScaleArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, mean_.buffer,
                                    variance_.buffer, weight_.buffer, bias_.buffer};
      return generated_layer_norm_scale_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_scale_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_scale", 0xa5a3220faf76, attrs);
}

xla::ffi::Error layer_norm_bwd_means_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_means", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand g_mean_ = given.result("g_mean");
    opgen::jax::Operand gh_mean_ = given.result("gh_mean");
    const LayerNormBwdMeansCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                     weight_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    g_mean_.expect(call.g_mean_());
    gh_mean_.expect(call.gh_mean_());
    opgen::prefer_huge_pages(g_mean_.buffer);
    opgen::prefer_huge_pages(gh_mean_.buffer);
    const LayerNormBwdMeansDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&g_mean_, &gh_mean_, &dy_, &x_, &mean_, &rstd_, &weight_}, [&] {
      const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean_.buffer, gh_mean_.buffer, dy_.buffer,
                                       x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer};
      return generated_layer_norm_bwd_means_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_means_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd_means", 0xc389da085d9a, attrs);
}

xla::ffi::Error layer_norm_bwd_apply_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand g_mean_ = given.input("g_mean");
    opgen::jax::Operand gh_mean_ = given.input("gh_mean");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const LayerNormBwdApplyCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                     weight_.buffer, g_mean_.buffer, gh_mean_.buffer,
                                     given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dx_present()) dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    opgen::prefer_huge_pages(dx_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    opgen::prefer_huge_pages(dbias_.buffer);
    const auto parts_ = call.parts_present() ? opgen::jax::HostWorkspace(call.parts_())
                                             : opgen::jax::HostWorkspace();
    const LayerNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dx_, &dweight_, &dbias_, &dy_, &x_, &mean_, &rstd_, &weight_, &g_mean_, &gh_mean_}, [&] {
      const LayerNormBwdApplyArgs args{
          &desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer, parts_.buffer, dy_.buffer,
          x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer, g_mean_.buffer, gh_mean_.buffer};
      return generated_layer_norm_bwd_apply_cpu(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_apply_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd_apply", 0x58d2221b3bc5, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cpu_ffi, generated::layer_norm_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cpu_ffi_made,
                              generated::layer_norm_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cpu_ffi,
                              generated::layer_norm_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cpu_ffi_made,
                              generated::layer_norm_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cpu_ffi,
                              generated::layer_norm_mean_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // mean
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cpu_ffi_made,
                              generated::layer_norm_mean_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cpu_ffi,
                              generated::layer_norm_variance_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // mean
                                  .Ret<xla::ffi::AnyBuffer>()  // variance
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cpu_ffi_made,
                              generated::layer_norm_variance_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cpu_ffi,
                              generated::layer_norm_scale_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cpu_ffi_made,
                              generated::layer_norm_scale_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cpu_ffi,
                              generated::layer_norm_bwd_means_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cpu_ffi_made,
                              generated::layer_norm_bwd_means_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cpu_ffi,
                              generated::layer_norm_bwd_apply_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cpu_ffi_made,
                              generated::layer_norm_bwd_apply_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error layer_norm_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                        xla::ffi::RemainingArgs operands,
                                        xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand mean_ = given.result("mean");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const LayerNormCall call(
        x_.buffer, weight_.buffer, bias_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    mean_.expect(call.mean_());
    rstd_.expect(call.rstd_());
    const LayerNormDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &mean_, &rstd_, &x_, &weight_, &bias_}, [&] {
      const LayerNormArgs args{&desc, &ctx, y_.buffer, mean_.buffer, rstd_.buffer, x_.buffer,
                               weight_.buffer, bias_.buffer};
      return generated_layer_norm_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm", 0xef462f1f332b, attrs);
}

xla::ffi::Error layer_norm_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const LayerNormBwdCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer,
                                given.attr<double>("eps"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.dx_present()) dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    const auto parts_ = call.parts_present() ? opgen::jax::DeviceWorkspace(call.parts_(), scratch)
                                             : opgen::jax::DeviceWorkspace();
    const LayerNormBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dx_, &dweight_, &dbias_, &dy_, &x_, &mean_, &rstd_, &weight_}, [&] {
      const LayerNormBwdArgs args{&desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer,
                                  parts_.buffer, dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                  weight_.buffer};
      return generated_layer_norm_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd", 0x97ed135a1dba, attrs);
}

xla::ffi::Error layer_norm_mean_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> normalized_shape_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> mean_in) {
  return opgen::jax::guarded("layer_norm_mean", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand mean_(op, "mean", mean_in, batch_dims);
    const LayerNormMeanCall call(x_.buffer, opgen::jax::sizes(normalized_shape_in));
    const opgen::jax::CudaContext ctx(stream, device);
    mean_.expect(call.mean_());
    const LayerNormMeanDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&mean_, &x_}, [&] {
      const LayerNormMeanArgs args{&desc, &ctx, mean_.buffer, x_.buffer};
      return generated_layer_norm_mean_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_mean_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_mean", 0xa409a9f209c8, attrs);
}

xla::ffi::Error layer_norm_variance_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::Span<const int64_t> normalized_shape_in, xla::ffi::AnyBuffer x_in,
    xla::ffi::AnyBuffer mean_in, xla::ffi::Result<xla::ffi::AnyBuffer> variance_in) {
  return opgen::jax::guarded("layer_norm_variance", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand mean_(op, "mean", mean_in, batch_dims);
    opgen::jax::Operand variance_(op, "variance", variance_in, batch_dims);
    const LayerNormVarianceCall call(x_.buffer, mean_.buffer,
                                     opgen::jax::sizes(normalized_shape_in));
    const opgen::jax::CudaContext ctx(stream, device);
    variance_.expect(call.variance_());
    const LayerNormVarianceDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&variance_, &x_, &mean_}, [&] {
      const LayerNormVarianceArgs args{&desc, &ctx, variance_.buffer, x_.buffer, mean_.buffer};
      return generated_layer_norm_variance_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_variance_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_variance", 0x102e13954e27, attrs);
}

xla::ffi::Error layer_norm_scale_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_scale", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand variance_ = given.input("variance");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand bias_ = given.input("bias");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand rstd_ = given.result("rstd");
    const LayerNormScaleCall call(
        x_.buffer, mean_.buffer, variance_.buffer, weight_.buffer, bias_.buffer,
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("normalized_shape")),
        given.attr<double>("eps"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    rstd_.expect(call.rstd_());
    const LayerNormScaleDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &rstd_, &x_, &mean_, &variance_, &weight_, &bias_}, [&] {
      const LayerNormScaleArgs args{&desc, &ctx, y_.buffer, rstd_.buffer, x_.buffer, mean_.buffer,
                                    variance_.buffer, weight_.buffer, bias_.buffer};
      return generated_layer_norm_scale_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_scale_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_scale", 0xa5a3220faf76, attrs);
}

xla::ffi::Error layer_norm_bwd_means_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_means", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand g_mean_ = given.result("g_mean");
    opgen::jax::Operand gh_mean_ = given.result("gh_mean");
    const LayerNormBwdMeansCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                     weight_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    g_mean_.expect(call.g_mean_());
    gh_mean_.expect(call.gh_mean_());
    const LayerNormBwdMeansDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&g_mean_, &gh_mean_, &dy_, &x_, &mean_, &rstd_, &weight_}, [&] {
      const LayerNormBwdMeansArgs args{&desc, &ctx, g_mean_.buffer, gh_mean_.buffer, dy_.buffer,
                                       x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer};
      return generated_layer_norm_bwd_means_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_means_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd_means", 0xc389da085d9a, attrs);
}

xla::ffi::Error layer_norm_bwd_apply_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("layer_norm_bwd_apply", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand x_ = given.input("x");
    opgen::jax::Operand mean_ = given.input("mean");
    opgen::jax::Operand rstd_ = given.input("rstd");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand g_mean_ = given.input("g_mean");
    opgen::jax::Operand gh_mean_ = given.input("gh_mean");
    opgen::jax::Operand dx_ = given.result("dx");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dbias_ = given.result("dbias");
    const LayerNormBwdApplyCall call(dy_.buffer, x_.buffer, mean_.buffer, rstd_.buffer,
                                     weight_.buffer, g_mean_.buffer, gh_mean_.buffer,
                                     given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.dx_present()) dx_.expect(call.dx_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dbias_present()) dbias_.expect(call.dbias_());
    const auto parts_ = call.parts_present() ? opgen::jax::DeviceWorkspace(call.parts_(), scratch)
                                             : opgen::jax::DeviceWorkspace();
    const LayerNormBwdApplyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dx_, &dweight_, &dbias_, &dy_, &x_, &mean_, &rstd_, &weight_, &g_mean_, &gh_mean_}, [&] {
      const LayerNormBwdApplyArgs args{
          &desc, &ctx, dx_.buffer, dweight_.buffer, dbias_.buffer, parts_.buffer, dy_.buffer,
          x_.buffer, mean_.buffer, rstd_.buffer, weight_.buffer, g_mean_.buffer, gh_mean_.buffer};
      return generated_layer_norm_bwd_apply_cuda(&args);
    });
  });
}

xla::ffi::Error layer_norm_bwd_apply_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("layer_norm_bwd_apply", 0x58d2221b3bc5, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cuda_ffi, generated::layer_norm_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_cuda_ffi_made,
                              generated::layer_norm_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cuda_ffi,
                              generated::layer_norm_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_cuda_ffi_made,
                              generated::layer_norm_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cuda_ffi,
                              generated::layer_norm_mean_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Ret<xla::ffi::AnyBuffer>()  // mean
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_mean_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_mean_cuda_ffi_made,
                              generated::layer_norm_mean_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cuda_ffi,
                              generated::layer_norm_variance_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<xla::ffi::Span<const int64_t>>("normalized_shape")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // mean
                                  .Ret<xla::ffi::AnyBuffer>()  // variance
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_variance_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_variance_cuda_ffi_made,
                              generated::layer_norm_variance_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cuda_ffi,
                              generated::layer_norm_scale_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_scale_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_scale_cuda_ffi_made,
                              generated::layer_norm_scale_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cuda_ffi,
                              generated::layer_norm_bwd_means_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_means_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_means_cuda_ffi_made,
                              generated::layer_norm_bwd_means_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cuda_ffi,
                              generated::layer_norm_bwd_apply_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_layer_norm_bwd_apply_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_layer_norm_bwd_apply_cuda_ffi_made,
                              generated::layer_norm_bwd_apply_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
