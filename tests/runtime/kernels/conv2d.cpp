#include "conv2d_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

/// Runs the kernels on images of `rows` by `columns` pixels with filters of `r` by `s`.
static void run(const Shape& shape, ElementType T, int64_t r, int64_t s, int64_t stride,
                int64_t padding, int64_t dilation, int64_t groups, bool depthwise = false) {
  const int64_t n = 2, cg = depthwise ? 1 : 2, k = depthwise ? groups : 3 * groups, h = shape.rows,
                w = shape.columns;
  if (h + 2 * padding < dilation * (r - 1) + 1 || w + 2 * padding < dilation * (s - 1) + 1) return;
  const int64_t strides[] = {stride, 1}, paddings[] = {padding, padding};
  const int64_t dilations[] = {dilation, dilation};
  const opgen::Sizes by(strides, 2), around(paddings, 2), apart(dilations, 2);
  Made x({n, groups * cg, h, w}, T, shape.offset), weight({k, cg, r, s}, T, shape.offset);
  Made bias({k}, T, shape.offset);
  const Conv2dCall call(x.fill(1).buffer, weight.fill(2).buffer, bias.fill(3).buffer, by, around,
                        apart, groups);
  Made y(call.y_());
  const Conv2dDescriptor desc = call.descriptor();
  const Conv2dArgs args{&desc, &context, y.buffer, x.buffer, weight.buffer, bias.buffer};
  show("conv2d", generated_conv2d_cpu(&args), {&y});

  const Conv2dDgradCall turned(y.buffer, weight.buffer, h, w, by, around, apart, groups);
  Made dx(turned.dx_()), sums(turned.sums_());
  const Buffer wide = turned.sums_present() ? sums.buffer : Buffer{};
  const Conv2dDgradDescriptor told = turned.descriptor();
  const Conv2dDgradArgs given{&told, &context, dx.buffer, wide, y.buffer, weight.buffer};
  show("conv2d_dgrad", generated_conv2d_dgrad_cpu(&given), {&dx});

  const Conv2dWgradCall back(y.buffer, x.buffer, r, s, by, around, apart, groups);
  Made dweight(back.dweight_()), dbias(back.dbias_());
  const Conv2dWgradDescriptor said = back.descriptor();
  const Conv2dWgradArgs taken{&said, &context, dweight.buffer, dbias.buffer, y.buffer, x.buffer};
  show("conv2d_wgrad", generated_conv2d_wgrad_cpu(&taken), {&dweight, &dbias});
}

static const Family family("conv2d", [](const Shape& shape) {
  for (ElementType T : floats) {
    run(shape, T, 1, 1, 1, 0, 1, 1);
    run(shape, T, 3, 2, 1, 1, 1, 2);
    run(shape, T, 2, 3, 2, 2, 2, 1);
    run(shape, T, 3, 2, 1, 1, 1, 3, true);
    run(shape, T, 2, 3, 2, 2, 2, 3, true);
  }
});
