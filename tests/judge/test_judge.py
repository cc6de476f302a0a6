"""`opgen judge` catches each cheat at its level, and ranks honest candidates."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.bench.sizes import Size
from opgen.build.runtime_files import include_dir
from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.judge import LEVELS, process, speed
from opgen.judge.levels import judge
from opgen.judge.verdict import Speed, Verdict, schema, table
from opgen.output.render import render
from opgen.output.write import write
from opgen.spec.config import Config

HERE = Path(__file__).parent
CPP = "cheats.so"

# Each cheat with the first level at which it must fail, and a word of the message.
CHEATS = {
    "cheats.py:zeros": ("values", "got 0.0"),
    "cheats.py:kept_by_shape": ("values", "off by"),
    "cheats.py:kept_by_address": ("values", "off by"),
    "cheats.py:writes_its_input": ("memory", "x was written"),
    "cheats.py:computes_in_half": ("values", "are those of f16"),
    "cheats.py:patches_the_timer": ("speed", "of the time of the present kernel"),
    "cheats.py:patches_the_checks": ("values", "off by"),
    "cheats.py:answers_for_its_process": ("values", "off by"),
    "cheats.py:finds_the_reference": ("values", "off by"),
    "cheats.py:of_another_dtype": ("shapes", "y has dtype float64, not float32"),
    "cheats.py:of_another_shape": ("shapes", "y has shape (15,), not (3, 5)"),
    "cheats.py:refuses_odd_sizes": ("odd sizes", "ValueError: too large, at cheats.py:"),
    "cheats.py:draws": ("determinism", "y has other bits"),
    "cheats.py:leaves_a_thread": ("threads", "left after a call: 1"),
    "cheats.py:leaves": ("shapes", "the process ended with 0"),
    "cheats.py:takes_all_memory": ("shapes", "MemoryError"),
    "cheats.py:writes_a_file": ("shapes", "File too large"),
    "cheats.py:is_right_at_first": ("values", "got 0.0"),
    "cheats.py:is_right_until_timed": ("special values", "by the reference [nan]"),
    "cheats.py:crashes": ("memory", "SIGSEGV"),
    f"{CPP}:skips_the_tail": ("values", "got nan"),
    f"{CPP}:writes_past_the_end": ("memory", "bytes around y were written"),
    f"{CPP}:keeps_memory": ("memory", "calls keep"),
    f"{CPP}:rounds_otherwise": ("memory", "rounds otherwise"),
    f"{CPP}:sleeps_at_first": ("speed", "the first call takes"),
    f"{CPP}:drops_nan": ("special values", "by the reference [nan]"),
    f"{CPP}:counts_in_16_bits": ("odd sizes", "was not written"),
    f"{CPP}:wants_aligned_memory": ("memory", "off by"),
    f"{CPP}:takes_one_thread": ("threads", "got nan"),
    f"{CPP}:stops_when_timed": ("speed", "in the timing loop"),
    f"{CPP}:writes_later": ("values", "got nan"),
    f"{CPP}:maps_memory": ("memory", "calls keep"),
    f"{CPP}:is_right_for_usual_numbers": ("special values", "off by"),
    f"{CPP}:shares_a_buffer": ("threads", "calls at the same time"),
    "cheats.py:leaves_a_process": ("threads", "left after a call: 1"),
}
# One cheat of each kind, which runs with each commit.
OFTEN = {
    f"cheats.py:{n}" for n in ("computes_in_half", "patches_the_checks", "writes_its_input")
} | {f"{CPP}:{n}" for n in ("writes_past_the_end", "drops_nan", "takes_one_thread")}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    folder = tmp_path_factory.mktemp("judged")
    shutil.copytree(HERE / "project", folder, dirs_exist_ok=True)
    config = Config(
        folder, out="judged", package="judged", namespace="judged", targets=("core", "cpp")
    )
    found, mistakes, _ = load(sorted((folder / "specs").glob("*.toml")), config)
    assert found is not None, mistakes
    write(render(found, config.targets), config.out_dir, force=True)
    shutil.copy(HERE / "cheats.py", folder)
    subprocess.run(
        [
            *("c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-pthread"),
            *(f"-I{config.out_dir / 'cpp'}", f"-I{include_dir()}"),
            *(str(HERE / "cheats.cpp"), "-o", str(folder / CPP)),
        ],
        check=True,
    )
    return found, folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure small calls only, for which enough sets of inputs are made quickly."""
    monkeypatch.setattr(speed, "SIZES", (Size(32, 256),))


def judged(project: tuple[Project, Path], candidate: str, last: str = "speed") -> Verdict:
    found, folder = project
    return judge(found, "bend", f"{folder}/{candidate}", folder, folder / "kernels", last)


def failed(verdict: Verdict) -> dict[str, str]:
    return {level.name: level.found for level in verdict.levels if level.outcome == "failed"}


@pytest.mark.parametrize(
    "cheat", [c if c in OFTEN else pytest.param(c, marks=pytest.mark.slow) for c in CHEATS]
)
def test_each_cheat_is_caught_at_its_level(
    cheat: str, project: tuple[Project, Path], small: None
) -> None:
    level, said = CHEATS[cheat]
    verdict = judged(project, cheat, "speed" if level == "speed" else "threads")
    found = failed(verdict)
    assert min(found, key=LEVELS.index, default=None) == level, table(verdict)
    assert said in found[level]
    assert not verdict.accepted


def test_there_are_25_cheats_and_every_level_after_the_first_but_gradients_catches_some() -> None:
    assert len(CHEATS) >= 25
    assert {level for level, _ in CHEATS.values()} == {*LEVELS} - {"builds", "gradients"}


def test_the_page_shows_what_is_printed(project: tuple[Project, Path]) -> None:
    """The page shows the command's actual output, since random values never change."""
    page = (HERE.parents[1] / "docs/judge.md").read_text()
    block = next(part for part in page.split("```") if part.startswith("\nbend: "))
    said = table(judged(project, "cheats.py:computes_in_half", "memory"))
    assert said.replace(f"{project[1]}/", "") == block.strip()


# Honest candidates, from the slowest to the fastest.
HONEST = (
    "typo.cpp",
    "cheats.py:computes_in_half",
    f"{CPP}:drops_nan",
    f"{CPP}:is_slow",
    "fast.cpp",
)


@pytest.mark.slow
def test_results_that_are_kept_gain_no_time(project: tuple[Project, Path], small: None) -> None:
    """A candidate gains no time by keeping results of earlier calls."""
    kept, slow = (judged(project, f"{CPP}:{name}").speed for name in ("keeps_results", "is_slow"))
    assert kept is not None and slow is not None
    assert kept.seconds > 0.8 * slow.seconds


@pytest.mark.slow
def test_other_processors_gain_no_time(
    project: tuple[Project, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads need their processor time, even if they all end at once by the judge's clock."""
    monkeypatch.setattr(speed, "SIZES", (Size(64, 256),))
    monkeypatch.setattr(process, "perf_counter", lambda: 0.0)
    names = "takes_other_processors", "is_slow"
    threads, slow = (judged(project, f"{CPP}:{name}").speed for name in names)
    assert threads is not None and slow is not None
    assert threads.seconds > 0.8 * slow.seconds > 0


@pytest.mark.slow
def test_honest_candidates_rank_by_their_quality(
    project: tuple[Project, Path], small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "SLOWER", 2.0)  # this machine does other work too
    folder = project[1]
    kernel = (folder / "kernels/bend/bend.cpp").read_text()
    (folder / "fast.cpp").write_text(kernel)
    (folder / "typo.cpp").write_text(kernel.replace("scale *", "scael *"))
    verdicts = [judged(project, candidate) for candidate in HONEST]
    assert [v.credit for v in verdicts] == [0, 2, 5, 9, 10], [*map(table, verdicts)]
    assert [v.accepted for v in verdicts] == [False] * 4 + [True]
    assert "error: " in failed(verdicts[0])["builds"] and "scael" in failed(verdicts[0])["builds"]
    assert verdicts[-1].guarantees == ("deterministic",)
    slow, fast = (v.speed for v in verdicts[-2:])
    assert slow is not None and fast is not None
    assert slow.seconds > 2 * fast.seconds > 2 * fast.least_seconds / speed.SLACK


def test_a_time_below_what_the_machine_needs_is_impossible() -> None:
    timed = Speed(
        call="f32", seconds=1e-6, own_seconds=2e-6, least_seconds=3e-6, bytes=4096, flops=2.0
    )
    said = speed.fault(timed, 0.0)
    assert (
        said == "impossible: 1.0 us, and this machine needs 3.0 us for 4096 bytes and 2 operations"
    )
    assert speed.fault(timed.model_copy(update={"least_seconds": 1.9e-6}), 0.0) == ""


def test_the_verdict_is_json_of_its_schema(project: tuple[Project, Path]) -> None:
    verdict = judged(project, f"{CPP}:is_right", "values")
    assert verdict.credit == 4 and not verdict.accepted  # the other levels did not run
    document = json.loads(verdict.model_dump_json())
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert {*document} == {*schema()["required"]} | {"version"}
    validate = pytest.importorskip("jsonschema").validate
    validate(document, schema())
    with pytest.raises(Exception, match="is not of type"):
        validate(document | {"credit": "all"}, schema())
