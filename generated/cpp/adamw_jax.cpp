// The adamw family's handlers for XLA's FFI.
// Rendered by opgen from adamw.toml.
#include "opgen/jax_given.h"

#include "adamw_call.h"

namespace generated {
namespace {

xla::ffi::Error adamw__cpu(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                           xla::ffi::RemainingArgs operands, xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("adamw_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("params");
    opgen::jax::OperandList grads = given.inputs("grads");
    given.inputs("exp_avgs");
    given.inputs("exp_avg_sqs");
    given.input("step");
    opgen::jax::Operand lr = given.input("lr");
    given.inputs("max_exp_avg_sqs");
    opgen::jax::OperandList params = given.results("params");
    opgen::jax::OperandList exp_avgs = given.results("exp_avgs");
    opgen::jax::OperandList exp_avg_sqs = given.results("exp_avg_sqs");
    opgen::jax::Operand step = given.result("step");
    opgen::jax::OperandList max_exp_avg_sqs = given.results("max_exp_avg_sqs");
    const Adamw_Call call(params.buffer, grads.buffer, exp_avgs.buffer, exp_avg_sqs.buffer,
                          step.buffer, lr.buffer, max_exp_avg_sqs.buffer,
                          given.attr<double>("beta1"), given.attr<double>("beta2"),
                          given.attr<double>("eps"), given.attr<double>("weight_decay"),
                          given.attr<bool>("amsgrad"), given.attr<bool>("maximize"));
    const opgen::jax::CpuContext ctx(threads);
    const Adamw_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&params, &exp_avgs, &exp_avg_sqs, &step, &max_exp_avg_sqs, &grads, &lr}, [&] {
      const Adamw_Args args{&desc, &ctx, params.buffer, grads.buffer, exp_avgs.buffer,
                            exp_avg_sqs.buffer, step.buffer, lr.buffer, max_exp_avg_sqs.buffer};
      return generated_adamw__cpu(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cpu_ffi, generated::adamw__cpu,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

#ifdef USE_CUDA
namespace generated {
namespace {

xla::ffi::Error adamw__cuda(void* stream, int32_t device, xla::ffi::ScratchAllocator scratch,
                            xla::ffi::Dictionary attrs, xla::ffi::RemainingArgs operands,
                            xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("adamw_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("params");
    opgen::jax::OperandList grads = given.inputs("grads");
    given.inputs("exp_avgs");
    given.inputs("exp_avg_sqs");
    given.input("step");
    opgen::jax::Operand lr = given.input("lr");
    given.inputs("max_exp_avg_sqs");
    opgen::jax::OperandList params = given.results("params");
    opgen::jax::OperandList exp_avgs = given.results("exp_avgs");
    opgen::jax::OperandList exp_avg_sqs = given.results("exp_avg_sqs");
    opgen::jax::Operand step = given.result("step");
    opgen::jax::OperandList max_exp_avg_sqs = given.results("max_exp_avg_sqs");
    const Adamw_Call call(params.buffer, grads.buffer, exp_avgs.buffer, exp_avg_sqs.buffer,
                          step.buffer, lr.buffer, max_exp_avg_sqs.buffer,
                          given.attr<double>("beta1"), given.attr<double>("beta2"),
                          given.attr<double>("eps"), given.attr<double>("weight_decay"),
                          given.attr<bool>("amsgrad"), given.attr<bool>("maximize"));
    const opgen::jax::CudaContext ctx(stream, device);
    const Adamw_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(
        op, ctx.reported,
        {&params, &exp_avgs, &exp_avg_sqs, &step, &max_exp_avg_sqs, &grads, &lr}, [&] {
      const Adamw_Args args{&desc, &ctx, params.buffer, grads.buffer, exp_avgs.buffer,
                            exp_avg_sqs.buffer, step.buffer, lr.buffer, max_exp_avg_sqs.buffer};
      return generated_adamw__cuda(&args);
    });
  });
}

}  // namespace
}  // namespace generated

extern "C" OPGEN_EXPORT XLA_FFI_Error* generated_adamw__cuda_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(generated_adamw__cuda_ffi, generated::adamw__cuda,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::PlatformStream<void*>>()
                                  .Ctx<xla::ffi::DeviceOrdinal>()
                                  .Ctx<xla::ffi::ScratchAllocator>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);
#endif
