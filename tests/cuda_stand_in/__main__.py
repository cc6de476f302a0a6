"""Run the GPU tests without a GPU, with PyTorch's CUDA build on fake CUDA libraries, the stand-in.

`make cuda-stand-in` runs this program. It installs that PyTorch into the user's cache, and builds
the stand-in and the emulated kernels. Then it runs pytest several times. Each such pass has its own
order of work among streams and its own device. The program prints a line for each pass and writes
`build/cuda_stand_in.json`. Arguments select passes by name. The exit code is 1 if a pass fails.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.cuda_stand_in import install, kernels, libraries
from tests.cuda_stand_in.paths import BUILD, HERE, ROOT, environment

RENDERED = ("generated/tests", "-m", "gpu", "-k", "torch")
# Rendered tests that name no device, for a few ops. Tests that compare bits with the CPU's results
# are excluded, since a GPU's bits differ.
OTHERS = ("generated/tests", "-m", "not gpu", "-k")
OTHERS += ("torch and (relu or rms_norm or dropout) and not (sharded or wrong or agree)",)
# The `torch.compile` tests of every op.
COMPILED = ("generated/tests", "-m", "not gpu", "-k", "torch_compiles")
# Of these two, inductor gives a part to Triton, whose code the stand-in does not run.
WITHOUT_TRITON = (*COMPILED[:-1], f"{COMPILED[-1]} and not relu_bwd and not tensor_negate")
# DTensors in two processes, for every op that they split.
SHARDED = ("generated/tests", "-m", "not gpu", "-k", "torch_sharded")
KERNELS = (str(ROOT / "tests" / "gpu"),)
OWN = (str(HERE),)
EVERYWHERE = {"STAND_IN_DEVICE": "cuda:1", "STAND_IN_EVERYWHERE": "1"}
INDUCTOR = {**EVERYWHERE, "STAND_IN_BACKEND": "inductor", "STAND_IN_CASES": "1"}


class Pass(NamedTuple):
    """A run of pytest, and the environment variables for it."""

    name: str
    tests: tuple[str, ...]
    settings: dict[str, str]
    plugin: bool = True


PASSES = (
    Pass("own", OWN, {"STAND_IN_ORDER": "late"}, plugin=False),
    Pass("late", RENDERED, {"STAND_IN_ORDER": "late", "STAND_IN_DEVICE": "cuda:1"}),
    Pass("exact", RENDERED, {"STAND_IN_ORDER": "1", "STAND_IN_EXACT": "1"}),
    Pass("eager", RENDERED, {"STAND_IN_DEVICE": "cuda:1", "STAND_IN_ALLOCATOR": "torch"}),
    Pass("kernels", KERNELS, {"STAND_IN_ORDER": "late", "STAND_IN_EXACT": "1"}),
    Pass("everywhere", OTHERS, EVERYWHERE),
    Pass("compiled", COMPILED, EVERYWHERE),
    Pass("inductor", WITHOUT_TRITON, INDUCTOR),
    Pass("sharded", SHARDED, EVERYWHERE),
)


def run(each: Pass, site: Path, package: Path, jobs: int) -> dict[str, object]:
    """Run a pass, print a line about it, and return its result as a dict."""
    command = [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", "-W", "ignore"]
    command += [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:faulthandler",
        "--tb=short",
        "--rootdir=.",
        "-c",
        "/dev/null",
    ]
    command += ["-p", "tests.cuda_stand_in.plugin", "-n", str(jobs)] if each.plugin else []
    begun = time.monotonic()
    done = subprocess.run(
        [*command, *each.tests],
        cwd=package.parent,
        env=environment(site, package, **each.settings),
        capture_output=True,
        text=True,
        errors="replace",
    )
    seconds = round(time.monotonic() - begun)
    last = [line for line in done.stdout.splitlines() if re.search(r" in [\d.]+s", line)]
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", (last or [""])[-1])}
    print(f"{each.name}: {(last or ['no result'])[-1].strip('= ')} ({seconds} s)", flush=True)
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-2000:], flush=True)
    return {"pass": each.name, "failed": done.returncode != 0, "seconds": seconds, **counts}


def main() -> int:
    parser = argparse.ArgumentParser("cuda-stand-in", description=__doc__)
    parser.add_argument("passes", nargs="*", metavar="PASS", help="default: all")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes of pytest")
    parser.add_argument("--built", action="store_true", help="run what an earlier call has built")
    options = parser.parse_args()
    known = {each.name for each in PASSES}
    unknown = sorted({*options.passes} - known)
    if unknown:
        parser.error(f"{', '.join(unknown)}: expected some of {', '.join(sorted(known))}")
    begun = time.monotonic()
    site = install.installed()
    package = BUILD / "package" / "generated"
    if not options.built:
        empty = sum(libraries.build(site).values())
        package = kernels.package()
        took = time.monotonic() - begun
        print(f"built: {empty} functions of libraries do nothing ({took:.0f} s)", flush=True)
    chosen = [each for each in PASSES if each.name in options.passes or not options.passes]
    outcomes = [run(each, site, package, options.jobs) for each in chosen]
    BUILD.with_suffix(".json").write_text(json.dumps(outcomes, indent=2) + "\n")
    failed = [each["pass"] for each in outcomes if each["failed"]]
    print(f"cuda-stand-in: {'failed: ' + ', '.join(map(str, failed)) if failed else 'passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
