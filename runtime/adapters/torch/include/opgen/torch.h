// PyTorch's tensors as buffers, through the stable ABI (2.10 and later); knows no op.
#pragma once

#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "opgen/call.h"
#include "opgen/context.h"
#include "opgen/huge_pages.h"
#include "opgen/overlap.h"

#ifdef USE_CUDA
// Weak: a library that holds CUDA kernels must load where torch has no CUDA.
extern "C" __attribute__((weak)) AOTITorchError aoti_torch_get_current_cuda_stream(
    int32_t device_index, void** stream);
#endif

namespace opgen::torch {

using ::torch::headeronly::ScalarType;
using ::torch::stable::Tensor;

/// Throws a std::runtime_error where torch reports a failure.
inline void ok(AOTITorchError error, const char* what) {
  if (error != AOTI_TORCH_SUCCESS) throw std::runtime_error(std::string("torch failed to ") + what);
}

/// Torch's number of each element type, as the torch that is loaded gives it; -1: it has none.
inline const std::array<int32_t, element_type_count>& torch_dtypes() {
  static const std::array<int32_t, element_type_count> numbers = {
      aoti_torch_dtype_bfloat16(),
      aoti_torch_dtype_float16(),
      aoti_torch_dtype_float32(),
      aoti_torch_dtype_float64(),
      aoti_torch_dtype_int8(),
      aoti_torch_dtype_int16(),
      aoti_torch_dtype_int32(),
      aoti_torch_dtype_int64(),
      aoti_torch_dtype_uint8(),
      aoti_torch_dtype_uint16(),
      aoti_torch_dtype_uint32(),
      aoti_torch_dtype_uint64(),
      aoti_torch_dtype_bool(),
      aoti_torch_dtype_float8_e4m3fn(),
      aoti_torch_dtype_float8_e5m2(),
      aoti_torch_dtype_float8_e4m3fnuz(),
      aoti_torch_dtype_float8_e5m2fnuz(),
      -1,  // f8e8m0 and f4e2m1: the stable ABI names them from 2.11 on
      -1,
      aoti_torch_dtype_complex64(),
      aoti_torch_dtype_complex128(),
  };
  return numbers;
}

inline int32_t to_torch(ElementType type) { return torch_dtypes()[static_cast<int32_t>(type)]; }

/// The element type of torch's dtype number; throws `Refused` where there is none.
inline ElementType from_torch(int32_t number, const char* op, const char* argument) {
  static const std::array<int8_t, 128> codes = [] {
    std::array<int8_t, 128> table;
    table.fill(-1);
    for (int32_t code = 0; code < element_type_count; ++code) {
      const int32_t at = torch_dtypes()[code];
      if (at >= 0 && at < 128) table[at] = static_cast<int8_t>(code);
    }
    return table;
  }();
  const int8_t code = number >= 0 && number < 128 ? codes[number] : -1;
  if (code < 0) refuse(op, ": argument '", argument, "' has a dtype that no kernel takes");
  return static_cast<ElementType>(code);
}

/// The element type of a `ScalarType` attribute.
inline ElementType from_torch(ScalarType type, const char* op, const char* attr) {
  using ::torch::stable::detail::from;
  using ::torch::stable::detail::to;
  return from_torch(to<int32_t>(from(type)), op, attr);
}

/// Attributes that are lists of numbers.
template <class T>
using List = ::torch::headeronly::HeaderOnlyArrayRef<T>;

inline Sizes sizes(List<int64_t> values) {
  return Sizes(values.data(), static_cast<int64_t>(values.size()));
}

inline Floats floats(List<double> values) {
  return Floats(values.data(), static_cast<int64_t>(values.size()));
}

struct Device {
  int32_t type = 0;
  int32_t index = 0;

  Device() = default;
  explicit Device(const Tensor& tensor) {
    ok(aoti_torch_get_device_type(tensor.get(), &type), "tell a tensor's device");
    ok(aoti_torch_get_device_index(tensor.get(), &index), "tell a tensor's device");
  }
  bool on_host() const { return type == aoti_torch_device_type_cpu(); }
  bool operator!=(const Device& other) const { return type != other.type || index != other.index; }
};

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
  Input& operator=(const Input&) = delete;

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

 private:
  explicit Updated(const char* name) : Input(name) {}
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
  Overlap overlap;
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
    contiguous_strides(spec_.shape, strides_);
    AtenTensorHandle handle;
    ok(aoti_torch_empty_strided(spec_.shape.rank(), spec_.shape.data(), strides_,
                                to_torch(spec_.dtype), device.type, device.index, &handle),
       "allocate a tensor");
    tensor_.emplace(handle);
    ok(torch_get_mutable_data_ptr(handle, &buffer.data), "give a tensor's data");
    buffer.sizes = spec_.shape.data();
    buffer.strides = strides_;
    buffer.rank = spec_.shape.rank();
    buffer.dtype = spec_.dtype;
    if (device.on_host()) prefer_huge_pages(buffer);
  }
  Output(const Output&) = delete;

  const Tensor& tensor() const { return *tensor_; }
  const std::optional<Tensor>& maybe() const { return tensor_; }

  Buffer buffer;

 private:
  TensorSpec spec_;
  int64_t strides_[max_rank];
  std::optional<Tensor> tensor_;
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
};
#endif

}  // namespace opgen::torch
