// Asks for huge pages under large results on the host.
#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>

#include "opgen/buffer.h"

namespace opgen {

/// Asks Linux for huge pages if a result has 4 MB or more, as NumPy does. A framework allocates a
/// large result again for every call. To get its memory in pages of 4 KB would take longer than a
/// kernel takes to fill it.
inline void prefer_huge_pages(const Buffer& result) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t page = uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<uintptr_t>(result.data);
  const auto end = begin + static_cast<uintptr_t>(size_of(result.dtype, result.numel()));
  if (end - begin < 2 * page) return;
  const uintptr_t first = (begin + page - 1) / page * page;
  madvise(reinterpret_cast<void*>(first), end / page * page - first, MADV_HUGEPAGE);
#else
  static_cast<void>(result);
#endif
}

}  // namespace opgen
