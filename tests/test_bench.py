"""The harness of `opgen bench`: alternating turns, ratios of neighbours, bounds, and output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import benchmarks
from opgen.bench.harness import Claim, Group, measure
from opgen.bench.table import document, duration, text

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace garbage collection, which takes a second in a test process.

    The measured times in these tests are invented.
    """
    monkeypatch.setattr("opgen.bench.harness.gc.collect", lambda: 0)


def scripted(*claims: Claim, rounds: int = 4, order: list[str] | None = None) -> Group:
    """Measure two fake functions: `slow` takes 2 s and `fast` takes 1 s.

    Both get slower in each round, as on a busy machine.
    """
    turns: list[str] = [] if order is None else order

    def contestant(name: str, seconds: float):
        def sample() -> float:
            turns.append(name)
            return seconds * (1 + (turns.count(name) - 1) // 2)

        return sample

    contestants = {"fast": contestant("fast", 1.0), "slow": contestant("slow", 2.0)}
    return Group("a group", contestants, claims, rounds, self_timed=True)


def test_contestants_take_turns_in_both_orders() -> None:
    order: list[str] = []
    measure(scripted(rounds=3, order=order))
    assert order == ["fast", "slow", "slow", "fast", "fast", "slow"]


def test_ratios_are_of_neighbours_so_that_drift_cancels() -> None:
    result = measure(
        scripted(Claim("slow", "fast"), Claim("slow", "fast", "speed ratio"), rounds=8)
    )
    time_ratio, speed_ratio = (finding.measured for finding in result.findings)
    assert (time_ratio.least, time_ratio.median, time_ratio.most) == (2, 2, 2)
    assert speed_ratio.median == 0.5
    assert result.seconds["fast"].least == 1 and result.seconds["fast"].most == 4


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (Claim("slow", "fast"), True),
        (Claim("slow", "fast", at_most=2.0), True),
        (Claim("slow", "fast", at_most=1.99), False),
        (Claim("slow", "fast", "speed ratio", at_least=0.5), True),
        (Claim("slow", "fast", "speed ratio", at_least=0.51), False),
        (Claim("fast", quantity="seconds", at_most=1.5), True),
        (Claim("fast", quantity="seconds", at_most=1.4), False),
        (Claim("slow", "fast", "more seconds", at_most=1.5), True),
        (Claim("slow", "fast", "more seconds", at_most=1.4), False),
    ],
)
def test_bounds(claim: Claim, holds: bool) -> None:
    result = measure(scripted(claim))
    (finding,) = result.findings
    assert finding.holds is holds
    assert ("MISSED" in text(result)) is not holds


def test_a_fast_callable_is_looped() -> None:
    calls = []
    group = Group("loops", {"append": lambda: calls.append(0)}, rounds=2, seconds=0.001)
    result = measure(group)
    assert len(calls) > 100
    assert result.seconds["append"].median < 1e-4


def test_a_claim_about_nobody_is_an_error() -> None:
    with pytest.raises(KeyError, match="nobody"):
        measure(scripted(Claim("nobody", "fast")))


def test_shown_for_people_and_for_machines() -> None:
    result = measure(scripted(Claim("slow", "fast", at_most=3.0)))
    assert "time ratio slow / fast: 2.000" in text(result)
    assert "at most 3.0: holds" in text(result)
    group = json.loads(document([result]))["groups"][0]
    assert group["findings"][0]["measured"]["median"] == 2


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(2.5, "2.50 s"), (0.0451, "45.10 ms"), (1.8e-6, "1.80 us"), (4e-10, "0.40 ns")],
)
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds).strip() == shown


def test_an_unknown_benchmark_is_named() -> None:
    command = [sys.executable, "-m", "bench", "nonesuch"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no nonesuch; there are " in done.stderr and "mlp" in done.stderr


def test_what_provides_workloads_is_no_benchmark() -> None:
    found = benchmarks()
    assert {"generator", "mlp"} <= {*found} and not {"wide", "native", "imported"} & {*found}
