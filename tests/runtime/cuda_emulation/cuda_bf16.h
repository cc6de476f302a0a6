// For tests only: replaces CUDA's header of this name, with its type for bf16.
#pragma once

#include "opgen/half.h"

struct __nv_bfloat16 : opgen::bf16 {};
