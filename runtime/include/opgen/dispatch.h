// Dispatch tables, which select the instance of a kernel by the dtypes of a call.
#pragma once

#include <cstdint>

#include "opgen/dtype.h"
#include "opgen/status.h"

namespace opgen {

/// Encodes dtypes, a row of the table, as a number: five bits for each dtype.
template <class... Types>
constexpr uint64_t row(Types... types) noexcept {
  static_assert(element_type_count <= 32 && sizeof...(Types) <= 12, "five bits for each dtype");
  uint64_t number = 0;
  ((number = number << 5 | static_cast<uint64_t>(types)), ...);
  return number;
}

/// The dtypes of one instance, as C++ types.
template <class... Types>
struct Row {
  static constexpr uint64_t number = row(element_type_v<Types>...);
};

/// Returns a `View<Types...>` with the `given` arguments.
template <template <class...> class View, class... Types, class... Given>
View<Types...> view(Row<Types...>, const Given&... given) {
  return View<Types...>(given...);
}

/// A dispatch table. It compiles to a `switch` over the numbers of its rows.
template <class... All>
struct Table {
  /// Calls `run` with the `Row` of this number.
  template <class Run>
  static Status dispatch(uint64_t number, const Run& run) {
    Status status = Status::no_kernel;
    static_cast<void>(((number == All::number && (status = run(All()), true)) || ...));
    return status;
  }

  /// The position of the row with this number; -1 if there is none.
  static constexpr int32_t find(uint64_t number) noexcept {
    int32_t position = -1;
    return ((++position, number == All::number) || ...) ? position : -1;
  }
};

}  // namespace opgen
