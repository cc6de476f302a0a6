"""The platform `hip`: kernels for AMD GPUs."""

from opgen.spec.extensions import Extension, Platform
from opgen.targets.cpp.platforms import GPU, SCRATCH, CppPlatform

EXTENSION = Extension(
    title="HIP",
    lint="opgen.targets.hip.lint",
    platforms=(
        Platform(
            "hip",
            native=True,
            # PyTorch for ROCm calls AMD GPUs "cuda" and does not support other GPUs.
            cpp=CppPlatform(
                name="hip",
                suffix=".cpp",
                key="CUDA",
                context="HipContext",
                given=GPU,
                workspace="opgen::jax::DeviceWorkspace",
                scratch=SCRATCH,
                macro="USE_ROCM",
                driver="opgen::hip::Hip",
                driver_headers=("opgen/hip_driver.h",),
            ),
        ),
    ),
)
