#include "kernel_suite.h"
#include "layer_norm_call.h"

using namespace generated;
using namespace suite;

/// Runs the kernels, with weight and bias if `affine`. The bits of `wanted` select the results of
/// the backward.
static void run(const Shape& shape, ElementType T, ElementType W, bool affine, int64_t wanted) {
  Made x({shape.rows, shape.columns}, T, shape.offset), dy({shape.rows, shape.columns}, T, 1);
  Made weight({shape.columns}, W, shape.offset), bias({shape.columns}, W, shape.offset);
  const Buffer w = affine ? weight.fill(2).buffer : Buffer{};
  const Buffer b = affine ? bias.fill(3).buffer : Buffer{};
  const LayerNormCall call(x.fill(1).buffer, w, b, opgen::Sizes(&shape.columns, 1), 1e-5);
  Made y(call.y_()), mean(call.mean_()), rstd(call.rstd_());
  const LayerNormDescriptor desc = call.descriptor();
  const LayerNormArgs args{&desc, &context, y.buffer, mean.buffer, rstd.buffer, x.buffer, w, b};
  show("layer_norm", generated_layer_norm_cpu(&args), {&y, &mean, &rstd});

  const LayerNormBwdCall back(dy.fill(4).buffer, x.buffer, mean.buffer, rstd.buffer, w, 1e-5,
                              wanted);
  Made dx(back.dx_()), dweight(back.dweight_()), dbias(back.dbias_()), parts(back.parts_());
  const auto asked = [](bool asked, const Made& made) { return asked ? made.buffer : Buffer{}; };
  const LayerNormBwdDescriptor told = back.descriptor();
  const LayerNormBwdArgs given{&told,
                               &context,
                               asked(back.dx_present(), dx),
                               asked(back.dweight_present(), dweight),
                               asked(back.dbias_present(), dbias),
                               asked(back.parts_present(), parts),
                               dy.buffer,
                               x.buffer,
                               mean.buffer,
                               rstd.buffer,
                               w};
  show("layer_norm_bwd", generated_layer_norm_bwd_cpu(&given), {&dx, &dweight, &dbias});
}

static const Family family("layer_norm", [](const Shape& shape) {
  for (ElementType T : floats) {
    for (int64_t wanted : {7, 1, 2, 4, 6}) run(shape, T, T, true, wanted);
    run(shape, T, ElementType::F32, true, 7);
    run(shape, T, T, false, 7);
  }
});
