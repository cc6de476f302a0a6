// For tests only: the type of bf16 that CUDA's headers have.
#pragma once

#include "opgen/half.h"

struct __nv_bfloat16 : opgen::bf16 {};
