// The cpu kernels of the topk_softmax family, one instance for each combination of dtypes.
// Rendered by opgen from topk_softmax.toml.
#include "topk_softmax.h"

#include "topk_softmax/topk_softmax_cpu.cpp"

namespace generated {

static opgen::Status topk_softmax_dispatch(const TopkSoftmaxArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::topk_softmax(opgen::view<TopkSoftmaxView>(row, args));
  });
}

extern "C" opgen::Status generated_topk_softmax_cpu(const TopkSoftmaxArgs* args) noexcept {
  if (opgen::all_empty({&args->weights, &args->ids, &args->top, &args->total})) {
    return opgen::Status::ok;
  }
  return topk_softmax_dispatch(*args);
}

static opgen::Status topk_softmax_bwd_dispatch(const TopkSoftmaxBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cpu::topk_softmax_bwd(opgen::view<TopkSoftmaxBwdView>(row, args));
  });
}

extern "C" opgen::Status generated_topk_softmax_bwd_cpu(const TopkSoftmaxBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  return topk_softmax_bwd_dispatch(*args);
}

}  // namespace generated
