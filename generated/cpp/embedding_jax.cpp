// The embedding family's handlers for XLA's FFI.
// Rendered by opgen from embedding.toml.
#include "opgen/jax_given.h"

#include "embedding_call.h"

namespace generated {
namespace {

xla::ffi::Error embedding_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand y_ = given.result("y");
    const EmbeddingCall call(weight_.buffer, indices_.buffer, given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const EmbeddingDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &weight_, &indices_}, [&] {
      const EmbeddingArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer};
      return generated_embedding_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding", 0x46973271b437, attrs);
}

xla::ffi::Error embedding_bwd_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                          xla::ffi::RemainingArgs operands,
                                          xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const EmbeddingBwdCall call(dy_.buffer, indices_.buffer, given.attr<int64_t>("rows"),
                                given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace ends_(call.ends_());
    const opgen::jax::HostWorkspace order_(call.order_());
    const EmbeddingBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dy_, &indices_}, [&] {
      const EmbeddingBwdArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer,
                                  dy_.buffer, indices_.buffer};
      return generated_embedding_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd", 0xee2754c3d642, attrs);
}

xla::ffi::Error embedding_bwd_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand ddweight_ = given.input("ddweight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand ddy_ = given.result("ddy");
    const EmbeddingBwdBwdCall call(ddweight_.buffer, indices_.buffer,
                                   given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    ddy_.expect(call.ddy_());
    opgen::prefer_huge_pages(ddy_.buffer);
    const EmbeddingBwdBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&ddy_, &ddweight_, &indices_}, [&] {
      const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy_.buffer, ddweight_.buffer, indices_.buffer};
      return generated_embedding_bwd_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd_bwd", 0xa7c57682bc1a, attrs);
}

xla::ffi::Error embedding_rows_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t rows_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer indices_in, xla::ffi::AnyBuffer first_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("embedding_rows", [&](const char* op) {
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand indices_(op, "indices", indices_in, batch_dims);
    opgen::jax::Operand first_(op, "first", first_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const EmbeddingRowsCall call(weight_.buffer, indices_.buffer, first_.buffer, rows_in);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const EmbeddingRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &weight_, &indices_, &first_}, [&] {
      const EmbeddingRowsArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer,
                                   first_.buffer};
      return generated_embedding_rows_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_rows_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_rows", 0xbd6545dfc48c, attrs);
}

xla::ffi::Error embedding_bwd_rows_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_rows", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const EmbeddingBwdRowsCall call(dy_.buffer, indices_.buffer, first_.buffer,
                                    given.attr<int64_t>("n"), given.attr<int64_t>("rows"),
                                    given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CpuContext ctx(threads);
    dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace ends_(call.ends_());
    const opgen::jax::HostWorkspace order_(call.order_());
    const EmbeddingBwdRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dy_, &indices_, &first_}, [&] {
      const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer,
                                      dy_.buffer, indices_.buffer, first_.buffer};
      return generated_embedding_bwd_rows_cpu(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_rows_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd_rows", 0x0946b60899f1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cpu_ffi, generated::embedding_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cpu_ffi_made,
                              generated::embedding_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cpu_ffi, generated::embedding_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cpu_ffi_made,
                              generated::embedding_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cpu_ffi,
                              generated::embedding_bwd_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cpu_ffi_made,
                              generated::embedding_bwd_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cpu_ffi,
                              generated::embedding_rows_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("rows")
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // indices
                                  .Arg<xla::ffi::AnyBuffer>()  // first
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cpu_ffi_made,
                              generated::embedding_rows_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cpu_ffi,
                              generated::embedding_bwd_rows_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cpu_ffi_made,
                              generated::embedding_bwd_rows_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error embedding_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand y_ = given.result("y");
    const EmbeddingCall call(weight_.buffer, indices_.buffer, given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const EmbeddingDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &weight_, &indices_}, [&] {
      const EmbeddingArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer};
      return generated_embedding_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding", 0x46973271b437, attrs);
}

xla::ffi::Error embedding_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const EmbeddingBwdCall call(dy_.buffer, indices_.buffer, given.attr<int64_t>("rows"),
                                given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    dweight_.expect(call.dweight_());
    const opgen::jax::DeviceWorkspace ends_(call.ends_(), scratch);
    const opgen::jax::DeviceWorkspace order_(call.order_(), scratch);
    const EmbeddingBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dy_, &indices_}, [&] {
      const EmbeddingBwdArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer,
                                  dy_.buffer, indices_.buffer};
      return generated_embedding_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd", 0xee2754c3d642, attrs);
}

xla::ffi::Error embedding_bwd_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand ddweight_ = given.input("ddweight");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand ddy_ = given.result("ddy");
    const EmbeddingBwdBwdCall call(ddweight_.buffer, indices_.buffer,
                                   given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    ddy_.expect(call.ddy_());
    const EmbeddingBwdBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&ddy_, &ddweight_, &indices_}, [&] {
      const EmbeddingBwdBwdArgs args{&desc, &ctx, ddy_.buffer, ddweight_.buffer, indices_.buffer};
      return generated_embedding_bwd_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd_bwd", 0xa7c57682bc1a, attrs);
}

xla::ffi::Error embedding_rows_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, int64_t rows_in,
    xla::ffi::AnyBuffer weight_in, xla::ffi::AnyBuffer indices_in, xla::ffi::AnyBuffer first_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> y_in) {
  return opgen::jax::guarded("embedding_rows", [&](const char* op) {
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand indices_(op, "indices", indices_in, batch_dims);
    opgen::jax::Operand first_(op, "first", first_in, batch_dims);
    opgen::jax::Operand y_(op, "y", y_in, batch_dims);
    const EmbeddingRowsCall call(weight_.buffer, indices_.buffer, first_.buffer, rows_in);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const EmbeddingRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &weight_, &indices_, &first_}, [&] {
      const EmbeddingRowsArgs args{&desc, &ctx, y_.buffer, weight_.buffer, indices_.buffer,
                                   first_.buffer};
      return generated_embedding_rows_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_rows_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_rows", 0xbd6545dfc48c, attrs);
}

xla::ffi::Error embedding_bwd_rows_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("embedding_bwd_rows", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand indices_ = given.input("indices");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const EmbeddingBwdRowsCall call(dy_.buffer, indices_.buffer, first_.buffer,
                                    given.attr<int64_t>("n"), given.attr<int64_t>("rows"),
                                    given.maybe<int64_t>("padding_idx"));
    const opgen::jax::CudaContext ctx(stream, device);
    dweight_.expect(call.dweight_());
    const opgen::jax::DeviceWorkspace ends_(call.ends_(), scratch);
    const opgen::jax::DeviceWorkspace order_(call.order_(), scratch);
    const EmbeddingBwdRowsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweight_, &dy_, &indices_, &first_}, [&] {
      const EmbeddingBwdRowsArgs args{&desc, &ctx, dweight_.buffer, ends_.buffer, order_.buffer,
                                      dy_.buffer, indices_.buffer, first_.buffer};
      return generated_embedding_bwd_rows_cuda(&args);
    });
  });
}

xla::ffi::Error embedding_bwd_rows_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("embedding_bwd_rows", 0x0946b60899f1, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cuda_ffi, generated::embedding_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_cuda_ffi_made,
                              generated::embedding_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cuda_ffi,
                              generated::embedding_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_cuda_ffi_made,
                              generated::embedding_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cuda_ffi,
                              generated::embedding_bwd_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_bwd_cuda_ffi_made,
                              generated::embedding_bwd_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cuda_ffi,
                              generated::embedding_rows_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("rows")
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // indices
                                  .Arg<xla::ffi::AnyBuffer>()  // first
                                  .Ret<xla::ffi::AnyBuffer>()  // y
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_rows_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_rows_cuda_ffi_made,
                              generated::embedding_rows_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cuda_ffi,
                              generated::embedding_bwd_rows_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_embedding_bwd_rows_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_embedding_bwd_rows_cuda_ffi_made,
                              generated::embedding_bwd_rows_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
