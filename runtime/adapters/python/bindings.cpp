// The Python module `bindings` of a rendered package, with descriptors, element types and FFI
// handlers for users. The code is the same for any op, because it reads a table.
#include "opgen/bindings.h"

#include <pybind11/complex.h>
#include <pybind11/pybind11.h>

#include <complex>
#include <cstring>
#include <string>
#include <type_traits>

#include "opgen/descriptor.h"
#include "opgen/element_type.h"
#include "opgen/opened_library.h"
#include "opgen/refused.h"

namespace opgen::bindings {
namespace {

namespace py = pybind11;

std::string function_of(const Descriptor& descriptor) {
  return text("create_", descriptor.op, "_descriptor");
}

const char* python_type(Type type) {
  switch (type) {
#define OPGEN_CASE(name, python, cpp) \
  case name: return python;
    OPGEN_FIELD_TYPES(OPGEN_CASE)
#undef OPGEN_CASE
  }
  return "";
}

std::string documentation(const Descriptor& descriptor) {
  std::string arguments;
  for (const Field& field : descriptor.fields) {
    const char* const type = python_type(field.type);
    const std::string whole = field.count == 0 ? type : text("Sequence[", type, "]");
    arguments += text(arguments.empty() ? "" : ", ", field.name, ": ", whole);
  }
  return text(function_of(descriptor), "(", arguments, ") -> bytes\n\nThe packed descriptor of ",
              descriptor.op, ".");
}

/// Writes Python values of fields to the bytes of a descriptor.
struct Writer {
  const char* op;
  const Field& field;

  void write(char* descriptor, py::handle given) const {
    char* const place = descriptor + field.offset;
    switch (field.type) {
#define OPGEN_CASE(name, python, cpp) \
  case name: return put<cpp>(place, given);
      OPGEN_FIELD_TYPES(OPGEN_CASE)
#undef OPGEN_CASE
    }
  }

 private:
  template <class T>
  void put(char* place, py::handle given) const {
    if (field.count == 0) return put_one<T>(place, given);
    if (!PySequence_Check(given.ptr())) unfit("a sequence", given);
    const auto values = py::reinterpret_borrow<py::sequence>(given);
    if (values.size() > static_cast<size_t>(field.count)) {
      refuse(op, ": ", field.name, ": at most ", field.count, " values fit the field, got ",
             values.size());
    }
    for (size_t i = 0; i < values.size(); ++i) put_one<T>(place + i * sizeof(T), values[i]);
  }

  template <class T>
  void put_one(char* place, py::handle given) const {
    const Fill fill{op};
    T value{};
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const py::int_ whole = integer(given);
      int overflow = 0;
      const long long small = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
      if (overflow != 0) fill.misfit<T>(field.name, std::string(py::str(whole)));
      fill(value, field.name, Int(small));
    } else if constexpr (std::is_floating_point_v<T>) {
      fill(value, field.name, read<double>(given));
    } else {
      value = read<T>(given);
    }
    std::memcpy(place, &value, sizeof value);
  }

  /// Converts any object with `__index__` to an integer of any size.
  py::int_ integer(py::handle given) const {
    if (!PyIndex_Check(given.ptr())) unfit(python_type(field.type), given);
    PyObject* const found = PyNumber_Index(given.ptr());
    if (found == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::int_>(found);
  }

  template <class T>
  T read(py::handle given) const {
    py::detail::make_caster<T> caster;
    if (!caster.load(given, true)) unfit(python_type(field.type), given);
    return py::detail::cast_op<T>(caster);
  }

  [[noreturn]] void unfit(const char* expected, py::handle given) const {
    throw py::type_error(text(op, ": ", field.name, ": expected ", expected, ", got ",
                              Py_TYPE(given.ptr())->tp_name));
  }
};

/// Returns the bytes of a descriptor. Its fields are positional or keyword arguments.
py::bytes packed(const Descriptor& descriptor, const py::args& placed, const py::kwargs& named) {
  const std::string function = function_of(descriptor);
  std::string bytes(descriptor.size, '\0');
  size_t place = 0;
  for (const Field& field : descriptor.fields) {
    const bool is_placed = place < placed.size();
    const bool is_named = named.contains(field.name);
    if (is_placed == is_named) {
      throw py::type_error(
          text(function, "() ", is_placed ? "got two values for " : "lacks ", field.name));
    }
    const py::object given = is_placed ? py::object(placed[place]) : named[field.name];
    Writer{descriptor.op, field}.write(bytes.data(), given);
    ++place;
  }
  const size_t given = placed.size() + named.size();
  if (given > place) {
    throw py::type_error(text(function, "() takes ", place, " arguments, got ", given,
                              ": see help(", function, ")"));
  }
  return py::bytes(bytes);
}

/// Returns the FFI handlers for a platform. They are in a library that this module links.
py::dict registrations(const std::string& platform) {
  Dl_info module{};
  dladdr(&descriptors, &module);
  OpenedLibrary self({module.dli_fname});
  py::dict found;
  for (const Descriptor& descriptor : descriptors) {
    const std::string name = text(library, "_", descriptor.op, "_", platform);
    void* (*handler)(void*) = nullptr;
    self.find(handler, (name + "_ffi").c_str());
    if (handler == nullptr) continue;
    const std::string target = text(library, ".", descriptor.op);
    found[target.c_str()] = py::capsule(reinterpret_cast<void*>(handler));
  }
  return found;
}

/// Adds the enum `ElementType`. Its values are the codes in descriptors. Each package has its own
/// enum, because pybind11 would otherwise share a C++ type among all modules.
void add_element_types(py::module_& module) {
  py::enum_<ElementType> types(module, "ElementType", "The codes of element types in descriptors.",
                               py::module_local());
  for (int32_t code = 0; code < element_type_count; ++code) {
    const auto type = static_cast<ElementType>(code);
    std::string label = name(type);
    for (char& letter : label) letter = letter >= 'a' ? letter - 'a' + 'A' : letter;
    types.value(label.c_str(), type);
  }
}

}  // namespace
}  // namespace opgen::bindings

PYBIND11_MODULE(bindings, module) {
  namespace py = pybind11;
  using namespace opgen::bindings;
  add_element_types(module);
  module.def("registrations", registrations, py::arg("platform") = "cpu",
             "The XLA FFI handlers for a platform, as capsules, by the names to register them "
             "under.");
  py::options options;
  options.disable_function_signatures();  // they would only show *args
  for (const Descriptor& descriptor : descriptors) {
    const auto pack = [&descriptor](const py::args& placed, const py::kwargs& named) {
      return packed(descriptor, placed, named);
    };
    module.def(function_of(descriptor).c_str(), pack, documentation(descriptor).c_str());
  }
}
