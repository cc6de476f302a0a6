#include "made.h"

#include <algorithm>

namespace boundary::cpu {

template <class T>
opgen::Status histogram(const HistogramView<T>& op) noexcept {
  for (int64_t i = 0; i < op.seen.numel(); ++i) {
    if (op.seen.data[i] != 7 * op.desc.m) return opgen::Status::unsupported;
    op.seen.data[i] = 0;
  }
  for (int64_t i = 0; i < op.at.numel(); ++i) {
    const int64_t bin = op.at.data[i];
    ++op.counts.data[bin];
    op.empty.data[bin] = false;
    const float value = static_cast<float>(op.x.data[i]);
    if (value > static_cast<float>(op.most.data[bin])) op.most.data[bin] = op.x.data[i];
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status halved(const HalvedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.halves.count; ++i) {
    const auto half = op.halves[i];
    std::copy(op.xs[i].data, op.xs[i].data + half.numel(), half.data);
    if (*op.sizes[i].data != -1) return opgen::Status::unsupported;
    *op.sizes[i].data = half.numel();
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status pieces(const PiecesView<T>& op) noexcept {
  const T* next = op.x.data;
  for (int64_t i = 0; i < op.y.count; ++i) {
    const int64_t m = op.y[i].numel();
    std::copy(next, next + m, op.y[i].data);
    next += m;
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status aligned_sum(const AlignedSumView<T>& op) noexcept {
  const auto at = [](const auto& tensor, uintptr_t bytes) {
    return reinterpret_cast<uintptr_t>(tensor.data) % bytes == 0;
  };
  *op.ok.data =
      at(op.x, 64) && at(op.z, 16) && at(op.total, 32) && at(op.y, 1024) && at(op.part, 512);
  for (int64_t i = 0; i < op.y.numel(); ++i) {
    op.part.data[i] = op.z.data[i * op.z.stride(0)];
    op.y.data[i] =
        static_cast<T>(static_cast<float>(op.x.data[i]) + static_cast<float>(op.part.data[i]));
    op.total.data[i] = static_cast<T>(static_cast<float>(op.total.data[i]) + 1);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status aligned_small(const AlignedSmallView<T>& op) noexcept {
  const auto at = [](const auto& tensor, uintptr_t bytes) {
    return reinterpret_cast<uintptr_t>(tensor.data) % bytes == 0;
  };
  *op.ok.data = at(op.x, 64) && at(op.y, 64) && at(op.part, 512);
  std::copy(op.x.data, op.x.data + op.x.numel(), op.y.data);
  return opgen::Status::ok;
}

int64_t no_bytes(const LocalNamesDescriptor&, opgen::DeviceProperties) noexcept { return 0; }

template <class T>
opgen::Status add_locals(const LocalNamesView<T>& op) noexcept {
  for (int64_t i = 0; i < op.specs.numel(); ++i) {
    op.specs.data[i] = static_cast<T>(static_cast<float>(op.memory.data[i]) +
                                      static_cast<float>(op.bytes_.data[i]));
    for (int64_t k = 0; k < op.scratch.count; ++k) op.scratch[k].data[i] = op.workspace.data[i];
  }
  return opgen::Status::ok;
}

}  // namespace boundary::cpu
