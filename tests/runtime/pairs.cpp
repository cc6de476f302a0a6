// Products of pairs of bf16, in AMX's registers and by vectors, beside a plain loop: `program amx`
// or `program vectors` says how many of them there were; 77: this processor has no such thing.
//
// Of small integers, whose sums are exact: any difference is a mistake.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "opgen/matmul.h"

namespace {

using opgen::Matrix;
using opgen::Pair;

constexpr int64_t panel = 32;

uint32_t pair_of(int low, int high) {
  const opgen::bf16 both[] = {static_cast<opgen::bf16>(static_cast<float>(low)),
                              static_cast<opgen::bf16>(static_cast<float>(high))};
  uint32_t bits;
  std::memcpy(&bits, both, sizeof bits);
  return bits;
}

/// Whether one product is right: of `rows` rows of `pairs` pairs, rows of a and c with a gap.
bool right(bool amx, int64_t rows, int64_t pairs, bool add) {
  const int64_t a_row = pairs + 3, c_row = panel + 5;
  std::vector<Pair> a(static_cast<size_t>(rows * a_row)), b(static_cast<size_t>(pairs * panel));
  std::vector<int> a_low(a.size()), a_high(a.size()), b_low(b.size()), b_high(b.size());
  const auto fill = [](std::vector<Pair>& of, std::vector<int>& low, std::vector<int>& high) {
    for (size_t i = 0; i < of.size(); ++i) {
      low[i] = std::rand() % 9 - 4;
      high[i] = std::rand() % 9 - 4;
      of[i].bits = pair_of(low[i], high[i]);
    }
  };
  fill(a, a_low, a_high);
  fill(b, b_low, b_high);
  std::vector<float> c(static_cast<size_t>(rows * c_row), 7.0f), wanted = c;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < panel; ++j) {
      int sum = add ? 7 : 0;
      for (int64_t p = 0; p < pairs; ++p) {
        const auto left = static_cast<size_t>(i * a_row + p);
        const auto of_b = static_cast<size_t>(p * panel + j);
        sum += a_low[left] * b_low[of_b] + a_high[left] * b_high[of_b];
      }
      wanted[static_cast<size_t>(i * c_row + j)] = static_cast<float>(sum);
    }
  }
  if (amx) {
#if defined(OPGEN_HAS_AMX)
    opgen::multiply_panel_in_amx(rows, pairs, &a.data()->bits, a_row, &b.data()->bits, panel,
                                 c.data(), c_row, add);
#endif
  } else {
    opgen::detail::multiply_all_rows<float>(
        rows, pairs, Matrix<Pair>{a.data(), a_row, 1}, Matrix<Pair>{b.data(), panel, 1},
        opgen::detail::Sums<float>{c.data(), c_row, add}, opgen::detail::Nothing{});
  }
  return c == wanted;
}

}  // namespace

int main(int, char** arguments) {
  const bool amx = std::strcmp(arguments[1], "amx") == 0;
  if (amx ? !opgen::amx_is_there() : !__builtin_cpu_supports("avx512bf16")) return 77;
  int done = 0;
  for (int64_t rows = 1; rows <= 70; rows += rows < 35 ? 1 : 7) {
    for (const int64_t pairs : {1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 65}) {
      for (const bool add : {false, true}) {
        if (!right(amx, rows, pairs, add)) {
          std::printf("wrong: %d rows, %d pairs, %s\n", static_cast<int>(rows),
                      static_cast<int>(pairs), add ? "added" : "stored");
          return 1;
        }
        ++done;
      }
    }
  }
  std::printf("%d\n", done);
  return 0;
}
