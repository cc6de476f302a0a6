#include <algorithm>

#include "kernel_suite.h"
#include "topk_softmax_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, bool renormalize) {
  const int64_t k = std::min<int64_t>(shape.columns, 5);
  if (k == 0) return;
  Made logits({shape.rows, shape.columns}, T, shape.offset);
  const TopkSoftmaxCall call(logits.fill(1).buffer, k, renormalize);
  Made weights(call.weights_()), ids(call.ids_()), top(call.top_()), total(call.total_());
  const TopkSoftmaxDescriptor desc = call.descriptor();
  const TopkSoftmaxArgs args{&desc,      &context,     weights.buffer, ids.buffer,
                             top.buffer, total.buffer, logits.buffer};
  show("topk_softmax", generated_topk_softmax_cpu(&args), {&weights, &ids, &top, &total});

  Made dweights({shape.rows, k}, ElementType::F32, shape.offset);
  const TopkSoftmaxBwdCall back(dweights.fill(2).buffer, logits.buffer, weights.buffer, ids.buffer,
                                top.buffer, total.buffer, k, renormalize);
  Made dlogits(back.dlogits_());
  const TopkSoftmaxBwdDescriptor told = back.descriptor();
  const TopkSoftmaxBwdArgs given{&told,           &context,      dlogits.buffer,
                                 dweights.buffer, logits.buffer, weights.buffer,
                                 ids.buffer,      top.buffer,    total.buffer};
  show("topk_softmax_bwd", generated_topk_softmax_bwd_cpu(&given), {&dlogits});
}

static const Family family("topk_softmax", [](const Shape& shape) {
  for (ElementType T : {ElementType::F32, ElementType::BF16, ElementType::F16}) {
    run(shape, T, false);
    run(shape, T, true);
  }
});
