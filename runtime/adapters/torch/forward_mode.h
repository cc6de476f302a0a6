// Tangents of results, by differentiating the op's reference in Python.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <optional>
#include <string>

namespace opgen {

// A Python function that defines the ops that compute tangents of the results of op `name`.
using DefineForwardMode = void (*)(const char* name);

inline std::map<std::string, DefineForwardMode>& forward_modes() {
  static auto& forward_modes = *new std::map<std::string, DefineForwardMode>;
  return forward_modes;
}

// Returns the op that computes the tangents of the results of `op`, "<namespace>::<name>". They
// come from the op's gradient if it consists of formulas, and otherwise from the op's reference.
inline std::optional<c10::OperatorHandle> forward_mode_of(const std::string& op, bool formulas) {
  auto& dispatcher = c10::Dispatcher::singleton();
  const c10::OperatorName name{op + (formulas ? "_formulas_jvp" : "_reference_jvp"), ""};
  if (const auto found = dispatcher.findSchema(name)) return found;
  const size_t colons = op.find("::");
  const auto define = forward_modes().find(op.substr(0, colons));
  if (define == forward_modes().end()) return {};
  define->second(op.c_str() + colons + 2);
  return dispatcher.findSchema(name);
}

}  // namespace opgen
