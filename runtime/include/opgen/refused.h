// A call that an op does not accept.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace opgen {

/// What is wrong with a call; the message names the op, the argument, what was expected and what
/// was given, and no place in a source file.
struct Refused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// `parts`, printed one after the other.
template <class... Parts>
__attribute__((noinline, cold)) std::string text(const Parts&... parts) {
  std::ostringstream message;
  message.precision(17);
  (message << ... << parts);
  return message.str();
}

/// Throws `Refused` with the message that `parts` make when printed one after the other.
template <class... Parts>
[[noreturn]] __attribute__((noinline, cold)) void refuse(const Parts&... parts) {
  throw Refused(text(parts...));
}

}  // namespace opgen
