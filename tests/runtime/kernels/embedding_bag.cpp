#include "embedding_bag_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, const char* mode, bool weighted) {
  const int64_t rows = 11, bags = shape.rows, n = 3 * bags;
  Made weight({rows, shape.columns}, T, shape.offset), dy({bags, shape.columns}, T, shape.offset);
  Made indices({n}, ElementType::I64, shape.offset),
      offsets({bags + 1}, ElementType::I64, shape.offset);
  Made weights({n}, T, shape.offset);
  auto* index = static_cast<int64_t*>(indices.buffer.data);
  auto* offset = static_cast<int64_t*>(offsets.buffer.data);
  for (int64_t entry = 0; entry < n; ++entry) index[entry] = entry * entry % rows;
  for (int64_t bag = 0; bag <= bags; ++bag) offset[bag] = bag % 3 == 1 ? 3 * (bag - 1) : 3 * bag;
  offset[bags] = n;
  const Buffer scales = weighted ? weights.fill(3).buffer : Buffer{};
  const EmbeddingBagCall call(weight.fill(1).buffer, indices.buffer, offsets.buffer, scales, mode);
  Made y(call.y_()), argmax({bags, shape.columns}, ElementType::I64);
  const Buffer winners = call.argmax_present() ? argmax.buffer : Buffer{};
  const EmbeddingBagDescriptor desc = call.descriptor();
  const EmbeddingBagArgs args{&desc,         &context,       y.buffer,       winners,
                              weight.buffer, indices.buffer, offsets.buffer, scales};
  show("embedding_bag", generated_embedding_bag_cpu(&args), {&y});

  const int64_t wanted = weighted ? -1 : 1;
  const Buffer read = weighted ? weight.buffer : Buffer{};
  const EmbeddingBagBwdCall back(dy.fill(2).buffer, indices.buffer, offsets.buffer, scales, winners,
                                 read, rows, mode, wanted);
  Made dweight({rows, shape.columns}, T), dweights({n}, T);
  Made ends(back.ends_()), order(back.order_()), bags_of(back.bags_());
  const Buffer dscales = weighted ? dweights.buffer : Buffer{};
  const EmbeddingBagBwdDescriptor told = back.descriptor();
  const EmbeddingBagBwdArgs given{
      &told,     &context,       dweight.buffer, dscales, ends.buffer, order.buffer, bags_of.buffer,
      dy.buffer, indices.buffer, offsets.buffer, scales,  winners,     read};
  const opgen::Status status = generated_embedding_bag_bwd_cpu(&given);
  if (weighted) {
    show("embedding_bag_bwd", status, {&dweight, &dweights});
  } else {
    show("embedding_bag_bwd", status, {&dweight});
  }
}

static const Family family("embedding_bag", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, "sum", false);
    run(shape, T, "sum", true);
    run(shape, T, "mean", false);
    run(shape, T, "max", false);
  }
});
