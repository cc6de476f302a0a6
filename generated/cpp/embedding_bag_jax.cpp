// The embedding_bag family's handlers for XLA's FFI.
// Rendered by opgen from embedding_bag.toml.
#include "opgen/jax_given.h"

#include "embedding_bag_call.h"

namespace generated {
namespace {

xla::ffi::Error embedding_bag_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                  xla::ffi::RemainingArgs operands,
                                  xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand offsets = given.input("offsets");
    opgen::jax::Operand sample_weights = given.input("sample_weights");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand argmax = given.result("argmax");
    const EmbeddingBagCall call(weight.buffer, indices.buffer, offsets.buffer,
                                sample_weights.buffer, given.attr<std::string_view>("mode"));
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    if (call.has_argmax()) argmax.expect(call.argmax());
    opgen::prefer_huge_pages(y.buffer);
    opgen::prefer_huge_pages(argmax.buffer);
    const EmbeddingBagDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &argmax, &weight, &indices, &offsets, &sample_weights}, [&] {
      const EmbeddingBagArgs args{&desc, &ctx, y.buffer, argmax.buffer, weight.buffer,
                                  indices.buffer, offsets.buffer, sample_weights.buffer};
      return generated_embedding_bag_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bag_bwd_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand offsets = given.input("offsets");
    opgen::jax::Operand sample_weights = given.input("sample_weights");
    opgen::jax::Operand argmax = given.input("argmax");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dsample_weights = given.result("dsample_weights");
    const EmbeddingBagBwdCall call(dy.buffer, indices.buffer, offsets.buffer, sample_weights.buffer,
                                   argmax.buffer, weight.buffer, given.attr<int64_t>("rows"),
                                   given.attr<std::string_view>("mode"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dsample_weights()) dsample_weights.expect(call.dsample_weights());
    opgen::prefer_huge_pages(dweight.buffer);
    opgen::prefer_huge_pages(dsample_weights.buffer);
    const opgen::jax::HostWorkspace ends(call.ends());
    const opgen::jax::HostWorkspace order(call.order());
    const opgen::jax::HostWorkspace bags(call.bags());
    const EmbeddingBagBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dsample_weights, &dy, &indices, &offsets,
                                              &sample_weights, &argmax, &weight}, [&] {
      const EmbeddingBagBwdArgs args{&desc, &ctx, dweight.buffer, dsample_weights.buffer,
                                     ends.buffer, order.buffer, bags.buffer, dy.buffer,
                                     indices.buffer, offsets.buffer, sample_weights.buffer,
                                     argmax.buffer, weight.buffer};
      return generated_embedding_bag_bwd_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cpu_ffi, generated::embedding_bag_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cpu_ffi, generated::embedding_bag_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error embedding_bag_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                                   xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand offsets = given.input("offsets");
    opgen::jax::Operand sample_weights = given.input("sample_weights");
    opgen::jax::Operand y = given.result("y");
    opgen::jax::Operand argmax = given.result("argmax");
    const EmbeddingBagCall call(weight.buffer, indices.buffer, offsets.buffer,
                                sample_weights.buffer, given.attr<std::string_view>("mode"));
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    if (call.has_argmax()) argmax.expect(call.argmax());
    const EmbeddingBagDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&y, &argmax, &weight, &indices, &offsets, &sample_weights}, [&] {
      const EmbeddingBagArgs args{&desc, &ctx, y.buffer, argmax.buffer, weight.buffer,
                                  indices.buffer, offsets.buffer, sample_weights.buffer};
      return generated_embedding_bag_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bag_bwd_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bag_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand offsets = given.input("offsets");
    opgen::jax::Operand sample_weights = given.input("sample_weights");
    opgen::jax::Operand argmax = given.input("argmax");
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand dweight = given.result("dweight");
    opgen::jax::Operand dsample_weights = given.result("dsample_weights");
    const EmbeddingBagBwdCall call(dy.buffer, indices.buffer, offsets.buffer, sample_weights.buffer,
                                   argmax.buffer, weight.buffer, given.attr<int64_t>("rows"),
                                   given.attr<std::string_view>("mode"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.has_dweight()) dweight.expect(call.dweight());
    if (call.has_dsample_weights()) dsample_weights.expect(call.dsample_weights());
    const opgen::jax::DeviceWorkspace ends(call.ends(), scratch);
    const opgen::jax::DeviceWorkspace order(call.order(), scratch);
    const opgen::jax::DeviceWorkspace bags(call.bags(), scratch);
    const EmbeddingBagBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dsample_weights, &dy, &indices, &offsets,
                                              &sample_weights, &argmax, &weight}, [&] {
      const EmbeddingBagBwdArgs args{&desc, &ctx, dweight.buffer, dsample_weights.buffer,
                                     ends.buffer, order.buffer, bags.buffer, dy.buffer,
                                     indices.buffer, offsets.buffer, sample_weights.buffer,
                                     argmax.buffer, weight.buffer};
      return generated_embedding_bag_bwd_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_cuda_ffi, generated::embedding_bag_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bag_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bag_bwd_cuda_ffi,
                              generated::embedding_bag_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
