"""Build the fake CUDA libraries that an installed PyTorch needs.

`libcudart.so.13` and `libcuda.so.1` are compiled from the folder `runtime`. Each other NVIDIA
library has only the functions that PyTorch's libraries need. These functions return an error. XLA
finds its own `libcudnn` and `libnvidia-ml` in another folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.cuda_stand_in.paths import HERE, LIBRARIES, XLA, compiler, cuda_headers, run

CUDART, CUDA = "libcudart.so.13", "libcuda.so.1"
# For symbols without a version: the library of each prefix.
PREFIXES = {
    "cuFile": "libcufile.so.0",
    "cusparseLt": "libcusparseLt.so.0",
    "nccl": "libnccl.so.2",
    "pnccl": "libnccl.so.2",
    "nvshmem": "libnvshmem_host.so.3",
    "cu": CUDA,
}
NVIDIAS = re.compile(r"lib(cu|nv|nccl)")
FLAGS = ("-std=c++17", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")
NOT_SUPPORTED = 801


class Symbol(NamedTuple):
    """A function or variable that PyTorch's libraries import from a library of NVIDIA."""

    name: str
    library: str
    version: str
    data: bool


def build(site: Path) -> dict[str, int]:
    """Build all libraries. Return, for each, the number of functions that only return an error."""
    LIBRARIES.mkdir(parents=True, exist_ok=True)
    objects = sorted((site / "torch" / "lib").glob("*.so"))
    own = {each.name for each in objects}
    asked = {symbol for each in objects for symbol in symbols(each)}
    needed = {name for each in objects for name in dependencies(each)} - own
    runtime = compiled()
    defined = {
        line.split()[-1]
        for line in run("nm", "-g", "--defined-only", *runtime).splitlines()
        if " T " in line
    }
    empty = {}
    for library in sorted(needed | {CUDART}):
        if library == CUDA:
            continue
        served = {CUDART, CUDA} if library == CUDART else {library}
        linked, made = (runtime, defined) if library == CUDART else ([], set())
        wanted = sorted(s for s in asked if s.library in served and s.name not in made)
        link(library, wanted, version(library, asked), linked)
        empty[library] = len(wanted)
    XLA.mkdir(exist_ok=True)
    for name in (CUDA, "libcudart.so", XLA / "libcudnn.so.9", XLA / "libnvidia-ml.so.1"):
        (LIBRARIES / name).unlink(missing_ok=True)
        (LIBRARIES / name).symlink_to(LIBRARIES / CUDART)
    return empty


def symbols(library: Path) -> Iterator[Symbol]:
    """Yield the undefined symbols of a library that NVIDIA's libraries define."""
    for line in run("readelf", "--dyn-syms", "-W", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[6] != "UND":
            continue
        name, _, version = fields[7].replace("@@", "@").partition("@")
        # NVIDIA uses the names of its libraries as symbol versions, except for NVSHMEM.
        owner = PREFIXES["nvshmem"] if version == "NVSHMEM" else version
        if not version:
            owner = next((lib for start, lib in PREFIXES.items() if name.startswith(start)), "")
        if NVIDIAS.match(owner):
            yield Symbol(name, owner, version, fields[3] == "OBJECT")


def dependencies(library: Path) -> list[str]:
    found = re.findall(r"\(NEEDED\).*\[(.*?)\]", run("readelf", "-dW", library))
    return [name for name in found if NVIDIAS.match(name)]


def version(library: str, asked: set[Symbol]) -> str:
    """Return the version of a library's symbols, by default the library's name."""
    return next((s.version for s in asked if s.library == library and s.version), library)


def compiled() -> list[Path]:
    """Compile the folder `runtime`, and return the object files."""
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    objects = [LIBRARIES / f"{source.stem}.o" for source in sources]
    include = f"-I{cuda_headers()}"

    def one(source: Path, target: Path) -> None:
        run(*compiler(), *FLAGS, include, "-c", source, "-o", target)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, sources, objects))
    return objects


def link(library: str, empty: list[Symbol], version: str, objects: list[Path]) -> None:
    """Link a library from object files, and from functions that only return an error."""
    source, script = LIBRARIES / f"{library}.c", LIBRARIES / f"{library}.map"
    lines = [
        f"char {s.name}[64];" if s.data else f"int {s.name}(void) {{ return {NOT_SUPPORTED}; }}"
        for s in empty
    ]
    source.write_text("\n".join(lines) + "\n")
    script.write_text(f"{version} {{ global: *; }};\n")
    made = ("-x", "c", source, "-x", "none", *objects, f"-Wl,--version-script={script}")
    run(
        "c++",
        "-shared",
        "-fPIC",
        *made,
        f"-Wl,-soname,{library}",
        "-o",
        LIBRARIES / library,
        "-ldl",
    )
