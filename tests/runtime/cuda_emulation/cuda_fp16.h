// For tests only: replaces CUDA's header of this name, with its type for f16.
#pragma once

#include "opgen/half.h"

struct __half : opgen::f16 {};
