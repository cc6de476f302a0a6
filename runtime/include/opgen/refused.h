// The errors of a call that an op does not accept.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace opgen {

/// The error of a wrong call. The message names the op, the argument, the expected and the actual
/// value. It does not contain a location in the source code.
struct Refused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// An argument's name in messages: `x`, or `params[2]` in a list.
struct Label {
  const char* name;
  int64_t index;

  Label(const char* name, int64_t index = -1) : name(name), index(index) {}

  friend std::ostream& operator<<(std::ostream& out, const Label& label) {
    out << label.name;
    return label.index < 0 ? out : out << '[' << label.index << ']';
  }
};

/// The error of a failed allocation, for libraries that do not have PyTorch's own error type.
struct __attribute__((visibility("default"))) OutOfMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns `parts` as text, printed one after the other.
template <class... Parts>
__attribute__((noinline, cold)) std::string text(const Parts&... parts) {
  std::ostringstream message;
  message.precision(17);
  (message << ... << parts);
  return message.str();
}

/// Throws `Refused`. The message is `parts`, printed one after the other.
template <class... Parts>
[[noreturn]] __attribute__((noinline, cold)) void refuse(const Parts&... parts) {
  throw Refused(text(parts...));
}

}  // namespace opgen
