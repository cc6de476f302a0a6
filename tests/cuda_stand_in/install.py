"""Install PyTorch's CUDA build into the user's cache, without NVIDIA's libraries."""

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
    """Return the folder of the installed packages. Install them if necessary."""
    pinned = re.search(r"^torch==([\d.]+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    if pinned is None:
        sys.exit("cuda-stand-in: constraints.txt pins no torch")
    # `===` excludes versions with a suffix, such as the builds for the CPU.
    wanted = f"torch==={pinned[1]}"
    key = hashlib.sha256(f"{wanted}\0{sys.version}".encode()).hexdigest()[:16]
    cache = environment.folder() / "environments"
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / f"cuda-{key}"
    with (cache / f"{kept.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not environment.sound(kept):
            print(f"cuda-stand-in: installing {wanted} for CUDA into {kept}: 1.1 GB", flush=True)
            shutil.rmtree(kept, ignore_errors=True)
            pip = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check")
            run(*pip, "--no-deps", "--no-compile", "--target", kept / "site", wanted)
            environment.stamp(kept).write_text(environment.contents(kept))
        os.utime(kept)
    return kept / "site"
