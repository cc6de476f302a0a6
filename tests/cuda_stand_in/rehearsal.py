"""Test `make gpu-check` on the stand-in: `python -m tests.cuda_stand_in.rehearsal [MINUTES]`.

All stages of `scripts/gpu_check.py` run, with the same shares of the time as on a GPU. But the
stage `build` does nothing, and benchmarks use small tensors. Scripts imitate the output of
`nvidia-smi` and `compute-sanitizer`.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace

from scripts import gpu_check
from scripts.environment import place
from tests.cuda_stand_in import install
from tests.cuda_stand_in.paths import BUILD, ROOT, environment

FOLDER = BUILD / "rehearsal"
SMI = "#!/bin/sh\necho 'Stand-in, 9.0, none, 16384 MiB'\n"
# The words after the tool's name are the program to run.
SANITIZER = """#!/bin/sh
while [ "$1" != --tool ]; do shift; done
tool=$2; shift 2
"$@" || exit
[ "$tool" = memcheck ] && echo '========= ERROR SUMMARY: 0 errors' || true
[ "$tool" = racecheck ] && echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors)' || true
"""
# Python imports this file at its start. Benchmarks need it, since they do not load the plugin.
BENCH = """import sys
if any("bench" in word for word in sys.orig_argv):
    from tests.cuda_stand_in import aten
    aten.install()
"""


def rehearsed(step: gpu_check.Step, scale: float) -> gpu_check.Step:
    """Return a stage that the stand-in can run, with its time multiplied by `scale`."""
    command = step.command
    if step.name == "build":
        command = (sys.executable, "-c", "print('that of the stand-in')")
    if "bench" in command:
        sized = zip(command, ("", *command))
        command = tuple(word for word, last in sized if "--sizes" not in (word, last))
        command += ("--sizes", "8x64")
    return replace(step, command=command, minutes=step.minutes * scale)


def main(minutes: str = str(gpu_check.MINUTES)) -> int:
    programs, root, start = (FOLDER / name for name in ("bin", "root", "start"))
    shutil.rmtree(FOLDER, ignore_errors=True)
    for folder in (programs, start):
        folder.mkdir(parents=True)
    for name, text in (("nvidia-smi", SMI), ("compute-sanitizer", SANITIZER)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (start / "sitecustomize.py").write_text(BENCH)
    package = BUILD / "package" / "generated"
    # A copy, since opgen does not accept links to files outside a project.
    root.mkdir()
    for each in ROOT.iterdir():
        if each.is_dir() and not each.name.startswith(".") and each != BUILD.parent:
            if each.name != package.name:
                shutil.copytree(each, root / each.name, copy_function=place)
        elif each.is_file():
            place(each, root / each.name)
    shutil.copytree(package, root / package.name)
    page = FOLDER / "cuda.md"
    page.write_text(f"{gpu_check.BEGIN}\n{gpu_check.END}\n")
    options = "-p tests.cuda_stand_in.plugin -p no:cacheprovider -W ignore"
    os.environ.update(environment(install.installed(), package, PYTEST_ADDOPTS=options))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(start), os.environ["PYTHONPATH"]])
    os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])
    gpu_check.PAGE, gpu_check.ROOT = page, root
    scale, planned = float(minutes) / gpu_check.MINUTES, gpu_check.steps
    gpu_check.steps = lambda *given: [rehearsed(step, scale) for step in planned(*given)]
    code = gpu_check.main(["--json", str(FOLDER / "gpu_check.json"), "--minutes", minutes])
    print(page.read_text())
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
