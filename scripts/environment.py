"""Create the environment of a checkout: `python scripts/environment.py .venv [EXTRA ...]`.

Without arguments it installs all extras. Packages are installed once for all checkouts, into a
folder of the user's cache. The folder's name is a hash of the installed packages and the running
Python. Each checkout gets a separate environment: links to the packages' files, copies of their
programs, and opgen, installed from the checkout itself.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("build", "package", "torch", "jax", "lsp", "test", "demo", "dev", "bench", "docs")
# Flax and the imports of NNX, without orbax and tensorstore, which are 100 MB.
WITHOUT_DEPENDENCIES = ("flax", "etils", "msgpack", "treescope", "rich")
# PyTorch for CUDA depends on its own version of Triton; this version is for other builds.
TRITON = "triton==3.9.0"
# Modules that most tests import. They are compiled once, next to the packages.
IMPORTED = "torch._dynamo, torch.distributed.tensor, jax, flax.nnx, equinox, optax, sklearn.datasets, scipy"
DAYS_KEPT = 30
SHARED = Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")


def main(target: str, *extras: str) -> None:
    extras = extras or EXTRAS
    cache = folder() / "environments"
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / key(extras)
    with (cache / f"{kept.name}.lock").open("w") as lock:
        # A second process waits, and then finds the installation complete.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not sound(kept):
            print(f"opgen: installing packages into {kept}: 1 to 5 minutes", flush=True)
            remove_unused(cache)
            install(kept, extras)
        os.utime(kept)
        link(kept, Path(target).absolute())


def folder() -> Path:
    """Return opgen's folder in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "opgen"


def key(extras: Sequence[str]) -> str:
    """Return the hash of the packages, of how they are installed, and of the Python version."""
    python = (sys.version, sys.base_prefix, sysconfig.get_platform())
    files = (ROOT / "constraints.txt", Path(__file__))
    parts = [*python, *requirements(extras), *(file.read_text() for file in files)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def requirements(chosen: Sequence[str]) -> list[str]:
    """Return the packages that opgen and these extras need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *(each for extra in chosen for each in extras[extra])]


def install(kept: Path, extras: Sequence[str]) -> None:
    """Install the packages into `kept`. A stamp is written last to mark a complete installation."""
    shutil.rmtree(kept, ignore_errors=True)
    run(sys.executable, "-m", "venv", kept)
    pip = (kept / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check")
    pip = (*pip, "--no-compile", "-c", ROOT / "constraints.txt")
    run(*pip, "hatchling", "editables", *requirements(extras))
    if "dev" in extras:
        run(*pip, "--no-deps", *WITHOUT_DEPENDENCIES)
        if not (kept / SHARED / "triton").is_dir():
            run(*pip, TRITON)
        run(kept / "bin" / "python", "-c", f"import {IMPORTED}")
    stamp(kept).write_text(contents(kept))


def stamp(kept: Path) -> Path:
    return kept / "complete"


def sound(kept: Path) -> bool:
    """Return whether all installed files exist unchanged."""
    return stamp(kept).is_file() and stamp(kept).read_text() == contents(kept)


def contents(kept: Path) -> str:
    """Return the number of files and their size in bytes."""
    sizes = [os.lstat(file).st_size for file in files(kept) if file != stamp(kept)]
    return f"{len(sizes)} files, {sum(sizes)} bytes\n"


def files(tree: Path) -> Iterator[Path]:
    return (Path(at, name) for at, _, names in os.walk(tree) for name in names)


def remove_unused(cache: Path) -> None:
    """Remove environments that no checkout has used for a while."""
    for old in cache.iterdir():
        if old.is_dir() and time.time() - old.stat().st_mtime > DAYS_KEPT * 86400:
            shutil.rmtree(old, ignore_errors=True)


def link(kept: Path, target: Path) -> None:
    """Create the environment `target` from the packages in `kept` and opgen in this checkout."""
    run(sys.executable, "-m", "venv", "--without-pip", "--clear", target)
    for part in (SHARED, Path("share")):
        if (kept / part).is_dir():
            shutil.copytree(kept / part, target / part, copy_function=place, dirs_exist_ok=True)
    for program in (kept / "bin").iterdir():
        if program.is_file() and not (target / "bin" / program.name).exists():
            text = program.read_bytes()
            if b"\0" in text:
                place(program, target / "bin" / program.name)
                continue
            copy = target / "bin" / program.name
            copy.write_bytes(text.replace(os.fsencode(kept), os.fsencode(target)))
            copy.chmod(program.stat().st_mode)
    pip = (target / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check")
    run(*pip, "-q", "--no-deps", "--no-build-isolation", "--no-index", "-e", ROOT)


def place(source: str | Path, target: str | Path) -> str | Path:
    """Link a file, or copy it to another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


def run(*command: object) -> None:
    done = subprocess.run([*map(str, command)], cwd=ROOT)
    if done.returncode:
        sys.exit(f"opgen: failed: {' '.join(map(str, command))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
