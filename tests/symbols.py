"""Dynamic symbols of libraries: the needed ones, their origin, and how they are bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

# Symbol versions of glibc, libstdc++ and libgcc.
SYSTEM = re.compile(r"(GLIBC|GLIBCXX|CXXABI|CXXABI_LDBL|GCC)_[\d.]+")
# Mangled names of PyTorch's C++ API: at::, c10::.
CPP = re.compile(r"(?:_ZN?K?|[NSK])(?:2at|3c10)[0-9A-Z]")
# Libraries that contain ops for any PyTorch; other libraries are compiled for one PyTorch version.
STABLE = re.compile(r"lib\w+_(kernels|gpus|torch|jax)-")


class Symbol(NamedTuple):
    """A dynamic symbol. `version` tells which library defines it."""

    name: str
    version: str
    defined: bool
    weak: bool


def symbols(library: Path) -> list[Symbol]:
    with library.open("rb") as file:
        return [*_symbols(ELFFile(file))]


def _symbols(elf: ELFFile) -> Iterator[Symbol]:
    table, numbers, named = map(
        elf.get_section_by_name, (".dynsym", ".gnu.version", ".gnu.version_r")
    )
    assert isinstance(table, SymbolTableSection)
    versions = {}
    if isinstance(named, GNUVerNeedSection):
        for _, parts in named.iter_versions():
            versions |= {part["vna_other"]: part.name for part in parts}
    for at, symbol in enumerate(table.iter_symbols()):
        if symbol.name:
            number = numbers.get_symbol(at)["ndx"] if isinstance(numbers, GNUVerSymSection) else 0
            defined = symbol["st_shndx"] != "SHN_UNDEF"
            weak = symbol["st_info"]["bind"] == "STB_WEAK"
            yield Symbol(symbol.name, versions.get(number, ""), defined, weak)


def bound_now(library: Path) -> bool:
    """Return whether all symbols are bound at loading and are read-only afterwards."""
    with library.open("rb") as file:
        elf = ELFFile(file)
        section = elf.get_section_by_name(".dynamic")
        assert isinstance(section, DynamicSection)
        flags = {tag["d_val"] for tag in section.iter_tags("DT_FLAGS")}
        segments = {segment["p_type"] for segment in elf.iter_segments()}
    return any(flag & 0x8 for flag in flags) and "PT_GNU_RELRO" in segments


def stable_abi(include: Path) -> set[str]:
    """Return the functions that the headers of PyTorch's stable ABI declare."""
    places = ("torch/csrc/stable/c", "torch/csrc/inductor/aoti_torch")
    headers = (file for place in places for file in (include / place).rglob("*.h"))
    return {
        name
        for file in headers
        for name in re.findall(r"\b((?:aoti_)?torch_\w+)\(", file.read_text())
    }


def strangers(libraries: list[Path], include: Path) -> dict[str, list[str]]:
    """Return by library the needed symbols that are not of the system or PyTorch's stable ABI."""
    found = {path.name: symbols(path) for path in libraries if STABLE.match(path.name)}
    assert found, "there is no library"
    offered = {s.name for each in found.values() for s in each if s.defined} | stable_abi(include)
    wrong = {}
    for name, each in found.items():
        asked = [
            s.name
            for s in each
            if not s.defined and not s.weak and not SYSTEM.fullmatch(s.version)
            if s.name not in offered
        ]
        wrong[name] = sorted({*asked, *(s.name for s in each if CPP.search(s.name))})
    return {name: each for name, each in wrong.items() if each}
