// The table that a rendered `cpp/bindings.cpp` defines. `adapters/python/bindings.cpp` creates a
// Python module from this table.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace opgen::bindings {

/// The types of descriptor fields, each with its types in Python and C++. `dtype` is the code of an
/// element type.
#define OPGEN_FIELD_TYPES(TYPE)               \
  TYPE(i32, "int", int32_t)                   \
  TYPE(i64, "int", int64_t)                   \
  TYPE(f32, "float", float)                   \
  TYPE(f64, "float", double)                  \
  TYPE(c128, "complex", std::complex<double>) \
  TYPE(bool_, "bool", bool)                   \
  TYPE(dtype, "ElementType", ElementType)

#define OPGEN_NAME(name, python, cpp) name,
enum Type : uint8_t { OPGEN_FIELD_TYPES(OPGEN_NAME) };
#undef OPGEN_NAME

struct Field {
  const char* name;
  Type type;
  int32_t offset;
  /// The number of values of an array; 0 if the field is not an array.
  int32_t count = 0;
};

/// The descriptor of an op.
struct Descriptor {
  const char* op;
  int32_t size;
  std::initializer_list<Field> fields;
};

/// The namespace of the ops.
extern const char* const library;

/// The descriptors of all ops.
extern const std::initializer_list<Descriptor> descriptors;

}  // namespace opgen::bindings
