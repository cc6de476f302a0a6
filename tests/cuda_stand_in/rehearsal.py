"""Test `make gpu-check` on the stand-in: `python -m tests.cuda_stand_in.rehearsal`.

All stages of `scripts/gpu_check.py` run, with the same shares of the time as on a GPU. The names of
stages select these stages. Each then has `--minutes` of time, and the results of other stages are
kept. `--ops` selects tests and benchmarks.

The stage `build` does nothing, and benchmarks use small tensors. Scripts imitate the output of
`nvidia-smi` and `compute-sanitizer`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
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


def rehearsed(step: gpu_check.Step, minutes: float, ops: Sequence[str]) -> gpu_check.Step:
    """Return a stage that the stand-in can run, with this time limit."""
    command = step.command
    if step.name == "build":
        command = (sys.executable, "-c", "print('that of the stand-in')")
    if "bench" in command:
        at = command.index("bench") + 1
        options = [word for word in command[at:] if word not in gpu_check.MOST_USED]
        # A later option takes the place of an earlier one.
        options += ["--sizes", "8x64", "--frameworks", "torch"]
        command = (*command[:at], *(ops or gpu_check.MOST_USED), *options)
    return replace(step, command=command, minutes=minutes)


def prepare() -> None:
    """Make the programs, a copy of the project, and the environment in which stages run."""
    programs, root, start = (FOLDER / name for name in ("bin", "root", "start"))
    for folder in (programs, root, start):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for name, text in (("nvidia-smi", SMI), ("compute-sanitizer", SANITIZER)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (start / "sitecustomize.py").write_text(BENCH)
    package = BUILD / "package" / "generated"
    # A copy, since opgen does not accept links to files outside a project.
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


def main() -> int:
    parser = argparse.ArgumentParser("rehearsal", description=__doc__)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help="default: all")
    parser.add_argument("--minutes", type=float, default=gpu_check.MINUTES, metavar="N")
    parser.add_argument("--ops", nargs="+", default=[], metavar="OP", help="default: all")
    options = parser.parse_args()
    prepare()
    os.environ["STAND_IN_OPS"] = " ".join(options.ops)
    planned, share = gpu_check.steps, options.minutes / gpu_check.MINUTES

    def until(last: str | None):
        """The stages up to this one."""

        def steps(*given) -> list[gpu_check.Step]:
            found = planned(*given)
            end = [step.name for step in found].index(last) + 1 if last else len(found)
            return [
                rehearsed(step, options.minutes if last else step.minutes * share, options.ops)
                for step in found[:end]
            ]

        return steps

    codes = []
    for stage in options.stages or [None]:
        gpu_check.steps = until(stage)
        words = ["--json", str(FOLDER / "gpu_check.json"), "--minutes", str(options.minutes)]
        codes.append(gpu_check.main([*words, *(("--from", stage) if stage else ())]))
    print(gpu_check.PAGE.read_text())
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
