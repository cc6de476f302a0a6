"""The verdict on a candidate, its text as a table, and its JSON Schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from opgen.judge import LevelName

# The end of the message about a candidate that is correct but slow.
SLOW = "of the time of the present kernel"

Outcome = Literal["passed", "failed", "not run"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Level(_Model):
    """One test level: its outcome, and its first fault or the reason why it was not run."""

    name: LevelName
    outcome: Outcome
    found: str = ""


class Speed(_Model):
    """The time of a call on one thread in seconds, and the times for comparison."""

    call: str = Field(description="dtypes and sizes of the call")
    seconds: float
    own_seconds: float | None = Field(description="time of the op's present kernel")
    least_seconds: float = Field(description="time that this machine needs for the spec's work")
    bytes: int = Field(description="bytes that the spec reads and writes")
    flops: float | None = Field(description="operations by the spec's `cost.flops`")


class Error(_Model):
    """The largest errors of a result in the first tested call; null if not finite."""

    relative: float | None
    absolute: float | None


class Verdict(_Model):
    """The verdict on a candidate for an op."""

    version: Literal[1] = 1
    op: str
    candidate: str
    sha256: str = Field(description="hash of the candidate's file")
    credit: int = Field(description="number of levels passed before the first that is not")
    accepted: bool = Field(description="every level was run and passed")
    levels: tuple[Level, ...]
    speed: Speed | None
    error: Error | None = Field(description="largest errors in the first tested call")
    guarantees: tuple[str, ...] = Field(description="guarantees of the op that its calls kept")

    @property
    def failed(self) -> bool:
        """Return whether some level failed."""
        return any(level.outcome == "failed" for level in self.levels)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a verdict."""
    found = Verdict.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def table(verdict: Verdict) -> str:
    """Return a verdict as a text table for people."""
    lines = [f"{verdict.op}: {verdict.candidate}"]
    for level in verdict.levels:
        lines.append(f"  {level.name:<15}{level.outcome:<9}{level.found}".rstrip())
    if (speed := verdict.speed) is not None:
        said = f"{1e6 * speed.seconds:.1f} us at {speed.call}"
        if speed.own_seconds is not None:
            ratio = speed.seconds / speed.own_seconds
            said += f", {ratio:.2f} {SLOW}"
        lines.append(f"  {said}; the machine needs {1e6 * speed.least_seconds:.1f} us")
    count = len(verdict.levels)
    said = "accepted" if verdict.accepted else "refused" if verdict.failed else "so far"
    lines.append(f"{said}: {verdict.credit} of {count} levels")
    return "\n".join(lines)
