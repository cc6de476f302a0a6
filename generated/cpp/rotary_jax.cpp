// The rotary family's handlers for XLA's FFI.
// Rendered by opgen from rotary.toml.
#include "opgen/jax_given.h"

#include "rotary_call.h"

namespace generated {
namespace {

xla::ffi::Error rotary_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                           xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q = given.input("q");
    opgen::jax::Operand positions = given.input("positions");
    opgen::jax::Operand cos_sin = given.input("cos_sin");
    opgen::jax::Operand k = given.input("k");
    opgen::jax::Operand q_out = given.result("q_out");
    opgen::jax::Operand k_out = given.result("k_out");
    const RotaryCall call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer,
                          given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CpuContext ctx(threads);
    q_out.expect(call.q_out());
    if (call.has_k_out()) k_out.expect(call.k_out());
    opgen::prefer_huge_pages(q_out.buffer);
    opgen::prefer_huge_pages(k_out.buffer);
    const RotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_out, &k_out, &q, &positions, &cos_sin, &k}, [&] {
      const RotaryArgs args{&desc, &ctx, q_out.buffer, k_out.buffer, q.buffer, positions.buffer,
                            cos_sin.buffer, k.buffer};
      return generated_rotary_cpu(&args);
    });
  });
}

xla::ffi::Error rotary__cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                            xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.input("q");
    opgen::jax::Operand positions = given.input("positions");
    opgen::jax::Operand cos_sin = given.input("cos_sin");
    given.input("k");
    opgen::jax::Operand q = given.result("q");
    opgen::jax::Operand k = given.result("k");
    const Rotary_Call call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer,
                           given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CpuContext ctx(threads);
    const Rotary_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q, &k, &positions, &cos_sin}, [&] {
      const Rotary_Args args{&desc, &ctx, q.buffer, positions.buffer, cos_sin.buffer, k.buffer};
      return generated_rotary__cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cpu_ffi, generated::rotary_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cpu_ffi, generated::rotary__cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error rotary_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                            xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                            xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q = given.input("q");
    opgen::jax::Operand positions = given.input("positions");
    opgen::jax::Operand cos_sin = given.input("cos_sin");
    opgen::jax::Operand k = given.input("k");
    opgen::jax::Operand q_out = given.result("q_out");
    opgen::jax::Operand k_out = given.result("k_out");
    const RotaryCall call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer,
                          given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CudaContext ctx(stream, device);
    q_out.expect(call.q_out());
    if (call.has_k_out()) k_out.expect(call.k_out());
    const RotaryDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q_out, &k_out, &q, &positions, &cos_sin, &k}, [&] {
      const RotaryArgs args{&desc, &ctx, q_out.buffer, k_out.buffer, q.buffer, positions.buffer,
                            cos_sin.buffer, k.buffer};
      return generated_rotary_cuda(&args);
    });
  });
}

xla::ffi::Error rotary__cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                             xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                             xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("rotary_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.input("q");
    opgen::jax::Operand positions = given.input("positions");
    opgen::jax::Operand cos_sin = given.input("cos_sin");
    given.input("k");
    opgen::jax::Operand q = given.result("q");
    opgen::jax::Operand k = given.result("k");
    const Rotary_Call call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer,
                           given.attr<std::string_view>("style"), given.attr<bool>("inverse"));
    const opgen::jax::CudaContext ctx(stream, device);
    const Rotary_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&q, &k, &positions, &cos_sin}, [&] {
      const Rotary_Args args{&desc, &ctx, q.buffer, positions.buffer, cos_sin.buffer, k.buffer};
      return generated_rotary__cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary_cuda_ffi, generated::rotary_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_rotary__cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_rotary__cuda_ffi, generated::rotary__cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
