// The cross_entropy family's handlers for XLA's FFI.
// Rendered by opgen from cross_entropy.toml.
#include "opgen/jax_given.h"

#include "cross_entropy_call.h"

namespace generated {
namespace {

xla::ffi::Error cross_entropy_cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                          xla::ffi::RemainingArgs operands,
                                          xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand count_ = given.result("count");
    const CrossEntropyCall call(logits_.buffer, labels_.buffer, given.attr<int64_t>("ignore_index"),
                                given.attr<double>("label_smoothing"),
                                given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const CrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &rest_, &count_, &logits_, &labels_}, [&] {
      const CrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                  count_.buffer, losses_.buffer, logits_.buffer, labels_.buffer};
      return generated_cross_entropy_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy", 0x2d294bfae677, attrs);
}

xla::ffi::Error cross_entropy_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const CrossEntropyBwdCall call(dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
                                   rest_.buffer, count_.buffer, given.attr<int64_t>("ignore_index"),
                                   given.attr<double>("label_smoothing"),
                                   given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits_.expect(call.dlogits_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    const CrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &count_}, [&] {
      const CrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer,
                                     labels_.buffer, top_.buffer, rest_.buffer, count_.buffer};
      return generated_cross_entropy_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_bwd", 0x27cbb07335bb, attrs);
}

xla::ffi::Error cross_entropy_top_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                              int64_t /*op_hash*/, xla::ffi::AnyBuffer logits_in,
                                              xla::ffi::Result<xla::ffi::AnyBuffer> top_in) {
  return opgen::jax::guarded("cross_entropy_top", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    const CrossEntropyTopCall call(logits_.buffer);
    const opgen::jax::CpuContext ctx(threads);
    top_.expect(call.top_());
    opgen::prefer_huge_pages(top_.buffer);
    const CrossEntropyTopDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&top_, &logits_}, [&] {
      const CrossEntropyTopArgs args{&desc, &ctx, top_.buffer, logits_.buffer};
      return generated_cross_entropy_top_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_top_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_top", 0xa8af4646449e, attrs);
}

xla::ffi::Error cross_entropy_terms_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_terms", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand total_ = given.result("total");
    opgen::jax::Operand missed_ = given.result("missed");
    opgen::jax::Operand below_ = given.result("below");
    const CrossEntropyTermsCall call(logits_.buffer, labels_.buffer, top_.buffer, first_.buffer,
                                     given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
                                     given.attr<double>("label_smoothing"));
    const opgen::jax::CpuContext ctx(threads);
    total_.expect(call.total_());
    missed_.expect(call.missed_());
    if (call.below_present()) below_.expect(call.below_());
    opgen::prefer_huge_pages(total_.buffer);
    opgen::prefer_huge_pages(missed_.buffer);
    opgen::prefer_huge_pages(below_.buffer);
    const CrossEntropyTermsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&total_, &missed_, &below_, &logits_, &labels_, &top_, &first_}, [&] {
      const CrossEntropyTermsArgs args{&desc, &ctx, total_.buffer, missed_.buffer, below_.buffer,
                                       logits_.buffer, labels_.buffer, top_.buffer, first_.buffer};
      return generated_cross_entropy_terms_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_terms_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_terms", 0x0f26524657ab, attrs);
}

xla::ffi::Error cross_entropy_loss_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_loss", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand total_ = given.input("total");
    opgen::jax::Operand missed_ = given.input("missed");
    opgen::jax::Operand below_ = given.input("below");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand count_ = given.result("count");
    const CrossEntropyLossCall call(logits_.buffer, labels_.buffer, total_.buffer, missed_.buffer,
                                    below_.buffer, given.attr<int64_t>("ignore_index"),
                                    given.attr<double>("label_smoothing"),
                                    given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    rest_.expect(call.rest_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const CrossEntropyLossDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &rest_, &count_, &logits_, &labels_, &total_, &missed_, &below_}, [&] {
      const CrossEntropyLossArgs args{&desc, &ctx, loss_.buffer, rest_.buffer, count_.buffer,
                                      losses_.buffer, logits_.buffer, labels_.buffer, total_.buffer,
                                      missed_.buffer, below_.buffer};
      return generated_cross_entropy_loss_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_loss_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_loss", 0x8080b54036b3, attrs);
}

xla::ffi::Error cross_entropy_bwd_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const CrossEntropyBwdPartCall call(
        dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, first_.buffer,
        count_.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits_.expect(call.dlogits_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    const CrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &first_, &count_}, [&] {
      const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer,
                                         logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer,
                                         first_.buffer, count_.buffer};
      return generated_cross_entropy_bwd_part_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_bwd_part", 0x3f798628e011, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cpu_ffi, generated::cross_entropy_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cpu_ffi_made,
                              generated::cross_entropy_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cpu_ffi,
                              generated::cross_entropy_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cpu_ffi_made,
                              generated::cross_entropy_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cpu_ffi,
                              generated::cross_entropy_top_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // top
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cpu_ffi_made,
                              generated::cross_entropy_top_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cpu_ffi,
                              generated::cross_entropy_terms_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cpu_ffi_made,
                              generated::cross_entropy_terms_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cpu_ffi,
                              generated::cross_entropy_loss_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cpu_ffi_made,
                              generated::cross_entropy_loss_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cpu_ffi,
                              generated::cross_entropy_bwd_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cpu_ffi_made,
                              generated::cross_entropy_bwd_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error cross_entropy_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand count_ = given.result("count");
    const CrossEntropyCall call(logits_.buffer, labels_.buffer, given.attr<int64_t>("ignore_index"),
                                given.attr<double>("label_smoothing"),
                                given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    if (call.count_present()) count_.expect(call.count_());
    const auto losses_ = call.losses_present() ? opgen::jax::DeviceWorkspace(call.losses_(),
                                                                             scratch)
                                               : opgen::jax::DeviceWorkspace();
    const CrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &rest_, &count_, &logits_, &labels_}, [&] {
      const CrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                  count_.buffer, losses_.buffer, logits_.buffer, labels_.buffer};
      return generated_cross_entropy_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy", 0x2d294bfae677, attrs);
}

xla::ffi::Error cross_entropy_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const CrossEntropyBwdCall call(dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
                                   rest_.buffer, count_.buffer, given.attr<int64_t>("ignore_index"),
                                   given.attr<double>("label_smoothing"),
                                   given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits_.expect(call.dlogits_());
    const CrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &count_}, [&] {
      const CrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer,
                                     labels_.buffer, top_.buffer, rest_.buffer, count_.buffer};
      return generated_cross_entropy_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_bwd", 0x27cbb07335bb, attrs);
}

xla::ffi::Error cross_entropy_top_cuda_handler(void* stream, int32_t device, int64_t batch_dims,
                                               int64_t /*op_hash*/, xla::ffi::AnyBuffer logits_in,
                                               xla::ffi::Result<xla::ffi::AnyBuffer> top_in) {
  return opgen::jax::guarded("cross_entropy_top", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    const CrossEntropyTopCall call(logits_.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    top_.expect(call.top_());
    const CrossEntropyTopDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&top_, &logits_}, [&] {
      const CrossEntropyTopArgs args{&desc, &ctx, top_.buffer, logits_.buffer};
      return generated_cross_entropy_top_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_top_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_top", 0xa8af4646449e, attrs);
}

xla::ffi::Error cross_entropy_terms_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_terms", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand total_ = given.result("total");
    opgen::jax::Operand missed_ = given.result("missed");
    opgen::jax::Operand below_ = given.result("below");
    const CrossEntropyTermsCall call(logits_.buffer, labels_.buffer, top_.buffer, first_.buffer,
                                     given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
                                     given.attr<double>("label_smoothing"));
    const opgen::jax::CudaContext ctx(stream, device);
    total_.expect(call.total_());
    missed_.expect(call.missed_());
    if (call.below_present()) below_.expect(call.below_());
    const CrossEntropyTermsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&total_, &missed_, &below_, &logits_, &labels_, &top_, &first_}, [&] {
      const CrossEntropyTermsArgs args{&desc, &ctx, total_.buffer, missed_.buffer, below_.buffer,
                                       logits_.buffer, labels_.buffer, top_.buffer, first_.buffer};
      return generated_cross_entropy_terms_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_terms_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_terms", 0x0f26524657ab, attrs);
}

xla::ffi::Error cross_entropy_loss_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_loss", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand total_ = given.input("total");
    opgen::jax::Operand missed_ = given.input("missed");
    opgen::jax::Operand below_ = given.input("below");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand count_ = given.result("count");
    const CrossEntropyLossCall call(logits_.buffer, labels_.buffer, total_.buffer, missed_.buffer,
                                    below_.buffer, given.attr<int64_t>("ignore_index"),
                                    given.attr<double>("label_smoothing"),
                                    given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss_.expect(call.loss_());
    rest_.expect(call.rest_());
    if (call.count_present()) count_.expect(call.count_());
    const auto losses_ = call.losses_present() ? opgen::jax::DeviceWorkspace(call.losses_(),
                                                                             scratch)
                                               : opgen::jax::DeviceWorkspace();
    const CrossEntropyLossDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &rest_, &count_, &logits_, &labels_, &total_, &missed_, &below_}, [&] {
      const CrossEntropyLossArgs args{&desc, &ctx, loss_.buffer, rest_.buffer, count_.buffer,
                                      losses_.buffer, logits_.buffer, labels_.buffer, total_.buffer,
                                      missed_.buffer, below_.buffer};
      return generated_cross_entropy_loss_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_loss_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_loss", 0x8080b54036b3, attrs);
}

xla::ffi::Error cross_entropy_bwd_part_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const CrossEntropyBwdPartCall call(
        dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, first_.buffer,
        count_.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits_.expect(call.dlogits_());
    const CrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &first_, &count_}, [&] {
      const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits_.buffer, dloss_.buffer,
                                         logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer,
                                         first_.buffer, count_.buffer};
      return generated_cross_entropy_bwd_part_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_part_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("cross_entropy_bwd_part", 0x3f798628e011, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cuda_ffi,
                              generated::cross_entropy_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cuda_ffi_made,
                              generated::cross_entropy_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cuda_ffi,
                              generated::cross_entropy_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cuda_ffi_made,
                              generated::cross_entropy_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cuda_ffi,
                              generated::cross_entropy_top_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // top
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cuda_ffi_made,
                              generated::cross_entropy_top_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cuda_ffi,
                              generated::cross_entropy_terms_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cuda_ffi_made,
                              generated::cross_entropy_terms_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cuda_ffi,
                              generated::cross_entropy_loss_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cuda_ffi_made,
                              generated::cross_entropy_loss_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cuda_ffi,
                              generated::cross_entropy_bwd_part_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cuda_ffi_made,
                              generated::cross_entropy_bwd_part_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
