// For tests only: the type of f16 that CUDA's headers have.
#pragma once

#include "opgen/half.h"

struct __half : opgen::f16 {};
