// Tangents of results, by differentiating the op's reference in Python.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <optional>
#include <string>

namespace opgen {

// Defines the ops that give tangents of the results of "<namespace>::<name>": a function of
// Python's.
using DefineForwardMode = void (*)(const char* name);

inline std::map<std::string, DefineForwardMode>& forward_modes() {
  static auto& forward_modes = *new std::map<std::string, DefineForwardMode>;
  return forward_modes;
}

// The op that gives the tangents of the results of `op`, "<namespace>::<name>": from its gradient,
// if that is made of formulas, else from its reference.
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
