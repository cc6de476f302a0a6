// The optimizers family's handlers for XLA's FFI.
// Rendered by opgen from optimizers.toml.
#include "opgen/jax_given.h"

#include "optimizers_call.h"

namespace language_ops {
namespace {

xla::ffi::Error momentum__cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                      xla::ffi::RemainingArgs operands,
                                      xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("momentum_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("params");
    opgen::jax::OperandList grads_ = given.inputs("grads");
    given.inputs("momenta");
    opgen::jax::Operand lr_ = given.input("lr");
    opgen::jax::OperandList params_ = given.results("params");
    opgen::jax::OperandList momenta_ = given.results("momenta");
    const Momentum_Call call(params_.buffer, grads_.buffer, momenta_.buffer, lr_.buffer,
                             given.attr<double>("momentum"));
    const opgen::jax::CpuContext ctx(threads);
    const Momentum_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&params_, &momenta_, &grads_, &lr_}, [&] {
      const Momentum_Args args{&desc, &ctx, params_.buffer, grads_.buffer, momenta_.buffer,
                               lr_.buffer};
      return language_ops_momentum__cpu(&args);
    });
  });
}

xla::ffi::Error momentum__cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("momentum_", 0x0496065be0bb, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_momentum__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_momentum__cpu_ffi, language_ops::momentum__cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_momentum__cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_momentum__cpu_ffi_made,
                              language_ops::momentum__cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
