"""Link libraries so that they run on older systems: those that manylinux_2_28 describes.

A library normally requires the newest versions of the symbols in the glibc and libstdc++ of the
machine that links it. So opgen gives the linker stub libraries instead. A stub has each symbol in
the newest version that older systems have too. Newer glibc and libstdc++ keep all old versions, so
the linked library works on newer systems too. Symbols that the older systems lack come from
libstdc++.a, as in Red Hat's toolchains, or from `newer_glibc.c`. If neither has a symbol, the
symbol keeps its newer version, and the wheel's tag reflects this.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

from opgen.build.cmake import BuildError
from opgen.source.frozen import dataclass

POLICY = "manylinux_2_28"
STATIC = "libstdc++.a"
# The names for which the linker searches, and the libraries that the loader then loads.
LIBRARIES = {
    "libc.so": "libc.so.6",
    "libm.so": "libm.so.6",
    "libdl.so": "libdl.so.2",
    "libpthread.so": "libpthread.so.0",
    "librt.so": "librt.so.1",
    "libstdc++.so": "libstdc++.so.6",
}
# Until glibc 2.34, these libraries contained functions that are now in libc. Without these flags, a
# library would not load them on an older system.
APART = ("-lpthread", "-ldl", "-lrt")
# Options that the linker needs before or after one of the libraries.
BEFORE = {"libc.so": "-l:libnewer.a "}
AFTER = {"libstdc++.so": f" -l:{STATIC}"}
NEWER = Path(__file__).parent / "templates" / "newer_glibc.c"

Versions = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of a library, in one version. A library may have several versions of a symbol."""

    name: str
    version: str
    kind: str
    size: int

    def is_in(self, versions: Versions) -> bool:
        library, _, number = self.version.partition("_")
        return number in versions.get(library, ())


def link_flags(folder: Path) -> str:
    """Write the stub libraries to `folder`, and return the flags that make the linker use them.

    Return no flags if the system does not use glibc, or if manylinux does not support the machine.
    Raises `BuildError` if a tool fails.
    """
    compiler = shlex.split(os.environ.get("CXX") or "c++")
    versions = _versions(_run(*compiler, "-dumpmachine").partition("-")[0])
    if not versions or _find(compiler, "libc.so.6") is None:
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own = folder / "newer.o"
    _run(*compiler, "-x", "c", "-O2", "-fPIC", "-fvisibility=hidden", "-c", NEWER, "-o", own)
    _run(_run(*compiler, "-print-prog-name=ar"), "rcs", folder / "libnewer.a", own)
    for name, soname in LIBRARIES.items():
        real = _find(compiler, soname)
        if real is not None:
            complete = name in AFTER and _find(compiler, STATIC) is not None
            with real.open("rb") as file:
                symbols = oldest(
                    _symbols(ELFFile(file), ".gnu.version_d"), versions, newer=not complete
                )
            _stand_in(compiler, folder, soname, symbols)
            (folder / name).write_text(_script(_find(compiler, name), name, complete))
    apart = f"-Wl,--push-state,--no-as-needed,{','.join(APART)},--pop-state"
    return f"-L{shlex.quote(str(folder))} -Wl,--exclude-libs,{STATIC} {apart}"


def oldest(symbols: Iterable[Symbol], versions: Versions, *, newer: bool) -> list[Symbol]:
    """Return each symbol once, in the newest of its versions that `versions` contains.

    If `versions` contains none of its versions, the symbol is left out or, with `newer`, has its
    oldest version.
    """

    def rank(symbol: Symbol) -> tuple[bool, list[int]]:
        number = [int(part) for part in re.findall(r"\d+", symbol.version)]
        old = symbol.is_in(versions)
        return old, number if old else [-part for part in number]

    best: dict[str, Symbol] = {}
    for symbol in symbols:
        if symbol.name not in best or rank(symbol) > rank(best[symbol.name]):
            best[symbol.name] = symbol
    return [symbol for symbol in best.values() if newer or symbol.is_in(versions)]


def newer_symbols(wheel: Path) -> list[str]:
    """Return the symbols that the libraries of a wheel need and that the older systems lack."""
    found, versions = set[str](), _versions(platform.machine())
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".so"):
                symbols = _symbols(ELFFile(io.BytesIO(archive.read(name))), ".gnu.version_r")
                found |= {
                    f"{symbol.name} ({symbol.version})"
                    for symbol in symbols
                    if symbol.version.partition("_")[0] in versions and not symbol.is_in(versions)
                }
    return sorted(found)


def _versions(machine: str) -> Versions:
    """Return the symbol versions that older systems support, for each prefix such as `GLIBC`."""
    policies = json.loads((files("auditwheel.policy") / "manylinux-policy.json").read_text())
    (found,) = (each["symbol_versions"] for each in policies if each["name"] == POLICY)
    versions: Versions = found.get(machine, {})
    return versions


def _symbols(elf: ELFFile, which: str) -> Iterator[Symbol]:
    """Yield the symbols that a library provides or requires, with their versions.

    `which` is `.gnu.version_d` for provided symbols, or `.gnu.version_r` for required symbols.
    """
    table, numbers, named = map(elf.get_section_by_name, (".dynsym", ".gnu.version", which))
    if not isinstance(table, SymbolTableSection) or not isinstance(numbers, GNUVerSymSection):
        return
    if not isinstance(named, GNUVerDefSection | GNUVerNeedSection):
        return
    versions = {}
    for whole, parts in named.iter_versions():
        if which == ".gnu.version_d":
            versions[whole["vd_ndx"]] = next(parts).name
        else:
            versions |= {part["vna_other"]: part.name for part in parts}
    for at, symbol in enumerate(table.iter_symbols()):
        number = numbers.get_symbol(at)["ndx"]
        # The mask removes a bit that marks versions that are hidden from new programs.
        version = versions.get(number & 0x7FFF) if isinstance(number, int) else None
        # The versions themselves are symbols too, but they belong to no section.
        if version not in (None, "GLIBC_PRIVATE") and symbol["st_shndx"] != "SHN_ABS":
            yield Symbol(symbol.name, version, symbol["st_info"]["type"], symbol["st_size"])


def _stand_in(compiler: list[str], folder: Path, soname: str, symbols: Iterable[Symbol]) -> None:
    """Build a stub library `soname`, which defines the names of `symbols` without code."""
    lines, of_version = [], dict[str, list[str]]()
    for symbol in symbols:
        section, kind = {
            "STT_TLS": ('.section .tbss, "awT", %nobits', "tls_object"),
            "STT_OBJECT": (".bss", "object"),
        }.get(symbol.kind, (".text", "function"))
        name = symbol.name
        lines += [section, f".globl {name}", f".type {name}, %{kind}"]
        lines += [f".size {name}, {symbol.size}", f"{name}: .skip {max(symbol.size, 1)}"]
        of_version.setdefault(symbol.version, []).append(name)
    source, script = folder / f"{soname}.s", folder / f"{soname}.map"
    source.write_text("\n".join([*lines, ""]))
    script.write_text(
        "".join(f"{v} {{ {'; '.join(names)}; }};\n" for v, names in of_version.items())
    )
    options = ["-shared", "-nostdlib", f"-Wl,-soname,{soname}", "-Xlinker", "--version-script"]
    _run(*compiler, *options, "-Xlinker", script, source, "-o", folder / soname)


def _script(own: Path | None, name: str, complete: bool) -> str:
    """Return a linker script that makes an option such as `-lc` link with the stub library.

    `own` is the file that this machine's linker uses for the option. With `complete`, the static
    library provides the symbols that the stub lacks.
    """
    soname = LIBRARIES[name]
    instead = f"{BEFORE.get(name, '')}-l:{soname}{AFTER[name] if complete else ''}"
    text = own.read_bytes()[:4096] if own else b""
    if b"GROUP" in text:
        return re.sub(rf"[^\s(]*/{re.escape(soname)}(?=\s)", lambda _: instead, text.decode())
    return f"GROUP ( {instead} )\n"


def _find(compiler: list[str], name: str) -> Path | None:
    """Return the path of a library, or None if the compiler does not find it."""
    found = Path(_run(*compiler, f"-print-file-name={name}"))
    return found if found.is_absolute() and found.exists() else None


def _run(*command: object) -> str:
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise BuildError(f"{words[0]}: {error.strerror}") from None
    if done.returncode:
        raise BuildError(f"{shlex.join(words)} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()
