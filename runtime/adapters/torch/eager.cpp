// Calls ops from Python with less overhead than PyTorch's own call, which takes as long as a small
// kernel. PyTorch matches arguments by name, through dicts and tuples that it creates for every
// call. Then it packs them again for the dispatcher and for the op.
//
// The library is compiled once per minor version of torch and of Python, and is the same for all
// ops. A call is plain if no mode is active and all types are exactly those of the schema, without
// subclasses of Tensor. For other calls, Python code checks the kinds and then calls PyTorch. A
// plain call goes through the dispatcher only if the dispatcher must record a gradient, trace or
// profile.
#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/SmallVector.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Size.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/csrc/utils/object_ptr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "opgen/direct.h"
#include "out_of_memory.h"
#include "plain.h"

#ifdef Py_GIL_DISABLED
#error "free-threaded Python is not supported: a call borrows tensors under the interpreter's lock"
#endif

namespace opgen {
namespace {

using c10::IValue;
using c10::TypeKind;
using direct::Value;
using torch::aot_inductor::tensor_handle_to_tensor_pointer;
using torch::aot_inductor::tensor_pointer_to_tensor_handle;
using Stack = std::vector<IValue>;

// The type of an argument of the schema.
struct Parameter {
  TypeKind kind;
  TypeKind item = TypeKind::AnyType;  // the type of a list's items
  bool optional = false;
  bool written = false;

  explicit Parameter(const c10::Argument& argument) {
    c10::TypePtr type = argument.real_type();
    if (const auto outer = type->cast<c10::OptionalType>()) {
      type = outer->getElementType();
      optional = true;
    }
    kind = type->kind();
    if (const auto list = type->cast<c10::ListType>()) item = list->getElementType()->kind();
    written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
  }
};

std::optional<int64_t> integer(PyObject* value) {
  if (!PyLong_CheckExact(value)) return std::nullopt;
  int overflow;
  const int64_t found = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow != 0) return std::nullopt;
  return found;
}

std::optional<double> number(PyObject* value) {
  if (PyFloat_CheckExact(value)) return PyFloat_AS_DOUBLE(value);
  const std::optional<int64_t> found = integer(value);
  return found ? std::optional(static_cast<double>(*found)) : std::nullopt;
}

// Returns the tensor that a Python object holds.
AtenTensorHandle handle(PyObject* tensor) {
  return tensor_pointer_to_tensor_handle(const_cast<at::Tensor*>(&THPVariable_Unpack(tensor)));
}

const at::Tensor& tensor(AtenTensorHandle handle) {
  return *tensor_handle_to_tensor_pointer(handle);
}

// The arguments of a call, read from Python. While the thread holds the GIL, the tensors are
// borrowed from Python's objects. `own` must be called before the GIL is released.
class Arguments {
 public:
  explicit Arguments(const std::vector<Parameter>& parameters) : parameters_(parameters) {
    values_.reserve(parameters.size());
  }

  // Adds the next argument and returns true if it has exactly the type of its parameter.
  bool add(PyObject* given) {
    const Parameter& parameter = parameters_[values_.size()];
    Value& value = values_.emplace_back();
    if (parameter.optional && given == Py_None) return true;
    value.present = true;
    switch (parameter.kind) {
      case TypeKind::TensorType:
        if (!THPVariable_CheckExact(given)) return false;
        value.tensor = handle(given);
        return true;
      case TypeKind::ListType: return add_list(value, parameter.item, given);
      case TypeKind::IntType:
      case TypeKind::SymIntType: return set(value.integer, integer(given));
      case TypeKind::FloatType: return set(value.number, number(given));
      case TypeKind::BoolType: value.flag = given == Py_True; return PyBool_Check(given);
      case TypeKind::StringType: {
        Py_ssize_t size = 0;
        const char* text =
            PyUnicode_CheckExact(given) ? PyUnicode_AsUTF8AndSize(given, &size) : nullptr;
        if (text == nullptr) PyErr_Clear();
        value.items = {text, static_cast<size_t>(size)};
        return text != nullptr;
      }
      case TypeKind::ScalarTypeType:
        if (!THPDtype_Check(given)) return false;
        value.integer = static_cast<int64_t>(reinterpret_cast<THPDtype*>(given)->scalar_type);
        return true;
      default: return false;
    }
  }

  const Value* values() const { return values_.data(); }

  // Calls `visit` with each tensor and its parameter, until `visit` returns false.
  template <class Visit>
  bool all_tensors(const Visit& visit) const {
    for (size_t i = 0; i < values_.size(); ++i) {
      const Value& value = values_[i];
      const Parameter& parameter = parameters_[i];
      if (!value.present) continue;
      if (parameter.kind == TypeKind::TensorType) {
        if (!visit(tensor(value.tensor), parameter)) return false;
      } else if (parameter.item == TypeKind::TensorType) {
        for (const AtenTensorHandle item : items<AtenTensorHandle>(value)) {
          if (!visit(tensor(item), parameter)) return false;
        }
      }
    }
    return true;
  }

  // Takes references to the tensors. Otherwise other threads could replace the tensors of Python's
  // objects (`torch.utils.swap_tensors`, which fails if there are references). The references can
  // be dropped only with the GIL.
  void own() {
    size_t count = values_.size();
    for (const auto& list : handles_) count += list.size();
    owned_.reserve(count);  // their addresses are kept
    const auto own = [this](AtenTensorHandle& handle) {
      handle = tensor_pointer_to_tensor_handle(&owned_.emplace_back(tensor(handle)));
    };
    for (size_t i = 0; i < values_.size(); ++i) {
      if (parameters_[i].kind == TypeKind::TensorType && values_[i].present) own(values_[i].tensor);
    }
    for (auto& list : handles_) std::for_each(list.begin(), list.end(), own);
  }

  // Returns the arguments for the dispatcher, which takes ownership, also of the items of lists.
  Stack stack() const {
    Stack stack;
    stack.reserve(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) stack.push_back(boxed(values_[i], parameters_[i]));
    return stack;
  }

 private:
  template <class T>
  static bool set(T& member, std::optional<T> found) {
    if (found) member = *found;
    return found.has_value();
  }

  template <class T>
  static c10::ArrayRef<T> items(const Value& value) {
    return {static_cast<const T*>(value.items.data), value.items.size};
  }

  bool add_list(Value& value, TypeKind item, PyObject* given) {
    // Reading the items of other sequences may run Python code, which may delete earlier arguments.
    if (!PyList_CheckExact(given) && !PyTuple_CheckExact(given) && !THPSize_Check(given))
      return false;
    PyObject** const begin = PySequence_Fast_ITEMS(given);
    PyObject** const end = begin + PySequence_Fast_GET_SIZE(given);
    switch (item) {
      case TypeKind::TensorType: return add_tensors(value, begin, end);
      case TypeKind::IntType:
      case TypeKind::SymIntType:
        return add_numbers(value, integers_.emplace_back(), begin, end, integer);
      case TypeKind::FloatType:
        return add_numbers(value, numbers_.emplace_back(), begin, end, number);
      default: return false;
    }
  }

  bool add_tensors(Value& value, PyObject** begin, PyObject** end) {
    if (!std::all_of(begin, end, THPVariable_CheckExact)) return false;
    std::vector<AtenTensorHandle>& handles = handles_.emplace_back(end - begin);
    std::transform(begin, end, handles.begin(), handle);
    value.items = {handles.data(), handles.size()};
    return true;
  }

  template <class T, class Read>
  static bool add_numbers(Value& value, std::vector<T>& numbers, PyObject** begin, PyObject** end,
                          const Read& read) {
    numbers.reserve(end - begin);
    for (PyObject** each = begin; each != end; ++each) {
      const std::optional<T> found = read(*each);
      if (!found) return false;
      numbers.push_back(*found);
    }
    value.items = {numbers.data(), numbers.size()};
    return true;
  }

  static IValue boxed(const Value& value, const Parameter& parameter) {
    if (!value.present) return {};
    switch (parameter.kind) {
      case TypeKind::TensorType: return tensor(value.tensor);
      case TypeKind::ListType: {
        if (parameter.item == TypeKind::FloatType) return items<double>(value);
        if (parameter.item != TypeKind::TensorType) return items<int64_t>(value);
        c10::List<at::Tensor> list;
        list.reserve(value.items.size);
        for (const AtenTensorHandle item : items<AtenTensorHandle>(value)) {
          list.push_back(tensor(item));
        }
        return list;
      }
      case TypeKind::FloatType: return value.number;
      case TypeKind::BoolType: return value.flag;
      case TypeKind::StringType:
        return std::string(static_cast<const char*>(value.items.data), value.items.size);
      default: return value.integer;
    }
  }

  const std::vector<Parameter>& parameters_;
  c10::SmallVector<Value, 16> values_;
  c10::SmallVector<at::Tensor, 8> owned_;
  c10::SmallVector<std::vector<AtenTensorHandle>, 8> handles_;
  c10::SmallVector<std::vector<int64_t>, 4> integers_;
  c10::SmallVector<std::vector<double>, 4> numbers_;
};

PyObject* wrapped(IValue&& value) {
  if (value.isNone()) Py_RETURN_NONE;
  if (value.isTensor()) return THPVariable_Wrap(std::move(value).toTensor());
  return THPVariable_WrapList(value.toTensorVector());
}

PyObject* wrapped(std::unique_ptr<at::Tensor>&& tensor) {
  return tensor ? THPVariable_Wrap(std::move(*tensor)) : Py_NewRef(Py_None);
}

// Returns the result for Python: None, a single result, or a tuple.
template <class Results>
PyObject* wrapped(Results&& results) {
  if (results.empty()) Py_RETURN_NONE;
  if (results.size() == 1) return wrapped(std::move(results.front()));
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  if (!tuple) return nullptr;
  for (size_t i = 0; i < results.size(); ++i) {
    PyObject* result = wrapped(std::move(results[i]));
    if (result == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, result);
  }
  return tuple.release();
}

// Releases the GIL during its lifetime, unless `holding` is true.
class WithoutGil {
 public:
  explicit WithoutGil(bool holding) : state_(holding ? nullptr : PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  ~WithoutGil() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* const state_;
};

// A callable for an op. It has the op's dispatcher handle, PyTorch's own callable, and the op's
// functions for the CPU and for GPUs.
class Eager {
 public:
  Eager(c10::OperatorHandle op, PyObject* general, direct::Find* find)
      : op_(std::move(op)), general_(Py_NewRef(general)) {
    for (const c10::Argument& argument : op_.schema().arguments()) {
      parameters_.emplace_back(argument);
      writes_ |= parameters_.back().written;
    }
    if (find == nullptr) return;
    if (op_.hasKernelForDispatchKey(DispatchKey::BackendSelect)) return;  // a step for all devices
    const c10::OperatorName reference{op_.operator_name().name, "reference"};
    runs_python_ = c10::Dispatcher::singleton().findSchema(reference).has_value();
    const std::string name = c10::toString(op_.operator_name());
    const char* const without_namespace = name.c_str() + name.find("::") + 2;
    cpu_ = find(without_namespace, 0);
    cuda_ = find(without_namespace, 1);
  }

  PyObject* call(PyObject* const* args, Py_ssize_t count, PyObject* names) {
    HANDLE_TH_ERRORS
    Arguments arguments(parameters_);
    if (!plain(arguments, args, count, names)) {
      return PyObject_Vectorcall(general_.get(), args, static_cast<size_t>(count), names);
    }
    try {
      direct::Function* const function = past_dispatcher(arguments);
      const bool holding = function != nullptr && function == cpu_ && is_small(arguments);
      if (!holding) arguments.own();
      return with_own_errors(op_, [&] {
        return function == nullptr ? dispatch(arguments) : run(function, arguments, holding);
      });
    } catch (const std::invalid_argument& error) {
      // A value was rejected. PyTorch also converts this exception to ValueError.
      PyErr_SetString(PyExc_ValueError, error.what());
      return nullptr;
    }
    END_HANDLE_TH_ERRORS
  }

 private:
  bool plain(Arguments& arguments, PyObject* const* args, Py_ssize_t count, PyObject* names) const {
    if (names != nullptr || static_cast<size_t>(count) != parameters_.size()) return false;
    if (at::impl::torch_function_mode_enabled()) return false;
    return std::all_of(args, args + count, [&](PyObject* given) { return arguments.add(given); });
  }

  // Returns the function that the dispatcher would call in the end, or null if the dispatcher has
  // other work before.
  direct::Function* past_dispatcher(const Arguments& arguments) const {
    if ((cpu_ == nullptr && cuda_ == nullptr) || !nothing_is_on()) return nullptr;
    const bool recording = c10::GradMode::is_enabled(),
               inference = c10::InferenceMode::is_enabled();
    DispatchKeySet device;
    const auto joins = [&](const at::Tensor& tensor, const Parameter& parameter) {
      if (!tensor.defined()) return false;
      if (device.empty()) device = device_keys(tensor);
      if (device_keys(tensor) != device) return false;
      if (parameter.written && !inference && tensor.is_inference()) return false;
      if (tensor.unsafeGetTensorImpl()->autograd_meta() == nullptr) return true;
      return !(recording && tensor.requires_grad()) && !tensor._fw_grad(/*level=*/0).defined();
    };
    if (!arguments.all_tensors(joins)) return nullptr;
    if (device == DispatchKeySet(DispatchKey::CPU)) return cpu_;
    return device == DispatchKeySet(DispatchKey::CUDA) ? cuda_ : nullptr;
  }

  // True if the op reads and writes so little that to release the GIL and own the tensors would
  // take as long. An op that allocates results may write any amount.
  bool is_small(const Arguments& arguments) const {
    if (runs_python_ || !op_.schema().returns().empty()) return false;
    size_t bytes = 0;
    return arguments.all_tensors([&](const at::Tensor& tensor, const Parameter&) {
      bytes += tensor.nbytes();
      return bytes <= 32 * 1024;
    });
  }

  PyObject* run(direct::Function* function, const Arguments& arguments, bool holding) const {
    c10::SmallVector<AtenTensorHandle, 8> handles(op_.schema().returns().size(), nullptr);
    {
      const WithoutGil released(holding);
      const at::AutoDispatchBelowADInplaceOrView below;
      function(arguments.values(), handles.data());
    }
    if (writes_) {
      arguments.all_tensors([](const at::Tensor& tensor, const Parameter& parameter) {
        if (parameter.written && !tensor.is_inference())
          torch::autograd::impl::bump_version(tensor);
        return true;
      });
    }
    c10::SmallVector<std::unique_ptr<at::Tensor>, 8> results;
    for (const AtenTensorHandle handle : handles) {
      results.emplace_back(tensor_handle_to_tensor_pointer(handle));
    }
    return wrapped(std::move(results));
  }

  PyObject* dispatch(const Arguments& arguments) const {
    Stack stack = arguments.stack();
    {
      const WithoutGil released(/*holding=*/false);
      op_.callBoxed(stack);
    }
    return wrapped(std::move(stack));
  }

  const c10::OperatorHandle op_;
  THPObjectPtr general_;
  direct::Function* cpu_ = nullptr;
  direct::Function* cuda_ = nullptr;
  std::vector<Parameter> parameters_;
  bool writes_ = false;
  bool runs_python_ = false;
};

constexpr const char* capsule = "opgen.eager";

PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return static_cast<Eager*>(PyCapsule_GetPointer(self, capsule))->call(args, count, names);
}

void destroy(PyObject* self) { delete static_cast<Eager*>(PyCapsule_GetPointer(self, capsule)); }

PyMethodDef method = {"eager", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)),
                      METH_FASTCALL | METH_KEYWORDS, "Calls an op."};

bool gives_tensors(const c10::FunctionSchema& schema) {
  return std::all_of(schema.returns().begin(), schema.returns().end(),
                     [](const c10::Argument& result) {
    const Parameter given(result);
    return given.kind == TypeKind::TensorType || given.item == TypeKind::TensorType;
  });
}

}  // namespace
}  // namespace opgen

// Returns a callable that does the same as `general`, PyTorch's own callable for the op, and takes
// the same arguments in schema order. `find` returns the functions of a library's ops. If it is
// null, every call goes through the dispatcher. Returns a new reference, or null with an exception
// set.
extern "C" __attribute__((visibility("default"))) PyObject* opgen_eager(const char* name,
                                                                        const char* overload,
                                                                        PyObject* general,
                                                                        opgen::direct::Find* find) {
  HANDLE_TH_ERRORS
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  if (!opgen::gives_tensors(op.schema())) return Py_NewRef(general);
  auto eager = std::make_unique<opgen::Eager>(std::move(op), general, find);
  THPObjectPtr self(PyCapsule_New(eager.get(), opgen::capsule, opgen::destroy));
  if (!self) return nullptr;
  eager.release();
  return PyCFunction_New(&opgen::method, self.get());
  END_HANDLE_TH_ERRORS
}
