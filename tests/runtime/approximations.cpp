// `program NAME TYPE` reads an array of numbers of a type from its standard input, and writes the
// approximated function of each number.
#ifdef OPGEN_CUDA_KERNELS
#include "cross_entropy/cross_entropy_cuda.cu"
#include "opgen/cuda_activations.h"
#else
#include "opgen/activations.h"
#endif

#include <cstdio>
#include <string>
#include <vector>

#include "opgen/rows.h"

namespace {

template <class T, class Function>
void run(Function function) {
  std::vector<T> x;
  for (T value; std::fread(&value, sizeof value, 1, stdin) == 1;) x.push_back(value);
  function(static_cast<int64_t>(x.size()), x.data());
  std::fwrite(x.data(), sizeof(T), x.size(), stdout);
}

/// Applies `function` to every element, in the type Acc.
template <class T, class Acc = opgen::accum_t<T>, class Function>
void each(Function function) {
  run<T>([=](int64_t n, T* x) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<T>(function(static_cast<Acc>(x[i])));
  });
}

/// Applies `function` to every vector of elements.
template <class T, class Acc = opgen::accum_t<T>, class Function>
void vectors(Function function) {
  run<T>([=](int64_t n, T* x) {
    opgen::each_vector<Acc>(0, n, opgen::Streamed{},
                            [=](auto v) { v.store(x, function(v.load(x))); });
  });
}

template <class T>
bool call(const std::string& name) {
  using Acc = opgen::accum_t<T>;
#ifdef OPGEN_CUDA_KERNELS
  const auto activation = [&name](const char* called, auto f) {
    using F = decltype(f(Acc(0)));
    if (name == called) return each<T>([](Acc x) { return F(x).value(); }), true;
    if (name == called + std::string("'")) {
      return each<T>([](Acc x) { return F(x).slope(); }), true;
    }
    return false;
  };
  if (name == "quick_exp")
    return each<T>([](Acc x) { return generated::cuda::quick_exp(x); }), true;
  using namespace opgen::cuda;
  using Plain = Gelu<Acc>;
#else
  const auto activation = [&name](const char* called, auto f) {
    using F = decltype(f(opgen::Vector<Acc>{}));
    if (name == called) return vectors<T>([](auto x) { return F(x).value(); }), true;
    if (name == called + std::string("'")) {
      return vectors<T>([](auto x) { return F(x).slope(); }), true;
    }
    return false;
  };
  using namespace opgen;
  using Plain = GeluOf<T>;
  if (name == "exp") return each<T>([](Acc x) { return opgen::exp(x); }), true;
  if (name == "exp_of") return vectors<T>([](auto x) { return opgen::exp_of<Acc>(x); }), true;
  if (name == "exp_of_small") {
    return vectors<T>([](auto x) { return opgen::exp_of_small<Acc>(x); }), true;
  }
  if (name == "exp_as_factor") {
    return vectors<T>([](auto x) { return opgen::exp_as_factor<Acc>(x); }), true;
  }
#endif
  return activation("silu", [](auto x) { return Silu<Acc>(x); }) ||
         activation("gelu", [](auto x) { return Plain(x); }) ||
         activation("gelu_tanh", [](auto x) { return GeluTanh<Acc>(x); });
}

}  // namespace

int main(int, char** argv) {
  const std::string name = argv[1], type = argv[2];
  const bool found = type == "f32"    ? call<float>(name)
                     : type == "f64"  ? call<double>(name)
                     : type == "bf16" ? call<opgen::bf16>(name)
                                      : call<opgen::f16>(name);
  return found ? 0 : 1;
}
