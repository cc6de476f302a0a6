// The moe family's handlers for XLA's FFI.
// Rendered by opgen from moe.toml.
#include "opgen/jax_given.h"

#include "moe_call.h"

namespace generated {
namespace {

xla::ffi::Error moe_permute_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t e_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer ids_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> rows_in, xla::ffi::Result<xla::ffi::AnyBuffer> offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> places_in) {
  return opgen::jax::guarded("moe_permute", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand rows_(op, "rows", rows_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand places_(op, "places", places_in, batch_dims);
    const MoePermuteCall call(x_.buffer, ids_.buffer, e_in);
    const opgen::jax::CpuContext ctx(threads);
    rows_.expect(call.rows_());
    offsets_.expect(call.offsets_());
    places_.expect(call.places_());
    opgen::prefer_huge_pages(rows_.buffer);
    opgen::prefer_huge_pages(offsets_.buffer);
    opgen::prefer_huge_pages(places_.buffer);
    const MoePermuteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&rows_, &offsets_, &places_, &x_, &ids_}, [&] {
      const MoePermuteArgs args{&desc, &ctx, rows_.buffer, offsets_.buffer, places_.buffer,
                                x_.buffer, ids_.buffer};
      return generated_moe_permute_cpu(&args);
    });
  });
}

xla::ffi::Error moe_permute_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_permute", 0xb19801a3e232, attrs);
}

xla::ffi::Error moe_unpermute_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                          xla::ffi::RemainingArgs operands,
                                          xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("moe_unpermute", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand rows_ = given.input("rows");
    opgen::jax::Operand places_ = given.input("places");
    opgen::jax::Operand weights_ = given.input("weights");
    opgen::jax::Operand y_ = given.result("y");
    const MoeUnpermuteCall call(rows_.buffer, places_.buffer, weights_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    y_.expect(call.y_());
    opgen::prefer_huge_pages(y_.buffer);
    const MoeUnpermuteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &rows_, &places_, &weights_}, [&] {
      const MoeUnpermuteArgs args{&desc, &ctx, y_.buffer, rows_.buffer, places_.buffer,
                                  weights_.buffer};
      return generated_moe_unpermute_cpu(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute", 0xcc4f80539b43, attrs);
}

xla::ffi::Error moe_unpermute_dgrad_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("moe_unpermute_dgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand places_ = given.input("places");
    opgen::jax::Operand weights_ = given.input("weights");
    opgen::jax::Operand drows_ = given.result("drows");
    const MoeUnpermuteDgradCall call(dy_.buffer, places_.buffer, weights_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    drows_.expect(call.drows_());
    opgen::prefer_huge_pages(drows_.buffer);
    const opgen::jax::HostWorkspace ends_(call.ends_());
    const opgen::jax::HostWorkspace order_(call.order_());
    const MoeUnpermuteDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&drows_, &dy_, &places_, &weights_}, [&] {
      const MoeUnpermuteDgradArgs args{&desc, &ctx, drows_.buffer, ends_.buffer, order_.buffer,
                                       dy_.buffer, places_.buffer, weights_.buffer};
      return generated_moe_unpermute_dgrad_cpu(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_dgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute_dgrad", 0xf35bf9c6f166, attrs);
}

xla::ffi::Error moe_unpermute_wgrad_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer places_in, xla::ffi::AnyBuffer rows_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dweights_in) {
  return opgen::jax::guarded("moe_unpermute_wgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand places_(op, "places", places_in, batch_dims);
    opgen::jax::Operand rows_(op, "rows", rows_in, batch_dims);
    opgen::jax::Operand dweights_(op, "dweights", dweights_in, batch_dims);
    const MoeUnpermuteWgradCall call(dy_.buffer, places_.buffer, rows_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    dweights_.expect(call.dweights_());
    opgen::prefer_huge_pages(dweights_.buffer);
    const MoeUnpermuteWgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweights_, &dy_, &places_, &rows_}, [&] {
      const MoeUnpermuteWgradArgs args{&desc, &ctx, dweights_.buffer, dy_.buffer, places_.buffer,
                                       rows_.buffer};
      return generated_moe_unpermute_wgrad_cpu(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_wgrad_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute_wgrad", 0xea3e64bd5054, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_permute_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_permute_cpu_ffi, generated::moe_permute_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("e")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // ids
                                  .Ret<xla::ffi::AnyBuffer>()  // rows
                                  .Ret<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // places
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_permute_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_permute_cpu_ffi_made,
                              generated::moe_permute_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_cpu_ffi, generated::moe_unpermute_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_cpu_ffi_made,
                              generated::moe_unpermute_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_dgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_dgrad_cpu_ffi,
                              generated::moe_unpermute_dgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_dgrad_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_dgrad_cpu_ffi_made,
                              generated::moe_unpermute_dgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_wgrad_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_wgrad_cpu_ffi,
                              generated::moe_unpermute_wgrad_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // places
                                  .Arg<xla::ffi::AnyBuffer>()  // rows
                                  .Ret<xla::ffi::AnyBuffer>()  // dweights
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_wgrad_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_wgrad_cpu_ffi_made,
                              generated::moe_unpermute_wgrad_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error moe_permute_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/, int64_t e_in,
    xla::ffi::AnyBuffer x_in, xla::ffi::AnyBuffer ids_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> rows_in, xla::ffi::Result<xla::ffi::AnyBuffer> offsets_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> places_in) {
  return opgen::jax::guarded("moe_permute", [&](const char* op) {
    opgen::jax::Operand x_(op, "x", x_in, batch_dims);
    opgen::jax::Operand ids_(op, "ids", ids_in, batch_dims);
    opgen::jax::Operand rows_(op, "rows", rows_in, batch_dims);
    opgen::jax::Operand offsets_(op, "offsets", offsets_in, batch_dims);
    opgen::jax::Operand places_(op, "places", places_in, batch_dims);
    const MoePermuteCall call(x_.buffer, ids_.buffer, e_in);
    const opgen::jax::CudaContext ctx(stream, device);
    rows_.expect(call.rows_());
    offsets_.expect(call.offsets_());
    places_.expect(call.places_());
    const MoePermuteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&rows_, &offsets_, &places_, &x_, &ids_}, [&] {
      const MoePermuteArgs args{&desc, &ctx, rows_.buffer, offsets_.buffer, places_.buffer,
                                x_.buffer, ids_.buffer};
      return generated_moe_permute_cuda(&args);
    });
  });
}

xla::ffi::Error moe_permute_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_permute", 0xb19801a3e232, attrs);
}

xla::ffi::Error moe_unpermute_cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                           xla::ffi::RemainingArgs operands,
                                           xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("moe_unpermute", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand rows_ = given.input("rows");
    opgen::jax::Operand places_ = given.input("places");
    opgen::jax::Operand weights_ = given.input("weights");
    opgen::jax::Operand y_ = given.result("y");
    const MoeUnpermuteCall call(rows_.buffer, places_.buffer, weights_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    y_.expect(call.y_());
    const MoeUnpermuteDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&y_, &rows_, &places_, &weights_}, [&] {
      const MoeUnpermuteArgs args{&desc, &ctx, y_.buffer, rows_.buffer, places_.buffer,
                                  weights_.buffer};
      return generated_moe_unpermute_cuda(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute", 0xcc4f80539b43, attrs);
}

xla::ffi::Error moe_unpermute_dgrad_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("moe_unpermute_dgrad", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dy_ = given.input("dy");
    opgen::jax::Operand places_ = given.input("places");
    opgen::jax::Operand weights_ = given.input("weights");
    opgen::jax::Operand drows_ = given.result("drows");
    const MoeUnpermuteDgradCall call(dy_.buffer, places_.buffer, weights_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    drows_.expect(call.drows_());
    const opgen::jax::DeviceWorkspace ends_(call.ends_(), scratch);
    const opgen::jax::DeviceWorkspace order_(call.order_(), scratch);
    const MoeUnpermuteDgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&drows_, &dy_, &places_, &weights_}, [&] {
      const MoeUnpermuteDgradArgs args{&desc, &ctx, drows_.buffer, ends_.buffer, order_.buffer,
                                       dy_.buffer, places_.buffer, weights_.buffer};
      return generated_moe_unpermute_dgrad_cuda(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_dgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute_dgrad", 0xf35bf9c6f166, attrs);
}

xla::ffi::Error moe_unpermute_wgrad_cuda_handler(
    void* stream, int32_t device, int64_t batch_dims, int64_t /*op_hash*/,
    xla::ffi::AnyBuffer dy_in, xla::ffi::AnyBuffer places_in, xla::ffi::AnyBuffer rows_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> dweights_in) {
  return opgen::jax::guarded("moe_unpermute_wgrad", [&](const char* op) {
    opgen::jax::Operand dy_(op, "dy", dy_in, batch_dims);
    opgen::jax::Operand places_(op, "places", places_in, batch_dims);
    opgen::jax::Operand rows_(op, "rows", rows_in, batch_dims);
    opgen::jax::Operand dweights_(op, "dweights", dweights_in, batch_dims);
    const MoeUnpermuteWgradCall call(dy_.buffer, places_.buffer, rows_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    dweights_.expect(call.dweights_());
    const MoeUnpermuteWgradDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dweights_, &dy_, &places_, &rows_}, [&] {
      const MoeUnpermuteWgradArgs args{&desc, &ctx, dweights_.buffer, dy_.buffer, places_.buffer,
                                       rows_.buffer};
      return generated_moe_unpermute_wgrad_cuda(&args);
    });
  });
}

xla::ffi::Error moe_unpermute_wgrad_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("moe_unpermute_wgrad", 0xea3e64bd5054, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_permute_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_permute_cuda_ffi, generated::moe_permute_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("e")
                                  .Arg<xla::ffi::AnyBuffer>()  // x
                                  .Arg<xla::ffi::AnyBuffer>()  // ids
                                  .Ret<xla::ffi::AnyBuffer>()  // rows
                                  .Ret<xla::ffi::AnyBuffer>()  // offsets
                                  .Ret<xla::ffi::AnyBuffer>()  // places
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_permute_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_permute_cuda_ffi_made,
                              generated::moe_permute_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_cuda_ffi,
                              generated::moe_unpermute_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_cuda_ffi_made,
                              generated::moe_unpermute_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_dgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_dgrad_cuda_ffi,
                              generated::moe_unpermute_dgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_dgrad_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_dgrad_cuda_ffi_made,
                              generated::moe_unpermute_dgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_wgrad_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_wgrad_cuda_ffi,
                              generated::moe_unpermute_wgrad_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // dy
                                  .Arg<xla::ffi::AnyBuffer>()  // places
                                  .Arg<xla::ffi::AnyBuffer>()  // rows
                                  .Ret<xla::ffi::AnyBuffer>()  // dweights
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_moe_unpermute_wgrad_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_moe_unpermute_wgrad_cuda_ffi_made,
                              generated::moe_unpermute_wgrad_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
