"""The table of platforms with C++ kernels: all that differs between them, for every framework."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A platform with C++ kernels."""

    name: str
    # Patterns of the file names of its kernels.
    sources: tuple[str, ...] = ()
    # The suffix of the rendered file of entries.
    suffix: str
    # PyTorch's dispatch key.
    key: str
    # The device that runs its kernels.
    context: str
    # The parameters of an XLA handler that make the context, each with XLA's argument for it.
    given: Mapping[str, str]
    # The class that allocates workspace in such a handler, and its parameters.
    workspace: str
    scratch: Mapping[str, str]
    # Whether its kernels run on the host, where a grid is a loop.
    host: bool = False
    # The macro defined when its kernels are compiled; empty: always.
    macro: str = ""
    # The includes of its entries, and their first statements.
    headers: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()
    # The status of a call of a function that returns none.
    launched: str = "opgen::Status::ok"
    # The launcher of code compiled ahead of time, if it is not CUDA's.
    driver: str = ""

    @property
    def arguments(self) -> str:
        """Return the names of the parameters in `given`."""
        return ", ".join(parameter.split()[-1] for parameter in self.given)


_GPU = {
    "void* stream": "xla::ffi::PlatformStream<void*>",
    "int32_t device": "xla::ffi::DeviceOrdinal",
}
_SCRATCH = {"xla::ffi::ScratchAllocator scratch": "xla::ffi::ScratchAllocator"}
PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform(
            name="cpu",
            sources=("*.cpp", "*.cc", "*.cxx"),
            suffix=".cpp",
            key="CPU",
            context="CpuContext",
            given={"xla::ffi::ThreadPool threads": "xla::ffi::ThreadPool"},
            workspace="opgen::jax::HostWorkspace",
            scratch={},
            host=True,
        ),
        Platform(
            name="cuda",
            sources=("*.cu",),
            suffix=".cu",
            key="CUDA",
            context="CudaContext",
            given=_GPU,
            workspace="opgen::jax::DeviceWorkspace",
            scratch=_SCRATCH,
            macro="USE_CUDA",
            headers=("opgen/cuda.h",),
            guard=("const opgen::DeviceGuard guard(args->ctx->device);",),
            launched="opgen::launched()",
        ),
        # PyTorch for ROCm calls AMD's GPUs "cuda" and supports no others.
        Platform(
            name="hip",
            suffix=".cpp",
            key="CUDA",
            context="HipContext",
            given=_GPU,
            workspace="opgen::jax::DeviceWorkspace",
            scratch=_SCRATCH,
            macro="USE_ROCM",
            driver="opgen::hip::Hip",
        ),
    )
}
