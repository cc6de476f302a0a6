// The varlen_attention family's handlers for XLA's FFI.
// Rendered by opgen from varlen_attention.toml.
#include "opgen/jax_given.h"

#include "varlen_attention_call.h"

namespace generated {
namespace {

xla::ffi::Error varlen_attention_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("varlen_attention", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    opgen::jax::Operand cu_q_ = given.input("cu_q");
    opgen::jax::Operand cu_k_ = given.input("cu_k");
    opgen::jax::Operand block_table_ = given.input("block_table");
    opgen::jax::Operand alibi_ = given.input("alibi");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand out_ = given.result("out");
    opgen::jax::Operand lse_ = given.result("lse");
    const VarlenAttentionCall call(
        q_.buffer, k_.buffer, v_.buffer, cu_q_.buffer, cu_k_.buffer, block_table_.buffer,
        alibi_.buffer, seed_.buffer, offset_.buffer, given.maybe<int64_t>("max_q"),
        given.maybe<int64_t>("max_k"), given.maybe<double>("scale"), given.attr<bool>("causal"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("window")),
        given.attr<double>("dropout"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    out_.expect(call.out_());
    if (call.lse_present()) lse_.expect(call.lse_());
    opgen::prefer_huge_pages(out_.buffer);
    opgen::prefer_huge_pages(lse_.buffer);
    const VarlenAttentionDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&out_, &lse_, &q_, &k_, &v_, &cu_q_, &cu_k_,
                                              &block_table_, &alibi_, &seed_, &offset_}, [&] {
      const VarlenAttentionArgs args{&desc, &ctx, out_.buffer, lse_.buffer, q_.buffer, k_.buffer,
                                     v_.buffer, cu_q_.buffer, cu_k_.buffer, block_table_.buffer,
                                     alibi_.buffer, seed_.buffer, offset_.buffer};
      return generated_varlen_attention_cpu(&args);
    });
  });
}

xla::ffi::Error varlen_attention_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("varlen_attention", 0x06917629c221, attrs);
}

xla::ffi::Error varlen_attention_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("varlen_attention_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dout_ = given.input("dout");
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    opgen::jax::Operand out_ = given.input("out");
    opgen::jax::Operand lse_ = given.input("lse");
    opgen::jax::Operand cu_q_ = given.input("cu_q");
    opgen::jax::Operand cu_k_ = given.input("cu_k");
    opgen::jax::Operand alibi_ = given.input("alibi");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand dq_ = given.result("dq");
    opgen::jax::Operand dk_ = given.result("dk");
    opgen::jax::Operand dv_ = given.result("dv");
    const VarlenAttentionBwdCall call(
        dout_.buffer, q_.buffer, k_.buffer, v_.buffer, out_.buffer, lse_.buffer, cu_q_.buffer,
        cu_k_.buffer, alibi_.buffer, seed_.buffer, offset_.buffer, given.attr<int64_t>("max_q"),
        given.attr<int64_t>("max_k"), given.attr<double>("scale"), given.attr<bool>("causal"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("window")),
        given.attr<double>("dropout"));
    const opgen::jax::CpuContext ctx(threads);
    dq_.expect(call.dq_());
    dk_.expect(call.dk_());
    dv_.expect(call.dv_());
    opgen::prefer_huge_pages(dq_.buffer);
    opgen::prefer_huge_pages(dk_.buffer);
    opgen::prefer_huge_pages(dv_.buffer);
    const auto sums_ =
        call.sums_present() ? opgen::jax::HostWorkspace(call.sums_()) : opgen::jax::HostWorkspace();
    const VarlenAttentionBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dq_, &dk_, &dv_, &dout_, &q_, &k_, &v_, &out_, &lse_,
                                              &cu_q_, &cu_k_, &alibi_, &seed_, &offset_}, [&] {
      const VarlenAttentionBwdArgs args{&desc, &ctx, dq_.buffer, dk_.buffer, dv_.buffer,
                                        sums_.buffer, dout_.buffer, q_.buffer, k_.buffer, v_.buffer,
                                        out_.buffer, lse_.buffer, cu_q_.buffer, cu_k_.buffer,
                                        alibi_.buffer, seed_.buffer, offset_.buffer};
      return generated_varlen_attention_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error varlen_attention_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("varlen_attention_bwd", 0xf3ef6ae93103, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_cpu_ffi,
                              generated::varlen_attention_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_cpu_ffi_made,
                              generated::varlen_attention_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_bwd_cpu_ffi,
                              generated::varlen_attention_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_bwd_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_bwd_cpu_ffi_made,
                              generated::varlen_attention_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error varlen_attention_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("varlen_attention", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    opgen::jax::Operand cu_q_ = given.input("cu_q");
    opgen::jax::Operand cu_k_ = given.input("cu_k");
    opgen::jax::Operand block_table_ = given.input("block_table");
    opgen::jax::Operand alibi_ = given.input("alibi");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand out_ = given.result("out");
    opgen::jax::Operand lse_ = given.result("lse");
    const VarlenAttentionCall call(
        q_.buffer, k_.buffer, v_.buffer, cu_q_.buffer, cu_k_.buffer, block_table_.buffer,
        alibi_.buffer, seed_.buffer, offset_.buffer, given.maybe<int64_t>("max_q"),
        given.maybe<int64_t>("max_k"), given.maybe<double>("scale"), given.attr<bool>("causal"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("window")),
        given.attr<double>("dropout"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    out_.expect(call.out_());
    if (call.lse_present()) lse_.expect(call.lse_());
    const VarlenAttentionDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&out_, &lse_, &q_, &k_, &v_, &cu_q_, &cu_k_,
                                              &block_table_, &alibi_, &seed_, &offset_}, [&] {
      const VarlenAttentionArgs args{&desc, &ctx, out_.buffer, lse_.buffer, q_.buffer, k_.buffer,
                                     v_.buffer, cu_q_.buffer, cu_k_.buffer, block_table_.buffer,
                                     alibi_.buffer, seed_.buffer, offset_.buffer};
      return generated_varlen_attention_cuda(&args);
    });
  });
}

xla::ffi::Error varlen_attention_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("varlen_attention", 0x06917629c221, attrs);
}

xla::ffi::Error varlen_attention_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("varlen_attention_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dout_ = given.input("dout");
    opgen::jax::Operand q_ = given.input("q");
    opgen::jax::Operand k_ = given.input("k");
    opgen::jax::Operand v_ = given.input("v");
    opgen::jax::Operand out_ = given.input("out");
    opgen::jax::Operand lse_ = given.input("lse");
    opgen::jax::Operand cu_q_ = given.input("cu_q");
    opgen::jax::Operand cu_k_ = given.input("cu_k");
    opgen::jax::Operand alibi_ = given.input("alibi");
    opgen::jax::Operand seed_ = given.input("seed");
    opgen::jax::Operand offset_ = given.input("offset");
    opgen::jax::Operand dq_ = given.result("dq");
    opgen::jax::Operand dk_ = given.result("dk");
    opgen::jax::Operand dv_ = given.result("dv");
    const VarlenAttentionBwdCall call(
        dout_.buffer, q_.buffer, k_.buffer, v_.buffer, out_.buffer, lse_.buffer, cu_q_.buffer,
        cu_k_.buffer, alibi_.buffer, seed_.buffer, offset_.buffer, given.attr<int64_t>("max_q"),
        given.attr<int64_t>("max_k"), given.attr<double>("scale"), given.attr<bool>("causal"),
        opgen::jax::sizes(given.attr<xla::ffi::Span<const int64_t>>("window")),
        given.attr<double>("dropout"));
    opgen::jax::CudaContext ctx(stream, device);
    opgen::takes(op, call.unmet(ctx.platform, ctx.properties()));
    dq_.expect(call.dq_());
    dk_.expect(call.dk_());
    dv_.expect(call.dv_());
    const auto sums_ = call.sums_present() ? opgen::jax::DeviceWorkspace(call.sums_(), scratch)
                                           : opgen::jax::DeviceWorkspace();
    const VarlenAttentionBwdDescriptor desc = call.descriptor();
    const opgen::jax::DeviceWorkspace memory(
        opgen::scratch(op, generated_varlen_attention_bwd_cuda_workspace(&desc, ctx.properties())),
        scratch);
    ctx.use(memory.buffer);
    opgen::jax::each_slice(op, ctx.reported, {&dq_, &dk_, &dv_, &dout_, &q_, &k_, &v_, &out_, &lse_,
                                              &cu_q_, &cu_k_, &alibi_, &seed_, &offset_}, [&] {
      const VarlenAttentionBwdArgs args{&desc, &ctx, dq_.buffer, dk_.buffer, dv_.buffer,
                                        sums_.buffer, dout_.buffer, q_.buffer, k_.buffer, v_.buffer,
                                        out_.buffer, lse_.buffer, cu_q_.buffer, cu_k_.buffer,
                                        alibi_.buffer, seed_.buffer, offset_.buffer};
      return generated_varlen_attention_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error varlen_attention_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("varlen_attention_bwd", 0xf3ef6ae93103, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_cuda_ffi,
                              generated::varlen_attention_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_cuda_ffi_made,
                              generated::varlen_attention_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_bwd_cuda_ffi,
                              generated::varlen_attention_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_varlen_attention_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_varlen_attention_bwd_cuda_ffi_made,
                              generated::varlen_attention_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
