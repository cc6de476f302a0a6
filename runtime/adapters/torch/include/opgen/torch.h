// Adapters for PyTorch's tensors, through its stable ABI (2.10 and later), for any op.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "opgen/call.h"
#include "opgen/context.h"
#include "opgen/device.h"
#include "opgen/fill.h"
#include "opgen/huge_pages.h"
#include "opgen/overlap.h"
#include "opgen/torch_function.h"
#include "opgen/torch_types.h"

#if defined(USE_CUDA) || defined(USE_ROCM)
// Weak, because a library with kernels for GPUs must also load with a torch without GPU support.
// The function has the same name with ROCm.
extern "C" __attribute__((weak)) AOTITorchError
aoti_torch_get_current_cuda_stream(int32_t device_index, void** stream);
#endif

namespace opgen::torch {

/// Prevents the conversion of a tensor to an optional tensor.
template <class Given>
using IfOptional = std::enable_if_t<std::is_same_v<Given, std::optional<Tensor>>>;

/// A tensor argument: the tensor itself, or a copy if it does not have the layout that the kernel
/// requires.
class Input {
 public:
  Input(const char* op, const Label& name, Tensor given, Layout layout = Layout::contiguous)
      : Input(op, name, given.handle) {
    read(op);
    if (!has(layout)) lay_out(op, order_for(layout));
  }
  /// An input for which the kernel requires a memory order.
  Input(const char* op, const Label& name, Tensor given, const Order& order)
      : Input(op, name, given.handle) {
    read(op);
    if (!lies(order)) lay_out(op, order);
  }
  /// An input for which the kernel requires the strides of `other`, a dense input of the same
  /// shape.
  Input(const char* op, const Label& name, Tensor given, const Input& other)
      : Input(op, name, given.handle) {
    read(op);
    if (!lies_as(other)) lay_out(op, other.buffer.strides);
  }
  template <class Given, class Way = Layout, class = IfOptional<Given>>
  Input(const char* op, const Label& name, const Given& given, const Way& way = Layout::contiguous)
      : Input(given ? Input(op, name, *given, way) : Input(name)) {}
  Input(Input&&) = default;

  /// Copies the tensor if necessary, so that it has the layout that this call requires. Throws
  /// `Refused` if a tensor that the call writes needs a copy.
  void arrange(const char* op, const Wish& wish, bool written) {
    if (!buffer.present()) return;
    const bool fits = wish.order.count > 0 ? lies(wish.order) : has(wish.layout);
    if (written && !fits) {
      refuse(op, ": ", name_, ": expected its memory to lie as the spec says, to write in place, ",
             "got strides ", strides());
    }
    if (!fits) lay_out(op, wish.order.count > 0 ? wish.order : order_for(wish.layout));
    if (written) write(op);
  }

  /// Makes sure that the tensor starts at a multiple of `bytes`, with a copy if necessary. Throws
  /// `Refused` if a tensor that the call writes needs a copy.
  void align(const char* op, int64_t bytes) {
    if (written_) return aligned(op, name_, buffer, bytes);
    if (is_aligned(buffer, bytes)) return;
    AtenTensorHandle copy;
    ok(aoti_torch_clone(handle_, &copy), "copy a tensor");
    take(op, Owned(copy));
    aligned(op, name_, buffer, bytes);
  }

  const Label& name() const { return name_; }
  bool written() const { return written_; }
  AtenTensorHandle handle() const { return handle_; }
  Sizes strides() const { return Sizes(buffer.strides, buffer.rank); }

  Buffer buffer;

 protected:
  /// An absent input.
  explicit Input(const Label& name) : name_(name) {}

  /// A present input. Its data pointer is read here.
  Input(const char* op, const Label& name, AtenTensorHandle handle) : name_(name), handle_(handle) {
    describe(op);
  }

  bool has(Layout layout) const {
    if (layout == Layout::strided) return true;
    const int32_t last = buffer.rank - 1;
    if (layout == Layout::last && last >= 0 && buffer.strides[last] == 1) return true;
    if (layout == Layout::last && last >= 0 && buffer.sizes[last] == 1) return true;
    return lies(Order{}) || (layout == Layout::dense && is_dense(buffer));
  }

  /// True if the dims have this order, without gaps between dims that are not `open` (see `Order`).
  /// With a single element, any order fits.
  bool lies(const Order& order) const {
    if (buffer.rank > max_rank) return true;  // the call rejects it
    const Dims dims = dims_in(order, buffer.rank);
    bool dense = true;
    int64_t stride = 1;
    for (int64_t at = dims.rank - 1; at >= 0; --at) {
      const int32_t dim = dims.order[at];
      if (buffer.sizes[dim] == 0) return true;
      dense &= at < dims.open || buffer.sizes[dim] == 1 || buffer.strides[dim] == stride;
      stride *= buffer.sizes[dim];
    }
    return dense;
  }

  /// Returns the memory order for a copy with this layout: the present order of the dims, if the
  /// layout allows any order.
  Order order_for(Layout layout) const {
    return layout == Layout::dense ? order_of(buffer) : Order{};
  }

  /// True if it has the strides of `other`. The call rejects a tensor with another shape.
  bool lies_as(const Input& other) const {
    const Buffer& wanted = other.buffer;
    if (Sizes(buffer.sizes, buffer.rank) != Sizes(wanted.sizes, wanted.rank)) return true;
    bool same = true;
    for (int32_t dim = 0; dim < buffer.rank; ++dim) {
      if (buffer.sizes[dim] == 0) return true;
      same &= buffer.sizes[dim] == 1 || buffer.strides[dim] == wanted.strides[dim];
    }
    return same;
  }

  /// Replaces the tensor by a copy with this memory order.
  void lay_out(const char* op, const Order& order) {
    int64_t strides[max_rank];
    dense_strides(Sizes(buffer.sizes, buffer.rank), order, strides);
    lay_out(op, strides);
  }
  void lay_out(const char* op, const int64_t* strides) {
    const Device device(handle_);
    AtenTensorHandle copy;
    ok(aoti_torch_empty_strided(buffer.rank, buffer.sizes, strides, to_torch(buffer.dtype),
                                device.type, device.index, &copy),
       "allocate a tensor");
    Owned owned(copy);
    ok(aoti_torch_copy_(copy, handle_, 0), "copy a tensor");
    take(op, std::move(owned));
  }

  void take(const char* op, Owned copy) {
    copy_ = std::move(copy);
    handle_ = copy_.get();
    describe(op);
    read(op);
  }

  void read(const char* op) {
    const void* data;
    ok(torch_get_const_data_ptr(handle_, &data), "give a tensor's data");
    buffer.data = const_cast<void*>(data);
    check_memory(op);
  }

  void write(const char* op) {
    ok(torch_get_mutable_data_ptr(handle_, &buffer.data), "give a tensor's data");
    check_memory(op);
    written_ = true;
  }

  Label name_;
  AtenTensorHandle handle_ = nullptr;
  Owned copy_;
  bool written_ = false;  // in place

 private:
  /// Throws `Refused` for a tensor with freed storage. The data address of such a tensor is its
  /// offset from null. An address above all possible offsets needs no further check.
  void check_memory(const char* op) const {
    if (reinterpret_cast<uintptr_t>(buffer.data) >= uintptr_t{1} << 40) return;
    int64_t bytes;
    ok(aoti_torch_get_storage_size(handle_, &bytes), "tell the size of a storage");
    allocated(op, name_, buffer, bytes > 0);
  }

  void describe(const char* op) {
    int64_t rank;
    int64_t *sizes, *strides;
    int32_t dtype;
    ok(aoti_torch_get_dim(handle_, &rank), "tell a tensor's rank");
    ok(aoti_torch_get_sizes(handle_, &sizes), "tell a tensor's sizes");
    ok(aoti_torch_get_strides(handle_, &strides), "tell a tensor's strides");
    ok(aoti_torch_get_dtype(handle_, &dtype), "tell a tensor's dtype");
    buffer.sizes = sizes;
    buffer.strides = strides;
    buffer.rank = static_cast<int32_t>(rank);
    buffer.dtype = from_torch(dtype, op, name_);
  }
};

/// A tensor argument that the kernel writes in place: never a copy.
class Updated : public Input {
 public:
  Updated(const char* op, const Label& name, Tensor given, Layout layout = Layout::contiguous)
      : Input(op, name, given.handle) {
    if (!has(layout)) {
      const char* wanted = layout == Layout::dense ? "tensor without gaps" : "contiguous tensor";
      refuse(op, ": ", name, ": expected a ", wanted, ", to write in place, got strides ",
             strides());
    }
    write(op);
  }
  Updated(const char* op, const Label& name, Tensor given, const Input& other)
      : Input(op, name, given.handle) {
    if (!lies_as(other)) {
      refuse(op, ": ", name, ": expected the strides of ", other.name(), ", ", other.strides(),
             ", to write in place, got ", strides());
    }
    write(op);
  }
  Updated(const char* op, const Label& name, Tensor given, const Order& order)
      : Input(op, name, given.handle) {
    if (!lies(order)) {
      refuse(op, ": ", name,
             ": expected its dims in the order that the spec says, to write in place");
    }
    write(op);
  }
  template <class Given, class Way = Layout, class = IfOptional<Given>>
  Updated(const char* op, const Label& name, const Given& given,
          const Way& way = Layout::contiguous)
      : Updated(given ? Updated(op, name, *given, way) : Updated(name)) {}

 private:
  explicit Updated(const Label& name) : Input(name) {}
};

/// A tensor that the caller passes for a result (`out=`). If it is not contiguous, the kernel
/// writes another tensor, which is then copied to it.
class Given : public Input {
 public:
  /// A result that this call may not have.
  Given(const char* op, const char* name, const std::optional<Tensor>& given) : Input(name) {
    if (given) refuse(op, ": ", name, ": expected None, since this call has no such result");
  }
  Given(const char* op, const char* name, const std::optional<Tensor>& given,
        const TensorSpec& spec, const Device& device)
      : Given(op, name, required(op, name, given), spec, device) {}
  Given(const char* op, const char* name, Tensor given, const TensorSpec& spec,
        const Device& device)
      : Input(op, name, given.handle), given_(given) {
    const Sizes got(buffer.sizes, buffer.rank);
    if (got != Sizes(spec.shape)) {
      refuse(op, ": ", name, ": expected shape ", Sizes(spec.shape), ", got ", got);
    }
    if (buffer.dtype != spec.dtype) {
      refuse(op, ": ", name, ": expected dtype ", opgen::name(spec.dtype), ", got ",
             opgen::name(buffer.dtype));
    }
    if (Device(given.handle) != device) {
      refuse(op, ": ", name, ": expected the device of the inputs, got another one");
    }
    Input::write(op);
    if (has(Layout::contiguous)) return;
    lay_out(op, Order{});
    Input::write(op);
  }

  /// Copies a result that was computed elsewhere to the caller's tensor, if this call has it.
  void write(const Owned& result) const {
    if (given_.handle == nullptr) return;
    ok(aoti_torch_copy_(given_.handle, result.get(), 0), "copy a tensor");
  }

  /// Must be called when the kernel has written the result.
  void finish() {
    if (handle_ == given_.handle) return;
    ok(aoti_torch_copy_(given_.handle, handle_, 0), "copy a tensor");
  }

 private:
  static Tensor required(const char* op, const char* name, const std::optional<Tensor>& given) {
    if (!given) refuse(op, ": ", name, ": expected a tensor, got None");
    return *given;
  }

  Tensor given_ = {nullptr};
};

/// A list of tensor arguments. The tensors of an `UpdatedList` are written in place.
template <class Item>
class ListOf {
 public:
  ListOf(const char* op, const char* name, List<Tensor> given, Layout layout = Layout::contiguous) {
    fill(given, [&](size_t i) { return Item(op, Label(name, i), given[i], layout); });
  }
  ListOf(const char* op, const char* name, List<Tensor> given, const Order& order) {
    fill(given, [&](size_t i) { return Item(op, Label(name, i), given[i], order); });
  }
  /// Tensors for which the kernel requires the strides of the tensors in `others`. The call checks
  /// the length of the list.
  template <class Other>
  ListOf(const char* op, const char* name, List<Tensor> given, const ListOf<Other>& others) {
    fill(given, [&](size_t i) {
      const Label label(name, i);
      if (i >= others.items().size()) return Item(op, label, given[i], Layout::strided);
      return Item(op, label, given[i], others.items()[i]);
    });
  }
  ListOf(const ListOf&) = delete;

  /// Copies tensors if necessary, so that tensor i has the layout `wish(i)`.
  template <class WishOf>
  void arrange(const char* op, const WishOf& wish, bool written) {
    for (size_t i = 0; i < items_.size(); ++i) {
      items_[i].arrange(op, wish(static_cast<int64_t>(i)), written);
      buffers_[i] = items_[i].buffer;
    }
  }

  void align(const char* op, int64_t bytes) {
    for (size_t i = 0; i < items_.size(); ++i) {
      items_[i].align(op, bytes);
      buffers_[i] = items_[i].buffer;
    }
  }

  const std::vector<Input>& items() const { return items_; }

  BufferList buffer;

 private:
  template <class Make>
  void fill(List<Tensor> given, const Make& make) {
    items_.reserve(given.size());
    buffers_.reserve(given.size());
    for (size_t i = 0; i < given.size(); ++i) {
      items_.push_back(make(i));
      buffers_.push_back(items_.back().buffer);
    }
    buffer.items = buffers_.data();
    buffer.count = static_cast<int64_t>(buffers_.size());
  }

  std::vector<Input> items_;
  std::vector<Buffer> buffers_;
};

using InputList = ListOf<Input>;
using UpdatedList = ListOf<Updated>;

/// An argument, or those of a list.
struct Placed {
  const Input* items;
  size_t count;

  Placed(const Input* input) : items(input), count(1) {}
  template <class Item>
  Placed(const ListOf<Item>* list) : items(list->items().data()), count(list->items().size()) {}
};

/// The one device of the present inputs; throws `Refused` if they are on several.
inline Device device_of(const char* op, std::initializer_list<Placed> inputs) {
  const Input* first = nullptr;
  Device device{};
  for (const Placed& placed : inputs) {
    for (size_t i = 0; i < placed.count; ++i) {
      const Input& input = placed.items[i];
      if (!input.buffer.present()) continue;
      const Device own(input.handle());
      if (first == nullptr) {
        first = &input;
        device = own;
      } else if (own != device) {
        refuse(op, ": ", input.name(), ": expected the device of ", first->name(),
               ", got another one");
      }
    }
  }
  return device;
}

/// Throws `Refused` if an input that the host reads is on another device.
inline void check_on_host(const char* op, std::initializer_list<Placed> inputs) {
  for (const Placed& placed : inputs) {
    for (size_t i = 0; i < placed.count; ++i) {
      const Input& input = placed.items[i];
      if (input.buffer.present() && !Device(input.handle()).on_host()) {
        refuse(op, ": ", input.name(), ": expected a tensor on the CPU, got one on another device");
      }
    }
  }
}

/// Throws `Refused` if a tensor that is written in place shares memory with another argument.
inline void check_overlap(const char* op, std::initializer_list<Placed> arguments) {
  size_t count = 0;
  for (const Placed& placed : arguments) count += placed.count;
  Overlap overlap;
  overlap.reserve(count);
  for (const Placed& placed : arguments) {
    for (size_t i = 0; i < placed.count; ++i) {
      const Input& input = placed.items[i];
      overlap.add(op, input.name(), input.buffer, input.written());
    }
  }
  overlap.check(op);
}

/// The number of guard bytes before and after each tensor that this thread allocates for kernels.
/// Python sets it for a shadowed call (see opgen/runtime/debug/torch.py).
inline thread_local int64_t guard = 0;
/// Mask of overwritten guards: bit i is present result i, the last bit the workspace.
inline thread_local uint64_t guard_broken = 0;
inline thread_local int guard_results = 0;  // the number of results that were returned
constexpr int canary = 0xA5;

/// A tensor that is allocated for a kernel to write: a result, or workspace.
class Output {
 public:
  /// One that this call does not have.
  Output() = default;

  Output(const TensorSpec& spec, const Device& device) : spec_(spec) {
    strides_of(spec_, strides_);
    if (guard > 0 && device.on_host()) {
      allocate_guarded(device);
    } else {
      allocate(device);
    }
    buffer.sizes = spec_.shape.data();
    buffer.strides = strides_;
    buffer.rank = spec_.shape.rank();
    buffer.dtype = spec_.dtype;
    if (device.on_host()) prefer_huge_pages(buffer);
  }
  Output(const Output&) = delete;
  ~Output() {
    if (guarded_ != nullptr && tensor_.get() != nullptr) check_guard(63);
  }

  /// Returns the tensor and its ownership. It is empty if this call does not have the result.
  Owned tensor() {
    if (guarded_ != nullptr) check_guard(guard_results++);
    return std::move(tensor_);
  }

  Buffer buffer;

 private:
  void allocate(const Device& device) {
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(spec_.shape.rank(), spec_.shape.data(), strides_,
                                to_torch(spec_.dtype), device.type, device.index, &handle),
       "allocate a tensor");
    tensor_ = Owned(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    if (spec_.align != 0) align(device);
  }

  /// Allocates the tensor between guard bytes and fills it with NaN, to detect elements that a
  /// kernel does not write.
  void allocate_guarded(const Device& device) {
    const int64_t size = size_of(spec_.dtype), stride = 1;
    const int64_t align = spec_.align == 0 ? 64 : spec_.align;
    const int64_t bytes = (opgen::room(spec_) * size).value();
    const int64_t room = (2 * guard + bytes + 2 * align + size - 1) / size;
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(1, &room, &stride, to_torch(spec_.dtype), device.type, device.index,
                                &handle),
       "allocate a tensor");
    tensor_ = Owned(handle);
    void* data;
    ok(torch_get_mutable_data_ptr(handle, &data), "give a tensor's data");
    const int64_t least = reinterpret_cast<intptr_t>(data) + guard;
    const int64_t offset = guard + (align - least % align) % align;
    guarded_ = static_cast<unsigned char*>(data);
    guarded_end_ = guarded_ + room * size;
    body_ = guarded_ + offset;
    body_end_ = body_ + bytes;
    std::memset(guarded_, canary, room * size);
    std::memset(body_, 0xFF, bytes);
    view(offset / size);
  }

  void check_guard(int bit) const {
    const auto is_other = [](unsigned char byte) { return byte != canary; };
    if (std::any_of(guarded_, body_, is_other) || std::any_of(body_end_, guarded_end_, is_other)) {
      guard_broken |= uint64_t{1} << (bit < 63 ? bit : 63);
    }
  }

  /// Aligns memory that the allocator has not aligned: allocates more and starts inside of it.
  void align(const Device& device) {
    const auto misplaced = [&] { return reinterpret_cast<uintptr_t>(buffer.data) % spec_.align; };
    if (misplaced() == 0) return;
    const int64_t size = size_of(spec_.dtype), stride = 1;
    const int64_t room = (opgen::room(spec_) + spec_.align / size).value();
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(1, &room, &stride, to_torch(spec_.dtype), device.type, device.index,
                                &handle),
       "allocate a tensor");
    tensor_ = Owned(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    const auto over = static_cast<int64_t>(misplaced());
    view(over == 0 ? 0 : (spec_.align - over) / size);
  }

  /// Places the result in the memory of `tensor_`, `offset` elements after its start.
  void view(int64_t offset) {
    AtenTensorHandle handle;
    ok(aoti_torch__reinterpret_tensor(tensor_.get(), spec_.shape.rank(), spec_.shape.data(),
                                      strides_, offset, &handle),
       "place a tensor");
    tensor_ = Owned(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
  }

  TensorSpec spec_;
  int64_t strides_[max_rank];
  Owned tensor_;
  // Start of the canaries, and the bounds of what the kernel may write.
  unsigned char *guarded_ = nullptr, *body_ = nullptr, *body_end_ = nullptr,
                *guarded_end_ = nullptr;
};

/// The tensors of a list that is allocated for a kernel to write.
class OutputList {
 public:
  /// One that this call does not have.
  OutputList() = default;

  OutputList(const std::vector<TensorSpec>& specs, const Device& device) {
    for (const TensorSpec& spec : specs) items_.emplace_back(spec, device);
    for (const Output& each : items_) buffers_.push_back(each.buffer);
    buffer.items = buffers_.data();
    buffer.count = static_cast<int64_t>(buffers_.size());
  }
  OutputList(const OutputList&) = delete;

  /// Returns the tensors and their ownership.
  std::vector<Owned> tensors() {
    std::vector<Owned> found;
    for (Output& each : items_) found.push_back(each.tensor());
    return found;
  }

  BufferList buffer;

 private:
  std::deque<Output> items_;
  std::vector<Buffer> buffers_;
};

/// Runs kernels on torch's own threads.
struct CpuContext : ReportingContext {
  static constexpr Platform platform = Platform::cpu;

  explicit CpuContext(const Device&) {
    uint32_t count;
    ok(torch_get_num_threads(&count), "tell its number of threads");
    threads = static_cast<int32_t>(count);
    pool = &reported;
    parallel_for = [](void* pool, int64_t n, int64_t grain, Body* body, void* arg) {
      struct Work {
        Body* body;
        void* arg;
      } work{body, arg};
      auto run = [](int64_t begin, int64_t end, void* data) {
        const Work& work = *static_cast<Work*>(data);
        work.body(work.arg, begin, end);
      };
      if (torch_parallel_for(0, n, grain, run, &work) != AOTI_TORCH_SUCCESS) {
        static_cast<Failure*>(pool)->status = Status::interrupted;
      }
    };
  }

  DeviceProperties properties() const { return {0, threads}; }

  template <class Filled>
  void fill(const Filled& tensors, const Element& value) const {
    opgen::fill(*this, tensors, value);
  }
};

#if defined(USE_CUDA) || defined(USE_ROCM)
/// Runs kernels on torch's current stream of the device.
template <class Gpu>
struct GpuContext : ReportingContext {
  static constexpr Platform platform = Gpu::platform;

  explicit GpuContext(const Device& where) {
    if (aoti_torch_get_current_cuda_stream == nullptr) {
      throw std::runtime_error("this torch has no CUDA");
    }
    ok(aoti_torch_get_current_cuda_stream(where.index, &stream), "give its CUDA stream");
    device = where.index;
  }

  DeviceProperties properties() const { return Gpu::properties(device); }

  void fill(const Buffer& tensor, const Element& value) const {
    check(Gpu::fill(this, &tensor, &value), "fill");
  }
  void fill(const BufferList& list, const Element& value) const {
    for (int64_t i = 0; i < list.count; ++i) fill(list.items[i], value);
  }
};
#endif
#ifdef USE_CUDA
using CudaContext = GpuContext<CudaDevice>;
#endif
#ifdef USE_ROCM
using HipContext = GpuContext<HipDevice>;
#endif

}  // namespace opgen::torch

/// Sets the number of guard bytes around tensors that this thread allocates for kernels. 0 means
/// none.
extern "C" OPGEN_EXPORT __attribute__((used)) inline void opgen_guard(int64_t bytes) noexcept {
  opgen::torch::guard = bytes;
  opgen::torch::guard_results = 0;
  if (bytes > 0) opgen::torch::guard_broken = 0;
}

/// Returns a mask of the guards that were overwritten since the last call of `opgen_guard`.
extern "C" OPGEN_EXPORT __attribute__((used)) inline uint64_t opgen_guard_broken() noexcept {
  return opgen::torch::guard_broken;
}
