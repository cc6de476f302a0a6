"""Rehearses `make gpu-check` on the stand-in: `python -m tests.cuda_stand_in.rehearsal [MINUTES]`.

All stages run as on a GPU, with their time, from `scripts/gpu_check.py`. But the build is that of
the stand-in, and programs of these names print what `nvidia-smi` and `compute-sanitizer` would.
"""

from __future__ import annotations

import os
import shutil
import sys

from scripts import gpu_check
from tests.cuda_stand_in import install
from tests.cuda_stand_in.paths import BUILD, ROOT, environment

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
    programs, root = FOLDER / "bin", FOLDER / "root"
    shutil.rmtree(FOLDER, ignore_errors=True)
    programs.mkdir(parents=True)
    for name, text in (("nvidia-smi", SMI), ("compute-sanitizer", SANITIZER)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    package = BUILD / "package" / "generated"
    root.mkdir()
    for each in ROOT.iterdir():
        (root / each.name).symlink_to(package if each.name == package.name else each)
    page = FOLDER / "cuda.md"
    page.write_text(f"{gpu_check.BEGIN}\n{gpu_check.END}\n")
    options = "-p tests.cuda_stand_in.plugin -p no:cacheprovider -W ignore"
    os.environ.update(environment(install.installed(), package, PYTEST_ADDOPTS=options))
    os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])
    gpu_check.PAGE, gpu_check.ROOT = page, root
    execute = gpu_check.run

    def run(step: gpu_check.Step, seconds: float) -> gpu_check.Outcome:
        if step.name == "build":
            return gpu_check.Outcome("build", "passed", 0.0, {}, "that of the stand-in")
        return execute(step, seconds)

    gpu_check.check.__defaults__ = (run,)
    code = gpu_check.main(["--json", str(FOLDER / "gpu_check.json"), "--minutes", minutes])
    print(page.read_text())
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
