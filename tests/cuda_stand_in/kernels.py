"""Make a copy of the rendered package whose CUDA kernels run on the stand-in.

The host's compiler compiles `lib<namespace>_gpus` from the same sources, with the emulation that
`tests/runtime/test_cuda_emulation.py` uses. All other files are copied.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Container, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.environment import place
from tests.cuda_stand_in.libraries import CUDART
from tests.cuda_stand_in.paths import BUILD, EMULATION, LIBRARIES, ROOT, RUNTIME, compiler, run

FLAGS = (
    "-std=c++17 -O1 -fPIC -fvisibility=hidden -fopenmp-simd -ffp-contract=off"
    " -DUSE_CUDA -DOPGEN_CUDA_STAND_IN -DOPGEN_NAMESPACE=generated"
)
GPUS = "lib*_gpus-*.so"
# Abort at a misaligned read, or a read past the end of an array with a known size.
TRAPS = "-fsanitize=alignment,bounds -fsanitize-undefined-trap-on-error"


def package(source: Path = ROOT / "generated") -> Path:
    """Copy the built package in `source`, link emulated kernels, and return the copy's folder."""
    if not (source / "lib" / "BUILD.json").is_file():
        sys.exit(f"cuda-stand-in: {source} is not built: make setup")
    made = BUILD / "package" / source.name
    shutil.rmtree(made, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, made, copy_function=place, ignore=unwanted)
    if not [*(made / "lib").glob(GPUS)]:
        sys.exit(f"cuda-stand-in: {source} was built without nvcc, so its adapters have no CUDA")
    link(made, compiled(source / "cpp", RUNTIME, BUILD / "kernels"))
    return made


def compiled(cpp: Path, runtime: Path, folder: Path, names: Container[str] = ()) -> list[Path]:
    """Compile the CUDA kernels in `cpp` and the adapters' CUDA code. Return the object files.

    If `names` is not empty, compile only the files with these stems.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(cpp.glob("*_cuda.cu"))
    sources.append(runtime / "adapters" / "cuda" / "cuda_device.cu")
    include = (f"-I{each}" for each in (EMULATION, cpp, runtime / "include", runtime / "kernels"))
    flags = [*FLAGS.split(), *TRAPS.split(), *include]

    def one(source: Path) -> Path:
        target = folder / f"{source.stem}.o"
        run(*compiler(), *flags, "-x", "c++", "-c", source, "-o", target)
        return target

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, (s for s in sources if not names or s.stem in names)))


def link(package: Path, objects: Iterable[Path]) -> None:
    """Link the kernel library of a package from `objects`, in place of the existing one."""
    library = next((package / "lib").glob(GPUS))
    library.unlink()
    named = f"-Wl,-soname,{library.name}"
    run("c++", "-shared", *objects, named, "-o", library, f"-L{LIBRARIES}", f"-l:{CUDART}")
