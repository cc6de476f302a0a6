// Parameters for functions of the normal distribution.
#pragma once

namespace opgen::detail {

/// Coefficients for the normal distribution. For z >= 0, (1 + sqrt(2) z) e^(z^2/2) Q(z) is a
/// polynomial of (z - middle) / (z + middle), where Q(z) is the probability of more than z
/// (Shepherd and Laframboise, Chebyshev Approximation of (1 + 2x) exp(x^2) erfc x, 1981).
template <class Acc>
struct Normal;

template <>
struct Normal<float> {
  static constexpr float middle = 4;
  static constexpr float far = 16;  // for z > far, Q(z) and z Q(z) round to 0
  static constexpr float P[] = {-0x1.cc145ep-14f, -0x1.3912a8p-14f, 0x1.12a9e8p-10f,
                                -0x1.6a315ep-11f, -0x1.dd3944p-8f,  0x1.d94f6p-6f,
                                -0x1.ddc114p-5f,  0x1.1f542cp-4f,   -0x1.03dbeap-5f,
                                -0x1.0f10fcp-4f,  0x1.41c7dap-1f};
};

template <>
struct Normal<double> {
  static constexpr double middle = 5;
  static constexpr double far = 40;
  static constexpr double P[] = {
      1.1600024458881742e-09,  5.86233919573898e-09,    -2.6001461471625533e-10,
      -4.7517511169651986e-08, -2.6360989074057963e-08, 2.973761538791939e-07,
      1.4421375962435208e-07,  -1.953314105549569e-06,  1.8227178006763444e-07,
      1.3340534330502536e-05,  -1.674800077978655e-05,  -7.621140001299813e-05,
      0.0002828894034320682,   -4.4600172891357636e-05, -0.002461265143302926,
      0.010208851376858619,    -0.02517855483514738,    0.04439886132985187,
      -0.05715904897198636,    0.04764866133891314,     -0.004193708178282786,
      -0.07005241362061763,    0.6208209264948372};
};

/// Coefficients for results that are rounded to 16 bits: (z + shift) e^(z^2/2) Q(z) as a polynomial
/// P of 1 / (z + shift), with an error of at most 2^-20, and 2^x for x from -1/2 to 1/2, with an
/// error of at most 2^-18.
struct ShortNormal {
  static constexpr float shift = 2.75f;
  static constexpr float far = 14.84375f;  // e^(-far^2/2) 2^32 is subnormal: it becomes 0
  static constexpr float P[] = {0x1.c9da08p+5f, -0x1.349864p+6f, 0x1.ad84d2p+4f, 0x1.d81fa6p+0f,
                                0x1.71121cp+1f, 0x1.15e296p+0f,  0x1.98bap-2f};
  static constexpr float power[] = {0x1.3997d4p-7f, 0x1.ca144p-5f, 0x1.ec06dap-3f, 0x1.62e0dcp-1f,
                                    0x1.ffffe8p-1f};
};

}  // namespace opgen::detail
