#include "in_place.h"

namespace language_ops::cpu {

template <class T>
opgen::Status average_(const Average_View<T>& op) noexcept {
  const T rate = static_cast<T>(op.desc.rate);
  for (int64_t i = 0; i < op.averages.count; ++i) {
    T* average = op.averages[i].data;    // *s[i]
    const T* value = op.values[i].data;  // *s[i]
    opgen::parallel(op.ctx, op.values[i].numel(), 4096, [=](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) average[j] += rate * (value[j] - average[j]);
    });
  }
  return opgen::Status::ok;
}

}  // namespace language_ops::cpu
