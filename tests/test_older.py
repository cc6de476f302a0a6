"""Libraries that are linked here for older systems need only old symbols, and work."""

from __future__ import annotations

import ctypes
import platform
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("elftools", reason="opgen[package] is not installed")

from opgen.package.older import POLICY, Symbol, link_flags, newer_symbols, oldest

COMPILER = shutil.which("c++")
pytestmark = pytest.mark.skipif(
    COMPILER is None or platform.machine() not in ("x86_64", "aarch64"),
    reason="there is no compiler, or no manylinux_2_28 for this machine",
)

# Uses C++ and C functions whose headers and symbols changed after glibc 2.28: string streams,
# numbers, files, time and threads. Returns those with a wrong result.
PROGRAM = """
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

static bool elsewhere(bool (*run)()) { return std::async(std::launch::async, run).get(); }
static std::timed_mutex taken;
static std::shared_timed_mutex read_only;

extern "C" int wrong(const char* number, const char* file) {
  int found = 0;
  std::stringstream text;
  text << 1.5 << ' ' << number;
  if (text.str() != std::string("1.5 ") + number) found |= 1;
  double value = 0;
  std::from_chars(number, number + std::char_traits<char>::length(number), value);
  if (value != 2.5 || std::abs(std::exp(std::log(value)) - 2.5) > 1e-12) found |= 2;
  if (std::pow(value, 2) != 6.25 || std::strtol("0x12", nullptr, 0) != 18) found |= 4;
  std::random_device random;
  if (random() == random() && random() == random()) found |= 8;
  struct stat about;
  if (stat(file, &about) || about.st_size != 5 || std::filesystem::file_size(file) != 5) found |= 16;
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  if (condition.wait_for(lock, 50ms) != std::cv_status::timeout) found |= 32;
  const auto took = std::chrono::steady_clock::now() - start;
  if (took < 50ms || took > 20s) found |= 64;
  taken.lock();
  if (elsewhere([] { return taken.try_lock_for(10ms); })) found |= 128;
  read_only.lock_shared();
  if (elsewhere([] { return read_only.try_lock_for(10ms); })) found |= 256;
  if (!elsewhere([] { return read_only.try_lock_shared_for(10ms); })) found |= 512;
  try {
    std::filesystem::file_size("/none/of/this");
    found |= 1024;
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code().value() != 2) found |= 2048;
  }
  volatile long minus_one = -1;
  try {
    delete[] new int[minus_one];
    found |= 4096;
  } catch (const std::bad_alloc&) {
  }
#ifdef NEWER
  if (gettid() <= 0) found |= 8192;
#endif
  return found;
}
"""


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> str:
    return link_flags(tmp_path_factory.mktemp("with a space") / "older")


def library(folder: Path, flags: str, *more: str) -> Path:
    (folder / "program.cpp").write_text(PROGRAM)
    command = [str(COMPILER), "-std=c++17", "-O2", "-fPIC", "-shared", "-pthread", "-w", *more]
    command += [*shlex.split(flags), "program.cpp", "-Wl,--no-undefined", "-o", "program.so"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program.so"


def needs(library: Path) -> list[str]:
    """Return the symbols of newer systems that the library would need in a wheel."""
    wheel = library.with_suffix(".whl")
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(library, library.name)
    return newer_symbols(wheel)


def right(library: Path, folder: Path) -> bool:
    (folder / "five").write_text("five\n")
    return ctypes.CDLL(str(library)).wrong(b"2.5", bytes(folder / "five")) == 0


def test_nothing_newer_is_needed(flags: str, tmp_path: Path) -> None:
    made = library(tmp_path, flags)
    assert needs(made) == []
    assert right(made, tmp_path)


def test_what_was_libpthread_is_needed_by_its_name(flags: str, tmp_path: Path) -> None:
    """The library names libpthread, libdl and librt, which older systems have as separate files."""
    made = library(tmp_path, flags).read_bytes()
    for name in (b"libpthread.so.0", b"libdl.so.2", b"librt.so.1"):
        assert name in made


def test_what_comes_from_libstdcxx_is_not_offered(flags: str, tmp_path: Path) -> None:
    """The library exports no functions of libstdc++, so other libraries use their own version."""
    made = library(tmp_path, flags, "-fvisibility=hidden")
    told = subprocess.run(
        ["nm", "-DC", "--defined-only", str(made)], capture_output=True, text=True
    )
    assert "basic_stringstream" not in told.stdout and "filesystem::file_size" not in told.stdout


def test_what_cannot_be_older_is_named(flags: str, tmp_path: Path) -> None:
    """A report names each function that older systems lack; the library still works here."""
    made = library(tmp_path, flags, "-DNEWER")
    assert needs(made) == ["gettid (GLIBC_2.30)"], POLICY
    assert right(made, tmp_path)


def test_which_version_is_taken() -> None:
    versions = {"GLIBC": ["2.2.5", "2.14", "2.28"]}
    given = [("copy", "2.14"), ("copy", "2.2.5"), ("exp", "2.29"), ("exp", "2.2.5")]
    given += [("gettid", "2.36"), ("gettid", "2.30")]
    symbols = [Symbol(name, f"GLIBC_{version}", "STT_FUNC", 0) for name, version in given]
    for newer in (False, True):
        found = {s.name: s.version for s in oldest(symbols, versions, newer=newer)}
        assert found.pop("gettid", None) == ("GLIBC_2.30" if newer else None)
        assert found == {"copy": "GLIBC_2.14", "exp": "GLIBC_2.2.5"}


def test_on_aarch64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library for aarch64 is compiled here and runs in QEMU.

    Needs Debian's packages g++-aarch64-linux-gnu and qemu-user.
    """
    cross = "aarch64-linux-gnu-g++"
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if shutil.which(cross) is None or emulator is None:
        pytest.skip(f"there is no {cross} or no qemu-aarch64")
    monkeypatch.setenv("CXX", cross)
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setitem(globals(), "COMPILER", cross)
    made = library(tmp_path, link_flags(tmp_path / "older"))
    assert needs(made) == []
    main = 'extern "C" int wrong(const char*, const char*);\n'
    main += 'int main(int, char** v) { return wrong("2.5", v[1]) != 0; }\n'
    (tmp_path / "main.cpp").write_text(main)
    (tmp_path / "five").write_text("five\n")
    command = [cross, "main.cpp", "./program.so", "-Wl,-rpath,$ORIGIN", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    ran = [emulator, "-L", "/usr/aarch64-linux-gnu", "./main", "five"]
    subprocess.run(ran, cwd=tmp_path, check=True)
