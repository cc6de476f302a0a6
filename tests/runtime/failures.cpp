// Checks that reports of kernels become the right errors, without any framework.
#include "failures.h"

#include "opgen/call.h"
#include "opgen/grid.h"

using opgen::Status;

int main() {
  const int64_t sizes[] = {2, 3};
  int64_t indices[] = {0, 1, 2, 0, 1, 9};
  opgen::Tensor<const int64_t> tensor;
  tensor.data = indices;
  tensor.sizes = sizes;
  tensor.rank = 2;

  const opgen::ReportingContext ctx;
  const auto report = [&](const opgen::Context& to) {
    return to.bad_index("indices", tensor, 5, indices[5], 0, 7);
  };
  const std::string words = "f: indices: expected 0 <= indices < 7, got 9 at [1, 2]";
  HOLDS(report(ctx) == Status::out_of_range);
  HOLDS(thrown<opgen::Refused>([&] { check(report(ctx), "f", ctx.reported); }) == words);
  HOLDS(report(opgen::Context()) == Status::out_of_range);  // without a place for the report

  // If several programs of a grid report, the error is one complete report.
  opgen::ReportingContext grid;
  grid.grid[0] = 8;
  const Status status = run_grid(grid, [&](const opgen::Context& point) {
    return point.program[0] < 3 ? Status::ok : report(point);
  });
  HOLDS(thrown<opgen::Refused>([&] { check(status, "f", grid.reported); }) == words);

  const auto said = [](Status status) {
    return thrown<std::runtime_error>([=] { check(status, "f"); });
  };
  HOLDS(said(Status::unsupported) == "f: the kernel does not support this call");
  HOLDS(said(static_cast<Status>(17)) == "f: the kernel failed with status 17");
  HOLDS(thrown<opgen::OutOfMemory>([] { check(Status::out_of_memory, "f"); }) ==
        "f: out of memory");
  HOLDS(thrown<opgen::Refused>([] { check(Status::out_of_range, "f"); }) ==
        "f: an index is out of range");

  opgen::FirstBad bad;
  HOLDS(!bad);
  for (int64_t at : {7, 3, 5}) bad.found(at);
  HOLDS(bad && bad.at() == 3);

  const uint64_t large = uint64_t{1} << 63;
  HOLDS(thrown<opgen::Refused>([=] { opgen::Int made(large); }) ==
        "9223372036854775808 does not fit in 64 bits");
  HOLDS(opgen::Int(large - 1).value() == INT64_MAX);
  return failures != 0;
}
