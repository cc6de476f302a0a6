// A kernel with many faults. A call selects one of them.
#include "rows.h"

#include <unistd.h>

#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "faults.h"
#include "opgen/rows.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace planted::cpu {

namespace {

constexpr int64_t width = 8, block = 64;

volatile float scratch;
void* volatile kept;
int64_t kept_n, kept_d;
double kept_inverse;

void flush_subnormals() {
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

// Plants the faults that have an effect after the call.
template <class T>
void leave(const RowsView<T>& op, Fault fault, int64_t n, int64_t d) {
  T* const y = op.y.data;
  T* const x = const_cast<T*>(op.x.data);
  T* const weight = const_cast<T*>(op.weight.data);
  switch (fault) {
    case element_past_y: y[n * d] = T(0.0f); break;
    case row_past_y:
      for (int64_t j = 0; j < d; ++j) y[n * d + j] = T(0.0f);
      break;
    case element_before_y: y[-1] = T(0.0f); break;
    case element_past_above: op.above.data[n] = 0; break;
    case element_past_invrms: op.invrms.data[n] = 0; break;
    case element_past_workspace: op.squares.data[n] = 0; break;
    case vector_past_y:
      for (int64_t j = n * d; j % width != 0; ++j) y[j] = T(0.0f);
      break;
    case x_scaled: x[0] = T(2 * static_cast<float>(x[0])); break;
    case weight_negated: weight[d - 1] = T(-static_cast<float>(weight[d - 1])); break;
    case x_replaced:
      for (int64_t j = 0; j < d; ++j) x[j] = y[j];
      break;
    case between_rows_of_x: x[d] = T(0.0f); break;
    case one_infinity:
      if (d == 17) y[0] = T(std::numeric_limits<float>::infinity());
      break;
    case keeps_memory: kept = std::malloc(100); break;
    case keeps_memory_of_long_rows:
      if (d > 1000) kept = std::malloc(100);
      break;
    case flushes_subnormals: flush_subnormals(); break;
    case rounds_up: std::fesetround(FE_UPWARD); break;
    default: break;
  }
}

/// Returns the inverse root of `m` by one Newton step from an estimate of `bits` bits.
template <class Acc>
Acc inverse_root(Acc m, int bits) {
  int exponent = 0;
  const Acc share = std::frexp(1 / std::sqrt(m), &exponent);
  const Acc estimate = std::ldexp(std::round(std::ldexp(share, bits)), exponent - bits);
  return estimate * (Acc(1.5) - Acc(0.5) * m * estimate * estimate);
}

/// Returns the start of row `i`.
template <class T>
const T* row_of_x(const opgen::Tensor<const T>& x, int64_t i, Fault fault) {
  const T* const row = opgen::row_of(x, i);
  const int64_t place = row - x.data;
  switch (fault) {
    case rows_as_if_dense: return x.data + i * x.size(x.rank - 1);
    case place_of_32_bits: return x.data + static_cast<uint32_t>(place);
    case place_of_32_bits_with_sign: return x.data + static_cast<int32_t>(place);
    case rounds_address_down:
      return reinterpret_cast<const T*>(reinterpret_cast<uintptr_t>(x.data) / 64 * 64) + place;
    default: return row;
  }
}

}  // namespace

template <class T>
opgen::Status rows(const RowsView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const auto fault = static_cast<Fault>(op.desc.fault);
  const int64_t d = op.weight.numel(), n = op.x.numel() / d;
  if (fault == refuses_prime && d == 17) return opgen::Status::unsupported;
  const T* const weight = op.weight.data;
  const bool aligned = reinterpret_cast<uintptr_t>(op.x.data) % 64 == 0;
  T* const results = op.y.data;

  const auto row = [&](int64_t i) {
    const T* x = row_of_x(op.x, i, fault);  // d
    T* const y = results + i * d;           // d
    Acc sum = fault == workspace_read_first ? op.squares.data[i] : Acc(0);
    int32_t above = 0;
    int64_t summed = d;
    if (fault == tail_not_summed && d > width) summed = d / width * width;
    if (fault == block_by_batch && n >= block) summed = (d + 1) / 2;
    if (fault == prime_loses_last && d == 257) summed = d - 1;
    if (fault == remainder_of_threads) summed = d / op.ctx.threads * op.ctx.threads;
    const bool other_way = (fault == order_by_threads && op.ctx.threads > 1) ||
                           (fault == order_by_address && !aligned) ||
                           (fault == order_by_batch && n >= block) ||
                           (fault == order_by_row && i % 4 == 3);
    for (int64_t k = 0; k < d; ++k) {
      const int64_t j = other_way ? d - 1 - k : k;
      const Acc v = static_cast<Acc>(x[j]);
      above += v > 0 && (fault != first_block_counted || j < block);
      if (j >= summed) continue;
      sum += fault == squares_as_stored ? static_cast<Acc>(T(v * v)) : v * v;
      if (fault == sum_as_stored) sum = static_cast<Acc>(T(sum));
      if (fault == sum_in_16_bits) sum = static_cast<float>(opgen::bf16(static_cast<float>(sum)));
    }
    op.squares.data[i] = sum;
    if (fault == neighbours_root && i % block == block - 1) sum = op.squares.data[i - 1];
    if (fault == shared_scratch) {
      scratch = static_cast<float>(sum);
      usleep(20);
      sum = static_cast<Acc>(scratch);
    }
    const Acc mean = sum / static_cast<Acc>(fault == divided_by_one_less && d > 1 ? d - 1 : d);
    const Acc epsilon = fault == epsilon_missing ? Acc(0) : Acc(0.01);
    Acc inverse = fault == epsilon_outside_root ? 1 / (std::sqrt(mean) + epsilon)
                                                : 1 / std::sqrt(mean + epsilon);
    if (fault == root_of_an_earlier_call && i == 0) {
      if (kept_n == n && kept_d == d) inverse = static_cast<Acc>(kept_inverse);
      kept_n = n, kept_d = d, kept_inverse = static_cast<double>(inverse);
    }
    if (fault == newton_step_missing) inverse = inverse_root(mean + epsilon, 10);
    if (fault == late_roots_estimated && i >= 1024) inverse = inverse_root(mean + epsilon, 8);
    if (fault == root_in_8_bits) inverse = std::round(inverse * 128) / 128;
    for (int64_t j = 0; j < d; ++j) {
      if (fault == tail_of_y_left && j >= d / width * width && d > width) break;
      int64_t at = fault == index_of_8_bits ? j % 256 : j;
      if (fault == weight_by_row) at = i % d;
      Acc factor = static_cast<Acc>(weight[at]) * inverse;
      const bool tail = d > width && j >= d / width * width;
      if (fault == tail_without_weight && tail) factor = inverse;
      if (fault == last_row_without_weight && i == n - 1) factor = inverse;
      if (fault == unaligned_without_weight && !aligned) factor = inverse;
      if (fault == off_by_factor) factor *= 2;
      if (fault == sign_of_single_element && d == 1) factor = -factor;
      Acc v = static_cast<Acc>(x[j]) * factor;
      if (fault == single_element_copied && d == 1) v = static_cast<Acc>(x[j]);
      if (fault == small_to_zero && sizeof(T) == 2 && std::abs(v) < Acc(0.01)) v = 0;
      y[j] = T(v);
    }
    const bool last = i == n - 1;
    if (!(fault == last_above_left && last)) op.above.data[i] = above;
    const bool left = fault == last_invrms_left ? last : fault == late_invrms_left && i >= block;
    if (!left) op.invrms.data[i] = inverse;
  };

  opgen::parallel(op.ctx, n, 16, [&](int64_t begin, int64_t end) {
    if (fault == range_from_zero) end -= begin, begin = 0;
    if (fault == range_loses_last_row && end < n) --end;
    for (int64_t i = begin; i < end; ++i) row(i);
  });
  leave(op, fault, n, d);
  return opgen::Status::ok;
}

/// 0.75*x + x, rounded once.
template <class T>
opgen::Status stretched(const StretchedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const double x = static_cast<float>(op.x.data[i]);
    const float y = static_cast<float>(0.75 * x + x);
    op.y.data[i] = T(op.desc.fault == last_digit && i % 2 == 1 ? std::nextafter(y, 9.0f) : y);
  }
  return opgen::Status::ok;
}

/// The same, with each step rounded to f32.
template <class T>
opgen::Status stretched_loosely(const StretchedView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) {
    const float x = static_cast<float>(op.x.data[i]);
    op.y.data[i] = T(0.75f * x + x);
  }
  return opgen::Status::ok;
}

template <class T>
opgen::Status rows_bwd(const RowsBwdView<T>& op) noexcept {
  using Acc = opgen::accum_t<T>;
  const int64_t d = op.weight.numel(), n = op.x.numel() / d;
  for (int64_t j = 0; j < d; ++j) op.dweight.data[j] = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T* const x = op.x.data + i * d;    // d
    const T* const dy = op.dy.data + i * d;  // d
    const Acc inverse = op.invrms.data[i];
    Acc product = 0;
    for (int64_t j = 0; j < d; ++j) {
      const Acc term = static_cast<Acc>(dy[j]) * static_cast<Acc>(x[j]);
      op.dweight.data[j] += term * inverse;
      product += term * static_cast<Acc>(op.weight.data[j]);
    }
    const Acc mean = product * inverse * inverse / static_cast<Acc>(d);
    for (int64_t j = 0; j < d; ++j) {
      const Acc direct = static_cast<Acc>(dy[j]) * static_cast<Acc>(op.weight.data[j]);
      op.dx.data[i * d + j] = T(inverse * (direct - static_cast<Acc>(x[j]) * mean));
    }
  }
  return opgen::Status::ok;
}

}  // namespace planted::cpu
