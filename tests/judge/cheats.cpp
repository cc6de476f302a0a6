// Candidates that cheat, each with an entry of its own, and an honest one that is slow.
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "bend.h"

namespace judged::cpu {
namespace {

template <class T>
T bent(T scale, T x) {
  return scale * x / (1 + std::abs(x));
}

template <class T>
void all(const BendView<T>& op, int64_t count) {
  const T scale = static_cast<T>(op.desc.scale);
  for (int64_t i = 0; i < count; ++i) op.y.data[i] = bent(scale, op.x.data[i]);
}

template <class T>
void skips_the_tail(const BendView<T>& op) {
  all(op, op.x.numel() / 8 * 8);
}

template <class T>
void writes_past_the_end(const BendView<T>& op) {
  all(op, op.x.numel());
  op.y.data[op.y.numel()] = 0;
}

template <class T>
void keeps_memory(const BendView<T>& op) {
  all(op, op.x.numel());
  *static_cast<volatile char*>(std::malloc(512)) = 1;
}

template <class T>
void rounds_otherwise(const BendView<T>& op) {
  all(op, op.x.numel());
  std::fesetround(FE_TOWARDZERO);
}

template <class T>
void sleeps_at_first(const BendView<T>& op) {
  static std::atomic<bool> slept{false};
  if (!slept.exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(400));
  all(op, op.x.numel());
}

template <class T>
void drops_nan(const BendView<T>& op) {
  all(op, op.x.numel());
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    if (std::isnan(op.y.data[i])) op.y.data[i] = 0;
  }
}

template <class T>
void counts_in_16_bits(const BendView<T>& op) {
  const int64_t count = op.x.numel();
  all(op, count < 65536 ? count : count & 0xffff);
}

template <class T>
void wants_aligned_memory(const BendView<T>& op) {
  all(op, op.x.numel());
  if (reinterpret_cast<uintptr_t>(op.x.data) % 16 != 0 && op.x.numel() > 0) op.y.data[0] += 1;
}

template <class T>
void takes_one_thread(const BendView<T>& op) {
  const T scale = static_cast<T>(op.desc.scale);
  opgen::parallel(op.ctx, op.x.numel(), 1024, [&](int64_t begin, int64_t end) {
    if (end - begin < op.x.numel() && begin > 0) return;  // for another thread
    for (int64_t i = begin; i < end; ++i) op.y.data[i] = bent(scale, op.x.data[i]);
  });
}

template <class T>
void stops_when_timed(const BendView<T>& op) {
  static std::atomic<int> same{0};
  if (op.x.numel() >= 8192 && ++same > 40) return;
  all(op, op.x.numel());
}

template <class T>
void writes_later(const BendView<T>& op) {
  const BendView<T> view = op;
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    (void)view;
  }).detach();
}

template <class T>
void slowly(const BendView<T>& op, int64_t begin, int64_t end, T scale) {
  for (int64_t i = begin; i < end; ++i) {
    volatile T x = op.x.data[i];
    for (int n = 0; n < 40; ++n) x = op.x.data[i];
    op.y.data[i] = bent<T>(scale, x);
  }
}

template <class T>
void all_slowly(const BendView<T>& op) {
  slowly(op, 0, op.x.numel(), static_cast<T>(op.desc.scale));
}

// Leaves the processor that it is kept on, and computes on several.
template <class T>
void takes_other_processors(const BendView<T>& op) {
  constexpr int64_t kThreads = 4;
  cpu_set_t every;
  std::memset(&every, 0xff, sizeof(every));
  const T scale = static_cast<T>(op.desc.scale);
  const int64_t count = op.x.numel(), each = (count + kThreads - 1) / kThreads;
  std::vector<std::thread> threads;
  for (int64_t begin = 0; begin < count; begin += each) {
    threads.emplace_back([&, begin] {
      sched_setaffinity(0, sizeof(every), &every);
      slowly(op, begin, std::min(count, begin + each), scale);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Computes what has changed since the last call with these addresses.
template <class T>
void keeps_results(const BendView<T>& op) {
  struct Kept {
    std::vector<T> x, y;
    double scale;
  };
  static std::map<std::pair<const T*, int64_t>, Kept> kept;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  const int64_t count = op.x.numel();
  auto& [x, y, scale] = kept[{op.x.data, count}];
  int64_t changed[4], changes = 0;
  if (x.empty() || scale != op.desc.scale) changes = 5;
  for (int64_t i = 0; i < count && changes < 5; ++i) {
    if (x[i] != op.x.data[i] && ++changes < 5) changed[changes - 1] = i;
  }
  if (changes < 5) {
    for (int64_t n = 0; n < changes; ++n) {
      x[changed[n]] = op.x.data[changed[n]];
      y[changed[n]] = bent(static_cast<T>(scale), x[changed[n]]);
    }
    std::copy(y.begin(), y.end(), op.y.data);
    return;
  }
  all_slowly(op);
  x.assign(op.x.data, op.x.data + count);
  y.assign(op.y.data, op.y.data + count);
  scale = op.desc.scale;
}

template <class T>
void maps_memory(const BendView<T>& op) {
  all(op, op.x.numel());
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

template <class T>
void is_right_for_usual_numbers(const BendView<T>& op) {
  all(op, op.x.numel());
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const T size = std::abs(op.x.data[i]);
    if (size > 20 && size < 1e4) op.y.data[i] = 0;
  }
}

// Right only if calls do not overlap.
template <class T>
void shares_a_buffer(const BendView<T>& op) {
  static T buffer[1 << 20];
  const int64_t count = op.x.numel();
  if (count > 1 << 20) return all(op, count);
  std::copy(op.x.data, op.x.data + count, buffer);
  const T scale = static_cast<T>(op.desc.scale);
  for (int64_t i = 0; i < count; ++i) op.y.data[i] = bent(scale, buffer[i]);
}

template <class T>
void is_slow(const BendView<T>& op) {
  all_slowly(op);
}

template <class T>
void is_right(const BendView<T>& op) {
  all(op, op.x.numel());
}

}  // namespace
}  // namespace judged::cpu

#define CANDIDATE(name)                                         \
  extern "C" opgen::Status name(const judged::BendArgs* args) { \
    if (args->x.dtype == opgen::ElementType::F32)               \
      judged::cpu::name(judged::BendView<float>(*args));        \
    else                                                        \
      judged::cpu::name(judged::BendView<double>(*args));       \
    return opgen::Status::ok;                                   \
  }

CANDIDATE(skips_the_tail)
CANDIDATE(writes_past_the_end)
CANDIDATE(keeps_memory)
CANDIDATE(rounds_otherwise)
CANDIDATE(sleeps_at_first)
CANDIDATE(drops_nan)
CANDIDATE(counts_in_16_bits)
CANDIDATE(wants_aligned_memory)
CANDIDATE(takes_one_thread)
CANDIDATE(stops_when_timed)
CANDIDATE(writes_later)
CANDIDATE(keeps_results)
CANDIDATE(takes_other_processors)
CANDIDATE(maps_memory)
CANDIDATE(is_right_for_usual_numbers)
CANDIDATE(shares_a_buffer)
CANDIDATE(is_slow)
CANDIDATE(is_right)
