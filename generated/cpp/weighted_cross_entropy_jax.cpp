// The weighted_cross_entropy family's handlers for XLA's FFI.
// Rendered by opgen from weighted_cross_entropy.toml.
#include "opgen/jax_given.h"

#include "weighted_cross_entropy_call.h"

namespace generated {
namespace {

xla::ffi::Error weighted_cross_entropy_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    opgen::jax::Operand count_ = given.result("count");
    const WeightedCrossEntropyCall call(
        logits_.buffer, labels_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(mass_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const WeightedCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &top_, &rest_, &mass_, &count_, &logits_, &labels_, &weight_}, [&] {
      const WeightedCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                          mass_.buffer, count_.buffer, losses_.buffer,
                                          logits_.buffer, labels_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_cpu(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy", 0x4b8796522f4c, attrs);
}

xla::ffi::Error weighted_cross_entropy_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const WeightedCrossEntropyBwdCall call(
        dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        count_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits_.expect(call.dlogits_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    const WeightedCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &mass_, &count_, &weight_}, [&] {
      const WeightedCrossEntropyBwdArgs args{
          &desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
          rest_.buffer, mass_.buffer, count_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy_bwd", 0x5714cb5af289, attrs);
}

xla::ffi::Error soft_cross_entropy_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    const SoftCrossEntropyCall call(
        logits_.buffer, target_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(top_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(mass_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const SoftCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &rest_, &mass_, &logits_, &target_, &weight_}, [&] {
      const SoftCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                      mass_.buffer, losses_.buffer, logits_.buffer, target_.buffer,
                                      weight_.buffer};
      return generated_soft_cross_entropy_cpu(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy", 0x38495182624f, attrs);
}

xla::ffi::Error soft_cross_entropy_bwd_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    opgen::jax::Operand dtarget_ = given.result("dtarget");
    const SoftCrossEntropyBwdCall call(
        dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        weight_.buffer, given.attr<int64_t>("positions"), given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dlogits_present()) dlogits_.expect(call.dlogits_());
    if (call.dtarget_present()) dtarget_.expect(call.dtarget_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    opgen::prefer_huge_pages(dtarget_.buffer);
    const SoftCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dtarget_, &dloss_, &logits_, &target_, &top_, &rest_, &mass_, &weight_}, [&] {
      const SoftCrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dtarget_.buffer,
                                         dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer,
                                         rest_.buffer, mass_.buffer, weight_.buffer};
      return generated_soft_cross_entropy_bwd_cpu(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_bwd_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy_bwd", 0x23b829f32b44, attrs);
}

xla::ffi::Error class_top_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                      int64_t /*op_hash*/, std::string_view classes_in,
                                      xla::ffi::AnyBuffer logits_in,
                                      xla::ffi::Result<xla::ffi::AnyBuffer> top_in) {
  return opgen::jax::guarded("class_top", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    const ClassTopCall call(logits_.buffer, classes_in);
    const opgen::jax::CpuContext ctx(threads);
    top_.expect(call.top_());
    opgen::prefer_huge_pages(top_.buffer);
    const ClassTopDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&top_, &logits_}, [&] {
      const ClassTopArgs args{&desc, &ctx, top_.buffer, logits_.buffer};
      return generated_class_top_cpu(&args);
    });
  });
}

xla::ffi::Error class_top_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("class_top", 0x0a8322ccb984, attrs);
}

xla::ffi::Error class_total_cpu_handler(xla::ffi::ThreadPool threads, int64_t batch_dims,
                                        int64_t /*op_hash*/, std::string_view classes_in,
                                        xla::ffi::AnyBuffer logits_in, xla::ffi::AnyBuffer top_in,
                                        xla::ffi::Result<xla::ffi::AnyBuffer> total_in) {
  return opgen::jax::guarded("class_total", [&](const char* op) {
    opgen::jax::Operand logits_(op, "logits", logits_in, batch_dims);
    opgen::jax::Operand top_(op, "top", top_in, batch_dims);
    opgen::jax::Operand total_(op, "total", total_in, batch_dims);
    const ClassTotalCall call(logits_.buffer, top_.buffer, classes_in);
    const opgen::jax::CpuContext ctx(threads);
    total_.expect(call.total_());
    opgen::prefer_huge_pages(total_.buffer);
    const ClassTotalDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&total_, &logits_, &top_}, [&] {
      const ClassTotalArgs args{&desc, &ctx, total_.buffer, logits_.buffer, top_.buffer};
      return generated_class_total_cpu(&args);
    });
  });
}

xla::ffi::Error class_total_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("class_total", 0x353f6477e65f, attrs);
}

xla::ffi::Error soft_cross_entropy_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand total_ = given.input("total");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    const SoftCrossEntropyPartCall call(
        logits_.buffer, target_.buffer, top_.buffer, total_.buffer, weight_.buffer,
        given.attr<int64_t>("c"), given.attr<std::string_view>("classes"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(mass_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const SoftCrossEntropyPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &rest_, &mass_, &logits_, &target_, &top_, &total_, &weight_}, [&] {
      const SoftCrossEntropyPartArgs args{&desc, &ctx, loss_.buffer, rest_.buffer, mass_.buffer,
                                          losses_.buffer, logits_.buffer, target_.buffer,
                                          top_.buffer, total_.buffer, weight_.buffer};
      return generated_soft_cross_entropy_part_cpu(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy_part", 0xadbc24851530, attrs);
}

xla::ffi::Error soft_cross_entropy_bwd_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    opgen::jax::Operand dtarget_ = given.result("dtarget");
    const SoftCrossEntropyBwdPartCall call(
        dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        weight_.buffer, given.attr<int64_t>("c"), given.attr<int64_t>("positions"),
        given.attr<std::string_view>("classes"), given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.wanted());
    const opgen::jax::CpuContext ctx(threads);
    if (call.dlogits_present()) dlogits_.expect(call.dlogits_());
    if (call.dtarget_present()) dtarget_.expect(call.dtarget_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    opgen::prefer_huge_pages(dtarget_.buffer);
    const SoftCrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dtarget_, &dloss_, &logits_, &target_, &top_, &rest_, &mass_, &weight_}, [&] {
      const SoftCrossEntropyBwdPartArgs args{
          &desc, &ctx, dlogits_.buffer, dtarget_.buffer, dloss_.buffer, logits_.buffer,
          target_.buffer, top_.buffer, rest_.buffer, mass_.buffer, weight_.buffer};
      return generated_soft_cross_entropy_bwd_part_cpu(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_bwd_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy_bwd_part", 0x13fd399bbacd, attrs);
}

xla::ffi::Error weighted_cross_entropy_total_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy_total", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand total_ = given.result("total");
    opgen::jax::Operand count_ = given.result("count");
    const WeightedCrossEntropyTotalCall call(
        logits_.buffer, labels_.buffer, top_.buffer, first_.buffer, weight_.buffer,
        given.attr<int64_t>("c"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    total_.expect(call.total_());
    if (call.count_present()) count_.expect(call.count_());
    opgen::prefer_huge_pages(total_.buffer);
    opgen::prefer_huge_pages(count_.buffer);
    const WeightedCrossEntropyTotalDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&total_, &count_, &logits_, &labels_, &top_, &first_, &weight_}, [&] {
      const WeightedCrossEntropyTotalArgs args{&desc, &ctx, total_.buffer, count_.buffer,
                                               logits_.buffer, labels_.buffer, top_.buffer,
                                               first_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_total_cpu(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_total_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy_total", 0x0a0afedaf8c1, attrs);
}

xla::ffi::Error weighted_cross_entropy_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand total_ = given.input("total");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    const WeightedCrossEntropyPartCall call(
        logits_.buffer, labels_.buffer, top_.buffer, total_.buffer, first_.buffer, count_.buffer,
        weight_.buffer, given.attr<int64_t>("c"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"), given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    loss_.expect(call.loss_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    opgen::prefer_huge_pages(loss_.buffer);
    opgen::prefer_huge_pages(rest_.buffer);
    opgen::prefer_huge_pages(mass_.buffer);
    const auto losses_ = call.losses_present() ? opgen::jax::HostWorkspace(call.losses_())
                                               : opgen::jax::HostWorkspace();
    const WeightedCrossEntropyPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&loss_, &rest_, &mass_, &logits_, &labels_, &top_,
                                              &total_, &first_, &count_, &weight_}, [&] {
      const WeightedCrossEntropyPartArgs args{
          &desc, &ctx, loss_.buffer, rest_.buffer, mass_.buffer, losses_.buffer, logits_.buffer,
          labels_.buffer, top_.buffer, total_.buffer, first_.buffer, count_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_part_cpu(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy_part", 0xd10c7d8c8b7d, attrs);
}

xla::ffi::Error weighted_cross_entropy_bwd_part_cpu_handler(
    xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy_bwd_part", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand first_ = given.input("first");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const WeightedCrossEntropyBwdPartCall call(
        dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        first_.buffer, count_.buffer, weight_.buffer, given.attr<int64_t>("c"),
        given.attr<std::string_view>("classes"), given.attr<int64_t>("ignore_index"),
        given.attr<double>("label_smoothing"), given.attr<std::string_view>("reduction"));
    const opgen::jax::CpuContext ctx(threads);
    dlogits_.expect(call.dlogits_());
    opgen::prefer_huge_pages(dlogits_.buffer);
    const WeightedCrossEntropyBwdPartDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_,
                                              &mass_, &first_, &count_, &weight_}, [&] {
      const WeightedCrossEntropyBwdPartArgs args{
          &desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
          rest_.buffer, mass_.buffer, first_.buffer, count_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_bwd_part_cpu(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_bwd_part_cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy_bwd_part", 0x2fb4575e75df, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_cpu_ffi,
                              generated::weighted_cross_entropy_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_cpu_ffi_made,
                              generated::weighted_cross_entropy_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_cpu_ffi,
                              generated::weighted_cross_entropy_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_cpu_ffi_made,
                              generated::weighted_cross_entropy_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_cpu_ffi,
                              generated::soft_cross_entropy_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_cpu_ffi_made,
                              generated::soft_cross_entropy_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_cpu_ffi,
                              generated::soft_cross_entropy_bwd_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_cpu_ffi_made,
                              generated::soft_cross_entropy_bwd_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_class_top_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_class_top_cpu_ffi, generated::class_top_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("classes")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Ret<xla::ffi::AnyBuffer>()  // top
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_class_top_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_class_top_cpu_ffi_made,
                              generated::class_top_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_class_total_cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_class_total_cpu_ffi, generated::class_total_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attr<int64_t>("batch_dims")
                                  .Attr<int64_t>("op_hash")
                                  .Attr<std::string_view>("classes")
                                  .Arg<xla::ffi::AnyBuffer>()  // logits
                                  .Arg<xla::ffi::AnyBuffer>()  // top
                                  .Ret<xla::ffi::AnyBuffer>()  // total
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_class_total_cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_class_total_cpu_ffi_made,
                              generated::class_total_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_part_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_part_cpu_ffi,
                              generated::soft_cross_entropy_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_part_cpu_ffi_made,
                              generated::soft_cross_entropy_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_part_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_part_cpu_ffi,
                              generated::soft_cross_entropy_bwd_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_part_cpu_ffi_made,
                              generated::soft_cross_entropy_bwd_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_total_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_total_cpu_ffi,
                              generated::weighted_cross_entropy_total_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_total_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_total_cpu_ffi_made,
                              generated::weighted_cross_entropy_total_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_part_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_part_cpu_ffi,
                              generated::weighted_cross_entropy_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_part_cpu_ffi_made,
                              generated::weighted_cross_entropy_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_part_cpu_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_part_cpu_ffi,
                              generated::weighted_cross_entropy_bwd_part_cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_part_cpu_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_part_cpu_ffi_made,
                              generated::weighted_cross_entropy_bwd_part_cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error weighted_cross_entropy_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    opgen::jax::Operand count_ = given.result("count");
    const WeightedCrossEntropyCall call(
        logits_.buffer, labels_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    if (call.count_present()) count_.expect(call.count_());
    const auto losses_ = call.losses_present() ? opgen::jax::DeviceWorkspace(call.losses_(),
                                                                             scratch)
                                               : opgen::jax::DeviceWorkspace();
    const WeightedCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&loss_, &top_, &rest_, &mass_, &count_, &logits_, &labels_, &weight_}, [&] {
      const WeightedCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                          mass_.buffer, count_.buffer, losses_.buffer,
                                          logits_.buffer, labels_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_cuda(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy", 0x4b8796522f4c, attrs);
}

xla::ffi::Error weighted_cross_entropy_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("weighted_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand labels_ = given.input("labels");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand count_ = given.input("count");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    const WeightedCrossEntropyBwdCall call(
        dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        count_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.attr<int64_t>("ignore_index"));
    const opgen::jax::CudaContext ctx(stream, device);
    dlogits_.expect(call.dlogits_());
    const WeightedCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dloss_, &logits_, &labels_, &top_, &rest_, &mass_, &count_, &weight_}, [&] {
      const WeightedCrossEntropyBwdArgs args{
          &desc, &ctx, dlogits_.buffer, dloss_.buffer, logits_.buffer, labels_.buffer, top_.buffer,
          rest_.buffer, mass_.buffer, count_.buffer, weight_.buffer};
      return generated_weighted_cross_entropy_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error weighted_cross_entropy_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("weighted_cross_entropy_bwd", 0x5714cb5af289, attrs);
}

xla::ffi::Error soft_cross_entropy_cuda_handler(
    void* stream, int32_t device, xla::ffi::ScratchAllocator scratch, xla::ffi::Dictionary attrs,
    xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand loss_ = given.result("loss");
    opgen::jax::Operand top_ = given.result("top");
    opgen::jax::Operand rest_ = given.result("rest");
    opgen::jax::Operand mass_ = given.result("mass");
    const SoftCrossEntropyCall call(
        logits_.buffer, target_.buffer, weight_.buffer, given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"));
    const opgen::jax::CudaContext ctx(stream, device);
    loss_.expect(call.loss_());
    top_.expect(call.top_());
    rest_.expect(call.rest_());
    mass_.expect(call.mass_());
    const auto losses_ = call.losses_present() ? opgen::jax::DeviceWorkspace(call.losses_(),
                                                                             scratch)
                                               : opgen::jax::DeviceWorkspace();
    const SoftCrossEntropyDescriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported,
                           {&loss_, &top_, &rest_, &mass_, &logits_, &target_, &weight_}, [&] {
      const SoftCrossEntropyArgs args{&desc, &ctx, loss_.buffer, top_.buffer, rest_.buffer,
                                      mass_.buffer, losses_.buffer, logits_.buffer, target_.buffer,
                                      weight_.buffer};
      return generated_soft_cross_entropy_cuda(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy", 0x38495182624f, attrs);
}

xla::ffi::Error soft_cross_entropy_bwd_cuda_handler(
    void* stream, int32_t device, xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("soft_cross_entropy_bwd", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    opgen::jax::Operand dloss_ = given.input("dloss");
    opgen::jax::Operand logits_ = given.input("logits");
    opgen::jax::Operand target_ = given.input("target");
    opgen::jax::Operand top_ = given.input("top");
    opgen::jax::Operand rest_ = given.input("rest");
    opgen::jax::Operand mass_ = given.input("mass");
    opgen::jax::Operand weight_ = given.input("weight");
    opgen::jax::Operand dlogits_ = given.result("dlogits");
    opgen::jax::Operand dtarget_ = given.result("dtarget");
    const SoftCrossEntropyBwdCall call(
        dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer, rest_.buffer, mass_.buffer,
        weight_.buffer, given.attr<int64_t>("positions"), given.attr<double>("label_smoothing"),
        given.attr<std::string_view>("reduction"), given.attr<std::string_view>("classes"),
        given.wanted());
    const opgen::jax::CudaContext ctx(stream, device);
    if (call.dlogits_present()) dlogits_.expect(call.dlogits_());
    if (call.dtarget_present()) dtarget_.expect(call.dtarget_());
    const SoftCrossEntropyBwdDescriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&dlogits_, &dtarget_, &dloss_, &logits_, &target_, &top_, &rest_, &mass_, &weight_}, [&] {
      const SoftCrossEntropyBwdArgs args{&desc, &ctx, dlogits_.buffer, dtarget_.buffer,
                                         dloss_.buffer, logits_.buffer, target_.buffer, top_.buffer,
                                         rest_.buffer, mass_.buffer, weight_.buffer};
      return generated_soft_cross_entropy_bwd_cuda(&args);
    });
  });
}

xla::ffi::Error soft_cross_entropy_bwd_cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("soft_cross_entropy_bwd", 0x23b829f32b44, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_cuda_ffi,
                              generated::weighted_cross_entropy_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_cuda_ffi_made,
                              generated::weighted_cross_entropy_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_cuda_ffi,
                              generated::weighted_cross_entropy_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_weighted_cross_entropy_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_weighted_cross_entropy_bwd_cuda_ffi_made,
                              generated::weighted_cross_entropy_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_cuda_ffi,
                              generated::soft_cross_entropy_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_cuda_ffi_made,
                              generated::soft_cross_entropy_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_cuda_ffi(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_cuda_ffi,
                              generated::soft_cross_entropy_bwd_cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_soft_cross_entropy_bwd_cuda_ffi_made(
    XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_soft_cross_entropy_bwd_cuda_ffi_made,
                              generated::soft_cross_entropy_bwd_cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
