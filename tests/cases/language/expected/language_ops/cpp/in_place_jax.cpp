// The in_place family's handlers for XLA's FFI.
// Rendered by opgen from in_place.toml.
#include "opgen/jax_given.h"

#include "in_place_call.h"

namespace language_ops {
namespace {

xla::ffi::Error average__cpu_handler(xla::ffi::ThreadPool threads, xla::ffi::Dictionary attrs,
                                     xla::ffi::RemainingArgs operands,
                                     xla::ffi::RemainingRets results) {
  return opgen::jax::guarded("average_", [&](const char* op) {
    opgen::jax::Given given(op, attrs, operands, results);
    given.inputs("averages");
    opgen::jax::OperandList values_ = given.inputs("values");
    opgen::jax::OperandList averages_ = given.results("averages");
    const Average_Call call(averages_.buffer, values_.buffer, given.attr<double>("rate"));
    const opgen::jax::CpuContext ctx(threads);
    const Average_Descriptor desc = call.descriptor();
    opgen::jax::each_slice(op, ctx.reported, {&averages_, &values_}, [&] {
      const Average_Args args{&desc, &ctx, averages_.buffer, values_.buffer};
      return language_ops_average__cpu(&args);
    });
  });
}

xla::ffi::Error average__cpu_handler_made(xla::ffi::Dictionary attrs) {
  return opgen::jax::same_op("average_", 0xf0aba503af4b, attrs);
}

}  // namespace
}  // namespace language_ops

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_average__cpu_ffi(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_average__cpu_ffi, language_ops::average__cpu_handler,
                              xla::ffi::Ffi::Bind()
                                  .Ctx<xla::ffi::ThreadPool>()
                                  .Attrs()
                                  .RemainingArgs()
                                  .RemainingRets()
);

extern "C" OPGEN_EXPORT XLA_FFI_Error* language_ops_average__cpu_ffi_made(XLA_FFI_CallFrame*);
XLA_FFI_DEFINE_HANDLER_SYMBOL(language_ops_average__cpu_ffi_made,
                              language_ops::average__cpu_handler_made,
                              xla::ffi::Ffi::BindInstantiate().Attrs());
