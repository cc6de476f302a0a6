// Compares matrix products of bf16 pairs with a plain loop. `program amx` uses AMX's registers, and
// `program vectors` uses vectors. `program split` tests products of f32 with bf16. The program
// prints the number of products, or exits with 77 if the processor lacks the instructions.
//
// The elements are small integers, so sums are exact and any difference is an error.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
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

/// Returns true if a product is right. The left matrix has `rows` rows of `pairs` pairs. The rows
/// of `a` and `c` have gaps between them.
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

/// Returns true if the product of an A matrix of `rows` by `inner` and a B matrix is right. One of
/// the types is f32, with numbers of 16 bits, and the other is bf16.
template <class A, class B>
bool right_of_mixed(int64_t rows, int64_t columns, int64_t inner) {
  const auto number = [](bool wide) {
    return static_cast<float>(wide ? std::rand() % 65536 - 32768 : std::rand() % 9 - 4);
  };
  std::vector<A> a(static_cast<size_t>(rows * inner));
  std::vector<B> b(static_cast<size_t>(inner * columns));
  for (A& each : a) each = static_cast<A>(number(sizeof(A) == 4));
  for (B& each : b) each = static_cast<B>(number(sizeof(B) == 4));
  std::vector<float> c(opgen::Blocks<float>::most_rows * opgen::Blocks<float>::most_columns);
  opgen::multiply_to<float>(c.data(), rows, columns, inner,
                            opgen::rows_of<float>(Matrix<A>{a.data(), inner, 1}, rows),
                            opgen::columns_of<float>(Matrix<B>{b.data(), columns, 1}, rows));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < inner; ++k) {
        sum += static_cast<float>(a[static_cast<size_t>(i * inner + k)]) *
               static_cast<float>(b[static_cast<size_t>(k * columns + j)]);
      }
      if (c[static_cast<size_t>(i * opgen::Blocks<float>::most_columns + j)] != sum) return false;
    }
  }
  return true;
}

/// Returns true if the two bf16 parts of f32 numbers add up to them, to 16 bits. A part is 0 only
/// if the number is 0.
bool splits() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float number : {0.0f, -1.0f, 3.14159274f, -1e30f, 1e-30f, 3.4e38f, infinity, -infinity,
                             std::numeric_limits<float>::quiet_NaN()}) {
    uint32_t bits[16];
    const auto found = opgen::Split::of(opgen::Vector<float>{} + number);
    std::memcpy(bits, &found, sizeof bits);
    const uint32_t halves[] = {bits[3] << 16, bits[3] & 0xffff0000u};
    float high, low;
    std::memcpy(&high, &halves[0], sizeof high);
    std::memcpy(&low, &halves[1], sizeof low);
    const float sum = high + low;
    const bool is_right = std::isfinite(number)
                              ? std::abs(sum - number) <= std::abs(number) * 0x1p-16f
                              : sum == number || (std::isnan(sum) && std::isnan(number));
    if (!is_right || (number != 0 && (high == 0 || low == 0))) return false;
  }
  return true;
}

}  // namespace

int main(int, char** arguments) {
  const bool amx = std::strcmp(arguments[1], "vectors") != 0;
  if (amx ? !opgen::amx_is_there() : !__builtin_cpu_supports("avx512bf16")) return 77;
  int done = 0;
  if (std::strcmp(arguments[1], "split") == 0) {
    bool are_right = splits();
    for (const int64_t rows : {1, 15, 33}) {
      for (const int64_t columns : {1, 32, 45}) {
        for (const int64_t inner : {256, 257, 300, 511, 513}) {
          are_right &= right_of_mixed<float, opgen::bf16>(rows, columns, inner) &&
                       right_of_mixed<opgen::bf16, float>(rows, columns, inner);
          done += 2;
        }
      }
    }
    std::printf(are_right ? "%d\n" : "wrong\n", done);
    return are_right ? 0 : 1;
  }
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
