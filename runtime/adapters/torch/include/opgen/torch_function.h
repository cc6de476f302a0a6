// The two ways to call an op: through PyTorch's dispatcher, and directly. For any op.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "opgen/direct.h"
#include "opgen/kernel.h"
#include "opgen/torch_types.h"

namespace opgen::torch {

/// A string argument from the dispatcher, which this object owns. (PyTorch never frees the
/// std::string that it creates.)
class Text {
 public:
  explicit Text(StringHandle handle) noexcept : handle_(handle) {}
  Text(Text&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Text() {
    if (handle_ != nullptr) torch_delete_string(handle_);
  }

  std::string_view view() const {
    const char* data;
    size_t size;
    ok(torch_string_c_str(handle_, &data), "give a text");
    ok(torch_string_length(handle_, &size), "give a text's length");
    return {data, size};
  }

 private:
  StringHandle handle_;
};

/// Takes ownership of an argument from the dispatcher.
template <class Owner>
struct Unbox {
  static Owner from(StableIValue value) { return ::torch::stable::detail::to<Owner>(value); }
};
template <>
struct Unbox<Text> {
  static Text from(StableIValue value) {
    return Text(::torch::stable::detail::to<StringHandle>(value));
  }
};
template <>
struct Unbox<std::optional<Text>> {
  static std::optional<Text> from(StableIValue value) {
    const auto handle = ::torch::stable::detail::to<std::optional<StringHandle>>(value);
    if (!handle) return std::nullopt;
    return Text(*handle);
  }
};

/// An argument in the dispatcher's form. `Owner` owns its data until the call ends.
template <class T>
struct Boxed {
  using Owner = T;
  static T get(const Owner& owner) { return owner; }
};
template <>
struct Boxed<Tensor> {
  using Owner = ::torch::stable::Tensor;
  static Tensor get(const Owner& owner) { return {owner.get()}; }
};
template <>
struct Boxed<DType> {
  using Owner = int32_t;
  static DType get(const Owner& owner) { return {owner}; }
};
template <>
struct Boxed<std::string_view> {
  using Owner = Text;
  static std::string_view get(const Owner& owner) { return owner.view(); }
};
template <class T>
struct Boxed<List<T>> {
  using Owner = std::vector<T>;
  static List<T> get(const Owner& owner) { return owner; }
};
template <class T>
struct Boxed<std::optional<T>> {
  static_assert(!std::is_same_v<T, List<Tensor>>, "an optional list would outlive its handles");
  using Owner = std::optional<typename Boxed<T>::Owner>;
  static std::optional<T> get(const Owner& owner) {
    if (!owner) return std::nullopt;
    return Boxed<T>::get(*owner);
  }
};
template <>
struct Boxed<List<Tensor>> {
  using Owner = std::vector<::torch::stable::Tensor>;
  static std::vector<Tensor> get(const Owner& owner) {
    std::vector<Tensor> tensors;
    tensors.reserve(owner.size());
    for (const auto& tensor : owner) tensors.push_back({tensor.get()});
    return tensors;
  }
};

inline StableIValue boxed(Owned result) {
  AtenTensorHandle handle = result.release();
  if (handle == nullptr) {
    ok(aoti_torch_new_uninitialized_tensor(&handle), "make an undefined tensor");
  }
  return ::torch::stable::detail::from(handle);
}
inline StableIValue boxed(OptionalOwned result) {
  const AtenTensorHandle handle = result.release();
  using Optional = std::optional<AtenTensorHandle>;
  return ::torch::stable::detail::from(handle == nullptr ? Optional() : Optional(handle));
}
inline StableIValue boxed(std::vector<Owned> results) {
  StableListHandle list;
  ok(torch_new_list_reserve_size(results.size(), &list), "make a list");
  for (Owned& result : results) {
    ok(torch_list_push_back(list, boxed(std::move(result))), "fill a list");
  }
  return ::torch::stable::detail::from(list);
}

/// An argument in the form of `direct::Value`.
template <class T>
struct Direct;
template <>
struct Direct<Tensor> {
  static Tensor get(const direct::Value& value) { return {value.tensor}; }
};
template <>
struct Direct<double> {
  static double get(const direct::Value& value) { return value.number; }
};
template <>
struct Direct<int64_t> {
  static int64_t get(const direct::Value& value) { return value.integer; }
};
template <>
struct Direct<bool> {
  static bool get(const direct::Value& value) { return value.flag; }
};
template <>
struct Direct<DType> {
  static DType get(const direct::Value& value) { return {static_cast<int32_t>(value.integer)}; }
};
template <>
struct Direct<std::string_view> {
  static std::string_view get(const direct::Value& value) {
    return {static_cast<const char*>(value.items.data), value.items.size};
  }
};
template <class T>
struct Direct<List<T>> {
  static_assert(sizeof(Tensor) == sizeof(AtenTensorHandle));
  static List<T> get(const direct::Value& value) {
    return {static_cast<const T*>(value.items.data), value.items.size};
  }
};
template <class T>
struct Direct<std::optional<T>> {
  static std::optional<T> get(const direct::Value& value) {
    if (!value.present) return std::nullopt;
    return Direct<T>::get(value);
  }
};

template <class Result>
constexpr bool gives_lists = std::is_same_v<Result, std::vector<Owned>>;
template <class... Results>
constexpr bool gives_lists<std::tuple<Results...>> = (gives_lists<Results> || ...);

/// Calls `each` for every result of a function.
template <class Each, class... Results>
void take_apart(std::tuple<Results...>&& results, const Each& each) {
  std::apply([&](Results&... result) { (each(std::move(result)), ...); }, results);
}
template <class Each, class Result>
void take_apart(Result&& result, const Each& each) {
  each(std::move(result));
}

/// The two entry points of a function.
struct Ways {
  void (*from_dispatcher)(StableIValue* stack, uint64_t inputs, uint64_t outputs);
  direct::Function* direct;  // null if the function returns lists
};

template <auto function, class = decltype(function)>
struct WaysInto;
template <auto function, class Result, class... Parameters>
struct WaysInto<function, Result (*)(Parameters...)> {
  using Indices = std::index_sequence_for<Parameters...>;

  static void from_dispatcher(StableIValue* stack, uint64_t, uint64_t) {
    from_dispatcher(stack, Indices());
  }

  static void direct(const direct::Value* arguments, AtenTensorHandle* results) {
    direct(arguments, results, Indices());
  }

  static constexpr Ways ways() {
    if constexpr (gives_lists<Result>) {
      return {from_dispatcher, nullptr};
    } else {
      return {from_dispatcher, direct};
    }
  }

 private:
  template <size_t... i>
  static void from_dispatcher(StableIValue* stack, std::index_sequence<i...>) {
    const std::tuple<typename Boxed<Parameters>::Owner...> owners{
        Unbox<typename Boxed<Parameters>::Owner>::from(stack[i])...};
    if constexpr (std::is_void_v<Result>) {
      function(Boxed<Parameters>::get(std::get<i>(owners))...);
    } else {
      take_apart(function(Boxed<Parameters>::get(std::get<i>(owners))...),
                 [&](auto&& result) { *stack++ = boxed(std::move(result)); });
    }
  }

  template <size_t... i>
  static void direct(const direct::Value* arguments, AtenTensorHandle* results,
                     std::index_sequence<i...>) {
    if constexpr (std::is_void_v<Result>) {
      function(Direct<Parameters>::get(arguments[i])...);
    } else {
      take_apart(function(Direct<Parameters>::get(arguments[i])...),
                 [&](Owned&& result) { *results++ = result.release(); });
    }
  }
};

/// The entry points of `function`, which has the parameters of an op's schema.
template <auto function>
constexpr Ways ways = WaysInto<function>::ways();

/// Functions of this library's ops on a platform, by their names.
inline std::unordered_map<std::string, direct::Function*>& direct_functions(Platform platform) {
  static std::unordered_map<std::string, direct::Function*> functions[2];
  return functions[platform == Platform::cpu ? 0 : 1];  // a library has kernels for one GPU vendor
}

/// Registers the implementation of an op for the platform of `library`.
template <class Library>
void implement(Library& library, Platform platform, const char* op, const Ways& ways) {
  library.impl(op, ways.from_dispatcher);
  direct_functions(platform)[op] = ways.direct;
}

}  // namespace opgen::torch

/// A `direct::Find`.
extern "C" OPGEN_EXPORT __attribute__((used)) inline opgen::direct::Function* opgen_direct(
    const char* op, int platform) noexcept {
  const auto& functions = opgen::torch::direct_functions(static_cast<opgen::Platform>(platform));
  const auto found = functions.find(op);
  return found == functions.end() ? nullptr : found->second;
}
