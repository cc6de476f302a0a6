// Rotary position embedding on CUDA, out of place and in place.
//
// Su et al., RoFormer, 2021, equation 34. One block rotates the heads of a token. The kernel
// computes in f32 (f64 for f64).
#include "rotary.h"

#include <algorithm>

#include "opgen/cuda_pack.h"
#include "opgen/cuda_strided_rows.h"

namespace generated::cuda {

using opgen::cuda::Integers;
using opgen::cuda::Pack;

struct RotaryShape {
  int64_t tokens;     // *lead t
  int64_t positions;  // tokens, or t
  int64_t q_heads;
  int64_t k_heads;  // 0 without k
  int64_t d;
  int64_t r;         // pairs of a head
  bool interleaved;  // pairs are neighbours
  bool inverse;
};

/// Cosines and sines of any floating type.
struct Angles {
  const void* data;  // p 2*r
  opgen::ElementType dtype;

  /// The pack that starts at element `at`.
  template <class Acc, int width>
  __device__ Pack<Acc, width> pack(int64_t at) const {
    switch (dtype) {
      case opgen::ElementType::BF16: return converted<Acc, width, opgen::bf16>(at);
      case opgen::ElementType::F16: return converted<Acc, width, opgen::f16>(at);
      case opgen::ElementType::F64: return converted<Acc, width, double>(at);
      default: return converted<Acc, width, float>(at);
    }
  }

 private:
  template <class Acc, int width, class C>
  __device__ Pack<Acc, width> converted(int64_t at) const {
    const Pack<C, width> from = opgen::cuda::load<width>(static_cast<const C*>(data) + at, 0);
    Pack<Acc, width> to;
#pragma unroll
    for (int i = 0; i < width; ++i) to.items[i] = static_cast<Acc>(from.items[i]);
    return to;
  }
};

/// Element k of two packs, one after the other.
template <class T, int width>
__device__ T element(const Pack<T, width>& low, const Pack<T, width>& high, int k) {
  return k < width ? low.items[k % width] : high.items[k % width];
}

/// Rotates the pairs [width * n, width * (n + 1)) of a head by the angles at `position`. y may be
/// x.
template <int width, class T>
__device__ void turn(const RotaryShape& shape, int64_t n, const Angles& angles, int64_t position,
                     const T* x,  // d
                     T* y) {      // d
  using Acc = opgen::accum_t<T>;
  const int64_t cosines = position * 2 * shape.r + width * n;
  const Pack<Acc, width> cs = angles.template pack<Acc, width>(cosines);
  const Pack<Acc, width> ss = angles.template pack<Acc, width>(cosines + shape.r);
  const int64_t at = (shape.interleaved ? 2 : 1) * width * n;
  const int64_t next = at + (shape.interleaved ? width : shape.r);
  const Pack<T, width> low = opgen::cuda::load<width>(x + at, 0);
  const Pack<T, width> high = opgen::cuda::load<width>(x + next, 0);
  Pack<T, width> as, bs;
#pragma unroll
  for (int i = 0; i < width; ++i) {
    const T a = shape.interleaved ? element(low, high, 2 * i) : low.items[i];
    const T b = shape.interleaved ? element(low, high, 2 * i + 1) : high.items[i];
    const Acc cos = cs.items[i], sin = shape.inverse ? -ss.items[i] : ss.items[i];
    as.items[i] = static_cast<Acc>(a) * cos - static_cast<Acc>(b) * sin;
    bs.items[i] = static_cast<Acc>(b) * cos + static_cast<Acc>(a) * sin;
  }
  Pack<T, width> first = as, second = bs;
  if (shape.interleaved) {
#pragma unroll
    for (int k = 0; k < width; ++k) {
      first.items[k] = k % 2 == 0 ? as.items[k / 2] : bs.items[k / 2];
      const int later = (width + k) / 2;
      second.items[k] = (width + k) % 2 == 0 ? as.items[later] : bs.items[later];
    }
  }
  opgen::cuda::store(y + at, 0, first);
  opgen::cuda::store(y + next, 0, second);
}

template <class T, int width>
__global__ void rotary_tokens(RotaryShape shape, Integers positions, Angles angles,
                              const T* q,  // tokens q_heads d
                              const T* k,  // tokens k_heads d
                              T* q_out,    // tokens q_heads d
                              T* k_out) {  // tokens k_heads d
  const int64_t pairs = shape.r / width;
  const int64_t kept = q == q_out ? 0 : (shape.d - 2 * shape.r) / width;
  for (int64_t token = blockIdx.x; token < shape.tokens; token += gridDim.x) {
    const int64_t position = positions[token % shape.positions];
    for (int64_t head = threadIdx.y; head < shape.q_heads + shape.k_heads; head += blockDim.y) {
      const bool of_q = head < shape.q_heads;
      const int64_t row =
          of_q ? token * shape.q_heads + head : token * shape.k_heads + head - shape.q_heads;
      const T* x = (of_q ? q : k) + row * shape.d;
      T* y = (of_q ? q_out : k_out) + row * shape.d;
      for (int64_t n = threadIdx.x; n < pairs + kept; n += blockDim.x) {
        if (n < pairs) {
          turn<width>(shape, n, angles, position, x, y);
        } else {
          const int64_t place = 2 * pairs + n - pairs;
          opgen::cuda::store(y, place, opgen::cuda::load<width>(x, place));
        }
      }
    }
  }
}

/// Rotates q, and k if present, and writes them to `q_out` and `k_out`. Op is a view of either op.
template <class T, class Op>
opgen::Status rotate(const Op& op, T* q_out, T* k_out) noexcept {
  constexpr int wide = Pack<T>::width;
  const int32_t rank = op.q.rank;
  RotaryShape shape;
  shape.d = op.q.size(rank - 1);
  shape.q_heads = op.q.size(rank - 2);
  shape.k_heads = op.k.present() ? op.k.size(rank - 2) : 0;
  shape.positions = op.positions.numel();
  shape.tokens = 1;
  for (int32_t dim = 0; dim + 2 < rank; ++dim) shape.tokens *= op.q.size(dim);
  shape.r = op.cos_sin.size(1) / 2;
  shape.interleaved = op.desc.style == 1;  // half, interleaved
  shape.inverse = op.desc.inverse != 0;
  const Angles angles{op.cos_sin.data, op.cos_sin.dtype};
  const bool packed = shape.d % wide == 0 && shape.r % wide == 0 &&
                      opgen::cuda::aligned(op.q.data, op.k.data, angles.data, q_out, k_out);
  const int64_t pieces = shape.d / 2 / (packed ? wide : 1);
  unsigned across = 1;
  while (across < pieces && across < 128) across *= 2;
  const int64_t heads = std::min<int64_t>(shape.q_heads + shape.k_heads, 256 / across);
  return opgen::cuda::launch(op.ctx, packed ? rotary_tokens<T, wide> : rotary_tokens<T, 1>,
                             opgen::cuda::blocks_for(shape.tokens, 1),
                             dim3(across, static_cast<unsigned>(heads)), shape,
                             Integers(op.positions), angles, op.q.data, op.k.data, q_out, k_out);
}

template <class T>
opgen::Status rotary(const RotaryCudaView<T>& op) noexcept {
  return rotate<T>(op, op.q_out.data, op.k_out.data);
}

template <class T>
opgen::Status rotary_(const Rotary_CudaView<T>& op) noexcept {
  return rotate<T>(op, op.q.data, op.k.data);
}

/// One of the tensors with heads to rotate, and the memory layout of its heads and elements.
template <class T>
struct TurnedHeads {
  const T* x;
  T* y;
  opgen::cuda::RowOffsets x_rows, y_rows;  // for *lead, heads and tokens, in the shape's order
  int64_t x_step, y_step;                  // from an element to the next
  int64_t rows, heads;

  TurnedHeads(const opgen::Tensor<const T>& from, const opgen::Tensor<T>& to, bool heads_first)
      : x(from.data), y(to.data), x_rows(from), y_rows(to) {
    const int32_t last = from.rank - 1;
    x_step = from.stride(last);
    y_step = to.stride(last);
    heads = from.size(heads_first ? last - 2 : last - 1);
    rows = from.size(last) > 0 ? from.numel() / from.size(last) : 0;
  }
};

/// One thread computes a pair, or an element after the pairs. With J(a, b) = (-b, a) for each pair,
/// the result is x cos + J(x) sin or, for `inverse`, its transpose x cos - J(x sin).
template <class T, class C>
__global__ void apply_rotary_heads(RotaryShape shape, bool heads_first, TurnedHeads<T> q,
                                   TurnedHeads<T> k,
                                   const C* cos,    // positions 2*r
                                   const C* sin) {  // positions 2*r
  using Acc = opgen::accum_t<T>;
  const int64_t lanes = shape.d - shape.r;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.y;
  for (int64_t n = blockIdx.x * static_cast<int64_t>(blockDim.y) + threadIdx.y; n < q.rows + k.rows;
       n += step) {
    const bool of_q = n < q.rows;
    const TurnedHeads<T>& heads = of_q ? q : k;
    const int64_t row = of_q ? n : n - q.rows;
    const T* x = heads.x + heads.x_rows(row);
    T* y = heads.y + heads.y_rows(row);
    const int64_t lead = row / (heads.heads * shape.tokens);
    const int64_t token = heads_first ? row % shape.tokens : row / heads.heads % shape.tokens;
    const int64_t angles = (lead * shape.tokens + token) % shape.positions * 2 * shape.r;
    for (int64_t i = threadIdx.x; i < lanes; i += blockDim.x) {
      if (i >= shape.r) {
        y[(shape.r + i) * heads.y_step] = x[(shape.r + i) * heads.x_step];
        continue;
      }
      const int64_t at_a = shape.interleaved ? 2 * i : i;
      const int64_t at_b = shape.interleaved ? 2 * i + 1 : shape.r + i;
      const Acc a = static_cast<Acc>(x[at_a * heads.x_step]);
      const Acc b = static_cast<Acc>(x[at_b * heads.x_step]);
      const Acc sign = shape.inverse ? -1 : 1;
      const Acc of_a = sign * static_cast<Acc>(sin[angles + (shape.inverse ? at_b : at_a)]);
      const Acc of_b = sign * static_cast<Acc>(sin[angles + (shape.inverse ? at_a : at_b)]);
      y[at_a * heads.y_step] = static_cast<T>(a * static_cast<Acc>(cos[angles + at_a]) - b * of_a);
      y[at_b * heads.y_step] = static_cast<T>(b * static_cast<Acc>(cos[angles + at_b]) + a * of_b);
    }
  }
}

template <class T, class C>
opgen::Status apply_rotary(const ApplyRotaryView<T, C>& op) noexcept {
  const bool heads_first = op.desc.heads_first != 0;
  const TurnedHeads<T> q(op.q, op.q_out, heads_first), k(op.k, op.k_out, heads_first);
  if (!q.x_rows.fits() || !q.y_rows.fits() || !k.x_rows.fits() || !k.y_rows.fits()) {
    return opgen::Status::unsupported;
  }
  RotaryShape shape{};
  shape.tokens = op.desc.t;
  shape.d = op.desc.d;
  shape.r = op.desc.r;
  shape.positions = shape.r > 0 ? op.cos.numel() / (2 * shape.r) : 1;
  shape.interleaved = op.desc.interleaved != 0;
  shape.inverse = op.desc.inverse != 0;
  unsigned across = 1;
  while (across < shape.d - shape.r && across < 64) across *= 2;
  const unsigned down = 256 / across;
  return opgen::cuda::launch(op.ctx, apply_rotary_heads<T, C>,
                             opgen::cuda::blocks_for(q.rows + k.rows, down), dim3(across, down),
                             shape, heads_first, q, k, op.cos.data, op.sin.data);
}

}  // namespace generated::cuda
