// Detects programs that were exported with another version of an op, for any op.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "opgen/torch_function.h"

namespace opgen::torch {

/// The hash of each op of this library, by its name.
inline std::unordered_map<std::string, int64_t>& op_hashes() {
  static std::unordered_map<std::string, int64_t> hashes;
  return hashes;
}

/// Throws `Refused` for a program that was exported with another version of the op. An exported
/// program calls this before each call of the op, because the call itself cannot contain the hash.
inline void made_with(std::string_view op, int64_t op_hash) {
  const auto found = op_hashes().find(std::string(op));
  if (found != op_hashes().end() && found->second == op_hash) return;
  refuse(op, ": this program was made with another state of the op: export it again");
}

/// Defines `_made_with` in a fragment of the library, unless another fragment has.
template <class Library>
void define_made_with(Library& library) {
  static const bool defined = (library.def("_made_with(str op, int op_hash) -> ()"), true);
  (void)defined;
}

/// Registers the implementation of `_made_with`, once for the library. The op has no tensors, and
/// so no device.
template <class Library>
void implement_made_with(Library& library) {
  static const bool done = (library.impl("_made_with", ways<&made_with>.from_dispatcher), true);
  (void)done;
}

}  // namespace opgen::torch
