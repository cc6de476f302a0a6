// Calls ops from Python. PyTorch's own way there takes as long as a small kernel: it matches
// arguments by name, through dicts and tuples that it makes for every call.
//
// The library is compiled once per minor version of torch and of Python, and knows no op. Whatever
// is no plain call is left to PyTorch: subclasses of Tensor, modes, and values whose types are not
// just those of the schema, of which it also says what is wrong.
#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace opgen {
namespace {

using c10::IValue;
using c10::TypeKind;
using Stack = std::vector<IValue>;

// What an argument of the schema takes.
struct Parameter {
  TypeKind kind;
  TypeKind item = TypeKind::AnyType;  // of a list
  bool optional = false;

  explicit Parameter(const c10::Argument& argument) {
    c10::TypePtr type = argument.real_type();
    if (const auto outer = type->cast<c10::OptionalType>()) {
      type = outer->getElementType();
      optional = true;
    }
    kind = type->kind();
    if (const auto list = type->cast<c10::ListType>()) item = list->getElementType()->kind();
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

// The arguments of a call, and their tensors once more: to let go of one that nobody else in C++ has
// takes the interpreter, so that it is not done before that is held again.
struct Arguments {
  Stack stack;
  std::vector<at::Tensor> kept;

  const at::Tensor& keep(PyObject* tensor) {
    return kept.emplace_back(THPVariable_Unpack(tensor));
  }
};

bool add_list(Arguments& arguments, TypeKind item, PyObject* value) {
  if (!PyList_CheckExact(value) && !PyTuple_Check(value)) return false;
  PyObject** const items = PySequence_Fast_ITEMS(value);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
  if (item == TypeKind::TensorType) {
    if (!std::all_of(items, items + count, THPVariable_CheckExact)) return false;
    c10::List<at::Tensor> list;
    list.reserve(count);
    arguments.kept.reserve(arguments.kept.size() + count);
    for (Py_ssize_t i = 0; i < count; ++i) list.push_back(arguments.keep(items[i]));
    arguments.stack.emplace_back(std::move(list));
    return true;
  }
  if (item != TypeKind::IntType && item != TypeKind::SymIntType) return false;
  c10::List<int64_t> list;
  list.reserve(count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    const std::optional<int64_t> found = integer(items[i]);
    if (!found) return false;
    list.push_back(*found);
  }
  arguments.stack.emplace_back(std::move(list));
  return true;
}

// Adds a value, if it is plainly one that the parameter takes.
bool add(Arguments& arguments, const Parameter& parameter, PyObject* value) {
  Stack& stack = arguments.stack;
  if (parameter.optional && value == Py_None) {
    stack.emplace_back();
    return true;
  }
  switch (parameter.kind) {
    case TypeKind::TensorType:
      if (!THPVariable_CheckExact(value)) return false;
      stack.emplace_back(arguments.keep(value));
      return true;
    case TypeKind::ListType:
      return add_list(arguments, parameter.item, value);
    case TypeKind::IntType:
    case TypeKind::SymIntType: {
      const std::optional<int64_t> found = integer(value);
      if (found) stack.emplace_back(*found);
      return found.has_value();
    }
    case TypeKind::FloatType: {
      const std::optional<double> found = number(value);
      if (found) stack.emplace_back(*found);
      return found.has_value();
    }
    case TypeKind::BoolType:
      if (!PyBool_Check(value)) return false;
      stack.emplace_back(value == Py_True);
      return true;
    case TypeKind::StringType: {
      Py_ssize_t size;
      const char* text = PyUnicode_CheckExact(value) ? PyUnicode_AsUTF8AndSize(value, &size) : nullptr;
      if (text == nullptr) {
        PyErr_Clear();
        return false;
      }
      stack.emplace_back(std::string(text, static_cast<size_t>(size)));
      return true;
    }
    case TypeKind::ScalarTypeType:
      if (!THPDtype_Check(value)) return false;
      stack.emplace_back(reinterpret_cast<THPDtype*>(value)->scalar_type);
      return true;
    default:
      return false;
  }
}

PyObject* wrapped(IValue&& value) {
  if (value.isTensor()) return THPVariable_Wrap(std::move(value).toTensor());
  return THPVariable_WrapList(value.toTensorVector());
}

PyObject* wrapped(Stack&& results) {
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

struct WithoutGil {
  PyThreadState* const state = PyEval_SaveThread();
  ~WithoutGil() { PyEval_RestoreThread(state); }
};

// An op, and PyTorch's own callable for it.
class Eager {
 public:
  Eager(c10::OperatorHandle op, PyObject* general)
      : op_(std::move(op)), general_(Py_NewRef(general)) {
    for (const c10::Argument& argument : op_.schema().arguments()) parameters_.emplace_back(argument);
  }

  PyObject* call(PyObject* const* args, Py_ssize_t count, PyObject* names) {
    HANDLE_TH_ERRORS
    Arguments arguments;
    if (!plain(arguments, args, count, names)) {
      return PyObject_Vectorcall(general_.get(), args, static_cast<size_t>(count), names);
    }
    try {
      const WithoutGil released;
      op_.callBoxed(arguments.stack);
    } catch (const std::invalid_argument& error) {  // a value is refused; PyTorch, too, leaves it so
      PyErr_SetString(PyExc_ValueError, error.what());
      return nullptr;
    }
    return wrapped(std::move(arguments.stack));
    END_HANDLE_TH_ERRORS
  }

 private:
  bool plain(Arguments& arguments, PyObject* const* args, Py_ssize_t count, PyObject* names) const {
    if (names != nullptr || static_cast<size_t>(count) != parameters_.size()) return false;
    if (at::impl::torch_function_mode_enabled()) return false;
    arguments.stack.reserve(parameters_.size());
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!add(arguments, parameters_[i], args[i])) return false;
    }
    return true;
  }

  const c10::OperatorHandle op_;
  THPObjectPtr general_;
  std::vector<Parameter> parameters_;
};

constexpr const char* capsule = "opgen.eager";

PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return static_cast<Eager*>(PyCapsule_GetPointer(self, capsule))->call(args, count, names);
}

void destroy(PyObject* self) { delete static_cast<Eager*>(PyCapsule_GetPointer(self, capsule)); }

PyMethodDef method = {"eager", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)),
                      METH_FASTCALL | METH_KEYWORDS, "Calls an op."};

bool gives_tensors(const c10::FunctionSchema& schema) {
  return std::all_of(schema.returns().begin(), schema.returns().end(), [](const c10::Argument& result) {
    const Parameter given(result);
    return !given.optional && (given.kind == TypeKind::TensorType || given.item == TypeKind::TensorType);
  });
}

}  // namespace
}  // namespace opgen

// A callable that does what `general` does, PyTorch's own for the op, and takes the same arguments,
// in the order of the schema. A new reference, or null with an exception set.
extern "C" __attribute__((visibility("default"))) PyObject* opgen_eager(const char* name,
                                                                        const char* overload,
                                                                        PyObject* general) {
  HANDLE_TH_ERRORS
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  if (!opgen::gives_tensors(op.schema())) return Py_NewRef(general);
  auto eager = std::make_unique<opgen::Eager>(std::move(op), general);
  THPObjectPtr self(PyCapsule_New(eager.get(), opgen::capsule, opgen::destroy));
  if (!self) return nullptr;
  eager.release();
  return PyCFunction_New(&opgen::method, self.get());
  END_HANDLE_TH_ERRORS
}
