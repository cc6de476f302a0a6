// The nms family's handlers for XLA's FFI.
// Rendered by opgen from nms.toml.
#include "opgen/jax.h"

#include "nms_call.h"

namespace generated {
namespace {

xla::ffi::Error nms_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, double iou_in,
    xla::ffi::AnyBuffer boxes_in, xla::ffi::AnyBuffer scores_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> keep_in, xla::ffi::Result<xla::ffi::AnyBuffer> count_in) {
  return opgen::jax::guarded("nms", [&](const char* op) {
    opgen::jax::Operand boxes_(op, "boxes", boxes_in, batch_dims);
    opgen::jax::Operand scores_(op, "scores", scores_in, batch_dims);
    opgen::jax::Operand keep_(op, "keep", keep_in, batch_dims);
    opgen::jax::Operand count_(op, "count", count_in, batch_dims);
    const NmsCall call(boxes_.buffer, scores_.buffer, iou_in);
    const opgen::jax::CpuContext ctx(threads);
    keep_.expect(call.keep_());
    count_.expect(call.count_());
    opgen::prefer_huge_pages(keep_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const opgen::jax::HostWorkspace sorted_(call.sorted_());
    const opgen::jax::HostWorkspace dropped_(call.dropped_());
    const NmsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&keep_, &count_, &boxes_, &scores_}, [&] {
      const NmsArgs args{&desc, &ctx, keep_.buffer, count_.buffer, sorted_.buffer, dropped_.buffer,
                         boxes_.buffer, scores_.buffer};
      return generated_nms_cpu(&args);
    });
  });
}

xla::ffi::Error nms_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("nms", 0x0d5e15ad1e6b, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_nms_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_nms_cpu_ffi, generated::nms_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("iou")
                                  .Arg<xla::ffi::AnyBuffer>()  // boxes
                                  .Arg<xla::ffi::AnyBuffer>()  // scores
                                  .Ret<xla::ffi::AnyBuffer>()  // keep
                                  .Ret<xla::ffi::AnyBuffer>()  // count
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_nms_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_nms_cpu_ffi_made, generated::nms_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error nms_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    int64_t /*op_hash*/, double iou_in, xla::ffi::AnyBuffer boxes_in, xla::ffi::AnyBuffer scores_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> keep_in, xla::ffi::Result<xla::ffi::AnyBuffer> count_in) {
  return opgen::jax::guarded("nms", [&](const char* op) {
    opgen::jax::Operand boxes_(op, "boxes", boxes_in, batch_dims);
    opgen::jax::Operand scores_(op, "scores", scores_in, batch_dims);
    opgen::jax::Operand keep_(op, "keep", keep_in, batch_dims);
    opgen::jax::Operand count_(op, "count", count_in, batch_dims);
    const NmsCall call(boxes_.buffer, scores_.buffer, iou_in);
    const opgen::jax::CudaContext ctx(stream, device);
    keep_.expect(call.keep_());
    count_.expect(call.count_());
    const opgen::jax::DeviceWorkspace sorted_(call.sorted_(), scratch);
    const opgen::jax::DeviceWorkspace dropped_(call.dropped_(), scratch);
    const NmsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&keep_, &count_, &boxes_, &scores_}, [&] {
      const NmsArgs args{&desc, &ctx, keep_.buffer, count_.buffer, sorted_.buffer, dropped_.buffer,
                         boxes_.buffer, scores_.buffer};
      return generated_nms_cuda(&args);
    });
  });
}

xla::ffi::Error nms_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("nms", 0x0d5e15ad1e6b, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_nms_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_nms_cuda_ffi, generated::nms_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<double>("iou")
                                  .Arg<xla::ffi::AnyBuffer>()  // boxes
                                  .Arg<xla::ffi::AnyBuffer>()  // scores
                                  .Ret<xla::ffi::AnyBuffer>()  // keep
                                  .Ret<xla::ffi::AnyBuffer>()  // count
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_nms_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_nms_cuda_ffi_made, generated::nms_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
