"""Compile the Triton kernels of a rendered package, and embed the compiled code in C++ sources.

The package's `cpp/*_triton.json` files list what to compile. For each function, they contain the
combinations of dtypes, constants and alignment. Triton's own cache keeps earlier results.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from opgen.build.triton_compiler import Compiled, Task, compile_task
from opgen.runtime.core import runtime
from opgen.source.user_cache import cache_folder

MISSING = "Triton is not installed: kernels in Triton are skipped (`pip install triton==3.9.*`)"
MESSAGE = "kernels in Triton are compiled for"
ERRORS_SHOWN = 5
# The highest possible compute capability, because PTX runs on all newer GPUs.
ALL_NEWER = 9999


class TritonError(Exception):
    """Error for a failed compilation of Triton kernels. The message gives the reason."""


class Code(NamedTuple):
    """The C++ source that embeds the compiled code, and the range of devices for which it works.

    `ranges` are pairs of the first and last `arch` value that the code supports.
    """

    source: Path
    ranges: tuple[tuple[int, int], ...]

    @property
    def macro(self) -> str:
        """Return the ranges in the format of the C++ macro `OPGEN_TRITON_FOR`."""
        return ",".join(f"{first},{last}" for first, last in self.ranges)


def manifests(out: Path) -> list[Path]:
    """Return the files that list the Triton kernels of a rendered package."""
    return sorted((out / "cpp").glob("*_triton.json"))


def amd_arch(name: str) -> int:
    """Return the number that requirements call `arch`, for an AMD GPU such as `gfx942`.

    Raises ValueError if `name` is not the name of an AMD GPU.
    """
    if re.fullmatch(r"gfx\d{1,2}[0-9a-f]{2}", name) is None:
        raise ValueError(f"{name} is no GPU of AMD's: expected a name such as gfx942")
    return runtime.amd_arch(name)


class Platform(NamedTuple):
    """A kind of GPU for which Triton compiles.

    `target` converts an architecture's name to Triton's target. `number` converts the name to the
    number that kernel requirements call `arch`. `kind` is the text before an architecture in
    messages. `macro` is the C++ macro with the device ranges. `of` is the template argument of
    `opgen::compiled_for` for this platform.
    """

    target: Callable[[str], str]
    number: Callable[[str], int]
    kind: str
    macro: str
    of: str = ""


PLATFORMS = {
    "cuda": Platform(
        lambda arch: f"cuda:{_digits(arch)}",
        lambda arch: _digits(arch),
        "compute capability ",
        "OPGEN_TRITON_FOR",
    ),
    "hip": Platform(
        lambda arch: f"hip:{arch}", amd_arch, "", "OPGEN_TRITON_FOR_HIP", "<opgen::Platform::hip>"
    ),
}


def compile_kernels(
    out: Path,
    kernels: Path,
    folder: Path,
    archs: Sequence[str],
    jobs: int | None,
    say: Callable[[str], None],
    platform: str = "cuda",
) -> Code | None:
    """Compile the Triton kernels for GPUs of `archs`, and return the compiled code.

    `kernels` is the folder of the kernel files. The code is written to `folder`. Return None if
    there are no Triton kernels or if Triton is not installed. Raises `TritonError` if the
    compilation fails.
    """
    lists = [json.loads(file.read_text())["kernels"] for file in manifests(out)]
    found = [kernel for each in lists for kernel in each if kernel["platform"] == platform]
    if not found:
        return None
    if find_spec("triton") is None:
        say(MISSING)
        return None
    gpus = PLATFORMS[platform]
    targets = {gpus.number(arch): gpus.target(arch) for arch in archs}
    numbers = sorted(targets, reverse=True)
    tasks = [
        Task.of(kernel, variant, kernels, targets[number])
        for kernel in found
        for variant in kernel["variants"]
        for number in numbers
    ]
    names = ", ".join(targets[number].partition(":")[2] for number in reversed(numbers))
    say(f"{MESSAGE} {gpus.kind}{names}: {len(tasks)} variants")
    compiled = iter(_all(tasks, folder, jobs))
    writer = Writer(folder, gpus)
    for kernel in found:
        variants = [[next(compiled) for _ in numbers] for _ in kernel["variants"]]
        writer.table(kernel["entry"], kernel["code"], variants, numbers)
    return writer.write()


def _digits(arch: str) -> int:
    return int("".join(filter(str.isdigit, arch)))


def _all(tasks: Sequence[Task], folder: Path, jobs: int | None) -> list[Compiled]:
    """Run all tasks in a process pool. Return their results in order. Raises `TritonError`."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    kept = cache_folder() or folder
    os.environ.setdefault("TRITON_CACHE_DIR", str(kept / "triton"))
    count = min(jobs or os.cpu_count() or 1, len(tasks))
    # Tasks in sequence compile the same function, so a process can reuse most of Triton's work.
    chunk = -(-len(tasks) // (4 * count))
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(compile_task, tasks, chunksize=chunk))
    errors = list(dict.fromkeys(each.error for each in found if each.error))
    if errors:
        more = len(errors) - ERRORS_SHOWN
        tail = [f"and {more} more"] if more > 0 else []
        raise TritonError("\n".join(["the build failed:", *errors[:ERRORS_SHOWN], *tail]))
    return found


class Writer:
    """Writes a C++ source with the compiled code, and with a table of variants for each kernel."""

    def __init__(self, folder: Path, platform: Platform) -> None:
        self.folder = folder
        self.platform = platform
        self.embedded: dict[str, list[str]] = {}
        self.tables: list[str] = []
        self.entries: dict[str, None] = {}
        self.ranges: set[tuple[int, int]] = set()

    def table(
        self,
        entry: str,
        code: str,
        variants: Sequence[Sequence[Compiled]],
        archs: Sequence[int],
    ) -> None:
        """Add the compiled variants of the kernel `entry`. `archs` must be in descending order."""
        self.entries[entry] = None
        rows = []
        for n, each in enumerate(variants):
            images = [self._binary(arch, c) for arch, c in zip(archs, each)]
            images += [self._ptx(arch, c) for arch, c in zip(archs, each) if c.ptx]
            name = f"{code}_{n}"
            self.tables += [
                f"static const opgen::triton::Image {name}[] = {{",
                *(f"    {image}," for image in images),
                "};",
            ]
            rows.append(f'    {{"{each[0].name}", {name}, {len(images)}}},')
        declared = f'extern "C" opgen::triton::Variant {code}[]'
        self.tables += [f"{declared};", f"opgen::triton::Variant {code}[] = {{", *rows, "};", ""]

    def write(self) -> Code:
        """Write the source file if its content has changed."""
        embedded = [line for lines in self.embedded.values() for line in lines]
        code = Code(self.folder / "code.cpp", tuple(sorted(self.ranges)))
        head = [
            "// What Triton compiled. Written by `opgen build`.",
            f"#define {self.platform.macro} {code.macro}",
            '#include "opgen/call.h"',
            '#include "opgen/kernel.h"',
            '#include "opgen/triton.h"',
            "",
        ]
        asked = [line for entry in self.entries for line in _asked(entry, self.platform.of)]
        text = "\n".join([*head, *embedded, "", *self.tables, *asked])
        if not code.source.is_file() or code.source.read_text() != text:
            code.source.write_text(text)
        for file in self.folder.glob("*.bin"):
            if file.stem not in self.embedded:
                file.unlink()
        return code

    def _binary(self, arch: int, compiled: Compiled) -> str:
        # A cubin runs on newer GPUs of the same generation, unless it uses features of one
        # architecture.
        last = arch // 10 * 10 + 9 if compiled.ptx else arch
        return self._image(arch, last, compiled, compiled.binary)

    def _ptx(self, arch: int, compiled: Compiled) -> str:
        return self._image(arch, ALL_NEWER, compiled, compiled.ptx.encode())

    def _image(self, first: int, last: int, compiled: Compiled, data: bytes) -> str:
        self.ranges.add((first, last))
        digest = hashlib.sha256(data).hexdigest()[:32]
        symbol, file = f"opgen_triton_{digest}", self.folder / f"{digest}.bin"
        if digest not in self.embedded:
            if not file.is_file():
                self.folder.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            self.embedded[digest] = [
                f'__asm__(".pushsection .rodata\\n.balign 64\\n{symbol}:\\n"',
                f'        ".incbin \\"{file}\\"\\n.byte 0\\n.popsection\\n");',
                f'extern "C" const char {symbol}[];',
            ]
        return f"{{{first}, {last}, {compiled.shared}, {compiled.threads}, {symbol}}}"


def _asked(entry: str, of: str) -> tuple[str, ...]:
    """Return the code of a C function that Python calls to check if a device is supported."""
    return (
        f'extern "C" OPGEN_EXPORT int32_t {entry}_compiled_for(int32_t arch) noexcept {{',
        f"  return opgen::compiled_for{of}(arch) ? 1 : 0;",
        "}",
        "",
    )
