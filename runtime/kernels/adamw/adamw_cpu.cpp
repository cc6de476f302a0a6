// One AdamW step on lists of tensors, in place, on the CPU.
//
// Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019, algorithm 2; amsgrad: Reddi,
// Kale and Kumar, On the Convergence of Adam and Beyond, 2018. The kernel computes in f32 (f64 for
// f64 params). Each element is computed independently, so the bits do not depend on the number of
// threads.
#include "adamw.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "opgen/rows.h"

namespace generated::cpu {

/// The values of one step that all elements share.
template <class Wide>
struct Adamw_Step {
  Wide beta1, beta2, eps, sign;
  Wide rest1, rest2;  // 1 - beta1, 1 - beta2, computed before the betas are rounded
  Wide keep;          // 1 - lr * weight_decay
  Wide rate;          // lr / (1 - beta1^step)
  Wide unbias2;       // 1 / sqrt(1 - beta2^step)

  Adamw_Step(const Adamw_Descriptor& desc, double lr, double step)
      : beta1(static_cast<Wide>(desc.beta1)),
        beta2(static_cast<Wide>(desc.beta2)),
        eps(static_cast<Wide>(desc.eps)),
        sign(desc.maximize ? Wide(-1) : Wide(1)),
        rest1(static_cast<Wide>(1 - desc.beta1)),
        rest2(static_cast<Wide>(1 - desc.beta2)),
        keep(static_cast<Wide>(1 - lr * desc.weight_decay)),
        rate(static_cast<Wide>(lr / correction(desc.beta1, step))),
        unbias2(static_cast<Wide>(1 / std::sqrt(correction(desc.beta2, step)))) {}

 private:
  /// `1 - beta^step`, without the cancellation near 1.
  static double correction(double beta, double step) { return -std::expm1(step * std::log(beta)); }
};

/// The elements [begin, end) of one tensor: parameter p, gradient g, moments m and v, and the
/// largest v so far with amsgrad.
template <bool amsgrad, class Wide, class T, class G, class M>
void adamw_range(const Adamw_Step<Wide>& step, T* p, const G* g, M* m, M* v, M* largest,
                 int64_t begin, int64_t end) {
  using Vector = opgen::Vector<Wide>;
  const Vector beta1 = Vector{} + step.beta1, beta2 = Vector{} + step.beta2;
  const Vector rate = Vector{} - step.rate;
  opgen::each_vector<Wide>(begin, end, opgen::Streamed{}, [=, s = step](auto lanes) {
    lanes.prefetch_ahead(p);
    lanes.prefetch_ahead(g);
    lanes.prefetch_ahead(m);
    lanes.prefetch_ahead(v);
    const Vector gradient = s.sign * lanes.load(g);
    const Vector mean = opgen::multiply_add<Wide>(beta1, lanes.load(m), s.rest1 * gradient);
    Vector square = opgen::multiply_add<Wide>(beta2, lanes.load(v), s.rest2 * gradient * gradient);
    lanes.store(m, mean);
    lanes.store(v, square);
    if constexpr (amsgrad) {
      const Vector most = lanes.load(largest);
      square = most > square || most != most ? most : square;  // keeps a NaN
      lanes.store(largest, square);
    }
    // The root is computed before the bias correction, which could make a finite square infinite.
    const Vector change = mean / (opgen::sqrt_of<Wide>(square) * s.unbias2 + s.eps);
    lanes.store(p, opgen::multiply_add<Wide>(rate, change, lanes.load(p) * s.keep));
  });
}

/// The elements of all tensors are numbered consecutively, and each thread takes a range of them.
/// So a hundred small tensors are no more work than a large one. Ranges start and end at multiples
/// of 64 elements of a tensor. So an element is in the same vector or remainder for any number of
/// threads.
template <class T, class G, class M>
opgen::Status adamw_(const Adamw_View<T, G, M>& op) noexcept {
  using Wide = opgen::accum_t<T>;
  const double count = static_cast<double>(*op.step.data) + 1;
  *op.step.data = static_cast<float>(count);
  const Adamw_Step<Wide> step(op.desc, *op.lr.data, count);
  const bool amsgrad = op.desc.amsgrad != 0;
  int64_t total = 0;
  for (int64_t i = 0; i < op.params.count; ++i) total += op.params[i].numel();

  opgen::parallel(op.ctx, total, 16384, [&op, &step, amsgrad](int64_t begin, int64_t end) {
    int64_t start = 0;
    for (int64_t i = 0; i < op.params.count && start < end; ++i) {
      const int64_t size = op.params[i].numel();
      const auto cut = [start, size](int64_t at) {
        return std::clamp<int64_t>((at - start + 63) / 64 * 64, 0, size);
      };
      const int64_t first = cut(begin), last = cut(end);
      start += size;
      if (first == last) continue;
      T* p = op.params[i].data;       // s[i]
      const G* g = op.grads[i].data;  // s[i]
      M* m = op.exp_avgs[i].data;     // s[i]
      M* v = op.exp_avg_sqs[i].data;  // s[i]
      if (amsgrad) {
        M* largest = op.max_exp_avg_sqs[i].data;  // s[i]
        adamw_range<true>(step, p, g, m, v, largest, first, last);
      } else {
        adamw_range<false>(step, p, g, m, v, static_cast<M*>(nullptr), first, last);
      }
    }
  });
  return opgen::Status::ok;
}

}  // namespace generated::cpu
