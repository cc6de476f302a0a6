#include "kernel_suite.h"
#include "silu_and_mul_call.h"

using namespace generated;
using namespace suite;

static const Family family("silu_and_mul", [](const Shape& shape) {
  for (ElementType T : floats) {
    Made x({shape.rows, 2 * shape.columns}, T, shape.offset);
    Made dy({shape.rows, shape.columns}, T, shape.offset);
    const SiluAndMulCall call(x.fill(1).buffer);
    Made y(call.y_());
    const SiluAndMulDescriptor desc = call.descriptor();
    const SiluAndMulArgs args{&desc, &context, y.buffer, x.buffer};
    show("silu_and_mul", generated_silu_and_mul_cpu(&args), {&y});

    const SiluAndMulBwdCall back(dy.fill(2).buffer, x.buffer);
    Made dx(back.dx_());
    const SiluAndMulBwdDescriptor told = back.descriptor();
    const SiluAndMulBwdArgs given{&told, &context, dx.buffer, dy.buffer, x.buffer};
    show("silu_and_mul_bwd", generated_silu_and_mul_bwd_cpu(&given), {&dx});
  }
});

static const Family pairs("swiglu", [](const Shape& shape) {
  for (ElementType T : floats) {
    Made gate({shape.rows, shape.columns}, T, shape.offset);
    Made up({shape.rows, shape.columns}, T, shape.offset);
    Made dy({shape.rows, shape.columns}, T, shape.offset);
    const SwigluCall call(gate.fill(1).buffer, up.fill(2).buffer);
    Made y(call.y_());
    const SwigluDescriptor desc = call.descriptor();
    const SwigluArgs args{&desc, &context, y.buffer, gate.buffer, up.buffer};
    show("silu_and_mul_of_pairs", generated_swiglu_cpu(&args), {&y});

    const SwigluBwdCall back(dy.fill(3).buffer, gate.buffer, up.buffer);
    Made dgate(back.dgate_()), dup(back.dup_());
    const SwigluBwdDescriptor told = back.descriptor();
    const SwigluBwdArgs given{&told,     &context,    dgate.buffer, dup.buffer,
                              dy.buffer, gate.buffer, up.buffer};
    show("silu_and_mul_of_pairs_bwd", generated_swiglu_bwd_cpu(&given), {&dgate, &dup});
  }
});
