// Drives the hand-written kernels on awkward sizes, under sanitizers, and prints a checksum of the
// bits of every result: the first argument says how many threads share the work.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "relu_call.h"
#include "rms_norm_call.h"
#include "tensor_add_call.h"
#include "tensor_negate_call.h"

using namespace generated;
using opgen::ElementType;

// Cuts [0, n) into one range for each thread, of at least `grain`.
static void parallel_for(void* pool, int64_t n, int64_t grain, opgen::Context::Body* body,
                         void* arg) {
  const int64_t threads = *static_cast<int64_t*>(pool);
  int64_t size = (n + threads - 1) / threads;
  if (size < grain) size = grain;
  std::vector<std::thread> running;
  for (int64_t begin = 0; begin < n; begin += size) {
    running.emplace_back(body, arg, begin, begin + size < n ? begin + size : n);
  }
  for (std::thread& thread : running) thread.join();
}

// A tensor whose data begin `offset` elements into their allocation and end with it.
struct Made {
  opgen::Buffer buffer;
  std::vector<int64_t> sizes, strides;
  std::unique_ptr<char[]> memory;
  int64_t bytes;

  Made(opgen::Sizes shape, ElementType dtype, int64_t offset = 0)
      : sizes(shape.begin(), shape.end()), strides(sizes.size()) {
    opgen::contiguous_strides(shape, strides.data());
    bytes = opgen::prod(shape).value() * opgen::size_of(dtype);
    const int64_t skipped = offset * opgen::size_of(dtype);
    memory.reset(new char[bytes + skipped]);
    buffer = {memory.get() + skipped, sizes.data(), strides.data(),
              static_cast<int32_t>(sizes.size()), dtype};
  }
  explicit Made(const opgen::TensorSpec& spec) : Made(spec.shape, spec.dtype) {
    std::memset(buffer.data, 0xa5, bytes);
  }

  void set(int64_t i, double value) {
    switch (buffer.dtype) {
      case ElementType::BF16: static_cast<opgen::bf16*>(buffer.data)[i] = value; break;
      case ElementType::F16: static_cast<opgen::f16*>(buffer.data)[i] = value; break;
      case ElementType::F32: static_cast<float*>(buffer.data)[i] = value; break;
      case ElementType::F64: static_cast<double*>(buffer.data)[i] = value; break;
      default: static_cast<int8_t*>(buffer.data)[i] = std::isfinite(value) ? value * 8 : 1;
    }
  }

  // Ordinary numbers, with zeros of both signs, infinities, NaN and subnormals among them.
  Made& fill(unsigned seed) {
    const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, -1e-310};
    for (int64_t i = 0; i < buffer.numel(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      set(i, seed % 97 == 0 ? odd[seed / 97 % 7] : static_cast<int>(seed >> 16 & 1023) / 256.0 - 2);
    }
    return *this;
  }

  uint64_t checksum() const {
    uint64_t hash = 1469598103934665603u;
    for (int64_t i = 0; i < bytes; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(buffer.data)[i]) * 1099511628211u;
    }
    return hash;
  }
};

static opgen::Context context;

static void show(const char* op, opgen::Status status, std::initializer_list<const Made*> results) {
  std::printf("%s %d", op, static_cast<int>(status));
  for (const Made* made : results) {
    std::printf(" %s %016llx", opgen::name(made->buffer.dtype),
                static_cast<unsigned long long>(made->checksum()));
  }
  std::printf("\n");
}

static void rms_norm(int64_t rows, int64_t columns, ElementType T, ElementType W, int64_t offset) {
  const int64_t shape[] = {rows, columns};
  Made x(opgen::Sizes(shape, 2), T, offset), weight(opgen::Sizes(shape + 1, 1), W, offset);
  Made dy(opgen::Sizes(shape, 2), W, offset);
  const RmsNormCall call(x.fill(1).buffer, weight.fill(2).buffer, 1e-5);
  Made y(call.y()), invvar(call.invvar());
  const RmsNormDescriptor desc = call.descriptor();
  const RmsNormArgs args{&desc, &context, y.buffer, invvar.buffer, x.buffer, weight.buffer};
  show("rms_norm", generated_rms_norm_cpu(&args), {&y, &invvar});

  const RmsNormBwdCall back(dy.fill(3).buffer, invvar.buffer, x.buffer, weight.buffer, 1e-5);
  Made dx(back.dx()), dweight(back.dweight()), part_grad(back.part_grad());
  const RmsNormBwdDescriptor told = back.descriptor();
  const RmsNormBwdArgs given{&told,     &context,      dx.buffer, dweight.buffer, part_grad.buffer,
                             dy.buffer, invvar.buffer, x.buffer,  weight.buffer};
  show("rms_norm_bwd", generated_rms_norm_bwd_cpu(&given), {&dx, &dweight});
}

static void elementwise(int64_t rows, int64_t columns, ElementType T, int64_t offset) {
  const int64_t shape[] = {rows, columns};
  const opgen::Sizes sizes(shape, 2);
  Made a(sizes, T, offset), b(sizes, T, offset);
  a.fill(4);
  b.fill(5);
  const ReluCall relu(a.buffer);
  Made y(relu.y());
  const ReluDescriptor relu_desc = relu.descriptor();
  const ReluArgs relu_args{&relu_desc, &context, y.buffer, a.buffer};
  show("relu", generated_relu_cpu(&relu_args), {&y});
  if (T != ElementType::I8) {
    const ReluBwdCall back(b.buffer, y.buffer);
    Made dx(back.dx());
    const ReluBwdDescriptor told = back.descriptor();
    const ReluBwdArgs given{&told, &context, dx.buffer, b.buffer, y.buffer};
    show("relu_bwd", generated_relu_bwd_cpu(&given), {&dx});

    const TensorAddCall add(a.buffer, b.buffer);
    Made c(add.c());
    const TensorAddDescriptor desc = add.descriptor();
    opgen::Context ctx = context;
    ctx.start(add.launch(opgen::Platform::cpu));
    const TensorAddArgs args{&desc, &ctx, c.buffer, a.buffer, b.buffer};
    show("tensor_add", generated_tensor_add_cpu(&args), {&c});
  }
  if (T == ElementType::F32 || T == ElementType::F64 || T == ElementType::I8) {
    const TensorNegateCall negate(a.buffer);
    Made out(negate.y());
    const TensorNegateDescriptor desc = negate.descriptor();
    const TensorNegateArgs args{&desc, &context, out.buffer, a.buffer};
    show("tensor_negate", generated_tensor_negate_cpu(&args), {&out});
  }
}

int main(int, char** argv) {
  int64_t threads = std::atoi(argv[1]);
  context.pool = &threads;
  context.threads = static_cast<int32_t>(threads);
  context.parallel_for = parallel_for;
  const ElementType floats[] = {ElementType::F32, ElementType::BF16, ElementType::F16,
                                ElementType::F64};
  const int64_t shapes[][2] = {{0, 5}, {5, 0}, {1, 1},   {3, 7},    {7, 8},      {17, 9},
                               {2, 15}, {15, 16}, {16, 17}, {33, 31}, {300, 1025}, {1, 70000}};
  for (const auto& shape : shapes) {
    for (int64_t offset : {0, 1}) {
      for (ElementType T : floats) {
        for (ElementType W : floats) rms_norm(shape[0], shape[1], T, W, offset);
        elementwise(shape[0], shape[1], T, offset);
      }
      elementwise(shape[0], shape[1], ElementType::I8, offset);
    }
  }
}
