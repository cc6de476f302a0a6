// What the rendered pybind11 module is made of; knows no op.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "opgen/descriptor.h"
#include "opgen/element_type.h"
#include "opgen/kernel.h"
#include "opgen/refused.h"

namespace opgen::bindings {

namespace py = pybind11;

/// A Python integer, whatever its size; anything with `__index__` is one.
struct Integer {
  py::int_ value;
};

/// Fills a descriptor from what Python hands over; `Refused` becomes a ValueError.
struct Fill : opgen::Fill {
  using opgen::Fill::operator();

  template <class T>
  void operator()(T& field, const char* name, const Integer& integer) const {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.value.ptr(), &overflow);
    if (overflow != 0) misfit<T>(name, std::string(py::str(integer.value)));
    (*this)(field, name, Int(value));
  }

  template <class T, size_t room, class V>
  void operator()(T (&field)[room], const char* name, const std::vector<V>& values) const {
    if (values.size() > room) {
      refuse(op, ": ", name, ": at most ", room, " values fit the field, got ", values.size());
    }
    for (size_t i = 0; i < values.size(); ++i) (*this)(field[i], name, V(values[i]));
  }
};

template <class Descriptor>
py::bytes bytes_of(const Descriptor& descriptor) {
  return py::bytes(reinterpret_cast<const char*>(&descriptor), sizeof descriptor);
}

/// Adds the enum `ElementType`, whose values are the codes in descriptors.
inline void add_element_types(py::module_& m) {
  py::enum_<ElementType> types(m, "ElementType", "The codes of element types in descriptors.");
  for (int32_t code = 0; code < element_type_count; ++code) {
    const auto type = static_cast<ElementType>(code);
    std::string label = name(type);
    for (char& letter : label) letter = letter >= 'a' ? letter - 'a' + 'A' : letter;
    types.value(label.c_str(), type);
  }
}

/// One FFI handler.
struct Registration {
  const char* platform;
  const char* target;
  void* handler;
};

/// Adds the function `registrations`.
inline void add_registrations(py::module_& m, std::vector<Registration> rows) {
  m.def("registrations",
        [rows = std::move(rows)](const std::string& platform) {
    py::dict found;
    for (const Registration& row : rows) {
      if (row.platform == platform) found[row.target] = py::capsule(row.handler);
    }
    return found;
  }, py::arg("platform") = "cpu",
        "The XLA FFI handlers for a platform, as capsules, by the names to register them under.");
}

}  // namespace opgen::bindings

namespace pybind11::detail {

template <>
struct type_caster<opgen::bindings::Integer> {
  PYBIND11_TYPE_CASTER(opgen::bindings::Integer, const_name("int"));

  bool load(handle source, bool) {
    if (!source || !PyIndex_Check(source.ptr())) return false;
    value.value = reinterpret_steal<int_>(PyNumber_Index(source.ptr()));
    return static_cast<bool>(value.value);
  }
};

}  // namespace pybind11::detail
