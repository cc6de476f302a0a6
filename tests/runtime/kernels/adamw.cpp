#include "adamw_call.h"
#include "kernel_suite.h"

using namespace generated;
using namespace suite;

/// A list of tensors in the form of an op's argument.
struct MadeList {
  std::vector<Made> made;
  std::vector<Buffer> buffers;
  opgen::BufferList list;

  MadeList(const Shape& shape, ElementType dtype, unsigned seed) {
    made.reserve(3);
    made.emplace_back(std::vector<int64_t>{shape.rows, shape.columns}, dtype, shape.offset);
    made.emplace_back(std::vector<int64_t>{shape.columns}, dtype, shape.offset);
    made.emplace_back(std::vector<int64_t>{}, dtype, shape.offset);
    for (Made& each : made) buffers.push_back(each.fill(seed++).buffer);
    list = {buffers.data(), static_cast<int64_t>(buffers.size())};
  }
};

static void run(const Shape& shape, ElementType T, ElementType G, ElementType M, bool amsgrad) {
  MadeList params(shape, T, 1), grads(shape, G, 2), avgs(shape, M, 3), squares(shape, M, 4);
  MadeList largest(shape, M, 5);
  Made step({}, ElementType::F32);
  Made lr({}, T == ElementType::F64 ? ElementType::F64 : ElementType::F32);
  step.set(0, 3);
  lr.set(0, 0.1);
  const opgen::BufferList maxima = amsgrad ? largest.list : opgen::BufferList{};
  const Adamw_Call call(params.list, grads.list, avgs.list, squares.list, step.buffer, lr.buffer,
                        maxima, 0.9, 0.999, 1e-8, 0.01, amsgrad, false);
  const Adamw_Descriptor desc = call.descriptor();
  const Adamw_Args args{&desc,        &context,    params.list, grads.list, avgs.list,
                        squares.list, step.buffer, lr.buffer,   maxima};
  const opgen::Status status = generated_adamw__cpu(&args);
  for (size_t i = 0; i < params.made.size(); ++i) {
    show("adamw_", status, {&params.made[i], &avgs.made[i], &squares.made[i], &largest.made[i]});
  }
  show("adamw_", status, {&step});
}

static const Family family("adamw", [](const Shape& shape) {
  for (bool amsgrad : {false, true}) {
    for (ElementType T : floats) run(shape, T, T, ElementType::F32, amsgrad);
    run(shape, ElementType::BF16, ElementType::F32, ElementType::BF16, amsgrad);
    run(shape, ElementType::F64, ElementType::F64, ElementType::F64, amsgrad);
  }
});
