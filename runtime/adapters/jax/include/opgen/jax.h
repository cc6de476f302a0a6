// Adapters for XLA's FFI buffers and thread pool, and the loop over vmapped dims, for any op.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "opgen/call.h"
#include "opgen/context.h"
#include "opgen/device.h"
#include "opgen/fill.h"
#include "opgen/huge_pages.h"
#include "opgen/jax_float_mode.h"
#include "opgen/kernel.h"
#include "xla/ffi/api/ffi.h"

namespace opgen::jax {

namespace ffi = ::xla::ffi;

/// Returns the element type for a type of XLA. Throws `Refused` if there is none.
inline ElementType from_xla(ffi::DataType type) {
  switch (type) {
#define OPGEN_FROM_XLA(type, name, code, bits, kind, native, numpy, xla) \
  case ffi::DataType::xla: return ElementType::type;
    OPGEN_ELEMENT_TYPES(OPGEN_FROM_XLA)
#undef OPGEN_FROM_XLA
    default: refuse("XLA's element type ", static_cast<int>(type), " is none that a kernel takes");
  }
}

/// An operand with batch dims, or a list of them.
class Sliced {
 public:
  virtual ~Sliced() = default;
  virtual bool present() const = 0;
  virtual Sizes batch() const = 0;
  virtual void fits(Sizes batch) const = 0;
  virtual void seek(int64_t slice, Sizes batch) = 0;
};

/// One operand or result of a custom call: `buffer` is the slice that the kernel sees.
///
/// Its first `batch_dims` dims are batch axes of `vmap` over which the kernel loops: it runs once
/// for every index into them. An operand that is not batched over one of these axes has size 1
/// there.
class Operand final : public Sliced {
 public:
  Operand(const char* op, const char* name, const ffi::AnyBuffer& given, int64_t batch_dims)
      : op_(op),
        name_(name),
        base_(static_cast<char*>(given.untyped_data())),
        batch_(given.dimensions().begin(), batch_dims) {
    const auto dims = given.dimensions();
    const int64_t rank = static_cast<int64_t>(dims.size()) - batch_dims;
    if (batch_dims < 0 || rank < 0 || rank > max_rank) {
      refuse(op, ": ", name, ": ", dims.size(), " dims cannot hold ", batch_dims, " batch dims");
    }
    buffer.data = base_;
    buffer.sizes = dims.begin() + batch_dims;
    buffer.strides = strides_;
    buffer.rank = static_cast<int32_t>(rank);
    buffer.dtype = from_xla(given.element_type());
    contiguous_strides(Sizes(buffer.sizes, rank), strides_);
    slice_ = buffer.numel();
    allocated(op, name, buffer, base_ != nullptr);
  }
  /// An operand that this call does not have.
  Operand(const char* op, const char* name) : op_(op), name_(name), base_(nullptr) {}

  Operand(const char* op, const char* name, ffi::Result<ffi::AnyBuffer> given, int64_t batch_dims)
      : Operand(op, name, *given, batch_dims) {}
  Operand(const Operand&) = delete;

  bool present() const override { return buffer.present(); }

  Sizes batch() const override { return batch_; }

  /// Sets the memory order of its dims, which is the order that XLA was asked for.
  void lay_out(const Order& order) {
    if (present()) dense_strides(Sizes(buffer.sizes, buffer.rank), order, strides_);
  }

  /// Checks that a result, which XLA has allocated, has the shape and dtype that the call computed.
  void expect(const TensorSpec& spec) {
    lay_out(spec.order);
    const Sizes got(buffer.sizes, buffer.rank), expected = spec.shape;
    if (buffer.dtype != spec.dtype || got != expected) {
      refuse(op_, ": ", name_, ": expected a result ", name(spec.dtype), expected, ", got ",
             name(buffer.dtype), got);
    }
  }

  /// Points `buffer` at slice number `slice` of `batch`, in row-major order.
  void seek(int64_t slice, Sizes batch) override {
    if (!buffer.present()) return;
    int64_t at = 0, stride = slice_;
    for (int64_t dim = batch.size() - 1; dim >= 0; --dim) {
      const int64_t size = batch.begin()[dim];
      if (batch_.begin()[dim] != 1) at += slice % size * stride;
      stride *= batch_.begin()[dim];
      slice /= size;
    }
    if (at % per_byte(buffer.dtype) != 0) {
      refuse(
          op_, ": ", name_, ": ", slice_, " elements of ", name(buffer.dtype),
          " do not fill whole bytes, so a batch of them has no slices: pad them, or do not vmap");
    }
    buffer.data = base_ + size_of(buffer.dtype, at);
  }

  /// Checks that its batch dims are those of `batch`, or 1.
  void fits(Sizes batch) const override {
    if (!buffer.present()) return;
    for (int64_t dim = 0; dim < batch.size(); ++dim) {
      if (batch_[dim] != 1 && batch_[dim] != batch[dim]) {
        refuse(op_, ": ", name_, ": expected batch dims that fit ", batch, ", got ", batch_);
      }
    }
  }

  Buffer buffer;

 private:
  const char* op_;
  const char* name_;
  char* base_;
  Sizes batch_;
  int64_t slice_ = 0;  // the number of elements in memory of a slice
  int64_t strides_[max_rank];
};

/// Calls `run` once for every index into the batch dims of `operands`, with their buffers at this
/// slice. Results come first in `operands`, and have all batch dims. Throws if `run` returns a
/// failure; `reported` has its details.
template <class Run>
void each_slice(const char* op, const Failure& reported, std::initializer_list<Sliced*> operands,
                Run&& run) {
  Sizes batch;
  for (const Sliced* operand : operands) {
    if (!operand->present()) continue;
    batch = operand->batch();
    break;
  }
  if (batch.size() == 0) return check(run(), op, reported);
  for (const Sliced* operand : operands) operand->fits(batch);
  const int64_t slices = prod(batch).value();
  for (int64_t slice = 0; slice < slices; ++slice) {
    for (Sliced* operand : operands) operand->seek(slice, batch);
    check(run(), op, reported);
  }
}

/// Runs kernels on XLA's threads. The caller works too, so it never waits for a task that no thread
/// has started. It works alone if there is no memory to schedule tasks.
struct CpuContext : ReportingContext {
  static constexpr Platform platform = Platform::cpu;

  explicit CpuContext(ffi::ThreadPool& threads_of_xla) {
    pool = &threads_of_xla;
    threads = static_cast<int32_t>(threads_of_xla.num_threads());
    parallel_for = &run;
  }

  DeviceProperties properties() const { return {0, threads}; }

  template <class Filled>
  void fill(const Filled& tensors, const Element& value) const {
    opgen::fill(*this, tensors, value);
  }

 private:
  struct Work {
    int64_t n, grain, chunks;
    Body* body;
    void* arg;
    std::atomic<int64_t> next{0}, done{0};
    std::mutex mutex;
    std::condition_variable finished;

    /// Runs chunks until none is left. `body` and `arg` are valid as long as a chunk is left.
    void drain() {
      for (int64_t chunk; (chunk = next.fetch_add(1)) < chunks;) {
        const int64_t begin = chunk * grain;
        body(arg, begin, begin + grain < n ? begin + grain : n);
        if (done.fetch_add(1) + 1 == chunks) {
          std::lock_guard<std::mutex> lock(mutex);
          finished.notify_all();
        }
      }
    }
  };

  static void run(void* pool, int64_t n, int64_t grain, Body* body, void* arg) noexcept {
    auto& threads = *static_cast<ffi::ThreadPool*>(pool);
    const std::shared_ptr<Work> work = share(threads, n, grain, body, arg);
    if (work == nullptr) return body(arg, 0, n);
    work->drain();
    std::unique_lock<std::mutex> lock(work->mutex);
    work->finished.wait(lock, [&] { return work->done.load() == work->chunks; });
  }

  /// Schedules chunks of work on the pool, and returns them. Returns null if there is no memory.
  static std::shared_ptr<Work> share(ffi::ThreadPool& threads, int64_t n, int64_t grain, Body* body,
                                     void* arg) noexcept {
    // Several chunks for each thread, because threads have different speeds.
    const int64_t most = 4 * threads.num_threads();
    const int64_t even = (n + most - 1) / most;
    std::shared_ptr<Work> work;
    try {
      work = std::make_shared<Work>();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    work->n = n;
    work->grain = grain > even ? grain : even;
    work->chunks = (n + work->grain - 1) / work->grain;
    work->body = body;
    work->arg = arg;
    try {
      for (int64_t helper = 1; helper < work->chunks && helper < threads.num_threads(); ++helper) {
        threads.Schedule([work] {
          IeeeFloats floats;
          work->drain();
        });
      }
    } catch (const std::bad_alloc&) {  // earlier tasks and the caller do the work
    }
    return work;
  }
};

/// Runs kernels on XLA's stream.
template <class Gpu>
struct GpuContext : ReportingContext {
  static constexpr Platform platform = Gpu::platform;

  GpuContext(void* stream_of_xla, int32_t ordinal) {
    stream = stream_of_xla;
    device = ordinal;
  }

  DeviceProperties properties() const { return Gpu::properties(device); }

  void fill(const Buffer& tensor, const Element& value) const {
    check(Gpu::fill(this, &tensor, &value), "fill");
  }
  void fill(const BufferList& list, const Element& value) const {
    for (int64_t i = 0; i < list.count; ++i) fill(list.items[i], value);
  }
};
#ifdef USE_CUDA
using CudaContext = GpuContext<CudaDevice>;
#endif
#ifdef USE_ROCM
using HipContext = GpuContext<HipDevice>;
#endif

/// Frees memory of the host.
struct FreeAligned {
  std::align_val_t alignment = std::align_val_t(64);
  void operator()(void* memory) const { ::operator delete(memory, alignment); }
};

/// Scratch memory for a kernel on the host. XLA's own allocator is only for devices.
class HostWorkspace {
 public:
  /// One that this call does not have.
  HostWorkspace() = default;

  explicit HostWorkspace(const TensorSpec& spec) : spec_(spec) {
    const Sizes sizes = spec_.shape;
    const Int bytes = size_of(spec_.dtype, room(spec_));
    strides_of(spec_, strides_);
    const auto alignment = static_cast<std::align_val_t>(spec_.align > 64 ? spec_.align : 64);
    memory_ = {::operator new(static_cast<size_t>(bytes.value()), alignment), {alignment}};
    buffer = {memory_.get(), sizes.begin(), strides_, spec_.shape.rank(), spec_.dtype};
  }
  HostWorkspace(const HostWorkspace&) = delete;

 private:
  TensorSpec spec_;
  int64_t strides_[max_rank];
  std::unique_ptr<void, FreeAligned> memory_;

 public:
  Buffer buffer;
};

/// Scratch memory for a kernel on a device, from XLA's allocator.
class DeviceWorkspace {
 public:
  /// One that this call does not have.
  DeviceWorkspace() = default;

  DeviceWorkspace(const TensorSpec& spec, ffi::ScratchAllocator& scratch) : spec_(spec) {
    const Sizes sizes = spec_.shape;
    const Int bytes = size_of(spec_.dtype, room(spec_));
    strides_of(spec_, strides_);
    buffer = {allocate(scratch, bytes), sizes.begin(), strides_, spec_.shape.rank(), spec_.dtype};
  }
  DeviceWorkspace(const DeviceWorkspace&) = delete;

 private:
  /// XLA's allocator aligns to at most `given` bytes. This function aligns further if necessary.
  void* allocate(ffi::ScratchAllocator& scratch, Int bytes) const {
    if (bytes == 0) return nullptr;
    constexpr int64_t given = 16;
    const int64_t wanted = spec_.align > 256 ? spec_.align : 256;
    const auto size = static_cast<size_t>(bytes.value());
    size_t space = static_cast<size_t>((bytes + (wanted - given)).value());
    void* memory = scratch.Allocate(space, given).value_or(nullptr);
    if (memory == nullptr) throw std::bad_alloc();
    return std::align(static_cast<size_t>(wanted), size, memory, space);
  }

  TensorSpec spec_;
  int64_t strides_[max_rank];

 public:
  Buffer buffer;
};

/// A dtype attribute, which XLA passes as the dtype's code.
inline ElementType dtype(int64_t code) {
  if (!is_element_type(code)) refuse("there is no dtype of code ", code);
  return static_cast<ElementType>(code);
}

inline std::optional<ElementType> dtype(const std::optional<int64_t>& code) {
  if (!code) return std::nullopt;
  return dtype(*code);
}

inline Sizes sizes(ffi::Span<const int64_t> values) { return Sizes(values.begin(), values.size()); }

inline Floats floats(ffi::Span<const double> values) {
  return Floats(values.begin(), values.size());
}

inline std::optional<Sizes> sizes(const std::optional<ffi::Span<const int64_t>>& values) {
  if (!values) return std::nullopt;
  return sizes(*values);
}

inline std::optional<Floats> floats(const std::optional<ffi::Span<const double>>& values) {
  if (!values) return std::nullopt;
  return floats(*values);
}

/// Returns an error for a program that was created with another version of the op. XLA calls it
/// when the program is loaded or compiled.
inline ffi::Error same_op(const char* op, int64_t expected, ffi::Dictionary attrs) {
  const auto made_with = attrs.get<int64_t>("op_hash");
  if (made_with.has_value() && *made_with == expected) return ffi::Error::Success();
  return ffi::Error::InvalidArgument(
      std::string(op) + ": this program was made with another state of the op: export it again");
}

/// Runs `handle(op)` and converts exceptions to XLA's errors, because no exception may leave a
/// handler.
template <class Handle>
ffi::Error guarded(const char* op, Handle&& handle) noexcept {
  try {
    IeeeFloats floats;
    handle(op);
    return ffi::Error::Success();
  } catch (const std::invalid_argument& error) {
    return ffi::Error::InvalidArgument(error.what());
  } catch (const OutOfMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, error.what());
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, std::string(op) + ": out of memory");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(error.what());
  }
}

}  // namespace opgen::jax
