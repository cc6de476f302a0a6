#include "kernel_suite.h"
#include "tensor_add_call.h"

using namespace generated;
using namespace suite;

static const Family family("tensor_add", [](const Shape& shape) {
  for (ElementType T : floats) {
    Made a({shape.rows, shape.columns}, T, shape.offset);
    Made b({shape.rows, shape.columns}, T, shape.offset);
    const TensorAddCall call(a.fill(1).buffer, b.fill(2).buffer);
    Made c(call.c_());
    const TensorAddDescriptor desc = call.descriptor();
    opgen::Context grid = context;
    grid.start(call.launch(opgen::Platform::cpu));
    const TensorAddArgs args{&desc, &grid, c.buffer, a.buffer, b.buffer};
    show("tensor_add", generated_tensor_add_cpu(&args), {&c});
  }
});
