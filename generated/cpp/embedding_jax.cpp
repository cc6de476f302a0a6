// The embedding family's handlers for XLA's FFI.
// Rendered by opgen from embedding.toml.
#include "opgen/jax_given.h"

#include "embedding_call.h"

namespace generated {
namespace {

xla::ffi::Error embedding_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                              xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand y = given.result("y");
    const EmbeddingCall call(weight.buffer, indices.buffer, given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    opgen::prefer_huge_pages(y.buffer);
    const EmbeddingDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &weight, &indices}, [&] {
      const EmbeddingArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer};
      return generated_embedding_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                  xla::ffi::RemainingArgs operands,
                                  xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand dweight = given.result("dweight");
    const EmbeddingBwdCall call(dy.buffer, indices.buffer, given.attr<int64_t>("rows"),
                                given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    dweight.expect(call.dweight());
    opgen::prefer_huge_pages(dweight.buffer);
    const opgen::jax::HostWorkspace ends(call.ends());
    const opgen::jax::HostWorkspace order(call.order());
    const EmbeddingBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dy, &indices}, [&] {
      const EmbeddingBwdArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer, dy.buffer,
                                  indices.buffer};
      return generated_embedding_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_bwd_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand ddweight = given.input("ddweight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand ddy = given.result("ddy");
    const EmbeddingBwdBwdCall call(ddweight.buffer, indices.buffer,
                                   given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    ddy.expect(call.ddy());
    opgen::prefer_huge_pages(ddy.buffer);
    const EmbeddingBwdBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&ddy, &ddweight, &indices}, [&] {
      const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy.buffer, ddweight.buffer, indices.buffer};
      return generated_embedding_bwd_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_rows_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t rows_,
                                   xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer indices_,
                                   xla::ffi::AnyBuffer first_,
                                   xla::ffi::Result<xla::ffi::AnyBuffer> y_) {
  return opgen::jax::guarded("embedding_rows", [&](const char* op) {
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand indices(op, "indices", indices_, batch_dims);
    opgen::jax::Operand first(op, "first", first_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    const EmbeddingRowsCall call(weight.buffer, indices.buffer, first.buffer, rows_);
    const opgen::jax::CpuContext ctx(threads);
    y.expect(call.y());
    opgen::prefer_huge_pages(y.buffer);
    const EmbeddingRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &weight, &indices, &first}, [&] {
      const EmbeddingRowsArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer,
                                   first.buffer};
      return generated_embedding_rows_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_rows_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_rows", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand dweight = given.result("dweight");
    const EmbeddingBwdRowsCall call(dy.buffer, indices.buffer, first.buffer,
                                    given.attr<int64_t>("n"), given.attr<int64_t>("rows"),
                                    given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    dweight.expect(call.dweight());
    opgen::prefer_huge_pages(dweight.buffer);
    const opgen::jax::HostWorkspace ends(call.ends());
    const opgen::jax::HostWorkspace order(call.order());
    const EmbeddingBwdRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dy, &indices, &first}, [&] {
      const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer,
                                      dy.buffer, indices.buffer, first.buffer};
      return generated_embedding_bwd_rows_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cpu_ffi, generated::embedding_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cpu_ffi, generated::embedding_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cpu_ffi, generated::embedding_bwd_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cpu_ffi, generated::embedding_rows_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("rows")
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // indices
                                  .Arg<xla::ffi::AnyBuffer>()  // first
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cpu_ffi,
                              generated::embedding_bwd_rows_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error embedding_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                               xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                               xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight = given.input("weight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand y = given.result("y");
    const EmbeddingCall call(weight.buffer, indices.buffer, given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    const EmbeddingDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &weight, &indices}, [&] {
      const EmbeddingArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer};
      return generated_embedding_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                                   xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand dweight = given.result("dweight");
    const EmbeddingBwdCall call(dy.buffer, indices.buffer, given.attr<int64_t>("rows"),
                                given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    dweight.expect(call.dweight());
    const opgen::jax::DeviceWorkspace ends(call.ends(), scratch);
    const opgen::jax::DeviceWorkspace order(call.order(), scratch);
    const EmbeddingBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dy, &indices}, [&] {
      const EmbeddingBwdArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer, dy.buffer,
                                  indices.buffer};
      return generated_embedding_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_bwd_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand ddweight = given.input("ddweight");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand ddy = given.result("ddy");
    const EmbeddingBwdBwdCall call(ddweight.buffer, indices.buffer,
                                   given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    ddy.expect(call.ddy());
    const EmbeddingBwdBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&ddy, &ddweight, &indices}, [&] {
      const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy.buffer, ddweight.buffer, indices.buffer};
      return generated_embedding_bwd_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_rows_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    int64_t rows_, xla::ffi::AnyBuffer weight_, xla::ffi::AnyBuffer indices_,
    xla::ffi::AnyBuffer first_, xla::ffi::Result<xla::ffi::AnyBuffer> y_) {
  return opgen::jax::guarded("embedding_rows", [&](const char* op) {
    opgen::jax::Operand weight(op, "weight", weight_, batch_dims);
    opgen::jax::Operand indices(op, "indices", indices_, batch_dims);
    opgen::jax::Operand first(op, "first", first_, batch_dims);
    opgen::jax::Operand y(op, "y", y_, batch_dims);
    const EmbeddingRowsCall call(weight.buffer, indices.buffer, first.buffer, rows_);
    const opgen::jax::CudaContext ctx(stream, device);
    y.expect(call.y());
    const EmbeddingRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y, &weight, &indices, &first}, [&] {
      const EmbeddingRowsArgs args{&desc, &ctx, y.buffer, weight.buffer, indices.buffer,
                                   first.buffer};
      return generated_embedding_rows_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_rows_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_rows", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy = given.input("dy");
    opgen::jax::Operand indices = given.input("indices");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand dweight = given.result("dweight");
    const EmbeddingBwdRowsCall call(dy.buffer, indices.buffer, first.buffer,
                                    given.attr<int64_t>("n"), given.attr<int64_t>("rows"),
                                    given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    dweight.expect(call.dweight());
    const opgen::jax::DeviceWorkspace ends(call.ends(), scratch);
    const opgen::jax::DeviceWorkspace order(call.order(), scratch);
    const EmbeddingBwdRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight, &dy, &indices, &first}, [&] {
      const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight.buffer, ends.buffer, order.buffer,
                                      dy.buffer, indices.buffer, first.buffer};
      return generated_embedding_bwd_rows_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cuda_ffi, generated::embedding_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cuda_ffi, generated::embedding_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cuda_ffi,
                              generated::embedding_bwd_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cuda_ffi, generated::embedding_rows_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("rows")
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // indices
                                  .Arg<xla::ffi::AnyBuffer>()  // first
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cuda_ffi,
                              generated::embedding_bwd_rows_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
