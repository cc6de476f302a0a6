// Calls references in place of kernels. Python registers the references.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "opgen/torch.h"

namespace opgen::torch {

namespace detail {

using ::torch::stable::detail::from;
using ::torch::stable::detail::to;

/// Converts an argument to a value that the dispatcher can own.
template <class T>
T own(const T& value) {
  return value;
}
inline int32_t own(DType value) { return value.number; }
inline std::string own(std::string_view value) { return std::string(value); }
inline ::torch::stable::Tensor own(Tensor value) {
  AtenTensorHandle handle;
  ok(aoti_torch_new_tensor_handle(value.handle, &handle), "share a tensor");
  return ::torch::stable::Tensor(handle);
}
inline std::vector<::torch::stable::Tensor> own(List<Tensor> values) {
  std::vector<::torch::stable::Tensor> tensors;
  for (const Tensor& value : values) tensors.push_back(own(value));
  return tensors;
}
template <class T>
auto own(const std::optional<T>& value) {
  return value ? std::make_optional(own(*value)) : std::nullopt;
}

/// Converts the dispatcher's value.
template <class T>
struct Result;
template <>
struct Result<void> {
  static constexpr size_t count = 0;
  static void take(const StableIValue*) {}
};
template <>
struct Result<Owned> {
  static constexpr size_t count = 1;
  static Owned take(const StableIValue* stack) { return Owned(to<AtenTensorHandle>(*stack)); }
};
template <>
struct Result<OptionalOwned> {
  static constexpr size_t count = 1;
  static OptionalOwned take(const StableIValue* stack) {
    return Owned(to<std::optional<AtenTensorHandle>>(*stack).value_or(nullptr));
  }
};
template <>
struct Result<std::vector<Owned>> {
  static constexpr size_t count = 1;
  static std::vector<Owned> take(const StableIValue* stack) {
    const auto handles = to<std::vector<AtenTensorHandle>>(*stack);
    return {handles.begin(), handles.end()};
  }
};
template <class... Results>
struct Result<std::tuple<Results...>> {
  static constexpr size_t count = sizeof...(Results);
  static std::tuple<Results...> take(const StableIValue* stack) {
    return take(stack, std::index_sequence_for<Results...>());
  }
  template <size_t... at>
  static std::tuple<Results...> take(const StableIValue* stack, std::index_sequence<at...>) {
    return {Result<Results>::take(stack + at)...};
  }
};

}  // namespace detail

/// Calls the reference of the op `name`, which Python has registered as an overload.
template <class Results, class... Args>
Results reference(const char* name, const Args&... args) {
  using Given = detail::Result<Results>;
  constexpr size_t room = Given::count > sizeof...(Args) ? Given::count : sizeof...(Args);
  std::array<StableIValue, room + 1> stack{detail::from(detail::own(args))...};
  ok(torch_call_dispatcher(name, "reference", stack.data(), TORCH_ABI_VERSION),
     "run the reference of an op");
  return Given::take(stack.data());
}

/// Copies the outputs among `results`, which come first, to the caller's tensors.
template <class Results>
void write(Results&& results, std::initializer_list<const Given*> given) {
  auto next = given.begin();
  take_apart(std::move(results), [&](auto&& result) {
    if constexpr (std::is_base_of_v<Owned, std::decay_t<decltype(result)>>) {
      if (next != given.end()) (*next++)->write(result);
    }
  });
}

}  // namespace opgen::torch
