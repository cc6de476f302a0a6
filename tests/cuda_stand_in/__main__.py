"""Run the GPU tests without a GPU, with the CUDA builds of PyTorch and XLA on fake CUDA libraries.

`make cuda-stand-in` runs this program. It installs these builds into the user's cache, and builds
the stand-in and the emulated kernels. Then it runs pytest several times. Each such pass has its own
order of work among streams and its own device. The program prints a line for each pass and writes
`build/cuda_stand_in.json`. Arguments select passes by name. The exit code is 1 if a pass fails.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.cuda_stand_in import install, kernels, libraries
from tests.cuda_stand_in.paths import BUILD, HERE, LIBRARIES, ROOT, XLA, environment

RENDERED = ("generated/tests", "-m", "gpu", "-k", "torch")
# Rendered tests that name no device. Tests that compare bits with the CPU's results are excluded,
# since a GPU's bits differ. Other passes run those of `torch.compile` and of DTensors.
OTHERS = ("generated/tests", "-m", "not gpu", "-k")
OTHERS += ("torch and not (sharded or wrong or agree or torch_compiles)",)
# The `torch.compile` tests of every op.
COMPILED = ("generated/tests", "-m", "not gpu", "-k", "torch_compiles")
# Of these two, inductor gives a part to Triton, whose code the stand-in does not run.
WITHOUT_TRITON = (*COMPILED[:-1], f"{COMPILED[-1]} and not relu_bwd and not tensor_negate")
# DTensors in two processes, for every op that they split.
SHARDED = ("generated/tests", "-m", "not gpu", "-k", "torch_sharded")
KERNELS = (str(ROOT / "tests" / "gpu"),)
OWN = (str(HERE),)
EVERYWHERE = {"STAND_IN_DEVICE": "cuda:1", "STAND_IN_EVERYWHERE": "1"}
PYTORCH, JAX = "tests.cuda_stand_in.plugin", "tests.cuda_stand_in.xla"
WITH_XLA = {
    "STAND_IN_ORDER": "late",
    "STAND_IN_CASES": "4",
    "LD_LIBRARY_PATH": f"{XLA}:{LIBRARIES}",
    "JAX_PLATFORMS": "cpu,cuda",
    "XLA_FLAGS": "--xla_gpu_enable_command_buffer=",  # no CUDA graphs
    "JAX_SKIP_CUDA_CONSTRAINTS_CHECK": "1",
    "XLA_PYTHON_CLIENT_ALLOCATOR": "platform",  # a separate allocation for each array
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
EVERY_OP = {**EVERYWHERE, "STAND_IN_ORDER": "late", "STAND_IN_CASES": "1"}
INDUCTOR = {**EVERYWHERE, "STAND_IN_BACKEND": "inductor", "STAND_IN_CASES": "1"}


class Pass(NamedTuple):
    """A run of pytest, and the environment variables for it."""

    name: str
    tests: tuple[str, ...]
    settings: dict[str, str]
    plugin: str = PYTORCH
    long: bool = False


PASSES = (
    Pass("own", OWN, {"STAND_IN_ORDER": "late"}, plugin=""),
    Pass("late", RENDERED, {"STAND_IN_ORDER": "late", "STAND_IN_DEVICE": "cuda:1"}),
    Pass("exact", RENDERED, {"STAND_IN_ORDER": "1", "STAND_IN_EXACT": "1"}),
    Pass("eager", RENDERED, {"STAND_IN_DEVICE": "cuda:1", "STAND_IN_ALLOCATOR": "torch"}),
    Pass("kernels", KERNELS, {"STAND_IN_ORDER": "late", "STAND_IN_EXACT": "1"}),
    Pass("everywhere", OTHERS, {**EVERYWHERE, "STAND_IN_OPS": "relu rms_norm dropout"}),
    Pass("xla", ("generated/tests", "-m", "gpu", "-k", "jax"), WITH_XLA, plugin=JAX),
    Pass("every_op", OTHERS, EVERY_OP, long=True),
    Pass("compiled", COMPILED, EVERYWHERE, long=True),
    Pass("inductor", WITHOUT_TRITON, INDUCTOR, long=True),
    Pass("sharded", SHARDED, EVERYWHERE, long=True),
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
    command += ["-p", each.plugin, "-n", str(jobs)] if each.plugin else []
    begun, before = time.monotonic(), busy()
    done = subprocess.run(
        [*command, *each.tests],
        cwd=package.parent,
        env=environment(site, package, **each.settings),
        capture_output=True,
        text=True,
        errors="replace",
    )
    seconds, busy_for = round(time.monotonic() - begun), round(busy() - before)
    last = [line for line in done.stdout.splitlines() if re.search(r" in [\d.]+s", line)]
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", (last or [""])[-1])}
    print(
        f"{each.name}: {(last or ['no result'])[-1].strip('= ')} ({seconds} s, {busy_for} s of CPU)",
        flush=True,
    )
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-2000:], flush=True)
    return {
        "pass": each.name,
        "failed": done.returncode != 0,
        "seconds": seconds,
        "cpu": busy_for,
        **counts,
    }


def busy() -> float:
    """Return the CPU time of all ended subprocesses, which other programs hardly affect."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser("cuda-stand-in", description=__doc__)
    parser.add_argument("passes", nargs="*", metavar="PASS", help="default: the short ones")
    parser.add_argument("--all", action="store_true", help="also run the passes that take long")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes of pytest")
    parser.add_argument("--built", action="store_true", help="run what an earlier call has built")
    options = parser.parse_args()
    known = {each.name for each in PASSES}
    unknown = sorted({*options.passes} - known)
    if unknown:
        parser.error(f"{', '.join(unknown)}: expected some of {', '.join(sorted(known))}")
    begun = time.monotonic()
    site, plugin = install.installed(), install.xla_plugin()
    package = BUILD / "package" / "generated"
    if not options.built:
        empty = sum(libraries.build(site).values())
        package = kernels.package()
        took = f"{time.monotonic() - begun:.0f} s, {busy():.0f} s of CPU"
        print(f"built: {empty} functions of libraries do nothing ({took})", flush=True)
    default = () if options.passes else [p.name for p in PASSES if options.all or not p.long]
    chosen = [each for each in PASSES if each.name in (*options.passes, *default)]
    outcomes = [
        run(each, plugin if each.plugin == JAX else site, package, options.jobs) for each in chosen
    ]
    BUILD.with_suffix(".json").write_text(json.dumps(outcomes, indent=2) + "\n")
    failed = [each["pass"] for each in outcomes if each["failed"]]
    print(f"cuda-stand-in: {'failed: ' + ', '.join(map(str, failed)) if failed else 'passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
