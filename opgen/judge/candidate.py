"""A candidate: what the user names, and the library or function that the judge calls."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from opgen.build.compile_errors import ERROR, lines
from opgen.build.runtime_files import include_dir
from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.cpp.render import family_outputs

# As `opgen build` compiles kernels, for this processor.
FLAGS = (
    *("-std=c++20", "-O3", "-DNDEBUG", "-march=native", "-mprefer-vector-width=512"),
    *("-fPIC", "-shared", "-pthread"),
    *("-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"),
)
SOURCES = (".cpp", ".cc", ".cxx")
# Seconds that a compiler may take.
COMPILING = 300.0

Kind = Literal["source", "library", "python"]


class Refused(Exception):
    """Reason why the judge cannot take a candidate, in one sentence."""


class NotBuilt(Exception):
    """The first errors of the compiler."""


@dataclass(frozen=True)
class Candidate:
    """A file, and the symbol or function in it; `text` is what the user wrote."""

    text: str
    kind: Kind
    path: Path
    name: str = ""

    @classmethod
    def of(cls, text: str) -> Candidate:
        """Read what the user wrote. Raises `Refused`."""
        file, _, name = text.partition(":")
        path = Path(file).absolute()
        if path.suffix in (".cu", ".hip"):
            raise Refused(f"{file} is a kernel for GPUs, and the judge runs kernels for CPUs only")
        if path.suffix == ".py":
            kind: Kind = "python"
        elif path.suffix in SOURCES:
            kind = "source"
        elif ".so" in path.suffixes:
            kind = "library"
        else:
            raise Refused(
                f"{file} is no candidate: expected C++ ({', '.join(SOURCES)}), a shared library "
                "(LIB.so or LIB.so:SYMBOL), or a Python function (FILE.py:FUNCTION)"
            )
        if not path.is_file():
            raise Refused(f"there is no file {file}")
        if kind == "python" and not name:
            raise Refused(f"name the function, as `{file}:FUNCTION`")
        if kind == "source" and name:
            raise Refused(f"a source names no function: `{file}` defines the op's kernel")
        return cls(text, kind, path, name)


def own_kernel(op: Op) -> Kernel:
    """Return the op's kernel for the CPU, the first of a list. Raises `Refused`."""
    for kernel in (*op.kernels, *op.awaited):
        if kernel.platform == "cpu" and not (kernel.call or kernel.tvm_ffi or kernel.workspace):
            return kernel
    raise Refused(f"{op.name} has no kernel for the CPU that candidates could replace")


def judged(op: Op) -> Op:
    """Return the op with one kernel, which takes every call and promises what the op's does."""
    kernel = replace(own_kernel(op), listed=False, require=(), tune=None)
    return replace(op, kernels=(kernel,), awaited=())


def compiled(op: Op, project: Project, source: Path | None, kernels: Path, folder: Path) -> Path:
    """Compile the entry of `op` over a source, or over its own ones; return the library.

    Raises `NotBuilt`.
    """
    family = next(each for each in project.families if op.name in {o.name for o in each.ops})
    kernel = own_kernel(op)
    sources = kernel.sources if source is None else (os.fspath(source),)
    alone = replace(op, kernels=(replace(kernel, sources=sources, listed=False, tune=None),))
    files: dict[str, str] = {}
    # The header has the views of the whole family; the entry is that of this op alone.
    for each in (family, replace(family, ops=(alone,))):
        for file in family_outputs(replace(project, families=(each,)), each):
            if each is family and file.path.endswith("_cpu.cpp"):
                continue
            files.setdefault(Path(file.path).name, file.text)
    for name, text in files.items():
        (folder / name).write_text(text)
    library = folder / f"{'own' if source is None else 'candidate'}.so"
    entry = folder / f"{family.name}_cpu.cpp"
    includes = (folder, include_dir(), kernels)
    command = [*_compiler(), *FLAGS, *(f"-I{path}" for path in includes), os.fspath(entry)]
    try:
        done = subprocess.run(
            [*command, "-o", os.fspath(library), "-ldl"],
            capture_output=True,
            text=True,
            timeout=COMPILING,
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"the compiler takes more than {COMPILING:.0f} s") from None
    if done.returncode:
        raise NotBuilt("\n".join(lines(done.stderr, ERROR) or done.stderr.splitlines()[-5:]))
    return library


def symbol_of(op: Op, project: Project) -> str:
    """Return the name of the op's entry for the CPU."""
    return entry_symbol(project.namespace, op, "cpu")


def _compiler() -> list[str]:
    """Return the C++ compiler, with the launcher of CMake's variable."""
    given = os.environ.get("CXX")
    found = given or next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    if found is None:
        raise Refused("no C++ compiler was found: install g++ or clang++, or set CXX")
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
    return [*([launcher] if launcher else []), *shlex.split(found)]
