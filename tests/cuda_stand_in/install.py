"""Install the CUDA builds of PyTorch and XLA into the user's cache, without NVIDIA's libraries."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

from scripts import environment
from tests.cuda_stand_in.paths import ROOT, run


def installed() -> Path:
    """Return the folder of PyTorch's CUDA build. Install it if necessary."""
    # `===` excludes versions with a suffix, such as the builds for the CPU.
    return _folder("cuda", f"torch==={_pinned('torch')}")


def xla_plugin() -> Path:
    """Return the folder of XLA's CUDA plugin for JAX. Install it if necessary."""
    version = _pinned("jax")
    return _folder("xla", f"jax-cuda13-plugin=={version}", f"jax-cuda13-pjrt=={version}")


def _pinned(package: str) -> str:
    text = (ROOT / "constraints.txt").read_text()
    found = re.search(rf"^{package}==([\d.]+)", text, re.MULTILINE)
    if found is None:
        sys.exit(f"cuda-stand-in: constraints.txt pins no {package}")
    return found[1]


def _folder(name: str, *wanted: str) -> Path:
    """Return the folder of these packages. Install them if necessary."""
    told = " ".join(wanted)
    key = hashlib.sha256(f"{told}\0{sys.version}".encode()).hexdigest()[:16]
    cache = environment.folder() / "environments"
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / f"{name}-{key}"
    with (cache / f"{kept.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not environment.sound(kept):
            print(f"cuda-stand-in: installing {told} into {kept}, up to 1.1 GB", flush=True)
            shutil.rmtree(kept, ignore_errors=True)
            pip = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check")
            run(*pip, "--no-deps", "--no-compile", "--target", kept / "site", *wanted)
            environment.stamp(kept).write_text(environment.contents(kept))
        os.utime(kept)
    return kept / "site"
