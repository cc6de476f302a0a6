// The embedding_bag family's handlers for XLA's FFI.
// Rendered by opgen from embedding_bag.toml.
#include "opgen/jax_given.h"

#include "embedding_bag_call.h"

namespace generated {
namespace {

xla::ffi::Error embedding_bag_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                          xla::ffi::RemainingArgs operands,
                                          xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand offsets_ = given.input("offsets");
    opgen::jax::Operand sample_weights_ = given.input("sample_weights");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand argmax_ = given.result("argmax");
    const EmbeddingBagCall call(weight_.buffer, indices_.buffer, offsets_.buffer,
                                sample_weights_.buffer, given.attr<std::string_view>("mode"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    if (call.argmax_present()) argmax_.expect(call.argmax_());
    opgen::prefer_huge_pages(y_.buffer);
    opgen::prefer_huge_pages(argmax_.buffer);
    const EmbeddingBagDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &argmax_, &weight_, &indices_, &offsets_, &sample_weights_}, [&] {
      const EmbeddingBagArgs args{&desc, &ctx, y_.buffer, argmax_.buffer, weight_.buffer,
                                  indices_.buffer, offsets_.buffer, sample_weights_.buffer};
      return generated_embedding_bag_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bag_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bag", 0x258cff81cfd2, attrs);
}

xla::ffi::Error embedding_bag_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand offsets_ = given.input("offsets");
    opgen::jax::Operand sample_weights_ = given.input("sample_weights");
    opgen::jax::Operand argmax_ = given.input("argmax");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dsample_weights_ = given.result("dsample_weights");
    const EmbeddingBagBwdCall call(dy_.buffer, indices_.buffer, offsets_.buffer,
                                   sample_weights_.buffer, argmax_.buffer, weight_.buffer,
                                   given.attr<int64_t>("rows"),
                                   given.attr<std::string_view>("mode"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dsample_weights_present()) dsample_weights_.expect(call.dsample_weights_());
    opgen::prefer_huge_pages(dweight_.buffer);
    opgen::prefer_huge_pages(dsample_weights_.buffer);
    const opgen::jax::HostWorkspace ends_(call.ends_());
    const opgen::jax::HostWorkspace order_(call.order_());
    const opgen::jax::HostWorkspace bags_(call.bags_());
    const EmbeddingBagBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dsample_weights_, &dy_, &indices_,
                                              &offsets_, &sample_weights_, &argmax_, &weight_},
                                             [&] {
      const EmbeddingBagBwdArgs args{&desc, &ctx, dweight_.buffer, dsample_weights_.buffer,
                                     ends_.buffer, order_.buffer, bags_.buffer, dy_.buffer,
                                     indices_.buffer, offsets_.buffer, sample_weights_.buffer,
                                     argmax_.buffer, weight_.buffer};
      return generated_embedding_bag_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bag_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bag_bwd", 0xfed3660dcf1b, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cpu_ffi, generated::embedding_bag_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cpu_ffi_made,
                              generated::embedding_bag_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cpu_ffi,
                              generated::embedding_bag_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cpu_ffi_made,
                              generated::embedding_bag_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error embedding_bag_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                           xla::ffi::RemainingArgs operands,
                                           xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand offsets_ = given.input("offsets");
    opgen::jax::Operand sample_weights_ = given.input("sample_weights");
    opgen::jax::Operand y_ = given.result("y");
    opgen::jax::Operand argmax_ = given.result("argmax");
    const EmbeddingBagCall call(weight_.buffer, indices_.buffer, offsets_.buffer,
                                sample_weights_.buffer, given.attr<std::string_view>("mode"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    if (call.argmax_present()) argmax_.expect(call.argmax_());
    const EmbeddingBagDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y_, &argmax_, &weight_, &indices_, &offsets_, &sample_weights_}, [&] {
      const EmbeddingBagArgs args{&desc, &ctx, y_.buffer, argmax_.buffer, weight_.buffer,
                                  indices_.buffer, offsets_.buffer, sample_weights_.buffer};
      return generated_embedding_bag_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bag_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bag", 0x258cff81cfd2, attrs);
}

xla::ffi::Error embedding_bag_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand offsets_ = given.input("offsets");
    opgen::jax::Operand sample_weights_ = given.input("sample_weights");
    opgen::jax::Operand argmax_ = given.input("argmax");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dweight_ = given.result("dweight");
    opgen::jax::Operand dsample_weights_ = given.result("dsample_weights");
    const EmbeddingBagBwdCall call(dy_.buffer, indices_.buffer, offsets_.buffer,
                                   sample_weights_.buffer, argmax_.buffer, weight_.buffer,
                                   given.attr<int64_t>("rows"),
                                   given.attr<std::string_view>("mode"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    if (call.dsample_weights_present()) dsample_weights_.expect(call.dsample_weights_());
    const opgen::jax::DeviceWorkspace ends_(call.ends_(), scratch);
    const opgen::jax::DeviceWorkspace order_(call.order_(), scratch);
    const opgen::jax::DeviceWorkspace bags_(call.bags_(), scratch);
    const EmbeddingBagBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dsample_weights_, &dy_, &indices_,
                                              &offsets_, &sample_weights_, &argmax_, &weight_},
                                             [&] {
      const EmbeddingBagBwdArgs args{&desc, &ctx, dweight_.buffer, dsample_weights_.buffer,
                                     ends_.buffer, order_.buffer, bags_.buffer, dy_.buffer,
                                     indices_.buffer, offsets_.buffer, sample_weights_.buffer,
                                     argmax_.buffer, weight_.buffer};
      return generated_embedding_bag_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bag_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bag_bwd", 0xfed3660dcf1b, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cuda_ffi,
                              generated::embedding_bag_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cuda_ffi_made,
                              generated::embedding_bag_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cuda_ffi,
                              generated::embedding_bag_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cuda_ffi_made,
                              generated::embedding_bag_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
