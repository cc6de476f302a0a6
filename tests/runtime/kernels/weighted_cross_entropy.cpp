#include <algorithm>

#include "kernel_suite.h"
#include "weighted_cross_entropy_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, double smoothing, const char* reduction,
                const char* classes) {
  const bool last = classes[0] == 'l';
  const int64_t n = last ? shape.rows : 2, c = last ? shape.columns : 5;
  const int64_t d = last ? 1 : shape.columns;
  const std::vector<int64_t> logits_shape = last ? std::vector{n, c} : std::vector{n, c, d};
  const std::vector<int64_t> labels_shape = last ? std::vector{n} : std::vector{n, d};
  Made logits(logits_shape, T, shape.offset), target(logits_shape, T, shape.offset);
  Made labels(labels_shape, ElementType::I64, shape.offset);
  for (int64_t i = 0; i < n * d; ++i) {
    static_cast<int64_t*>(labels.buffer.data)[i] = i % 5 == 1 ? -100 : i * 7 % c;
  }
  Made weight({c}, T == ElementType::F64 ? T : ElementType::F32, shape.offset);
  logits.fill(1);
  target.fill(2);
  const Buffer weights = smoothing > 0 ? weight.fill(3).buffer : Buffer{};

  const WeightedCrossEntropyCall call(logits.buffer, labels.buffer, weights, smoothing, reduction,
                                      classes, -100);
  Made loss(call.loss_()), top(call.top_()), rest(call.rest_()), mass(call.mass_());
  Made count({}, call.top_().dtype), losses(labels_shape, call.top_().dtype);
  const Buffer counted = call.count_present() ? count.buffer : Buffer{};
  const WeightedCrossEntropyDescriptor desc = call.descriptor();
  const WeightedCrossEntropyArgs args{&desc,         &context,      loss.buffer, top.buffer,
                                      rest.buffer,   mass.buffer,   counted,     losses.buffer,
                                      logits.buffer, labels.buffer, weights};
  show("weighted_cross_entropy", generated_weighted_cross_entropy_cpu(&args),
       {&loss, &top, &rest, &mass});

  loss.fill(4);  // its cotangent
  const WeightedCrossEntropyBwdCall back(loss.buffer, logits.buffer, labels.buffer, top.buffer,
                                         rest.buffer, mass.buffer, counted, weights, smoothing,
                                         reduction, classes, -100);
  Made dlogits(back.dlogits_());
  const WeightedCrossEntropyBwdDescriptor told = back.descriptor();
  const WeightedCrossEntropyBwdArgs given{&told,         &context,      dlogits.buffer, loss.buffer,
                                          logits.buffer, labels.buffer, top.buffer,     rest.buffer,
                                          mass.buffer,   counted,       weights};
  show("weighted_cross_entropy_bwd", generated_weighted_cross_entropy_bwd_cpu(&given), {&dlogits});

  const SoftCrossEntropyCall soft(logits.buffer, target.buffer, weights, smoothing, reduction,
                                  classes);
  const SoftCrossEntropyDescriptor of_soft = soft.descriptor();
  const SoftCrossEntropyArgs softly{&of_soft,      &context,    loss.buffer,   top.buffer,
                                    rest.buffer,   mass.buffer, losses.buffer, logits.buffer,
                                    target.buffer, weights};
  show("soft_cross_entropy", generated_soft_cross_entropy_cpu(&softly),
       {&loss, &top, &rest, &mass});

  loss.fill(4);
  const SoftCrossEntropyBwdCall soft_back(
      loss.buffer, logits.buffer, target.buffer, top.buffer, rest.buffer, mass.buffer, weights,
      std::max<int64_t>(1, n * d), smoothing, reduction, classes, 3);
  Made dtarget(soft_back.dtarget_());
  const SoftCrossEntropyBwdDescriptor of_back = soft_back.descriptor();
  const SoftCrossEntropyBwdArgs pulled{&of_back,    &context,      dlogits.buffer, dtarget.buffer,
                                       loss.buffer, logits.buffer, target.buffer,  top.buffer,
                                       rest.buffer, mass.buffer,   weights};
  show("soft_cross_entropy_bwd", generated_soft_cross_entropy_bwd_cpu(&pulled),
       {&dlogits, &dtarget});
}

static const Family family("weighted_cross_entropy", [](const Shape& shape) {
  if (shape.columns == 0) return;
  for (ElementType T : floats) {
    run(shape, T, 0.0, "mean", "last");
    run(shape, T, 0.1, "sum", "second");
    run(shape, T, 0.1, "none", "last");
  }
});
