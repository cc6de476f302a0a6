// The topk_softmax family's handlers for XLA's FFI.
// Rendered by opgen from topk_softmax.toml.
#include "opgen/jax.h"

#include "topk_softmax_call.h"

namespace generated {
namespace {

xla::ffi::Error topk_softmax_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t k_in,
    bool renormalize_in, xla::ffi::AnyBuffer logits_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> weights_in, xla::ffi::Result<xla::ffi::AnyBuffer> ids_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> top_in, xla::ffi::Result<xla::ffi::AnyBuffer> total_in) {
  return opgen::jax::guarded("topk_softmax", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand weights_(op, "weights", weights_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    const TopkSoftmaxCall call(logits_.buffer, k_in, renormalize_in);
    const opgen::jax::CpuContext ctx(threads);
    weights_.expect(call.weights_());
    ids_.expect(call.ids_());
    top_.expect(call.top_());
    total_.expect(call.total_());
    opgen::prefer_huge_pages(weights_.buffer);
    opgen::prefer_huge_pages(ids_.buffer);
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(total_.buffer);
    const TopkSoftmaxDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&weights_, &ids_, &top_, &total_, &logits_}, [&] {
      const TopkSoftmaxArgs args{&desc, &ctx, weights_.buffer, ids_.buffer, top_.buffer,
                                 total_.buffer, logits_.buffer};
      return generated_topk_softmax_cpu(&args);
    });
  });
}

xla::ffi::Error topk_softmax_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("topk_softmax", 0xbdd3e0197243, attrs);
}

xla::ffi::Error topk_softmax_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t k_in,
    bool renormalize_in, xla::ffi::AnyBuffer dweights_in, xla::ffi::AnyBuffer logits_in,
    xla::ffi::AnyBuffer weights_in, xla::ffi::AnyBuffer ids_in, xla::ffi::AnyBuffer top_in,
    xla::ffi::AnyBuffer total_in, xla::ffi::Result<xla::ffi::AnyBuffer> dlogits_in) {
  return opgen::jax::guarded("topk_softmax_bwd", [&](const char* op) {
    opgen::jax::Operand dweights_(op, "dweights", dweights_in, batch_dims);
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand weights_(op, "weights", weights_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    opgen::jax::Operand dlogits_(op, "dlogits", dlogits_in, batch_dims);
    const TopkSoftmaxBwdCall call(dweights_.buffer, logits_.buffer, weights_.buffer, ids_.buffer,
                                  top_.buffer, total_.buffer, k_in, renormalize_in);
    const opgen::jax::CpuContext ctx(threads);
    dlogits_.expect(call.dlogits_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    const TopkSoftmaxBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported, {&dlogits_, &dweights_, &logits_, &weights_, &ids_, &top_, &total_}, [&] {
      const TopkSoftmaxBwdArgs args{&desc, &ctx, dlogits_.buffer, dweights_.buffer, logits_.buffer,
                                    weights_.buffer, ids_.buffer, top_.buffer, total_.buffer};
      return generated_topk_softmax_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error topk_softmax_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("topk_softmax_bwd", 0x7079770710f6, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_cpu_ffi, generated::topk_softmax_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("k")
                                  .Attr<bool>("renormalize")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // weights
                                  .Ret<xla::ffi::AnyBuffer>()  // ids
                                  .Ret<xla::ffi::AnyBuffer>()  // top
                                  .Ret<xla::ffi::AnyBuffer>()  // total
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_cpu_ffi_made,
                              generated::topk_softmax_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_bwd_cpu_ffi,
                              generated::topk_softmax_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("k")
                                  .Attr<bool>("renormalize")
                                  .Arg<xla::ffi::AnyBuffer>()  // dweights
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Arg<xla::ffi::AnyBuffer>()  // weights
                                  .Arg<xla::ffi::AnyBuffer>()  // ids
                                  .Arg<xla::ffi::AnyBuffer>()  // top
                                  .Arg<xla::ffi::AnyBuffer>()  // total
                                  .Ret<xla::ffi::AnyBuffer>()  // dlogits
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_bwd_cpu_ffi_made,
                              generated::topk_softmax_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error topk_softmax_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, int64_t k_in,
    bool renormalize_in, xla::ffi::AnyBuffer logits_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> weights_in, xla::ffi::Result<xla::ffi::AnyBuffer> ids_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> top_in, xla::ffi::Result<xla::ffi::AnyBuffer> total_in) {
  return opgen::jax::guarded("topk_softmax", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand weights_(op, "weights", weights_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    const TopkSoftmaxCall call(logits_.buffer, k_in, renormalize_in);
    const opgen::jax::CudaContext ctx(stream, device);
    weights_.expect(call.weights_());
    ids_.expect(call.ids_());
    top_.expect(call.top_());
    total_.expect(call.total_());
    const TopkSoftmaxDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&weights_, &ids_, &top_, &total_, &logits_}, [&] {
      const TopkSoftmaxArgs args{&desc, &ctx, weights_.buffer, ids_.buffer, top_.buffer,
                                 total_.buffer, logits_.buffer};
      return generated_topk_softmax_cuda(&args);
    });
  });
}

xla::ffi::Error topk_softmax_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("topk_softmax", 0xbdd3e0197243, attrs);
}

xla::ffi::Error topk_softmax_bwd_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, int64_t k_in,
    bool renormalize_in, xla::ffi::AnyBuffer dweights_in, xla::ffi::AnyBuffer logits_in,
    xla::ffi::AnyBuffer weights_in, xla::ffi::AnyBuffer ids_in, xla::ffi::AnyBuffer top_in,
    xla::ffi::AnyBuffer total_in, xla::ffi::Result<xla::ffi::AnyBuffer> dlogits_in) {
  return opgen::jax::guarded("topk_softmax_bwd", [&](const char* op) {
    opgen::jax::Operand dweights_(op, "dweights", dweights_in, batch_dims);
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand weights_(op, "weights", weights_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    opgen::jax::Operand dlogits_(op, "dlogits", dlogits_in, batch_dims);
    const TopkSoftmaxBwdCall call(dweights_.buffer, logits_.buffer, weights_.buffer, ids_.buffer,
                                  top_.buffer, total_.buffer, k_in, renormalize_in);
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits_.expect(call.dlogits_());
    const TopkSoftmaxBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported, {&dlogits_, &dweights_, &logits_, &weights_, &ids_, &top_, &total_}, [&] {
      const TopkSoftmaxBwdArgs args{&desc, &ctx, dlogits_.buffer, dweights_.buffer, logits_.buffer,
                                    weights_.buffer, ids_.buffer, top_.buffer, total_.buffer};
      return generated_topk_softmax_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error topk_softmax_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("topk_softmax_bwd", 0x7079770710f6, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_cuda_ffi, generated::topk_softmax_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("k")
                                  .Attr<bool>("renormalize")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // weights
                                  .Ret<xla::ffi::AnyBuffer>()  // ids
                                  .Ret<xla::ffi::AnyBuffer>()  // top
                                  .Ret<xla::ffi::AnyBuffer>()  // total
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_cuda_ffi_made,
                              generated::topk_softmax_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_bwd_cuda_ffi,
                              generated::topk_softmax_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("k")
                                  .Attr<bool>("renormalize")
                                  .Arg<xla::ffi::AnyBuffer>()  // dweights
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Arg<xla::ffi::AnyBuffer>()  // weights
                                  .Arg<xla::ffi::AnyBuffer>()  // ids
                                  .Arg<xla::ffi::AnyBuffer>()  // top
                                  .Arg<xla::ffi::AnyBuffer>()  // total
                                  .Ret<xla::ffi::AnyBuffer>()  // dlogits
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_topk_softmax_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_topk_softmax_bwd_cuda_ffi_made,
                              generated::topk_softmax_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
