// The values of a kernel that `opgen tune` has chosen, by device and by the sizes of a call.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "opgen/device_name.h"

namespace opgen {

/// The tuned values for calls whose sizes are all at least `sizes`.
template <class Tune, int32_t count>
struct TunedRow {
  int64_t sizes[count == 0 ? 1 : count];
  Tune values;
};

/// The rows for calls with this number of threads and these dtypes (encoded by `opgen::row`). The
/// first row that fits the call's sizes is used.
template <class Tune, int32_t count>
struct TunedRows {
  int32_t threads;
  uint64_t dtypes;
  const TunedRow<Tune, count>* rows;
  int32_t row_count;
};

/// The tuned values for a device.
template <class Tune, int32_t count>
struct TunedTable {
  const char* device;
  const TunedRows<Tune, count>* parts;
  int32_t part_count;
};

/// The tuned values of one kernel on one platform. The first call on a device selects the device's
/// table. Without a table, the kernel receives the `first` values.
template <class Tune, int32_t count>
class Tuned {
 public:
  using Row = TunedRow<Tune, count>;
  using Rows = TunedRows<Tune, count>;
  using Table = TunedTable<Tune, count>;
  static constexpr int32_t most_devices = 64;

  constexpr Tuned(DeviceName (*name)(int32_t device) noexcept, Tune first, const Table* tables,
                  int32_t table_count)
      : name_(name), first_(first), tables_(tables), table_count_(table_count) {}

  /// Returns the values for a call that uses `threads` threads of a device.
  const Tune& at(int32_t device, int32_t threads, uint64_t dtypes,
                 const int64_t (&sizes)[count == 0 ? 1 : count]) const noexcept {
    const Tune* const forced = forced_.load(std::memory_order_acquire);
    if (__builtin_expect(forced != nullptr, 0)) return *forced;
    if (table_count_ == 0) return first_;
    const Table& table = table_of(device);
    for (int32_t p = 0; p < table.part_count; ++p) {
      const Rows& part = table.parts[p];
      if (part.threads != threads || part.dtypes != dtypes) continue;
      for (int32_t n = 0; n < part.row_count; ++n) {
        bool fits = true;
        for (int32_t i = 0; i < count; ++i) fits &= part.rows[n].sizes[i] <= sizes[i];
        if (fits) return part.rows[n].values;
      }
      break;
    }
    return first_;
  }

  /// Makes all calls use these values, or those of the tables if null. The values must stay alive
  /// until the next `force`.
  void force(const Tune* values) noexcept { forced_.store(values, std::memory_order_release); }

  /// Returns the name under which tables list a device.
  DeviceName name(int32_t device) const noexcept { return name_(device); }

 private:
  const Table& table_of(int32_t device) const noexcept {
    const int32_t place = device < 0 ? 0 : device;
    if (place >= most_devices) return none_;
    const Table* found = of_device_[place].load(std::memory_order_acquire);
    if (__builtin_expect(found != nullptr, 1)) return *found;
    const DeviceName name = name_(device);
    found = &none_;
    for (int32_t n = 0; n < table_count_; ++n) {
      if (std::strcmp(tables_[n].device, name.text) == 0) found = &tables_[n];
    }
    of_device_[place].store(found, std::memory_order_release);
    return *found;
  }

  DeviceName (*name_)(int32_t device) noexcept;
  Tune first_;
  const Table* tables_;
  int32_t table_count_;
  Table none_ = {nullptr, nullptr, 0};
  std::atomic<const Tune*> forced_{nullptr};
  mutable std::atomic<const Table*> of_device_[most_devices] = {};
};

}  // namespace opgen
