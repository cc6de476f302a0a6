// The kernels of an op on one platform, and the choice of a kernel for each call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "opgen/status.h"

namespace opgen {

/// Possible guarantees of a kernel, as bits.
namespace guarantee {
inline constexpr uint32_t deterministic = 1;
inline constexpr uint32_t invariant = 2;
inline constexpr uint32_t exact = 4;
}  // namespace guarantee

/// A kernel that another library adds to the kernels of an op.
///
/// `layout` is the layout of the header with which the kernel was compiled. `takes` returns whether
/// the kernel accepts a call. It runs before the results exist: buffers of results and of workspace
/// are null, and the context has no grid, block or workspace. If `takes` is null, the kernel
/// accepts every call. `guarantees` has a bit for each guarantee that the kernel gives.
template <class Args>
struct AddedKernel {
  const char* layout;
  bool (*takes)(const Args*) noexcept;
  Status (*run)(const Args*) noexcept;
  uint32_t guarantees = 0;
};

/// The kernels of one op on one platform. The kernels in the spec are numbered from 0, in order of
/// preference. Added kernels follow.
template <class Args>
class Kernels {
 public:
  /// Numbers that stand for no kernel in the table. `reference` is the reference function.
  /// `by_call` means that no kernel is forced. `missing` is a forced kernel that is not added yet.
  /// `unwilling` is a forced, added kernel that does not accept this call. `unkept` means that no
  /// kernel that accepts this call has the requested guarantees.
  static constexpr int32_t reference = -1;
  static constexpr int32_t by_call = -2;
  static constexpr int32_t missing = -3;
  static constexpr int32_t unwilling = -4;
  static constexpr int32_t unkept = -5;
  static constexpr int32_t most = 16;

  /// `names` are the names of the spec's kernels; the caller keeps them alive. `guarantees` has the
  /// guarantees of each kernel, and those of the reference at the end. It is null if there are
  /// none.
  template <size_t count>
  constexpr Kernels(const char* layout, const char* const (&names)[count],
                    const uint32_t* guarantees = nullptr)
      : layout_(layout), names_(names), count_(count), guarantees_(guarantees) {
    for (size_t n = 0; guarantees != nullptr && n < count; ++n) kept_ |= guarantees[n];
  }

  /// Returns the kernel for a call. This is the forced kernel if there is one. Otherwise it is the
  /// last added kernel for which `takes` returns true, or else the result of `own`.
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

  /// Returns the kernel for a call with requested guarantees; `also` has the guarantees that only
  /// this call requests. Among the kernels with all requested guarantees, added kernels come first,
  /// then the first kernel for which `unmet` returns nothing. A guarantee that no kernel of the
  /// spec has is ignored. A forced kernel runs with any guarantees.
  template <class Own, class Takes, class Unmet>
  int32_t choose(const Own& own, const Takes& takes, const Unmet& unmet, uint32_t also) const {
    const uint32_t wanted = asked() | (also & kept_);
    if (__builtin_expect(wanted == 0, 1)) return choose(own, takes);
    if (forced_.load(std::memory_order_relaxed) != by_call) return choose(own, takes);
    for (int32_t n = added_.load(std::memory_order_acquire) - 1; n >= 0; --n) {
      if ((all_[n].guarantees & wanted) == wanted && takes_by(n, takes)) return count_ + n;
    }
    for (int32_t n = 0; n < count_; ++n) {
      if ((guarantees_[n] & wanted) == wanted && unmet(n).empty()) return n;
    }
    return (guarantees_[count_] & wanted) == wanted ? reference : unkept;
  }

  /// Restricts all calls to kernels with these guarantees, until the next `ask`.
  void ask(uint32_t guarantees) noexcept { asked_.store(guarantees, std::memory_order_relaxed); }

  /// Returns the guarantees that all calls request, among those that some kernel of the spec has.
  uint32_t asked() const { return asked_.load(std::memory_order_relaxed) & kept_; }

  /// True if the caller must still check whether the kernel `chosen` accepts the call.
  bool unsure(int32_t chosen) const {
    return chosen < 0 || forced_.load(std::memory_order_relaxed) != by_call;
  }

  /// Runs the added kernel that was chosen for a call.
  Status run(int32_t chosen, const Args* args) const noexcept {
    const int32_t n = chosen - count_;
    if (n < 0 || n >= added_.load(std::memory_order_acquire)) return Status::no_kernel;
    return all_[n].run(args);
  }

  /// Makes all calls run one kernel, until the next `force`.
  void force(int32_t kernel) noexcept { forced_.store(kernel, std::memory_order_relaxed); }

  /// The name of a chosen kernel.
  const char* name(int32_t chosen) const noexcept {
    if (chosen < 0) return "reference";
    return chosen < count_ ? names_[chosen] : added_names_[chosen - count_];
  }

  /// Adds a kernel and returns its number. Returns -1 for a kernel of another layout, and -2 if
  /// there is no room. The caller keeps `name` alive. Only one thread may call it at a time.
  int32_t add(const AddedKernel<Args>& kernel, const char* name) noexcept {
    const int32_t n = added_.load(std::memory_order_relaxed);
    if (kernel.layout == nullptr || std::strcmp(kernel.layout, layout_) != 0) return -1;
    if (n == most) return -2;
    all_[n] = kernel;
    added_names_[n] = name;
    added_.store(n + 1, std::memory_order_release);
    return count_ + n;
  }

 private:
  template <class Takes>
  bool takes_by(int32_t n, const Takes& takes) const {
    return all_[n].takes == nullptr || takes(all_[n].takes);
  }

  const char* layout_;
  const char* const* names_;
  int32_t count_;
  const uint32_t* guarantees_;
  uint32_t kept_ = 0;
  std::atomic<int32_t> forced_{by_call};
  std::atomic<uint32_t> asked_{0};
  std::atomic<int32_t> added_{0};
  AddedKernel<Args> all_[most] = {};
  const char* added_names_[most] = {};
};

}  // namespace opgen
