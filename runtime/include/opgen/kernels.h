// The kernels of an op on one platform, among which every call chooses.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "opgen/status.h"

namespace opgen {

/// A kernel that another library adds to those of an op.
///
/// `layout` is that of the header which it was compiled with. `takes` is asked whether a call is
/// for it before the results exist: their buffers, and those of workspace, are null. null: it takes
/// every call. It finds neither grid nor block nor workspace in its context.
template <class Args>
struct AddedKernel {
  const char* layout;
  bool (*takes)(const Args*) noexcept;
  Status (*run)(const Args*) noexcept;
};

/// The kernels of one op on one platform. Those of the spec are numbered from 0 by preference,
/// those that were added follow them.
template <class Args>
class Kernels {
 public:
  /// What a call may be for besides a kernel: `missing` is one that is yet to be added, `unwilling`
  /// an added one that is forced and does not take this call.
  static constexpr int32_t reference = -1;
  static constexpr int32_t by_call = -2;
  static constexpr int32_t missing = -3;
  static constexpr int32_t unwilling = -4;
  static constexpr int32_t most = 16;

  constexpr Kernels(const char* layout, int32_t count) : layout_(layout), count_(count) {}

  /// Which kernel a call is for: the one that is forced, else of the added ones the last which
  /// `takes` says to take it, else what `own` gives.
  template <class Own, class Takes>
  int32_t choose(const Own& own, const Takes& takes) const {
    const int32_t forced = forced_.load(std::memory_order_relaxed);
    const int32_t added = added_.load(std::memory_order_acquire);
    if (__builtin_expect(forced == by_call && added == 0, 1)) return own();
    if (forced >= count_) return takes_by(forced - count_, takes) ? forced : unwilling;
    if (forced != by_call) return forced;
    for (int32_t n = added - 1; n >= 0; --n) {
      if (takes_by(n, takes)) return count_ + n;
    }
    return own();
  }

  /// Whether the kernel `chosen` still has to be asked if it takes the call.
  bool unsure(int32_t chosen) const {
    return chosen < 0 || forced_.load(std::memory_order_relaxed) != by_call;
  }

  /// Runs the added kernel that a call is for.
  Status run(int32_t chosen, const Args* args) const noexcept {
    const int32_t n = chosen - count_;
    if (n < 0 || n >= added_.load(std::memory_order_acquire)) return Status::no_kernel;
    return all_[n].run(args);
  }

  /// Has all calls run one kernel, until the next `force`.
  void force(int32_t kernel) noexcept { forced_.store(kernel, std::memory_order_relaxed); }

  /// Adds a kernel and gives its number; -1 for one of another layout, -2 where there is no room.
  /// One thread at a time.
  int32_t add(const AddedKernel<Args>& kernel) noexcept {
    const int32_t n = added_.load(std::memory_order_relaxed);
    if (kernel.layout == nullptr || std::strcmp(kernel.layout, layout_) != 0) return -1;
    if (n == most) return -2;
    all_[n] = kernel;
    added_.store(n + 1, std::memory_order_release);
    return count_ + n;
  }

 private:
  template <class Takes>
  bool takes_by(int32_t n, const Takes& takes) const {
    return all_[n].takes == nullptr || takes(all_[n].takes);
  }

  const char* layout_;
  int32_t count_;
  std::atomic<int32_t> forced_{by_call};
  std::atomic<int32_t> added_{0};
  AddedKernel<Args> all_[most] = {};
};

}  // namespace opgen
