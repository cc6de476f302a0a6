// The floats of eight bits and fewer as C++ types: storage only, for kernels that bring their own
// arithmetic. A f4e2m1 element stands for the two values that share a byte.
#pragma once

#include <cstdint>

namespace opgen {

struct f8e4m3 { uint8_t bits; };
struct f8e5m2 { uint8_t bits; };
struct f8e4m3fnuz { uint8_t bits; };
struct f8e5m2fnuz { uint8_t bits; };
struct f8e8m0 { uint8_t bits; };
struct f4e2m1 { uint8_t bits; };

}  // namespace opgen
