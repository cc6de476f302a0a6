// Calls of references, which Python has registered, in place of kernels.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "opgen/torch.h"

namespace opgen::torch {

namespace detail {

using ::torch::stable::detail::from;
using ::torch::stable::detail::to;

/// An argument for the dispatcher, which wants strings that own their characters.
template <class T>
StableIValue boxed(const T& value) {
  return from(value);
}
inline StableIValue boxed(std::string_view value) { return from(std::string(value)); }
inline StableIValue boxed(const std::optional<std::string_view>& value) {
  return from(value ? std::make_optional(std::string(*value)) : std::nullopt);
}

template <class Result>
struct Unboxed {
  static constexpr size_t count = 1;
  static Result take(const StableIValue* stack) { return to<Result>(stack[0]); }
};
template <>
struct Unboxed<void> {
  static constexpr size_t count = 0;
  static void take(const StableIValue*) {}
};
template <class... Results>
struct Unboxed<std::tuple<Results...>> {
  static constexpr size_t count = sizeof...(Results);
  static std::tuple<Results...> take(const StableIValue* stack) {
    return take(stack, std::index_sequence_for<Results...>());
  }
  template <size_t... at>
  static std::tuple<Results...> take(const StableIValue* stack, std::index_sequence<at...>) {
    return {to<Results>(stack[at])...};
  }
};

}  // namespace detail

/// What the reference of the op `name` gives, which Python has registered as an overload.
template <class Result, class... Args>
Result reference(const char* name, const Args&... args) {
  using Results = detail::Unboxed<Result>;
  constexpr size_t room = Results::count > sizeof...(Args) ? Results::count : sizeof...(Args);
  std::array<StableIValue, room + 1> stack{detail::boxed(args)...};
  ok(torch_call_dispatcher(name, "reference", stack.data(), TORCH_ABI_VERSION),
     "run the reference of an op");
  return Results::take(stack.data());
}

}  // namespace opgen::torch
