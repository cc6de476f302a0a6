// The cuda kernels of the cross_entropy family, one instance for each combination of dtypes.
// Rendered by opgen from cross_entropy.toml.
#include "cross_entropy.h"

#include "opgen/cuda.h"
#include "cross_entropy/cross_entropy_cuda.cu"

namespace generated {

static opgen::Status cross_entropy_dispatch(const CrossEntropyArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy(opgen::view<CrossEntropyCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_cuda(const CrossEntropyArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->top, &args->rest, &args->count})) {
    return opgen::Status::ok;
  }
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_dispatch(const CrossEntropyBwdArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy_bwd(opgen::view<CrossEntropyBwdCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_bwd_cuda(
    const CrossEntropyBwdArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_bwd_dispatch(*args);
}

static opgen::Status cross_entropy_top_dispatch(const CrossEntropyTopArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy_top(opgen::view<CrossEntropyTopView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_top_cuda(
    const CrossEntropyTopArgs* args) noexcept {
  if (opgen::all_empty({&args->top})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_top_dispatch(*args);
}

static opgen::Status cross_entropy_terms_dispatch(const CrossEntropyTermsArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy_terms(opgen::view<CrossEntropyTermsCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_terms_cuda(
    const CrossEntropyTermsArgs* args) noexcept {
  if (opgen::all_empty({&args->total, &args->missed, &args->below})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_terms_dispatch(*args);
}

static opgen::Status cross_entropy_loss_dispatch(const CrossEntropyLossArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy_loss(opgen::view<CrossEntropyLossCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_loss_cuda(
    const CrossEntropyLossArgs* args) noexcept {
  if (opgen::all_empty({&args->loss, &args->rest, &args->count})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_loss_dispatch(*args);
}

static opgen::Status cross_entropy_bwd_part_dispatch(const CrossEntropyBwdPartArgs& args) noexcept {
  const opgen::ElementType T_ = opgen::dtype_of({&args.dlogits, &args.logits});
  using Table = opgen::Table<
      opgen::Row<float>, opgen::Row<opgen::bf16>, opgen::Row<opgen::f16>, opgen::Row<double>>;
  return Table::dispatch(opgen::row(T_), [&](auto row) {
    return cuda::cross_entropy_bwd_part(opgen::view<CrossEntropyBwdPartCudaView>(row, args));
  });
}

extern "C" opgen::Status generated_cross_entropy_bwd_part_cuda(
    const CrossEntropyBwdPartArgs* args) noexcept {
  if (opgen::all_empty({&args->dlogits})) return opgen::Status::ok;
  const opgen::DeviceGuard guard(args->ctx->device);
  return cross_entropy_bwd_part_dispatch(*args);
}

}  // namespace generated
