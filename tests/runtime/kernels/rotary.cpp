#include "kernel_suite.h"
#include "rotary_call.h"

using namespace generated;
using namespace suite;

static void run(const Shape& shape, ElementType T, ElementType C, const char* style, int64_t rest) {
  const int64_t tokens = shape.rows, d = shape.columns, heads = d > 9999 ? 1 : 2;
  const int64_t r = d > rest ? (d - rest) / 2 : 0;
  Made q({2, tokens, 2 * heads, d}, T, shape.offset), k({2, tokens, heads, d}, T, shape.offset);
  Made positions({tokens}, ElementType::I64, shape.offset);
  Made cos_sin({5, 2 * r}, C, shape.offset);
  for (int64_t token = 0; token < tokens; ++token) {
    static_cast<int64_t*>(positions.buffer.data)[token] = token * 3 % 5;
  }
  q.fill(1);
  k.fill(2);
  cos_sin.fill(3);
  const RotaryCall call(q.buffer, positions.buffer, cos_sin.buffer, k.buffer, style, false);
  Made q_out(call.q_out_()), k_out(call.k_out_());
  const RotaryDescriptor desc = call.descriptor();
  const RotaryArgs args{&desc,    &context,         q_out.buffer,   k_out.buffer,
                        q.buffer, positions.buffer, cos_sin.buffer, k.buffer};
  show("rotary", generated_rotary_cpu(&args), {&q_out, &k_out});

  const Rotary_Call in_place(q.buffer, positions.buffer, cos_sin.buffer, Buffer{}, style, true);
  const Rotary_Descriptor told = in_place.descriptor();
  const Rotary_Args given{&told, &context, q.buffer, positions.buffer, cos_sin.buffer, Buffer{}};
  show("rotary_", generated_rotary__cpu(&given), {&q});
}

static void apply(const Shape& shape, ElementType T, ElementType C, const char* style,
                  bool heads_first) {
  const int64_t tokens = shape.rows, d = shape.columns, heads = d > 9999 ? 1 : 2;
  const auto shaped = [=](int64_t h) {
    return heads_first ? std::vector<int64_t>{2, h, tokens, d}
                       : std::vector<int64_t>{2, tokens, h, d};
  };
  Made q(shaped(2 * heads), T, shape.offset), k(shaped(heads), T, shape.offset);
  Made cos({tokens, d / 2 * 2}, C, shape.offset), sin({tokens, d / 2 * 2}, C, shape.offset);
  const ApplyRotaryCall call(q.fill(1).buffer, k.fill(4).buffer, cos.fill(2).buffer,
                             sin.fill(3).buffer, heads_first ? "HSD" : "SHD", style, !heads_first);
  Made q_out(call.q_out_()), k_out(call.k_out_());
  const ApplyRotaryDescriptor desc = call.descriptor();
  const ApplyRotaryArgs args{&desc,    &context, q_out.buffer, k_out.buffer,
                             q.buffer, k.buffer, cos.buffer,   sin.buffer};
  show("apply_rotary", generated_apply_rotary_cpu(&args), {&q_out, &k_out});
}

static const Family family("rotary", [](const Shape& shape) {
  for (ElementType T : floats) {
    for (const char* style : {"half", "interleaved"}) {
      apply(shape, T, T, style, true);
      apply(shape, T, ElementType::F32, style, false);
      run(shape, T, T, style, 0);
      run(shape, T, ElementType::F32, style, 3);
    }
  }
});
