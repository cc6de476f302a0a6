"""Compile a variant of a kernel with Triton, in a separate process."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

# The size of a parameter in bytes, by its Triton type.
_BYTES = {"i1": 1, "i32": 4, "fp32": 4, "i64": 8}
# Triton appends at most this number of parameters, the addresses of scratch memory: one for itself
# and one for its profiler.
ADDED_AT_MOST = 2


class Task(NamedTuple):
    """A variant of a Triton function to compile for `target`, such as `cuda:90` or `hip:gfx942`."""

    file: str
    function: str
    signature: dict[str, str]
    constants: dict[str, bool | int | float]
    multiples: tuple[str, ...]
    num_warps: int
    num_stages: int
    target: str

    @classmethod
    def of(
        cls, kernel: Mapping[str, Any], variant: Mapping[str, Any], folder: Path, target: str
    ) -> Task:
        """Return the task that compiles a variant of a kernel for `target`.

        `kernel` and `variant` are entries of a package's list of Triton kernels. `folder` contains
        the kernel files.
        """
        return cls(
            str(folder / kernel["file"]),
            kernel["function"],
            variant["signature"],
            variant["constants"],
            tuple(variant["multiples_of_16"]),
            variant.get("num_warps", kernel["num_warps"]),
            variant.get("num_stages", kernel["num_stages"]),
            target,
        )

    def __str__(self) -> str:
        types = ", ".join(f"{n}: {t}" for n, t in {**self.signature, **self.constants}.items())
        return f"{self.function}({types}) for {self.target}"


class Compiled(NamedTuple):
    """The result of a compilation: a cubin or hsaco, and PTX for newer GPUs.

    `name` is the kernel's name in the code. `shared` is the size of its shared memory in bytes. If
    the compilation failed, `error` begins with the location of the mistake.
    """

    binary: bytes = b""
    ptx: str = ""
    name: str = ""
    shared: int = 0
    threads: int = 0
    error: str = ""


def compile_task(task: Task) -> Compiled:
    """Compile a variant, and check that its parameters match the arguments of the launch."""
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
    try:
        return _compile(task)
    except Exception as error:
        return Compiled(error=_error(task, error))


def _compile(task: Task) -> Compiled:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    function = getattr(_module(task.file), task.function)
    names = [parameter.name for parameter in function.params]
    constants = {p.name: p.default for p in function.params if p.is_constexpr and p.has_default}
    constants |= task.constants
    signature = {n: task.signature.get(n, "constexpr") for n in names}
    source = ASTSource(
        function,
        signature=signature,
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={(names.index(name),): [["tt.divisibility", 16]] for name in task.multiples},
    )
    backend, _, arch = task.target.partition(":")
    number = int(arch) if arch.isdigit() else arch
    # On AMD's GCN and CDNA GPUs, a wave has 64 threads.
    width = 64 if str(arch).startswith("gfx9") else 32
    done = triton.compile(
        source,
        target=GPUTarget(backend, number, width),
        options={
            "num_warps": task.num_warps,
            "num_stages": task.num_stages,
            "enable_fp_fusion": True,
        },
    )
    facts = done.metadata
    scratch = facts.global_scratch_size + facts.profile_scratch_size
    if scratch:
        raise ValueError(f"it wants {scratch} bytes of scratch memory, which it does not get here")
    threads = facts.num_warps * width
    given = [8 if type.startswith("*") else _BYTES[type] for type in task.signature.values()]
    if backend == "hip":
        parameters, waves = amd_facts(done.asm["amdgcn"])
        _check(given, parameters)
        if waves != width:
            raise ValueError(f"its waves have {waves} threads, and {width} are launched")
        return Compiled(done.asm["hsaco"], "", facts.name, facts.shared, threads)
    _check(given, parameters_of(done.asm["cubin"]))
    ptx = done.asm["ptx"]
    # Code for compute capability 9.0 and newer uses features of one architecture (`sm_90a`).
    newer = re.search(r"^\.target\s+sm_\d+\s*$", ptx, re.MULTILINE)
    return Compiled(done.asm["cubin"], ptx if newer else "", facts.name, facts.shared, threads)


def _check(given: list[int], found: list[tuple[int, int]]) -> None:
    """Check that the code's parameters have the offsets and sizes of the launch's arguments."""
    expected, offset = [], 0
    for size in given + [8] * (len(found) - len(given)):
        offset = -(-offset // size) * size
        expected.append((offset, size))
        offset += size
    if expected != found or not 0 <= len(found) - len(given) <= ADDED_AT_MOST:
        raise ValueError(f"its code takes {found} (offset, bytes), and is given {expected}")


def parameters_of(cubin: bytes) -> list[tuple[int, int]]:
    """Return the offset and size in bytes of each parameter of the kernel in a cubin."""
    from triton import knobs

    with NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [knobs.nvidia.cuobjdump.path, "-elf", file.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(
        r"Ordinal\s*:\s*(0x[0-9a-f]+)\s+Offset\s*:\s*(0x[0-9a-f]+)\s+Size\s*:\s*(0x[0-9a-f]+)", text
    )
    return [(at, size) for _, at, size in sorted(tuple(int(n, 16) for n in row) for row in found)]


def amd_facts(assembly: str) -> tuple[list[tuple[int, int]], int]:
    """Return the offset and size in bytes of each parameter of an AMD kernel, and its wave size.

    `assembly` is the kernel's code as text, with the metadata in YAML.
    """
    metadata = assembly.partition(".amdgpu_metadata")[2]
    given = r"\.offset: +(\d+)\n +\.size: +(\d+)\n +\.value_kind: +(?!hidden)"
    waves = re.findall(r"\.wavefront_size: +(\d+)", metadata)
    return [(int(at), int(size)) for at, size in re.findall(given, metadata)], int(waves[0])


@cache
def _module(file: str) -> Any:
    folder = str(Path(file).parent)
    if folder not in sys.path:
        # Search the kernel's folder last, because the kernel's file may have the name of a module.
        sys.path.append(folder)
    # The hash distinguishes files that have the same name in different folders.
    name = f"{Path(file).stem}_{hashlib.sha256(file.encode()).hexdigest()[:8]}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _error(task: Task, error: Exception) -> str:
    """Return the message of Triton's error, with the file and line that caused the error."""
    line, said = 0, f"{type(error).__name__}: {error}"
    node = getattr(error, "node", None)
    try:
        function = getattr(_module(task.file), task.function)
        line = function.def_file_line_number
        if node is not None and hasattr(node, "lineno"):
            line += node.lineno - 1
    except Exception:  # importing the file failed, and the exception contains the location
        pass
    inner: BaseException = error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    message = getattr(inner, "error_message", None) or (said if inner is error else str(inner))
    first = next(filter(None, map(str.strip, str(message).splitlines())), said)
    at = f"{task.file}:{line}" if line else task.file
    return f"{at}: error: {first}\n  in {task}"
