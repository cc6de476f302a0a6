"""Objects that CuTe DSL exported: whether a package has some, and the library that they need."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

LIBRARY = "libcute_dsl_runtime.so"
MISSING = (
    f"objects of CuTe DSL are linked with {LIBRARY}: `pip install nvidia-cutlass-dsl`, "
    "or put it below the kernels folder"
)


def has_objects(out: Path) -> bool:
    """True if a rendered package links with objects."""
    build = out / "CMakeLists.txt"
    return build.exists() and "  CUDA_OBJECTS\n" in build.read_text()


def library_folder() -> str:
    """Folder of the library in the running Python's environment; empty if there is none."""
    spec = find_spec("nvidia_cutlass_dsl")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for file in sorted(Path(folder).glob(f"*/lib/{LIBRARY}")):
            return str(file.parent)
    return ""
