// Calls the hand-written kernels with unusual sizes: `suite THREADS all|few|large`.
//
// This file is compiled without sanitizers, since it contains no kernel.
#include "kernel_suite.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace suite {

opgen::Context context;

struct Entry {
  const char* name;
  void (*run)(const Shape&);
};

static std::vector<Entry>& families() {
  static std::vector<Entry> entries;
  return entries;
}

Family::Family(const char* name, void (*run)(const Shape&)) { families().push_back({name, run}); }

void Made::set(int64_t i, double value) {
  switch (buffer.dtype) {
    case ElementType::BF16: static_cast<opgen::bf16*>(buffer.data)[i] = value; break;
    case ElementType::F16: static_cast<opgen::f16*>(buffer.data)[i] = value; break;
    case ElementType::F32: static_cast<float*>(buffer.data)[i] = static_cast<float>(value); break;
    case ElementType::F64: static_cast<double*>(buffer.data)[i] = value; break;
    default:
      static_cast<int8_t*>(buffer.data)[i] =
          std::isfinite(value) ? static_cast<int8_t>(value * 8) : int8_t{1};
  }
}

Made& Made::fill(unsigned seed) {
  const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, -1e-310, 6e-8};
  for (int64_t i = 0; i < buffer.numel(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double plain = static_cast<int>(seed >> 16 & 1023) / 256.0 - 2;
    set(i, seed % 97 == 0 ? odd[seed / 97 % 8] : plain);
  }
  return *this;
}

/// Replaces a NaN by the positive NaN, since the sign of a computed NaN depends on the machine.
template <class T>
static void settle(char* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  if (!std::isnan(static_cast<double>(value))) return;
  value = static_cast<T>(NAN);
  std::memcpy(element, &value, sizeof value);
}

static uint64_t checksum(const Made& made) {
  const auto dtype = made.buffer.dtype;
  const int64_t size = opgen::size_of(dtype);
  uint64_t hash = 1469598103934665603u;
  for (int64_t at = 0; at < made.bytes; at += size) {
    char element[16];
    std::memcpy(element, static_cast<const char*>(made.buffer.data) + at, size);
    switch (dtype) {
      case ElementType::BF16: settle<opgen::bf16>(element); break;
      case ElementType::F16: settle<opgen::f16>(element); break;
      case ElementType::F32: settle<float>(element); break;
      case ElementType::F64: settle<double>(element); break;
      case ElementType::F8E4M3:
        if ((element[0] & 0x7f) == 0x7f) element[0] = 0x7f;
        break;
      case ElementType::F8E5M2:
        if ((element[0] & 0x7f) > 0x7c) element[0] = 0x7f;
        break;
      default: break;
    }
    for (int64_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<unsigned char>(element[i])) * 1099511628211u;
    }
  }
  return hash;
}

void show(const char* op, opgen::Status status, std::initializer_list<const Made*> results) {
  std::printf("%s %d", op, static_cast<int>(status));
  for (const Made* made : results) {
    std::printf(" %s %016llx", opgen::name(made->buffer.dtype),
                static_cast<unsigned long long>(checksum(*made)));
  }
  std::printf("\n");
}

/// Runs `body` on ranges that cover [0, n): one range per thread, each of at least `grain` indices.
static void parallel_for(void* pool, int64_t n, int64_t grain, opgen::Context::Body* body,
                         void* arg) {
  const int64_t threads = *static_cast<int64_t*>(pool);
  int64_t size = (n + threads - 1) / threads;
  if (size < grain) size = grain;
  std::vector<std::thread> running;
  int64_t begin = 0;
  for (; begin + size < n; begin += size) running.emplace_back(body, arg, begin, begin + size);
  if (begin < n) body(arg, begin, n);
  for (std::thread& thread : running) thread.join();
}

}  // namespace suite

int main(int count, char** words) {
  if (count != 3) return 2;
  int64_t threads = std::atoi(words[1]);
  suite::context.pool = &threads;
  suite::context.threads = static_cast<int32_t>(threads);
  suite::context.parallel_for = suite::parallel_for;

  if (std::strcmp(words[2], "large") == 0) return suite::negate_more_than_an_int_counts();
  const bool all = std::strcmp(words[2], "all") == 0;
  const std::vector<int64_t> sizes =
      all ? std::vector<int64_t>{0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1023, 1024, 1025}
          : std::vector<int64_t>{0, 1, 7, 16, 33, 1025};
  for (int64_t offset : {0, 1}) {
    std::vector<suite::Shape> shapes;
    for (int64_t columns : sizes) shapes.push_back({3, columns, offset});
    for (int64_t rows : sizes) shapes.push_back({rows, 33, offset});
    if (all || offset) {
      shapes.push_back({301, 1025, offset});  // several blocks of rows
      shapes.push_back({1, 70001, offset});   // several pieces of one row
    }
    for (const suite::Shape& shape : shapes) {
      for (const suite::Entry& family : suite::families()) family.run(shape);
    }
  }
}
