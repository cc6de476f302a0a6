#include "cross_entropy_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, double smoothing, const char* reduction) {
  Made logits({shape.rows, shape.columns}, T, shape.offset);
  Made labels({shape.rows}, ElementType::I64, shape.offset);
  for (int64_t row = 0; row < shape.rows; ++row) {
    const int64_t label = row % 5 == 1 ? -100 : row * 7 % shape.columns;
    static_cast<int64_t*>(labels.buffer.data)[row] = label;
  }
  const CrossEntropyCall call(logits.fill(1).buffer, labels.buffer, -100, smoothing, reduction);
  Made loss(call.loss_()), top(call.top_()), rest(call.rest_());
  Made count({}, call.top_().dtype), losses({shape.rows}, call.top_().dtype);
  const Buffer counted = call.count_present() ? count.buffer : Buffer{};
  const CrossEntropyDescriptor desc = call.descriptor();
  const CrossEntropyArgs args{&desc,   &context,      loss.buffer,   top.buffer,   rest.buffer,
                              counted, losses.buffer, logits.buffer, labels.buffer};
  show("cross_entropy", generated_cross_entropy_cpu(&args), {&loss, &top, &rest});

  loss.fill(2);  // its cotangent
  const CrossEntropyBwdCall back(loss.buffer, logits.buffer, labels.buffer, top.buffer, rest.buffer,
                                 counted, -100, smoothing, reduction);
  Made dlogits(back.dlogits_());
  const CrossEntropyBwdDescriptor told = back.descriptor();
  const CrossEntropyBwdArgs given{&told,       &context,      dlogits.buffer,
                                  loss.buffer, logits.buffer, labels.buffer,
                                  top.buffer,  rest.buffer,   counted};
  show("cross_entropy_bwd", generated_cross_entropy_bwd_cpu(&given), {&dlogits});
}

static const Family family("cross_entropy", [](const Shape& shape) {
  if (shape.columns == 0) return;
  for (ElementType T : floats) {
    run(shape, T, 0.0, "mean");
    run(shape, T, 0.1, "sum");
    run(shape, T, 0.1, "none");
  }
});
