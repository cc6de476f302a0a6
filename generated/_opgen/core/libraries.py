"""Find the built libraries. Reject unsupported systems, truncated files, and libraries of a second
copy of the package.
"""

from __future__ import annotations

import ctypes
import json
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from .kernel_choice import attach
from .project import LIBRARIES, NAMESPACE, PACKAGE, PACKAGE_HASH

_ELF_64 = b"\x7fELF\x02\x01"
_LOAD = 1  # the type of a segment that is mapped into memory


def load(kind: str, read: Callable[[str], object]) -> ctypes.CDLL:
    """Load this package's library of kind `torch` or `jax`. `read` loads it as the framework does.

    Raise ImportError if the library is missing, or cannot be loaded into this process.
    """
    refuse_system()
    path = find_library(LIBRARIES, NAMESPACE, kind)
    refuse_another(LIBRARIES, NAMESPACE)
    refuse_truncated(LIBRARIES)
    try:
        read(str(path))
    except OSError as error:
        raise not_loaded(error.__cause__ or error, LIBRARIES) from None
    library = ctypes.CDLL(str(path))
    attach(library)
    return library


def refuse_system() -> None:
    """Raise ImportError on an operating system for which opgen cannot build libraries."""
    if sys.platform != "linux":
        raise ImportError(f"{PACKAGE} runs its ops on Linux, and this is {sys.platform}")


def find_library(folder: Path, namespace: str, kind: str) -> Path:
    """Return the path of this package's library of kind `kind`: `kernels`, `torch` or `jax`.

    Raise ImportError if this library was not built from the package's current state.
    """
    path = folder / f"lib{namespace}_{kind}-{PACKAGE_HASH}.so"
    if path.is_file():
        return path
    others = sorted(other.name for other in folder.glob(f"lib{namespace}_{kind}-*.so"))
    if others and not path.exists():
        raise ImportError(
            f"{folder / others[0]} was built of another state of this package, whose library is "
            f"{path.name}: run `opgen build`"
        )
    raise ImportError(f"{path} is missing: run `opgen build`")


def refuse_another(folder: Path, namespace: str) -> None:
    """Raise ImportError if this process has loaded a library of the same namespace from another
    folder.

    The dynamic loader identifies libraries by name. So one package would run the kernels of the
    other package.
    """
    try:
        mapped = Path("/proc/self/maps").read_text()
    except OSError:
        return
    loaded = re.findall(rf" (/.*)/lib{namespace}_(?:kernels|torch|jax)-\w+\.so$", mapped, re.M)
    for place in sorted({*loaded}):
        if not Path(place).is_relative_to(folder.resolve()):
            raise ImportError(
                f"{namespace} is loaded already, from {place}, and cannot be loaded from {folder} "
                "too: import one of the two, or render one with another `namespace`"
            )


def not_loaded(error: object, folder: Path) -> ImportError:
    """Return the exception to raise after the dynamic loader's `error`.

    `opgen build` compiles for the processor of its machine, and the libraries may not load on an
    older one. In this case, the exception asks for a new build.
    """
    built = {path.parent for path in folder.rglob(f"lib*_kernels-{PACKAGE_HASH}.so")}
    if built and folder not in built and "_kernels-" in str(error):
        levels = " and ".join(sorted(path.name for path in built))
        return ImportError(
            f"the kernels in {folder} were built for processors of {levels}, and this one is "
            "older: run `opgen build` on this machine, or with OPGEN_CPU_LEVELS= for all"
        )
    if "libtvm_ffi" in str(error):
        return ImportError(f"{error}: `import tvm_ffi` first, of the package apache-tvm-ffi")
    return ImportError(f"{error}: run `opgen build`")


def left_out(folder: Path) -> str:
    """Return the end of an error message about a missing kernel, or "".

    If `opgen build --only` compiled only some families of ops, the text names these families.
    """
    try:
        only = json.loads((folder / "BUILD.json").read_text())["only"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    names = ", ".join(map(str, only))
    return f" (`opgen build --only` built {names}: `opgen build` builds all)" if only else ""


def refuse_truncated(folder: Path) -> None:
    """Raise ImportError if a library file of this package is truncated.

    The dynamic loader would load such a file, but the first access past its end would kill the
    process.
    """
    for path in sorted(folder.rglob(f"*{PACKAGE_HASH}*.so")):
        if not path.is_file():
            continue
        size, needed = path.stat().st_size, _mapped(path)
        if size < needed:
            raise ImportError(
                f"{path} was cut short: it has {size:,} bytes of {needed:,}: run `opgen build`"
            )


def _mapped(path: Path) -> int:
    """Return the number of bytes of a file that the dynamic loader would map; 0 for formats other
    than ELF.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    if not head.startswith(_ELF_64) or len(head) < 64:
        return 0
    (start,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    ends = [0]
    for at in range(start, start + count * size, size):
        if at + size > len(head):
            break
        (kind,) = struct.unpack_from("<I", head, at)
        (offset,) = struct.unpack_from("<Q", head, at + 8)
        (length,) = struct.unpack_from("<Q", head, at + 32)
        if kind == _LOAD:
            ends.append(offset + length)
    return max(ends)
