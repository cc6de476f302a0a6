#include <optional>

#include "embedding_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, std::optional<int64_t> padding) {
  const int64_t rows = 11;
  Made weight({rows, shape.columns}, T, shape.offset),
      dy({shape.rows, shape.columns}, T, shape.offset);
  Made indices({shape.rows}, ElementType::I32, shape.offset);
  for (int64_t entry = 0; entry < shape.rows; ++entry) {
    static_cast<int32_t*>(indices.buffer.data)[entry] = static_cast<int32_t>(entry * entry % rows);
  }
  const EmbeddingCall call(weight.fill(1).buffer, indices.buffer, padding);
  Made y(call.y_());
  const EmbeddingDescriptor desc = call.descriptor();
  const EmbeddingArgs args{&desc, &context, y.buffer, weight.buffer, indices.buffer};
  show("embedding", generated_embedding_cpu(&args), {&y});

  const EmbeddingBwdCall back(dy.fill(2).buffer, indices.buffer, rows, padding);
  Made dweight(back.dweight_()), ends(back.ends_()), order(back.order_());
  const EmbeddingBwdDescriptor told = back.descriptor();
  const EmbeddingBwdArgs given{&told,        &context,  dweight.buffer, ends.buffer,
                               order.buffer, dy.buffer, indices.buffer};
  show("embedding_bwd", generated_embedding_bwd_cpu(&given), {&dweight});

  const EmbeddingBwdBwdCall again(weight.buffer, indices.buffer, padding);
  const EmbeddingBwdBwdDescriptor last = again.descriptor();
  const EmbeddingBwdBwdArgs second{&last, &context, y.buffer, weight.buffer, indices.buffer};
  show("embedding_bwd_bwd", generated_embedding_bwd_bwd_cpu(&second), {&y});
}

static const Family family("embedding", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, std::nullopt);
    run(shape, T, 4);
  }
});
