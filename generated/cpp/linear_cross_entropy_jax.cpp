// The linear_cross_entropy family's handlers for XLA's FFI.
// Rendered by opgen from linear_cross_entropy.toml.
#include "opgen/jax_given.h"

#include "linear_cross_entropy_call.h"

namespace generated {
namespace {

xla::ffi::Error linear_cross_entropy_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand log_sum_ = given.result("log_sum");
    opgen::jax::Operand count_ = given.result("count");
    const LinearCrossEntropyCall call(hidden_.buffer, weight_.buffer, labels_.buffer,
                                      given.attr<int64_t>("ignore_index"),
                                      given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    log_sum_.expect(call.log_sum_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(log_sum_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const opgen::jax::HostWorkspace parts_(call.parts_());
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const LinearCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &log_sum_, &count_, &hidden_, &weight_, &labels_}, [&] {
      const LinearCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, log_sum_.buffer,
                                        count_.buffer, parts_.buffer, losses_.buffer,
                                        hidden_.buffer, weight_.buffer, labels_.buffer};
      return generated_linear_cross_entropy_cpu(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy", 0x67de100c9fe7, attrs);
}

xla::ffi::Error linear_cross_entropy_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand log_sum_ = given.input("log_sum");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dhidden_ = given.result("dhidden");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const LinearCrossEntropyBwdCall call(dloss_.buffer, hidden_.buffer, weight_.buffer,
                                         labels_.buffer, top_.buffer, log_sum_.buffer,
                                         count_.buffer, given.attr<int64_t>("ignore_index"),
                                         given.attr<std::string_view>("reduction"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dhidden_present()) dhidden_.expect(call.dhidden_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dhidden_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace dlogits_(call.dlogits_());
    const LinearCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dhidden_, &dweight_, &dloss_, &hidden_, &weight_,
                                              &labels_, &top_, &log_sum_, &count_}, [&] {
      const LinearCrossEntropyBwdArgs args{&desc, &ctx, dhidden_.buffer, dweight_.buffer,
                                           dlogits_.buffer, dloss_.buffer, hidden_.buffer,
                                           weight_.buffer, labels_.buffer, top_.buffer,
                                           log_sum_.buffer, count_.buffer};
      return generated_linear_cross_entropy_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy_bwd", 0x87522f5ab8dc, attrs);
}

xla::ffi::Error linear_cross_entropy_terms_cpu_handler(
    xla::ffi::ThreadPool threads, int64_t batch_dims, int64_t /*op_hash*/, int64_t c_in,
    int64_t ignore_index_in, xla::ffi::AnyBuffer hidden_in, xla::ffi::AnyBuffer weight_in,
    xla::ffi::AnyBuffer labels_in, xla::ffi::AnyBuffer first_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> top_in, xla::ffi::Result<xla::ffi::AnyBuffer> total_in,
    xla::ffi::Result<xla::ffi::AnyBuffer> at_label_in) {
  return opgen::jax::guarded("linear_cross_entropy_terms", [&](const char* op) {
    opgen::jax::Operand hidden_(op, "hidden", hidden_in, batch_dims);
    opgen::jax::Operand weight_(op, "weight", weight_in, batch_dims);
    opgen::jax::Operand labels_(op, "labels", labels_in, batch_dims);
    opgen::jax::Operand first_(op, "first", first_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    opgen::jax::Operand at_label_(op, "at_label", at_label_in, batch_dims);
    const LinearCrossEntropyTermsCall call(hidden_.buffer, weight_.buffer, labels_.buffer,
                                           first_.buffer, c_in, ignore_index_in);
    const opgen::jax::CpuContext ctx(threads);
    top_.expect(call.top_());
    total_.expect(call.total_());
    at_label_.expect(call.at_label_());
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(total_.buffer);
    opgen::prefer_huge_pages(at_label_.buffer);
    const opgen::jax::HostWorkspace parts_(call.parts_());
    const LinearCrossEntropyTermsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported, {&top_, &total_, &at_label_, &hidden_, &weight_, &labels_, &first_}, [&] {
      const LinearCrossEntropyTermsArgs args{&desc, &ctx, top_.buffer, total_.buffer,
                                             at_label_.buffer, parts_.buffer, hidden_.buffer,
                                             weight_.buffer, labels_.buffer, first_.buffer};
      return generated_linear_cross_entropy_terms_cpu(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_terms_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy_terms", 0xb9f0cc17c210, attrs);
}

xla::ffi::Error linear_cross_entropy_loss_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy_loss", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand total_ = given.input("total");
    opgen::jax::Operand at_label_ = given.input("at_label");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand log_sum_ = given.result("log_sum");
    opgen::jax::Operand count_ = given.result("count");
    const LinearCrossEntropyLossCall call(
        hidden_.buffer, labels_.buffer, top_.buffer, total_.buffer, at_label_.buffer,
        given.attr<int64_t>("ignore_index"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    log_sum_.expect(call.log_sum_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(log_sum_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const LinearCrossEntropyLossDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &log_sum_, &count_, &hidden_, &labels_, &top_, &total_, &at_label_}, [&] {
      const LinearCrossEntropyLossArgs args{
          &desc, &ctx, loss_.buffer, log_sum_.buffer, count_.buffer, losses_.buffer, hidden_.buffer,
          labels_.buffer, top_.buffer, total_.buffer, at_label_.buffer};
      return generated_linear_cross_entropy_loss_cpu(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_loss_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy_loss", 0x2f60fe8240e8, attrs);
}

xla::ffi::Error linear_cross_entropy_bwd_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand log_sum_ = given.input("log_sum");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dhidden_ = given.result("dhidden");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const LinearCrossEntropyBwdPartCall call(
        dloss_.buffer, hidden_.buffer, weight_.buffer, labels_.buffer, top_.buffer, log_sum_.buffer,
        first_.buffer, count_.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
        given.attr<std::string_view>("reduction"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dhidden_present()) dhidden_.expect(call.dhidden_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    opgen::prefer_huge_pages(dhidden_.buffer);
    opgen::prefer_huge_pages(dweight_.buffer);
    const opgen::jax::HostWorkspace dlogits_(call.dlogits_());
    const LinearCrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dhidden_, &dweight_, &dloss_, &hidden_, &weight_,
                                              &labels_, &top_, &log_sum_, &first_, &count_}, [&] {
      const LinearCrossEntropyBwdPartArgs args{&desc, &ctx, dhidden_.buffer, dweight_.buffer,
                                               dlogits_.buffer, dloss_.buffer, hidden_.buffer,
                                               weight_.buffer, labels_.buffer, top_.buffer,
                                               log_sum_.buffer, first_.buffer, count_.buffer};
      return generated_linear_cross_entropy_bwd_part_cpu(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_bwd_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy_bwd_part", 0x50f41079ce1f, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_cpu_ffi,
                              generated::linear_cross_entropy_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_cpu_ffi_made,
                              generated::linear_cross_entropy_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_cpu_ffi,
                              generated::linear_cross_entropy_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_cpu_ffi_made,
                              generated::linear_cross_entropy_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_terms_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_terms_cpu_ffi,
                              generated::linear_cross_entropy_terms_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<int64_t>("c")
                                  .Attr<int64_t>("ignore_index")
                                  .Arg<xla::ffi::AnyBuffer>()  // hidden
                                  .Arg<xla::ffi::AnyBuffer>()  // weight
                                  .Arg<xla::ffi::AnyBuffer>()  // labels
                                  .Arg<xla::ffi::AnyBuffer>()  // first
                                  .Ret<xla::ffi::AnyBuffer>()  // top
                                  .Ret<xla::ffi::AnyBuffer>()  // total
                                  .Ret<xla::ffi::AnyBuffer>()  // at_label
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_terms_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_terms_cpu_ffi_made,
                              generated::linear_cross_entropy_terms_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_loss_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_loss_cpu_ffi,
                              generated::linear_cross_entropy_loss_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_loss_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_loss_cpu_ffi_made,
                              generated::linear_cross_entropy_loss_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_part_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_part_cpu_ffi,
                              generated::linear_cross_entropy_bwd_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_part_cpu_ffi_made,
                              generated::linear_cross_entropy_bwd_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error linear_cross_entropy_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand log_sum_ = given.result("log_sum");
    opgen::jax::Operand count_ = given.result("count");
    const LinearCrossEntropyCall call(hidden_.buffer, weight_.buffer, labels_.buffer,
                                      given.attr<int64_t>("ignore_index"),
                                      given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    log_sum_.expect(call.log_sum_());
    if (call.count_present()) count_.expect(call.count_());
    const opgen::jax::DeviceWorkspace parts_(call.parts_(), scratch);
    const auto losses_ = call.losses_present() ? opgen::jax::DeviceWorkspace(call.losses_(),
                                                                             scratch)
                                               : opgen::jax::DeviceWorkspace();
    const LinearCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &log_sum_, &count_, &hidden_, &weight_, &labels_}, [&] {
      const LinearCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, log_sum_.buffer,
                                        count_.buffer, parts_.buffer, losses_.buffer,
                                        hidden_.buffer, weight_.buffer, labels_.buffer};
      return generated_linear_cross_entropy_cuda(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy", 0x67de100c9fe7, attrs);
}

xla::ffi::Error linear_cross_entropy_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("linear_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand hidden_ = given.input("hidden");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand log_sum_ = given.input("log_sum");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dhidden_ = given.result("dhidden");
    opgen::jax::Operand dweight_ = given.result("dweight");
    const LinearCrossEntropyBwdCall call(dloss_.buffer, hidden_.buffer, weight_.buffer,
                                         labels_.buffer, top_.buffer, log_sum_.buffer,
                                         count_.buffer, given.attr<int64_t>("ignore_index"),
                                         given.attr<std::string_view>("reduction"), given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.dhidden_present()) dhidden_.expect(call.dhidden_());
    if (call.dweight_present()) dweight_.expect(call.dweight_());
    const opgen::jax::DeviceWorkspace dlogits_(call.dlogits_(), scratch);
    const LinearCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dhidden_, &dweight_, &dloss_, &hidden_, &weight_,
                                              &labels_, &top_, &log_sum_, &count_}, [&] {
      const LinearCrossEntropyBwdArgs args{&desc, &ctx, dhidden_.buffer, dweight_.buffer,
                                           dlogits_.buffer, dloss_.buffer, hidden_.buffer,
                                           weight_.buffer, labels_.buffer, top_.buffer,
                                           log_sum_.buffer, count_.buffer};
      return generated_linear_cross_entropy_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error linear_cross_entropy_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("linear_cross_entropy_bwd", 0x87522f5ab8dc, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_cuda_ffi,
                              generated::linear_cross_entropy_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_cuda_ffi_made,
                              generated::linear_cross_entropy_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_cuda_ffi,
                              generated::linear_cross_entropy_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_linear_cross_entropy_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_linear_cross_entropy_bwd_cuda_ffi_made,
                              generated::linear_cross_entropy_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
