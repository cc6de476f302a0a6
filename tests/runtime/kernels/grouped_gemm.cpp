#include "grouped_gemm_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, int64_t k, bool trans_b) {
  const int64_t groups = 4, m = shape.rows, n = shape.columns;
  Made a({m, k}, T, shape.offset), dc({m, n}, T, shape.offset);
  Made b(trans_b ? std::vector<int64_t>{groups, n, k} : std::vector<int64_t>{groups, k, n}, T,
         shape.offset);
  Made offsets({groups + 1}, ElementType::I32);
  for (int64_t group = 0; group <= groups; ++group) {  // the third group is empty
    const int64_t rows = group == 3 ? m / 2 : m * group / groups;
    static_cast<int32_t*>(offsets.buffer.data)[group] = static_cast<int32_t>(rows);
  }
  const GroupedGemmCall call(a.fill(1).buffer, b.fill(2).buffer, offsets.buffer, trans_b);
  Made c(call.c_());
  const GroupedGemmDescriptor desc = call.descriptor();
  const GroupedGemmArgs args{&desc, &context, c.buffer, a.buffer, b.buffer, offsets.buffer};
  show("grouped_gemm", generated_grouped_gemm_cpu(&args), {&c});

  const GroupedGemmWgradCall back(a.buffer, dc.fill(3).buffer, offsets.buffer, trans_b);
  Made db(back.db_());
  const GroupedGemmWgradDescriptor told = back.descriptor();
  const GroupedGemmWgradArgs given{&told, &context, db.buffer, a.buffer, dc.buffer, offsets.buffer};
  show("grouped_gemm_wgrad", generated_grouped_gemm_wgrad_cpu(&given), {&db});
}

static const Family family("grouped_gemm", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, shape.columns > 2000 ? 7 : 300, false);
    run(shape, T, 37, true);
  }
});
