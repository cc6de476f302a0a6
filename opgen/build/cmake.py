"""Build the libraries of a rendered package with CMake and ninja.

First, all libraries are compiled and installed next to the package. They are moved into the
package's `lib/` only if every step succeeds. Each move is atomic, and `BUILD.json` is written last.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

from opgen.build import compile_errors, machine, triton
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.build.progress import watched
from opgen.build.publish import drop_former, publish, record_of
from opgen.build.runtime_files import cmake_dir
from opgen.compiler.discovery import shown
from opgen.source.diagnostics import did_you_mean
from opgen.source.failure import Failure
from opgen.source.lock import locked
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config

NOT_LINUX = f"libraries are built on Linux, and this is {sys.platform}"
# Variables that CMake stores at its first run in a folder. Later changes have no effect.
VARIABLES = (
    "CXX",
    "CXXFLAGS",
    "CUDACXX",
    "CUDAFLAGS",
    "LDFLAGS",
    "CMAKE_BUILD_TYPE",
    "CMAKE_CXX_COMPILER_LAUNCHER",
    "CMAKE_CUDA_COMPILER_LAUNCHER",
)
WARNING = r"\bwarning:|^CMake Warning"


class BuildError(Failure):
    """Error for a failed build. The message gives the reason in plain sentences."""


def build(
    config: Config,
    out: Path,
    *,
    frameworks: Frameworks | None = None,
    only: Sequence[str] = (),
    gpus: bool = True,
    jobs: int | None = None,
    verbose: bool = False,
    say: Callable[[str], None] = print,
) -> list[Path]:
    """Build the package rendered to `out`, and return the paths of the libraries in its `lib/`.

    `frameworks` are the frameworks to build for, by default all that are installed. Without a CUDA
    compiler, CUDA kernels are left out. `only` lists the families to compile, by default all. If
    `gpus` is False, no kernels for GPUs are compiled. `say` is called with messages for the user.
    Raises `BuildError` if the build fails.
    """
    try:
        return _build(config, out.absolute(), frameworks, only, gpus, jobs, verbose, say)
    except OSError as error:
        # Report a read-only folder or a full disk as a failed build, not as a bug of opgen.
        raise BuildError(f"{error.filename or out}: {error.strerror}") from error


def _build(
    config: Config,
    out: Path,
    frameworks: Frameworks | None,
    only: Sequence[str],
    gpus: bool,
    jobs: int | None,
    verbose: bool,
    say: Callable[[str], None],
) -> list[Path]:
    began = monotonic()
    if sys.platform != "linux":
        raise BuildError(f"{NOT_LINUX}: here specs are linted and rendered")
    refuse_path(out)
    if not (out / "CMakeLists.txt").is_file():
        raise BuildError(f"there is nothing to build in {out}: run `opgen render` first")
    _refuse_unknown(only, out)
    if frameworks is None:
        frameworks = find_frameworks()
        for name in frameworks.missing:
            say(f"{name} is not installed: its libraries are skipped")
    if re.match(r"\.cpython-\d+t-", frameworks.python_suffix):
        raise BuildError(
            "free-threaded Python is not supported: a call of an op borrows its tensors "
            "under the interpreter's lock. Build with a Python that has this lock"
        )
    folder = _build_dir(config, out)
    folder.mkdir(parents=True, exist_ok=True)
    waiting = partial(say, f"another build holds {folder}; waiting for it")
    with locked(folder, waiting) as held:
        stage = folder / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        cuda = _nvcc_for(out, say) if gpus else None
        code = _triton_for(config, out, folder, cuda, jobs, say) if gpus else {}
        command = configure(config, out, folder, frameworks, only, cuda, code)
        run = partial(_run, folder=folder, verbose=verbose, namespace=config.namespace, held=held)
        say("configuring with CMake")
        with _tools_kept(folder, out) as fresh:
            run([*command, *fresh])
        steps = [tool("cmake"), "--build", str(folder)]
        output = run(steps + (["--parallel", str(jobs)] if jobs else []))
        run([tool("cmake"), "--install", str(folder), "--prefix", str(stage)])
        drop_former(folder, stage)
        for line in compile_errors.lines(output, WARNING):
            say(line)
        record = record_of(folder, frameworks, bool(cuda), code, only)
        libraries, changed = publish(stage, out / "lib", record)
    count = "1 library" if len(libraries) == 1 else f"{len(libraries)} libraries"
    built = count + (f" of {', '.join(only)} alone" if only else "")
    if changed:
        say(f"built {shown(out / 'lib')} in {monotonic() - began:.0f} s: {built}")
    else:
        say(f"{shown(out / 'lib')} is up to date: {built}")
    return libraries


def _refuse_unknown(only: Sequence[str], out: Path) -> None:
    """Raise `BuildError` if `only` contains a name that is not a family of the package."""
    families = [path.stem.removesuffix("_torch") for path in (out / "cpp").glob("*_torch.cpp")]
    for name in only:
        if name not in families:
            hint = did_you_mean(name, sorted(families))
            raise BuildError(f"there is no family `{name}` in {shown(out)}: {hint}")


def refuse_path(path: Path) -> None:
    """Raise `BuildError` if `path` contains a character that CMake or its tools would misread."""
    for character in ';"\\$\n':
        if character in str(path):
            shown = character.replace("\n", "\\n")
            raise BuildError(
                f"{path}: CMake takes no path with a `{shown}`: give the folder another name"
            )


def _build_dir(config: Config, out: Path) -> Path:
    """Return the folder in which to build the package `out`.

    It is `build/opgen` for the project's own package. Each other package has its own folder.
    """
    if out == config.out_dir.absolute():
        return config.root / "build" / "opgen"
    return config.root / "build" / f"opgen-{hashlib.sha256(bytes(out)).hexdigest()[:8]}"


def files_read(config: Config, out: Path) -> list[Path]:
    """Return the files that compilers read in the last build, according to ninja's records."""
    folder = _build_dir(config, out.absolute())
    if not (folder / ".ninja_deps").is_file():
        return []
    told = subprocess.run(
        [tool("ninja"), "-C", str(folder), "-t", "deps"], capture_output=True, text=True
    ).stdout
    return sorted({folder / line.strip() for line in told.splitlines() if line[:1] == " "})


def tool(name: str) -> str:
    """Return the path of a program: in the running Python's environment, or else on `PATH`."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        raise BuildError(f"{name} was not found: `pip install {name}` brings it")
    return found


def cuda_archs(config: Config, others: Sequence[str] = machine.CUDA_ARCHS) -> list[str]:
    """Return the GPU architectures for which to compile CUDA kernels.

    They come from the variable `CUDAARCHS`. If it is not set, they come from the project's
    settings. If these have no architectures, `others` is returned.
    """
    given = os.environ.get("CUDAARCHS")
    return given.split(";") if given else [*(config.cuda_archs or others)]


def hip_archs(config: Config, others: Sequence[str] = machine.HIP_ARCHS) -> list[str]:
    """Return the AMD GPU architectures for which to compile kernels.

    They come from the variable `PYTORCH_ROCM_ARCH`. If it is not set, they come from the project's
    settings. If these have no architectures, `others` is returned.
    """
    given = re.findall(r"[^;,\s]+", os.environ.get("PYTORCH_ROCM_ARCH", ""))
    return given or [*(config.hip_archs or others)]


def find_nvcc() -> str | None:
    """Return the path of nvcc in `PATH` or `CUDA_HOME`, or None if nvcc is not installed."""
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return shutil.which("nvcc") or shutil.which("nvcc", path=f"{home}/bin")


def _in_cuda(out: Path) -> bool:
    return any((out / "cpp").glob("*_cuda.cu"))


def _nvcc_for(out: Path, say: Callable[[str], None]) -> str | None:
    """Return the path of nvcc, or None if nvcc is missing or the package has no CUDA C++ code."""
    if not _in_cuda(out):
        return None
    found = find_nvcc()
    say(
        f"CUDA kernels are compiled with {found}"
        if found
        else "nvcc was not found: CUDA kernels are skipped"
    )
    return found


def _triton_for(
    config: Config,
    out: Path,
    folder: Path,
    nvcc: str | None,
    jobs: int | None,
    say: Callable[[str], None],
) -> dict[str, triton.Code]:
    """Compile the package's Triton kernels. Return the compiled code by platform (`cuda`, `hip`).

    Triton kernels for CUDA are skipped if the package has CUDA C++ code and nvcc is missing.
    """
    asked = {"hip": hip_archs(config, machine.hip_archs())}
    if nvcc is not None or not _in_cuda(out):
        asked["cuda"] = cuda_archs(config, machine.cuda_archs())
    return compiled_by_triton(config, out, folder / "triton", asked, jobs, say)


def compiled_by_triton(
    config: Config,
    out: Path,
    folder: Path,
    archs: Mapping[str, Sequence[str]],
    jobs: int | None,
    say: Callable[[str], None],
) -> dict[str, triton.Code]:
    """Compile the Triton kernels into `folder`. Return the compiled code by platform.

    `archs` has the GPU architectures of each platform. Raises `BuildError` if the compilation
    fails.
    """
    kernels, found = config.kernels_dir.absolute(), {}
    try:
        for platform, each in archs.items():
            own = folder if platform == "cuda" else folder / platform
            code = triton.compile_kernels(out, kernels, own, each, jobs, say, platform)
            if code is not None:
                found[platform] = code
    except (triton.TritonError, ValueError) as error:
        raise BuildError(str(error)) from error
    return found


def configure(
    config: Config,
    out: Path,
    folder: Path,
    frameworks: Frameworks,
    only: Sequence[str],
    nvcc: str | None,
    code: Mapping[str, triton.Code] = {},
) -> list[str]:
    """Return the CMake command that configures a build of the package `out` in `folder`."""
    named = os.environ.get("OPGEN_CPU_LEVELS")
    levels = machine.cpu_levels() if named is None else (machine.PLAIN, *named.split())
    options = {
        "CMAKE_BUILD_TYPE": os.environ.get("CMAKE_BUILD_TYPE") or "Release",
        "CMAKE_MAKE_PROGRAM": tool("ninja"),
        "opgen_DIR": cmake_dir(),
        "OPGEN_WERROR": os.environ.get("OPGEN_WERROR") or "OFF",
        "OPGEN_UNITY": os.environ.get("OPGEN_UNITY") or "OFF",
        "OPGEN_CACHE": cache_folder() or "",
        "OPGEN_ONLY": ";".join(only),
        "OPGEN_KERNELS_DIR": config.kernels_dir.absolute(),
        "OPGEN_CUDA": "ON" if nvcc else "OFF",
        "OPGEN_CUDA_ARCHS": ";".join(cuda_archs(config, machine.cuda_archs()) if nvcc else []),
        **triton_options(code),
        "OPGEN_CPU_LEVELS": ";".join(levels),
        "OPGEN_TORCH_INCLUDE": frameworks.torch_include,
        "OPGEN_TORCH_LIB": frameworks.torch_lib,
        "OPGEN_TORCH_VERSION": frameworks.torch_version,
        "OPGEN_TORCH_ROCM": "ON" if frameworks.torch_rocm else "OFF",
        "OPGEN_JAX_INCLUDE": frameworks.jax_include,
        "OPGEN_PYTHON_INCLUDE": frameworks.python_include,
        "OPGEN_PYTHON_SUFFIX": frameworks.python_suffix,
        "OPGEN_PYBIND11_INCLUDE": frameworks.pybind11_include,
    }
    if nvcc:
        options["CMAKE_CUDA_COMPILER"] = nvcc
    return [
        *(tool("cmake"), "-G", "Ninja", "-S", str(out), "-B", str(folder)),
        *(f"-D{name}={value}" for name, value in options.items()),
    ]


def triton_options(code: Mapping[str, triton.Code]) -> dict[str, str]:
    """Return the CMake options that add the compiled Triton code of each platform."""
    cuda, hip = code.get("cuda"), code.get("hip")
    return {
        "OPGEN_TRITON": str(cuda.source) if cuda else "",
        "OPGEN_TRITON_FOR": cuda.macro if cuda else "",
        "OPGEN_TRITON_HIP": str(hip.source) if hip else "",
        "OPGEN_TRITON_FOR_HIP": hip.macro if hip else "",
    }


@contextmanager
def _tools_kept(folder: Path, out: Path) -> Iterator[list[str]]:
    """Yield `--fresh` for CMake if its variables or folders have changed since its last run.

    Without this option, CMake keeps the compilers and flags of its first run, even if `CXX` and
    `CXXFLAGS` change. It also rejects folders that have moved.
    """
    kept = folder / "variables.json"
    variables = {name: os.environ.get(name) for name in VARIABLES}
    now = json.dumps({**variables, "folders": [str(folder), str(out)]})
    try:
        same = kept.read_text() == now
    except FileNotFoundError:
        same = True
    kept.write_text("")  # if CMake fails, the next run starts from scratch
    yield [] if same else ["--fresh"]
    kept.write_text(now)


def _run(
    command: list[str], folder: Path, verbose: bool, namespace: str, held: Sequence[int]
) -> str:
    """Run one step of the build and return its output.

    The output is also written to log.txt and, if `verbose` is set, to stderr. `held` are lock
    descriptors that the step inherits.
    """
    code, output = watched(command, held=held)
    log = folder / "log.txt"
    log.write_text(output)
    if verbose:
        sys.stderr.write(output)
    if code:
        raise BuildError(compile_errors.explain(output, log, namespace))
    return output
