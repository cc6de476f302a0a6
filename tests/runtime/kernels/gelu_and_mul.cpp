#include "gelu_and_mul_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

static const Family family("gelu_and_mul", [](const Shape& shape) {
  for (ElementType T : floats) {
    for (const char* approximate : {"none", "tanh"}) {
      Made x({shape.rows, 2 * shape.columns}, T, shape.offset);
      Made dy({shape.rows, shape.columns}, T, shape.offset);
      const GeluAndMulCall call(x.fill(1).buffer, approximate);
      Made y(call.y_());
      const GeluAndMulDescriptor desc = call.descriptor();
      const GeluAndMulArgs args{&desc, &context, y.buffer, x.buffer};
      show("gelu_and_mul", generated_gelu_and_mul_cpu(&args), {&y});

      const GeluAndMulBwdCall back(dy.fill(2).buffer, x.buffer, approximate);
      Made dx(back.dx_());
      const GeluAndMulBwdDescriptor told = back.descriptor();
      const GeluAndMulBwdArgs given{&told, &context, dx.buffer, dy.buffer, x.buffer};
      show("gelu_and_mul_bwd", generated_gelu_and_mul_bwd_cpu(&given), {&dx});
    }
  }
});

static const Family pairs("geglu", [](const Shape& shape) {
  for (ElementType T : floats) {
    Made gate({shape.rows, shape.columns}, T, shape.offset);
    Made up({shape.rows, shape.columns}, T, shape.offset);
    Made dy({shape.rows, shape.columns}, T, shape.offset);
    const GegluCall call(gate.fill(1).buffer, up.fill(2).buffer, "none");
    Made y(call.y_());
    const GegluDescriptor desc = call.descriptor();
    const GegluArgs args{&desc, &context, y.buffer, gate.buffer, up.buffer};
    show("gelu_and_mul_of_pairs", generated_geglu_cpu(&args), {&y});

    const GegluBwdCall back(dy.fill(3).buffer, gate.buffer, up.buffer, "none");
    Made dgate(back.dgate_()), dup(back.dup_());
    const GegluBwdDescriptor told = back.descriptor();
    const GegluBwdArgs given{&told,     &context,    dgate.buffer, dup.buffer,
                             dy.buffer, gate.buffer, up.buffer};
    show("gelu_and_mul_of_pairs_bwd", generated_geglu_bwd_cpu(&given), {&dgate, &dup});
  }
});
