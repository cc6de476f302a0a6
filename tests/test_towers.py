"""Specs with many repeated or nested constructs give findings, quickly and in little memory.

Each such spec (a "tower") is linted in a process with limits. `OPGEN_FUZZ=20000` tries 200 towers,
and `OPGEN_FUZZ_SEED` sets the first seed.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.towers import KINDS, OP, tower

TOWERS = max(8, int(os.environ.get("OPGEN_FUZZ", "0")) // 100)
SEED = int(os.environ.get("OPGEN_FUZZ_SEED", "0"))
# The limits of one lint. A slow machine needs up to 3 CPU seconds.
SECONDS, MEGABYTES, ADDRESSES = 5.0, 300, 3_000_000 * 1024

LINT = """
import resource, sys
from opgen.cli.main import main
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
# ru_maxrss would count the process that started this one.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print("used", used.ru_utime + used.ru_stime, int(peak.split()[1]) // 1024)
sys.exit(code)
"""


def run(*arguments: str, cwd: Path | None = None, seconds: float = SECONDS) -> tuple[int, str]:
    """Return the exit code and the output of a command that runs within the limits."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        most = int(4 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    command = [sys.executable, "-c", LINT, *arguments]
    for again in (True, False):
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, preexec_fn=limited)
        assert done.returncode in (0, 1), done.stderr or done
        text, _, used = done.stdout.rpartition("used ")
        took, megabytes = map(float, used.split())
        assert megabytes < MEGABYTES
        if took < seconds or not again:  # other processes may have slowed the first run
            break
    assert took < seconds
    return done.returncode, text


def test_towers_are_linted_within_limits(tmp_path: Path) -> None:
    kinds = random.Random(SEED).sample(range(len(KINDS)), len(KINDS))
    failed = []
    for n in range(TOWERS):
        seed = SEED + kinds[n % len(kinds)] + n // len(kinds) * len(kinds)
        (tmp_path / "tower.toml").write_text(tower(seed))
        try:
            run("lint", str(tmp_path / "tower.toml"))
        except AssertionError as error:
            failed.append(f"tower {seed}, {KINDS[seed % len(KINDS)].__name__}: {error}")
    assert not failed, "\n".join(failed)


def spec(body: str, head: str = 'T = ["f32"]\n') -> str:
    return f"spec = 1\n[dtypes]\n{head}\n[ops.f]\n{OP}\n{body}\n"


@pytest.mark.parametrize(
    "text, rule",
    [
        (
            spec(
                'let.a0 = "m > 1"\n'
                + "".join(f'let.a{n + 1} = "(a{n} and a{n}) or a{n}"\n' for n in range(40))
            ),
            "OG104",
        ),
        (
            spec(
                "",
                'T = ["f32", "f64"]\nD0 = "T"\n'
                + "".join(f'D{n + 1} = "D{n} if bits(D{n}) > {n} else D{n}"\n' for n in range(14)),
            ),
            "OG327",
        ),
        (
            spec('dims.d0 = "m"\n' + "".join(f'dims.d{n + 1} = "d{n}"\n' for n in range(100))),
            "OG327",
        ),
        (
            spec("")
            + '[templates.t0]\nautocast = "f32"\n'
            + "".join(f'[templates.t{n + 1}]\nlike = "t{n}"\n' for n in range(3_000)),
            "OG103",
        ),
        (spec(f"attrs.n = {{ type = 'int', default = 0x{'f' * 6_000} }}"), "OG002"),
        (
            spec("".join(f'inputs.x{n} = {{ dtype = "T", shape = "m" }}\n' for n in range(3_000))),
            "OG110",
        ),
    ],
    ids=["conditions", "dtypes", "dims", "like", "integer", "inputs"],
)
def test_what_has_no_end_is_a_finding(text: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(text)
    code, said = run("lint", str(tmp_path / "f.toml"))
    assert code == 1 and f"error[{rule} " in said and said.count("error[") == 1


RANKS = """
spec = 1
[dtypes]
T = ["f32", "f16"]
W = ["f32", "c64"]
[ops.mix]
doc = "Ranks decide."
dims.c = { "W == c64" = "2", else = "1" }
let.varies = "rank(q) == 4 or rank(r) == 4"
inputs.x = { dtype = "T", shape = { varies = "b g*h l", else = "b d l" } }
inputs.p = { dtype = "W", shape = { varies = "g*h n", else = "d n" } }
inputs.q = { dtype = { "rank(q) == 4" = "T", else = "W" }, shape = { "rank(q) == 4" = "b g n l*c", "rank(q) != 4 and rank(r) == 4" = "g*h n", else = "d n" } }
inputs.r = { dtype = { "rank(r) == 4" = "T", else = "W" }, shape = { "rank(r) == 4" = "b g n l*c", "rank(r) != 4 and rank(q) == 4" = "g*h n", else = "d n" } }
outputs.y = { dtype = "T", shape = { varies = "b g*h l", else = "b d l" } }
grad = "none"
sharding = "replicate"
kernels = ["cuda"]
"""


def test_render_and_explain_end(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.opgen]\npackage = "mix"\nout = "mix"\n')
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/mix.toml").write_text(RANKS)
    assert run("render", "--no-cache", cwd=tmp_path, seconds=10)[0] == 0
    code, said = run("explain", "mix", cwd=tmp_path)
    assert code == 0 and "b g*h l" in said
