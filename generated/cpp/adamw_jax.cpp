// The adamw family's handlers for XLA's FFI.
// Rendered by opgen from adamw.toml.
#include "opgen/jax_given.h"

#include "adamw_call.h"

namespace generated {
namespace {

xla::ffi::Error adamw__cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                   xla::ffi::RemainingArgs operands,
                                   xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("adamw_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("params");
    opgen::jax::OperandList grads_ = given.inputs("grads");
    given.inputs("exp_avgs");
    given.inputs("exp_avg_sqs");
    given.input("step");
    opgen::jax::Operand lr_ = given.input("lr");
    given.inputs("max_exp_avg_sqs");
    opgen::jax::OperandList params_ = given.results("params");
    opgen::jax::OperandList exp_avgs_ = given.results("exp_avgs");
    opgen::jax::OperandList exp_avg_sqs_ = given.results("exp_avg_sqs");
    opgen::jax::Operand step_ = given.result("step");
    opgen::jax::OperandList max_exp_avg_sqs_ = given.results("max_exp_avg_sqs");
    const Adamw_Call call(params_.buffer, grads_.buffer, exp_avgs_.buffer, exp_avg_sqs_.buffer,
                          step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer,
                          given.attr<double>("beta1"), given.attr<double>("beta2"),
                          given.attr<double>("eps"), given.attr<double>("weight_decay"),
                          given.attr<bool>("amsgrad"), given.attr<bool>("maximize"));
    const opgen::jax::CpuContext ctx(threads);
    const Adamw_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&params_, &exp_avgs_, &exp_avg_sqs_, &step_, &max_exp_avg_sqs_, &grads_, &lr_}, [&] {
      const Adamw_Args args{&desc, &ctx, params_.buffer, grads_.buffer, exp_avgs_.buffer,
                            exp_avg_sqs_.buffer, step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer};
      return generated_adamw__cpu(&args);
    });
  });
}

xla::ffi::Error adamw__cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("adamw_", 0x04a9f8d1513e, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cpu_ffi, generated::adamw__cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cpu_ffi_made, generated::adamw__cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error adamw__cuda_handler(void* stream, int32_t device, xla::ffi::Dictionary attrs,
                                    xla::ffi::RemainingArgs operands,
                                    xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("adamw_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("params");
    opgen::jax::OperandList grads_ = given.inputs("grads");
    given.inputs("exp_avgs");
    given.inputs("exp_avg_sqs");
    given.input("step");
    opgen::jax::Operand lr_ = given.input("lr");
    given.inputs("max_exp_avg_sqs");
    opgen::jax::OperandList params_ = given.results("params");
    opgen::jax::OperandList exp_avgs_ = given.results("exp_avgs");
    opgen::jax::OperandList exp_avg_sqs_ = given.results("exp_avg_sqs");
    opgen::jax::Operand step_ = given.result("step");
    opgen::jax::OperandList max_exp_avg_sqs_ = given.results("max_exp_avg_sqs");
    const Adamw_Call call(params_.buffer, grads_.buffer, exp_avgs_.buffer, exp_avg_sqs_.buffer,
                          step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer,
                          given.attr<double>("beta1"), given.attr<double>("beta2"),
                          given.attr<double>("eps"), given.attr<double>("weight_decay"),
                          given.attr<bool>("amsgrad"), given.attr<bool>("maximize"));
    const opgen::jax::CudaContext ctx(stream, device);
    const Adamw_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&params_, &exp_avgs_, &exp_avg_sqs_, &step_, &max_exp_avg_sqs_, &grads_, &lr_}, [&] {
      const Adamw_Args args{&desc, &ctx, params_.buffer, grads_.buffer, exp_avgs_.buffer,
                            exp_avg_sqs_.buffer, step_.buffer, lr_.buffer, max_exp_avg_sqs_.buffer};
      return generated_adamw__cuda(&args);
    });
  });
}

xla::ffi::Error adamw__cuda_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("adamw_", 0x04a9f8d1513e, attrs);
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cuda_ffi, generated::adamw__cuda_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cuda_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cuda_ffi_made, generated::adamw__cuda_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
#endif
