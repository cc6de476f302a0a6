"""Read code for AMD GPUs: the kernel metadata of an hsaco file, and the names of GPUs."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Any

# The type of the ELF note that contains the kernels' metadata, encoded as MessagePack.
_SECTION_NOTE, _METADATA = 7, 32


def arch_of(name: str) -> int:
    """Return the version of an AMD GPU as a number: 100 * major + 10 * minor + stepping.

    For example, `gfx90a` is version 9.0.10, so its number is 910. Raises ValueError if `name` is
    not the name of an AMD GPU.
    """
    found = re.fullmatch(r"gfx(\d{1,2})([0-9a-f])([0-9a-f])", name)
    if found is None:
        raise ValueError(f"{name} is no GPU of AMD's: expected a name such as gfx942")
    major, minor, step = found.groups()
    return 100 * int(major) + 10 * int(minor, 16) + int(step, 16)


def kernel_facts(hsaco: bytes, name: str) -> dict[str, Any]:
    """Return a kernel's metadata, such as `.args` and `.wavefront_size`. Raises ValueError if the
    file does not contain the kernel.
    """
    for kind, data in _notes(hsaco):
        if kind == _METADATA:
            facts, _ = _unpacked(data, 0)
            for kernel in facts["amdhsa.kernels"]:
                if kernel[".name"] == name:
                    return dict(kernel)
    raise ValueError(f"its code says nothing of a kernel {name}")


def parameters_of(hsaco: bytes, name: str) -> list[tuple[int, int]]:
    """Return the offset and size in bytes of each argument that a launch passes to a kernel."""
    arguments = kernel_facts(hsaco, name)[".args"]
    given = (a for a in arguments if not a[".value_kind"].startswith("hidden"))
    return [(argument[".offset"], argument[".size"]) for argument in given]


def _notes(elf: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the type and content of each note in a 64-bit ELF file."""
    start, size, count = *struct.unpack_from("<Q", elf, 40), *struct.unpack_from("<HH", elf, 58)
    for n in range(count):
        section = struct.unpack_from("<IIQQQQ", elf, start + n * size)
        if section[1] != _SECTION_NOTE:
            continue
        at, end = section[4], section[4] + section[5]
        while at < end:
            named, long, kind = struct.unpack_from("<III", elf, at)
            at += 12 + -(-named // 4) * 4
            yield kind, elf[at : at + long]
            at += -(-long // 4) * 4


# The first byte of a MessagePack value determines how to read the rest of the value.
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
_NUMBERS |= {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_LENGTHS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xC4: ">B", 0xC5: ">H", 0xC6: ">I"}
_LENGTHS |= {0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
_SIMPLE = {0xC0: None, 0xC2: False, 0xC3: True}


def _unpacked(data: bytes, at: int) -> tuple[Any, int]:
    """Return the MessagePack value at the position `at`, and the position after the value."""
    first, at = data[at], at + 1
    if first < 0x80:
        return first, at
    if first >= 0xE0:
        return first - 0x100, at
    if first in _SIMPLE:
        return _SIMPLE[first], at
    if first in _NUMBERS:
        (number,) = struct.unpack_from(_NUMBERS[first], data, at)
        return number, at + struct.calcsize(_NUMBERS[first])
    if first < 0xC0:
        length = first & (0x1F if first >= 0xA0 else 0x0F)
    elif first in _LENGTHS:
        (length,) = struct.unpack_from(_LENGTHS[first], data, at)
        at += struct.calcsize(_LENGTHS[first])
    else:
        raise ValueError(f"byte {first:#x} begins no value of its metadata")
    if first >> 4 == 0x8 or first in (0xDE, 0xDF):
        pairs = []
        for _ in range(length):
            key, at = _unpacked(data, at)
            value, at = _unpacked(data, at)
            pairs.append((key, value))
        return dict(pairs), at
    if first >> 4 == 0x9 or first in (0xDC, 0xDD):
        items = []
        for _ in range(length):
            item, at = _unpacked(data, at)
            items.append(item)
        return items, at
    raw = data[at : at + length]
    return (raw if first in (0xC4, 0xC5, 0xC6) else raw.decode()), at + length
