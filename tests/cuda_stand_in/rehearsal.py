"""Rehearses `make gpu-check` on the stand-in: `python -m tests.cuda_stand_in.rehearsal [MINUTES]`.

All stages run as on a GPU, with their time, from `scripts/gpu_check.py`. But the build is that of
the stand-in, and programs of these names print what `nvidia-smi` and `compute-sanitizer` would.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from scripts import gpu_check
from tests.cuda_stand_in import install
from tests.cuda_stand_in.paths import BUILD, environment

FOLDER = BUILD / "rehearsal"
SMI = "#!/bin/sh\necho 'Stand-in, 9.0, none, 16384 MiB'\n"
# What comes after the tool's name is the program.
SANITIZER = """#!/bin/sh
while [ "$1" != --tool ]; do shift; done
tool=$2; shift 2
"$@" || exit
[ "$tool" = memcheck ] && echo '========= ERROR SUMMARY: 0 errors' || true
[ "$tool" = racecheck ] && echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors)' || true
"""


def main(minutes: str = str(gpu_check.MINUTES)) -> int:
    programs = FOLDER / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name, text in (("nvidia-smi", SMI), ("compute-sanitizer", SANITIZER)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    page = FOLDER / "cuda.md"
    page.write_text(f"{gpu_check.BEGIN}\n{gpu_check.END}\n")
    package = BUILD / "package" / "generated"
    given = environment(install.installed(), package, PYTEST_ADDOPTS=_options())
    # The stages run in ROOT, where the package that is to be checked has its place.
    given["PYTHONPATH"] = os.pathsep.join([given["PYTHONPATH"], str(gpu_check.ROOT)])
    given["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])
    os.environ.update(given)
    gpu_check.PAGE = page
    execute = gpu_check.run

    def run(step: gpu_check.Step, seconds: float) -> gpu_check.Outcome:
        if step.name == "build":
            return gpu_check.Outcome("build", "passed", 0.0, {}, "that of the stand-in")
        command = [_here(word, package) for word in step.command]
        return execute(
            gpu_check.Step(step.name, (*command,), step.minutes, step.environment), seconds
        )

    gpu_check.check.__defaults__ = (run,)
    code = gpu_check.main(["--json", str(FOLDER / "gpu_check.json"), "--minutes", minutes])
    print(page.read_text())
    return code


def _options() -> str:
    return "-p tests.cuda_stand_in.plugin -p no:cacheprovider --import-mode=importlib -W ignore"


def _here(word: str, package: Path) -> str:
    """A stage's word; the rendered tests are those of the stand-in's package."""
    return str(package / "tests") if word == "generated/tests" else word


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
