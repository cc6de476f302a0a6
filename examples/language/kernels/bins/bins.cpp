#include "bins.h"  // rendered from specs/memory.toml

#include <algorithm>

namespace language_ops::cpu {

/// One column of sums, in f64.
int64_t bin_sums_bytes(const BinSumsDescriptor& desc, opgen::DeviceProperties) noexcept {
  return desc.bins * static_cast<int64_t>(sizeof(double));
}

/// sums[bin[i]] += x[i], a column at a time: the columns of `sums` are contiguous.
template <class T>
opgen::Status bin_sums(const BinSumsView<T>& op) noexcept {
  using Index = typename BinSumsView<T>::Index;  // no tensor has more elements than it counts
  const auto m = static_cast<Index>(op.desc.m), n = static_cast<Index>(op.desc.n);
  const auto bins = static_cast<Index>(op.desc.bins);
  auto* const totals = static_cast<double*>(op.ctx.workspace);
  for (Index i = 0; i < m; ++i) ++op.counts.data[op.bin.data[i]];  // from 0
  for (Index j = 0; j < n; ++j) {
    std::fill(totals, totals + bins, 0.0);
    for (Index i = 0; i < m; ++i)
      totals[op.bin.data[i]] += static_cast<float>(op.x.data[i * n + j]);
    std::copy(totals, totals + bins, op.sums.data + j * bins);
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
