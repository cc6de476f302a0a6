"""A candidate kernel: parse the user's argument, and compile the library to judge."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from opgen.build.compile_errors import ERROR, lines
from opgen.build.machine import NO_COMPILER, cpp_compiler
from opgen.build.runtime_files import include_dir
from opgen.exchange import Refused
from opgen.ir.abi import entry_symbol
from opgen.ir.nodes import Gradient, Kernel, Requirement
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.failure import Failure
from opgen.source.frozen import dataclass
from opgen.spec.cases import fixed
from opgen.targets.cpp.render import family_outputs
from opgen.testing.hostile.entry import cpu_kernels

# The flags with which `opgen build` compiles kernels for this processor.
FLAGS = (
    *("-std=c++20", "-O3", "-DNDEBUG", "-march=native", "-mprefer-vector-width=512"),
    *("-fPIC", "-shared", "-pthread"),
    *("-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"),
)
SOURCES = (".cpp", ".cc", ".cxx")
# The time limit of a compiler, in seconds.
COMPILING = 300.0

Kind = Literal["source", "library", "python", "solution"]


class NotBuilt(Failure):
    """Error for a failed compilation. The message has the compiler's first errors."""


@dataclass(frozen=True)
class Candidate:
    """A kernel to judge: a file, and a function in this file. `text` is the user's argument."""

    text: str
    kind: Kind
    path: Path
    name: str = ""

    @classmethod
    def of(cls, text: str) -> Candidate:
        """Parse the user's argument. Raises `Refused` if `text` does not name a candidate."""
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
        elif path.suffix == ".json":
            kind = "solution"
        else:
            raise Refused(
                f"{file} is no candidate: expected C++ ({', '.join(SOURCES)}), a shared library "
                "(LIB.so or LIB.so:SYMBOL), a Python function (FILE.py:FUNCTION), or a Solution of "
                "FlashInfer-Bench (FILE.json)"
            )
        if not path.is_file():
            raise Refused(f"there is no file {file}")
        if kind == "python" and not name:
            raise Refused(f"name the function, as `{file}:FUNCTION`")
        if kind in ("source", "solution") and name:
            raise Refused(f"`{file}` names its function itself: pass no `:{name}`")
        return cls(text, kind, path, name)


def own_kernels(op: Op) -> list[Kernel]:
    """Return the op's CPU kernels that candidates can replace. Raises `Refused` if none exists."""
    found = [k for k in cpu_kernels(op) if not (k.call or k.tvm_ffi or k.workspace)]
    if not found:
        raise Refused(f"{op.name} has no kernel for the CPU that candidates could replace")
    return found


def function_of(op: Op) -> str:
    """Return the required name of a candidate's function.

    It is the op's name if the spec has a list of kernels, or else the symbol of the op's kernel.
    """
    kernel = own_kernels(op)[0]
    return op.name if kernel.listed else kernel.symbol.values()[0]


def judged(op: Op, require: tuple[Requirement, ...] = ()) -> Op:
    """Return the op with a single kernel that accepts all calls allowed by `require`."""
    kernel = replace(own_kernels(op)[0], listed=False, require=require, tune=None)
    return replace(op, kernels=(kernel,), awaited=())


def without_residuals(op: Op) -> Op:
    """Return the op without residuals and gradient, for a function that returns only results."""
    if not op.residuals:
        return op
    return replace(op, residuals=(), grad=fixed(Gradient("none")))


def compiled(op: Op, project: Project, source: Path | Kernel, kernels: Path, folder: Path) -> Path:
    """Compile the op's entry with a candidate's source file or one of the op's kernels.

    Return the library. All files are written to `folder`. Raises `NotBuilt` if the compilation
    fails.
    """
    family = next(each for each in project.families if op.name in {o.name for o in each.ops})
    if isinstance(source, Kernel):
        kernel, stem = source, "own"
    else:
        symbol = fixed(function_of(op))
        kernel, stem = own_kernels(op)[0], "candidate"
        kernel = replace(kernel, sources=(os.fspath(source),), symbol=symbol)
    alone = replace(op, kernels=(replace(kernel, listed=False, require=(), tune=None),))
    files: dict[str, str] = {}
    # The header contains the C++ views of the whole family, but only the entry of this op.
    for each in (family, replace(family, ops=(alone,))):
        for file in family_outputs(replace(project, families=(each,)), each):
            if each is family and file.path.endswith("_cpu.cpp"):
                continue
            files.setdefault(Path(file.path).name, file.text)
    for name, text in files.items():
        (folder / name).write_text(text)
    library = folder / f"{stem}.so"
    entry = folder / f"{family.name}_cpu.cpp"
    includes = (folder, include_dir(), kernels)
    link([*(f"-I{path}" for path in includes), os.fspath(entry), "-ldl"], library)
    return library


def link(arguments: Sequence[str], library: Path) -> None:
    """Compile and link a library with the judge's flags. Raises `NotBuilt` if an error occurs."""
    command = [*_compiler(), *FLAGS, *arguments]
    try:
        done = subprocess.run(
            [*command, "-o", os.fspath(library)],
            capture_output=True,
            text=True,
            timeout=COMPILING,
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"the compiler takes more than {COMPILING:.0f} s") from None
    if done.returncode:
        raise NotBuilt("\n".join(lines(done.stderr, ERROR) or done.stderr.splitlines()[-5:]))


def symbol_of(op: Op, project: Project) -> str:
    """Return the name of the op's entry function for the CPU."""
    return entry_symbol(project.namespace, op, "cpu")


def _compiler() -> list[str]:
    """Return the command of the C++ compiler, after `CMAKE_CXX_COMPILER_LAUNCHER` if it is set."""
    found = cpp_compiler()
    if not found:
        raise Refused(NO_COMPILER)
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
    return [*([launcher] if launcher else []), *found]
