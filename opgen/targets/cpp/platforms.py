"""Define the platforms with C++ kernels. `CppPlatform` has fields for everything that differs
between the platforms, for every framework.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from opgen.source.frozen import dataclass
from opgen.spec.extensions import platforms


@dataclass(frozen=True, kw_only=True)
class CppPlatform:
    """A platform with C++ kernels."""

    # The platform's name.
    name: str
    # The patterns that the file names of the platform's kernels match.
    sources: tuple[str, ...] = ()
    # The suffix of the rendered file of entries.
    suffix: str
    # PyTorch's dispatch key.
    key: str
    # The C++ class of the launch context.
    context: str
    # The XLA handler parameters that form the launch context, each with the matching XLA argument.
    given: Mapping[str, str]
    # The class that allocates workspace in an XLA handler, and the parameters of that class.
    workspace: str
    scratch: Mapping[str, str]
    # True if the platform's kernels run on the host. There the entry loops over the grid.
    host: bool = False
    # The macro that is defined when the platform's kernels are compiled; empty if there is none.
    macro: str = ""
    # The headers that the entries include, and the first statements of the entries.
    headers: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()
    # The function that launches a `__global__` kernel, and its header; empty without such kernels.
    start: str = ""
    start_header: str = ""
    # The status that an entry returns if the kernel function returns none.
    launched: str = "opgen::Status::ok"
    # The launcher for ahead-of-time code, and its headers; empty for the default launcher.
    driver: str = ""
    driver_headers: tuple[str, ...] = ()

    @property
    def arguments(self) -> str:
        """Return the names of the parameters in `given`."""
        return ", ".join(parameter.split()[-1] for parameter in self.given)


GPU = {
    "void* stream": "xla::ffi::PlatformStream<void*>",
    "int32_t device": "xla::ffi::DeviceOrdinal",
}
SCRATCH = {"xla::ffi::ScratchAllocator scratch": "xla::ffi::ScratchAllocator"}
OWN = (
    CppPlatform(
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
    CppPlatform(
        name="cuda",
        sources=("*.cu",),
        suffix=".cu",
        key="CUDA",
        context="CudaContext",
        given=GPU,
        workspace="opgen::jax::DeviceWorkspace",
        scratch=SCRATCH,
        macro="USE_CUDA",
        headers=("opgen/cuda.h",),
        guard=("const opgen::DeviceGuard guard(args->ctx->device);",),
        start="opgen::cuda::start",
        start_header="opgen/cuda_launch.h",
        launched="opgen::launched()",
    ),
)


@cache
def native_platforms() -> Mapping[str, CppPlatform]:
    """Return the platforms with C++ kernels, by name, including those that other targets add."""
    return {name: each.cpp for name, each in platforms().items() if each.cpp is not None}
