#include "kernel_suite.h"
#include "moe_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType W, int64_t k) {
  const int64_t tokens = shape.rows, d = shape.columns, experts = 5;
  Made x({tokens, d}, T, shape.offset), ids({tokens, k}, ElementType::I64, shape.offset);
  for (int64_t i = 0; i < tokens * k; ++i) {  // the third expert has no tokens
    static_cast<int64_t*>(ids.buffer.data)[i] = i * i % 4 + (i * i % 4 > 1);
  }
  const MoePermuteCall call(x.fill(1).buffer, ids.buffer, experts);
  Made rows(call.rows_()), offsets(call.offsets_()), places(call.places_());
  const MoePermuteDescriptor desc = call.descriptor();
  const MoePermuteArgs args{&desc,         &context, rows.buffer, offsets.buffer,
                            places.buffer, x.buffer, ids.buffer};
  show("moe_permute", generated_moe_permute_cpu(&args), {&rows, &offsets, &places});

  Made weights({tokens, k}, W, shape.offset);
  const MoeUnpermuteCall back(rows.buffer, places.buffer, weights.fill(2).buffer);
  Made y(back.y_());
  const MoeUnpermuteDescriptor told = back.descriptor();
  const MoeUnpermuteArgs given{&told,       &context,      y.buffer,
                               rows.buffer, places.buffer, weights.buffer};
  show("moe_unpermute", generated_moe_unpermute_cpu(&given), {&y});

  for (const bool weighted : {true, false}) {
    const Buffer of_weights = weighted ? weights.buffer : Buffer{};
    const MoeUnpermuteDgradCall gradient(x.buffer, places.buffer, of_weights);
    Made drows(gradient.drows_()), ends(gradient.ends_()), order(gradient.order_());
    const MoeUnpermuteDgradDescriptor kept = gradient.descriptor();
    const MoeUnpermuteDgradArgs wanted{&kept,        &context, drows.buffer,  ends.buffer,
                                       order.buffer, x.buffer, places.buffer, of_weights};
    show("moe_unpermute_dgrad", generated_moe_unpermute_dgrad_cpu(&wanted), {&drows});
  }

  const MoeUnpermuteWgradCall products(x.buffer, places.buffer, rows.buffer);
  Made dweights(products.dweights_());
  const MoeUnpermuteWgradDescriptor of = products.descriptor();
  const MoeUnpermuteWgradArgs factors{&of,      &context,      dweights.buffer,
                                      x.buffer, places.buffer, rows.buffer};
  show("moe_unpermute_wgrad", generated_moe_unpermute_wgrad_cpu(&factors), {&dweights});
}

static const Family family("moe", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, T, 2);
    run(shape, T, ElementType::F32, 3);
  }
});
