"""Build a package that contains all faults of `faults.toml`, each behind a switch.

The environment variable `STAND_IN_FAULT` names the fault that is active in a process. So one build
serves all faults. It contains the ops that `scenario.py` calls, and only schemas of the others.
"""

from __future__ import annotations

import shutil
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from scripts.environment import place
from tests.cuda_stand_in import kernels
from tests.cuda_stand_in.install import installed
from tests.cuda_stand_in.paths import BUILD, HERE, ROOT, RUNTIME, compiler, run

FAMILIES = ("relu", "rms_norm", "dropout", "fused_add_rms_norm", "adamw")
SWITCH = "STAND_IN_FAULT"
FOLDER = BUILD / "planted"


class Fault(NamedTuple):
    """A fault: a line of a source file, and its wrong replacement."""

    name: str
    file: str
    line: str
    wrong: str
    setup: bool = False  # True for a change that is no fault itself but that faults need


def faults() -> list[Fault]:
    found = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    return [Fault(**each) for each in found]


def planted(source: Path = ROOT / "generated") -> Path:
    """Build the package with planted faults, and return its folder."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    runtime, cpp = sources(FOLDER, source)
    package = FOLDER / source.name
    shutil.copytree(BUILD / "package" / source.name, package, copy_function=place)
    with ThreadPoolExecutor(2) as pool:
        gpus = pool.submit(link_kernels, package, runtime, cpp)
        torch = pool.submit(link_adapter, package, runtime, cpp)
        gpus.result(), torch.result()
    return package


def sources(folder: Path, source: Path) -> tuple[Path, Path]:
    """Copy the runtime and the C++ of a package into `folder`, and plant all faults there."""
    runtime, cpp = folder / "runtime", folder / "cpp"
    shutil.copytree(RUNTIME, runtime)
    shutil.copytree(source / "cpp", cpp)
    shutil.copy(HERE / "planted.h", runtime / "include" / "opgen" / "planted.h")
    for fault in faults():
        plant(fault, cpp / fault.file if "/" not in fault.file else runtime / fault.file)
    return runtime, cpp


def plant(fault: Fault, file: Path) -> None:
    """Replace each occurrence of a fault's line in a file by the switch. The line must exist."""
    text = file.read_text()
    assert fault.line in text, f"{fault.name}: {file} has no line {fault.line!r}"
    wrong = fault.wrong.replace("...", fault.line).replace("PLANTED", f'planted("{fault.name}")')
    text = text.replace(fault.line, wrong)
    include = '#include "opgen/planted.h"\n'
    if include not in text:
        text = text.replace("\n#include", f"\n{include}#include", 1)
    file.write_text(text)


def link_kernels(package: Path, runtime: Path, cpp: Path) -> None:
    """Link the kernel library. Only the kernels of `FAMILIES` have the faults."""
    names = {f"{family}_cuda" for family in FAMILIES} | {"cuda_device"}
    objects = kernels.compiled(cpp, runtime, FOLDER, names)
    others = [o for o in (BUILD / "kernels").glob("*.o") if o.stem not in names]
    kernels.link(package, [*objects, *others])


def link_adapter(package: Path, runtime: Path, cpp: Path) -> None:
    """Compile and link the library that registers the ops in PyTorch."""
    files = sorted(cpp.glob("*_torch.cpp"))
    chosen = [f for f in files if f.stem.removesuffix("_torch") in FAMILIES]
    schemas = FOLDER / "schemas.cpp"
    included = "".join(f'#include "{f}"\n' for f in files if f not in chosen)
    schemas.write_text(f"#define OPGEN_SCHEMAS_ONLY\n{included}")
    include = [f"-I{runtime / 'adapters' / 'torch' / 'include'}", f"-I{runtime / 'include'}"]
    include += [f"-I{cpp}", f"-isystem{installed() / 'torch' / 'include'}"]
    flags = "-std=c++20 -O1 -fPIC -fvisibility=hidden -DUSE_CUDA -DOPGEN_NAMESPACE=generated"
    flags += " -DTORCH_TARGET_VERSION=0x020a000000000000ULL"
    objects = []
    for source in [*chosen, schemas]:
        objects.append(FOLDER / f"{source.stem}.o")
        run(*compiler(), *flags.split(), *include, "-c", source, "-o", objects[-1])
    library = next((package / "lib").glob("lib*_torch-*.so"))
    library.unlink()
    needed = [next(library.parent.rglob(f"lib*_{kind}-*.so")) for kind in ("kernels", "gpus")]
    torch = installed() / "torch"
    needed += ["-Wl,--no-as-needed", f"-L{torch / 'lib'}", "-ltorch"]
    named = (f"-Wl,-soname,{library.name}", "-Wl,-rpath,$ORIGIN", "-Wl,--allow-shlib-undefined")
    run("c++", "-shared", *objects, *named, *needed, "-o", library)
