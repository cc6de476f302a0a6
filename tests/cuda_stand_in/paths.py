"""Paths of the stand-in, environment variables for its processes, and programs that it uses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "cuda_stand_in"
# The environment variable with the folder of the libraries, in processes that run on the stand-in.
MARK = "OPGEN_CUDA_STAND_IN"
LIBRARIES = Path(os.environ.get(MARK, BUILD / "lib"))
XLA = LIBRARIES / "xla"  # libraries that only XLA uses
EMULATION = ROOT / "tests" / "runtime" / "cuda_emulation"
RUNTIME = ROOT / "runtime"


def environment(site: Path, package: Path, **settings: str) -> dict[str, str]:
    """Return the environment for a process that uses the PyTorch in `site` and the stand-in."""
    path = [site, package.parent, ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(LIBRARIES),
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTHONPYCACHEPREFIX": str(BUILD / "bytecode"),
        "PYTHONHASHSEED": "0",
        "OPGEN_PACKAGE": str(package),
        MARK: str(LIBRARIES),
        **settings,
    }


def run(*command: object) -> str:
    """Run a program, and return its standard output. Exit with its messages if it fails."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"cuda-stand-in: failed: {' '.join(words)}\n{done.stdout}{done.stderr[-4000:]}")
    return done.stdout


def compiler() -> tuple[str, ...]:
    """Return the command of the C++ compiler, with ccache if CMAKE_PROGRAM_PATH contains it."""
    cache = shutil.which("ccache", path=os.environ.get("CMAKE_PROGRAM_PATH"))
    return (*filter(None, [cache]), "c++")


def cuda_headers() -> Path:
    """Return the folder of CUDA's headers, which nvcc reports."""
    if shutil.which("nvcc") is None:
        sys.exit("cuda-stand-in: nvcc was not found; the stand-in needs its toolkit's headers")
    command = ["nvcc", "-dryrun", "-x", "cu", os.devnull]
    told = subprocess.run(command, capture_output=True, text=True).stderr
    found = re.search(r'INCLUDES="-I([^"\s]+)"', told)
    return Path(found[1]) if found else Path("/usr/local/cuda/include")
