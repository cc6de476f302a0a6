// Kernels that compute `x * factor`. Each one writes its number for every row.
#include "listed.h"

namespace boundary {
namespace {

template <class T>
void scale(const T* x, T* y, int64_t n, double factor) {
  for (int64_t i = 0; i < n; ++i) {
    y[i] = static_cast<T>(static_cast<double>(static_cast<opgen::accum_t<T>>(x[i])) * factor);
  }
}

template <class View>
opgen::Status scaled(const View& op, int32_t number) {
  scale(op.x.data, op.y.data, op.x.numel(), op.desc.factor);
  for (int64_t row = 0; row < op.ran.numel(); ++row) op.ran.data[row] = number;
  return opgen::Status::ok;
}

}  // namespace

namespace cpu {

template <class T>
opgen::Status ranked_wide(const RankedView<T>& op) noexcept {
  return scaled(op, 0);
}

int64_t ranked_bytes(const RankedDescriptor&, opgen::DeviceProperties) noexcept { return 48; }

// Its number shows whether it has got the workspace that it requires.
template <class T>
opgen::Status ranked_careful(const RankedView<T>& op) noexcept {
  return scaled(op, op.ctx.workspace_bytes == 48 ? 2 : -48);
}

// This kernel is called once for every row.
template <class T>
opgen::Status ranked_gridded(const RankedCpuView<T>& op) noexcept {
  const int64_t d = op.x.size(op.x.rank - 1), row = op.ctx.program[0];
  scale(op.x.data + row * d, op.y.data + row * d, d, op.desc.factor);
  op.ran.data[row] = op.ctx.workspace_bytes == 0 ? 3 : -3;
  return opgen::Status::ok;
}

template <class T>
opgen::Status refused_even(const RankedOrRefusedView<T>& op) noexcept {
  return scaled(op, 2);
}

template <class T>
opgen::Status refused_third(const RankedOrRefusedView<T>& op) noexcept {
  return scaled(op, 3);
}

template <class T>
opgen::Status ranked_alone(const RankedAloneView<T>& op) noexcept {
  return scaled(op, 0);
}

template <class T>
opgen::Status paced(const PacedView<T>& op) noexcept {
  op.used.data[0] = op.tune.chunk;
  op.used.data[1] = op.tune.limit;
  return opgen::Status::ok;
}

template <class T>
opgen::Status paced_narrow(const PacedByWidthView<T>& op) noexcept {
  op.used.data[0] = op.tune.chunk;
  op.used.data[1] = 0;
  return opgen::Status::ok;
}

}  // namespace cpu

opgen::Status paced_wide(const PacedByWidthArgs* args,
                         const PacedByWidthCpuPacedWideTune* tune) noexcept {
  auto* used = static_cast<int64_t*>(args->used.data);
  used[0] = tune->chunk;
  used[1] = 0;
  return opgen::Status::ok;
}

opgen::Status dawdled(const DawdledArgs* args, const DawdledCpuTune* tune) noexcept {
  volatile int64_t turns = 0;
  while (turns < tune->turns) turns = turns + 1;
  *static_cast<int64_t*>(args->y.data) = turns;
  return opgen::Status::ok;
}

// This kernel is not a template, since it has only one dtype.
opgen::Status ranked_half(const RankedArgs* args) noexcept {
  const auto* x = static_cast<const opgen::bf16*>(args->x.data);
  scale(x, static_cast<opgen::bf16*>(args->y.data), args->x.numel(), args->desc->factor);
  auto* ran = static_cast<int32_t*>(args->ran.data);
  for (int64_t row = 0; row < args->ran.numel(); ++row) ran[row] = 1;
  return opgen::Status::ok;
}

}  // namespace boundary
