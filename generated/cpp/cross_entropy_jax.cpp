// The cross_entropy family's handlers for XLA's FFI.
// Rendered by opgen from cross_entropy.toml.
#include "opgen/jax_given.h"

#include "cross_entropy_call.h"

namespace generated {
namespace {

xla::ffi::Error cross_entropy_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                  xla::ffi::RemainingArgs operands,
                                  xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand loss = given.result("loss");
    opgen::jax::Operand top = given.result("top");
    opgen::jax::Operand rest = given.result("rest");
    opgen::jax::Operand count = given.result("count");
    const CrossEntropyCall call(logits.buffer, labels.buffer, given.attr<int64_t>("ignore_index"),
                                given.attr<double>("label_smoothing"),
                                given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss.expect(call.loss());
    top.expect(call.top());
    rest.expect(call.rest());
    if (call.has_count()) count.expect(call.count());
    opgen::prefer_huge_pages(loss.buffer);
    opgen::prefer_huge_pages(top.buffer);
    opgen::prefer_huge_pages(rest.buffer);
    opgen::prefer_huge_pages(count.buffer);
    const auto losses =
        call.has_losses() ? opgen::jax::HostWorkspace(call.losses()) : opgen::jax::HostWorkspace();
    const CrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&loss, &top, &rest, &count, &logits, &labels}, [&] {
      const CrossEntropyArgs args{&desc, &ctx, loss.buffer, top.buffer, rest.buffer, count.buffer,
                                  losses.buffer, logits.buffer, labels.buffer};
      return generated_cross_entropy_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss = given.input("dloss");
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand rest = given.input("rest");
    opgen::jax::Operand count = given.input("count");
    opgen::jax::Operand dlogits = given.result("dlogits");
    const CrossEntropyBwdCall call(dloss.buffer, logits.buffer, labels.buffer, top.buffer,
                                   rest.buffer, count.buffer, given.attr<int64_t>("ignore_index"),
                                   given.attr<double>("label_smoothing"),
                                   given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits.expect(call.dlogits());
    opgen::prefer_huge_pages(dlogits.buffer);
    const CrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits, &dloss, &logits, &labels, &top, &rest, &count}, [&] {
      const CrossEntropyBwdArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                     labels.buffer, top.buffer, rest.buffer, count.buffer};
      return generated_cross_entropy_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_top_cpu(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                      xla::ffi::AnyBuffer logits_,
                                      xla::ffi::Result<xla::ffi::AnyBuffer> top_) {
  return opgen::jax::guarded("cross_entropy_top", [&](const char* op) {
    opgen::jax::Operand logits(op, "logits", logits_, batch_dims);
    opgen::jax::Operand top(op, "top", top_, batch_dims);
    const CrossEntropyTopCall call(logits.buffer);
    const opgen::jax::CpuContext ctx(threads);
    top.expect(call.top());
    opgen::prefer_huge_pages(top.buffer);
    const CrossEntropyTopDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&top, &logits}, [&] {
      const CrossEntropyTopArgs args{&desc, &ctx, top.buffer, logits.buffer};
      return generated_cross_entropy_top_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_terms_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                        xla::ffi::RemainingArgs operands,
                                        xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_terms", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand total = given.result("total");
    opgen::jax::Operand missed = given.result("missed");
    opgen::jax::Operand below = given.result("below");
    const CrossEntropyTermsCall call(logits.buffer, labels.buffer, top.buffer, first.buffer,
                                     given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
                                     given.attr<double>("label_smoothing"));
    const opgen::jax::CpuContext ctx(threads);
    total.expect(call.total());
    missed.expect(call.missed());
    if (call.has_below()) below.expect(call.below());
    opgen::prefer_huge_pages(total.buffer);
    opgen::prefer_huge_pages(missed.buffer);
    opgen::prefer_huge_pages(below.buffer);
    const CrossEntropyTermsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&total, &missed, &below, &logits, &labels, &top, &first}, [&] {
      const CrossEntropyTermsArgs args{&desc, &ctx, total.buffer, missed.buffer, below.buffer,
                                       logits.buffer, labels.buffer, top.buffer, first.buffer};
      return generated_cross_entropy_terms_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_loss_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                       xla::ffi::RemainingArgs operands,
                                       xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_loss", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand total = given.input("total");
    opgen::jax::Operand missed = given.input("missed");
    opgen::jax::Operand below = given.input("below");
    opgen::jax::Operand loss = given.result("loss");
    opgen::jax::Operand rest = given.result("rest");
    opgen::jax::Operand count = given.result("count");
    const CrossEntropyLossCall call(logits.buffer, labels.buffer, total.buffer, missed.buffer,
                                    below.buffer, given.attr<int64_t>("ignore_index"),
                                    given.attr<double>("label_smoothing"),
                                    given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss.expect(call.loss());
    rest.expect(call.rest());
    if (call.has_count()) count.expect(call.count());
    opgen::prefer_huge_pages(loss.buffer);
    opgen::prefer_huge_pages(rest.buffer);
    opgen::prefer_huge_pages(count.buffer);
    const auto losses =
        call.has_losses() ? opgen::jax::HostWorkspace(call.losses()) : opgen::jax::HostWorkspace();
    const CrossEntropyLossDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss, &rest, &count, &logits, &labels, &total, &missed, &below}, [&] {
      const CrossEntropyLossArgs args{&desc, &ctx, loss.buffer, rest.buffer, count.buffer,
                                      losses.buffer, logits.buffer, labels.buffer, total.buffer,
                                      missed.buffer, below.buffer};
      return generated_cross_entropy_loss_cpu(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_part_cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                           xla::ffi::RemainingArgs operands,
                                           xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss = given.input("dloss");
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand rest = given.input("rest");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand count = given.input("count");
    opgen::jax::Operand dlogits = given.result("dlogits");
    const CrossEntropyBwdPartCall call(
        dloss.buffer, logits.buffer, labels.buffer, top.buffer, rest.buffer, first.buffer,
        count.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits.expect(call.dlogits());
    opgen::prefer_huge_pages(dlogits.buffer);
    const CrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits, &dloss, &logits, &labels, &top, &rest, &first, &count}, [&] {
      const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                         labels.buffer, top.buffer, rest.buffer, first.buffer,
                                         count.buffer};
      return generated_cross_entropy_bwd_part_cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cpu_ffi, generated::cross_entropy_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cpu_ffi, generated::cross_entropy_bwd_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cpu_ffi, generated::cross_entropy_top_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // top
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cpu_ffi,
                              generated::cross_entropy_terms_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cpu_ffi,
                              generated::cross_entropy_loss_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cpu_ffi,
                              generated::cross_entropy_bwd_part_cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error cross_entropy_cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                                   xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand loss = given.result("loss");
    opgen::jax::Operand top = given.result("top");
    opgen::jax::Operand rest = given.result("rest");
    opgen::jax::Operand count = given.result("count");
    const CrossEntropyCall call(logits.buffer, labels.buffer, given.attr<int64_t>("ignore_index"),
                                given.attr<double>("label_smoothing"),
                                given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss.expect(call.loss());
    top.expect(call.top());
    rest.expect(call.rest());
    if (call.has_count()) count.expect(call.count());
    const auto losses = call.has_losses() ? opgen::jax::DeviceWorkspace(call.losses(), scratch)
                                          : opgen::jax::DeviceWorkspace();
    const CrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&loss, &top, &rest, &count, &logits, &labels}, [&] {
      const CrossEntropyArgs args{&desc, &ctx, loss.buffer, top.buffer, rest.buffer, count.buffer,
                                  losses.buffer, logits.buffer, labels.buffer};
      return generated_cross_entropy_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss = given.input("dloss");
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand rest = given.input("rest");
    opgen::jax::Operand count = given.input("count");
    opgen::jax::Operand dlogits = given.result("dlogits");
    const CrossEntropyBwdCall call(dloss.buffer, logits.buffer, labels.buffer, top.buffer,
                                   rest.buffer, count.buffer, given.attr<int64_t>("ignore_index"),
                                   given.attr<double>("label_smoothing"),
                                   given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits.expect(call.dlogits());
    const CrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits, &dloss, &logits, &labels, &top, &rest, &count}, [&] {
      const CrossEntropyBwdArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                     labels.buffer, top.buffer, rest.buffer, count.buffer};
      return generated_cross_entropy_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_top_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, int64_t batch_dims,
    xla::ffi::AnyBuffer logits_, xla::ffi::Result<xla::ffi::AnyBuffer> top_) {
  return opgen::jax::guarded("cross_entropy_top", [&](const char* op) {
    opgen::jax::Operand logits(op, "logits", logits_, batch_dims);
    opgen::jax::Operand top(op, "top", top_, batch_dims);
    const CrossEntropyTopCall call(logits.buffer);
    const opgen::jax::CudaContext ctx(stream, device);
    top.expect(call.top());
    const CrossEntropyTopDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&top, &logits}, [&] {
      const CrossEntropyTopArgs args{&desc, &ctx, top.buffer, logits.buffer};
      return generated_cross_entropy_top_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_terms_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_terms", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand total = given.result("total");
    opgen::jax::Operand missed = given.result("missed");
    opgen::jax::Operand below = given.result("below");
    const CrossEntropyTermsCall call(logits.buffer, labels.buffer, top.buffer, first.buffer,
                                     given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
                                     given.attr<double>("label_smoothing"));
    const opgen::jax::CudaContext ctx(stream, device);
    total.expect(call.total());
    missed.expect(call.missed());
    if (call.has_below()) below.expect(call.below());
    const CrossEntropyTermsDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&total, &missed, &below, &logits, &labels, &top, &first}, [&] {
      const CrossEntropyTermsArgs args{&desc, &ctx, total.buffer, missed.buffer, below.buffer,
                                       logits.buffer, labels.buffer, top.buffer, first.buffer};
      return generated_cross_entropy_terms_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_loss_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_loss", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand total = given.input("total");
    opgen::jax::Operand missed = given.input("missed");
    opgen::jax::Operand below = given.input("below");
    opgen::jax::Operand loss = given.result("loss");
    opgen::jax::Operand rest = given.result("rest");
    opgen::jax::Operand count = given.result("count");
    const CrossEntropyLossCall call(logits.buffer, labels.buffer, total.buffer, missed.buffer,
                                    below.buffer, given.attr<int64_t>("ignore_index"),
                                    given.attr<double>("label_smoothing"),
                                    given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss.expect(call.loss());
    rest.expect(call.rest());
    if (call.has_count()) count.expect(call.count());
    const auto losses = call.has_losses() ? opgen::jax::DeviceWorkspace(call.losses(), scratch)
                                          : opgen::jax::DeviceWorkspace();
    const CrossEntropyLossDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss, &rest, &count, &logits, &labels, &total, &missed, &below}, [&] {
      const CrossEntropyLossArgs args{&desc, &ctx, loss.buffer, rest.buffer, count.buffer,
                                      losses.buffer, logits.buffer, labels.buffer, total.buffer,
                                      missed.buffer, below.buffer};
      return generated_cross_entropy_loss_cuda(&args);
    });
  });
}

xla::ffi::Error cross_entropy_bwd_part_cuda(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss = given.input("dloss");
    opgen::jax::Operand logits = given.input("logits");
    opgen::jax::Operand labels = given.input("labels");
    opgen::jax::Operand top = given.input("top");
    opgen::jax::Operand rest = given.input("rest");
    opgen::jax::Operand first = given.input("first");
    opgen::jax::Operand count = given.input("count");
    opgen::jax::Operand dlogits = given.result("dlogits");
    const CrossEntropyBwdPartCall call(
        dloss.buffer, logits.buffer, labels.buffer, top.buffer, rest.buffer, first.buffer,
        count.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("ignore_index"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits.expect(call.dlogits());
    const CrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&dlogits, &dloss, &logits, &labels, &top, &rest, &first, &count}, [&] {
      const CrossEntropyBwdPartArgs args{&desc, &ctx, dlogits.buffer, dloss.buffer, logits.buffer,
                                         labels.buffer, top.buffer, rest.buffer, first.buffer,
                                         count.buffer};
      return generated_cross_entropy_bwd_part_cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_cuda_ffi, generated::cross_entropy_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_cuda_ffi,
                              generated::cross_entropy_bwd_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_top_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_top_cuda_ffi,
                              generated::cross_entropy_top_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attr<int64_t>("batch_dims")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // top
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_terms_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_terms_cuda_ffi,
                              generated::cross_entropy_terms_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_loss_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_loss_cuda_ffi,
                              generated::cross_entropy_loss_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_cross_entropy_bwd_part_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_cross_entropy_bwd_part_cuda_ffi,
                              generated::cross_entropy_bwd_part_cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
