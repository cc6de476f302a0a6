"""A copy of the rendered package whose CUDA kernels run on the stand-in.

`lib<namespace>_gpus` is compiled from the same sources by the host's compiler, against the
emulation that `tests/runtime/test_cuda_emulation.py` uses. Everything else is as it was built.
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
# A misaligned read, or one past an array of known size, ends the program.
TRAPS = "-fsanitize=alignment,bounds -fsanitize-undefined-trap-on-error"


def package(source: Path = ROOT / "generated") -> Path:
    """Make the copy of the package in `source`, which is built, and return its folder."""
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
    """The objects of CUDA kernels in `cpp`, and of the adapters' part for CUDA; those of `names`."""
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
    """Put a library of kernels into a package."""
    library = next((package / "lib").glob(GPUS))
    library.unlink()
    named = f"-Wl,-soname,{library.name}"
    run("c++", "-shared", *objects, named, "-o", library, f"-L{LIBRARIES}", f"-l:{CUDART}")
