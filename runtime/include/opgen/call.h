// Functions for rendered calls, which check arguments and compute results, workspace and the
// descriptor.
#pragma once

#include <initializer_list>
#include <string>

#include "opgen/argument.h"
#include "opgen/arithmetic.h"
#include "opgen/attribute.h"
#include "opgen/context.h"
#include "opgen/descriptor.h"
#include "opgen/fill.h"
#include "opgen/int.h"
#include "opgen/layout.h"
#include "opgen/platform.h"
#include "opgen/refused.h"
#include "opgen/sizes.h"
#include "opgen/status.h"

namespace opgen {

/// Returns the number of bytes of workspace that a kernel needs on a device.
template <class Descriptor>
using WorkspaceOf = int64_t(const Descriptor*, DeviceProperties) noexcept;

/// Returns the number of bytes of workspace for one of several kernels, selected by its index.
template <class Descriptor>
using WorkspaceOfEach = int64_t(const Descriptor*, DeviceProperties, int32_t) noexcept;

/// True if kernels in Triton were compiled for devices of `arch`. `OPGEN_TRITON_FOR` (for AMD's
/// devices `OPGEN_TRITON_FOR_HIP`) lists the first and last `arch` of each compiled range. It is
/// undefined if no kernel was compiled.
template <Platform platform = Platform::cuda>
bool compiled_for(int32_t arch) {
#ifdef OPGEN_TRITON_FOR
  constexpr int32_t cuda[] = {OPGEN_TRITON_FOR};
#else
  constexpr int32_t cuda[] = {0, -1};
#endif
#ifdef OPGEN_TRITON_FOR_HIP
  constexpr int32_t hip[] = {OPGEN_TRITON_FOR_HIP};
#else
  constexpr int32_t hip[] = {0, -1};
#endif
  const auto within = [arch](const auto& bounds) {
    for (size_t n = 0; n + 1 < sizeof bounds / sizeof *bounds; n += 2) {
      if (bounds[n] <= arch && arch <= bounds[n + 1]) return true;
    }
    return false;
  };
  return platform == Platform::hip ? within(hip) : within(cuda);
}

/// A grid and a block, as computed by the expressions in the spec.
inline Launch launch(const Int (&grid)[3], const Int (&block)[3]) {
  Launch launch;
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = grid[axis].value();
    launch.block[axis] = block[axis].value();
  }
  return launch;
}

/// True if a tensor starts at a multiple of `bytes`, or is empty.
inline bool is_aligned(const Buffer& tensor, int64_t bytes) {
  return tensor.numel() <= 0 || reinterpret_cast<uintptr_t>(tensor.data) % bytes == 0;
}

/// Throws `Refused` if a tensor does not start at a multiple of `bytes`.
inline void aligned(const char* op, const Label& name, const Buffer& tensor, int64_t bytes) {
  if (is_aligned(tensor, bytes)) return;
  refuse(op, ": ", name, ": expected memory at a multiple of ", bytes, " bytes");
}
inline void aligned(const char* op, const char* name, const BufferList& list, int64_t bytes) {
  for (int64_t i = 0; i < list.count; ++i) aligned(op, Label(name, i), list.items[i], bytes);
}

/// Throws `Refused` for a tensor that has elements but no memory. `is` is true if it has memory.
inline void allocated(const char* op, const Label& name, const Buffer& tensor, bool is) {
  if (is || tensor.numel() == 0) return;
  refuse(op, ": ", name, ": expected memory for its ", tensor.numel(),
         " elements, got none: it was freed");
}

/// True if 32-bit integers can count the tensor's elements and address each one, in any layout.
inline bool indexable(const Buffer& tensor) {
  const Int count = numel(tensor);
  if (count <= 0) return true;  // absent or empty
  Int offset = 0;
  for (int32_t dim = 0; dim < tensor.rank; ++dim) {
    offset = offset + Int(tensor.sizes[dim] - 1) * tensor.strides[dim];
  }
  return max(count, offset) <= INT32_MAX;
}
inline bool indexable(const BufferList& list) {
  for (int64_t i = 0; i < list.count; ++i) {
    if (!indexable(list.items[i])) return false;
  }
  return true;
}
inline bool indexable(const TensorSpec& spec) { return room(spec) <= INT32_MAX; }

/// Returns the message about a tensor that is too large for a kernel with 32-bit indices.
template <class Name>
std::string too_large(const Name& name) {
  return text("less than 2**31 elements in every tensor, got more in ", name);
}

/// The location of an element that is out of range, as text: ` at [1, 0]`; empty for a scalar.
struct Position {
  const Failure& failure;

  friend std::ostream& operator<<(std::ostream& out, const Position& position) {
    const Failure& failure = position.failure;
    int64_t stride = 1;
    for (int32_t dim = 0; dim < failure.rank; ++dim) stride *= failure.sizes[dim];
    for (int32_t dim = 0; dim < failure.rank; ++dim) {
      stride /= failure.sizes[dim];
      out << (dim == 0 ? " at [" : ", ") << failure.at / stride % failure.sizes[dim];
    }
    return failure.rank > 0 ? out << "]" : out;
  }
};

/// Throws `Refused` for a call that its kernel does not accept. `unmet` has the requirement that
/// the call does not meet, and the actual value.
inline void takes(const char* op, const std::string& unmet) {
  if (!unmet.empty()) refuse(op, ": its kernel requires ", unmet);
}

/// Returns the unmet requirements of several kernels as text. `unmet(n)` is that of kernel n.
template <class Unmet>
std::string unmet_by_all(std::initializer_list<const char*> names, const Unmet& unmet) {
  std::string found;
  int32_t n = 0;
  for (const char* name : names) {
    const std::string lacking = unmet(n++);
    if (!lacking.empty()) found += text(found.empty() ? "`" : "; `", name, "` requires ", lacking);
  }
  return found;
}

/// Returns the names of guarantees, for messages.
inline std::string named_guarantees(uint32_t guarantees) {
  std::string found;
  for (const char* name : {"deterministic", "invariant", "exact"}) {
    if (guarantees & 1) found += text(found.empty() ? "" : ", ", name);
    guarantees >>= 1;
  }
  return found;
}

/// Throws `Refused` if no kernel was chosen (`kernel` is negative), or if the chosen kernel does
/// not accept the call. `asked` has the guarantees that the call requests.
inline void takes(const char* op, int32_t kernel, const std::string& unmet, uint32_t asked = 0) {
  if (kernel == -1 && unmet.empty()) {
    refuse(op, ": its reference is forced, and this program was compiled before: trace it anew");
  }
  if (kernel == -1) refuse(op, ": no kernel takes this call: ", unmet);
  if (kernel == -3) refuse(op, ": the kernel that OPGEN_KERNELS names was never added");
  if (kernel == -5) {
    refuse(op,
           ": no kernel that takes this call guarantees what `kernels` or OPGEN_KERNELS ask for: ",
           named_guarantees(asked), unmet.empty() ? "" : "; ", unmet);
  }
  if (kernel < 0) refuse(op, ": the kernel that is forced does not take this call");
  if (!unmet.empty()) refuse(op, ": the kernel that is forced requires ", unmet);
}

/// Throws the exception that `check` throws for a failure.
[[noreturn]] __attribute__((noinline, cold)) inline void throw_failure(Status status,
                                                                       const char* op,
                                                                       const Failure& failure) {
  if (status == Status::out_of_range && failure.argument != nullptr) {
    const char* const name = failure.argument;
    refuse(op, ": ", name, ": expected ", failure.low, " <= ", name, " < ", failure.high, ", got ",
           failure.value, Position{failure});
  }
  if (status == Status::out_of_range) refuse(op, ": ", describe(status));
  if (status == Status::out_of_memory) throw OutOfMemory(text(op, ": ", describe(status)));
  if (status == Status::raised && failure.argument != nullptr) {
    throw std::runtime_error(text(op, ": ", failure.argument));
  }
  const auto code = static_cast<int32_t>(status);
  if (code >= 16) throw std::runtime_error(text(op, ": the kernel failed with status ", code));
  throw std::runtime_error(text(op, ": ", describe(status)));
}

/// Workspace of the size that the kernel's own function returns.
inline TensorSpec scratch(const char* op, int64_t bytes) {
  if (bytes < 0) refuse(op, ": the kernel asks for ", bytes, " bytes of workspace");
  TensorSpec spec{ElementType::U8, {}};
  spec.shape << Int(bytes);
  return spec;
}

/// A context through which a kernel can report an error.
struct ReportingContext : Context {
  ReportingContext() { failure = &reported; }
  ReportingContext(const ReportingContext&) = delete;

  mutable Failure reported;
};

/// Throws unless the kernel of `op` succeeded: `Refused` for an index out of range, `OutOfMemory`,
/// or a std::runtime_error.
inline void check(Status status, const char* op, const Failure& failure = {}) {
  if (status == Status::ok) status = failure.status;
  if (status != Status::ok) throw_failure(status, op, failure);
}

}  // namespace opgen
