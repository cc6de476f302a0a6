"""Bindings of rms_norm's kernels through tvm-ffi, written by hand, for f32 on one thread."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import generated
from opgen.build.runtime_files import include_dir

GENERATED = Path(generated.__file__).parent

SOURCE = """
#include "rms_norm.h"

namespace {

opgen::Buffer buffer(tvm::ffi::TensorView tensor) {
  return {tensor.data_ptr(), tensor.shape().data(), tensor.strides().data(),
          static_cast<int32_t>(tensor.ndim()), opgen::ElementType::F32};
}

template <class Descriptor>
Descriptor describe(tvm::ffi::TensorView x, double eps) {
  return {static_cast<int32_t>(x.size(0)), static_cast<int32_t>(x.size(1)), eps,
          opgen::ElementType::F32, opgen::ElementType::F32, 16};
}

}  // namespace

void forward(tvm::ffi::TensorView x, tvm::ffi::TensorView weight, tvm::ffi::TensorView y,
             tvm::ffi::TensorView invvar, double eps) {
  const auto desc = describe<generated::RmsNormDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormArgs args{&desc, &ctx, buffer(y), buffer(invvar), buffer(x),
                                    buffer(weight)};
  generated::generated_rms_norm_cpu(&args);
}

void backward(tvm::ffi::TensorView dy, tvm::ffi::TensorView invvar, tvm::ffi::TensorView x,
              tvm::ffi::TensorView weight, tvm::ffi::TensorView dx, tvm::ffi::TensorView dweight,
              tvm::ffi::TensorView part_grad, double eps) {
  const auto desc = describe<generated::RmsNormBwdDescriptor>(x, eps);
  const opgen::Context ctx;
  const generated::RmsNormBwdArgs args{&desc,        &ctx,       buffer(dx),     buffer(dweight),
                                       buffer(part_grad), buffer(dy), buffer(invvar), buffer(x),
                                       buffer(weight)};
  generated::generated_rms_norm_bwd_cpu(&args);
}
"""


def kernels() -> Path:
    """Return the path of the generated package's kernel library."""
    return next((GENERATED / "lib").rglob("lib*_kernels-*.so"))


def load() -> ModuleType:
    """Compile the bindings, and return a module with `forward` and `backward`. Callers pass the
    tensors for the results.
    """
    import tvm_ffi.cpp

    return tvm_ffi.cpp.load_inline(
        "by_hand",
        cpp_sources=SOURCE,
        functions=["forward", "backward"],
        extra_include_paths=[str(GENERATED / "cpp"), str(include_dir())],
        extra_ldflags=[str(kernels()), f"-Wl,-rpath,{kernels().parent}"],
    )
