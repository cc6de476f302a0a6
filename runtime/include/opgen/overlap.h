// Checks whether an argument that is written in place shares memory with another argument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opgen/buffer.h"
#include "opgen/refused.h"

namespace opgen {

/// The memory of the arguments of one call.
class Overlap {
 public:
  void reserve(size_t arguments) { ranges_.reserve(arguments); }

  /// Adds an argument. Throws `Refused` if it is written and some of its own elements share memory.
  void add(const char* op, const Label& name, const Buffer& buffer, bool written) {
    if (buffer.numel() == 0) return;
    int64_t last = 0, count = 1;
    for (int32_t dim = buffer.rank - 1; dim >= 0; --dim) {
      const int64_t size = buffer.sizes[dim], stride = buffer.strides[dim];
      if (size == 1) continue;
      if (written && stride == 0) {
        refuse(op, ": ", name, ": elements of it share memory: it is written, pass a copy");
      }
      last += (size - 1) * stride;
      count *= size;
    }
    const auto begin = reinterpret_cast<uintptr_t>(buffer.data);
    const auto end = begin + static_cast<uintptr_t>(size_of(buffer.dtype, last + 1));
    ranges_.push_back({name, begin, end, last + 1 == count, written});
  }

  /// Throws `Refused` if a written argument shares memory with another argument. If rows have gaps
  /// between them, only the starts of the rows are compared, because rows of two arguments may
  /// alternate.
  void check(const char* op) {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    const Range* before = nullptr;   // the previous range
    const Range* any = nullptr;      // among previous ranges without gaps: the one that ends last
    const Range* written = nullptr;  // the same, but only among written ranges
    for (const Range& range : ranges_) {
      const Range* other = range.written ? any : written;
      if (range.dense && other != nullptr && other->end > range.begin) fail(op, *other, range);
      if (before != nullptr && before->begin == range.begin) fail(op, *before, range);
      before = &range;
      if (!range.dense) continue;
      if (any == nullptr || range.end > any->end) any = &range;
      if (range.written && (written == nullptr || range.end > written->end)) written = &range;
    }
  }

 private:
  struct Range {
    Label name;
    uintptr_t begin, end;
    bool dense, written;
  };

  static void fail(const char* op, const Range& a, const Range& b) {
    if (!a.written && !b.written) return;
    const Range& changed = a.written ? a : b;
    const Range& other = a.written ? b : a;
    refuse(op, ": ", changed.name, ": shares memory with ", other.name,
           ": it is written, pass a copy of one of them");
  }

  std::vector<Range> ranges_;
};

}  // namespace opgen
