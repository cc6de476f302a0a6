"""The results of groups of functions, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from opgen.bench.document import machine
from opgen.bench.harness import Claim, Finding, Result, Spread

UNITS = ((1.0, "s "), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def text(result: Result) -> str:
    """Return a group's table: times per call, then claims.

    After each median, the lower and upper quartiles are in parentheses.
    """
    width = max(map(len, result.seconds))
    lines = [f"{result.name}  ({result.rounds} rounds)"]
    lines += [
        f"  {name:<{width}}  {duration(spread.median)}"
        f"  ({duration(spread.low).strip()} to {duration(spread.high).strip()})"
        for name, spread in result.seconds.items()
    ]
    lines += [f"  {_finding(finding)}" for finding in result.findings]
    return "\n".join(lines) + "\n"


def duration(seconds: float) -> str:
    """Return `seconds` in the unit that leaves one to three digits before the decimal point."""
    scale, unit = next((u for u in UNITS if abs(seconds) >= u[0]), UNITS[-1])
    return f"{seconds / scale:7.2f} {unit}"


def document(results: Iterable[Result]) -> str:
    """Return all results as JSON, with the machine's properties and the versions of packages."""
    groups = [asdict(result) for result in results]
    return json.dumps({"machine": machine(), "groups": groups}, indent=2) + "\n"


def _finding(finding: Finding) -> str:
    claim, spread = finding.claim, finding.measured
    return f"-> {_measured(claim, spread)}{_bound(claim, finding.holds)}"


def _measured(claim: Claim, spread: Spread) -> str:
    if claim.quantity == "seconds":
        return f"{claim.subject}: {duration(spread.median).strip()}"
    if claim.quantity == "more seconds":
        low, middle, high = (duration(x).strip() for x in (spread.low, spread.median, spread.high))
        return f"{claim.subject} - {claim.baseline}: {middle}  ({low} to {high})"
    return (
        f"{claim.quantity} {claim.subject} / {claim.baseline}: {spread.median:.3f}"
        f"  ({spread.low:.3f} to {spread.high:.3f})"
    )


def _bound(claim: Claim, holds: bool) -> str:
    verdict = "holds" if holds else "MISSED"
    timed = claim.quantity in ("seconds", "more seconds")
    shown = (lambda x: duration(x).strip()) if timed else str
    bounds: Sequence[str] = [
        f"{word} {shown(bound)}"
        for word, bound in (("at most", claim.at_most), ("at least", claim.at_least))
        if bound is not None
    ]
    return f"; wanted {' and '.join(bounds)}: {verdict}" if bounds else ""
