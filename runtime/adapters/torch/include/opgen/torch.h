// PyTorch's tensors as buffers, through the stable ABI (2.10 and later); knows no op.
#pragma once

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
#include "opgen/torch_types.h"

#ifdef USE_CUDA
// Weak: a library that holds CUDA kernels must load where torch has no CUDA.
extern "C" __attribute__((weak)) AOTITorchError aoti_torch_get_current_cuda_stream(
    int32_t device_index, void** stream);
#endif

namespace opgen::torch {

/// What a kernel asks of a tensor's memory; `last`: neighbours of the last dim are adjacent.
enum class Layout { contiguous, last, strided };

/// A tensor argument: itself, or a contiguous copy where it is not laid out as the kernel asks.
class Input {
 public:
  Input(const char* op, const char* name, const Tensor& given, Layout layout = Layout::contiguous)
      : name_(name), tensor_(given) {
    if (!has(layout)) tensor_ = ::torch::stable::contiguous(given);
    describe(op);
    const void* data;
    ok(torch_get_const_data_ptr(tensor_->get(), &data), "give a tensor's data");
    buffer.data = const_cast<void*>(data);
  }
  Input(const char* op, const char* name, const std::optional<Tensor>& given,
        Layout layout = Layout::contiguous)
      : Input(given ? Input(op, name, *given, layout) : Input(name)) {}
  /// One whose kernel wants its dims in an order: a copy has them so.
  Input(const char* op, const char* name, const Tensor& given, const Order& order)
      : Input(op, name, given, Layout::strided) {
    if (lies(order)) return;
    int64_t strides[max_rank];
    dense_strides(Sizes(buffer.sizes, buffer.rank), order, strides);
    const Device device(given);
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(buffer.rank, buffer.sizes, strides, to_torch(buffer.dtype),
                                device.type, device.index, &handle),
       "allocate a tensor");
    tensor_.emplace(handle);
    ok(aoti_torch_copy_(handle, given.get(), 0), "copy a tensor");
    describe(op);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
  }
  Input(const char* op, const char* name, const std::optional<Tensor>& given, const Order& order)
      : Input(given ? Input(op, name, *given, order) : Input(name)) {}
  Input(Input&&) = default;
  Input& operator=(const Input&) = delete;

  /// Sees to it that it begins at a multiple of `bytes`, by a copy where it does not.
  void align(const char* op, int64_t bytes) {
    if (is_aligned(buffer, bytes)) return;
    AtenTensorHandle handle;
    ok(aoti_torch_clone(tensor_->get(), &handle), "copy a tensor");
    tensor_.emplace(handle);
    describe(op);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    aligned(op, name_, buffer, bytes);
  }

  const char* name() const { return name_; }
  const Tensor& tensor() const { return *tensor_; }

  Buffer buffer;

 protected:
  /// An absent one.
  explicit Input(const char* name) : name_(name) {}

  bool has(Layout layout) const {
    if (layout == Layout::strided) return true;
    bool contiguous;
    ok(aoti_torch_is_contiguous(tensor_->get(), &contiguous), "tell a tensor's layout");
    if (contiguous || layout == Layout::contiguous) return contiguous;
    const int64_t rank = tensor_->dim();
    return rank == 0 || tensor_->size(rank - 1) <= 1 || tensor_->stride(rank - 1) == 1;
  }

  /// Whether its dims lie in `order`, without gaps; where there is one element only, any way will do.
  bool lies(const Order& order) const {
    if (buffer.rank > max_rank) return false;
    int64_t strides[max_rank];
    dense_strides(Sizes(buffer.sizes, buffer.rank), order, strides);
    for (int32_t dim = 0; dim < buffer.rank; ++dim) {
      if (buffer.sizes[dim] == 0) return true;
    }
    for (int32_t dim = 0; dim < buffer.rank; ++dim) {
      if (buffer.sizes[dim] > 1 && buffer.strides[dim] != strides[dim]) return false;
    }
    return true;
  }

  void describe(const char* op) {
    int64_t rank;
    int64_t *sizes, *strides;
    int32_t dtype;
    ok(aoti_torch_get_dim(tensor_->get(), &rank), "tell a tensor's rank");
    ok(aoti_torch_get_sizes(tensor_->get(), &sizes), "tell a tensor's sizes");
    ok(aoti_torch_get_strides(tensor_->get(), &strides), "tell a tensor's strides");
    ok(aoti_torch_get_dtype(tensor_->get(), &dtype), "tell a tensor's dtype");
    buffer.sizes = sizes;
    buffer.strides = strides;
    buffer.rank = static_cast<int32_t>(rank);
    buffer.dtype = from_torch(dtype, op, name_);
  }

  const char* name_;
  std::optional<Tensor> tensor_;
};

/// A tensor argument that the kernel writes in place: never a copy.
class Updated : public Input {
 public:
  Updated(const char* op, const char* name, const Tensor& given,
          Layout layout = Layout::contiguous)
      : Input(name) {
    tensor_ = given;
    if (!has(layout)) refuse(op, ": ", name, ": expected a contiguous tensor, to write in place");
    describe(op);
    ok(torch_get_mutable_data_ptr(tensor_->get(), &buffer.data), "give a tensor's data");
  }
  Updated(const char* op, const char* name, const std::optional<Tensor>& given,
          Layout layout = Layout::contiguous)
      : Updated(given ? Updated(op, name, *given, layout) : Updated(name)) {}
  Updated(const char* op, const char* name, const Tensor& given, const Order& order)
      : Updated(op, name, given, Layout::strided) {
    if (!lies(order)) {
      refuse(op, ": ", name, ": expected its dims in the order that the spec says, to write in place");
    }
  }

  /// Refuses one that does not begin at a multiple of `bytes`.
  void align(const char* op, int64_t bytes) const { aligned(op, name_, buffer, bytes); }
  Updated(const char* op, const char* name, const std::optional<Tensor>& given, const Order& order)
      : Updated(given ? Updated(op, name, *given, order) : Updated(name)) {}

 private:
  explicit Updated(const char* name) : Input(name) {}
};

/// A tensor of the caller's for a result. One that is not contiguous gets a copy of it.
class Given : public Input {
 public:
  Given(const char* op, const char* name, const Tensor& given, const TensorSpec& spec,
        const Device& device)
      : Input(name), given_(given) {
    tensor_ = given;
    describe(op);
    const Sizes got(buffer.sizes, buffer.rank);
    if (got != Sizes(spec.shape)) {
      refuse(op, ": ", name, ": expected shape ", Sizes(spec.shape), ", got ", got);
    }
    if (buffer.dtype != spec.dtype) {
      refuse(op, ": ", name, ": expected dtype ", opgen::name(spec.dtype), ", got ",
             opgen::name(buffer.dtype));
    }
    if (Device(given) != device) {
      refuse(op, ": ", name, ": expected the device of the inputs, got another one");
    }
    if (!has(Layout::contiguous)) {
      tensor_ = ::torch::stable::contiguous(given);
      describe(op);
      copied_ = true;
    }
    ok(torch_get_mutable_data_ptr(tensor_->get(), &buffer.data), "give a tensor's data");
  }

  /// To be called when the kernel has written the result.
  void finish() {
    if (copied_) ::torch::stable::copy_(given_, *tensor_);
  }

 private:
  Tensor given_;
  bool copied_ = false;
};

/// A list of tensor arguments; those of an `UpdatedList` are written in place.
template <class Item>
class ListOf {
 public:
  ListOf(const char* op, const char* name, const std::vector<Tensor>& given,
         Layout layout = Layout::contiguous) {
    items_.reserve(given.size());
    buffers_.reserve(given.size());
    for (const Tensor& tensor : given) {
      items_.push_back(Item(op, name, tensor, layout));
      buffers_.push_back(items_.back().buffer);
    }
    buffer.items = buffers_.data();
    buffer.count = static_cast<int64_t>(buffers_.size());
  }
  ListOf(const ListOf&) = delete;

  void align(const char* op, int64_t bytes) {
    for (size_t i = 0; i < items_.size(); ++i) {
      static_cast<Item&>(items_[i]).align(op, bytes);
      buffers_[i] = items_[i].buffer;
    }
  }

  const std::vector<Input>& items() const { return items_; }

  BufferList buffer;

 private:
  std::vector<Input> items_;
  std::vector<Buffer> buffers_;
};

using InputList = ListOf<Input>;
using UpdatedList = ListOf<Updated>;

/// An argument, or those of a list; `written`: in place.
struct Placed {
  const Input* items;
  size_t count;
  bool written;

  Placed(const Input* input) : items(input), count(1), written(false) {}
  Placed(const Updated* input) : items(input), count(1), written(true) {}
  Placed(const Given* input) : items(input), count(1), written(true) {}
  template <class Item>
  Placed(const ListOf<Item>* list)
      : items(list->items().data()),
        count(list->items().size()),
        written(std::is_same_v<Item, Updated>) {}
};

/// The one device of the inputs that are there; throws `Refused` where they are on several.
inline Device device_of(const char* op, std::initializer_list<Placed> inputs) {
  const Input* first = nullptr;
  Device device{};
  for (const Placed& placed : inputs) {
    for (size_t i = 0; i < placed.count; ++i) {
      const Input& input = placed.items[i];
      if (!input.buffer.present()) continue;
      const Device own(input.tensor());
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

/// Throws `Refused` where a tensor that is written in place shares memory with another argument.
inline void check_overlap(const char* op, std::initializer_list<Placed> arguments) {
  size_t count = 0;
  for (const Placed& placed : arguments) count += placed.count;
  Overlap overlap;
  overlap.reserve(count);
  for (const Placed& placed : arguments) {
    for (size_t i = 0; i < placed.count; ++i) {
      const Input& input = placed.items[i];
      overlap.add(op, input.name(), input.buffer, placed.written);
    }
  }
  overlap.check(op);
}

/// A tensor that is made for a kernel to write: a result, or workspace.
class Output {
 public:
  /// One that this call does not have.
  Output() = default;

  Output(const TensorSpec& spec, const Device& device) : spec_(spec) {
    dense_strides(spec_.shape, spec_.order, strides_);
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(spec_.shape.rank(), spec_.shape.data(), strides_,
                                to_torch(spec_.dtype), device.type, device.index, &handle),
       "allocate a tensor");
    tensor_.emplace(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    if (spec_.align != 0) align(device);
    buffer.sizes = spec_.shape.data();
    buffer.strides = strides_;
    buffer.rank = spec_.shape.rank();
    buffer.dtype = spec_.dtype;
    if (device.on_host()) prefer_huge_pages(buffer);
  }
  Output(const Output&) = delete;

  /// An undefined one, if this call does not have it.
  Tensor tensor() const { return tensor_ ? *tensor_ : Tensor(); }

  Buffer buffer;

 private:
  /// Where the allocator has not aligned it: in a larger piece of memory, where that is aligned.
  void align(const Device& device) {
    const auto misplaced = [&] { return reinterpret_cast<uintptr_t>(buffer.data) % spec_.align; };
    if (misplaced() == 0) return;
    const int64_t size = size_of(spec_.dtype), stride = 1;
    const int64_t room = (prod(spec_.shape) + spec_.align / size).value();
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(1, &room, &stride, to_torch(spec_.dtype), device.type,
                                device.index, &handle),
       "allocate a tensor");
    const Tensor whole(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    const auto over = static_cast<int64_t>(misplaced());
    const int64_t offset = over == 0 ? 0 : (spec_.align - over) / size;
    ok(aoti_torch__reinterpret_tensor(handle, spec_.shape.rank(), spec_.shape.data(), strides_,
                                      offset, &handle),
       "place a tensor");
    tensor_.emplace(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
  }

  TensorSpec spec_;
  int64_t strides_[max_rank];
  std::optional<Tensor> tensor_;
};

/// The tensors of a list that is made for a kernel to write.
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

  std::vector<Tensor> tensors() const {
    std::vector<Tensor> found;
    for (const Output& each : items_) found.push_back(each.tensor());
    return found;
  }

  BufferList buffer;

 private:
  std::deque<Output> items_;
  std::vector<Buffer> buffers_;
};

/// Runs kernels on torch's own threads.
struct CpuContext : Context {
  static constexpr Platform platform = Platform::cpu;

  explicit CpuContext(const Device&) {
    uint32_t count;
    ok(torch_get_num_threads(&count), "tell its number of threads");
    threads = static_cast<int32_t>(count);
    parallel_for = [](void*, int64_t n, int64_t grain, Body* body, void* arg) {
      struct Work {
        Body* body;
        void* arg;
      } work{body, arg};
      auto run = [](int64_t begin, int64_t end, void* data) {
        const Work& work = *static_cast<Work*>(data);
        work.body(work.arg, begin, end);
      };
      ok(torch_parallel_for(0, n, grain, run, &work), "run in parallel");
    };
  }

  DeviceProperties properties() const { return {0, threads}; }

  template <class Filled>
  void fill(const Filled& tensors, const Element& value) const {
    opgen::fill(*this, tensors, value);
  }
};

#ifdef USE_CUDA
/// Runs kernels on torch's current stream of the device.
struct CudaContext : Context {
  static constexpr Platform platform = Platform::cuda;

  explicit CudaContext(const Device& where) {
    if (aoti_torch_get_current_cuda_stream == nullptr) {
      throw std::runtime_error("this torch has no CUDA");
    }
    ok(aoti_torch_get_current_cuda_stream(where.index, &stream), "give its CUDA stream");
    device = where.index;
  }

  DeviceProperties properties() const { return OPGEN_CUDA_PROPERTIES(device); }

  void fill(const Buffer& tensor, const Element& value) const {
    check(OPGEN_CUDA_FILL(this, &tensor, &value), "fill");
  }
  void fill(const BufferList& list, const Element& value) const {
    for (int64_t i = 0; i < list.count; ++i) fill(list.items[i], value);
  }
};
#endif

}  // namespace opgen::torch
