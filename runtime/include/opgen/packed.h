// Descriptors as bytes, which is how the foreign calls of frameworks carry them.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "opgen/refused.h"

namespace opgen {

/// The bytes of a descriptor.
template <class Descriptor>
std::string PackDescriptor(const Descriptor& descriptor) {
  static_assert(std::is_trivially_copyable_v<Descriptor>);
  return std::string(reinterpret_cast<const char*>(&descriptor), sizeof descriptor);
}

/// The descriptor that some bytes are, wherever they lie; throws `Refused` for a wrong length.
template <class Descriptor>
Descriptor UnpackDescriptor(const char* op, std::string_view bytes) {
  static_assert(std::is_trivially_copyable_v<Descriptor>);
  if (bytes.size() != sizeof(Descriptor)) {
    refuse(op, ": descriptor: expected ", sizeof(Descriptor), " bytes, got ", bytes.size());
  }
  Descriptor descriptor;
  std::memcpy(static_cast<void*>(&descriptor), bytes.data(), sizeof descriptor);
  return descriptor;
}

}  // namespace opgen
