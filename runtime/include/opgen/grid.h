// Runs a kernel once for every point of its grid, in parallel, on the host.
#pragma once

#include <atomic>
#include <cstdint>

#include "opgen/context.h"
#include "opgen/status.h"

namespace opgen {

/// Calls `kernel(point)` for every point of `ctx.grid`, where `point` is `ctx` with `program` set.
/// Points may run on different threads, but each runs on one thread only. Returns the first failure
/// found, or ok.
template <class F>
Status run_grid(const Context& ctx, F&& kernel) {
  const int64_t points = ctx.grid[0] * ctx.grid[1] * ctx.grid[2];
  std::atomic<bool> failed{false};
  Status status = Status::ok;
  parallel(ctx, points, 1, [&](int64_t begin, int64_t end) {
    Context point = ctx;
    Failure failure;
    point.failure = &failure;
    point.parallel_for = nullptr;
    point.threads = 1;
    for (int64_t i = begin; i < end; ++i) {
      point.program[0] = i % ctx.grid[0];
      point.program[1] = i / ctx.grid[0] % ctx.grid[1];
      point.program[2] = i / (ctx.grid[0] * ctx.grid[1]);
      const Status result = kernel(static_cast<const Context&>(point));
      if (result == Status::ok || failed.exchange(true)) continue;
      status = result;
      if (ctx.failure != nullptr) *ctx.failure = failure;
    }
  });
  return status;
}

}  // namespace opgen
