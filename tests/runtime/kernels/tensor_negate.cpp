#include <cstdio>

#include "kernel_suite.h"
#include "tensor_negate_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T) {
  Made x({shape.rows, shape.columns}, T, shape.offset);
  const TensorNegateCall call(x.fill(1).buffer);
  Made y(call.y_());
  const TensorNegateDescriptor desc = call.descriptor();
  const TensorNegateArgs args{&desc, &context, y.buffer, x.buffer};
  show("tensor_negate", generated_tensor_negate_cpu(&args), {&y});
}

static const Family family("tensor_negate", [](const Shape& shape) {
  for (ElementType T : {ElementType::F32, ElementType::F64, ElementType::I8}) run(shape, T);
});

int suite::negate_more_than_an_int_counts() {
  const int64_t n = (int64_t{1} << 31) + 77;
  Made x({n}, ElementType::I8), y({n}, ElementType::I8);
  auto* in = static_cast<int8_t*>(x.buffer.data);
  const auto* out = static_cast<const int8_t*>(y.buffer.data);
  for (int64_t i = 0; i < n; ++i) in[i] = static_cast<int8_t>(i % 251 - 125);
  const TensorNegateCall call(x.buffer);
  const TensorNegateDescriptor desc = call.descriptor();
  const TensorNegateArgs args{&desc, &context, y.buffer, x.buffer};
  if (generated_tensor_negate_cpu(&args) != opgen::Status::ok) return 1;
  for (int64_t i = 0; i < n; ++i) {
    if (out[i] != static_cast<int8_t>(125 - i % 251)) return 1;
  }
  std::printf("tensor_negate i8 right\n");
  return 0;
}
