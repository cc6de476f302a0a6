#include "kernel_suite.h"
#include "quantized_linear_call.h"

using namespace generated;
using namespace suite;

/// Fills a weight so that each of its bits is used.
static void scramble(Made& weight, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i) {
    static_cast<uint8_t*>(weight.buffer.data)[i] = static_cast<uint8_t>(i * 167 + i / 251 * 13);
  }
}

static void run(const Shape& shape, ElementType T, ElementType S, int64_t k, int64_t groups) {
  const int64_t rows = shape.rows, n = shape.columns;
  Made weight({n, k}, ElementType::I8, shape.offset), scale({n}, S, shape.offset);
  scramble(weight, n * k);
  Made x({rows, k}, T, shape.offset);
  const Int8LinearCall call(x.fill(1).buffer, weight.buffer, scale.fill(2).buffer);
  Made y(call.y_());
  const Int8LinearDescriptor desc = call.descriptor();
  const Int8LinearArgs args{&desc, &context, y.buffer, x.buffer, weight.buffer, scale.buffer};
  show("quantized_linear_int8", generated_int8_linear_cpu(&args), {&y});
  const Int8LinearDgradCall back(y.buffer, weight.buffer, scale.buffer);
  Made dx(back.dx_());
  const Int8LinearDgradDescriptor told = back.descriptor();
  const Int8LinearDgradArgs given{&told,    &context,      dx.buffer,
                                  y.buffer, weight.buffer, scale.buffer};
  show("quantized_linear_int8_dgrad", generated_int8_linear_dgrad_cpu(&given), {&dx});

  const int64_t half = k / 2 / groups, bytes = half * groups;
  Made pairs({n, bytes}, ElementType::U8, shape.offset), scales({n, groups}, S, shape.offset);
  Made zeros({n, groups}, S, shape.offset), left({rows, 2 * bytes}, T, shape.offset);
  scramble(pairs, n * bytes);
  for (const bool shifted : {true, false}) {
    const Buffer zero = shifted ? zeros.fill(3).buffer : Buffer{};
    const Int4LinearCall of_4(left.fill(1).buffer, pairs.buffer, scales.fill(2).buffer, zero);
    const Int4LinearDescriptor kept = of_4.descriptor();
    const Int4LinearArgs all{&kept,        &context,      y.buffer, left.buffer,
                             pairs.buffer, scales.buffer, zero};
    show("quantized_linear_int4", generated_int4_linear_cpu(&all), {&y});
    const Int4LinearDgradCall of_x(y.buffer, pairs.buffer, scales.buffer, zero);
    Made dleft(of_x.dx_());
    const Int4LinearDgradDescriptor wanted = of_x.descriptor();
    const Int4LinearDgradArgs factors{&wanted,      &context,      dleft.buffer, y.buffer,
                                      pairs.buffer, scales.buffer, zero};
    show("quantized_linear_int4_dgrad", generated_int4_linear_dgrad_cpu(&factors), {&dleft});
  }
}

static const Family family("quantized_linear", [](const Shape& shape) {
  for (const ElementType T : {ElementType::F32, ElementType::BF16, ElementType::F16}) {
    run(shape, T, T, 70, 5);
  }
  run(shape, ElementType::BF16, ElementType::F32, 600, 2);
});
