// Checks for test programs. HOLDS prints a failed check and counts it in `failures`.
#pragma once

#include <cstdio>
#include <exception>
#include <string>

inline int failures = 0;

#define HOLDS(condition) \
  (void)((condition) || (++failures, std::printf("line %d: %s\n", __LINE__, #condition)))

/// Returns the message of the `Error` that `call` throws. Describes any other outcome.
template <class Error, class Call>
std::string thrown(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another error: ") + error.what();
  }
  return "no error";
}
