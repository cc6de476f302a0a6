// For tests only: matrix products by a warp (CUDA C++ Programming Guide, "Warp Matrix Functions")
// for matrices of 16 by 16 numbers.
//
// CUDA does not specify which elements a lane has. Here a lane computes half a row of the result.
// It holds the same row of the left matrix, and half of the columns of the right matrix.
#pragma once

#include "cuda_runtime.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major };

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment;

template <class T, class Layout>
struct fragment<matrix_a, 16, 16, 16, T, Layout> {
  float x[16];
};
template <class T, class Layout>
struct fragment<matrix_b, 16, 16, 16, T, Layout> {
  float x[16][8];
};
template <>
struct fragment<accumulator, 16, 16, 16, float> {
  static constexpr int num_elements = 8;
  float x[8];
};

/// The row of this lane in the result, and the first of its eight columns.
inline int row() { return cuda_emulation::machine.lane() / 2; }
inline int column() { return cuda_emulation::machine.lane() % 2 * 8; }

/// Checks the alignment that CUDA requires, and that all threads of the warp make the call.
inline void check(const void* data, unsigned step, size_t size) {
  if (reinterpret_cast<uintptr_t>(data) % 32 != 0 || step * size % 16 != 0) {
    cuda_emulation::stop("a matrix that begins, or whose rows do, where it may not");
  }
  __syncwarp();
}

template <class T, class Layout>
void load_matrix_sync(fragment<matrix_a, 16, 16, 16, T, Layout>& to, const T* data, unsigned step) {
  check(data, step, sizeof(T));
  for (int k = 0; k < 16; ++k) {
    const bool by_row = std::is_same_v<Layout, row_major>;
    to.x[k] = static_cast<float>(data[by_row ? row() * step + k : k * step + row()]);
  }
}

template <class T, class Layout>
void load_matrix_sync(fragment<matrix_b, 16, 16, 16, T, Layout>& to, const T* data, unsigned step) {
  check(data, step, sizeof(T));
  for (int k = 0; k < 16; ++k) {
    for (int j = 0; j < 8; ++j) {
      const bool by_row = std::is_same_v<Layout, row_major>;
      const int at = column() + j;
      to.x[k][j] = static_cast<float>(data[by_row ? k * step + at : at * step + k]);
    }
  }
}

inline void fill_fragment(fragment<accumulator, 16, 16, 16, float>& to, float value) {
  std::fill(std::begin(to.x), std::end(to.x), value);
}

template <class T, class Rows, class Columns>
void mma_sync(fragment<accumulator, 16, 16, 16, float>& to,
              const fragment<matrix_a, 16, 16, 16, T, Rows>& a,
              const fragment<matrix_b, 16, 16, 16, T, Columns>& b,
              const fragment<accumulator, 16, 16, 16, float>& c) {
  __syncwarp();
  for (int j = 0; j < 8; ++j) {
    float sum = c.x[j];
    for (int k = 0; k < 16; ++k) sum += a.x[k] * b.x[k][j];
    to.x[j] = sum;
  }
}

inline void load_matrix_sync(fragment<accumulator, 16, 16, 16, float>& to, const float* data,
                             unsigned step, layout_t) {
  check(data, step, sizeof(float));
  for (int j = 0; j < 8; ++j) to.x[j] = data[row() * step + column() + j];
}

inline void store_matrix_sync(float* data, const fragment<accumulator, 16, 16, 16, float>& from,
                              unsigned step, layout_t) {
  check(data, step, sizeof(float));
  for (int j = 0; j < 8; ++j) data[row() * step + column() + j] = from.x[j];
}

}  // namespace nvcuda::wmma
