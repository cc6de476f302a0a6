// Checks of a test program: each that fails is printed, and the program gives 1.
#pragma once

#include <cstdio>
#include <exception>
#include <string>

inline int failures = 0;

#define HOLDS(condition) \
  (void)((condition) || (++failures, std::printf("line %d: %s\n", __LINE__, #condition)))

/// What `call` throws, if that is an `Error`.
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
