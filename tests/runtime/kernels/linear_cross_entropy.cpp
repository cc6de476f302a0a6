#include "kernel_suite.h"
#include "linear_cross_entropy_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType I, int64_t d, const char* how) {
  const int64_t rows = shape.rows, classes = shape.columns;
  Made hidden({rows, d}, T, shape.offset), weight({classes, d}, T, shape.offset);
  Made labels({rows}, I, shape.offset);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t label = row % 7 == 3 ? -100 : row * 31 % classes;
    if (I == ElementType::I64) {
      static_cast<int64_t*>(labels.buffer.data)[row] = label;
    } else {
      static_cast<int32_t*>(labels.buffer.data)[row] = static_cast<int32_t>(label);
    }
  }
  const LinearCrossEntropyCall call(hidden.fill(1).buffer, weight.fill(2).buffer, labels.buffer,
                                    -100, how);
  Made loss(call.loss_()), top(call.top_()), log_sum(call.log_sum_());
  Made parts(call.parts_());
  Made count({}, call.top_().dtype), losses({rows}, call.top_().dtype);
  const Buffer counted = call.count_present() ? count.buffer : Buffer{};
  const LinearCrossEntropyDescriptor desc = call.descriptor();
  const LinearCrossEntropyArgs args{&desc,          &context,      loss.buffer,  top.buffer,
                                    log_sum.buffer, counted,       parts.buffer, losses.buffer,
                                    hidden.buffer,  weight.buffer, labels.buffer};
  show("linear_cross_entropy", generated_linear_cross_entropy_cpu(&args), {&loss, &top, &log_sum});

  loss.fill(3);  // its cotangent
  const LinearCrossEntropyBwdCall back(loss.buffer, hidden.buffer, weight.buffer, labels.buffer,
                                       top.buffer, log_sum.buffer, counted, -100, how, 3);
  Made dhidden(back.dhidden_()), dweight(back.dweight_()), dlogits(back.dlogits_());
  const LinearCrossEntropyBwdDescriptor told = back.descriptor();
  const LinearCrossEntropyBwdArgs given{&told,          &context,    dhidden.buffer, dweight.buffer,
                                        dlogits.buffer, loss.buffer, hidden.buffer,  weight.buffer,
                                        labels.buffer,  top.buffer,  log_sum.buffer, counted};
  show("linear_cross_entropy_bwd", generated_linear_cross_entropy_bwd_cpu(&given),
       {&dhidden, &dweight});
}

static const Family family("linear_cross_entropy", [](const Shape& shape) {
  if (shape.columns == 0) return;
  for (ElementType T : floats) {
    run(shape, T, ElementType::I64, shape.columns > 2000 ? 3 : 300, "mean");
    run(shape, T, ElementType::I32, 17, "none");
  }
});
